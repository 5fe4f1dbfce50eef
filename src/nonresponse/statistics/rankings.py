"""Rankings of the runs under other judgments, by other measures and under the scenarios of a
campaign.

Kendall's tau, and the pairs of runs that are swapped (Voorhees 2003, section 3).
"""

from collections.abc import Mapping
from itertools import combinations
from math import sqrt
from pathlib import Path

import numpy as np
import polars as pl

from nonresponse import measures, tables, tasks
from nonresponse.measures import Measure
from nonresponse.scoring.leaderboard import TIE, with_rank
from nonresponse.settings import Settings
from nonresponse.statistics.analyses import Inputs

MARGINS = {"005": 0.05, "007": 0.07}
TOLERANCE = 1e-9  # a difference of 0.05 between two scores may come out as 0.04999…

COMPARED = {
    "runs": pl.Int64,  # those that have a value under both
    "tau": pl.Float64,  # null where one of the two ranks nothing
    "swaps": pl.Int64,
    "swaps_005": pl.Int64,  # of pairs that differ by so much
    "swaps_007": pl.Int64,
    "largest_difference": pl.Float64,  # of the swapped pairs; null = none
}
RANKINGS = {
    "compared": pl.String,  # assessors | measures
    "measure": pl.String,  # null where measures are compared
    "a": pl.String,
    "b": pl.String,
    **COMPARED,
}
SCENARIO_SCORES = {
    "scenario": pl.String,
    "measure": pl.String,
    "run": pl.String,
    **dict.fromkeys(("value", "worst", "best"), pl.Float64),
    # By this measure, null = undefined, a trivial run, or a measure that only describes
    "rank": pl.Int64,
    "tied": pl.Boolean,
}
SCENARIO_RANKINGS = {
    "measure": pl.String,
    "scenario": pl.String,
    "other_scenario": pl.String,
    **COMPARED,  # differences are those in the campaign as it is configured
    # By the campaign's comparison of the two runs, as it is configured; null = none
    "swaps_significant": pl.Int64,
    "swaps_not_compared": pl.Int64,  # of runs one of which was not compared; null likewise
    # Of the official ranking and those by the other assessors; null = no other
    "assessors_mean_tau": pl.Float64,
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
    # Between the two in the campaign as it is configured, null = one has no score there
    "own_difference": pl.Float64,
    "p_maxt": pl.Float64,  # of that difference; null = not compared
    "significant": pl.Boolean,  # p_maxt is at most the level; null likewise
}


def summarise(given: Inputs, task: str, settings: Settings) -> list[pl.DataFrame]:
    """Return RANKINGS. Numbers of questions are ranked as shares of them.

    No assessor ranks a run of which it judged nothing; the trivial runs stay out.
    """
    assert given.counts
    counts = pl.read_parquet(given.counts)
    read = {path.stem: pl.read_parquet(path) for path in given.scores}
    chosen = {id: measures.get(task, id) for id in settings["measures"]}
    # The last two only for tables of counts
    trivial = *tasks.get(task).trivial, settings.get("accept_all"), settings.get("reject_all")
    scores = {
        id: as_shares(without_unjudged(read[id], counts, settings["policy"]), it, counts).filter(
            ~pl.col("run").is_in([name for name in trivial if name])
        )
        for id, it in chosen.items()
    }
    official = tables.official(settings.get("official"), next(iter(scores.values())))
    return [rankings(scores, chosen, official)]


def find_ahead(x: np.ndarray) -> np.ndarray:
    """Return whether run i is higher than run j, [i, j]; what differs by no more than TIE is
    equal."""
    return np.subtract.outer(x, x) > TIE


def find_swapped(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return whether run i is higher than run j by x, and lower by y, [i, j]: True once per swapped
    pair."""
    return find_ahead(x) & find_ahead(y).T


def kendall_tau_b(x: np.ndarray, y: np.ndarray) -> float | None:
    """(concordant − discordant) / √(pairs untied in x × pairs untied in y); None when x or y ties
    all pairs.

    Kendall 1945, the variant for ties; 1 for the same order and the same ties, −1 for the inverse.
    """
    by_x, by_y = find_ahead(x), find_ahead(y)
    untied = int(by_x.sum()) * int(by_y.sum())
    concordance = int((by_x & by_y).sum()) - int((by_x & by_y.T).sum())
    return concordance / sqrt(untied) if untied else None


def compare(x: np.ndarray, y: np.ndarray, score: np.ndarray, scale: int = 1) -> dict:
    """Return COMPARED for rankings by x and y, differences in `score`; (runs,), NaN = no value.

    scale: of the measure; the margins are multiplied by it.
    """
    valued = ~np.isnan(x) & ~np.isnan(y)
    x, y, score = x[valued], y[valued], score[valued]
    i, j = np.nonzero(find_swapped(x, y))
    differences = np.abs(score[i] - score[j])
    large = {
        f"swaps_{name}": int((differences >= (its - TOLERANCE) * scale).sum())
        for name, its in MARGINS.items()
    }
    known = differences[~np.isnan(differences)]
    row = {"runs": len(x), "tau": kendall_tau_b(x, y), "swaps": len(i), **large}
    return row | {"largest_difference": known.max() if len(known) else None}


def without_unjudged(scores: pl.DataFrame, counts: pl.DataFrame, policy: dict) -> pl.DataFrame:
    """Return the scores (assessor, run, value) of a measure, null where the assessor judged none of
    the run's answers.

    `policy` says what unscored and failed answers are counted as. Where counts do not tell, the
    scores are unchanged.
    """
    if not {"n_ac", "n_aw", "n_partial", "n_unscored", "n_error"} <= set(counts.columns):
        return scores
    counted = [pl.col(f"n_{name}") for name in ("unscored", "error") if policy[name] == "wrong"]
    answers = pl.sum_horizontal("n_ac", "n_aw", "n_partial")
    nobody = counts.filter(
        pl.col("n_unscored") > 0, answers == pl.sum_horizontal(pl.lit(0), *counted)
    )
    key = ["assessor", "run"]
    none = nobody.select(*key, unjudged=True)
    marked = scores.join(none, on=key, how="left", maintain_order="left")
    value = pl.when(pl.col("unjudged").is_null()).then("value")
    return marked.with_columns(value=value).drop("unjudged")


def as_shares(scores: pl.DataFrame, measure: Measure, counts: pl.DataFrame) -> pl.DataFrame:
    """Return the scores (assessor, run, value) as rankings have them: numbers of questions as
    shares of n."""
    if not measure.is_number:
        return scores
    joined = scores.join(
        counts.select("assessor", "run", "n"), on=["assessor", "run"], maintain_order="left"
    )
    share = pl.when(pl.col("n") > 0).then(pl.col("value") / pl.col("n"))
    return joined.with_columns(value=share).drop("n")


def by_run(values: dict[str, pl.DataFrame]) -> dict[str, np.ndarray]:
    """Return tables of run and value as vectors over the runs of all of them, sorted; NaN where a
    run has no value."""
    runs = pl.concat([table.select("run") for table in values.values()]).unique().sort("run")
    joined = {
        name: runs.join(table, on="run", how="left", maintain_order="left")
        for name, table in values.items()
    }
    return {name: table["value"].cast(pl.Float64).to_numpy() for name, table in joined.items()}


def between_assessors(scores: pl.DataFrame, measure: Measure, official: str) -> pl.DataFrame:
    """Return RANKINGS of every two assessors by one measure, from assessor, run and value; the
    official one is first.

    Differences of swapped pairs are under the official judgments; a pair that has none there counts
    as a swap only.
    """
    others = scores.filter(pl.col("assessor") != official)["assessor"].unique().sort()
    values = by_run({name: scores.filter(assessor=name) for name in [official, *others]})
    rows = [
        {"compared": "assessors", "measure": measure.id, "a": a, "b": b}
        | compare(values[a], values[b], values[official], measure.scale)
        for a, b in combinations(values, 2)
    ]
    return pl.DataFrame(rows, RANKINGS)


def rankings(
    scores: dict[str, pl.DataFrame], chosen: Mapping[str, Measure], official: str
) -> pl.DataFrame:
    """Return RANKINGS: per measure, in the order given, every two assessors; then every two
    measures.

    `scores` has a table (assessor, run, value) per measure. Measures are compared under the
    official judgments; if lower values are better, by the negative. Differences of swapped pairs
    are in measure a.
    """
    assessors = [between_assessors(table, chosen[id], official) for id, table in scores.items()]
    values = by_run({id: table.filter(assessor=official) for id, table in scores.items()})
    values = {id: its if chosen[id].higher_is_better else -its for id, its in values.items()}
    rows = [
        {"compared": "measures", "a": a, "b": b}
        | compare(values[a], values[b], values[a], chosen[a].scale)
        for a, b in combinations(values, 2)
    ]
    return pl.concat([*assessors, pl.DataFrame(rows, RANKINGS)])


def against_official(rankings: pl.DataFrame, official: str) -> pl.DataFrame:
    """Return, per measure, the other assessors' rankings against the official one: mean tau, and
    their swaps together.

    Columns: measure, assessors (the others), others (their number), mean_tau (null where every tau
    is null), swaps, swaps_005, swaps_007, largest_difference of a swapped pair (null = none). No
    rows where nobody else judged. Voorhees 2003, section 3, prints these for TREC 2002.
    """
    with_official = rankings.filter((pl.col("compared") == "assessors") & (pl.col("a") == official))
    return with_official.group_by("measure", maintain_order=True).agg(
        pl.sum("swaps", "swaps_005", "swaps_007"),
        assessors="b",
        others=pl.len(),
        # Sorted, since threads would add parts of a group in any order
        mean_tau=pl.col("tau").sort().mean(),
        largest_difference=pl.col("largest_difference").max(),
    )


def compare_scenarios(
    folder: Path, task: str, settings: Settings, official: str
) -> list[pl.DataFrame]:
    """Return SCENARIO_SCORES, SCENARIO_RANKINGS and SWAPS, under the official assessor, from the
    campaign's folder.

    `settings` are measures, own and scenarios as scenarios.describe_scenarios has them, and, if
    runs were compared, level and tested, the measures by which they were. Numbers of questions are
    ranked, and compared in SWAPS, as shares of the questions.
    """
    names, own = [name for name, _ in settings["scenarios"]], settings["own"]
    folders = {name: folder if name == own else folder / "scenarios" / name for name in names}
    trivial = tasks.get(task).trivial
    counts = {name: pl.read_parquet(path / "counts.parquet") for name, path in folders.items()}
    ranks, rows, swaps = [], [], []
    for id in settings["measures"]:
        measure = measures.get(task, id)
        scores = {
            name: pl.read_parquet(path / f"scores/{id}.parquet") for name, path in folders.items()
        }
        for name, table in scores.items():
            of_runs = table.filter(pl.col("assessor") == official).with_columns(
                trivial=pl.col("run").is_in(trivial)
            )
            ordered = with_rank(of_runs.rename({"value": id}), measure).rename({id: "value"})
            ordered = ordered.with_columns(scenario=pl.lit(name), measure=pl.lit(id))
            ranks.append(tables.typed(ordered, SCENARIO_SCORES))
        same = {name: as_shares(table, measure, counts[name]) for name, table in scores.items()}
        same = {name: table.filter(~pl.col("run").is_in(trivial)) for name, table in same.items()}
        values = by_run(
            {name: table.filter(pl.col("assessor") == official) for name, table in same.items()}
        )
        runs = pl.concat(same.values()).select("run").unique().sort("run")["run"]
        against = against_official(between_assessors(same[own], measure, official), official)
        agreement = {"assessors_mean_tau": against["mean_tau"].item() if against.height else None}
        p = pl.DataFrame(schema={"run": pl.String, "other_run": pl.String, "p_maxt": pl.Float64})
        if compared := "level" in settings and id in settings["tested"]:
            pairs = pl.read_parquet(folder / f"reliability/by_measure/{id}/comparisons.parquet")
            p = pl.concat(
                pairs.select("p_maxt", run=a, other_run=b) for a, b in (("a", "b"), ("b", "a"))
            )
        for one, other in combinations(names, 2):
            known = {"measure": id, "scenario": one, "other_scenario": other}
            of_pairs = swapped_runs(
                runs, values[one], values[other], values[own], measure.higher_is_better
            )
            of_pairs = of_pairs.join(p, on=["run", "other_run"], how="left", maintain_order="left")
            significant = of_pairs["p_maxt"] <= settings.get("level", 0)
            row = (
                known | compare(values[one], values[other], values[own], measure.scale) | agreement
            )
            row["swaps_significant"] = significant.sum() if compared else None
            row["swaps_not_compared"] = significant.null_count() if compared else None
            rows.append(row)
            known_columns = [pl.lit(it).alias(key) for key, it in known.items()]
            swaps.append(
                tables.typed(of_pairs.with_columns(*known_columns, significant=significant), SWAPS)
            )
    of_rankings = tables.typed(pl.DataFrame(rows, infer_schema_length=None), SCENARIO_RANKINGS)
    return [pl.concat(ranks), of_rankings, pl.concat(swaps)]


def swapped_runs(
    runs: pl.Series, x: np.ndarray, y: np.ndarray, own: np.ndarray, higher_is_better: bool
) -> pl.DataFrame:
    """Return SWAPS but for keys and tests: the runs whose scores x and y, of two scenarios, order
    them oppositely.

    own: the scores in the campaign as it is configured.
    """
    sign = 1 if higher_is_better else -1
    ahead, behind = np.nonzero(find_swapped(sign * x, sign * y))
    columns = {
        **{"run": runs.gather(ahead), "other_run": runs.gather(behind)},
        **{"run_score": x[ahead], "other_run_score": x[behind]},
        **{"run_score_in_other_scenario": y[ahead], "other_run_score_in_other_scenario": y[behind]},
        "own_difference": np.abs(own[ahead] - own[behind]),
    }
    return pl.DataFrame(columns, nan_to_null=True)
