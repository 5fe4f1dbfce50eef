"""Frames of verdicts as a caller gives them: checked, with what they leave out, as a verdict
store."""

from typing import Any

import numpy as np
import polars as pl

from nonresponse import tasks
from nonresponse.faults import printable
from nonresponse.front import RefusedError
from nonresponse.judging.store import KEY, Verdicts, of_rows
from nonresponse.tables import OFFICIAL
from nonresponse.wording import joined, listed, plural

WORDS = (*tasks.VERDICTS, tasks.NOT_ASKED)
NEEDED = ("run", "question", "verdict")
DEFAULTS = {
    "assessor": pl.lit(OFFICIAL),
    "candidate": pl.lit(None, pl.String),
    "category": pl.lit(None, pl.String),
    "missing": pl.lit(False),
    # What all runs were asked
    "compared": (pl.col("verdict") != tasks.NOT_ASKED).all().over("question"),
    "epoch": pl.lit(0, pl.Int32),
    "rightful": pl.lit(False),
}


def as_store(frame: Any, task: str) -> Verdicts:
    """Return the verdicts of a frame, whose rows may be in any order.

    RefusedError where it is no frame of Polars, lacks NEEDED, has other words, no rows, or several
    rows for one response.
    """
    if not isinstance(frame, pl.DataFrame):
        advice = "give a pl.DataFrame, such as frame.collect() or pl.from_pandas(frame)"
        raise RefusedError(f"The verdicts are of type {type(frame).__name__}: {advice}")
    if task not in tasks.NAMES:
        raise RefusedError(f"There is no task {task!r}; there are {joined([*tasks.NAMES])}")
    if lacking := [name for name in NEEDED if name not in frame.columns]:
        raise RefusedError(
            f"The verdicts lack the column{'s' * (len(lacking) > 1)} {listed(lacking)}"
        )
    if frame.is_empty():
        raise RefusedError("There are no verdicts: give a frame with rows")
    # Categories may have an order of their own.
    frame = frame.with_columns((pl.selectors.categorical() | pl.selectors.enum()).cast(pl.String))
    other = frame.filter(~pl.col("verdict").is_in(WORDS).fill_null(False))
    if not other.is_empty():
        text = f"The verdict {about(other)} is {other['verdict'][0]!r}"
        raise RefusedError(printable(f"{text}: give one of {joined([*WORDS], 'or')}"))
    columns = tasks.get(task).columns
    more = {
        name: value
        for name, value in DEFAULTS.items()
        if name in columns and name not in frame.columns
    }
    frame = frame.with_columns(value.alias(name) for name, value in more.items())
    store = of_rows(frame, task)
    if int(np.count_nonzero(store.codes)) < frame.height:
        key = [name for name in KEY if name in frame.columns]
        repeated = frame.filter(pl.struct(key).is_duplicated()).sort(key)
        raise RefusedError(
            printable(f"There are several rows {about(repeated)}: keep one for each {joined(key)}")
        )
    return store


def check_complete(store: Verdicts, runs: list[str] | None = None) -> None:
    """Refuse a store in which a run has no row for what another run has one for: was it not asked,
    or left out?"""
    chosen = [store.runs.index(run) for run in runs] if runs else [*range(len(store.runs))]
    for codes in store.codes[:, chosen]:
        there = codes != 0
        gaps = there.any(axis=0) & ~there & there.any(axis=1, keepdims=True)
        if gaps.any():
            run, item = np.argwhere(gaps)[0]
            where = (
                f"of run {store.runs[chosen[run]]!r} on question "
                f"{store.items['question'][int(item)]!r}"
            )
            many = (
                f"There is no row {where}, as other runs have one "
                f"({plural(int(gaps.sum()), 'such gap')})"
            )
            advice = (
                "read all files together; leave questions out of all runs; or keep such "
                "rows, with the verdict"
            )
            raise RefusedError(printable(f"{many}: {advice} {tasks.NOT_ASKED!r}"))


def about(rows: pl.DataFrame) -> str:
    """Return which response the first of some rows is about."""
    run, question = rows.select("run", "question").row(0)
    return f"of run {run!r} on question {question!r}"
