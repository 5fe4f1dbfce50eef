"""The runs under the scenarios of a campaign: scores, ranks, tau, and the pairs of runs that are swapped."""

from itertools import combinations
from pathlib import Path

import numpy as np
import polars as pl

from nonresponse import measures, tasks
from nonresponse.measures import Measure
from nonresponse.reliability import rankings
from nonresponse.scoring.leaderboard import with_rank
from nonresponse.tables import typed

SCORES = {
    "scenario": pl.String,
    "measure": pl.String,
    "run": pl.String,
    "value": pl.Float64,
    "worst": pl.Float64,
    "best": pl.Float64,
    "rank": pl.Int64,  # by this measure, null = undefined, or a trivial run
    "tied": pl.Boolean,
}
RANKINGS = {
    "measure": pl.String,
    "scenario": pl.String,
    "other_scenario": pl.String,
    "runs": pl.Int64,  # those that have a value under both
    "tau": pl.Float64,  # null where one of the two ranks nothing
    "swaps": pl.Int64,
    "swaps_told_apart": pl.Int64,  # by the campaign's comparison of the two runs, as it is configured; null = none
    "swaps_not_compared": pl.Int64,  # a score of one of the two runs hangs on a single question; null likewise
    "swaps_005": pl.Int64,
    "swaps_007": pl.Int64,
    "largest_difference": pl.Float64,  # of the swapped pairs, in the campaign as it is configured; null = none
    "assessors_mean_tau": pl.Float64,  # of the ranking with those under the other assessors; null = no other
}
SWAPS = {
    "measure": pl.String,
    "scenario": pl.String,
    "other_scenario": pl.String,
    "run": pl.String,  # ahead under the scenario, behind under the other one
    "other_run": pl.String,
    "run_score": pl.Float64,  # under the scenario
    "other_run_score": pl.Float64,
    "run_score_in_other_scenario": pl.Float64,
    "other_run_score_in_other_scenario": pl.Float64,
    "own_difference": pl.Float64,  # between the two in the campaign as it is configured, null = one has no score there
    "p_maxt": pl.Float64,  # of that difference; null = not compared
    "told_apart": pl.Boolean,  # p_maxt is at most the level; null likewise
}


def tables(folder: Path, task: str, settings: dict, official: str) -> list[pl.DataFrame]:
    """SCORES, RANKINGS and SWAPS, under the official assessor, from the results in the campaign's folder.

    `settings` are measures, own and scenarios as config.scenarios.described has them, and, if runs were compared, level
    and tested, the measures by which they were. Numbers of questions are ranked, and compared in SWAPS, as
    shares of the questions.
    """
    names, own = [name for name, _ in settings["scenarios"]], settings["own"]
    folders = {name: folder if name == own else folder / "scenarios" / name for name in names}
    trivial = tasks.get(task).trivial
    counts = {name: pl.read_parquet(path / "counts.parquet") for name, path in folders.items()}
    of_measures: list[tuple[pl.DataFrame, ...]] = []
    for id in settings["measures"]:
        measure = measures.get(task, id)
        scores = {name: pl.read_parquet(path / f"scores/{id}.parquet") for name, path in folders.items()}
        ranks = pl.concat(ranked(table, measure, official, trivial, name) for name, table in scores.items())
        same = {name: rankings.comparable(table, measure, counts[name]) for name, table in scores.items()}
        same = {name: table.filter(~pl.col("run").is_in(trivial)) for name, table in same.items()}
        values = rankings.by_run({name: table.filter(pl.col("assessor") == official) for name, table in same.items()})
        runs = pl.concat(same.values()).select("run").unique().sort("run")["run"]
        pairs = swaps(runs, values, measure, own)
        if compared := "level" in settings and id in settings["tested"]:
            pairs = tested(pairs, pl.read_parquet(folder / f"reliability/comparisons/{id}.parquet"), settings["level"])
        agreement = mean_tau(same[own], id, official)
        of_measures.append((ranks, rankings_between(values, id, own, pairs, compared, agreement), pairs))
    return [pl.concat(frames) for frames in zip(*of_measures, strict=True)]


def ranked(scores: pl.DataFrame, measure: Measure, official: str, trivial: tuple[str, ...], name: str) -> pl.DataFrame:
    """The SCORES of one scenario and measure, best first."""
    table = scores.filter(pl.col("assessor") == official).with_columns(trivial=pl.col("run").is_in(trivial))
    ordered = with_rank(table.rename({"value": measure.id}), measure).rename({measure.id: "value"})
    return typed(ordered.with_columns(scenario=pl.lit(name), measure=pl.lit(measure.id)), SCORES)


def swaps(runs: pl.Series, values: dict[str, np.ndarray], measure: Measure, own: str) -> pl.DataFrame:
    """The SWAPS of one measure between every two scenarios, without p; `values` are those of the runs, NaN = none."""
    sign = 1 if measure.higher_is_better else -1
    frames = []
    for one, other in combinations(values, 2):
        x, y = values[one], values[other]
        ahead, behind = np.nonzero(rankings.swapped(sign * x, sign * y))
        frames.append(
            pl.DataFrame(
                {
                    **{"run": runs.gather(ahead), "other_run": runs.gather(behind)},
                    **{"run_score": x[ahead], "other_run_score": x[behind]},
                    **{"run_score_in_other_scenario": y[ahead], "other_run_score_in_other_scenario": y[behind]},
                    "own_difference": np.abs(values[own][ahead] - values[own][behind]),
                },
                nan_to_null=True,
            ).with_columns(scenario=pl.lit(one), other_scenario=pl.lit(other))
        )
    none = [pl.lit(None).alias(name) for name in ("p_maxt", "told_apart")]
    return typed(pl.concat(frames).with_columns(*none, measure=pl.lit(measure.id)), SWAPS)


def tested(swaps: pl.DataFrame, comparisons: pl.DataFrame, level: float) -> pl.DataFrame:
    """SWAPS with the p of each pair, from the comparison of all pairs by the same measure."""
    both = pl.concat(
        comparisons.select("p_maxt", run=one, other_run=other) for one, other in (("a", "b"), ("b", "a"))
    )
    joined = swaps.drop("p_maxt").join(both, on=["run", "other_run"], how="left", maintain_order="left")
    return typed(joined.with_columns(told_apart=pl.col("p_maxt") <= level), SWAPS)


def rankings_between(
    values: dict[str, np.ndarray],
    measure: str,
    own: str,
    swaps: pl.DataFrame,
    compared: bool,
    assessors_mean_tau: float | None,
) -> pl.DataFrame:
    """The RANKINGS of one measure, every two scenarios in their order; `swaps` are its SWAPS, compared or not."""
    rows = [
        {"measure": measure, "scenario": one, "other_scenario": other}
        | rankings.compare(values[one], values[other], values[own])
        for one, other in combinations(values, 2)
    ]
    told = swaps.group_by("scenario", "other_scenario").agg(
        swaps_told_apart=pl.col("told_apart").sum(), swaps_not_compared=pl.col("told_apart").is_null().sum()
    )
    table = pl.DataFrame(rows, infer_schema_length=None)
    table = table.join(told, on=["scenario", "other_scenario"], how="left", maintain_order="left")
    numbers = pl.col("swaps_told_apart", "swaps_not_compared")
    numbers = numbers.fill_null(0) if compared else pl.when(False).then(numbers)
    return typed(table.with_columns(numbers, assessors_mean_tau=pl.lit(assessors_mean_tau)), RANKINGS)


def mean_tau(scores: pl.DataFrame, measure: str, official: str) -> float | None:
    """Of the ranking with those under each other assessor; null where nobody else judged."""
    against = rankings.against_official(rankings.between_assessors(scores, measure, official), official)
    return against["mean_tau"].item() if against.height else None
