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
from nonresponse.statistics.subsets import at_once, choose_size, subsets_of_sizes

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
AT_LEVEL = ("required_difference", "highest_value", "relative_difference", "sensitivity")
TABLE_2 = {
    "measure": pl.String,
    "questions": pl.Int64,
    "size": pl.Int64,
    **dict.fromkeys(AT_LEVEL, pl.Float64),
}
DECIMALS = 12  # of the lower bounds of bins: 3 * 0.01 is 0.03
SPANS = 5  # the bins cover at most this many times the range of a share
COMPARISONS = 5_000_000  # of two runs: with many runs, fewer trials tell as much
FEWEST = 100  # trials, however many runs there are
# Trials at once; with few runs, as many as make RUNS_AT_ONCE scores
AT_ONCE, RUNS_AT_ONCE = 100, 2**14
# Scores of trials at once: their differences from one run stay in the processor's cache
CELLS = 2**16


def make(
    outcomes: Outcomes, assessor: str, campaign: str, settings: Settings, cache: Cache = NOTHING
) -> list[pl.DataFrame]:
    """Return SWAP, a row per bin."""
    size, lower = choose_size(outcomes), bins_for(outcomes, settings)
    trials = min(settings["swap_trials"], trials_for(len(outcomes.runs), COMPARISONS, FEWEST))
    draws = [(size, trial) for trial in range(trials)]
    counted, highest = count_draws(outcomes, settings["seed"], campaign, draws, lower)
    comparisons, swaps, [ties] = split_counts(counted.sum(axis=0, keepdims=True))
    frame = pl.DataFrame(
        {
            "bin": range(1, len(lower) + 1),
            "lower": lower,
            "comparisons": comparisons[0],
            "swaps": swaps[0],
            "highest": [None if np.isnan(highest) else highest] * len(lower),
            "size": [outcomes.count_questions(size)] * len(lower),
            "ties": [int(ties)] + [0] * (len(lower) - 1),
            "questions": [outcomes.question_count] * len(lower),
        },
        {name: kind for name, kind in SWAP.items() if name != "swap_rate"},
    )
    rate = pl.when(pl.col("comparisons") > 0).then(pl.col("swaps") / pl.col("comparisons"))
    return [frame.with_columns(swap_rate=rate).select(*SWAP)]


def summarise(given: Inputs, task: str, settings: Settings) -> list[pl.DataFrame]:
    """Return TABLE_2, a row per measure."""
    swaps = given.tables("swap").items()
    rows = [{"measure": id, **sensitivity(table, settings["level"])} for id, table in swaps]
    return [pl.DataFrame(rows, TABLE_2)]


def trials_for(runs: int, comparisons: int, fewest: int) -> int:
    """Return how many trials give this many comparisons of two runs, but at least `fewest`;
    `fewest` for one run."""
    return max(2 * comparisons // (runs * (runs - 1)), fewest) if runs > 1 else fewest


def bins_for(outcomes: Outcomes, settings: Settings) -> list[float]:
    """Return where the bins of the difference begin: as many as `bins` for a range of 1, more for a
    wider one."""
    low, high = intervals.find_range(outcomes)
    spans = int(np.clip(np.ceil((high - low) / outcomes.measure.scale), 1, SPANS))
    return lower_bounds(
        (settings["bins"] - 1) * spans + 1, settings["width"], outcomes.measure.scale
    )


def lower_bounds(bins: int = 21, width: float = 0.01, scale: int = 1) -> list[float]:
    """Return where the bins of the difference begin, in a measure of some scale; the last one is
    open."""
    return [round(width * bin * scale, DECIMALS) for bin in range(bins)]


def count_draws(
    outcomes: Outcomes,
    seed: int,
    campaign: str,
    draws: list[tuple[int, int]],
    lower: list[float],
) -> tuple[np.ndarray, float]:
    """Return what `count_swaps` does for each draw (size, trial), and the highest score.

    Figure 3 of Peñas & Rodrigo 2011, with one pair of disjoint subsets per draw for all pairs of
    runs.
    """
    counted, most = np.zeros((len(draws), 2 * len(lower) + 1), np.int64), np.nan
    step = at_once(outcomes.n, max(AT_ONCE, RUNS_AT_ONCE // max(len(outcomes.runs), 1)))
    for start in range(0, len(draws), step):
        some = slice(start, start + step)
        halves = np.concatenate(subsets_of_sizes(seed, campaign, outcomes.n, draws[some]))
        first, second = np.split(score_weighted(outcomes, halves), 2)
        counted[some] = count_swaps(first, second, lower)
        most = np.fmax.reduce(
            [most, *(np.fmax.reduce(half, axis=None) for half in (first, second))]
        )
    return counted, float(most)


def split_counts(counted: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Split rows of `count_swaps` into comparisons and swaps by bin, and ties."""
    bins = counted.shape[1] // 2
    return counted[:, :bins], counted[:, bins:-1], counted[:, -1]


def count_swaps(first: np.ndarray, second: np.ndarray, lower: list[float]) -> np.ndarray:
    """Count comparisons and swaps by bin of the difference in the first subset, and ties, over all
    pairs of runs: (trials, 2 bins + 1).

    A swap is a pair that the two subsets order in opposite ways. Pairs with an undefined score do
    not count. Ties are the pairs in the first bin with equal scores.
    """
    step = max(CELLS // max(first.shape[1], 1), 8)  # their scores stay in the processor's cache
    starts = range(0, len(first), step)
    return np.concatenate(
        [count_some(first[at : at + step], second[at : at + step], lower) for at in starts]
    )


def count_some(first: np.ndarray, second: np.ndarray, lower: list[float]) -> np.ndarray:
    """Count what `count_swaps` does, for few trials."""
    trials, runs = first.shape
    bins, width = len(lower), lower[1]
    scores = np.ascontiguousarray(first.T) / width
    one = dense_ranks(first.T)
    other = dense_ranks(second.T)
    unknown = np.isnan(one + other)
    one[unknown], gaps = np.nan, unknown.any()
    room = TOLERANCE * max(1 / width, np.max(np.abs(scores), where=~unknown, initial=0))
    columns = 2 * bins + 1  # comparisons and swaps by bin, and pairs with an undefined score
    row, found = np.arange(trials) * columns, np.zeros(trials * columns, np.int64)
    for run in range(runs - 1):
        turned = (one[run] - one[run + 1 :]) * (other[run] - other[run + 1 :])  # below 0 in a swap
        place = np.abs(scores[run] - scores[run + 1 :])
        place += room
        np.minimum(place, bins - 1, out=place)
        if gaps:
            np.copyto(place, 2 * bins, where=np.isnan(turned))
        bin = place.astype(np.int64) + row
        np.add(bin, bins, out=bin, where=turned < 0)
        found += np.bincount(bin.ravel(), minlength=len(found))
    ordered, swapped = (
        found.reshape(trials, columns)[:, : 2 * bins].reshape(trials, 2, bins).transpose(1, 0, 2)
    )
    # Ranks, trial by trial
    cells = (one + np.arange(trials) * runs)[~np.isnan(one)].astype(np.int64)
    often = np.bincount(cells, minlength=runs * trials).reshape(trials, runs)
    return np.column_stack([ordered + swapped, swapped, (often * (often - 1) // 2).sum(axis=1)])


def dense_ranks(scores: np.ndarray) -> np.ndarray:
    """Return the rank of each score among those of its column, the lowest 0; equal ones share it.
    (runs, trials)."""
    order = np.argsort(scores, axis=0)
    ranked = np.take_along_axis(scores, order, 0)
    new = np.diff(ranked, axis=0) > TOLERANCE * np.maximum(np.abs(ranked[1:]), 1)
    ranks, found = np.zeros(scores.shape, np.float32), np.empty(scores.shape, np.float32)
    np.cumsum(new, axis=0, out=ranks[1:])
    np.put_along_axis(found, order, ranks, 0)
    found[np.isnan(scores)] = np.nan
    return found


def fit_rates(swap: pl.DataFrame) -> pl.Series:
    """Return the swap rate of each bin, fitted so that it falls with the difference; null where all
    are ties.

    Neighbouring bins whose rate does not fall are pooled (isotonic regression, weights =
    comparisons without ties): few comparisons in a bin decide nothing by themselves.
    """
    number = (swap["comparisons"] - swap["ties"]).to_numpy()
    seen = number > 0
    pools: list[tuple[int, ...]] = []  # swaps, comparisons and bins of each
    for swaps, compared in zip(
        swap["swaps"].to_numpy()[seen].tolist(), number[seen].tolist(), strict=True
    ):
        pools.append((swaps, compared, 1))
        while len(pools) > 1 and pools[-2][0] * pools[-1][1] <= pools[-1][0] * pools[-2][1]:
            pools[-2:] = [tuple(map(add, *pools[-2:]))]
    fit = np.full(len(number), np.nan)
    fit[seen] = [swaps / compared for swaps, compared, bins in pools for _ in range(bins)]
    return pl.Series("fitted", fit).fill_nan(None)


def sensitivity(swap: pl.DataFrame, level: float) -> dict:
    """Return the columns of TABLE_2 but `measure`, by the fitted rates; the open last bin is no
    answer."""
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
