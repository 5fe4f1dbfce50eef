"""Which runs can be told apart: bootstrap intervals, paired tests, and groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nonresponse.reliability import PER_STREAM
from nonresponse.reliability.analyses import Analysis, Summary, Trials, by_measure

if TYPE_CHECKING:
    from pathlib import Path

    import polars as pl

    from nonresponse.reliability.outcomes import Outcomes


def count(outcomes: Outcomes, campaign: str, settings: dict, samples: range, permutations: range, tukey: range) -> dict:
    """Scores on samples (runs, samples); of pairs as_large and counted; ranges of the Tukey permutations."""
    from nonresponse.reliability import bootstrap, randomisation

    seed = settings["seed"]
    score = bootstrap.comparable(outcomes, seed, campaign, settings["samples"], settings["level"])
    as_large, defined = randomisation.permuted(outcomes, score, seed, campaign, permutations)
    return {
        "samples": bootstrap.sampled_scores(outcomes, seed, campaign, samples),
        "as_large": as_large,
        "counted": defined,
        "ranges": randomisation.ranges(outcomes, score, seed, campaign, tukey),
    }


def make(outcomes: Outcomes, assessor: str, campaign: str, settings: dict, counted: dict) -> list[pl.DataFrame]:
    """The two tables of groups.compare: intervals and comparisons."""
    from nonresponse.reliability import bootstrap, groups

    score = bootstrap.comparable(outcomes, settings["seed"], campaign, settings["samples"], settings["level"])
    return list(groups.compare(outcomes, assessor, score, counted, settings["level"]))


def summarise(files: list[Path], task: str, settings: dict, published: list[Path]) -> list[pl.DataFrame]:
    """The shares of pairs of runs told apart: a row per measure."""
    import polars as pl

    from nonresponse.reliability import groups

    rows = [
        {"measure": id, **groups.discriminative_power(table, settings["level"])}
        for id, table in by_measure(files, settings["measures"]).items()
    ]
    return [pl.DataFrame(rows, infer_schema_length=None)]


def work(settings: dict) -> float:
    """The three kinds of trials cost about the same."""
    return (settings["samples"] / 10000 + settings["exchanges"] / 50000 + settings["deals"] / 5000) / 3


ANALYSIS = Analysis(
    "comparison",
    Trials(
        tables=("intervals", "comparisons"),
        settings=("seed", "samples", "exchanges", "deals", "level"),
        numbers=("samples", "exchanges", "deals"),
        work=work,
        count=count,
        make=make,
        joined={"samples": "columns", "ranges": "rows"},
        stream=PER_STREAM,
        minutes=(10, 2),
    ),
    Summary(
        rule="discriminative_power",
        tables=("discriminative_power",),
        reads="comparisons",
        settings=("measures", "level"),
        make=summarise,
        local=True,
    ),
)
