"""The swap method (Voorhees & Buckley 2002; Peñas & Rodrigo 2011, section 4.3)."""

from itertools import pairwise
from operator import add
from pathlib import Path

import numpy as np
import polars as pl

from nonresponse.settings import Settings
from nonresponse.statistics import intervals
from nonresponse.statistics.cache import NOTHING, Cache
from nonresponse.statistics.outcomes import Outcomes, values
from nonresponse.statistics.rank_positions import TOLERANCE
from nonresponse.statistics.subsets import at_once, size_for, subsets_of_sizes
from nonresponse.statistics.table_files import by_measure
from nonresponse.wording import difference

AT_LEVEL = ("required_difference", "highest_value", "relative_difference", "sensitivity")
# Table 2 of Peñas & Rodrigo 2011, a row per measure.
TABLE_2 = {"questions": pl.Int64, "size": pl.Int64, "warning": pl.String} | {
    f"{by}{name}": pl.Float64 for by in ("", "literal_") for name in AT_LEVEL
}
# The 95 % range of required_difference over other draws of the subsets; null = none within the range of the bins.
TABLE_2 |= dict.fromkeys(("required_lower", "required_upper"), pl.Float64)
DECIMALS = 12  # of the lower bounds of bins: 3 * 0.01 is 0.03
SPANS = 5  # the bins cover at most this many times the range of a share
BATCHES = 20  # of the trials, from which the error of a rate follows
COMPARISONS = 5_000_000  # of two runs: with many runs, fewer trials tell as much
NORMAL = 1.96  # standard errors to either side hold 95 %
FEWEST = 100  # trials, however many runs there are
AT_ONCE, RUNS_AT_ONCE = 100, 2**14  # trials at once; with few runs, as many as make RUNS_AT_ONCE scores
CELLS = 2**16  # scores of trials at once: their differences from one run stay in the processor's cache


def count(outcomes: Outcomes, campaign: str, settings: Settings, cache: Cache = NOTHING) -> dict:
    """Return comparisons and swaps (BATCHES, bins), ties (BATCHES,) and highest of one size."""
    size, lower = size_for(outcomes, settings["size"]), bins_for(outcomes, settings)
    trials = min(settings["swap_trials"], enough(len(outcomes.runs), COMPARISONS, FEWEST))
    draws = [(size, trial) for trial in range(trials)]
    of_draws, highest = counters(outcomes, settings["seed"], campaign, draws, lower, cache)
    ends = [trials * batch // BATCHES for batch in range(BATCHES + 1)]
    of_batches = np.stack([of_draws[start:stop].sum(axis=0) for start, stop in pairwise(ends)])
    return dict(zip(("comparisons", "swaps", "ties"), in_parts(of_batches), strict=True)) | {"highest": highest}


def enough(runs: int, comparisons: int, fewest: int) -> int:
    """How many trials give this many comparisons of two runs, but at least `fewest`; `fewest` for a single run.

    With many runs, fewer trials tell as much.
    """
    return max(2 * comparisons // (runs * (runs - 1)), fewest) if runs > 1 else fewest


def bins_for(outcomes: Outcomes, settings: Settings) -> list[float]:
    """Where the bins of the difference begin: as many as `bins` says for a range of 1, more for a wider one."""
    low, high = intervals.range_of(outcomes)
    spans = int(np.clip(np.ceil((high - low) / outcomes.measure.scale), 1, SPANS))
    return lower_bounds((settings["bins"] - 1) * spans + 1, settings["width"], outcomes.measure.scale)


def make(outcomes: Outcomes, assessor: str, campaign: str, settings: Settings, cache: Cache) -> list[pl.DataFrame]:
    """Return the swap rates, with their errors, the size of a subset and the number of all questions."""
    counted = count(outcomes, campaign, settings, cache)
    size, lower = size_for(outcomes, settings["size"]), bins_for(outcomes, settings)
    of_all = {name: part.sum(axis=0) for name, part in counted.items() if name != "highest"}
    of_all |= {"highest": counted["highest"], "error": errors(counted)}
    rates = swap_rates(**of_all, size=outcomes.in_questions(size), lower=lower)
    return [rates.with_columns(questions=pl.lit(outcomes.asked))]


def errors(counted: dict) -> pl.Series:
    """The standard error of each bin's swap rate without ties, from the batches of trials; null without comparisons."""
    number = counted["comparisons"].astype(np.float64)
    number[:, 0] -= counted["ties"]
    with np.errstate(invalid="ignore", divide="ignore"):
        rate = counted["swaps"].sum(axis=0) / number.sum(axis=0)
        squares = ((counted["swaps"] - rate * number) ** 2).sum(axis=0) / number.sum(axis=0) ** 2
    batches = (number.sum(axis=1) > 0).sum()
    return pl.Series(np.sqrt(squares * batches / max(batches - 1, 1)), dtype=pl.Float64).fill_nan(None)


def summarise(files: list[Path], task: str, settings: Settings) -> list[pl.DataFrame]:
    """TABLE_2, a row per measure."""
    rows = [
        {"measure": id, "questions": table["questions"][0], **sensitivity(table, settings["level"])}
        for id, table in by_measure(files, "swap").items()
    ]
    summary = pl.DataFrame(rows, infer_schema_length=None)
    return [summary.cast({name: kind for name, kind in TABLE_2.items() if name in summary.columns})]


def lower_bounds(bins: int = 21, width: float = 0.01, scale: int = 1) -> list[float]:
    """Where the bins of the difference begin, in a measure of some scale; the last one is open."""
    return [round(width * bin * scale, DECIMALS) for bin in range(bins)]


def counters(
    outcomes: Outcomes,
    seed: int,
    campaign: str,
    draws: list[tuple[int, int]],
    lower: list[float],
    cache: Cache = NOTHING,
    analysis: str = "swap",
) -> tuple[np.ndarray, float]:
    """Figure 3 of Peñas & Rodrigo 2011, with one pair of disjoint subsets per draw (size, trial) for all pairs of runs.

    What `count_swaps` gives for each draw, and the highest score. The cache knows draws by the analysis.
    """
    of_draws, most = np.zeros((len(draws), 2 * len(lower) + 1), np.int64), np.nan
    step = at_once(outcomes.n, max(AT_ONCE, RUNS_AT_ONCE // max(len(outcomes.runs), 1)))
    for start in range(0, len(draws), step):
        some = slice(start, start + step)
        first, second = subsets_of_sizes(seed, campaign, outcomes.n, draws[some])
        first, second = np.split(values(outcomes, np.concatenate([first, second])), 2)
        of_draws[some] = count_new(first, second, lower, f"{analysis} {start}", cache)
        most = np.fmax.reduce([most, *(np.fmax.reduce(half, axis=None) for half in (first, second))])
    return of_draws, float(most)


def count_new(first: np.ndarray, second: np.ndarray, lower: list[float], name: str, cache: Cache) -> np.ndarray:
    """Return what `count_swaps` does; trials in which no score has changed are not counted again."""
    place = cache.find_rows(name, first, second)

    def of_new(new: np.ndarray) -> np.ndarray:
        return count_swaps(first[new], second[new], lower)

    return cache.rows(f"swaps of {name}", place, name, of_new, (2 * len(lower) + 1,), np.int64)


def in_parts(counted: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Split rows of `count_swaps` into comparisons and swaps by bin, and ties."""
    bins = counted.shape[1] // 2
    return counted[:, :bins], counted[:, bins:-1], counted[:, -1]


def count_swaps(first: np.ndarray, second: np.ndarray, lower: list[float]) -> np.ndarray:
    """Comparisons and swaps by bin of the difference in the first subset, and ties, over all pairs of runs:
    (trials, 2 bins + 1).

    A swap is a pair that the two subsets order in opposite ways. Pairs with an undefined score do not count. Ties are
    the pairs in the first bin with equal scores.
    """
    step = max(CELLS // max(first.shape[1], 1), 8)
    starts = range(0, len(first), step)
    return np.concatenate([count_some(first[at : at + step], second[at : at + step], lower) for at in starts])


def count_some(first: np.ndarray, second: np.ndarray, lower: list[float]) -> np.ndarray:
    """What `count_swaps` does, for few trials: their scores stay in the processor's cache."""
    trials, runs = first.shape
    bins, width = len(lower), lower[1]
    scores, one, other = np.ascontiguousarray(first.T) / width, dense_ranks(first.T), dense_ranks(second.T)
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
    ordered, swapped = found.reshape(trials, columns)[:, : 2 * bins].reshape(trials, 2, bins).transpose(1, 0, 2)
    return np.column_stack([ordered + swapped, swapped, ties_in(one)])


def dense_ranks(scores: np.ndarray) -> np.ndarray:
    """The rank of each score among those of its column, the lowest 0; equal ones share it. (runs, trials) float32."""
    order = np.argsort(scores, axis=0)
    ranked = np.take_along_axis(scores, order, 0)
    new = np.diff(ranked, axis=0) > TOLERANCE * np.maximum(np.abs(ranked[1:]), 1)
    ranks, found = np.zeros(scores.shape, np.float32), np.empty(scores.shape, np.float32)
    np.cumsum(new, axis=0, out=ranks[1:])
    np.put_along_axis(found, order, ranks, 0)
    found[np.isnan(scores)] = np.nan
    return found


def ties_in(ranks: np.ndarray) -> np.ndarray:
    """The number of pairs with equal ranks in each trial; ranks are (runs, trials), NaN = none."""
    runs, trials = ranks.shape
    cells = (ranks + np.arange(trials) * runs)[~np.isnan(ranks)].astype(np.int64)
    often = np.bincount(cells, minlength=runs * trials).reshape(trials, runs)
    return (often * (often - 1) // 2).sum(axis=1)


def swap_rates(
    comparisons: np.ndarray,
    swaps: np.ndarray,
    ties: int,
    highest: float,
    size: int,
    lower: list,
    error: pl.Series | None = None,
) -> pl.DataFrame:
    """bin, lower, comparisons, swaps, swap_rate, highest, size, ties, error; a row per bin.

    swap_rate is null without comparisons; error is its standard error over draws, null where it is not known. ties are
    comparisons of equal scores, all in the first bin.
    """
    frame = pl.DataFrame(
        {"bin": range(1, len(lower) + 1), "lower": lower, "comparisons": comparisons, "swaps": swaps},
        schema={"bin": pl.Int32, "lower": pl.Float64, "comparisons": pl.Int64, "swaps": pl.Int64},
    )
    rate = pl.when(pl.col("comparisons") > 0).then(pl.col("swaps") / pl.col("comparisons"))
    value = pl.lit(None if np.isnan(highest) else float(highest), pl.Float64)
    of_bin = pl.when(pl.col("bin") == 1).then(pl.lit(int(ties), pl.Int64)).otherwise(0)
    return frame.with_columns(swap_rate=rate, highest=value, size=pl.lit(size, pl.Int64), ties=of_bin).with_columns(
        error=pl.lit(None, pl.Float64) if error is None else error
    )


def fitted(swap: pl.DataFrame) -> pl.Series:
    """The swap rate of each bin, fitted so that it falls with the difference; null where all comparisons are ties.

    Neighbouring bins whose rate does not fall are pooled (isotonic regression, weights = comparisons without ties): few
    comparisons in a bin decide nothing by themselves.
    """
    number = (swap["comparisons"] - swap["ties"]).to_numpy()
    seen = number > 0
    pools: list[tuple[int, ...]] = []  # swaps, comparisons and bins of each
    for swaps, compared in zip(swap["swaps"].to_numpy()[seen].tolist(), number[seen].tolist(), strict=True):
        pools.append((swaps, compared, 1))
        while len(pools) > 1 and pools[-2][0] * pools[-1][1] <= pools[-1][0] * pools[-2][1]:
            pools[-2:] = [tuple(map(add, *pools[-2:]))]
    fit = np.full(len(number), np.nan)
    fit[seen] = [swaps / compared for swaps, compared, bins in pools for _ in range(bins)]
    return pl.Series("fitted", fit).fill_nan(None)


def sensitivity(swap: pl.DataFrame, level: float) -> dict:
    """(i)-(iv) of Peñas & Rodrigo 2011, table 2: size, required_difference, highest_value, relative_difference,
    sensitivity, by the fitted rates; all but size and highest_value also by the literal rates, with a warning if the
    literal rate exceeds the level again in a later bin.

    All but size and highest_value are null when no bin's swap rate is within the level.
    """
    fit = swap.with_columns(fitted(swap))
    bounded = pl.col("bin") < pl.col("bin").max()  # the last bin is open: its differences may be much larger
    row = {"size": swap["size"][0], **at_level(fit, (pl.col("fitted") <= level) & bounded, "")}
    for name, way in (("required_lower", -1), ("required_upper", 1)):
        within = pl.col("fitted") + way * NORMAL * pl.col("error").fill_null(0) <= level
        row[name] = fit.filter(within & bounded).select(pl.min("lower")).item()
    literal = at_level(swap, pl.col("swap_rate") <= level, "literal_")
    del literal["literal_highest_value"]
    required = literal["literal_required_difference"]
    later = swap.clear() if required is None else swap.filter(pl.col("lower") >= required)
    again = later.filter(pl.col("swap_rate") > level)["lower"].to_list()
    warning = f"the swap rate exceeds {level:g} again at " + ", ".join(map(difference, again)) if again else ""
    return row | literal | {"warning": warning}


def at_level(swap: pl.DataFrame, within: pl.Expr, prefix: str) -> dict:
    """The columns of `sensitivity` that follow from the first bin whose swap rate is within the level."""
    required, highest = swap.filter(within).select(pl.min("lower")).item(), swap["highest"][0]
    row = {"required_difference": required, "highest_value": highest, "relative_difference": None, "sensitivity": None}
    if required is not None:
        reaching = swap.filter(pl.col("lower") >= required).select(pl.sum("comparisons")).item()
        comparisons, all_ties = swap.select(pl.sum("comparisons", "ties")).row(0)
        ties = all_ties if required == 0 and not prefix else 0  # equal scores are no difference
        row["relative_difference"] = required / highest if highest else None
        row["sensitivity"] = (reaching - ties) / comparisons
    return {prefix + name: value for name, value in row.items()}
