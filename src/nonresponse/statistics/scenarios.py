"""The runs under the scenarios of a campaign: scores, ranks, tau, and the pairs of runs that are swapped."""

from itertools import combinations
from pathlib import Path

import numpy as np
import polars as pl

from nonresponse import measures, tasks
from nonresponse.scoring.leaderboard import with_rank
from nonresponse.settings import Settings
from nonresponse.statistics import rankings
from nonresponse.tables import typed

SCORES = {
    "scenario": pl.String,
    "measure": pl.String,
    "run": pl.String,
    "value": pl.Float64,
    "worst": pl.Float64,
    "best": pl.Float64,
    "rank": pl.Int64,  # by this measure, null = undefined, a trivial run, or a measure that only describes
    "tied": pl.Boolean,
}
RANKINGS = {
    "measure": pl.String,
    "scenario": pl.String,
    "other_scenario": pl.String,
    "runs": pl.Int64,  # those that have a value under both
    "tau": pl.Float64,  # null where one of the two ranks nothing
    "swaps": pl.Int64,
    "swaps_significant": pl.Int64,  # by the campaign's comparison of the two runs, as it is configured; null = none
    "swaps_not_compared": pl.Int64,  # of runs one of which was not compared; null likewise
    "swaps_005": pl.Int64,
    "swaps_007": pl.Int64,
    "largest_difference": pl.Float64,  # of the swapped pairs, in the campaign as it is configured; null = none
    "assessors_mean_tau": pl.Float64,  # of the official ranking and those by the other assessors; null = no other
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
    "significant": pl.Boolean,  # p_maxt is at most the level; null likewise
}


def tables(folder: Path, task: str, settings: Settings, official: str) -> list[pl.DataFrame]:
    """SCORES, RANKINGS and SWAPS, under the official assessor, from the results in the campaign's folder.

    `settings` are measures, own and scenarios as config.scenarios.described has them, and, if runs were compared, level
    and tested, the measures by which they were. Numbers of questions are ranked, and compared in SWAPS, as
    shares of the questions.
    """
    names, own = [name for name, _ in settings["scenarios"]], settings["own"]
    folders = {name: folder if name == own else folder / "scenarios" / name for name in names}
    trivial = tasks.get(task).trivial
    counts = {name: pl.read_parquet(path / "counts.parquet") for name, path in folders.items()}
    ranks, rows, swaps = [], [], []
    for id in settings["measures"]:
        measure = measures.get(task, id)
        scores = {name: pl.read_parquet(path / f"scores/{id}.parquet") for name, path in folders.items()}
        for name, table in scores.items():
            of_runs = table.filter(pl.col("assessor") == official).with_columns(trivial=pl.col("run").is_in(trivial))
            ordered = with_rank(of_runs.rename({"value": id}), measure).rename({id: "value"})
            ranks.append(typed(ordered.with_columns(scenario=pl.lit(name), measure=pl.lit(id)), SCORES))
        same = {name: rankings.comparable(table, measure, counts[name]) for name, table in scores.items()}
        same = {name: table.filter(~pl.col("run").is_in(trivial)) for name, table in same.items()}
        values = rankings.by_run({name: table.filter(pl.col("assessor") == official) for name, table in same.items()})
        runs = pl.concat(same.values()).select("run").unique().sort("run")["run"]
        of_assessors = rankings.between_assessors(same[own], id, official, measure.scale)
        against = rankings.against_official(of_assessors, official)
        agreement = {"assessors_mean_tau": against["mean_tau"].item() if against.height else None}
        p = pl.DataFrame(schema={"run": pl.String, "other_run": pl.String, "p_maxt": pl.Float64})
        if compared := "level" in settings and id in settings["tested"]:
            pairs = pl.read_parquet(folder / f"reliability/comparisons/{id}.parquet")
            p = pl.concat(pairs.select("p_maxt", run=a, other_run=b) for a, b in (("a", "b"), ("b", "a")))
        for one, other in combinations(names, 2):
            known = {"measure": id, "scenario": one, "other_scenario": other}
            row = known | rankings.compare(values[one], values[other], values[own], measure.scale) | agreement
            of_pairs = swapped(runs, values[one], values[other], values[own], measure.higher_is_better)
            of_pairs = of_pairs.join(p, on=["run", "other_run"], how="left", maintain_order="left")
            told = of_pairs["p_maxt"] <= settings.get("level", 0)
            row["swaps_significant"] = told.sum() if compared else None
            row["swaps_not_compared"] = told.null_count() if compared else None
            rows.append(row)
            of_pairs = of_pairs.with_columns(
                told.alias("significant"), *(pl.lit(it).alias(key) for key, it in known.items())
            )
            swaps.append(typed(of_pairs, SWAPS))
    return [pl.concat(ranks), typed(pl.DataFrame(rows, infer_schema_length=None), RANKINGS), pl.concat(swaps)]


def swapped(runs: pl.Series, x: np.ndarray, y: np.ndarray, own: np.ndarray, higher_is_better: bool) -> pl.DataFrame:
    """SWAPS but for its keys and tests: the runs whose scores x and y, of two scenarios, put them in opposite orders.

    own: the scores in the campaign as it is configured.
    """
    sign = 1 if higher_is_better else -1
    ahead, behind = np.nonzero(rankings.swapped(sign * x, sign * y))
    columns = {
        **{"run": runs.gather(ahead), "other_run": runs.gather(behind)},
        **{"run_score": x[ahead], "other_run_score": x[behind]},
        **{"run_score_in_other_scenario": y[ahead], "other_run_score_in_other_scenario": y[behind]},
        "own_difference": np.abs(own[ahead] - own[behind]),
    }
    return pl.DataFrame(columns, nan_to_null=True)
