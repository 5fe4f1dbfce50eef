"""Error rate and question-set size (Voorhees 2003, section 4): the swap method at many sizes, and
curves through it.

Curves extrapolated to more questions promise too much (docs/reliability.md). So no campaign has
them unless it asks, and `sample_size` tells how many questions are needed.
"""

import numpy as np
import polars as pl

from nonresponse.settings import Settings
from nonresponse.statistics import SMALLEST_SIZE
from nonresponse.statistics.cache import NOTHING, Cache
from nonresponse.statistics.outcomes import TOLERANCE, Outcomes
from nonresponse.statistics.pairs import select_best
from nonresponse.statistics.sample_size import count_judged
from nonresponse.statistics.subsets import choose_sizes
from nonresponse.statistics.swap import count_draws, limit_trials, list_bins, split_counts

# From this difference on, a curve is mostly its flat tail. Voorhees (2003, section 4) fits none for
# "bins where differences were greater than 0.16": all of the bin that begins there, except
# differences of exactly 0.16.
TOO_LARGE = 0.16
MIN_SIZES = 10  # with fewer, fits to draws from our campaigns were wrong
COMPARISONS = 500_000  # of two runs, at each size
MIN_TRIALS = 3  # at each size, however many runs there are
# Of the decline over the sizes: tried per round, which narrows them around the best, and rounds
STEPS, ROUNDS = 201, 5
SLOWEST, FASTEST = 1e-4, 100.0  # decline over the sizes

CURVE = {
    "bin": pl.Int32,
    "lower": pl.Float64,  # where the bin of the difference begins; the last bin is open
    # questions; a row per bin is for all questions, which no two disjoint subsets have
    "size": pl.Int64,
    "comparisons": pl.Int64,  # null at all questions, like `swaps`
    "swaps": pl.Int64,
    "error_rate": pl.Float64,  # null without comparisons
    "a1": pl.Float64,  # of the curve a1 exp(-a2 size); null where none fits, like the next two
    "a2": pl.Float64,
    "fitted": pl.Float64,
}


def make(
    outcomes: Outcomes, assessor: str, campaign: str, settings: Settings, cache: Cache = NOTHING
) -> list[pl.DataFrame]:
    """Return CURVE: swaps at all sizes, with fitted curves."""
    outcomes = select_best(outcomes)
    sizes = choose_sizes(outcomes.n, settings["sizes"])
    trials = limit_trials(len(outcomes.runs), COMPARISONS, MIN_TRIALS)
    trials = min(settings["size_trials"], trials)
    draws = [(size, trial) for size in sizes for trial in range(trials)]
    lower = list_bins(settings["bins"], settings["width"])
    counts, _ = count_draws(outcomes, settings["seed"], campaign, draws, lower)
    counts = counts.reshape(len(sizes), trials, counts.shape[1]).sum(axis=1)
    comparisons, swaps, _ = split_counts(counts)
    size = np.array([count_judged(outcomes, size) for size in sizes], np.int64)
    return [fit_curves(lower, size, comparisons, swaps, count_judged(outcomes, outcomes.n))]


def fit_curves(
    lower: list[float], size: np.ndarray, comparisons: np.ndarray, swaps: np.ndarray, n: int
) -> pl.DataFrame:
    """Return CURVE by bin and size, from counts (sizes, bins) and the number of all questions."""
    rows: list[tuple] = []
    for bin, low in enumerate(lower):
        usable = (size > SMALLEST_SIZE) & (comparisons[:, bin] > 0)
        points = size[usable], comparisons[usable, bin], swaps[usable, bin]
        # The first bin has the smallest differences, the last one all large ones
        fits = 0 < bin < len(lower) - 1 and low <= TOO_LARGE - TOLERANCE
        fits = fits and usable.sum() >= MIN_SIZES and points[2].any()
        curve = fit_curve(*points) if fits else (None, None)
        counts = np.stack([size, comparisons[:, bin], swaps[:, bin]], axis=1).tolist()
        rows += [(bin + 1, low, *row, None, *curve, None) for row in [*counts, (n, None, None)]]
    table = pl.DataFrame(rows, CURVE, orient="row")
    rate = pl.when(pl.col("comparisons") > 0).then(pl.col("swaps") / pl.col("comparisons"))
    fitted = pl.col("a1") * (-pl.col("a2") * pl.col("size")).exp()
    return table.with_columns(error_rate=rate, fitted=fitted)


def fit_curve(
    size: np.ndarray, comparisons: np.ndarray, swaps: np.ndarray
) -> tuple[float, float] | tuple[None, None]:
    """Return A1 and A2 of A1 exp(-A2 size), by weighted least squares; null where the error rate
    does not fall.

    Comparisons within a size are dependent, so the variance of its rate is that of independent
    ones, p (1 - p) / comparisons, times some factor. For accuracy, c@1 and cws the factor is 1 to 2
    and hardly changes with the size. The first pass weights without p. The second takes p from the
    first, but at least that of one swap.
    """
    rate, weight, a1, a2 = swaps / comparisons, comparisons.astype(float), 0.0, 0.0
    for _ in range(2):
        declines = np.geomspace(SLOWEST, FASTEST, STEPS) / size.max()
        for _ in range(ROUNDS):
            curve = np.exp(-declines[:, None] * size)
            height = (curve * rate) @ weight / np.maximum(curve**2 @ weight, 1e-300)
            best = ((rate - height[:, None] * curve) ** 2 @ weight).argmin()
            a1, a2 = float(height[best]), float(declines[best])
            low, high = declines[max(best - 1, 0)], declines[min(best + 1, STEPS - 1)]
            declines = np.geomspace(low, high, STEPS)
        if not SLOWEST * 1.01 < a2 * size.max() < FASTEST / 1.01:
            return None, None
        expected = np.clip(a1 * np.exp(-a2 * size), 1 / comparisons, 0.5)
        weight = comparisons / (expected * (1 - expected))
    return a1, a2
