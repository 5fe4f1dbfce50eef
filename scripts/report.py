"""The report: a campaign's part of it, and the page that puts the parts together."""

import json
from pathlib import Path

from nonresponse import commands

OPTIONS = {
    "campaign": {"help": "its name"},
    "task": {"help": "a task, such as qa"},
    "folder": {"type": Path, "help": "the campaign's results"},
    "settings": {"type": json.loads, "help": "what the sections must know of the configuration, a JSON object"},
    "output": {"type": Path, "help": "the file to write"},
    "page": {"type": Path, "help": "the page of this campaign alone"},
    "parts": {"nargs": "+", "type": Path, "help": "the parts, in the order of the campaigns"},
    "fidelity": {"nargs": "*", "type": Path, "help": "fidelity.csv, where there is one"},
}


def part(campaign: str, task: str, folder: Path, settings: dict, output: Path, page: Path) -> None:
    """What the report says of a campaign, as JSON, and as a page of its own."""
    from nonresponse.pages.report import page as pages
    from nonresponse.pages.report import part as parts
    from nonresponse.pages.sections import Campaign
    from nonresponse.tables import write_text

    text = parts.as_json(parts.part(Campaign(campaign, task, folder, settings))) + "\n"
    write_text(text, output)
    write_text(pages.of_campaign(json.loads(text)), page)


def page(parts: list[Path], fidelity: list[Path], output: Path) -> None:
    """The page of all campaigns."""
    from nonresponse.pages.report import page as pages
    from nonresponse.tables import write_text

    write_text(pages.of_all([json.loads(path.read_text(encoding="utf-8")) for path in parts], fidelity), output)


if __name__ == "__main__":
    commands.run(__doc__, [part, page], OPTIONS)
