"""Renames runs as `names:` says (`original` keeps the file's own name)."""

import polars as pl

from nonresponse.faults import Fault, listed, shown
from nonresponse.formats import Read
from nonresponse.formats.text import stem
from nonresponse.ingest.row_checks import fault_on_each, said_of


def under(read: Read, names: dict[str, str], of_runs: bool = True) -> Read:
    """Return a reader that renames runs; with `of_runs`, a run that its file does not name is first
    given the file's stem."""

    def renamed(file: str) -> tuple[pl.DataFrame, list[Fault]]:
        frame, faults = read(file)
        if of_runs and frame.columns and "run" not in frame.columns:
            frame = frame.with_columns(run=pl.lit(stem(file)))
        if "run" not in frame.columns:
            return frame, faults
        return frame.with_columns(new(names), original="run"), faults

    return renamed if names else read


def new(names: dict[str, str]) -> pl.Expr:
    return pl.col("run").cast(pl.String).replace(names)


def unknown_names(names: dict[str, str], source: str | None, runs: list[str]) -> list[Fault]:
    """Return faults of runs in `names` that the campaign lacks; a table of names (`source`) needs
    only one of its runs."""
    there, expected = {*runs}, f"run of the campaign, as its files name it: {listed(runs)}"
    if source is None:
        missing = [run for run in names if run not in there]
        return [
            Fault("config.yaml", 0, f"the run {shown(run)} in names", f"a {expected}")
            for run in missing
        ]
    if not names or {*names} & there:
        return []
    return [Fault(source, 0, "none of the runs", f"a row for some {expected}")]


def collisions(runs: pl.DataFrame) -> list[Fault]:
    """Return a fault on line 0 for each run renamed to what another run is called. Columns of
    `runs`: run, original, file."""
    first = pl.col("original").first().over("run")
    ordered = runs.drop_nulls("run").sort("run", "file").with_columns(first=first, line=0)
    later = ordered.filter(pl.col("original") != pl.col("first"))
    later = later.unique(["run", "original"], maintain_order=True)
    found = said_of("the run {} as {}, which {} is, too", "original", "run", "first")
    return fault_on_each(later, found, "a name for each")
