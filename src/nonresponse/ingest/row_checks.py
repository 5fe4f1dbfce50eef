"""Checks of rows for all formats alike: conditions that no row may meet."""

from typing import NamedTuple

import polars as pl

from nonresponse import tables, tasks
from nonresponse.faults import LIMITS, MAX_FAULTS, Fault, quote
from nonresponse.legible import NAME, NAMED

ALWAYS_FILLED = ("epoch", "rank")  # columns that are never empty
DECISIONS = ("VALIDATED", "SELECTED", "REJECTED")

# Whether a pair is right ("true", "false"); "unknown" if it is unscored.
TRUTH = (
    pl.when(pl.col("verdict") == "unscored")
    .then(pl.lit("unknown"))
    .otherwise(pl.col("positive").cast(pl.String))
)
# What has to be the same in the graded responses of all runs: its name, its value, and for which
# columns.
SHARED_VALUES = [
    ("category", pl.col("category"), ["question"]),
    ("gold answer", pl.col("gold"), ["question"]),
    ("truth", TRUTH, ["assessor", "question", "candidate"]),
]


class Check(NamedTuple):
    """A condition under which a row is wrong (null counts), what was found, and expected."""

    wrong: pl.Expr
    found: pl.Expr
    expected: str | pl.Expr


def find_faults(frame: pl.DataFrame, checks: list[Check]) -> list[Fault]:
    """Return a fault per row and check that it fails, of each check and file the first LISTED, or
    fewer; if none fails, one pass over the rows is enough."""
    if frame.is_empty():
        return []
    wrong = [check.wrong.fill_null(True).alias(str(number)) for number, check in enumerate(checks)]
    failed = frame.select(condition.any() for condition in wrong).row(0)
    faults = []
    for check, condition, any_row in zip(checks, wrong, failed, strict=True):
        if not any_row:
            continue
        rows = frame.filter(condition).sort("file", "line", maintain_order=True)
        index = rows.select(pl.int_range(pl.len()).over("file")).to_series()
        limit = next((limit for limit in LIMITS if (index < limit).sum() <= MAX_FAULTS), LIMITS[-1])
        others = pl.len().over("file").cast(pl.Int64) - limit
        rows = rows.with_columns(more=pl.when(index == limit - 1).then(others).otherwise(0))
        expected = pl.lit(check.expected) if isinstance(check.expected, str) else check.expected
        file = pl.col("file").cast(pl.String)
        listed_rows = rows.filter(index < limit).select(
            file, "line", found=check.found, expected=expected, more="more"
        )
        faults += [Fault(*row) for row in listed_rows.rows()]
    return faults


def list_faults(frame: pl.DataFrame, found: pl.Expr, expected: str | pl.Expr) -> list[Fault]:
    """Return a fault per row."""
    return find_faults(frame, [Check(pl.lit(True), found, expected)])


def quote_column(column: str) -> pl.Expr:
    """Return the text of a column as faults show it."""
    return pl.col(column).fill_null("").map_elements(quote, return_dtype=pl.String)


def format_quoted(text: str, *columns: str) -> pl.Expr:
    """Return a sentence with the quoted text of these columns in the place of {}."""
    return pl.format(text, *map(quote_column, columns))


def require(column: str) -> Check:
    """Return the check that a column is filled."""
    return Check(pl.col(column).is_null(), pl.lit(f"no {column}"), f"a {column} on every line")


def is_increasing(frame: pl.DataFrame, keys: list[str]) -> bool:
    """Return whether rows are sorted by the keys, and no two have the same keys."""
    before = {name: pl.col(f"before {name}") for name in keys}
    shifted = [pl.col(name).shift(1).alias(f"before {name}") for name in keys]
    pairs = frame.lazy().select(*keys, *shifted).slice(1)  # the first row has no row before it
    # Most rows have a later question of the same run as the row before; comparing all keys takes
    # twice as long.
    same, later = keys[:-1][:1], keys[:2][-1]
    goes_on = pl.all_horizontal(
        pl.col(later) > before[later], *(pl.col(name) == before[name] for name in same)
    )
    after = pl.lit(False)
    for name in reversed(keys):
        first_given = before[name].is_null() & pl.col(name).is_not_null()  # nulls come first
        after = (pl.col(name) > before[name]).fill_null(first_given) | (
            pl.col(name).eq_missing(before[name]) & after
        )
    return pairs.filter(~goes_on.fill_null(False)).select(after.all()).collect().item()


def find_duplicates(
    frame: pl.DataFrame, key: list[str], what: str, remark: str = ""
) -> list[Fault]:
    """Return a fault at each row of a file that repeats the key of an earlier row."""
    if tables.count_distinct(frame, ["file", *key]) == frame.height:
        return []
    rows = locate_first(frame, ["file", *key])
    of_run = format_quoted(" of {}", "run") if "run" in key else pl.lit("")
    found = format_quoted(f"a second {what} for question {{}}", "question")
    expected = pl.format("one only; the first{} is on {}{}", of_run, "first", pl.lit(remark))
    again = ~pl.struct("file", *key).is_first_distinct()
    return find_faults(rows, [Check(again, found, expected)])


def locate_first(frame: pl.DataFrame, key: list[str]) -> pl.DataFrame:
    """Return the sorted rows with the place of the `first` row with the same key, in words."""
    rows = frame.sort("file", "line", maintain_order=True)
    file, line = pl.col("file").first().over(key), pl.col("line").first().over(key)
    on_line = pl.format("line {}", line)
    elsewhere = pl.format("{} of {}", on_line, file.cast(pl.String))
    return rows.with_columns(
        first=pl.when(file == pl.col("file")).then(on_line).otherwise(elsewhere)
    )


def find_differing(
    frame: pl.DataFrame, value: str, key: list[str], found: pl.Expr, expected: str, remark: str = ""
) -> list[Fault]:
    """Return a fault at each row whose `value` differs from that of the first row with the same
    key; {} in `expected` is its place, and the remark follows it within one file."""
    rows = frame.sort("file", "line", maintain_order=True)
    differs = (pl.col(value) != pl.col(value).first().over(key)).fill_null(False)
    if not rows.select(differs.any()).item():
        return []
    within = pl.col("file") == pl.col("file").first().over(key)
    more = pl.when(within).then(pl.lit(remark)).otherwise(pl.lit(""))
    expected_there = pl.concat_str(pl.format(expected, "first"), more)
    return find_faults(locate_first(rows, key), [Check(differs, found, expected_there)])


def check_names(
    frame: pl.DataFrame, column: str, what: str, reserved: tuple[str, ...] = ()
) -> list[Fault]:
    """Return a fault at the first row of each file with a name that is not fit."""
    # Rows are mostly one run after the other
    change = pl.any_horizontal(
        pl.col(name).ne_missing(pl.col(name).shift(1)) for name in (column, "file")
    )
    named = frame.lazy().filter(change).unique(["file", column], keep="first", maintain_order=True)
    unsafe = ~pl.col(column).cast(pl.String).str.contains(NAME) | pl.col(column).is_in(reserved)
    expected = NAMED + (f", and not {' or '.join(reserved)}" if reserved else "")
    return find_faults(
        named.collect(), [Check(unsafe, format_quoted(f"the {what} {{}}", column), expected)]
    )


def check_responses(frame: pl.DataFrame, task: str) -> list[Fault]:
    """Return faults of single responses: values, decisions, ranks, and names of runs."""
    record = tasks.get(task)
    checks = [require("question")]
    for name, wrong, expected in (
        # NaN is not between
        ("confidence", ~pl.col("confidence").is_between(0, 1), "a number from 0 to 1"),
        ("score", ~pl.col("score").is_finite(), "a finite number"),
        ("epoch", pl.col("epoch") < 0, "0 or more"),
        ("rank", pl.col("rank") < 1, "1 or more"),
        ("position", pl.col("position") < 1, "1 or more"),
    ):
        there = pl.lit(name in ALWAYS_FILLED) | pl.col(name).is_not_null()
        checks.append(Check(there & wrong, pl.format(f"the {name} {{}}", name), expected))
    if record.pairs:
        unknown = pl.col("answered") & ~pl.col("answer").is_in(DECISIONS)
        known = f"one of {', '.join(DECISIONS)}"
        checks.append(Check(unknown, format_quoted("the decision {}", "answer"), known))
        selected = (pl.col("answer") == "SELECTED").fill_null(False)  # null: the pair was left open
        again = selected & (selected.cum_sum().over("file", "run", "question", order_by="line") > 1)
        found = format_quoted("a second SELECTED for question {}", "question")
        checks.append(Check(again, found, "one at most"))
    # The verdict is on rank 1: without it, the other ranks would be ignored
    if (frame["rank"] > 1).any():
        key = ["file", "run", "question", "epoch"]
        no_first = (pl.col("rank").min().over(key) > 1) & pl.struct(key).is_first_distinct()
        found = format_quoted("no answer of rank 1 to question {}", "question")
        checks.append(Check(no_first, found, "ranks from 1"))
    return check_names(frame, "run", "run name", record.trivial) + find_faults(frame, checks)


def check_judgments(frame: pl.DataFrame, labels: list[str]) -> list[Fault]:
    """Return faults of labels and of names of assessors, and of judgments without a question."""
    found, expected = format_quoted("the label {}", "label"), f"one of {', '.join(labels)}"
    checks = [require("question"), Check(~pl.col("label").is_in(labels), found, expected)]
    return check_names(frame, "assessor", "assessor") + find_faults(frame, checks)


def check_filled(frame: pl.DataFrame) -> list[Fault]:
    """Return faults of judgments that leave empty what others fill, or all."""
    named = [name for name in ("run", "document", "answer") if frame[name].is_not_null().any()]
    if not named:
        found = pl.lit("judgments that name neither a run nor a document nor an answer")
        expected = "one of them, or each would be of all answers to its question"
        return list_faults(frame.select("file", line=0).unique(), found, expected)
    checks = []
    for name in named:
        lacking = f"a judgment of question {{}} without a{'n' * (name == 'answer')} {name}"
        expected = "one in each judgment of the campaign, or in none"
        checks.append(Check(pl.col(name).is_null(), format_quoted(lacking, "question"), expected))
    return find_faults(frame, checks)


def find_contradictions(frame: pl.DataFrame, remark: str) -> list[Fault]:
    """Return faults of judgments that contradict an earlier one of the same assessor and answer, in
    the same file or another.

    The remark is added to faults within one file.
    """
    found = format_quoted("the label {} for an answer that has another on an earlier line", "label")
    expected = "one judgment for an answer and assessor; the first is on {}"
    return find_differing(frame, "label", tables.JUDGMENTS_KEY, found, expected, remark)


def find_disagreements(
    frame: pl.DataFrame, what: str, value: pl.Expr, of: list[str], where: str = "for all runs"
) -> list[Fault]:
    """Return a fault at each row whose `value` differs from the first with the same `of`."""
    given = frame.with_columns(said=value).drop_nulls("said")
    found = format_quoted(f"another {what} of question {{}} than on an earlier line", "question")
    return find_differing(given, "said", of, found, f"the same {where}; the first is on {{}}")


def check_graded(frame: pl.DataFrame, task: str, remark: str) -> list[Fault]:
    """Return faults of graded responses: repeated verdicts, contradictions, and the rest."""
    faults = find_duplicates(frame, tables.GRADED_KEY, "verdict", remark)
    for what, value, of in SHARED_VALUES:
        faults += find_disagreements(frame, what, value, of)
    one = frame
    if faults or frame["assessor"].n_unique() > 1:  # else no response is there twice
        one = frame.filter(pl.col("assessor") == pl.col("assessor").first())
        key = ["file", *tables.GRADED_KEY[1:]]
        one = one.unique(key, keep="first", maintain_order=True)
    if (one["rank"] > 1).any():
        of = ["file", *(name for name in tables.GRADED_KEY if name != "rank")]
        what, asked = "state (asked or never asked)", pl.col("missing")
        faults += find_disagreements(one, what, asked, of, "at all ranks")
    of_file = {name: one.schema[name] for name in ("file", "line")}
    responses = tables.complete(one, tables.RESPONSES | of_file)
    faults += find_duplicates(responses, list(tasks.get(task).key), "response", remark)
    return faults + check_responses(responses.with_columns(answered=pl.lit(False)), task)
