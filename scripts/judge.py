"""Responses and judgments, or graded responses, into verdicts."""

import json
from pathlib import Path

from nonresponse import commands

OPTIONS = {
    "task": {"help": "a task, such as qa"},
    "folder": {"type": Path, "help": "the campaign's results"},
    "shards": {"type": json.loads, "help": "the numbers of the shards, a JSON list"},
    "output": {"type": Path, "help": "the Parquet file of verdicts to write"},
    "graded": {"action": "store_true", "help": "the responses come graded"},
    "rules": {"type": json.loads, "help": "correct, partial, closed, pooled and vote, a JSON object"},
}


def main(task: str, folder: Path, shards: list[int], output: Path, rules: dict, graded: bool = False) -> None:
    from nonresponse.judge import write_verdicts

    tables = {"questions": [folder / "questions.parquet"]}
    if graded:
        tables["graded_responses"] = [folder / "graded" / f"{part}.parquet" for part in shards]
    else:
        tables["responses"] = [folder / "responses" / f"{part}.parquet" for part in shards]
        tables["judgments"] = [folder / "judgments.parquet"]
    write_verdicts(task, tables, output, **rules)


if __name__ == "__main__":
    commands.run(__doc__, [main], OPTIONS)
