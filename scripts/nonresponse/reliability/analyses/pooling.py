"""What each run owes to the right answers that only it brought into the pool."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nonresponse.reliability.analyses import Analysis, Summary

if TYPE_CHECKING:
    from pathlib import Path

    import polars as pl


def summarise(files: list[Path], task: str, settings: dict, published: list[Path]) -> list[pl.DataFrame]:
    """The table of pooling.table; empty where the answers were not pooled, for which there are no files."""
    from nonresponse import tables
    from nonresponse.reliability import pooling

    if not files:
        return [tables.empty(pooling.POOLING)]
    questions, judgments, *responses = files
    return [pooling.table(questions, judgments, responses, task, settings)]


ANALYSIS = Analysis(
    "pooling",
    summary=Summary(
        rule="pooling",
        tables={"pooling": "pooling.POOLING"},
        reads=("pool",),
        settings=("measures", "official", "correct", "partial", "pooled", "policy", "vote", "missing", "compare_on"),
        make=summarise,
    ),
)
