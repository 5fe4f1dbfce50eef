"""Verdicts into counts, by run, by category and for the bounds by policy variant; and into outcomes by question."""

from pathlib import Path

from nonresponse import commands

OPTIONS = {
    "file": {"type": Path, "help": "the table of counts, Parquet"},
    "output": {"type": Path, "help": "the Parquet file of counts by run to write"},
    "categories": {"type": Path, "help": "the same by run and category"},
    "bounds": {"type": Path, "help": "the same by run and policy variant"},
    "official": {"type": commands.from_json, "help": "the official assessor, JSON; null for the only one"},
    "measures": {"type": commands.from_json, "help": "whose outcomes are written, a JSON list of ids"},
    "outcomes": {"type": Path, "help": "the folder for these, a file for each measure"},
}


def verdicts(
    files: list[Path],
    task: str,
    policy: dict,
    output: Path,
    categories: Path,
    bounds: Path,
    official: str | None,
    measures: list[str],
    outcomes: Path,
) -> None:
    """Count the verdicts of a campaign, and write the outcome of every run on every question."""
    from nonresponse import tables
    from nonresponse.scoring.tally import tally

    tables.emptied(outcomes)
    folder = tables.cleared_folder(files)
    if measures:
        from nonresponse.reliability import outcome_files

        outcome_files.write_outcomes(folder, task, measures, policy, official, outcomes)

    for frame, path in zip(tally(folder, task, policy), (output, categories, bounds), strict=True):
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
