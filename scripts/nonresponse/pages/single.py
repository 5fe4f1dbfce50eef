"""A page of some sections: Markdown, and its sentences as a table."""

import polars as pl

from nonresponse import tables
from nonresponse.pages import beside_source, document
from nonresponse.pages.document import Section
from nonresponse.pages.sections import Campaign

FINDINGS = {"section": pl.String, "measure": pl.String, "finding": pl.String}  # measure: "" = all


def write(campaign: Campaign, name: str, sections: list[Section]) -> None:
    """{name}.md and {name}/findings.csv in the campaign's folder."""
    found = [
        (section.heading, measure, sentence)
        for section in sections
        for measure, sentence in zip(section.measures, section.sentences, strict=True)
    ]
    findings = pl.DataFrame(found, FINDINGS, orient="row")
    tables.write_text(findings.write_csv(), campaign.folder / name / "findings.csv")
    introduction = beside_source.introduction(campaign.name, campaign.folder, campaign.settings.get("published"))
    tables.write_text(document.markdown(campaign.title, sections, introduction), campaign.folder / f"{name}.md")
