"""How many questions a difference needs, and which differences the campaign's own questions can tell, as tables."""

from pathlib import Path

import numpy as np
import polars as pl

from nonresponse import tasks
from nonresponse.reliability import components, error_curves, intervals, pseudo_values
from nonresponse.reliability.cache import NOTHING, Cache
from nonresponse.reliability.compared import PAIRED, Compared
from nonresponse.reliability.comparison import compared, tested
from nonresponse.reliability.outcomes import Outcomes
from nonresponse.reliability.rank_positions import leading_pairs
from nonresponse.reliability.subsets import sizes
from nonresponse.reliability.swap import counters, enough, in_parts, lower_bounds
from nonresponse.reliability.table_files import by_measure
from nonresponse.settings import Settings
from nonresponse.tables import typed

DIFFERENCES = [step / 100 for step in range(1, 16)]
CURVES = [0.01, 0.02, 0.03, 0.05, 0.07, 0.10, 0.15]  # the differences in EXPECTED: few enough to tell apart in a figure

NEEDED = {
    "difference": pl.Float64,
    "questions": pl.Int64,  # null = no answer; the remark says why
    "lower": pl.Int64,  # of the 95 % range
    "upper": pl.Int64,  # null while `questions` is not null: more than a million
    "remark": pl.String,
    **{f"voorhees_{name}": error_curves.NEEDED[name] for name in ("questions", "lower", "upper", "remark")},
}
OF_CAMPAIGN = {  # the same in every row
    "n": pl.Int64,
    "required_difference": pl.Float64,  # null = none below 1
    "voorhees_required_difference": pl.Float64,
    "voorhees_error_rate": pl.Float64,  # at that difference and n questions
}
EXPECTED = {"difference": pl.Float64, "size": pl.Int64, "swap_rate": pl.Float64}
COMPARISONS = 500_000  # of two runs, at each size
FEWEST = 3  # trials at each size, however many runs there are
SIZES = 30  # in EXPECTED, from 1 to all questions, denser at the start, where the rate falls fast
POWER = {
    "pair": pl.String,  # leading, or median: the pair whose difference has the median variance
    "a": pl.String,  # the run with the higher score
    "b": pl.String,
    "difference": pl.Float64,
    "deviation": pl.Float64,  # of the difference from question to question
    "detectable": pl.Float64,  # the true difference that the test of all pairs finds with a power of 0.8
}


def count(
    outcomes: Outcomes, campaign: str, settings: Settings, cache: Cache = NOTHING
) -> tuple[np.ndarray, np.ndarray]:
    """Return comparisons and swaps by size: (sizes, bins) each."""
    of_sizes = sizes(outcomes.n, settings["sizes"])
    lower = lower_bounds(settings["bins"], settings["width"], outcomes.measure.scale)
    trials = min(settings["size_trials"], enough(len(outcomes.runs), COMPARISONS, FEWEST))
    draws = [(size, trial) for size in of_sizes for trial in range(trials)]
    of_draws, _ = counters(outcomes, settings["seed"], campaign, draws, lower, cache, "sample_size")
    comparisons, swaps, _ = in_parts(of_draws.reshape(len(of_sizes), trials, of_draws.shape[1]).sum(axis=1))
    return comparisons, swaps


def make(outcomes: Outcomes, assessor: str, campaign: str, settings: Settings, cache: Cache) -> list[pl.DataFrame]:
    """Return swaps at all sizes with fitted curves, NEEDED with OF_CAMPAIGN, EXPECTED and POWER.

    Differences are computed as shares, and multiplied by the measure's scale for the tables.
    """
    comparisons, swaps_of_sizes = count(outcomes, campaign, settings, cache)
    scale = outcomes.measure.scale
    of_sizes, lower = sizes(outcomes.n, settings["sizes"]), lower_bounds(settings["bins"], settings["width"])
    swaps = pl.DataFrame(
        {
            "bin": np.tile(np.arange(1, len(lower) + 1, dtype=np.int32), len(of_sizes)),
            "lower": np.tile(lower, len(of_sizes)),
            "size": np.repeat(np.array([judged(outcomes, size) for size in of_sizes], np.int64), len(lower)),
            "comparisons": comparisons.ravel(),
            "swaps": swaps_of_sizes.ravel(),
        }
    )
    score, psi = pseudo_values.scored(outcomes)
    known = compared(outcomes, psi)
    own = score[known] / scale, psi[known] / scale
    models = components.models(*own, settings["seed"], campaign) if known.sum() > 1 else None
    fits, level, n = error_curves.fit(swaps), settings["level"], judged(outcomes, outcomes.n)
    curves = error_curves.with_curves(swaps, fits, n)
    numbers = components.questions_needed(*models, DIFFERENCES, level) if models else []
    nothing = "the runs do not clearly differ" if known.sum() > 1 else "no two runs could be compared"
    voorhees = error_curves.questions_needed(fits, DIFFERENCES, level, n).drop("difference")
    by_curves = error_curves.required_difference(fits, n, level)
    at_n = curves.filter(pl.col("comparisons").is_null() & pl.col("lower").eq_missing(by_curves))
    constant = {
        "n": n,
        "required_difference": required(models, numbers, outcomes, level),
        "voorhees_required_difference": by_curves,
        "voorhees_error_rate": at_n["fitted"].max(),
    }
    rows = pl.concat(
        [by_difference(numbers, outcomes, nothing), voorhees.rename(lambda name: f"voorhees_{name}")],
        how="horizontal",
    ).with_columns(pl.lit(value, OF_CAMPAIGN[name]).alias(name) for name, value in constant.items())
    names = [run for run, is_known in zip(outcomes.runs, known, strict=True) if is_known]
    alike = pseudo_values.counting(outcomes) is outcomes and len(score) <= PAIRED
    those = tested(outcomes, cache) if alike else Compared(score[known], psi[known])
    power = power_of_pairs(names, those, level, outcomes.measure.higher_is_better)
    differences = pl.col("difference", "required_difference", "voorhees_required_difference") * scale
    return [
        curves.with_columns(pl.col("lower") * scale),
        typed(rows, NEEDED | OF_CAMPAIGN).with_columns(differences),
        expected(models, outcomes).with_columns(pl.col("difference") * scale),
        power,
    ]


def summarise(files: list[Path], task: str, settings: Settings) -> list[pl.DataFrame]:
    """By measure: OF_CAMPAIGN, what the questions suffice for; NEEDED, the questions a difference needs; and POWER."""
    differences, power = (
        pl.concat(table.select(pl.lit(id).alias("measure"), pl.all()) for id, table in by_measure(files, part).items())
        for part in ("questions_needed", "power")
    )
    enough = differences.select("measure", *OF_CAMPAIGN).unique(maintain_order=True).rename({"n": "questions"})
    return [enough, differences.drop(*OF_CAMPAIGN), power]


def by_difference(numbers: list[tuple[float, float, float]], outcomes: Outcomes, nothing: str) -> pl.DataFrame:
    """The first columns of NEEDED, from components.questions_needed; if it gave nothing, `nothing` is the remark."""
    nothing = f"more than {judged(outcomes, components.FARTHEST):,}" if numbers else nothing
    rows = []
    for difference, ends in zip(DIFFERENCES, numbers or [(np.inf,) * 3] * len(DIFFERENCES), strict=True):
        questions = [judged(outcomes, number) if np.isfinite(number) else None for number in ends]
        rows.append((difference, *questions, nothing if questions[0] is None else ""))
    return pl.DataFrame(rows, dict(list(NEEDED.items())[:5]), orient="row")


def expected(models: tuple[np.ndarray, np.ndarray] | None, outcomes: Outcomes) -> pl.DataFrame:
    """EXPECTED: the swap rates of CURVES by components of variance, up to all questions; no rows without models."""
    if models is None:
        return pl.DataFrame(schema=EXPECTED)
    size = np.unique((np.linspace(1, np.sqrt(outcomes.n), SIZES) ** 2).round().astype(np.int64))
    rates = [components.typical_rate(size, difference, *models) for difference in CURVES]
    in_questions = [judged(outcomes, number) for number in size]
    columns = np.repeat(CURVES, len(size)), np.tile(in_questions, len(CURVES)), np.concatenate(rates)
    return pl.DataFrame(dict(zip(EXPECTED, columns, strict=True)), EXPECTED)


def required(
    models: tuple[np.ndarray, np.ndarray] | None,
    numbers: list[tuple[float, float, float]],
    outcomes: Outcomes,
    level: float,
) -> float | None:
    """The smallest difference that the campaign's questions suffice for; None = none in the measure's range."""
    if not models:
        return None
    needed = {difference: number for difference, (number, *_) in zip(DIFFERENCES, numbers, strict=True)}
    low, high = intervals.range_of(outcomes)
    largest = max((high - low) / outcomes.measure.scale, 1)
    return components.required_difference(*models, needed, outcomes.n, level, largest)


def judged(outcomes: Outcomes, number: float) -> int:
    """A number of drawn questions or clusters as the number of questions that count, on average over the runs.

    If answers that nobody judged are excluded, fewer questions count than were asked. In an order, all are taken to
    count.
    """
    share = 1.0
    if "n" in outcomes.matrices and not tasks.get(outcomes.measure.task).pairs:
        n, weight = outcomes.matrices["n"], outcomes.matrices.get("weight")
        every = (outcomes.inside or outcomes).n if weight is None else weight.sum(dtype=np.float64) / len(weight)
        share = n.sum(dtype=np.float64) / len(n) / max(every, 1)
    return round(number * outcomes.per_unit * share)


def power_of_pairs(runs: list[str], those: Compared, level: float, higher_is_better: bool) -> pl.DataFrame:
    """POWER: a row for each leading pair whose difference varies, and for the pair of median variance.

    None where the questions are so few that no test could tell any two runs apart.
    """
    score, questions = those.score, those.questions
    if 2.0 ** (1 - questions) > level:
        return pl.DataFrame(schema=POWER)
    (x, y), variance = those.pairs, those.variance
    varying = np.flatnonzero(variance > 0)
    chosen = [
        ("leading", np.flatnonzero((x == min(pair)) & (y == max(pair)))[0])
        for pair in leading_pairs(score, higher_is_better)
    ]
    if len(varying):
        chosen.append(("median", varying[np.argsort(variance[varying], kind="stable")[(len(varying) - 1) // 2]]))
    rows = []
    for what, pair in chosen:
        if variance[pair] > 0:
            a, b = sorted((x[pair], y[pair]), key=lambda run: -score[run])
            deviation = np.sqrt(variance[pair])
            least = components.detectable(deviation, questions, level, len(runs))
            rows.append((what, runs[a], runs[b], score[a] - score[b], deviation, least))
    return pl.DataFrame(rows, POWER, orient="row")
