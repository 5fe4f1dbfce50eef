"""A page that is one section: Markdown, HTML, and its sentences as a table."""

import polars as pl

from nonresponse import tables
from nonresponse.pages import document
from nonresponse.pages.document import Section
from nonresponse.pages.sections import Campaign

FINDINGS = {"measure": pl.String, "finding": pl.String}  # measure: "" = all


def write(campaign: Campaign, name: str, section: Section) -> None:
    """{name}.md, {name}.html and {name}/findings.csv in the campaign's folder."""
    findings = pl.DataFrame(list(zip(section.measures, section.sentences, strict=True)), FINDINGS, orient="row")
    tables.write_text(findings.write_csv(), campaign.folder / name / "findings.csv")
    tables.write_text(document.markdown(campaign.title, [section]), campaign.folder / f"{name}.md")
    tables.write_text(document.html(campaign.title, [section], campaign.folder), campaign.folder / f"{name}.html")
