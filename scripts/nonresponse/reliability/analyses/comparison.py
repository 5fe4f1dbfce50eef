"""Which runs can be told apart: bootstrap intervals, paired tests, and groups."""

from pathlib import Path

import polars as pl

from nonresponse.reliability import comparisons
from nonresponse.reliability.outcomes import Outcomes
from nonresponse.reliability.table_files import by_measure


def count(outcomes: Outcomes, campaign: str, settings: dict, *trials: range) -> dict:
    """What comparisons.counters has, for these samples, exchanges and flips."""
    return comparisons.counters(outcomes, campaign, settings, *trials)


def make(outcomes: Outcomes, assessor: str, campaign: str, settings: dict, counted: dict) -> list[pl.DataFrame]:
    """The three tables of comparisons.tables."""
    return comparisons.tables(outcomes, assessor, campaign, counted, settings)


def summarise(files: list[Path], task: str, settings: dict, published: list[Path]) -> list[pl.DataFrame]:
    """The shares of pairs of runs told apart, a row per measure; the parts of the leading differences in c@1."""
    pairs, parts = by_measure(files, "comparisons"), by_measure(files, "abstention")
    rows = [
        {"measure": id, **comparisons.discriminative_power(table, settings["level"])} for id, table in pairs.items()
    ]
    abstention = pl.concat(table.select(pl.lit(id).alias("measure"), pl.all()) for id, table in parts.items())
    return [pl.DataFrame(rows, infer_schema_length=None), abstention]
