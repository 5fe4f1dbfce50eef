"""Verdicts into counts, by run, by category and for the bounds by policy variant."""

import json
from pathlib import Path

from nonresponse import commands

OPTIONS = {
    "file": {"type": Path, "help": "the verdict store, or the table of counts, Parquet"},
    "output": {"type": Path, "help": "the Parquet file of counts by run to write"},
    "categories": {"type": Path, "help": "the same by run and category"},
    "bounds": {"type": Path, "help": "the same by run and policy variant"},
    "official": {"type": commands.from_json, "help": "the official assessor, JSON; null for the only one"},
    "measures": {"type": commands.from_json, "help": "that may be tested, a JSON list of ids"},
    "tested": {"type": Path, "help": "the JSON file for those by which some run has a score"},
}


def verdicts(
    file: Path,
    task: str,
    policy: dict,
    output: Path,
    categories: Path,
    bounds: Path,
    official: str | None,
    measures: list[str],
    tested: Path,
) -> None:
    """Count the verdicts of a campaign, and write which measures have scores to test."""
    from nonresponse import tables
    from nonresponse.scoring.tally import tally

    found: list[str] = []
    if measures:
        from nonresponse.reliability.outcomes import defined

        found = defined(file, task, measures, policy, official)
    tables.write_text(json.dumps(found), tested)
    for frame, path in zip(tally(file, task, policy), (output, categories, bounds), strict=True):
        tables.write(frame, path)


def published(file: Path, output: Path, categories: Path, bounds: Path) -> None:
    """Take published counts as they are, as those of the official assessor."""
    import polars as pl
    from nonresponse import tables
    from nonresponse.scoring.tally import from_table

    for frame, path in zip(from_table(pl.read_parquet(file)), (output, categories, bounds), strict=True):
        tables.write(frame, path)


if __name__ == "__main__":
    commands.run(__doc__, [verdicts, published], OPTIONS)
