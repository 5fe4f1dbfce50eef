"""What each run owes to the right answers that only it brought into the pool."""

from pathlib import Path

import polars as pl

from nonresponse import tables
from nonresponse.reliability import pooling


def summarise(files: list[Path], task: str, settings: dict, published: list[Path]) -> list[pl.DataFrame]:
    """The table of pooling.table; empty where the answers were not pooled, for which there are no files."""
    if not files:
        return [tables.empty(pooling.POOLING)]
    questions, judgments, *responses = files
    return [pooling.table(questions, judgments, responses, task, settings)]
