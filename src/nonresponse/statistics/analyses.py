"""One record per analysis: what it reads and writes. The jobs follow from it.

Each analysis is computed by the module of its name in this folder:

    make(outcomes, assessor, campaign, settings, cache) -> tables of one measure
    summarise(inputs, task, settings) -> tables of the summary

This module imports neither Polars nor numpy: Snakemake reads it each time it starts.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class Trials:
    """Tables of one measure by the official judgments, from random draws of the questions."""

    tables: tuple[str, ...]  # in the folder of the measure, as Parquet
    settings: tuple[str, ...]  # those under `reliability:` that a job reads, and the seed


@dataclass(frozen=True)
class Summary:
    """Tables of the whole campaign, which one job makes together with those of other analyses."""

    tables: tuple[str, ...]  # in reliability/, each as CSV for people and as Parquet for the pages
    # The rule whose job makes them; `judging`: for tables that depend on judgments even when
    # verdicts stay the same.
    rule: str = "summaries"
    # Whether it needs nothing but counts and scores, which a table of counts has, too
    counts_suffice: bool = False


@dataclass(frozen=True)
class Analysis:
    """One analysis; it has trials, a summary, or both."""

    id: str
    trials: Trials | None = None
    summary: Summary | None = None
    counts: tuple[str, ...] = ()  # that the task must have
    section: str = ""  # the module of report/sections that shows it, if not the one of its name
    default: bool = True  # whether a campaign has it that names no analyses
    needs_judgments: bool = False  # whether it says nothing of responses that nobody judged
    measures: int = 1  # that a table of counts must have

    @property
    def tables_of_measure(self) -> tuple[str, ...]:
        """Its tables of one measure."""
        return self.trials.tables if self.trials else ()

    @property
    def needs_questions(self) -> bool:
        """Whether it needs outcomes by question, which a table of counts does not have."""
        return self.trials is not None or (
            self.summary is not None and not self.summary.counts_suffice
        )


@dataclass(frozen=True)
class Inputs:
    """The files that summaries may read; a list is empty where a campaign has none."""

    counts: Path | None = None
    verdicts: list[Path] = field(default_factory=list)
    scores: list[Path] = field(default_factory=list)
    # The table of the questions, where these come in clusters
    clusters: list[Path] = field(default_factory=list)
    trials: list[Path] = field(default_factory=list)
    # The judgments, or the verdicts of graded responses
    labels: list[Path] = field(default_factory=list)
    # The verdicts and what they are made of, where answers were pooled
    pool: list[Path] = field(default_factory=list)

    def tables(self, name: str) -> dict[str, pl.DataFrame]:
        """Read the tables of this name in the folders of measures, by measure."""
        return read_tables(self.trials, name)


def read_tables(folders: Iterable[Path], name: str) -> dict[str, pl.DataFrame]:
    """Read the table of this name in the folder of each measure, by measure."""
    from nonresponse.tables import read_parquet

    return {folder.name: read_parquet(folder / f"{name}.parquet") for folder in folders}


def stack_tables(tables: dict[str, pl.DataFrame]) -> pl.DataFrame:
    """Return tables by measure as one, with a first column `measure`."""
    import polars as pl

    return pl.concat(
        table.select(pl.lit(id).alias("measure"), pl.all()) for id, table in tables.items()
    )


def load_module(analysis: str) -> Any:
    """Return the module of an analysis."""
    return import_module(f"nonresponse.statistics.{analysis}")


def make_tables(analysis: str, *arguments: Any) -> list[pl.DataFrame]:
    """Return the tables of an analysis of one measure, from the arguments of its `make`."""
    result: list[pl.DataFrame] = load_module(analysis).make(*arguments)
    return result


# In the order of the page.
ANALYSES = {
    analysis.id: analysis
    for analysis in (
        Analysis(
            "comparison",
            Trials(
                ("intervals", "comparisons", "abstention"), ("seed", "samples", "flips", "level")
            ),
            Summary(("discriminative_power", "abstention")),
        ),
        *(
            Analysis(id, summary=summary, counts=("n_unanswerable",), needs_judgments=True)
            for id, summary in {
                "risk_coverage": Summary(("risk_coverage", "risk_control")),
                "reliability_diagram": Summary(("reliability_diagram",)),
            }.items()
        ),
        Analysis(
            "swap",
            Trials(("swap",), ("seed", "swap_trials", "bins", "width")),
            Summary(("sensitivity",)),
            section="questions",
        ),
        Analysis(
            "sample_size",
            Trials(("questions_needed", "power"), ("seed", "level")),
            Summary(("sample_size", "questions_needed", "power")),
            section="questions",
        ),
        Analysis(
            "error_curves",
            Trials(("error_curves",), ("seed", "sizes", "size_trials", "bins", "width")),
            section="questions",
            default=False,
        ),
        Analysis(
            "stability",
            Trials(("stability",), ("seed", "trials", "fuzziness")),
            section="questions",
        ),
        Analysis("agreement", summary=Summary(("agreement", "agreement_patterns"), rule="judging")),
        Analysis(
            "judges", summary=Summary(("judges", "judges_by_run", "corrected", "corrected_pairs"))
        ),
        Analysis("generalizability", summary=Summary(("generalizability",))),
        Analysis("rankings", summary=Summary(("rankings",), counts_suffice=True), measures=2),
        Analysis("pooling", summary=Summary(("pooling",), rule="judging")),
        Analysis(
            "candidates", summary=Summary(("candidates", "estimates")), counts=("n_ur", "n_uw")
        ),
    )
}
