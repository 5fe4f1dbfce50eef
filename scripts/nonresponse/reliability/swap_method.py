"""The swap method (Voorhees & Buckley 2002; Peñas & Rodrigo 2011, section 4.3)."""

from collections.abc import Iterable
from functools import reduce

import numpy as np
import polars as pl

from nonresponse.reliability.outcomes import Outcomes, only, scores
from nonresponse.reliability.rank_positions import fraction, rank_positions
from nonresponse.reliability.ratio import Ratio
from nonresponse.reliability.subsets import subsets
from nonresponse.wording import difference

AT_ONCE = 100  # trials


def lower_bounds(bins: int = 21, width: float = 0.01) -> list[float]:
    """Where the bins of the difference begin; the last one is open."""
    return [float(fraction(width) * bin) for bin in range(bins)]


def counters(outcomes: Outcomes, seed: int, campaign: str, size: int, trials: range, lower: list) -> tuple:
    """Figure 3 of Peñas & Rodrigo 2011, with one pair of disjoint subsets per trial for all pairs of runs.

    Returns comparisons and swaps per bin, which add up over blocks of trials, and the highest score seen.
    """

    def some(start):
        part = range(start, min(start + AT_ONCE, trials.stop))
        return count(*(scores(outcomes, half) for half in subsets(seed, campaign, outcomes.n, size, part)), lower)

    return added(map(some, range(trials.start, trials.stop, AT_ONCE)), len(lower))


def counters_per_pair(outcomes: Outcomes, seed: int, campaign: str, size: int, trials: range, lower: list) -> tuple:
    """The same with subsets of its own for each pair of runs and trial, as the papers word it; slow."""
    runs = range(len(outcomes.runs))
    pairs = (only(outcomes, [x, y]) for x in runs for y in runs[x + 1 :])
    counted = (
        count(*(scores(pair, half) for half in subsets(seed, campaign, outcomes.n, size, trials, *pair.runs)), lower)
        for pair in pairs
    )
    return added(counted, len(lower))


def added(counted: Iterable[tuple], bins: int) -> tuple[np.ndarray, np.ndarray, float]:
    """The counters of several blocks as those of one."""
    nothing = (np.zeros(bins, np.int64), np.zeros(bins, np.int64), np.nan)
    return reduce(lambda a, b: (a[0] + b[0], a[1] + b[1], float(np.fmax(a[2], b[2]))), counted, nothing)


def count(first: Ratio | np.ndarray, second: Ratio | np.ndarray, lower: list) -> tuple[np.ndarray, np.ndarray, float]:
    """Comparisons and swaps per bin of the difference in the first subsets, over all pairs of runs and trials.

    A swap is a pair that the two subsets order in opposite ways. Pairs of which a score is undefined do not count.
    """
    position, reach = rank_positions(first, {"difference": lower})
    other, other_reach = rank_positions(second, {"difference": lower[:1]})
    runs = position.shape[1]
    both = (position < runs) & (other < runs)
    bins = len(lower)
    comparisons, swaps = np.zeros(bins, np.int64), np.zeros(bins, np.int64)
    for trial in range(len(position)):
        known = np.flatnonzero(both[trial])
        if len(known) == runs:
            order = np.argsort(position[trial], kind="stable")
            up_to = reach[trial][:, order]
        else:
            # Positions among those that have both scores.
            order = known[np.argsort(position[trial, known], kind="stable")]
            up_to = np.searchsorted(position[trial, order], reach[trial][:, order].ravel(), "left").reshape(bins, -1)
        beaten = other[trial, order][:, None] < other_reach[trial, 0, order]  # x (row) is behind y (column)
        reaching = up_to.sum(axis=1, dtype=np.int64)
        reaching_swapped = number_up_to(beaten, up_to.T.astype(np.int64)).sum(axis=0, dtype=np.int64)
        reaching[0] = len(order) * (len(order) - 1) // 2  # the first bin holds the equal ones too
        comparisons += reaching - np.append(reaching[1:], 0)
        swaps += reaching_swapped - np.append(reaching_swapped[1:], 0)
    return comparisons, swaps, highest(first, second)


def number_up_to(marks: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """How many of the first columns[i, k] marks of row i are set; eight marks to a byte, whose bits are counted."""
    bits = np.packbits(marks, axis=1)
    bits = np.pad(bits, ((0, 0), (0, 1)))
    before = np.cumsum(np.bitwise_count(bits), axis=1, dtype=np.uint32) - np.bitwise_count(bits)
    byte, rest = columns >> 3, columns & 7
    first = (0xFF00 >> rest & 0xFF).astype(np.uint8)  # the byte's first `rest` bits
    return np.take_along_axis(before, byte, 1) + np.bitwise_count(np.take_along_axis(bits, byte, 1) & first)


def highest(*halves: Ratio | np.ndarray) -> float:
    """The highest score; NaN when none is defined."""
    floats = [half.floats() if isinstance(half, Ratio) else half for half in halves]
    return float(np.fmax.reduce([np.fmax.reduce(part, axis=None) for part in floats]))


def table(comparisons: np.ndarray, swaps: np.ndarray, highest: float, size: int, lower: list) -> pl.DataFrame:
    """bin, lower, comparisons, swaps, swap_rate (null without comparisons), highest, size; a row per bin."""
    frame = pl.DataFrame(
        {"bin": range(1, len(lower) + 1), "lower": lower, "comparisons": comparisons, "swaps": swaps},
        schema={"bin": pl.Int32, "lower": pl.Float64, "comparisons": pl.Int64, "swaps": pl.Int64},
    )
    rate = pl.when(pl.col("comparisons") > 0).then(pl.col("swaps") / pl.col("comparisons"))
    value = pl.lit(None if np.isnan(highest) else highest, pl.Float64)
    return frame.with_columns(swap_rate=rate, highest=value, size=pl.lit(size, pl.Int64))


def sensitivity(swap: pl.DataFrame, level: float) -> dict:
    """(i)-(iv) of Peñas & Rodrigo 2011, table 2: size, required_difference, highest_value, relative_difference,
    sensitivity, and a warning when the swap rate of a later bin exceeds the level again.

    required_difference, relative_difference and sensitivity are null when no bin's swap rate is within the level.
    """
    within = swap.filter(pl.col("swap_rate") <= level)
    row = {"size": swap["size"][0], "required_difference": None, "highest_value": swap["highest"][0]}
    row |= {"relative_difference": None, "sensitivity": None, "warning": ""}
    if within.is_empty():
        return row
    required = within["lower"][0]
    reaching = swap.filter(pl.col("lower") >= required)
    again = reaching.filter(pl.col("swap_rate") > level)["lower"].to_list()
    if again:
        row["warning"] = f"the swap rate exceeds {level:g} again at " + ", ".join(map(difference, again))
    if row["highest_value"]:
        row["relative_difference"] = required / row["highest_value"]
    share = reaching["comparisons"].sum() / swap["comparisons"].sum()
    return row | {"required_difference": required, "sensitivity": share}
