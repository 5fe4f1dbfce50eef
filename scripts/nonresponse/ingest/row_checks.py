"""What is read but wrong, found once for all formats: duplicates, numbers out of range, unknown labels, bad names."""

import polars as pl

from nonresponse import tables, tasks
from nonresponse.faults import Fault
from nonresponse.ingest.conditions import Check, duplicates, faults_of, faults_of_names, present, quoted, with_first

EACH = ("epoch", "rank")  # columns that are never empty
DECISIONS = ("VALIDATED", "SELECTED", "REJECTED")

# Whether a pair is right; of an unscored one this is unknown.
TRUTH = pl.when(pl.col("verdict") == "unscored").then(pl.lit("unknown")).otherwise(pl.col("positive").cast(pl.String))
# What graded responses say of a question or pair, whatever the run: its name, its value, and what it is said of.
SHARED = [
    ("category", pl.col("category"), ["question"]),
    ("right answer", pl.col("gold"), ["question"]),
    ("truth", TRUTH, ["assessor", "question", "candidate"]),
]


def check_responses(frame: pl.DataFrame, task: str) -> list[Fault]:
    """Faults of the responses, one by one: what they lack, and numbers out of range."""
    record = tasks.get(task)
    checks = [present("question")]
    for name, wrong, expected in (
        ("confidence", ~pl.col("confidence").is_between(0, 1), "a number from 0 to 1"),  # NaN is not between
        ("score", ~pl.col("score").is_finite(), "a finite number"),
        ("epoch", pl.col("epoch") < 0, "0 or more"),
        ("rank", pl.col("rank") < 1, "1 or more"),
        ("position", pl.col("position") < 1, "1 or more"),
    ):
        there = pl.lit(name in EACH) | pl.col(name).is_not_null()
        checks.append(Check(there & wrong, pl.format(f"the {name} {{}}", name), expected))
    if record.pairs:
        unknown = pl.col("answered") & ~pl.col("answer").is_in(DECISIONS)
        checks.append(Check(unknown, pl.format("the decision {}", quoted("answer")), f"one of {', '.join(DECISIONS)}"))
        selected = (pl.col("answer") == "SELECTED").fill_null(False)  # left open
        again = selected & (selected.cum_sum().over("file", "run", "question", order_by="line") > 1)
        found = pl.format("a second SELECTED for question {}", quoted("question"))
        checks.append(Check(again, found, "one at most"))
    if (frame["rank"] > 1).any():  # the verdict is that of rank 1: without one, the others would go unseen
        question = ["file", "run", "question", "epoch"]
        no_first = (pl.col("rank").min().over(question) > 1) & pl.struct(question).is_first_distinct()
        found = pl.format("no answer of rank 1 to question {}", quoted("question"))
        checks.append(Check(no_first, found, "ranks from 1"))
    return faults_of_names(frame, "run", "run name", record.trivial) + faults_of(frame, checks)


def check_judgments(frame: pl.DataFrame, labels: list[str]) -> list[Fault]:
    """Faults of the judgments: labels and names of assessors."""
    unknown = ~pl.col("label").is_in(labels)
    label = Check(unknown, pl.format("the label {}", quoted("label")), f"one of {', '.join(labels)}")
    return faults_of_names(frame, "assessor", "assessor") + faults_of(frame, [present("question"), label])


def check_named(frame: pl.DataFrame) -> list[Fault]:
    """Judgments that leave out what others name, and so match no response, or that name nothing, and match any."""
    named = [name for name in ("run", "document", "answer") if frame[name].is_not_null().any()]
    if not named:
        found = "judgments that name neither a run nor a document nor an answer"
        expected = "one of them, or each would be of all answers to its question"
        return [Fault(file, 0, found, expected) for file in frame["file"].unique().cast(pl.String).sort()]
    checks = []
    for name in named:
        found = f"a judgment of question {{}} without a{'n' * (name == 'answer')} {name}"
        expected = "one in each judgment of the campaign, or in none"
        checks.append(Check(pl.col(name).is_null(), pl.format(found, quoted("question")), expected))
    return faults_of(frame, checks)


def contradictions(frame: pl.DataFrame, remark: str) -> list[Fault]:
    """Two judgments of one assessor for the same answer that differ, in one file (with the remark) or in two."""
    key = tables.JUDGMENTS_KEY
    if frame.select(key).is_unique().all():
        return []
    rows = with_first(frame, key)
    differs = (pl.col("label") != pl.col("label").first().over(key)).fill_null(False)  # none is a fault already
    found = pl.format("the label {} for an answer that has another on an earlier line", quoted("label"))
    said = pl.when(pl.col("file") == pl.col("file").first().over(key)).then(pl.lit(remark)).otherwise(pl.lit(""))
    expected = pl.format("one judgment for an answer and assessor; the first is on {}{}", "first", said)
    return faults_of(rows, [Check(differs, found, expected)])


def disagreements(
    frame: pl.DataFrame, what: str, value: pl.Expr, of: list[str], where: str = "for all runs"
) -> list[Fault]:
    """A fault at each row that contradicts an earlier one on what must be the same for all runs, or so."""
    said = frame.with_columns(said=value).drop_nulls("said").sort("file", "line", maintain_order=True)
    differs = pl.col("said") != pl.col("said").first().over(of)
    if not said.select(differs.any()).item():
        return []
    found = pl.format(f"another {what} of question {{}} than on an earlier line", quoted("question"))
    expected = pl.format(f"the same {where}; the first is on {{}}", "first")
    return faults_of(with_first(said, of), [Check(differs, found, expected)])


def check_graded(frame: pl.DataFrame, task: str, remark: str) -> list[Fault]:
    """Faults of graded responses: those of the responses themselves, and a second verdict of an assessor."""
    faults = duplicates(frame, tables.GRADED_KEY, "verdict", remark)
    for what, value, of in SHARED:
        faults += disagreements(frame, what, value, of)
    one = frame.filter(pl.col("assessor") == pl.col("assessor").first()).unique(
        ["file", "run", "question", "epoch", "rank", "candidate"], keep="first", maintain_order=True
    )
    if (one["rank"] > 1).any():
        of = ["file", *(name for name in tables.GRADED_KEY if name != "rank")]
        faults += disagreements(one, "state (asked or never asked)", pl.col("missing"), of, "at all ranks")
    place = {name: one.schema[name] for name in ("file", "line")}
    responses = tables.complete(one, tables.RESPONSES | place)
    faults += duplicates(responses, list(tasks.get(task).key), "response", remark)
    return faults + check_responses(responses.with_columns(answered=pl.lit(False)), task)
