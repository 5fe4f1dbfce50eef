"""Frames of verdicts as a caller gives them: checked, and in the order of `read`, which matrices of outcomes need."""

from typing import Any

import polars as pl

from nonresponse import tasks
from nonresponse.faults import printable
from nonresponse.front import Refused
from nonresponse.judging.store import KEY
from nonresponse.wording import joined, listed, plural

WORDS = (*tasks.VERDICTS, tasks.NOT_ASKED)


def as_read(verdicts: Any, task: str) -> pl.DataFrame:
    """The verdicts in the order of `read`.

    Refused where `read` would not return such: no frame of Polars, other columns or words, no rows, or several for one
    response.
    """
    if not isinstance(verdicts, pl.DataFrame):
        advice = "give a pl.DataFrame, such as frame.collect() or pl.from_pandas(frame)"
        raise Refused(f"The verdicts are of type {type(verdicts).__name__}: {advice}")
    if task not in tasks.NAMES:
        raise Refused(f"There is no task {task!r}; there are {joined([*tasks.NAMES])}")
    if lacking := [name for name in tasks.get(task).columns if name not in verdicts.columns]:
        advice = f"give a frame with all columns of read, and its task (here task={task!r})"
        raise Refused(f"The verdicts lack the column{'s' * (len(lacking) > 1)} {listed(lacking)}: {advice}")
    if verdicts.is_empty():
        raise Refused("There are no verdicts: give a frame with rows")
    # Categories may have an order of their own.
    verdicts = verdicts.with_columns((pl.selectors.categorical() | pl.selectors.enum()).cast(pl.String))
    other = verdicts.filter(~pl.col("verdict").is_in(WORDS).fill_null(False))
    if not other.is_empty():
        said = f"The verdict {about(other)} is {other['verdict'][0]!r}"
        raise Refused(printable(f"{said}: give one of {joined([*WORDS], 'or')}"))
    key = [name for name in KEY if name in verdicts.columns]
    repeated = verdicts.filter(pl.struct(key).is_duplicated())
    if not repeated.is_empty():
        raise Refused(printable(f"There are several rows {about(repeated)}: keep one for each {joined(key)}"))
    return verdicts.sort(key)


def check_complete(verdicts: pl.DataFrame) -> None:
    """Refused where a run has no row for what another run has one for: was it not asked, or is it to be left out?"""
    item = ["assessor", "question", "candidate"]
    every = verdicts.select("assessor", "run").unique().join(verdicts.select(item).unique(), on="assessor")
    gaps = every.join(verdicts, on=["run", *item], how="anti").sort("run", *item)
    if not gaps.is_empty():
        advice = "read all files together; leave questions out of all runs; or keep such rows, with the verdict"
        many = f"There is no row {about(gaps)}, as other runs have one ({plural(gaps.height, 'such gap')})"
        raise Refused(printable(f"{many}: {advice} {tasks.NOT_ASKED!r}"))


def about(rows: pl.DataFrame) -> str:
    """Which response the first of some rows is about."""
    run, question = rows.select("run", "question").row(0)
    return f"of run {run!r} on question {question!r}"
