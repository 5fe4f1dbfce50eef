"""The report of a campaign and of all together, and the summary."""

from pathlib import Path
from typing import Any

from nonresponse.stages.params import ReportParams, SummaryParams

TOP = 5  # rows of each leaderboard in the summary


def report_part(files: list[Path], *, part: Path, page: Path, params: ReportParams) -> None:
    """Write what the report says of a campaign, as JSON and as a page of its own, from its other results."""
    from nonresponse.pages.sections import Campaign
    from nonresponse.report import page as pages
    from nonresponse.report import part as parts
    from nonresponse.tables import write_text

    given = {name: [path for path in files if path.parent.name == name] for name in ("responses", "texts")}
    made = parts.part(Campaign(params.name, params.task, part.parent, params.settings() | given))
    write_text(parts.as_json(made) + "\n", part)
    write_text(pages.of_campaign(made), page)


def report(parts: list[Path], *, page: Path) -> None:
    """Write the page of all campaigns."""
    from nonresponse.report import page as pages
    from nonresponse.report import part
    from nonresponse.tables import write_text

    write_text(pages.of_all([part.read(path) for path in parts]), page)


def report_faults(campaigns: list[dict[str, Any]], *, page: Path, results: Path) -> None:
    """Write the page as far as it goes where files have faults: a card for each campaign, and the parts there are."""
    from nonresponse.faults import parts as parts_of
    from nonresponse.report import page as pages
    from nonresponse.report import part as parts
    from nonresponse.tables import write_text

    shown = []
    for campaign in campaigns:
        faults, part = (results / campaign["name"] / name for name in ("faults.txt", "report.json"))
        if faults.is_file():
            found = parts_of(faults.read_text(encoding="utf-8", errors="replace"))
            shown.append(parts.faulty(*found, **campaign))
        elif part.is_file():
            shown.append(parts.read(part))
        else:
            shown.append(parts.unfinished(**campaign))
    write_text(pages.of_all(shown), page)


def summary(files: list[Path], *, page: Path, results: Path, params: SummaryParams) -> None:
    """Write the first runs of every leaderboard on one page, in Markdown."""
    from nonresponse.pages import summary as module
    from nonresponse.tables import write_text

    write_text(module.page(results, params.campaigns, TOP), page)
