"""Simulate how often the ranges of Voorhees' error curves hold the truth where swap rates do fall as they assume."""

from collections.abc import Callable, Iterator
from math import log

import numpy as np
import polars as pl
from nonresponse.statistics.error_curves import fit, questions_needed
from nonresponse.statistics.swap import lower_bounds
from validation import page

LOWER = lower_bounds()
MANY = 10**12  # comparisons: rates as exact as floats
SIZES = np.arange(1, 251)
FITTED = LOWER[1:16]
SCHEMA = {"bin": pl.Int32, "lower": pl.Float64, "size": pl.Int64, "comparisons": pl.Int64, "swaps": pl.Int64}
LEVEL = 0.05
Rates = Callable[[float, np.ndarray], np.ndarray]
# A1 and A2 of the curve, comparisons at each size, how much more they vary than independent ones, and questions.
WORLDS = [
    (0.45, 0.004, 380, 1.3, 500),
    (0.4, 0.012, 300, 1.0, 500),
    (0.3, 0.02, 500, 1.6, 500),
    (0.5, 0.01, 900, 1.3, 120),
]


def counted(
    rates: Rates,
    comparisons: int = MANY,
    sizes: np.ndarray = SIZES,
    rng: np.random.Generator | None = None,
    factor: float = 1,
) -> pl.DataFrame:
    """The table of swaps whose error rate is rates(lower, sizes), by bin; exact, or drawn with rng.

    factor: by how much dependent comparisons vary more than independent ones do.
    """
    parts = []
    for bin, lower in enumerate(LOWER, 1):
        rate = np.clip(rates(lower, np.asarray(sizes, float)), 0, 1)
        if factor > 1 and rng:
            alike = (comparisons - 1) / (factor - 1) - 1
            rate = rng.beta(rate * alike, (1 - rate) * alike)
        swaps = rng.binomial(comparisons, rate) if rng else np.rint(comparisons * rate).astype(np.int64)
        columns = {"bin": bin, "lower": lower, "size": sizes, "comparisons": comparisons, "swaps": swaps}
        parts.append(pl.DataFrame(columns, SCHEMA))
    return pl.concat(parts)


def falling(a1: float, a2: float) -> Rates:
    """Return rates that fall as the curves assume, the same for all differences."""
    return lambda lower, size: a1 * np.exp(-a2 * size)


def rows(campaigns: int) -> Iterator[page.Row]:
    """Simulate the rows of the table."""
    for a1, a2, comparisons, factor, n in WORLDS:
        draw, truth, held = np.random.default_rng(2003), log(a1 / LEVEL) / a2, []
        for _ in range(campaigns):
            fits = fit(counted(falling(a1, a2), comparisons, np.arange(1, n // 2 + 1), draw, factor))
            told = questions_needed(fits, FITTED, LEVEL, n).drop_nulls("lower")
            held += [lower - 1 < truth <= upper for lower, upper in told.select("lower", "upper").rows()]
        yield [f"{a1:g}·exp(-{a2:g}·size)", str(n), f"{truth:,.0f}", page.coverage(float(np.mean(held)))]


SECTION = page.Section(
    "Ranges of error curves",
    "How often the range of Voorhees' curves holds the number of questions at confidence .95, where rates of swaps do"
    " fall exponentially. Those of real runs fall more slowly at large sizes, and the curves promise too much.",
    ("curve", "questions", "truth", "range holds"),
    rows,
    30,
    why=(("", "Whole numbers of questions make a range wider where the curve is steep."),),
)
