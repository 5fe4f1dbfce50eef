"""Rankings under other judgments, by other measures and under the scenarios of a campaign.

Kendall's tau, and the pairs of runs that are swapped (Voorhees 2003, section 3).
"""

from itertools import combinations
from math import sqrt
from pathlib import Path

import numpy as np
import polars as pl

from nonresponse import measures, tables, tasks
from nonresponse.measures import Measure
from nonresponse.scoring.leaderboard import TIE, add_ranks
from nonresponse.settings import Settings
from nonresponse.statistics.analyses import Inputs
from nonresponse.statistics.pairs import MAX_RUNS

MARGINS = {"005": 0.05, "007": 0.07}
TOLERANCE = 1e-9  # a difference of 0.05 between two scores may come out as 0.04999…

COMPARED = {
    "runs": pl.Int64,  # those that have a value under both, as `choose_runs` chooses them
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
    # Of the official ranking and those by the other assessors; null = no other
    "assessors_mean_tau": pl.Float64,
}


def summarise(inputs: Inputs, task: str, settings: Settings) -> list[pl.DataFrame]:
    """Return RANKINGS.

    No assessor ranks a run of which it judged nothing. The trivial runs stay out.
    """
    assert inputs.counts
    counts = tables.read_parquet(inputs.counts)
    files = {path.stem: path for path in inputs.scores}
    records = [measures.get(task, id) for id in settings["measures"]]
    # The last two only for tables of counts
    trivial = *tasks.get(task).trivial, settings.get("accept_all"), settings.get("reject_all")
    scores = {}
    for measure in records:
        table = tables.read_parquet(files[measure.id])
        table = drop_unjudged(table, counts, settings["policy"])
        scores[measure.id] = table.filter(~pl.col("run").is_in([name for name in trivial if name]))
    official = tables.find_official(settings.get("official"), scores[records[0].id])
    return [compare_all(scores, records, official)]


def choose_runs(*values: np.ndarray) -> np.ndarray:
    """Return the indexes of the runs that have each of these values (runs,), NaN = none. Of more
    than MAX_RUNS, return MAX_RUNS that are spread evenly over the ranking by the last values."""
    rows = np.flatnonzero(~np.isnan(values).any(axis=0))
    if len(rows) <= MAX_RUNS:
        return rows
    ranked = rows[np.argsort(values[-1][rows], kind="stable")]
    return np.sort(ranked[np.linspace(0, len(rows) - 1, MAX_RUNS).astype(np.int64)])


def find_ahead(x: np.ndarray) -> np.ndarray:
    """Return whether run i is higher than run j by more than TIE, [i, j]."""
    return np.subtract.outer(x, x) > TIE


def find_swapped(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return whether x has run i higher than run j and y has it lower, [i, j]; once per swap."""
    return find_ahead(x) & find_ahead(y).T


def kendall_tau_b(x: np.ndarray, y: np.ndarray) -> float | None:
    """Return Kendall's tau-b (1945), None when x or y ties all pairs.

    Kendall 1945, the variant for ties; 1 for the same order and the same ties, −1 for the inverse.
    """
    ahead_x, ahead_y = find_ahead(x), find_ahead(y)
    untied = int(ahead_x.sum()) * int(ahead_y.sum())
    concordance = int((ahead_x & ahead_y).sum()) - int((ahead_x & ahead_y.T).sum())
    return concordance / sqrt(untied) if untied else None


def count_untied(x: np.ndarray) -> int:
    """Return how many pairs of runs differ by more than TIE."""
    ascending = np.sort(x)
    return int(np.searchsorted(ascending, ascending - TIE).sum())


def tau_after_change(x: np.ndarray, untied: int, before: float, after: float) -> float | None:
    """Return Kendall's tau-b of a ranking and of the same with another value of one run.

    x: the values of all runs that have one. untied: `count_untied` of x. before, after: the values
    of that run, NaN = none. If it lacks one of them, both rankings are of the others.
    """
    old, new = find_order(before, x), find_order(after, x)
    unchanged = untied - np.count_nonzero(old)  # pairs, the same in both rankings
    if np.isnan(before) or np.isnan(after):
        return 1.0 if unchanged else None
    untied_after = unchanged + np.count_nonzero(new) - (abs(after - before) > TIE)
    product = untied * untied_after
    return (unchanged + int((old * new).sum())) / sqrt(product) if product else None


def find_order(value: float, x: np.ndarray) -> np.ndarray:
    """Return 1 where a value is higher than those of x by more than TIE, -1 where it is lower."""
    return (value - x > TIE).astype(np.int64) - (x - value > TIE)


def compare(x: np.ndarray, y: np.ndarray, score: np.ndarray) -> dict:
    """Return COMPARED for rankings by x and y, differences in `score`; (runs,), NaN = no value."""
    rows = choose_runs(x, y)
    x, y, score = x[rows], y[rows], score[rows]
    i, j = np.nonzero(find_swapped(x, y))
    differences = np.abs(score[i] - score[j])
    row = {"runs": len(x), "tau": kendall_tau_b(x, y), "swaps": len(i)}
    for name, margin in MARGINS.items():
        row[f"swaps_{name}"] = int((differences >= margin - TOLERANCE).sum())
    differences = differences[~np.isnan(differences)]
    return row | {"largest_difference": differences.max() if len(differences) else None}


def drop_unjudged(scores: pl.DataFrame, counts: pl.DataFrame, policy: dict) -> pl.DataFrame:
    """Return the scores (assessor, run, value), null where the assessor judged no answer.

    `policy` says what unscored and failed answers are counted as. Where counts do not tell, the
    scores are unchanged.
    """
    if not {"n_ac", "n_aw", "n_partial", "n_unscored", "n_error"} <= set(counts.columns):
        return scores
    wrong_counts = [f"n_{name}" for name in ("unscored", "error") if policy[name] == "wrong"]
    answers = pl.sum_horizontal("n_ac", "n_aw", "n_partial")
    judgments = answers - pl.sum_horizontal(pl.lit(0), *wrong_counts)
    key = ["assessor", "run"]
    unjudged = counts.filter(pl.col("n_unscored") > 0, judgments == 0).select(*key, unjudged=True)
    scores = scores.join(unjudged, on=key, how="left", maintain_order="left")
    value = pl.when(pl.col("unjudged").is_null()).then("value")
    return scores.with_columns(value=value).drop("unjudged")


def align_runs(values: dict[str, pl.DataFrame]) -> dict[str, np.ndarray]:
    """Return tables of run and value as vectors over all runs, sorted; NaN where one has none."""
    runs = pl.concat([table.select("run") for table in values.values()]).unique().sort("run")
    vectors = {}
    for name, table in values.items():
        aligned = runs.join(table, on="run", how="left", maintain_order="left")
        vectors[name] = aligned["value"].cast(pl.Float64).to_numpy()
    return vectors


def compare_assessors(scores: pl.DataFrame, measure: Measure, official: str) -> pl.DataFrame:
    """Return RANKINGS of every two assessors by one measure, the official one first.

    Differences of swapped pairs are under the official judgments. A pair that has none there counts
    as a swap only.
    """
    assessors = [official, *sorted({*scores["assessor"]} - {official})]
    values = align_runs({name: scores.filter(assessor=name) for name in assessors})
    rows = [
        {"compared": "assessors", "measure": measure.id, "a": a, "b": b}
        | compare(values[a], values[b], values[official])
        for a, b in combinations(values, 2)
    ]
    return pl.DataFrame(rows, RANKINGS)


def compare_all(
    scores: dict[str, pl.DataFrame], records: list[Measure], official: str
) -> pl.DataFrame:
    """Return RANKINGS: every two assessors for each measure, then every two measures.

    `scores` has a table (assessor, run, value) per measure. Measures are compared under the
    official judgments, by the negative if lower values are better. Differences of swapped pairs are
    in measure a.
    """
    parts = [compare_assessors(scores[measure.id], measure, official) for measure in records]
    values = align_runs({id: table.filter(assessor=official) for id, table in scores.items()})
    rows = []
    for a, b in combinations(records, 2):
        x, y = (values[measure.id] * (1 if measure.higher_is_better else -1) for measure in (a, b))
        rows.append({"compared": "measures", "a": a.id, "b": b.id} | compare(x, y, x))
    return pl.concat([*parts, pl.DataFrame(rows, RANKINGS)])


def compare_with_official(rankings: pl.DataFrame, official: str) -> pl.DataFrame:
    """Return mean tau and the swaps of the others' rankings against the official one, by measure.

    Columns: measure, assessors (the others), others (their number), mean_tau (null where every tau
    is null), swaps, swaps_005, swaps_007, largest_difference of a swapped pair (null = none). No
    rows where nobody else judged. Voorhees 2003, section 3, prints these for TREC 2002.
    """
    rows = rankings.filter((pl.col("compared") == "assessors") & (pl.col("a") == official))
    return rows.group_by("measure", maintain_order=True).agg(
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
    """Return SCENARIO_SCORES and SCENARIO_RANKINGS, under the official assessor.

    `settings` are measures, own and scenarios as config.scenarios.described has them.
    """
    names, configured = [name for name, _ in settings["scenarios"]], settings["own"]
    folders = {name: folder / "scenarios" / name for name in names} | {configured: folder}
    is_trivial = pl.col("run").is_in(tasks.get(task).trivial)
    ranks, rankings = [], []
    for id in settings["measures"]:
        measure = measures.get(task, id)
        scored = {}
        for name in names:
            scores = tables.read_parquet(folders[name] / f"scores/{id}.parquet")
            ranked = scores.filter(pl.col("assessor") == official).with_columns(trivial=is_trivial)
            ranked = add_ranks(ranked.rename({"value": id}), measure).rename({id: "value"})
            ranked = ranked.with_columns(scenario=pl.lit(name), measure=pl.lit(id))
            ranks.append(tables.cast_types(ranked, SCENARIO_SCORES))
            scored[name] = scores.filter(~is_trivial)
        values = align_runs(
            {name: table.filter(pl.col("assessor") == official) for name, table in scored.items()}
        )
        assessors = compare_assessors(scored[configured], measure, official)
        against = compare_with_official(assessors, official)
        mean_tau = against["mean_tau"].item() if against.height else None
        for a, b in combinations(names, 2):
            key = {"measure": id, "scenario": a, "other_scenario": b}
            row = key | compare(values[a], values[b], values[configured])
            rankings.append(row | {"assessors_mean_tau": mean_tau})
    table = tables.cast_types(pl.DataFrame(rankings, infer_schema_length=None), SCENARIO_RANKINGS)
    return [pl.concat(ranks), table]
