"""The analyses of one measure: their tables."""

from pathlib import Path

from nonresponse import commands
from nonresponse.settings import Settings

OPTIONS = {
    "analyses": {"nargs": "+", "help": "such as stability swap"},
    "campaign": {"help": "its name, which the random draws follow from"},
    "measure": {"help": "its id, such as c@1"},
    "file": {"type": Path, "help": "what every run made of every question, as the measure sees it, .npz"},
    "clusters": {"nargs": "*", "type": Path, "help": "questions.parquet, where questions come in clusters"},
    "settings": {"type": commands.from_json, "help": "those that the analyses read, a JSON object"},
    "tables": {"nargs": "+", "type": Path, "help": "the Parquet files to write"},
}


def main(
    analyses: list[str],
    campaign: str,
    task: str,
    measure: str,
    file: Path,
    clusters: list[Path],
    settings: Settings,
    tables: list[Path],
) -> None:
    from nonresponse.reliability import jobs, subsets
    from nonresponse.reliability.clusters import clusters_in
    from nonresponse.reliability.outcome_files import read_outcomes
    from nonresponse.tables import write

    seen, assessor = read_outcomes(file, task, measure, clusters_in(clusters))
    try:
        of_each = (jobs.make_tables(analysis, seen, assessor, campaign, settings) for analysis in analyses)
        made = [table for of_one in of_each for table in of_one]
    except subsets.SizeError as error:
        raise SystemExit(f"campaigns.{campaign}: {error}") from None
    for table, path in zip(made, tables, strict=True):
        write(table, path)


if __name__ == "__main__":
    commands.run(__doc__, [main], OPTIONS)
