"""The page on a campaign's reliability, as Markdown, LaTeX and HTML."""

import polars as pl

from nonresponse import pages, publish, tables
from nonresponse.reliability.sections import SECTIONS, Campaign, Section


def write(campaign: Campaign) -> None:
    """figures/*.svg, reliability/findings.csv, reliability.md, .tex and .html in the campaign's folder."""
    (campaign.folder / "figures").mkdir(parents=True, exist_ok=True)
    sections = [SECTIONS[analysis](campaign) for analysis in SECTIONS if analysis in campaign.options["analyses"]]
    found = [
        {"analysis": section.analysis, "measure": measure, "finding": sentence}
        for section in sections
        for measure, sentence in section.findings
    ]
    schema = {"analysis": pl.String, "measure": pl.String, "finding": pl.String}
    tables.write_text(pl.DataFrame(found, schema).write_csv(), campaign.folder / "reliability/findings.csv")
    title = f"{campaign.title}: how far the scores can be trusted"
    shown = [as_shown(section) for section in sections]
    tables.write_text(pages.markdown(title, shown), campaign.folder / "reliability.md")
    tables.write_text(latex(campaign, sections), campaign.folder / "reliability.tex")
    tables.write_text(pages.html(title, shown, campaign.folder), campaign.folder / "reliability.html")


def as_shown(section: Section) -> pages.Section:
    sentences = [sentence for _, sentence in section.findings]
    return pages.Section(section.heading, sentences, [f"figures/{name}" for name in section.figures], section.tables)


def latex(campaign: Campaign, sections: list[Section]) -> str:
    parts = [
        publish.latex_table(
            header,
            cells,
            f"{campaign.title}. {caption}",
            f"{campaign.name}-{section.analysis}-{number}",
        )
        for section in sections
        for number, (caption, header, cells) in enumerate(section.tables, 1)
    ]
    return "\n".join(parts) or "% No analysis of this campaign has a table.\n"
