"""The report of a campaign and of all together, the summary, and the comparison with published tables."""

from pathlib import Path
from typing import Any

from nonresponse.stages.params import ReportParams, SummaryParams

TOP = 5  # rows of each leaderboard in the summary
FIDELITY = "Published and computed"


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


def report(parts: list[Path], fidelity: list[Path], *, page: Path) -> None:
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


def fidelity(
    scores: list[Path],
    published: list[Path],
    simulated: list[Path],
    *,
    results: Path,
    csv: Path,
    claims: Path,
    markdown: Path,
    data: Path,
    tables: str,
) -> None:
    """Set the figures of published tables beside those that were computed, and check what the sources conclude.

    `tables` are the names of those to compare, comma-separated.
    """
    from nonresponse.pages import blocks, document
    from nonresponse.pages import claims as conclusions
    from nonresponse.pages import fidelity as module
    from nonresponse.tables import write_text

    chosen = module.tables_named(tables.split(","))
    folder = published[0].parent
    try:
        cells = [cell for table in chosen for cell in module.cells_of(table, folder, results)]
    except ValueError as error:  # a campaign under a published table's name has other counts
        advice = "A campaign has the name of a published table but other counts: give it another name"
        raise SystemExit(f"{advice}. {error}.") from None
    checked = conclusions.checked(conclusions.Data(folder, simulated[0].parent))
    topics = [*module.topics(cells, folder, chosen), *conclusions.topics(checked)]
    write_text(module.as_csv(module.Cell._fields, cells), csv)
    write_text(module.as_csv(conclusions.Checked._fields, checked), claims)
    write_text(document.markdown(FIDELITY, topics), markdown)
    blocks.write({topic.heading: topic for topic in topics}, data)
