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
    expected: str


def faults_of(frame: pl.DataFrame, checks: list[Check]) -> list[Fault]:
    """A fault per row and check that fails; where none does, one pass over the rows is enough."""
    wrong = [check.wrong.fill_null(True).alias(str(number)) for number, check in enumerate(checks)]
    failed = frame.select(condition.any() for condition in wrong).row(0)
    faults = []
    for check, condition, any_row in zip(checks, wrong, failed, strict=True):
        if any_row:
            rows = frame.filter(condition).select(pl.col("file").cast(pl.String), "line", check.found.alias("found"))
            faults += [Fault(file, line, found, check.expected) for file, line, found in rows.rows()]
    return faults


def if_given(column: str, wrong: pl.Expr) -> pl.Expr:
    """A condition on a column that may be empty."""
    return pl.col(column).is_not_null() & wrong


def quoted(column: str) -> pl.Expr:
    """The texts of a column as a report shows them."""
    return pl.col(column).fill_null("").map_elements(shown, return_dtype=pl.String)


def present(column: str) -> Check:
    """A check that a column is not empty."""
    return Check(pl.col(column).is_null(), pl.lit(f"no {column}"), f"a {column} on every line")


def name_check(column: str, what: str, reserved: tuple[str, ...] = ()) -> Check:
    """A check that a name is text that can be shown, and is not one of ours."""
    unsafe = ~pl.col(column).str.contains(NAME) | pl.col(column).is_in(reserved)
    expected = NAMED + (f", and not {' or '.join(reserved)}" if reserved else "")
    return Check(unsafe, pl.format(f"the {what} {{}}", quoted(column)), expected)


def increasing(keys: list[str]) -> pl.Expr:
    """Whether each row comes after the one before it: the rows are sorted by the keys, and no two have the same."""
    after = pl.lit(False)
    for name in reversed(keys):
        value, before = pl.col(name), pl.col(name).shift(1)
        after = (value > before) | ((value == before) & after)
    return after.slice(1).fill_null(False).all()  # nothing comes before the first row


def duplicates(frame: pl.DataFrame, key: list[str], what: str) -> list[Fault]:
    """A fault at the second and every later row of a file with the same key."""
    if frame.select(increasing(key)).item() or frame.select(increasing(["file", *key])).item():
        return []
    rows = frame.sort("file", "line", maintain_order=True)
    again = ~pl.struct("file", *key).is_first_distinct()
    return faults_of(
        rows, [Check(again, pl.format(f"a second {what} for question {{}}", quoted("question")), "one only")]
    )


def first_rows(frame: pl.DataFrame, name: str) -> pl.DataFrame:
    """The first row of each file and name, from rows that are mostly one run after the other."""
    change = (pl.col(name).ne_missing(pl.col(name).shift(1))) | (pl.col("file") != pl.col("file").shift(1))
    return frame.filter(change.fill_null(True)).unique(["file", name], keep="first", maintain_order=True)
