"""Write every response of a campaign with its state, and why it has it, for other programs."""

from pathlib import Path

from nonresponse import commands
from nonresponse.settings import Settings

OPTIONS = {
    "output": {"type": Path, "help": "the Parquet file to write; the one of JSON lines goes beside it"},
    "verdicts": {"type": Path, "help": "the verdict store"},
    "given": {"type": commands.from_json, "help": "the files of texts or responses, ruled and imports, a JSON object"},
    "settings": {"type": commands.from_json, "help": "official, if there are several assessors, and field, as JSON"},
}


def main(task: str, output: Path, verdicts: Path, given: dict[str, list[str]], settings: Settings) -> None:
    from nonresponse import tasks
    from nonresponse.judging.responses import write

    files = {name: [Path(path) for path in paths] for name, paths in given.items()}
    pairs = tasks.get(task).pairs
    write(output.parent, verdicts, files, settings.get("official"), settings["field"], pairs)


if __name__ == "__main__":
    commands.run(__doc__, [main], OPTIONS)
