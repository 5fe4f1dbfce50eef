"""Responses and judgments, or graded responses, into verdicts."""

import json
from pathlib import Path

from nonresponse import commands

OPTIONS = {
    "shards": {"type": commands.from_json, "help": "the numbers of the shards, a JSON list"},
    "shard": {"type": int, "help": "the number of one of them"},
    "output": {"type": Path, "help": "the file to write: of `sharing` JSON, else Parquet"},
    "graded": {"action": "store_true", "help": "the responses come graded"},
    "judging": {"type": commands.from_json, "help": "how responses are judged, as judge.Judging has it, a JSON object"},
    "known": {"type": Path, "help": "what `known` wrote; left out where there is one shard"},
    "further": {"action": "store_true", "help": "the trivial runs are those of another shard"},
}


def known(task: str, folder: Path, shards: list[int], output: Path, judging: dict, graded: bool = False) -> None:
    """What the verdicts of a shard need to know of all shards together."""
    from nonresponse.judge import source_tables, write_known

    write_known(task, source_tables(folder, shards, graded), output, **judging)


def sharing(folder: Path, shards: list[int], output: Path, graded: bool = False) -> None:
    """By shard, the shards that have responses of the same runs."""
    from nonresponse import judge, tables

    tables.write_text(json.dumps(judge.sharing(judge.source_tables(folder, shards, graded))), output)


def shard(
    task: str,
    folder: Path,
    shard: int,
    shards: list[int],
    output: Path,
    judging: dict,
    graded: bool = False,
    known: Path | None = None,
    further: bool = False,
) -> None:
    """The verdicts on the runs of a shard; `shards` are those that have the same runs."""
    from nonresponse.judge import source_tables, write_verdicts

    of_all = {"known_of_all": [known]} if known else {}
    sources = source_tables(folder, shards, graded) | of_all
    write_verdicts(task, sources, output, shard, trivial=not further, **judging)


def export(files: list[Path], output: Path) -> None:
    """All verdicts in one file, sorted, with all that follows from them."""
    from nonresponse import tables
    from nonresponse.database import all_verdicts, copy

    copy(*all_verdicts(tables.cleared_folder(files)), output)


if __name__ == "__main__":
    commands.run(__doc__, [known, sharing, shard, export], OPTIONS)
