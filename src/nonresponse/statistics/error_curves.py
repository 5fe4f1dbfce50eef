"""Error rate and question-set size (Voorhees 2003, section 4): curves over sizes, extrapolated to more questions.

The curves are fitted to what the swap method counts: bin, lower, size, comparisons, swaps. They are optimistic, so that
no campaign has them unless it asks (docs/reliability.md); `sample_size` tells how many questions are needed.
"""

import warnings

import numpy as np
import polars as pl

from nonresponse.settings import Settings
from nonresponse.statistics import SMALLEST_SIZE, components
from nonresponse.statistics.cache import NOTHING, Cache
from nonresponse.statistics.distributions import student_quantile
from nonresponse.statistics.outcomes import Outcomes
from nonresponse.statistics.sample_size import DIFFERENCES, judged, models_of, of_compared
from nonresponse.statistics.subsets import sizes
from nonresponse.statistics.swap import counters, enough, in_parts, lower_bounds

# From this difference on, a curve is mostly its flat tail. Voorhees (2003, section 4) fits none for "bins where
# differences were greater than 0.16": all of the bin that begins there, except differences of exactly 0.16.
TOO_LARGE = 0.16
FEWEST_SIZES = 10  # with fewer, fits to draws from our campaigns had narrow intervals and were wrong
FARTHEST = 10  # times the largest size measured: nobody should extrapolate beyond
WIDEST = 4  # an interval whose ends differ by a larger factor supports no answer
OPEN = "the last bin has no upper end"
NOT_FALLING = "the error rate does not fall with the number of questions"
NOT_CONVERGING = "the fit does not converge"
SAME = 1e-9  # differences closer than this are the same
COMPARISONS = 500_000  # of two runs, at each size
FEWEST = 3  # trials at each size, however many runs there are
CURVES = [0.01, 0.02, 0.03, 0.05, 0.07, 0.10, 0.15]  # the differences in EXPECTED: few enough to tell apart in a figure
SIZES = 30  # in EXPECTED, from 1 to all questions, denser at the start, where the rate falls fast

FITS = {
    "bin": pl.Int32,
    "lower": pl.Float64,
    **dict.fromkeys(("a1", "a2", "variance_a1", "variance_a2", "covariance"), pl.Float64),  # null where no curve fits
    "sizes": pl.Int64,  # that the fit could use
    "unfitted": pl.String,  # why no curve fits; empty where one does
}
NEEDED = {
    "difference": pl.Float64,
    "questions": pl.Int64,
    "lower": pl.Int64,
    "upper": pl.Int64,
    "remark": pl.String,
}
OF_CAMPAIGN = {  # the same in every row of NEEDED
    "n": pl.Int64,
    "required_difference": pl.Float64,
    "error_rate": pl.Float64,  # at that difference and n questions
}
EXPECTED = {"difference": pl.Float64, "size": pl.Int64, "swap_rate": pl.Float64}


def make(outcomes: Outcomes, assessor: str, campaign: str, settings: Settings, cache: Cache) -> list[pl.DataFrame]:
    """Return swaps at all sizes with fitted curves, NEEDED with OF_CAMPAIGN, and EXPECTED.

    Differences are computed as shares, and multiplied by the measure's scale for the tables.
    """
    n, scale, level = judged(outcomes, outcomes.n), outcomes.measure.scale, settings["level"]
    swaps = counted(outcomes, campaign, settings, cache)
    fits = fit(swaps)
    curves = with_curves(swaps, fits, n)
    required = required_difference(fits, n, level)
    at_n = curves.filter(pl.col("comparisons").is_null() & pl.col("lower").eq_missing(required))
    constant = {"n": n, "required_difference": required, "error_rate": at_n["fitted"].max()}
    needed = questions_needed(fits, DIFFERENCES, level, n).with_columns(
        pl.lit(value, OF_CAMPAIGN[name]).alias(name) for name, value in constant.items()
    )
    return [
        curves.with_columns(pl.col("lower") * scale),
        needed.with_columns(pl.col("difference", "required_difference") * scale),
        expected(outcomes, settings["seed"], campaign).with_columns(pl.col("difference") * scale),
    ]


def counted(outcomes: Outcomes, campaign: str, settings: Settings, cache: Cache) -> pl.DataFrame:
    """Return the comparisons and swaps of each bin at each size."""
    comparisons, swaps = count(outcomes, campaign, settings, cache)
    of_sizes, lower = sizes(outcomes.n, settings["sizes"]), lower_bounds(settings["bins"], settings["width"])
    return pl.DataFrame(
        {
            "bin": np.tile(np.arange(1, len(lower) + 1, dtype=np.int32), len(of_sizes)),
            "lower": np.tile(lower, len(of_sizes)),
            "size": np.repeat(np.array([judged(outcomes, size) for size in of_sizes], np.int64), len(lower)),
            "comparisons": comparisons.ravel(),
            "swaps": swaps.ravel(),
        }
    )


def count(
    outcomes: Outcomes, campaign: str, settings: Settings, cache: Cache = NOTHING
) -> tuple[np.ndarray, np.ndarray]:
    """Return comparisons and swaps by size: (sizes, bins) each."""
    of_sizes = sizes(outcomes.n, settings["sizes"])
    lower = lower_bounds(settings["bins"], settings["width"], outcomes.measure.scale)
    trials = min(settings["size_trials"], enough(len(outcomes.runs), COMPARISONS, FEWEST))
    draws = [(size, trial) for size in of_sizes for trial in range(trials)]
    of_draws, _ = counters(outcomes, settings["seed"], campaign, draws, lower, cache, "error_curves")
    comparisons, swaps, _ = in_parts(of_draws.reshape(len(of_sizes), trials, of_draws.shape[1]).sum(axis=1))
    return comparisons, swaps


def expected(outcomes: Outcomes, seed: int, campaign: str) -> pl.DataFrame:
    """Return EXPECTED: the swap rates of CURVES by components of variance, up to all questions; none without models."""
    _, runs = of_compared(outcomes)
    models = models_of(runs, outcomes, seed, campaign)
    if models is None:
        return pl.DataFrame(schema=EXPECTED)
    size = np.unique((np.linspace(1, np.sqrt(outcomes.n), SIZES) ** 2).round().astype(np.int64))
    rates = [components.typical_rate(size, difference, *models) for difference in CURVES]
    in_questions = [judged(outcomes, number) for number in size]
    columns = np.repeat(CURVES, len(size)), np.tile(in_questions, len(CURVES)), np.concatenate(rates)
    return pl.DataFrame(dict(zip(EXPECTED, columns, strict=True)), EXPECTED)


def error_rate(size: np.ndarray, a1: float, a2: float) -> np.ndarray:
    """The curve a1 exp(-a2 size) at some sizes."""
    return a1 * np.exp(-a2 * size)


def gradient(size: np.ndarray, a1: float, a2: float) -> np.ndarray:
    """The derivatives of error_rate by a1 and a2: (sizes, 2)."""
    falling = np.exp(-a2 * size)
    return np.column_stack([falling, -a1 * size * falling])


def fit(swaps: pl.DataFrame) -> pl.DataFrame:
    """FITS, a row per bin: the curve A1 exp(-A2 size) of its error rates, and the covariance of A1 and A2."""
    usable = swaps.filter(pl.col("size") > SMALLEST_SIZE, pl.col("comparisons") > 0).sort("bin", "size")
    by_bin, rows = usable.partition_by("bin", as_dict=True), []
    last = swaps["bin"].max() if swaps["bin"].n_unique() > 1 else None
    for bin, lower in swaps.select("bin", "lower").unique().sort("bin").iter_rows():
        of_bin = by_bin.get((bin,), usable.clear())
        counted = of_bin.select("size", "comparisons", "swaps").to_numpy().T
        fit_or_reason = OPEN if bin == last else reason_against(bin, lower, of_bin) or curve(*counted)
        fitted = {"unfitted": fit_or_reason} if isinstance(fit_or_reason, str) else fit_or_reason
        rows.append({"bin": bin, "lower": lower, "sizes": of_bin.height, "unfitted": "", **fitted})
    return pl.DataFrame(rows, FITS)


def reason_against(bin: int, lower: float, of_bin: pl.DataFrame) -> str | None:
    """Why no curve is fitted to a bin; None = one can be tried."""
    if bin == 1:
        return "the smallest differences are never fitted"
    if lower > TOO_LARGE - SAME:
        return f"differences from {TOO_LARGE:g} up are never fitted"
    if of_bin.height < FEWEST_SIZES:
        return f"fewer than {FEWEST_SIZES} sizes above {SMALLEST_SIZE} had such differences"
    return None if of_bin["swaps"].sum() else "no swap was seen"


def curve(size: np.ndarray, comparisons: np.ndarray, swaps: np.ndarray) -> dict | str:
    """A1, A2 and their covariance, by weighted least squares; or why there are none.

    Comparisons within a size are dependent, so the variance of its rate is that of independent ones,
    p (1 - p) / comparisons, times some factor. For accuracy, c@1 and cws the factor is 1 to 2 and hardly changes with
    the size. Weights without it are then right up to a constant, which is estimated from the scatter around the curve.
    The first pass weights without p; the second takes p from the first, but at least that of one swap.
    """
    from scipy.optimize import OptimizeWarning, curve_fit

    parameters, sigma = (0.5, 1 / size.mean()), comparisons**-0.5
    for _ in range(2):
        try:
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore", OptimizeWarning)  # said when the covariance is infinite
                parameters, covariance = curve_fit(
                    error_rate, size, swaps / comparisons, parameters, sigma, absolute_sigma=False, jac=gradient
                )
        except RuntimeError:
            return NOT_CONVERGING
        if not (np.isfinite(covariance).all() and np.isfinite(parameters).all()):
            return NOT_CONVERGING
        if parameters[1] <= 0:
            return NOT_FALLING
        expected = np.clip(error_rate(size, *parameters), 1 / comparisons, 0.5)
        sigma = np.sqrt(expected * (1 - expected) / comparisons)
    names = ("a1", "a2", "variance_a1", "variance_a2", "covariance")
    return dict(zip(names, map(float, (*parameters, *covariance.diagonal(), covariance[0, 1])), strict=True))


def fitted(size: int | pl.Expr) -> pl.Expr:
    """The curve at a size; null where none fits."""
    return pl.col("a1") * (-pl.col("a2") * size).exp()


def with_curves(swaps: pl.DataFrame, fits: pl.DataFrame, n: int) -> pl.DataFrame:
    """bin, lower, size, comparisons, swaps, error_rate, a1, a2, fitted; with a row per bin for all n questions.

    error_rate is null without comparisons; a1, a2 and fitted where no curve fits; comparisons and swaps at n.
    """
    counted = swaps.select("bin", "lower", "size", "comparisons", "swaps")
    at_n = fits.select("bin", "lower", size=pl.lit(n, counted.schema["size"]))
    rows = pl.concat([counted, at_n], how="diagonal").join(fits.select("bin", "a1", "a2"), on="bin", how="left")
    rate = pl.when(pl.col("comparisons") > 0).then(pl.col("swaps") / pl.col("comparisons"))
    shown = rows.with_columns(error_rate=rate, fitted=fitted(pl.col("size")))
    columns = ["bin", "lower", "size", "comparisons", "swaps", "error_rate", "a1", "a2", "fitted"]
    return shown.select(columns).sort("bin", "size")


def required_difference(fits: pl.DataFrame, n: int, level: float = 0.05) -> float | None:
    """The smallest difference from which on every curve is below the level at n questions; None = cannot tell.

    It does not suffice that a difference is below the level if a larger one is not: whoever relies on a required
    difference expects that every larger one suffices, too. A bin whose error rate does not fall counts as above.
    """
    curves = fits.drop_nulls("a1").with_columns(rate=fitted(n))
    above = fits.filter(pl.col("unfitted").is_in([NOT_FALLING, NOT_CONVERGING]))["lower"].append(
        curves.filter(pl.col("rate") >= level)["lower"]
    )
    beyond = curves.filter(pl.col("lower") > above.max()) if len(above) else curves
    return beyond.select(pl.min("lower")).item()


def questions_needed(fits: pl.DataFrame, differences: list[float], level: float, n: int) -> pl.DataFrame:
    """NEEDED, a row per difference: how many questions bring its error rate down to the level.

    questions is the size at which the curve of the bin that begins at the difference reaches the level; lower and
    upper are those at which the ends of its 95 % band do. The band is the delta method on the logarithm of the error
    rate, which is nearly linear in the parameters; on the ratio log(A1 / level) / A2 itself, the method fails where A2
    is near 0. The band covers the error of the fit to these questions and runs, not that of assuming an exponential.
    Nothing is known of sizes up to SMALLEST_SIZE: SMALLEST_SIZE + 1 means "that many or fewer". questions, lower and
    upper are null when there is no answer; the remark then says why.
    """
    bins, rows = fits.rows(named=True), []
    for difference in differences:
        of_bin = next((bin for bin in bins if abs(bin["lower"] - difference) < SAME), None)
        if of_bin is None:
            row = {"remark": "no curve fits: no bin begins at this difference"}
        elif of_bin["unfitted"]:
            row = {"remark": f"no curve fits: {of_bin['unfitted']}"}
        else:
            row = reached(of_bin, level, n // 2)
        rows.append({"difference": difference, **row})
    return pl.DataFrame(rows, NEEDED)


def reached(curve: dict, level: float, largest: int) -> dict:
    """questions, lower, upper and remark, from a row of FITS and the largest size measured."""
    limit = FARTHEST * largest
    size = np.arange(SMALLEST_SIZE + 1, limit + 1)
    log_rate = np.log(curve["a1"]) - curve["a2"] * size
    by_a1 = 1 / curve["a1"]  # the derivative of the logarithm; that by A2 is -size
    variance = by_a1**2 * curve["variance_a1"] + size**2 * curve["variance_a2"]
    variance -= 2 * by_a1 * size * curve["covariance"]
    margin = student_quantile(0.975, curve["sizes"] - 2) * np.sqrt(np.maximum(variance, 0))

    def first(log_rate: np.ndarray) -> int | None:
        """The smallest size whose rate is within the level."""
        below = log_rate <= np.log(level)
        return int(size[below.argmax()]) if below.any() else None

    questions, lower, upper = first(log_rate), first(log_rate - margin), first(log_rate + margin)
    if questions is None:
        return {"remark": f"more than {limit:,}: extrapolated to more than {FARTHEST} times the largest size measured"}
    assert lower is not None  # the lower end of the band is below the curve, and reaches the level before it
    if upper is None or upper > WIDEST * lower:
        end = f"more than {limit:,}" if upper is None else f"{upper:,}"
        return {"remark": f"the fit is too uncertain: its 95 % interval goes from {lower:,} to {end}"}
    remark = f"{questions} or fewer" if questions == SMALLEST_SIZE + 1 else ""
    return {"questions": questions, "lower": lower, "upper": upper, "remark": remark}
