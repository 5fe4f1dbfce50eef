"""How much of a score hangs on the questions, and how much on who judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nonresponse.reliability.analyses import Analysis, Summary

if TYPE_CHECKING:
    from pathlib import Path

    import polars as pl


def summarise(files: list[Path], task: str, settings: dict, published: list[Path]) -> list[pl.DataFrame]:
    """The table of generalizability.table, from the verdicts and, where these come in clusters, the questions."""
    from nonresponse.reliability import generalizability

    verdicts, *clusters = files
    return [generalizability.table(verdicts, clusters, task, settings)]


ANALYSIS = Analysis(
    "generalizability",
    summary=Summary(
        rule="generalizability",
        tables={"generalizability": "generalizability.GENERALIZABILITY"},
        reads=("verdicts", "clusters"),
        settings=("measures", "official", "policy"),
        make=summarise,
    ),
)
