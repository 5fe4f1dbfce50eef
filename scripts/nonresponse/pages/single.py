"""What topics say, for people and for the report: their sentences as a table, and all of them as blocks."""

from pathlib import Path

import polars as pl

from nonresponse import tables
from nonresponse.pages import beside_source, blocks, document
from nonresponse.pages.blocks import Topic
from nonresponse.pages.sections import Campaign


def write(campaign: Campaign, name: str, topics: dict[str, Topic]) -> None:
    """{name}.md, {name}/findings.csv and {name}/blocks.json in the campaign's folder."""
    write_blocks(topics, "section", [topic.heading for topic in topics.values()], campaign.folder / name)
    introduction = beside_source.introduction(campaign.name, campaign.folder, campaign.settings.get("published"))
    tables.write_text(document.markdown(campaign.title, topics.values(), introduction), campaign.folder / f"{name}.md")


def write_tables(campaign: Campaign, folder: str, found: dict[str, pl.DataFrame]) -> None:
    """CSV files in a folder of the campaign's."""
    for name, table in found.items():
        tables.write_text(table.write_csv(), campaign.folder / folder / f"{name}.csv")


def write_blocks(topics: dict[str, Topic], kind: str, names: list[str], folder: Path) -> None:
    """findings.csv, whose first column says by these names what a sentence is from, and blocks.json in a folder."""
    found = [(name, *finding) for name, topic in zip(names, topics.values(), strict=True) for finding in topic.findings]
    findings = pl.DataFrame(found, dict.fromkeys((kind, "measure", "finding"), pl.String), orient="row")
    tables.write_text(findings.write_csv(), folder / "findings.csv")
    blocks.write(topics, folder / "blocks.json")
