"""The analyses of one measure: their tables, or what one block of the trials of one counts."""

from collections.abc import Sequence
from pathlib import Path

from nonresponse import commands

OPTIONS = {
    "analysis": {"help": "such as stability"},
    "analyses": {"nargs": "+", "help": "such as stability swap"},
    "campaign": {"help": "its name, which the random draws follow from"},
    "task": {"help": "a task, such as qa"},
    "measure": {"help": "its id, such as c@1"},
    "file": {"type": Path, "help": "what every run made of every question, as the measure sees it, .npz"},
    "clusters": {"nargs": "*", "type": Path, "help": "questions.parquet, where questions come in clusters"},
    "settings": {"type": commands.from_json, "help": "those that the analyses read, a JSON object"},
    "counted": {
        "nargs": "*",
        "type": Path,
        "help": "what all blocks of the only analysis counted; counted here if left out",
    },
    "tables": {"nargs": "+", "type": Path, "help": "the Parquet files to write"},
    "block": {"type": int, "help": "which one, from 0"},
    "blocks": {"type": int, "help": "of so many"},
    "output": {"type": Path, "help": "the .npz file to write"},
}


def measure(
    analyses: list[str],
    campaign: str,
    task: str,
    measure: str,
    file: Path,
    clusters: list[Path],
    settings: dict,
    tables: list[Path],
    counted: Sequence[Path] = (),
) -> None:
    """The tables of its analyses."""
    from nonresponse.reliability import jobs, subsets
    from nonresponse.reliability.clusters import clusters_in
    from nonresponse.reliability.outcome_files import read_outcomes
    from nonresponse.tables import write

    seen, assessor = read_outcomes(file, task, measure, clusters_in(clusters))
    try:
        made = [
            table
            for analysis in analyses
            for table in jobs.make_tables(analysis, seen, assessor, campaign, settings, counted)
        ]
    except subsets.SizeError as error:
        raise SystemExit(f"campaigns.{campaign}: {error}") from None
    for table, path in zip(made, tables, strict=True):
        write(table, path)


def block(
    analysis: str,
    campaign: str,
    task: str,
    measure: str,
    file: Path,
    clusters: list[Path],
    settings: dict,
    block: int,
    blocks: int,
    output: Path,
) -> None:
    """What a block of its trials counts, for `measure --counted`."""
    from nonresponse.reliability import jobs, subsets
    from nonresponse.reliability.clusters import clusters_in
    from nonresponse.reliability.outcome_files import read_outcomes, write_arrays

    seen, _ = read_outcomes(file, task, measure, clusters_in(clusters))
    try:
        write_arrays(jobs.counted(analysis, seen, campaign, settings, block, blocks), output)
    except subsets.SizeError as error:
        raise SystemExit(f"campaigns.{campaign}: {error}") from None


if __name__ == "__main__":
    commands.run(__doc__, [measure, block], OPTIONS)
