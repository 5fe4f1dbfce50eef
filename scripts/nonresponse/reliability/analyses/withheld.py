"""Withheld candidates: how often they are right, beside what c@1 and its rivals take them for."""

from pathlib import Path

import polars as pl

from nonresponse import tables
from nonresponse.reliability import withheld


def summarise(files: list[Path], task: str, settings: dict, published: list[Path]) -> list[pl.DataFrame]:
    """The rates by run, and a summary by estimate, under the official judgments; the file is counts.parquet."""
    counts = pl.read_parquet(files[0])
    of_official = counts.filter(pl.col("assessor") == tables.official(settings.get("official"), counts))
    runs = withheld.by_run(of_official)
    return [runs, withheld.summary(of_official, runs)]
