"""Renames runs as `names:` says; the column `original` keeps the name in the file."""

import polars as pl

from nonresponse.faults import Fault, quote, quote_names
from nonresponse.ingest.row_checks import format_quoted, list_faults


def rename_runs(frame: pl.DataFrame, names: dict[str, str]) -> pl.DataFrame:
    """Return the rows with the new names of runs, and `original`; as they are without names."""
    if not names or "run" not in frame.columns:
        return frame
    return frame.with_columns(pl.col("run").cast(pl.String).replace(names), original="run")


def find_unknown_names(names: dict[str, str], runs: list[str]) -> list[Fault]:
    """Return faults of runs in `names` that are unknown."""
    expected = f"a run of the campaign, as its files name it: {quote_names(runs)}"
    missing = [f"the run {quote(run)} in names" for run in names if run not in {*runs}]
    return [Fault("config.yaml", 0, found, expected) for found in missing]


def find_collisions(runs: pl.DataFrame) -> list[Fault]:
    """Return a fault for each run renamed to what another run is called."""
    rows = runs.drop_nulls("run").sort("run", "file")
    rows = rows.with_columns(first=pl.col("original").first().over("run"), line=0)
    later = rows.filter(pl.col("original") != pl.col("first"))
    later = later.unique(["run", "original"], maintain_order=True)
    found = format_quoted("the run {} as {}, which {} is, too", "original", "run", "first")
    return list_faults(later, found, "a name for each")
