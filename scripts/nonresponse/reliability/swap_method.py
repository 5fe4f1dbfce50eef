"""The swap method (Voorhees & Buckley 2002; Peñas & Rodrigo 2011, section 4.3)."""

from collections.abc import Iterable
from functools import reduce

import numpy as np
import polars as pl

from nonresponse.reliability.outcomes import Outcomes, only, scores, scores_of_both
from nonresponse.reliability.rank_positions import fraction, rank_positions
from nonresponse.reliability.ratio import Ratio, Scores
from nonresponse.reliability.subsets import subsets
from nonresponse.wording import difference

AT_ONCE = 100  # trials

Counters = tuple[np.ndarray, np.ndarray, int, float]  # comparisons and swaps by bin, ties, the highest score


def lower_bounds(bins: int = 21, width: float = 0.01) -> list[float]:
    """Where the bins of the difference begin; the last one is open."""
    return [float(fraction(width) * bin) for bin in range(bins)]


def counters(outcomes: Outcomes, seed: int, campaign: str, size: int, trials: range, lower: list[float]) -> Counters:
    """Figure 3 of Peñas & Rodrigo 2011, with one pair of disjoint subsets per trial for all pairs of runs.

    Returns comparisons and swaps per bin and the number of ties, which add up over blocks of trials, and the highest
    score seen.
    """

    def some(start: int) -> Counters:
        """The counters of a few trials."""
        part = range(start, min(start + AT_ONCE, trials.stop))
        first, second = subsets(seed, campaign, outcomes.n, size, part)
        return count(*scores_of_both(outcomes, first, second), lower)

    return added(map(some, range(trials.start, trials.stop, AT_ONCE)), len(lower))


def counters_per_pair(
    outcomes: Outcomes, seed: int, campaign: str, size: int, trials: range, lower: list[float]
) -> Counters:
    """The same with other subsets for each pair of runs and trial, as the papers word it; slow."""
    runs = range(len(outcomes.runs))

    def of_pair(pair: Outcomes) -> Counters:
        """The counters of two runs."""
        first, second = subsets(seed, campaign, outcomes.n, size, trials, *pair.runs)
        return count(scores(pair, first), scores(pair, second), lower)

    pairs = (only(outcomes, [x, y]) for x in runs for y in runs[x + 1 :])
    return added(map(of_pair, pairs), len(lower))


def added(counted: Iterable[Counters], bins: int) -> Counters:
    """The counters of several blocks as those of one."""
    nothing = (np.zeros(bins, np.int64), np.zeros(bins, np.int64), 0, np.nan)
    return reduce(lambda a, b: (a[0] + b[0], a[1] + b[1], a[2] + b[2], float(np.fmax(a[3], b[3]))), counted, nothing)


def count(first: Scores, second: Scores, lower: list[float]) -> Counters:
    """Comparisons and swaps per bin of the difference in the first subsets, over all pairs of runs and trials.

    A swap is a pair that the two subsets order in opposite ways. Pairs of which a score is undefined do not count. The
    third count is of the pairs in the first bin that do not differ at all.
    """
    position, reach = rank_positions(first, {"difference": lower})
    other, other_reach = rank_positions(second, {"difference": lower[:1]})
    runs = position.shape[1]
    both = (position < runs) & (other < runs)
    bins = len(lower)
    comparisons, swaps, ties = np.zeros(bins, np.int64), np.zeros(bins, np.int64), 0
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
        pairs = len(order) * (len(order) - 1) // 2
        ties += pairs - int(reaching[0])
        reaching[0] = pairs  # the first bin holds the equal ones too
        comparisons += reaching - np.append(reaching[1:], 0)
        swaps += reaching_swapped - np.append(reaching_swapped[1:], 0)
    return comparisons, swaps, ties, highest(first, second)


def number_up_to(marks: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """How many of the first columns[i, k] marks of row i are set; eight marks to a byte, whose bits are counted."""
    packed = np.packbits(marks, axis=1)
    bits = np.zeros((len(marks), marks.shape[1] // 8 + 1), np.uint8)  # several times faster than np.pad
    bits[:, : packed.shape[1]] = packed
    before = np.cumsum(np.bitwise_count(bits), axis=1, dtype=np.uint32) - np.bitwise_count(bits)
    byte, rest = columns >> 3, columns & 7
    first = (0xFF00 >> rest & 0xFF).astype(np.uint8)  # the byte's first `rest` bits
    return np.take_along_axis(before, byte, 1) + np.bitwise_count(np.take_along_axis(bits, byte, 1) & first)


def highest(*halves: Scores) -> float:
    """The highest score; NaN when none is defined."""
    floats = [half.floats() if isinstance(half, Ratio) else half for half in halves]
    return float(np.fmax.reduce([np.fmax.reduce(part, axis=None) for part in floats]))


def table(
    comparisons: np.ndarray, swaps: np.ndarray, ties: int, highest: float, size: int, lower: list
) -> pl.DataFrame:
    """bin, lower, comparisons, swaps, swap_rate, highest, size, ties; a row per bin.

    swap_rate is null without comparisons. ties, of the first bin's comparisons, are of equal scores.
    """
    frame = pl.DataFrame(
        {"bin": range(1, len(lower) + 1), "lower": lower, "comparisons": comparisons, "swaps": swaps},
        schema={"bin": pl.Int32, "lower": pl.Float64, "comparisons": pl.Int64, "swaps": pl.Int64},
    )
    rate = pl.when(pl.col("comparisons") > 0).then(pl.col("swaps") / pl.col("comparisons"))
    value = pl.lit(None if np.isnan(highest) else highest, pl.Float64)
    of_bin = pl.when(pl.col("bin") == 1).then(pl.lit(ties, pl.Int64)).otherwise(0)
    return frame.with_columns(swap_rate=rate, highest=value, size=pl.lit(size, pl.Int64), ties=of_bin)


def fitted(swap: pl.DataFrame) -> pl.Series:
    """The swap rate as it falls with the difference, null where all comparisons are ties.

    Neighbouring bins that do not fall are pooled (isotonic regression, weights = comparisons): few comparisons in a
    bin decide nothing by themselves.
    """
    from scipy.optimize import isotonic_regression

    number = (swap["comparisons"] - swap["ties"]).to_numpy()
    seen = number > 0
    fit = np.full(len(number), np.nan)
    if seen.any():
        rate = swap["swaps"].to_numpy()[seen] / number[seen]
        fit[seen] = isotonic_regression(rate, weights=number[seen], increasing=False).x
    return pl.Series("fitted", fit).fill_nan(None)


def sensitivity(swap: pl.DataFrame, level: float) -> dict:
    """(i)-(iv) of Peñas & Rodrigo 2011, table 2: size, required_difference, highest_value, relative_difference,
    sensitivity, by the fitted rates; and the same by the literal ones, with a warning when the literal swap rate of a
    later bin exceeds the level again.

    All but size and highest_value are null when no bin's swap rate is within the level.
    """
    row = {"size": swap["size"][0], **found(swap.with_columns(fitted(swap)), pl.col("fitted") <= level, "")}
    literal = found(swap, pl.col("swap_rate") <= level, "literal_")
    del literal["literal_highest_value"]
    required = literal["literal_required_difference"]
    later = swap.clear() if required is None else swap.filter(pl.col("lower") >= required)
    again = later.filter(pl.col("swap_rate") > level)["lower"].to_list()
    warning = f"the swap rate exceeds {level:g} again at " + ", ".join(map(difference, again)) if again else ""
    return row | literal | {"warning": warning}


def found(swap: pl.DataFrame, within: pl.Expr, prefix: str) -> dict:
    """The columns of `sensitivity` that follow from the first bin that is within the level."""
    required, highest = swap.filter(within).select(pl.min("lower")).item(), swap["highest"][0]
    row = {"required_difference": required, "highest_value": highest, "relative_difference": None, "sensitivity": None}
    if required is not None:
        reaching = swap.filter(pl.col("lower") >= required).select(pl.sum("comparisons")).item()
        comparisons, all_ties = swap.select(pl.sum("comparisons", "ties")).row(0)
        ties = all_ties if required == 0 and not prefix else 0  # which are no differences
        row["relative_difference"] = required / highest if highest else None
        row["sensitivity"] = (reaching - ties) / comparisons
    return {prefix + name: value for name, value in row.items()}
