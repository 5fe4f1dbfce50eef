"""What is found out of a campaign from its scores and verdicts: the topics of nonresponse/topics."""

from importlib import import_module
from pathlib import Path

from nonresponse import commands

OPTIONS = {
    "topics": {"nargs": "+", "help": "the modules that make them, such as views"},
    "campaign": {"help": "its name"},
    "task": {"help": "a task, such as qa"},
    "folder": {"type": Path, "help": "the campaign's results, where they are written"},
    "told": {
        "type": commands.from_json,
        "help": "for each what it must know of the configuration, the tables that it is made of, and published ones to"
        " set beside: a JSON list of objects with settings, files and published",
    },
}


def main(topics: list[str], campaign: str, task: str, folder: Path, told: list[dict]) -> None:
    from nonresponse.pages.sections import Campaign

    for topic, of_topic in zip(topics, told, strict=True):
        files, published = ([*map(Path, of_topic[name])] for name in ("files", "published"))
        known = Campaign(campaign, task, folder, of_topic["settings"])
        import_module("nonresponse.topics." + topic).make(known, files, published)


if __name__ == "__main__":
    commands.run(__doc__, [main], OPTIONS)
