"""Which columns tell several rows for one response apart.

They have the number of a repetition, a setting of the system, or the set of questions in which an id stands for one.
"""

import json
from collections.abc import Iterator
from itertools import combinations

import polars as pl

from nonresponse.faults import listed, shown
from nonresponse.formats import numbers, own_columns
from nonresponse.formats.grades import FALSE, TRUE
from nonresponse.formats.roles import RIGHT, all_called, called, parts, plain
from nonresponse.look import records_of
from nonresponse.look.words import VERDICTS

# Words in names of columns that count repetitions; words for what is repeated, which do so alone (run: 1, 2) or with
# one of COUNTERS (sample_idx); what stands there then; and words in names of columns with a setting of the system.
TIMES = (
    *("epoch", "epochs", "repetition", "repeat", "rep", "trial", "iteration", "replicate", "seed", "attempt"),
    *("rollout", "rerun", "resample", "try"),
)
REPEATED = ("run", "sample", "generation", "completion", "response", "draw")
COUNTED = r"(?i)^(run|r|trial|rep|epoch|seed|attempt)?[ _-]?[0-9]+(\.0)?$"
COUNTERS = ("idx", "index", "number", "no", "num", "id", "nr")
SETTINGS = ("threshold", "temperature", "setting", "condition", "prompt", "mode", "variant", "config", "strategy", "k")
# Words in names of columns with the set that a question is of, where ids may begin anew (the first is taken); and of
# some that may be a setting as well.
SETS = ("dataset", "benchmark", "task", "split", "subset", "subject", "category", "topic", "domain", "difficulty")
SETS_OR_SETTINGS = ("source", "language", "lang")
# Words in names of columns that say which metric, or which assessor, a row is about.
MEASURES = ("metric", "metrics", "measure", "scorer", "criterion", "evaluator", "dimension", "aspect", "feedback")
ASSESSORS = ("judge", "assessor", "annotator", "rater", "grader", "labeler", "labeller", "reviewer")
MOST = 50  # different values that a column may have
NEARLY = 0.95  # share of the rows that have to be told apart
SOME = 0.25  # share of the ids in several sets whose texts, or right answers, have to differ between these sets
FEW = 12  # pairs of columns are tried if there are at most this many columns
OF_STATES = {*VERDICTS} - {*TRUE, *FALSE}  # a setting may be on or off

Tables = list[tuple[pl.DataFrame, dict]]


def sets(files: list[tuple[str, dict]]) -> Iterator[tuple[dict, str]]:
    """Additional options by which an id is another question in each set, each with what it leaves open; best first.

    Either the questions' texts, or right answers, differ from set to set, or nothing tells and a column is named so.
    """
    tables = rows_of_files(files)
    options = tables[0][1]
    columns = options.get("columns", {})
    if "question" in options:
        return
    # `line` has the file here, which is the run where no column is.
    frame = pl.concat([one.with_columns(line=pl.lit(n)) for n, (one, _) in enumerate(tables)], how="diagonal_relaxed")
    id, run = columns.get("question", "question"), run_of(frame, options) or "line"
    free = [name for name in frame.columns if is_free(frame, name, options)]
    divide = [name for name in free if divides(frame, name, id)]
    named = [name for word in (*SETS, *SETS_OR_SETTINGS) for name in divide if word in parts(name)]
    text = called([name for name in frame.columns if name not in (id, "line")], "asked") or ""
    facts = [name for name in (text, columns.get("target"), options.get("gold")) if name]
    for some in [[name] for name in named] + [named] * (len(named) > 1):
        told = [said for fact in facts if (said := differ(frame, some, id, fact)) is not None]
        if any(told) or (not told and apart(frame, [*some, *repeating(free), run], options)):
            yield as_sets(frame, some, options, sure=any(told))
    for name in divide if text else ():
        of_questions = name not in {*named, *repeating(free), text} and differ(frame, [name], id, text)
        if of_questions and frame.select(name, text).n_unique() == frame[text].n_unique():
            yield as_sets(frame, [name], options, sure=True)


def as_sets(frame: pl.DataFrame, some: list[str], options: dict, sure: bool) -> tuple[dict, str]:
    """Options by which an id is another question in each set; and what they leave open, with a key if it is unsure.

    It is if only a name says so, and that may mean something else, or all rows for a response to an id say the same.
    """
    columns = options.get("columns", {})
    id, run = columns.get("question", "question"), run_of(frame, options) or "line"
    said = [name for ours in ("verdict", "answer") if (name := columns.get(ours, ours)) in frame]
    alike = bool(said) and frame.select(id, run, *said).n_unique() == frame.select(id, run).n_unique()
    ask = not sure and (alike or any({*parts(name)} & {*SETS_OR_SETTINGS} for name in some))
    key = f" (`question: {json.dumps([*some, id], ensure_ascii=False)}`)" if ask else ""
    why = "as its text or right answer is another" if sure else "by the name alone"
    which = f"what the same {shown(id)} in another {' and '.join(map(shown, some))} is: here another question"
    made = {"category": called(some, "category")} | columns
    made = {ours: theirs for ours, theirs in made.items() if theirs not in (None, ours) and ours != "question"}
    return {"question": [*some, id], "columns": made}, f"{which}, {why}{key}"


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
        counts = are_times(name)
        whole = counts and all(not numbers.wholes(one[name]).has_nulls() for one, _ in tables)
        if whole and "epoch" not in columns:
            yield {"columns": columns | {"epoch": name}}, f"{which}, as the number of times that it was asked"
            continue
        others = {ours: theirs for ours, theirs in columns.items() if ours != "run"}
        run = "-".join(f"{{{name}}}" for name in (run_of(frame, options) or "file", *some))
        made = {"run": run} | ({"columns": others} if "columns" in options else {})
        # By its name, it counts how often a run was asked, or is something else that it does not hold.
        key = " (`run:`)" if counts or name in options.get("ignore", []) else ""
        yield made, f"{which}, and each of {'its' if len(some) == 1 else 'their'} values makes a run of its own{key}"


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
    return [name for name in names if are_times(name) or {*parts(name)} & {*SETTINGS}]


def are_times(name: str) -> bool:
    """Whether a column is named as one that counts repetitions."""
    words = {*parts(name)}
    return bool(words & {*TIMES} or (words & {*REPEATED} and words <= {*REPEATED, *COUNTERS}))


def of_a_model(frame: pl.DataFrame, names: list[str]) -> list[str]:
    """The columns named like runs that only count them (1, run 2), beside one with the model, which is the run then.

    Not if a column named like a setting differs between the runs of a model.
    """
    named = all_called(names, "run")
    counts = [name for name in named if are_times(name) and frame[name].str.contains(COUNTED).fill_null(False).all()]
    models = [name for name in named if name not in counts and "model" in parts(name)]
    set_apart = [name for name in names if {*parts(name)} & {*SETTINGS} and name not in named]
    of_model = frame.group_by(models[:1]).agg(pl.col(set_apart).n_unique()) if models and set_apart else pl.DataFrame()
    return counts if models and not any((of_model[name] > 1).any() for name in set_apart) else []


def run_of(frame: pl.DataFrame, options: dict) -> str | None:
    """The column of the run, if there is one."""
    columns = options.get("columns", {})
    return columns.get("run") or called([one for one in frame.columns if one not in asked_by(options)], "run")


def asked_by(options: dict) -> list[str]:
    """The columns that together are the question."""
    several = options.get("question")
    return several if isinstance(several, list) else [options.get("columns", {}).get("question", "question")]


def is_free(frame: pl.DataFrame, name: str, options: dict) -> bool:
    """Whether a column, never empty, is not used otherwise."""
    used = [*options.get("columns", {}).values(), options.get("gold", ""), *options.get("assessors", {}).values()]
    taken = {*own_columns.wanted(used), "line", *asked_by(options)}
    return name not in taken and "{" not in name and name in frame and not frame[name].has_nulls()


def divides(frame: pl.DataFrame, name: str, id: str) -> bool:
    """Whether a column has several values for some ids, and each of its values for two ids on average, or for more."""
    pairs = frame.select(id, name).n_unique()
    return pairs > frame[id].n_unique() and 2 * frame[name].n_unique() <= pairs


def differ(frame: pl.DataFrame, some: list[str], id: str, fact: str) -> bool | None:
    """Whether `fact`, which is said of an id in a set, differs between the sets; null if it says nothing of them."""
    rows = frame.select(id, *some, fact).drop_nulls().unique()
    each = rows.group_by(id).agg(pl.struct(some).n_unique().alias("sets"), pl.col(fact).n_unique().alias("facts"))
    each = each.filter(pl.col("sets") > 1)
    if not each.height or rows[fact].n_unique() < 2 or rows.height > rows.select(id, *some).n_unique():
        return None
    several = each.filter(pl.col("facts") > 1).height
    return several > 0 if not several or several >= SOME * each.height else None


def repeats(frame: pl.DataFrame, name: str, options: dict) -> bool:
    """Whether a column that is free may tell rows apart.

    It has 2 to MOST different values, each for several questions; and most questions have several of them.
    """
    if not is_free(frame, name, options):
        return False
    asked = asked_by(options)
    of_value = frame.group_by(name).agg(pl.struct(asked).n_unique().alias("questions"))
    of_question = frame.group_by(asked).agg(pl.col(name).n_unique().alias("values"))
    several = (of_value["questions"] > 1).all() and 2 * (of_question["values"] > 1).sum() >= of_question.height
    return 1 < of_value.height <= MOST and bool(several)


def apart(frame: pl.DataFrame, names: list[str], options: dict) -> bool:
    """Whether these columns tell nearly all rows (NEARLY) for one response apart."""
    run = run_of(frame, options)
    key = [*asked_by(options), *([run] if run and run not in names else []), *names]
    return frame.select(pl.struct(key).is_unique().mean()).item() >= NEARLY
