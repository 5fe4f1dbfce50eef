"""How much of a score hangs on the questions, and how much on who judged."""

from pathlib import Path

import polars as pl

from nonresponse.reliability import generalizability


def summarise(files: list[Path], task: str, settings: dict, published: list[Path]) -> list[pl.DataFrame]:
    """The table of generalizability.table, from the verdicts and, where these come in clusters, the questions."""
    verdicts, *clusters = files
    return [generalizability.table(verdicts, clusters, task, settings)]
