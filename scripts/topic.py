"""What is found out of a campaign from its scores and verdicts: the topics of nonresponse/topics."""

from importlib import import_module
from pathlib import Path

from nonresponse import commands

OPTIONS = {
    "topic": {"help": "the module that makes it, such as views"},
    "campaign": {"help": "its name"},
    "task": {"help": "a task, such as qa"},
    "folder": {"type": Path, "help": "the campaign's results, where it is written"},
    "settings": {"type": commands.from_json, "help": "what it must know of the configuration, a JSON object"},
    "files": {"nargs": "*", "type": Path, "help": "the tables that it is made of"},
    "published": {"nargs": "*", "type": Path, "help": "published tables to set beside"},
}


def main(
    topic: str,
    campaign: str,
    task: str,
    folder: Path,
    settings: dict,
    files: list[Path],
    published: tuple[Path, ...] = (),
) -> None:
    from nonresponse.pages.sections import Campaign

    import_module("nonresponse.topics." + topic).make(Campaign(campaign, task, folder, settings), files, published)


if __name__ == "__main__":
    commands.run(__doc__, [main], OPTIONS)
