"""What is found out from a campaign's scores and verdicts: the topics of nonresponse/topics."""

from importlib import import_module
from pathlib import Path

from nonresponse import commands
from nonresponse.settings import Settings

OPTIONS = {
    "topics": {"nargs": "+", "help": "the modules that make them, such as views"},
    "folder": {"type": Path, "help": "the campaign's results, where they are written"},
    "told": {"type": commands.from_json, "help": "pairs of what each must know, and the numbers of its files, JSON"},
    "files": {"nargs": "*", "type": Path, "help": "the tables that they are made of"},
}


def main(
    topics: list[str], campaign: str, task: str, folder: Path, told: list[tuple[Settings, list[int]]], files: list[Path]
) -> None:
    from nonresponse.pages.sections import Campaign

    for topic, (settings, read) in zip(topics, told, strict=True):
        known, own = Campaign(campaign, task, folder, settings), [files[number] for number in read]
        import_module("nonresponse.topics." + topic).make(known, own)


if __name__ == "__main__":
    commands.run(__doc__, [main], OPTIONS)
