"""Recognises tables of counts, a row per run, by the names of the columns and by the sums of the counts."""

from itertools import product

import polars as pl

from nonresponse import tasks
from nonresponse.faults import Fault, listed, shown
from nonresponse.formats import numbers
from nonresponse.formats.roles import called, parts
from nonresponse.look import Source, beside
from nonresponse.look.names import is_measured
from nonresponse.look.words import OF_RESPONSES, state_of

# Words that the name of a count may have besides the word for what is counted.
COUNTING = ("n", "num", "number", "of", "count", "counts", "total", "is", "answers", "questions")
COUNTS = {
    "n": ("", "samples", "items", "size", "asked"),
    "n_ac": ("correct", "right", "ac", "correctly", "answered_correctly"),
    "n_aw": ("wrong", "incorrect", "aw", "incorrectly", "hallucinated"),
    "n_error": ("error", "errors", "failed", "failures", "crashed"),
    "n_partial": ("partial", "partially", "partially_correct", "partly", "partly_correct"),
}
COLUMNS = ("n", "n_ac", "n_aw", "n_u", "n_partial", "n_error")
# Beginnings of words that say whether silence was right, and of those in the names of further columns that may count
# answers, which a state (skipped, timeout) does, too; but not if one of NO_COUNTS is in the name.
JUDGED = ("correct", "right", "true", "wrong", "incorrect", "false")
MAY_COUNT = (*OF_RESPONSES, "skip", "punt", "invalid", "unpars", "other", "unknown")
NO_COUNTS = ("given", "rate", "percent", "pct", "share", "ratio", "f1", "score", "accuracy", "precision", "recall")
EXPECTED = "counts of right and wrong answers and of none (`counts:` with `columns:`, docs/formats.md)"
SINGLE = "one of each, with the sum where both count; or a column n that one of each makes up"


def of_table(path: str, frame: pl.DataFrame) -> Source | Fault | None:
    """A table with a row of counts per run; null for another table; a fault if counts are missing or do not add up."""
    names = [name for name in frame.columns if name != "line"]
    known = [one for one in map(tasks.get, tasks.NAMES) if "counts" in one.sources]
    task = next((one for one in known if {*one.required} <= {*names}), None)
    if "run" in names and task:
        why = f"it has a run on each line, and the counts {listed(task.required)}"
        return Source(path, "counts", {}, why, (), task.id)
    run = called(names, "run")
    if not run or frame[run].has_nulls() or not frame[run].is_unique().all():
        return None
    whole = {name: values for name in names if name != run and (values := wholes(frame[name])) is not None}
    named: dict[str, list[str]] = {}
    for name in whole:
        own = named.setdefault(count_of(name) or "", [])
        own += [] if any(whole[name].equals(whole[other]) for other in own) else [name]
    others = named.pop("", [])
    if "n_ac" not in named or "n_u" not in named or len({*named} - {"n_partial"}) < 3:
        return None
    if called(names, "question") and not any((whole[name] > 1).any() for name in (*named["n_ac"], *named["n_u"])):
        return None
    ways = [dict(zip(named, way, strict=True)) for way in product(*named.values())]
    if len(ways) > 1:
        ways = [way for way in ways if {"n", "n_aw"} <= {*way} and sums(of_way(whole, way), "n_ac", "n_aw", "n_u")]
    if len(ways) != 1:
        several = "; ".join(listed(own) for own in named.values() if len(own) > 1)
        return Fault(path, 1, f"several columns for a count: {several}", SINGLE)
    [found] = ways
    count = of_way(whole, found)
    undecided = []
    if "n_aw" not in found and "n_error" in found and "n" in found and sums(count, "n_ac", "n_error", "n_u"):
        found["n_aw"] = found.pop("n_error")
        wrong = shown(found["n_aw"])
        undecided = [f"whether {wrong} counts wrong answers: here it does, as it takes them to make up n"]
    if "n_aw" not in found:
        return Fault(path, 1, f"counts in {listed([*found.values()])}, and none of wrong answers", EXPECTED)
    left = "n" in found and not sums(count, "n_ac", "n_aw", "n_u") if "n_aw" in count else False
    if left and "n_error" in found and sums(count, "n_ac", "n_aw", "n_error", "n_u"):
        undecided = [f"what {shown(found['n_error'])} count as: here they are in no n"]
        found.pop("n")
    elif left:
        parts_of = [found[name] for name in ("n_ac", "n_aw", "n_u")]
        return Fault(path, 1, f"counts in {listed(parts_of)} that do not add up to {shown(found['n'])}", EXPECTED)
    elif "n_error" in found:
        key = "" if "n" in found else " (`ignore: rest`)"
        undecided = [f"whether {shown(found['n_error'])} are among the wrong answers: here they are{key}"]
    if "n" not in found:
        answered = count["n_ac"] + count["n_aw"]
        sums_of = (answered, answered + count["n_u"])
        more = [name for name in others if may_count(name) and not any(whole[name].equals(it) for it in sums_of)]
        more += [found["n_partial"]] if "n_partial" in found else []
        undecided += [f"whether n counts {listed(more)}, too: here not (`ignore: rest`)"] if more else []
    columns = {"run": run, **{ours: found[ours] for ours in COLUMNS if ours in found}}
    others = [name for name in names if name not in columns.values()]
    why = f"it has a run on each line, and counts in {listed([*columns.values()][1:])}"
    renamed = {ours: name for ours, name in columns.items() if ours != name}
    called_so = any(name in it.counts for it in known for name in others)  # would be read as counts by their names
    options: dict[str, object] = {"format": "tabular", "columns": renamed}
    if others:
        options["ignore"] = others if called_so else "rest"
    return Source(path, "counts", options, why, tuple(undecided))


def of_way(whole: dict[str, pl.Series], way: dict[str, str]) -> dict[str, pl.Series]:
    """The counts of the columns by which a table is read."""
    return {ours: whole[name] for ours, name in way.items()}


def may_count(name: str) -> bool:
    """Whether a column, by its name, may count answers of a kind of their own."""
    words = [word for word in parts(name) if word not in COUNTING]
    may = state_of(name) or any(word.startswith(MAY_COUNT) for word in words)
    return bool(may) and is_measured("_".join(words)) and not {*words} & {*NO_COUNTS}


def wholes(values: pl.Series) -> pl.Series | None:
    """The values of a column of whole numbers, none negative or empty; null for any other column."""
    known = numbers.wholes(values)
    return known if not known.has_nulls() and len(known) and (known >= 0).all() else None


def count_of(name: str) -> str | None:
    """Which of COLUMNS a column is by its name; null for any other name."""
    words = parts(name)
    if words == [""]:  # the numbers of the rows, as pandas writes them
        return None
    silence = [word for word in words if not word.startswith(JUDGED)]
    if beside.silent("_".join(silence)) or words[-1] in ("abstain", "u", "unanswered"):
        return "n_u"
    word = "_".join(one for one in words if one not in COUNTING)
    return next((ours for ours, own in COUNTS.items() if word in own), None)


def sums(count: dict[str, pl.Series], *names: str) -> bool:
    """Whether these counts add up to n for every run."""
    total = sum((count[name] for name in names[1:]), count[names[0]])
    return bool((total == count["n"]).all())
