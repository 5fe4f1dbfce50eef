"""The report of a campaign, and of all together."""

from pathlib import Path
from typing import Any

from nonresponse.stages.params import ReportParams


def report_part(files: list[Path], *, part: Path, page: Path, params: ReportParams) -> None:
    """Write a campaign's part of the report, as JSON and as a page of its own."""
    from nonresponse.atomic import write_text
    from nonresponse.report import page as pages
    from nonresponse.report import part as parts
    from nonresponse.report.campaign import Campaign

    sources = {
        name: [path for path in files if path.parent.name == name]
        for name in ("responses", "texts")
    }
    content = parts.make_part(
        Campaign(params.name, params.task, part.parent, params.settings() | sources)
    )
    write_text(pages.dump_json(content) + "\n", part)
    write_text(pages.render_campaign(content), page)


def report(parts: list[Path], *, page: Path, summary: Path) -> None:
    """Write the page of all campaigns, and a summary of it in Markdown."""
    from nonresponse.atomic import write_text
    from nonresponse.report import page as pages

    campaigns = [pages.read_part(path) for path in parts]
    write_text(pages.render_all(campaigns), page)
    write_text(pages.render_summary(campaigns), summary)


def report_faults(campaigns: list[dict[str, Any]], *, page: Path, results: Path) -> None:
    """Write the page where files have faults: a card or part for each campaign."""
    from nonresponse.atomic import write_text
    from nonresponse.faults import split_report
    from nonresponse.report import page as pages

    cards = []
    for campaign in campaigns:
        faults, part = (results / campaign["name"] / name for name in ("faults.txt", "report.json"))
        if faults.is_file():
            fault_texts = split_report(faults.read_text(encoding="utf-8", errors="replace"))
            cards.append(pages.make_faulty_part(*fault_texts, **campaign))
        elif part.is_file():
            cards.append(pages.read_part(part))
        else:
            cards.append(pages.make_unfinished_part(**campaign))
    write_text(pages.render_all(cards), page)
