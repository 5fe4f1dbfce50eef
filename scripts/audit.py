"""The answers whose state a rule on their text decided, beside what they would be without it."""

from pathlib import Path

from nonresponse import commands

OPTIONS = {
    "task": {"help": "a task, such as qa"},
    "folder": {"type": Path, "help": "the campaign's results"},
    "shards": {"type": commands.from_json, "help": "the numbers of the shards, a JSON list"},
    "rules": {"type": commands.from_json, "help": "correct, partial and closed, a JSON object"},
    "official": {"type": commands.from_json, "help": "the official assessor, JSON; null for the only one"},
    "graded": {"action": "store_true", "help": "the responses come graded"},
    "output": {"type": Path, "help": "the CSV file to write"},
}


def main(
    task: str, folder: Path, shards: list[int], rules: dict, official: str | None, output: Path, graded: bool = False
) -> None:
    from nonresponse import tables
    from nonresponse.judge import source_tables
    from nonresponse.judge.audit import audit

    ruled = [folder / "ruled" / f"{part}.parquet" for part in shards]
    decided = audit(task, source_tables(folder, shards, graded), ruled, official, **rules)
    tables.write_text(tables.harmless(decided).write_csv(), output)


if __name__ == "__main__":
    commands.run(__doc__, [main], OPTIONS)
