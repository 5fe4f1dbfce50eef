"""The page on a campaign's reliability: figures, tables, and sentences on what the analyses found."""

from pathlib import Path

from nonresponse import commands

OPTIONS = {
    "campaign": {"help": "its name"},
    "task": {"help": "a task, such as qa"},
    "folder": {"type": Path, "help": "the campaign's results; the page is written here too"},
    "settings": {"type": commands.from_json, "help": "those that the page reads, a JSON object"},
}


def main(campaign: str, task: str, folder: Path, settings: dict) -> None:
    from nonresponse.pages import reliability as page
    from nonresponse.pages.sections import Campaign

    page.write(Campaign(campaign, task, folder, settings))


if __name__ == "__main__":
    commands.run(__doc__, [main], OPTIONS)
