"""A campaign as the modules of the report see it."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import polars as pl

from nonresponse import tables
from nonresponse.legible import LONGEST_TITLE, short
from nonresponse.report import document, model
from nonresponse.report.model import Section
from nonresponse.settings import Settings
from nonresponse.statistics.analyses import ANALYSES, read_tables

# The folders, in reliability/, of the tables that analyses make of a whole campaign.
FOLDERS = {
    table: analysis.summary.rule
    for analysis in ANALYSES.values()
    if analysis.summary
    for table in analysis.summary.tables
}


@dataclass(frozen=True)
class Campaign:
    """A campaign: the folder of its results, and the settings that sections need."""

    name: str
    task: str
    folder: Path
    settings: Settings

    @property
    def measures(self) -> list[str]:
        """The ids of the measures, as configured."""
        return self.settings["measures"]

    @cached_property
    def undefined_measures(self) -> list[str]:
        """The measures, except the first, by which no run has a score. Analyses leave them out."""
        tested = self.settings.get("tested", self.measures)
        return [
            id
            for id in self.measures[1:]
            if id not in tested or not self.read_scores(id)["value"].count()
        ]

    def read_scores(self, id: str) -> pl.DataFrame:
        """Return the scores by a measure under the official judgments."""
        scores = tables.read_parquet(self.folder / f"scores/{id}.parquet")
        return scores.filter(assessor=self.official)

    @property
    def defined_measures(self) -> list[str]:
        """The other measures."""
        return [id for id in self.measures if id not in self.undefined_measures]

    @property
    def title(self) -> str:
        """The campaign's title, for pages and figures."""
        return short(self.settings.get("title") or "", LONGEST_TITLE) or self.name

    @cached_property
    def official(self) -> str:
        """The official assessor."""
        counts = tables.scan_parquet(self.folder / "counts.parquet")
        return tables.find_official(self.settings.get("official"), counts)

    def read_by_measure(self, name: str) -> dict[str, pl.DataFrame]:
        """Return the table of this name of each measure that is not undefined."""
        return read_tables(map(self.locate_measure, self.defined_measures), name)

    def locate_measure(self, id: str) -> Path:
        """Return the folder with the tables of the analyses of a measure."""
        return self.folder / f"reliability/by_measure/{id}"

    def read_summary(self, name: str) -> pl.DataFrame:
        """Return a table of a summary, without rows on undefined measures."""
        table = tables.read_parquet(self.folder / f"reliability/{FOLDERS[name]}/{name}.parquet")
        if "measure" in table.columns:
            table = table.filter(~pl.col("measure").is_in(self.undefined_measures).fill_null(False))
        return table

    def write_tables(self, folder: str, frames: dict[str, pl.DataFrame]) -> None:
        """Write tables as CSV files into a folder of the campaign."""
        for name, table in frames.items():
            tables.write_text(tables.to_csv(table), self.folder / folder / f"{name}.csv")

    def write_page(self, name: str, sections: dict[str, Section]) -> None:
        """Write {name}.md and {name}/sections.json."""
        model.write_sections(sections, self.folder / name / "sections.json")
        page = document.render_markdown(self.title, sections.values())
        tables.write_text(page, self.folder / f"{name}.md")
