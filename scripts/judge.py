"""Responses and judgments, or graded responses, into verdicts."""

from pathlib import Path

from nonresponse import commands

OPTIONS = {
    "shards": {"type": commands.from_json, "help": "the numbers of the shards, a JSON list"},
    "output": {"type": Path, "help": "the Parquet file of verdicts to write"},
    "graded": {"action": "store_true", "help": "the responses come graded"},
    "rules": {"type": commands.from_json, "help": "correct, partial, closed, pooled and vote, a JSON object"},
}


def main(task: str, folder: Path, shards: list[int], output: Path, rules: dict, graded: bool = False) -> None:
    from nonresponse.judge import source_tables, write_verdicts

    write_verdicts(task, source_tables(folder, shards, graded), output, **rules)


if __name__ == "__main__":
    commands.run(__doc__, [main], OPTIONS)
