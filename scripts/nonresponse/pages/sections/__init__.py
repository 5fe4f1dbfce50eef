"""What the page on a campaign's reliability shows: a module per analysis, with its sentences, figures and tables."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl

from nonresponse import legible, tables
from nonresponse.figures.page import write_svg
from nonresponse.figures.vega_lite import Spec
from nonresponse.pages import document
from nonresponse.pages.document import Section, Table
from nonresponse.reliability import analyses
from nonresponse.wording import NOTHING, number

# How a column is written: None for text and whole numbers, for real numbers the decimals or a function.
Digits = int | Callable[[Any], str] | None


@dataclass(frozen=True)
class Campaign:
    """A campaign with what its analyses found, and all that the sections need to know of it."""

    name: str
    task: str
    folder: Path
    settings: dict  # measures, analyses, level, flips, exchanges; title, simulated and official where there are any

    @property
    def measures(self) -> list[str]:
        """Their ids, as configured."""
        return self.settings["measures"]

    @cached_property
    def undefined(self) -> list[str]:
        """The ids by which no run has a score, on which no analysis has anything to say; never the first one."""
        return [id for id in self.measures[1:] if self.scores(id)["value"].is_null().all()]

    def scores(self, id: str) -> pl.DataFrame:
        """Those of a measure under the official judgments."""
        return pl.read_parquet(self.folder / f"scores/{id}.parquet").filter(pl.col("assessor") == self.official)

    @property
    def defined(self) -> list[str]:
        """All other ids."""
        return [id for id in self.measures if id not in self.undefined]

    @property
    def title(self) -> str:
        """For heads of pages and figures."""
        return document.heading(self.name, self.settings.get("title"), self.settings.get("simulated", False))

    @property
    def official(self) -> str:
        """The official assessor."""
        return tables.official(self.settings.get("official"), pl.scan_parquet(self.folder / "counts.parquet"))

    def read(self, name: str) -> dict[str, pl.DataFrame]:
        """The tables of a folder in reliability/, by measure that is defined."""
        return {id: pl.read_parquet(self.folder / "reliability" / name / f"{id}.parquet") for id in self.defined}

    def csv(self, name: str) -> pl.DataFrame:
        """A table in reliability/, as it was written, without the rows on measures that are undefined."""
        return self.known(analyses.read(self.folder / f"reliability/{name}.csv"))

    def known(self, table: pl.DataFrame) -> pl.DataFrame:
        """The rows of a table that are on no undefined measure."""
        if "measure" in table.columns:
            table = table.filter(~pl.col("measure").is_in(self.undefined).fill_null(False))
        if {"compared", "a", "b"} <= {*table.columns}:  # of rankings by two measures, a and b
            pair = pl.any_horizontal(pl.col("a", "b").is_in(self.undefined))
            table = table.filter((pl.col("compared") != "measures") | ~pair)
        return table


def section(heading: str, findings: list[tuple[str, str]], figures: list[str], tables: list[Table]) -> Section:
    """A section with these sentences, each after the measure that it is about ("" = all), figures and tables."""
    measures, sentences = ([finding[part] for finding in findings] for part in (0, 1))
    return Section(heading, sentences, figures, tables, measures)


def draw(campaign: Campaign, name: str, figure: Spec) -> str:
    """Writes a figure; where it is, as seen from the page."""
    path = f"figures/{name}.svg"
    write_svg(figure, campaign.folder / path)
    return path


def shown(
    caption: str, table: pl.DataFrame, columns: Mapping[str, Digits], words: Collection[str] = tuple(document.WORDS)
) -> Table:
    """These columns, in this order, under a caption; `words` are columns of text, aligned to the left."""

    def cell(value: Any, digits: Digits) -> str:
        """A dash where the value is null."""
        if value is None:
            return NOTHING
        if callable(digits):
            return digits(value)
        if digits is not None:
            return number(value, digits)
        # Several names may stand in one cell.
        return f"{value:,}" if isinstance(value, int) else legible.short(value, legible.LONGEST_TITLE)

    rows = table.select(*columns).iter_rows()
    cells = [[cell(value, digits) for value, digits in zip(row, columns.values(), strict=True)] for row in rows]
    return Table(list(columns), cells, caption, words=words)


def part(table: pl.DataFrame) -> str:
    """How many of the questions the subsets hold; on small campaigns that is half of them."""
    size, questions = table.select("size", "questions").row(0)
    return f"{size:,} of the {questions:,} questions" + (", half of them" if size == questions // 2 else "")
