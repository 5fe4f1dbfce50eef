"""What the page on a campaign's reliability shows: a module per analysis, with its sentences, figures and tables."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import polars as pl

from nonresponse import tables
from nonresponse.figures.page import write_svg
from nonresponse.figures.vega_lite import Spec
from nonresponse.pages import blocks, document
from nonresponse.pages.blocks import Topic
from nonresponse.settings import Settings
from nonresponse.statistics.analyses import ANALYSES

# The folders, in reliability/, of the tables that analyses make of a whole campaign.
FOLDERS = {table: one.summary.rule for one in ANALYSES.values() if one.summary for table in one.summary.tables}


@dataclass(frozen=True)
class Campaign:
    """A campaign: the folder of its results, and the settings that topics and sections need."""

    name: str
    task: str
    folder: Path
    settings: Settings

    @property
    def measures(self) -> list[str]:
        """The ids of the measures, as configured."""
        return self.settings["measures"]

    @cached_property
    def undefined(self) -> list[str]:
        """The measures by which no run has a score, which analyses leave out; never the first one."""
        tested = self.settings.get("tested", self.measures)
        return [id for id in self.measures[1:] if id not in tested or self.scores(id)["value"].is_null().all()]

    def scores(self, id: str) -> pl.DataFrame:
        """The scores by a measure under the official judgments."""
        return pl.read_parquet(self.folder / f"scores/{id}.parquet").filter(pl.col("assessor") == self.official)

    @property
    def defined(self) -> list[str]:
        """The measures that are not `undefined`."""
        return [id for id in self.measures if id not in self.undefined]

    @property
    def title(self) -> str:
        """The campaign's title, for pages and figures."""
        return document.heading(self.name, self.settings.get("title"), self.settings.get("simulated", False))

    @property
    def official(self) -> str:
        """The official assessor."""
        return tables.official(self.settings.get("official"), pl.scan_parquet(self.folder / "counts.parquet"))

    def by_measure(self, name: str) -> dict[str, pl.DataFrame]:
        """The tables of a folder in reliability/, by measure, without undefined measures."""
        return {id: pl.read_parquet(self.folder / "reliability" / name / f"{id}.parquet") for id in self.defined}

    def summary(self, name: str) -> pl.DataFrame:
        """A table of an analysis of the whole campaign, without rows on undefined measures."""
        return self.known(pl.read_parquet(self.folder / f"reliability/{FOLDERS[name]}/{name}.parquet"))

    def known(self, table: pl.DataFrame) -> pl.DataFrame:
        """The table without rows on undefined measures."""
        if "measure" in table.columns:
            table = table.filter(~pl.col("measure").is_in(self.undefined).fill_null(False))
        if {"compared", "a", "b"} <= {*table.columns}:  # of rankings by two measures, a and b
            pair = pl.any_horizontal(pl.col("a", "b").is_in(self.undefined))
            table = table.filter((pl.col("compared") != "measures") | ~pair)
        return table

    def write_tables(self, folder: str, found: dict[str, pl.DataFrame]) -> None:
        """Writes tables as CSV files into a folder of the campaign."""
        for name, table in found.items():
            tables.write_text(tables.as_csv(table), self.folder / folder / f"{name}.csv")

    def write_blocks(self, topics: dict[str, Topic], kind: str, names: list[str], folder: str) -> None:
        """Writes blocks.json, and findings.csv, whose first column `kind` has the name of each sentence's topic."""
        of_topics = zip(names, topics.values(), strict=True)
        rows = [(name, sentence) for name, topic in of_topics for sentence in topic.sentences]
        findings = pl.DataFrame(rows, dict.fromkeys((kind, "finding"), pl.String), orient="row")
        tables.write_text(findings.write_csv(), self.folder / folder / "findings.csv")
        blocks.write(topics, self.folder / folder / "blocks.json")

    def write_page(self, name: str, topics: dict[str, Topic]) -> None:
        """Writes {name}.md, {name}/findings.csv and {name}/blocks.json."""
        self.write_blocks(topics, "section", [topic.heading for topic in topics.values()], name)
        tables.write_text(document.markdown(self.title, topics.values()), self.folder / f"{name}.md")


def drawn(campaign: Campaign, name: str, figure: Spec | None) -> list[str]:
    """Writes a figure, if there is one; its path relative to the page, in a list, or an empty list."""
    path = f"figures/{name}.svg"
    return [path] if write_svg(figure, campaign.folder / path) else []
