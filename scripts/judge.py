"""Responses and judgments, or graded responses, into verdicts."""

from pathlib import Path

from nonresponse import commands

OPTIONS = {
    "shards": {"type": commands.from_json, "help": "the numbers of the shards of responses, a JSON list"},
    "output": {"type": Path, "help": "the verdict store to write; of `export` a Parquet file"},
    "graded": {"action": "store_true", "help": "the responses come graded"},
    "judging": {"type": commands.from_json, "help": "how responses are judged, as Judging has it, a JSON object"},
    "file": {"type": Path, "help": "the verdict store"},
}


def store(task: str, folder: Path, shards: list[int], output: Path, judging: dict, graded: bool = False) -> None:
    """The verdicts on all runs."""
    from nonresponse.judging import judge, source_tables

    judge(task, source_tables(folder, shards, graded), output, **judging)


def export(file: Path, output: Path) -> None:
    """All verdicts as a table, sorted, with names and with all that follows from them."""
    from nonresponse import tables
    from nonresponse.judging.store import read_verdicts

    tables.write(read_verdicts(file).rows(), output)


if __name__ == "__main__":
    commands.run(__doc__, [store, export], OPTIONS)
