"""Rankings of the runs under other judgments or by other measures: tau and swaps (Voorhees 2003, section 3)."""

from collections.abc import Collection, Mapping
from itertools import combinations
from math import sqrt
from pathlib import Path
from types import MappingProxyType

import numpy as np
import polars as pl

from nonresponse import measures, tables, tasks
from nonresponse.measures import Measure
from nonresponse.scoring.leaderboard import TIE
from nonresponse.settings import Settings
from nonresponse.statistics.table_files import by_measure

MARGINS = {"005": 0.05, "007": 0.07}
TOLERANCE = 1e-9  # a difference of 0.05 between two scores may come out as 0.04999…

RANKINGS = {
    "compared": pl.String,  # assessors | measures
    "measure": pl.String,  # null where measures are compared
    "a": pl.String,
    "b": pl.String,
    "runs": pl.Int64,  # those that have a value under both
    "tau": pl.Float64,  # null where one of the two ranks nothing
    "swaps": pl.Int64,
    "swaps_005": pl.Int64,
    "swaps_007": pl.Int64,
    "share_005": pl.Float64,  # of the swaps; null = none
    "share_007": pl.Float64,
    "largest_difference": pl.Float64,  # of the swapped pairs; null = none
}


def summarise(files: list[Path], task: str, settings: Settings) -> list[pl.DataFrame]:
    """Kendall's tau between rankings: of every two assessors, and of every two measures.

    The first file is counts.parquet: numbers of questions are ranked as shares of the questions, and no assessor ranks
    a run of which it judged nothing.
    """
    counts, chosen = pl.read_parquet(files[0]), {id: measures.get(task, id) for id in settings["measures"]}
    scores = by_measure(files, "scores")
    scores = {id: comparable(judged(scores[id], counts, settings["policy"]), chosen[id], counts) for id in chosen}
    higher = {id: measure.higher_is_better for id, measure in chosen.items()}
    scales = {id: measure.scale for id, measure in chosen.items()}
    official = tables.official(settings.get("official"), next(iter(scores.values())))
    named = [settings[key] for key in ("accept_all", "reject_all") if key in settings]  # only for tables of counts
    return [rankings(scores, higher, official, [*tasks.get(task).trivial, *named], scales)]


def ahead(x: np.ndarray) -> np.ndarray:
    """[i, j] = run i is higher than run j; what differs by no more than TIE is equal."""
    return np.subtract.outer(x, x) > TIE


def swapped(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """[i, j] = run i is higher than run j by x, and lower by y: True once per swapped pair."""
    return ahead(x) & ahead(y).T


def kendall_tau_b(x: np.ndarray, y: np.ndarray) -> float | None:
    """(concordant − discordant) / √(pairs untied in x × pairs untied in y); None when x or y ties all pairs.

    Kendall 1945, the variant for ties; 1 for the same order and the same ties, −1 for the inverse.
    """
    by_x, by_y = ahead(x), ahead(y)
    untied = int(by_x.sum()) * int(by_y.sum())
    concordance = int((by_x & by_y).sum()) - int((by_x & by_y.T).sum())
    return concordance / sqrt(untied) if untied else None


def compare(x: np.ndarray, y: np.ndarray, score: np.ndarray, scale: int = 1) -> dict:
    """The columns of RANKINGS from `runs` on, for rankings by x and y, differences in `score`; (runs,), NaN = no value.

    scale: of the measure; the margins are multiplied by it.
    """
    valued = ~np.isnan(x) & ~np.isnan(y)
    x, y, score = x[valued], y[valued], score[valued]
    i, j = np.nonzero(swapped(x, y))
    differences = np.abs(score[i] - score[j])
    row = {"runs": len(x), "tau": kendall_tau_b(x, y), "swaps": len(i)}
    for name, margin in MARGINS.items():
        row[f"swaps_{name}"] = large = int((differences >= (margin - TOLERANCE) * scale).sum())
        row[f"share_{name}"] = large / len(i) if len(i) else None
    known = differences[~np.isnan(differences)]
    return row | {"largest_difference": known.max() if len(known) else None}


def judged(scores: pl.DataFrame, counts: pl.DataFrame, policy: dict) -> pl.DataFrame:
    """The scores (assessor, run, value) of a measure, null where the assessor judged none of the run's answers.

    `policy` says what unscored and failed answers are counted as. Where counts do not tell, the scores are unchanged.
    """
    if not {"n_ac", "n_aw", "n_partial", "n_unscored", "n_error"} <= set(counts.columns):
        return scores
    counted = [pl.col(f"n_{name}") for name in ("unscored", "error") if policy[name] == "wrong"]
    by_nobody = pl.sum_horizontal(pl.col("n_ac", "n_aw", "n_partial")) == pl.sum_horizontal(pl.lit(0), *counted)
    unjudged = counts.filter((pl.col("n_unscored") > 0) & by_nobody).select("assessor", "run", unjudged=True)
    marked = scores.join(unjudged, on=["assessor", "run"], how="left", maintain_order="left")
    return marked.with_columns(value=pl.when(pl.col("unjudged").is_null()).then("value")).drop("unjudged")


def comparable(scores: pl.DataFrame, measure: Measure, counts: pl.DataFrame) -> pl.DataFrame:
    """The scores (assessor, run, value) of a measure as rankings have them: numbers of questions as shares of n."""
    if not measure.is_number:
        return scores
    share = pl.when(pl.col("n") > 0).then(pl.col("value") / pl.col("n"))
    n = counts.select("assessor", "run", "n")
    return scores.join(n, on=["assessor", "run"], maintain_order="left").with_columns(value=share).drop("n")


def by_run(values: dict[str, pl.DataFrame]) -> dict[str, np.ndarray]:
    """Tables of run and value as vectors over the runs of all of them, sorted; NaN where a run has no value."""
    runs = pl.concat([table.select("run") for table in values.values()]).unique().sort("run")
    return {
        name: runs.join(table, on="run", how="left", maintain_order="left")["value"].cast(pl.Float64).to_numpy()
        for name, table in values.items()
    }


def between_assessors(scores: pl.DataFrame, measure_id: str, official: str, scale: int = 1) -> pl.DataFrame:
    """Every two assessors' rankings by one measure, from assessor, run and value; the official one comes first.

    Differences of swapped pairs are under the official judgments; a pair that has none there counts as a swap only.
    """
    others = scores.filter(pl.col("assessor") != official)["assessor"].unique().sort()
    values = by_run({name: scores.filter(pl.col("assessor") == name) for name in [official, *others]})
    known = {"compared": "assessors", "measure": measure_id}
    pairs = combinations(values, 2)
    rows = [known | {"a": a, "b": b} | compare(values[a], values[b], values[official], scale) for a, b in pairs]
    return pl.DataFrame(rows, RANKINGS)


def between_measures(
    scores: dict[str, pl.DataFrame],
    higher_is_better: dict[str, bool],
    official: str,
    scales: Mapping[str, int] = MappingProxyType({}),
) -> pl.DataFrame:
    """The rankings by every two measures under the official judgments, in the order given.

    If lower values are better, runs are ranked by the negative. Differences of swapped pairs are in measure a.
    """
    values = by_run({id: table.filter(pl.col("assessor") == official) for id, table in scores.items()})
    values = {id: value if higher_is_better[id] else -value for id, value in values.items()}
    pairs = combinations(values, 2)
    rows = [
        {"compared": "measures", "a": a, "b": b} | compare(values[a], values[b], values[a], scales.get(a, 1))
        for a, b in pairs
    ]
    return pl.DataFrame(rows, RANKINGS)


def rankings(
    scores: dict[str, pl.DataFrame],
    higher_is_better: dict[str, bool],
    official: str,
    without: Collection[str],
    scales: Mapping[str, int] = MappingProxyType({}),
) -> pl.DataFrame:
    """RANKINGS: per measure, in the order given, every two assessors; then every two measures.

    `scores` has a table (assessor, run, value) per measure; the runs in `without`, the trivial ones, stay out.
    """
    scores = {id: table.filter(~pl.col("run").is_in(without)) for id, table in scores.items()}
    assessors = [between_assessors(table, id, official, scales.get(id, 1)) for id, table in scores.items()]
    return pl.concat([*assessors, between_measures(scores, higher_is_better, official, scales)])


def against_official(rankings: pl.DataFrame, official: str) -> pl.DataFrame:
    """Per measure, the other assessors' rankings against the official one: mean tau, and all their swaps together.

    Columns: measure, assessors (the others), others (their number), mean_tau (null where every tau
    is null), swaps, swaps_005, swaps_007, largest_difference of a swapped pair (null = none). No rows where nobody else
    judged. Voorhees 2003, section 3, prints these for TREC 2002.
    """
    with_official = rankings.filter((pl.col("compared") == "assessors") & (pl.col("a") == official))
    return with_official.group_by("measure", maintain_order=True).agg(
        assessors="b",
        others=pl.len(),
        mean_tau=pl.col("tau").sort().mean(),  # sorted, since threads would add parts of a group in any order
        swaps=pl.col("swaps").sum(),
        swaps_005=pl.col("swaps_005").sum(),
        swaps_007=pl.col("swaps_007").sum(),
        largest_difference=pl.col("largest_difference").max(),
    )
