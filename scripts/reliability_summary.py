"""The tables of an analysis that are of a whole campaign, such as those with a row per measure."""

from pathlib import Path

from nonresponse import commands

OPTIONS = {
    "analysis": {"help": "such as swap"},
    "task": {"help": "a task, such as qa"},
    "settings": {"type": commands.from_json, "help": "those that it reads, a JSON object"},
    "files": {"nargs": "*", "type": Path, "help": "the tables to summarise"},
    "published": {"nargs": "*", "type": Path, "help": "published tables to set beside"},
    "output": {"nargs": "+", "type": Path, "help": "the CSV files to write"},
}


def main(
    analysis: str,
    task: str,
    settings: dict,
    files: list[Path],
    output: list[Path],
    published: tuple[Path, ...] = (),
) -> None:
    from nonresponse import tables
    from nonresponse.reliability import analyses

    summary = analyses.get(analysis).summary
    assert summary, f"{analysis} makes no tables of a whole campaign"
    for table, path in zip(summary.make(files, task, settings, published), output, strict=True):
        tables.write_text(table.write_csv(), path)


if __name__ == "__main__":
    commands.run(__doc__, [main], OPTIONS)
