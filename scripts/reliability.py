"""The analyses of one measure: their tables, or the counts of one block of an analysis's trials."""

from collections.abc import Sequence
from pathlib import Path

from nonresponse import commands
from nonresponse.settings import Settings

OPTIONS = {
    "analyses": {"nargs": "+", "help": "such as stability swap"},
    "campaign": {"help": "its name, which the random draws follow from"},
    "measure": {"help": "its id, such as c@1"},
    "file": {"type": Path, "help": "the verdict store"},
    "clusters": {"nargs": "*", "type": Path, "help": "questions.parquet, where questions come in clusters"},
    "settings": {"type": commands.from_json, "help": "those that the analyses read, a JSON object"},
    "counted": {"nargs": "*", "type": Path, "help": "what all blocks counted; counted here if left out"},
    "tables": {"nargs": "+", "type": Path, "help": "the Parquet files to write"},
    "block": {"nargs": 2, "type": int, "help": "no tables, but this one of so many blocks, from 0, for --counted"},
    "output": {"type": Path, "help": "the .npz file to write for a block"},
}


def main(
    analyses: list[str],
    campaign: str,
    task: str,
    measure: str,
    file: Path,
    clusters: list[Path],
    settings: Settings,
    tables: Sequence[Path] = (),
    counted: Sequence[Path] = (),
    block: Sequence[int] = (),
    output: Path | None = None,
) -> None:
    from nonresponse.reliability import jobs, subsets
    from nonresponse.reliability.clusters import clusters_in
    from nonresponse.reliability.jobs import write_arrays
    from nonresponse.reliability.outcomes import read_outcomes
    from nonresponse.tables import write

    seen, assessor = read_outcomes(
        file, task, measure, settings["policy"], settings.get("official"), clusters_in(clusters)
    )
    try:
        if output:
            write_arrays(jobs.counted(analyses[0], seen, campaign, settings, *block), output)
            return
        of_each = (jobs.make_tables(analysis, seen, assessor, campaign, settings, counted) for analysis in analyses)
        made = [table for of_one in of_each for table in of_one]
    except subsets.SizeError as error:
        raise SystemExit(f"campaigns.{campaign}: {error}") from None
    for table, path in zip(made, tables, strict=True):
        write(table, path)


if __name__ == "__main__":
    commands.run(__doc__, [main], OPTIONS)
