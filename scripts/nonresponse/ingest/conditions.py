"""Conditions that no row may meet, and the faults of those that do."""

from typing import NamedTuple

import polars as pl

from nonresponse.faults import Fault, shown
from nonresponse.tables import NAME, NAMED


class Check(NamedTuple):
    """Something that can be wrong with a row: the condition, what was found, what was expected.

    A null does not prove that a row is sound: it counts as wrong. Where a column may be empty, the check says so.
    """

    wrong: pl.Expr
    found: pl.Expr
    expected: str | pl.Expr


def faults_of(frame: pl.DataFrame, checks: list[Check]) -> list[Fault]:
    """A fault per row and check that fails; where none does, one pass over the rows is enough."""
    if frame.is_empty():
        return []
    wrong = [check.wrong.fill_null(True).alias(str(number)) for number, check in enumerate(checks)]
    failed = frame.select(condition.any() for condition in wrong).row(0)
    faults = []
    for check, condition, any_row in zip(checks, wrong, failed, strict=True):
        if any_row:
            expected = pl.lit(check.expected) if isinstance(check.expected, str) else check.expected
            place = pl.col("file").cast(pl.String), pl.col("line")
            rows = frame.filter(condition).select(*place, found=check.found, expected=expected).rows()
            faults += [Fault(*row) for row in rows]
    return faults


def quoted(column: str) -> pl.Expr:
    """The texts of a column as a report shows them."""
    return pl.col(column).fill_null("").map_elements(shown, return_dtype=pl.String)


def present(column: str) -> Check:
    return Check(pl.col(column).is_null(), pl.lit(f"no {column}"), f"a {column} on every line")


def is_increasing(frame: pl.DataFrame, keys: list[str]) -> bool:
    """Whether each row comes after the one before it: the rows are sorted by the keys, and no two have the same."""
    before = {name: pl.col(f"before {name}") for name in keys}
    shifted = [pl.col(name).shift(1).alias(f"before {name}") for name in keys]
    pairs = frame.lazy().select(*keys, *shifted).slice(1)  # nothing comes before the first row
    # Most rows go on with the next question of the same run: to compare all keys takes twice as long.
    same, later = keys[:-1][:1], keys[:2][-1]
    goes_on = pl.all_horizontal(pl.col(later) > before[later], *(pl.col(name) == before[name] for name in same))
    after = pl.lit(False)
    for name in reversed(keys):
        after = (pl.col(name) > before[name]) | ((pl.col(name) == before[name]) & after)
    return pairs.filter(~goes_on.fill_null(False)).select(after.fill_null(False).all()).collect().item()


def duplicates(frame: pl.DataFrame, key: list[str], what: str, remark: str = "") -> list[Fault]:
    """A fault at the second and every later row of a file with the same key, which names the run and the first."""
    if is_increasing(frame, key) or is_increasing(frame, ["file", *key]):
        return []
    rows = with_first(frame, ["file", *key])
    again = ~pl.struct("file", *key).is_first_distinct()
    of_run = pl.format(" of {}", quoted("run")) if "run" in key else pl.lit("")
    found = pl.format(f"a second {what} for question {{}}", quoted("question"))
    expected = pl.format("one only; the first{} is on {}{}", of_run, "first", pl.lit(remark))
    return faults_of(rows, [Check(again, found, expected)])


def with_first(frame: pl.DataFrame, key: list[str]) -> pl.DataFrame:
    """The rows in the order of files and lines, with the place of the `first` that has the same key, in words."""
    rows = frame.sort("file", "line", maintain_order=True)
    file, line = pl.col("file").first().over(key), pl.col("line").first().over(key)
    place = pl.format("line {}", line)
    elsewhere = pl.format("{} of {}", place, file.cast(pl.String))
    return rows.with_columns(first=pl.when(file == pl.col("file")).then(place).otherwise(elsewhere))


def faults_of_names(frame: pl.DataFrame, column: str, what: str, reserved: tuple[str, ...] = ()) -> list[Fault]:
    """Names that cannot be shown, or are ours, at the first row of each file and name."""
    change = (pl.col(column).ne_missing(pl.col(column).shift(1))) | (pl.col("file") != pl.col("file").shift(1))
    changed = frame.lazy().filter(change.fill_null(True))  # rows are mostly one run after the other
    unsafe = ~pl.col(column).str.contains(NAME) | pl.col(column).is_in(reserved)
    expected = NAMED + (f", and not {' or '.join(reserved)}" if reserved else "")
    named = changed.unique(["file", column], keep="first", maintain_order=True).collect()
    return faults_of(named, [Check(unsafe, pl.format(f"the {what} {{}}", quoted(column)), expected)])
