"""The report: a campaign's part of it, and the page that puts the parts together."""

import json
from pathlib import Path

from nonresponse import commands
from nonresponse.settings import Settings

OPTIONS = {
    "settings": {"type": commands.from_json, "help": "what the sections must know of the configuration, a JSON object"},
    "output": {"type": Path, "help": "the file to write"},
    "page": {"type": Path, "help": "the page of this campaign alone"},
    "campaigns": {"type": commands.from_json, "help": "name, task, title and simulated of each, a JSON list"},
    "parts": {"nargs": "+", "type": Path, "help": "the parts, in the order of the campaigns"},
    "fidelity": {"nargs": "*", "type": Path, "help": "fidelity.json, where there is one"},
}


def part(campaign: str, task: str, folder: Path, settings: Settings, output: Path, page: Path) -> None:
    """What the report says of a campaign, as JSON, and as a page of its own."""
    from nonresponse.pages.report import page as pages
    from nonresponse.pages.report import part as parts
    from nonresponse.pages.sections import Campaign
    from nonresponse.tables import write_text

    made = pages.with_article(parts.part(Campaign(campaign, task, folder, settings)))
    write_text(parts.as_json(made) + "\n", output)
    write_text(pages.of_campaign(made), page)


def page(parts: list[Path], fidelity: list[Path], output: Path) -> None:
    """The page of all campaigns."""
    from nonresponse.pages.report import page as pages
    from nonresponse.tables import write_text

    write_text(pages.of_all([json.loads(path.read_text(encoding="utf-8")) for path in parts], fidelity), output)


def faults(results: Path, campaigns: list[dict], output: Path) -> None:
    """The page as far as it goes where files have faults: a card for each campaign, and the parts there are."""
    from nonresponse.faults import parts as parts_of
    from nonresponse.pages.report import page as pages
    from nonresponse.pages.report import part as parts
    from nonresponse.tables import write_text

    shown = []
    for campaign in campaigns:
        report, part = (results / campaign["name"] / name for name in ("faults.txt", "report.json"))
        if report.is_file():
            said = parts_of(report.read_text(encoding="utf-8", errors="replace"))
            shown.append(parts.faulty(*said, **campaign))
        elif part.is_file():
            shown.append(json.loads(part.read_text(encoding="utf-8")))
        else:
            shown.append(parts.unfinished(**campaign))
    write_text(pages.of_all(shown, []), output)


if __name__ == "__main__":
    commands.run(__doc__, [part, page, faults], OPTIONS)
