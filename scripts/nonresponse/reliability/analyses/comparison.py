"""Which runs can be told apart: bootstrap intervals, paired tests, and groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nonresponse.reliability import PER_STREAM
from nonresponse.reliability.analyses import Analysis, Summary, Trials, by_measure

if TYPE_CHECKING:
    from pathlib import Path

    import polars as pl

    from nonresponse.reliability.outcomes import Outcomes


def count(outcomes: Outcomes, campaign: str, settings: dict, *trials: range) -> dict:
    """What comparisons.counters has, for these samples, exchanges and flips."""
    from nonresponse.reliability import comparisons

    return comparisons.counters(outcomes, campaign, settings, *trials)


def make(outcomes: Outcomes, assessor: str, campaign: str, settings: dict, counted: dict) -> list[pl.DataFrame]:
    """The three tables of comparisons.tables."""
    from nonresponse.reliability import comparisons

    return comparisons.tables(outcomes, assessor, campaign, counted, settings)


def summarise(files: list[Path], task: str, settings: dict, published: list[Path]) -> list[pl.DataFrame]:
    """The shares of pairs of runs told apart, a row per measure; the parts of the leading differences in c@1."""
    import polars as pl

    from nonresponse.reliability import comparisons

    pairs, parts = by_measure(files, "comparisons"), by_measure(files, "abstention")
    rows = [
        {"measure": id, **comparisons.discriminative_power(table, settings["level"])} for id, table in pairs.items()
    ]
    abstention = pl.concat(table.select(pl.lit(id).alias("measure"), pl.all()) for id, table in parts.items())
    return [pl.DataFrame(rows, infer_schema_length=None), abstention]


def work(settings: dict) -> float:
    """The kinds of trials cost about the same."""
    return (settings["samples"] / 10000 + settings["exchanges"] / 50000 + settings["flips"] / 5000) / 3


ANALYSIS = Analysis(
    "comparison",
    Trials(
        tables=("intervals", "comparisons", "abstention"),
        settings=("seed", "samples", "exchanges", "flips", "level"),
        numbers=("samples", "exchanges", "flips"),
        work=work,
        count=count,
        make=make,
        joined={"samples": "columns"},
        stream=PER_STREAM,
        minutes=(10, 2),
    ),
    Summary(
        rule="discriminative_power",
        tables={"discriminative_power": "comparisons.TOLD_APART", "abstention": "abstention.PARTS"},
        reads=("comparisons", "abstention"),
        settings=("level",),
        make=summarise,
        local=True,
    ),
)
