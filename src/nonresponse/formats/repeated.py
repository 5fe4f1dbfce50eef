"""Rows of a file that are about the same response: which of them `duplicates:` keeps."""

import polars as pl

from nonresponse.settings import Files
from nonresponse.tables import DEFAULTS

KEPT = " (`duplicates: same` in config.yaml drops those that say the same; first and last keep one)"


RESPONSE = ["answer", "answered", "nil", "failed"]  # what is said of a response
GRADE = ["verdict", "missing", "positive"]  # and of a graded one
UNSCORED = {"verdict": "unscored", "missing": False, "positive": None}  # where rows contradict


def once(rows: pl.DataFrame, key: list[str], said: list[str], duplicates: str) -> pl.DataFrame:
    """Return the rows without those that `duplicates` drops: all but the `first` or `last` of each
    key within a file.

    `same` drops rows that say the same about the same key as an earlier one; `unscored` does so,
    too, and then replaces several rows of a key by one unscored row; `fault` drops none, and
    returns the rows as they are. Otherwise rows are in the order of their files, and `dropped` is
    the number of rows dropped in favour of each.
    """
    if duplicates == "fault":
        return rows

    def columns(*names: str) -> list[pl.Expr]:
        there = [name for name in names if name in rows.columns]
        return [pl.col(name).fill_null(pl.lit(DEFAULTS.get(name))) for name in there]

    own, places = columns("file", *key), [name for name in ("file", "line") if name in rows.columns]
    of = own + columns(*said) if duplicates in ("same", "unscored") else own
    last = duplicates == "last"
    kept = pl.struct(of).is_last_distinct() if last else pl.struct(of).is_first_distinct()
    rows = rows.sort(places, maintain_order=True).with_columns(dropped=pl.len().over(of) - 1)
    rows = rows.filter(kept)
    if duplicates != "unscored":
        return rows
    torn = pl.len().over(own) > 1
    values = {name: value for name, value in UNSCORED.items() if name in rows.columns}
    unscored = (
        pl.when(torn).then(pl.lit(value)).otherwise(name).alias(name)
        for name, value in values.items()
    )
    dropped = (pl.col("dropped") + 1).sum().over(own) - 1
    rows = rows.with_columns(*unscored, dropped=dropped)
    return rows.filter(pl.struct(own).is_first_distinct())


def wanted(options: Files) -> str:
    """Return the `duplicates:` to apply to a reader's rows: "fault" with a threshold, for which the
    reader has applied it."""
    return "fault" if "answer_from" in options else options.get("duplicates", "fault")


def remark(options: Files) -> str:
    """Return what a fault on duplicates adds: the option, where the format has it."""
    return KEPT if options["format"] == "tabular" else ""
