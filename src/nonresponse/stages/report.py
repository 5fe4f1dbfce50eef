"""The report of a campaign, and of all together."""

from pathlib import Path

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
