"""Error rate and question-set size (Voorhees 2003, section 4): the swap method at many sizes, and
curves through it.

Curves extrapolated to more questions promise too much (docs/reliability.md), so that no campaign
has them unless it asks, and no number of questions is read off them; `sample_size` tells how many
questions are needed.
"""

import numpy as np
import polars as pl

from nonresponse.settings import Settings
from nonresponse.statistics import SMALLEST_SIZE
from nonresponse.statistics.cache import NOTHING, Cache
from nonresponse.statistics.outcomes import Outcomes
from nonresponse.statistics.sample_size import (
    fit_models,
    judged,
    pairs_on_all_questions,
    typical_rate,
)
from nonresponse.statistics.subsets import sizes
from nonresponse.statistics.swap import count_draws, enough, lower_bounds, split_counts

# From this difference on, a curve is mostly its flat tail. Voorhees (2003, section 4) fits none for
# "bins where differences were greater than 0.16": all of the bin that begins there, except
# differences of exactly 0.16.
TOO_LARGE = 0.16
FEWEST_SIZES = 10  # with fewer, fits to draws from our campaigns were wrong
SAME = 1e-9  # differences closer than this are the same
COMPARISONS = 500_000  # of two runs, at each size
FEWEST = 3  # trials at each size, however many runs there are
# The differences in EXPECTED: few enough to tell apart in a figure
CURVES = [0.01, 0.02, 0.03, 0.05, 0.07, 0.10, 0.15]
SIZES = 30  # in EXPECTED, from 1 to all questions, denser at the start, where the rate falls fast

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
EXPECTED = {"difference": pl.Float64, "size": pl.Int64, "swap_rate": pl.Float64}


def make(
    outcomes: Outcomes, assessor: str, campaign: str, settings: Settings, cache: Cache = NOTHING
) -> list[pl.DataFrame]:
    """Return CURVE: swaps at all sizes, with fitted curves; and EXPECTED.

    Differences are computed as shares, and multiplied by the measure's scale for the tables.
    """
    scale, swaps = outcomes.measure.scale, count_sizes(outcomes, campaign, settings, cache)
    expected = expected_rates(outcomes, settings["seed"], campaign)
    return [
        with_curves(swaps, judged(outcomes, outcomes.n)).with_columns(pl.col("lower") * scale),
        expected.with_columns(pl.col("difference") * scale),
    ]


def count_sizes(
    outcomes: Outcomes, campaign: str, settings: Settings, cache: Cache = NOTHING
) -> pl.DataFrame:
    """Return the comparisons and swaps of each bin at each size."""
    of_sizes, scale = sizes(outcomes.n, settings["sizes"]), outcomes.measure.scale
    lower = lower_bounds(settings["bins"], settings["width"], scale)
    trials = min(settings["size_trials"], enough(len(outcomes.runs), COMPARISONS, FEWEST))
    draws = [(size, trial) for size in of_sizes for trial in range(trials)]
    of_draws, _ = count_draws(
        outcomes, settings["seed"], campaign, draws, lower, cache, "error_curves"
    )
    counted = of_draws.reshape(len(of_sizes), trials, of_draws.shape[1]).sum(axis=1)
    comparisons, swaps, _ = split_counts(counted)
    return pl.DataFrame(
        {
            "bin": np.tile(np.arange(1, len(lower) + 1, dtype=np.int32), len(of_sizes)),
            "lower": np.tile(lower_bounds(settings["bins"], settings["width"]), len(of_sizes)),
            "size": np.repeat(
                np.array([judged(outcomes, size) for size in of_sizes], np.int64), len(lower)
            ),
            "comparisons": comparisons.ravel(),
            "swaps": swaps.ravel(),
        }
    )


def expected_rates(outcomes: Outcomes, seed: int, campaign: str) -> pl.DataFrame:
    """Return EXPECTED: the swap rates of CURVES by draws of true scores, up to all questions; none
    without models."""
    _, pairs = pairs_on_all_questions(outcomes)
    models = fit_models(pairs, outcomes.measure.scale, seed, campaign)
    if models is None:
        return pl.DataFrame(schema=EXPECTED)
    size = np.unique((np.linspace(1, np.sqrt(outcomes.n), SIZES) ** 2).round().astype(np.int64))
    rates = [typical_rate(size, difference, models) for difference in CURVES]
    in_questions = [judged(outcomes, number) for number in size]
    columns = (
        np.repeat(CURVES, len(size)),
        np.tile(in_questions, len(CURVES)),
        np.concatenate(rates),
    )
    return pl.DataFrame(dict(zip(EXPECTED, columns, strict=True)), EXPECTED)


def with_curves(swaps: pl.DataFrame, n: int) -> pl.DataFrame:
    """Return CURVE, sorted by bin and size, from what `count_sizes` returns; n is the number of all
    questions."""
    last, parts = swaps["bin"].max() if swaps["bin"].n_unique() > 1 else None, []
    for (bin, lower), own in swaps.group_by("bin", "lower", maintain_order=True):
        usable = own.filter(pl.col("size") > SMALLEST_SIZE, pl.col("comparisons") > 0).sort("size")
        # No curve through the smallest differences, those that are too large, too few sizes, or no
        # swaps.
        fits = (
            1 < bin != last
            and lower <= TOO_LARGE - SAME
            and usable.height >= FEWEST_SIZES
            and usable["swaps"].sum()
        )
        a1, a2 = (
            fit_curve(*usable.select("size", "comparisons", "swaps").to_numpy().T)
            if fits
            else (None, None)
        )
        parts.append(own.with_columns(a1=pl.lit(a1, pl.Float64), a2=pl.lit(a2, pl.Float64)))
    rows = (
        pl.concat(parts)
        if parts
        else swaps.with_columns(a1=pl.lit(None, pl.Float64), a2=pl.lit(None, pl.Float64))
    )
    at_n = rows.unique("bin").select("bin", "lower", "a1", "a2", size=pl.lit(n, pl.Int64))
    rows = pl.concat([rows, at_n], how="diagonal")
    rate = pl.when(pl.col("comparisons") > 0).then(pl.col("swaps") / pl.col("comparisons"))
    fitted = pl.col("a1") * (-pl.col("a2") * pl.col("size")).exp()
    return rows.with_columns(error_rate=rate, fitted=fitted).select(*CURVE).sort("bin", "size")


def fit_curve(
    size: np.ndarray, comparisons: np.ndarray, swaps: np.ndarray
) -> tuple[float, float] | tuple[None, None]:
    """Return A1 and A2 of A1 exp(-A2 size), by weighted least squares; null where the error rate
    does not fall.

    Comparisons within a size are dependent, so the variance of its rate is that of independent
    ones, p (1 - p) / comparisons, times some factor. For accuracy, c@1 and cws the factor is 1 to 2
    and hardly changes with the size. The first pass weights without p; the second takes p from the
    first, but at least that of one swap.
    """
    rate, weight = swaps / comparisons, comparisons.astype(float)
    slowest = 1e-4 / size.max()  # a slower fall cannot be seen at these sizes
    for _ in range(2):
        low, high = slowest, 100 / size.min()
        for _ in range(8):  # the grid narrows around its best A2
            grid = np.geomspace(low, high, 100)[:, None]
            falling = np.exp(-grid * size)
            a1 = (weight * rate * falling).sum(1) / (weight * falling**2).sum(1)
            best = int(np.argmin((weight * (rate - a1[:, None] * falling) ** 2).sum(1)))
            low, high = grid[max(best - 1, 0), 0], grid[min(best + 1, 99), 0]
        if grid[best, 0] < 1.01 * slowest:
            return None, None
        expected = np.clip(a1[best] * falling[best], 1 / comparisons, 0.5)
        weight = comparisons / (expected * (1 - expected))
    return float(a1[best]), float(grid[best, 0])
