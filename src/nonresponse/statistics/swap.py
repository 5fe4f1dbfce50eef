"""The swap method (Voorhees & Buckley 2002; Peñas & Rodrigo 2011, section 4.3)."""

from operator import add
from typing import Any

import numpy as np
import polars as pl

from nonresponse.settings import Settings
from nonresponse.statistics import intervals
from nonresponse.statistics.analyses import Inputs
from nonresponse.statistics.cache import NOTHING, Cache
from nonresponse.statistics.outcomes import TOLERANCE, Outcomes, score_weighted
from nonresponse.statistics.pairs import select_best
from nonresponse.statistics.subsets import choose_size, draw_subsets, limit_batch
from nonresponse.tables import cast_types

SWAP = {
    "bin": pl.Int32,
    # Where the bin of the difference in the first subset begins; the last bin is open
    "lower": pl.Float64,
    "comparisons": pl.Int64,
    "swaps": pl.Int64,
    "swap_rate": pl.Float64,  # null without comparisons
    "highest": pl.Float64,  # of all scores on subsets
    "size": pl.Int64,  # questions per subset
    "ties": pl.Int64,  # comparisons of equal scores, all in the first bin
    "questions": pl.Int64,  # of the campaign
}
# Peñas & Rodrigo 2011, table 2, (i) to (iv): null where no bin's swap rate is within the level, all
# but highest_value.
TABLE_2 = {
    "measure": pl.String,
    "questions": pl.Int64,
    "size": pl.Int64,
    "required_difference": pl.Float64,
    "highest_value": pl.Float64,
    "relative_difference": pl.Float64,
    "sensitivity": pl.Float64,
}
DECIMALS = 12  # of the lower bounds of bins: 3 * 0.01 is 0.03
SPANS = 5  # the bins cover at most this many times the range of a share
COMPARISONS = 5_000_000  # of two runs: with many runs, fewer trials tell as much
MIN_TRIALS = 100  # however many runs there are
BATCH_TRIALS = 100  # at once; with few runs, as many as make BATCH_SCORES
BATCH_SCORES = 2**14
# Scores of trials at once: their differences from one run stay in the processor's cache
CELLS = 2**16


def make(
    outcomes: Outcomes, assessor: str, campaign: str, settings: Settings, cache: Cache = NOTHING
) -> list[pl.DataFrame]:
    """Return SWAP, a row per bin."""
    outcomes = select_best(outcomes)
    size, lower = choose_size(outcomes), choose_bins(outcomes, settings)
    trials = min(settings["swap_trials"], limit_trials(len(outcomes.runs), COMPARISONS, MIN_TRIALS))
    draws = [(size, trial) for trial in range(trials)]
    counts, highest = count_draws(outcomes, settings["seed"], campaign, draws, lower)
    comparisons, swaps, [ties] = split_counts(counts.sum(axis=0, keepdims=True))
    bins = pl.DataFrame({"lower": lower, "comparisons": comparisons[0], "swaps": swaps[0]})
    table = bins.with_row_index("bin", 1).with_columns(
        swap_rate=(pl.col("swaps") / pl.col("comparisons")).fill_nan(None),
        highest=None if np.isnan(highest) else highest,
        size=outcomes.count_questions(size),
        ties=pl.when(pl.col("bin") == 1).then(int(ties)).otherwise(0),
        questions=outcomes.question_count,
    )
    return [cast_types(table, SWAP)]


def summarise(inputs: Inputs, task: str, settings: Settings) -> list[pl.DataFrame]:
    """Return TABLE_2, a row per measure."""
    swaps = inputs.tables("swap").items()
    rows = [{"measure": id, **sensitivity(table, settings["level"])} for id, table in swaps]
    return [pl.DataFrame(rows, TABLE_2)]


def limit_trials(runs: int, comparisons: int, smallest: int) -> int:
    """Return how many trials give this many comparisons of two runs, but at least `smallest`."""
    return max(2 * comparisons // (runs * (runs - 1)), smallest) if runs > 1 else smallest


def choose_bins(outcomes: Outcomes, settings: Settings) -> list[float]:
    """Return where the bins of the difference begin: `bins` for a range of 1, else more."""
    low, high = intervals.find_range(outcomes)
    spans = int(np.clip(np.ceil(high - low), 1, SPANS))
    return list_bins((settings["bins"] - 1) * spans + 1, settings["width"])


def list_bins(bins: int = 21, width: float = 0.01) -> list[float]:
    """Return where bins of the difference begin; the last one is open."""
    return [round(width * bin, DECIMALS) for bin in range(bins)]


def count_draws(
    outcomes: Outcomes, seed: int, campaign: str, draws: list[tuple[int, int]], lower: list[float]
) -> tuple[np.ndarray, float]:
    """Return what `count_swaps` does for each draw (size, trial), and the highest score.

    Figure 3 of Peñas & Rodrigo 2011, with one pair of disjoint subsets per draw for all pairs of
    runs.
    """
    counts, highest = np.zeros((len(draws), 2 * len(lower) + 1), np.int64), np.nan
    runs = max(len(outcomes.runs), 1)
    step = limit_batch(outcomes.n, max(BATCH_TRIALS, BATCH_SCORES // runs))
    for start in range(0, len(draws), step):
        batch = slice(start, start + step)
        halves = np.concatenate(draw_subsets(seed, campaign, outcomes.n, draws[batch]))
        scores = score_weighted(outcomes, halves)
        first, second = np.split(scores, 2)
        counts[batch] = count_swaps(first, second, lower)
        highest = np.fmax.reduce(scores, axis=None, initial=highest)
    return counts, float(highest)


def split_counts(counts: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Split rows of `count_swaps` into comparisons and swaps by bin, and ties."""
    bins = counts.shape[1] // 2
    return counts[:, :bins], counts[:, bins:-1], counts[:, -1]


def count_swaps(first: np.ndarray, second: np.ndarray, lower: list[float]) -> np.ndarray:
    """Count comparisons and swaps by bin of the difference in the first subset, and ties, over all
    pairs of runs: (trials, 2 bins + 1).

    A swap is a pair that the two subsets order in opposite ways. Pairs with an undefined score do
    not count. Ties are the pairs in the first bin with equal scores.
    """
    step = max(CELLS // max(first.shape[1], 1), 8)
    starts = range(0, len(first), step)
    return np.concatenate(
        [count_block(first[row : row + step], second[row : row + step], lower) for row in starts]
    )


def count_block(first: np.ndarray, second: np.ndarray, lower: list[float]) -> np.ndarray:
    """Count what `count_swaps` does, for few trials."""
    trials, runs = first.shape
    bins, width = len(lower), lower[1]
    scores = np.ascontiguousarray(first.T) / width
    first_ranks = rank_densely(first.T)
    second_ranks = rank_densely(second.T)
    undefined = np.isnan(first_ranks + second_ranks)
    first_ranks[undefined], gaps = np.nan, undefined.any()
    margin = TOLERANCE * max(1 / width, np.max(np.abs(scores), where=~undefined, initial=0))
    columns = 2 * bins + 1  # comparisons and swaps by bin, and pairs with an undefined score
    offset, counts = np.arange(trials) * columns, np.zeros(trials * columns, np.int64)
    for run in range(runs - 1):
        # Below 0 in a swap
        agreement = first_ranks[run] - first_ranks[run + 1 :]
        agreement *= second_ranks[run] - second_ranks[run + 1 :]
        place = np.abs(scores[run] - scores[run + 1 :])
        place += margin
        np.minimum(place, bins - 1, out=place)
        if gaps:
            np.copyto(place, 2 * bins, where=np.isnan(agreement))
        place += offset
        bin = place.astype(np.int64)
        bin += bins * (agreement < 0)
        counts += np.bincount(bin.ravel(), minlength=len(counts))
    agreeing, swapped = np.split(counts.reshape(trials, columns)[:, : 2 * bins], 2, axis=1)
    # Ranks, trial by trial
    cells = (first_ranks + np.arange(trials) * runs)[~np.isnan(first_ranks)].astype(np.int64)
    times = np.bincount(cells, minlength=runs * trials).reshape(trials, runs)
    ties = (times * (times - 1) // 2).sum(axis=1)
    return np.column_stack([agreeing + swapped, swapped, ties])


def rank_densely(scores: np.ndarray) -> np.ndarray:
    """Return the dense rank of each score in its column, from 0, (runs, trials)."""
    order = np.argsort(scores, axis=0)
    ascending = np.take_along_axis(scores, order, 0)
    new = np.diff(ascending, axis=0) > TOLERANCE * np.maximum(np.abs(ascending[1:]), 1)
    steps, ranks = np.zeros(scores.shape, np.float32), np.empty(scores.shape, np.float32)
    np.cumsum(new, axis=0, out=steps[1:])
    np.put_along_axis(ranks, order, steps, 0)
    ranks[np.isnan(scores)] = np.nan
    return ranks


def fit_rates(swap: pl.DataFrame) -> pl.Series:
    """Return the swap rate of each bin, fitted so that it falls with the difference; null where all
    are ties.

    Neighbouring bins whose rate does not fall are pooled by isotonic regression. The weights are
    comparisons without ties. Few comparisons in a bin decide nothing by themselves.
    """
    number = (swap["comparisons"] - swap["ties"]).to_numpy()
    counts = number > 0
    pools: list[tuple[int, ...]] = []  # swaps, comparisons and bins of each
    rows = zip(swap["swaps"].to_numpy()[counts].tolist(), number[counts].tolist(), strict=True)
    for swaps, compared in rows:
        pools.append((swaps, compared, 1))
        while len(pools) > 1 and pools[-2][0] * pools[-1][1] <= pools[-1][0] * pools[-2][1]:
            pools[-2:] = [tuple(map(add, *pools[-2:]))]
    fit = np.full(len(number), np.nan)
    fit[counts] = [swaps / compared for swaps, compared, bins in pools for _ in range(bins)]
    return pl.Series("fitted", fit).fill_nan(None)


def sensitivity(swap: pl.DataFrame, level: float) -> dict:
    """Return TABLE_2 without `measure`, by the fitted rates; the open last bin is no answer."""
    within = (pl.col("fitted") <= level) & (pl.col("bin") < pl.col("bin").max())
    required = swap.with_columns(fit_rates(swap)).filter(within).select(pl.min("lower")).item()
    highest = swap["highest"][0]
    row: dict[str, Any] = {"questions": swap["questions"][0], "size": swap["size"][0]}
    row |= {"required_difference": required, "highest_value": highest}
    if required is not None:
        reaching = swap.filter(pl.col("lower") >= required).select(pl.sum("comparisons")).item()
        comparisons, ties = swap.select(pl.sum("comparisons", "ties")).row(0)
        row["relative_difference"] = required / highest if highest else None
        # Equal scores are no difference
        row["sensitivity"] = (reaching - (ties if required == 0 else 0)) / comparisons
    return row
