"""Checks of rows, whatever their format: conditions that no row may meet."""

from itertools import compress
from typing import NamedTuple

import polars as pl

from nonresponse import tables, tasks
from nonresponse.faults import MAX_FAULTS, MAX_OF_KIND, Fault, quote
from nonresponse.legible import NAME, NAMING

ALWAYS_FILLED = ("epoch", "rank")  # columns that are never empty
DECISIONS = ("VALIDATED", "SELECTED", "REJECTED")

# Whether a pair is right ("true", "false"); "unknown" if it is unscored
TRUTH = (
    pl.when(pl.col("verdict") == "unscored")
    .then(pl.lit("unknown"))
    .otherwise(pl.col("positive").cast(pl.String))
)
# What has to be the same in the graded responses of all runs: its name, its value, and the columns
# whose values it belongs to
SHARED_VALUES = [
    ("category", pl.col("category"), ["question"]),
    ("gold answer", pl.col("gold"), ["question"]),
    ("truth", TRUTH, ["assessor", "question", "candidate"]),
]


class Check(NamedTuple):
    """A condition under which a row is wrong (null counts), what was found, and expected."""

    is_wrong: pl.Expr
    found: pl.Expr
    expected: str | pl.Expr


def find_faults(frame: pl.DataFrame, checks: list[Check]) -> list[Fault]:
    """Return a fault per check and row that fails it, at most MAX_OF_KIND for each check and file.

    If no row fails, one pass over the rows is enough.
    """
    if frame.is_empty():
        return []
    conditions = [check.is_wrong.fill_null(True).alias(str(i)) for i, check in enumerate(checks)]
    fails = frame.select(condition.any() for condition in conditions).row(0)
    faults = []
    for check, condition in compress(zip(checks, conditions, strict=True), fails):
        rows = frame.filter(condition).sort("file", "line", maintain_order=True)
        index = rows.select(pl.int_range(pl.len()).over("file")).to_series()
        unlisted = pl.len().over("file").cast(pl.Int64) - MAX_OF_KIND
        more = pl.when(index == MAX_OF_KIND - 1).then(unlisted).otherwise(0)
        listed = rows.with_columns(more=more).filter(index < MAX_OF_KIND).head(MAX_FAULTS)
        expected = pl.lit(check.expected) if isinstance(check.expected, str) else check.expected
        listed = listed.select(
            pl.col("file").cast(pl.String),
            "line",
            found=check.found,
            expected=expected,
            more="more",
        )
        faults += [Fault(*row) for row in listed.rows()]
        number = rows.height - listed.height - int(listed["more"].sum())
        faults[-1] = faults[-1]._replace(more=faults[-1].more + number)
    return faults


def list_faults(frame: pl.DataFrame, found: pl.Expr, expected: str | pl.Expr) -> list[Fault]:
    """Return a fault per row."""
    return find_faults(frame, [Check(pl.lit(True), found, expected)])


def quote_column(name: str) -> pl.Expr:
    """Return the text of a column as faults show it."""
    return pl.col(name).fill_null("").map_elements(quote, return_dtype=pl.String)


def format_quoted(text: str, *columns: str) -> pl.Expr:
    """Return a sentence with the quoted text of these columns in place of each {}."""
    return pl.format(text, *map(quote_column, columns))


def require(column: str) -> Check:
    """Return the check that a column is filled."""
    return Check(pl.col(column).is_null(), pl.lit(f"no {column}"), f"a {column} on every line")


def is_increasing(frame: pl.DataFrame, key: list[str]) -> bool:
    """Return whether rows are sorted by their key, and no two have the same key."""
    previous = {name: pl.col(f"previous {name}") for name in key}
    shifted = [pl.col(name).shift(1).alias(f"previous {name}") for name in key]
    pairs = frame.lazy().select(*key, *shifted).slice(1)  # the first row has no previous one
    # Most rows have a later question of the same run as the previous row; comparing all columns
    # takes twice as long.
    name = key[:2][-1]
    is_usual = pl.col(name) > previous[name]
    if len(key) > 1:
        is_usual &= pl.col(key[0]) == previous[key[0]]
    is_later = pl.lit(False)
    for name in reversed(key):
        is_first_value = previous[name].is_null() & pl.col(name).is_not_null()  # nulls come first
        is_later = (pl.col(name) > previous[name]).fill_null(is_first_value) | (
            pl.col(name).eq_missing(previous[name]) & is_later
        )
    return pairs.filter(~is_usual.fill_null(False)).select(is_later.all()).collect().item()


def find_duplicates(
    frame: pl.DataFrame, key: list[str], noun: str, remark: str = ""
) -> list[Fault]:
    """Return a fault at each row of a file that repeats the key of an earlier row."""
    if is_increasing(frame, key) or is_increasing(frame, ["file", *key]):
        return []
    file_key = ["file", *key]
    codes = pl.struct(pl.col(file_key).to_physical())
    if frame.select(codes.n_unique()).item() == frame.height:
        return []
    run = format_quoted(" of {}", "run") if "run" in key else pl.lit("")
    found = format_quoted(f"a second {noun} for question {{}}", "question")
    expected = pl.format("one only; the first{} is on {}{}", run, "first", pl.lit(remark))
    is_repeated = ~pl.struct(file_key).is_first_distinct()
    return find_faults(locate_first(frame, file_key), [Check(is_repeated, found, expected)])


def locate_first(frame: pl.DataFrame, key: list[str]) -> pl.DataFrame:
    """Return the sorted rows with the place of the `first` row with the same key, in words."""
    rows = frame.sort("file", "line", maintain_order=True)
    file, line = pl.col("file").first().over(key), pl.col("line").first().over(key)
    place = pl.format("line {}", line)
    place_in_file = pl.format("{} of {}", place, file.cast(pl.String))
    is_same_file = file == pl.col("file")
    return rows.with_columns(first=pl.when(is_same_file).then(place).otherwise(place_in_file))


def find_differing(
    frame: pl.DataFrame, value: str, key: list[str], found: pl.Expr, expected: str, remark: str = ""
) -> list[Fault]:
    """Return a fault at each row whose `value` differs from that of the first row with the same
    key.

    {} in `expected` is the place of that row. The remark follows where it is in the same file.
    """
    rows = frame.sort("file", "line", maintain_order=True)
    differs = (pl.col(value) != pl.col(value).first().over(key)).fill_null(False)
    if not rows.select(differs.any()).item():
        return []
    is_same_file = pl.col("file") == pl.col("file").first().over(key)
    remarks = pl.when(is_same_file).then(pl.lit(remark)).otherwise(pl.lit(""))
    expectation = pl.concat_str(pl.format(expected, "first"), remarks)
    return find_faults(locate_first(rows, key), [Check(differs, found, expectation)])


def check_names(
    frame: pl.DataFrame, column: str, noun: str, reserved: tuple[str, ...] = ()
) -> list[Fault]:
    """Return a fault at the first row of each file with a name that is not fit."""
    # Rows are mostly one run after the other
    changes = pl.any_horizontal(
        pl.col(name).ne_missing(pl.col(name).shift(1)) for name in (column, "file")
    )
    rows = frame.lazy().filter(changes)
    rows = rows.unique(["file", column], keep="first", maintain_order=True)
    unfit = ~pl.col(column).cast(pl.String).str.contains(NAME) | pl.col(column).is_in(reserved)
    expected = NAMING + (f", and not {' or '.join(reserved)}" if reserved else "")
    check = Check(unfit, format_quoted(f"the {noun} {{}}", column), expected)
    return find_faults(rows.collect(), [check])


def check_responses(frame: pl.DataFrame, task: str) -> list[Fault]:
    """Return faults of single responses: values, decisions, ranks, and names of runs."""
    record = tasks.get(task)
    checks = [require("question")]
    for name, is_wrong, expected in (
        # NaN is not between
        ("confidence", ~pl.col("confidence").is_between(0, 1), "a number from 0 to 1"),
        ("score", ~pl.col("score").is_finite(), "a finite number"),
        ("epoch", pl.col("epoch") < 0, "0 or more"),
        ("rank", pl.col("rank") < 1, "1 or more"),
        ("position", pl.col("position") < 1, "1 or more"),
    ):
        if name not in ALWAYS_FILLED:
            is_wrong = pl.col(name).is_not_null() & is_wrong
        checks.append(Check(is_wrong, pl.format(f"the {name} {{}}", name), expected))
    if record.pairs:
        is_unknown = pl.col("answered") & ~pl.col("answer").is_in(DECISIONS)
        expected = f"one of {', '.join(DECISIONS)}"
        checks.append(Check(is_unknown, format_quoted("the decision {}", "answer"), expected))
        selected = (pl.col("answer") == "SELECTED").fill_null(False)  # null: unanswered
        number = selected.cum_sum().over("file", "run", "question", order_by="line")
        found = format_quoted("a second SELECTED for question {}", "question")
        checks.append(Check(selected & (number > 1), found, "one at most"))
    # The verdict is on rank 1: without it, the other ranks would be ignored
    if (frame["rank"] > 1).any():
        key = ["file", "run", "question", "epoch"]
        lacks_first = (pl.col("rank").min().over(key) > 1) & pl.struct(key).is_first_distinct()
        found = format_quoted("no answer of rank 1 to question {}", "question")
        checks.append(Check(lacks_first, found, "ranks from 1"))
    return check_names(frame, "run", "run name", record.trivial) + find_faults(frame, checks)


def check_judgments(frame: pl.DataFrame, labels: list[str], remark: str = "") -> list[Fault]:
    """Return faults of labels, with a remark on these; of names of assessors, and of judgments
    without a question."""
    found, expected = format_quoted("the label {}", "label"), f"one of {', '.join(labels)}{remark}"
    checks = [require("question"), Check(~pl.col("label").is_in(labels), found, expected)]
    return check_names(frame, "assessor", "assessor") + find_faults(frame, checks)


def check_filled(frame: pl.DataFrame) -> list[Fault]:
    """Return faults of judgments that leave empty what others fill, or all."""
    columns = [name for name in ("run", "document", "answer") if frame[name].is_not_null().any()]
    if not columns:
        found = pl.lit("judgments that name neither a run nor a document nor an answer")
        expected = "one of them, or each would be of all answers to its question"
        return list_faults(frame.select("file", line=0).unique(), found, expected)
    checks = []
    for name in columns:
        noun = "an answer" if name == "answer" else f"a {name}"
        sentence = format_quoted(f"a judgment of question {{}} without {noun}", "question")
        expected = "one in each judgment of the campaign, or in none"
        checks.append(Check(pl.col(name).is_null(), sentence, expected))
    return find_faults(frame, checks)


def find_contradictions(frame: pl.DataFrame, remark: str) -> list[Fault]:
    """Return faults of judgments that contradict an earlier one of the same assessor and answer.

    The earlier one may be in another file; if it is in the same one, the remark is added.
    """
    found = format_quoted("the label {} for an answer that has another on an earlier line", "label")
    expected = "one judgment for an answer and assessor; the first is on {}"
    return find_differing(frame, "label", tables.JUDGMENTS_KEY, found, expected, remark)


def find_disagreements(
    frame: pl.DataFrame, noun: str, value: pl.Expr, key: list[str], scope: str = "for all runs"
) -> list[Fault]:
    """Return a fault at each row whose `value` differs from the first with the same key."""
    rows = frame.with_columns(value=value).drop_nulls("value")
    found = format_quoted(f"another {noun} of question {{}} than on an earlier line", "question")
    return find_differing(rows, "value", key, found, f"the same {scope}; the first is on {{}}")


def check_graded(frame: pl.DataFrame, task: str, remark: str) -> list[Fault]:
    """Return faults of graded responses: repeated verdicts, contradictions, and single values."""
    faults = find_duplicates(frame, tables.GRADED_KEY, "verdict", remark)
    for noun, value, key in SHARED_VALUES:
        faults += find_disagreements(frame, noun, value, key)
    rows = frame
    if faults or frame["assessor"].n_unique() > 1:  # else no response is there twice
        rows = frame.filter(pl.col("assessor") == pl.col("assessor").first())
        key = ["file", *tables.GRADED_KEY[1:]]
        rows = rows.unique(key, keep="first", maintain_order=True)
    if (rows["rank"] > 1).any():
        key = ["file", *(name for name in tables.GRADED_KEY if name != "rank")]
        noun, missing = "state (asked or never asked)", pl.col("missing")
        faults += find_disagreements(rows, noun, missing, key, "at all ranks")
    place = {name: rows.schema[name] for name in ("file", "line")}
    responses = tables.complete(rows, tables.RESPONSES | place)
    faults += find_duplicates(responses, list(tasks.get(task).key), "response", remark)
    return faults + check_responses(responses.with_columns(answered=pl.lit(False)), task)
