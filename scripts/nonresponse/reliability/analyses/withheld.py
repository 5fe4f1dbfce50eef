"""Withheld candidates: how often they are right, beside what c@1 and its rivals take them for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nonresponse.reliability.analyses import Analysis, Summary

if TYPE_CHECKING:
    from pathlib import Path

    import polars as pl


def summarise(files: list[Path], task: str, settings: dict, published: list[Path]) -> list[pl.DataFrame]:
    """The rates by run, and a summary by estimate, under the official judgments; the file is counts.parquet."""
    import polars as pl

    from nonresponse import tables
    from nonresponse.reliability import withheld

    counts = pl.read_parquet(files[0])
    of_official = counts.filter(pl.col("assessor") == tables.official(settings.get("official"), counts))
    runs = withheld.by_run(of_official)
    return [runs, withheld.summary(of_official, runs)]


ANALYSIS = Analysis(
    "withheld",
    summary=Summary(
        rule="withheld",
        tables={"withheld": "withheld.RUNS", "estimates": "withheld.SUMMARY"},
        reads=("counts",),
        settings=("official",),
        make=summarise,
        local=True,
    ),
    counts=("n_ur", "n_uw"),
)
