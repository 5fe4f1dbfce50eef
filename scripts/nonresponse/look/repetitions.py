"""Which columns tell several rows for one response apart: the number of a repetition, or a setting of the system."""

from collections.abc import Iterator
from itertools import combinations

import polars as pl

from nonresponse.faults import listed, shown
from nonresponse.formats import numbers, own_columns
from nonresponse.formats.grades import FALSE, TRUE
from nonresponse.formats.roles import RIGHT, called, parts, plain
from nonresponse.look import records_of
from nonresponse.look.words import VERDICTS

# Words in names of columns that count repetitions; and of columns with a setting of the system.
TIMES = ("epoch", "epochs", "repetition", "repeat", "rep", "trial", "iteration", "replicate", "seed", "attempt")
SETTINGS = ("threshold", "temperature", "setting", "condition", "prompt", "mode", "variant", "config", "strategy", "k")
# Words in names of columns that say which metric, or which assessor, a row is about.
MEASURES = ("metric", "metrics", "measure", "scorer", "criterion", "evaluator", "dimension", "aspect", "feedback")
ASSESSORS = ("judge", "assessor", "annotator", "rater", "grader", "labeler", "labeller", "reviewer")
MOST = 50  # different values that a column may have
NEARLY = 0.95  # share of the rows that have to be told apart
FEW = 12  # pairs of columns are tried if there are at most this many columns
OF_STATES = {*VERDICTS} - {*TRUE, *FALSE}  # a setting may be on or off

Tables = list[tuple[pl.DataFrame, dict]]


def settings(files: list[tuple[str, dict]]) -> Iterator[tuple[dict, str]]:
    """Additional options by which columns tell the rows of these tables apart, each with what it leaves open."""
    tables = rows_of_files(files)
    frame, options = tables[0]
    columns = options.get("columns", {})
    every, names = telling(tables)
    chosen = [[name] for name in repeating(names) or names[:1] * (len(names) == 1)]
    if not names and len(every) <= FEW:
        pairs = [[*two] for two in combinations(every, 2) if all(apart(one, [*two], its) for one, its in tables)]
        most = max((len(repeating(two)) for two in pairs), default=0)
        best = [two for two in pairs if len(repeating(two)) == most]
        chosen, names = best[:1] * (len(best) == 1), [" and ".join(two) for two in pairs]
    for some in chosen:
        which = f"what tells rows for one response apart: here {' and '.join(map(shown, some))}, of {listed(names)}"
        [name] = some if len(some) == 1 else [""]
        whole = name and all(not numbers.wholes(one[name]).has_nulls() for one, _ in tables)
        if whole and {*parts(name)} & {*TIMES} and "epoch" not in columns:
            yield {"columns": columns | {"epoch": name}}, f"{which}, as the number of times that it was asked"
            continue
        others = {ours: theirs for ours, theirs in columns.items() if ours != "run"}
        run = "-".join(f"{{{name}}}" for name in (run_of(frame, options) or "file", *some))
        made = {"run": run} | ({"columns": others} if "columns" in options else {})
        yield made, f"{which}, and each of {'its' if len(some) == 1 else 'their'} values makes a run of its own"


def rows_of_files(files: list[tuple[str, dict]]) -> Tables:
    """The tables of these files, each with its options."""
    return [(records_of.rows_of(path, options)[0], options) for path, options in files]


def telling(tables: Tables) -> tuple[list[str], list[str]]:
    """The columns that may help to tell rows for one response apart, and those that suffice alone."""
    every = [name for name in tables[0][0].columns if all(repeats(one, name, its) for one, its in tables)]
    return every, [name for name in every if all(apart(one, [name], its) for one, its in tables)]


def measures(files: list[tuple[str, dict]]) -> tuple[str, list[str]] | None:
    """The column that says which metric (correct, abstained) or which assessor a row is about, with its values.

    Null if there is no such column. If it were taken for a setting, each of its values would become a run.
    """
    tables = rows_of_files(files)
    for name in telling(tables)[1]:
        values = tables[0][0][name].unique().sort().to_list()
        named = any(plain(value) in OF_STATES or {*parts(value)} & {*RIGHT} for value in values)
        if named or {*parts(name)} & {*MEASURES} or of_assessors(name):
            return name, values
    return None


def of_assessors(name: str) -> bool:
    """Whether a column is named as one that says who judged."""
    return bool({*parts(name)} & {*ASSESSORS})


def repeating(names: list[str]) -> list[str]:
    """The columns named like repetitions or settings."""
    return [name for name in names if {*parts(name)} & {*TIMES, *SETTINGS}]


def run_of(frame: pl.DataFrame, options: dict) -> str | None:
    """The column of the run, if there is one."""
    columns = options.get("columns", {})
    question = columns.get("question", "question")
    return columns.get("run") or called([one for one in frame.columns if one != question], "run")


def repeats(frame: pl.DataFrame, name: str, options: dict) -> bool:
    """Whether a column, not used otherwise, may tell rows apart.

    It has 2 to MOST different values, none empty, each for several questions; and most questions have several of them.
    """
    columns = options.get("columns", {})
    others = [options.get("gold", ""), *options.get("assessors", {}).values()]
    taken = {*own_columns.wanted([*columns.values(), *others]), "line", columns.get("question", "question")}
    if name in taken or "{" in name or name not in frame or frame[name].has_nulls():
        return False
    asked = columns.get("question", "question")
    of_value = frame.group_by(name).agg(pl.col(asked).n_unique().alias("questions"))
    of_question = frame.group_by(asked).agg(pl.col(name).n_unique().alias("values"))
    several = (of_value["questions"] > 1).all() and 2 * (of_question["values"] > 1).sum() >= of_question.height
    return 1 < of_value.height <= MOST and bool(several)


def apart(frame: pl.DataFrame, names: list[str], options: dict) -> bool:
    """Whether these columns tell nearly all rows (NEARLY) for one response apart."""
    run = run_of(frame, options)
    key = [options.get("columns", {}).get("question", "question"), *([run] if run and run not in names else []), *names]
    return frame.select(pl.struct(key).is_unique().mean()).item() >= NEARLY
