"""How large a difference must be, and how many questions it needs, from draws of the runs' true
scores.

The scores of two runs differ because the runs differ and because the questions are a sample. The
second part shrinks with the number of questions N, the first does not. Each draw weights the runs
at random, fits a distribution of true scores, of any shape (Laird 1978), by maximum likelihood, and
draws a true score for each run given its observed one. Where questions come in clusters, N counts
clusters.
"""

import numpy as np
import polars as pl

from nonresponse import tasks
from nonresponse.settings import Settings
from nonresponse.statistics import intervals
from nonresponse.statistics.analyses import Inputs, stack_tables
from nonresponse.statistics.cache import NOTHING, Cache
from nonresponse.statistics.distributions import chi_squared_tail, normal_cdf
from nonresponse.statistics.outcomes import Outcomes
from nonresponse.statistics.pairs import Pairs, pair_index, pair_leaders, select_runs
from nonresponse.statistics.power import detectable
from nonresponse.statistics.subsets import stream
from nonresponse.tables import cast_types

DIFFERENCES = [step / 100 for step in range(1, 16)]
WIDTH = 0.01  # differences from d to d + WIDTH are called d
# Where in this range d is evaluated: two-point Gauss-Legendre
WITHIN = (np.array([-1, 1]) / np.sqrt(3) + 1) / 2
GROUPS = 40  # of pairs that are about as far apart
DRAWS = 200
RUNS = 200  # that are taken; if there are more, a random sample
PAIRS = 5000  # of these runs; if there are more, a random sample
GRID = 100  # places of a true score
# Of expectation and maximisation, from a uniform start: more of them find clusters that do not
# exist
STEPS = 3
# If equal runs would be as far apart with a larger probability than this, there is no model
DOUBT = 0.01
# By which the range is widened at either end: the model's own error, found by simulation
WIDER = 0.05
FARTHEST = 1_000_000  # questions

NEEDED = {
    "difference": pl.Float64,
    "questions": pl.Int64,  # null = no answer; the remark says why
    "lower": pl.Int64,  # of the 95 % range
    "upper": pl.Int64,  # null while `questions` is not null: more than a million
    "remark": pl.String,
}
OF_CAMPAIGN = {  # the same in every row
    "n": pl.Int64,
    "required_difference": pl.Float64,  # null = none below 1
}
POWER = {
    "pair": pl.String,  # leading, or median: the pair whose difference has the median variance
    "a": pl.String,  # the run with the higher score
    "b": pl.String,
    "difference": pl.Float64,
    "deviation": pl.Float64,  # of the difference from question to question
    # The true difference that the test of all pairs finds with a power of 0.8
    "detectable": pl.Float64,
}
Models = tuple[np.ndarray, np.ndarray]  # what `fit_models` returns


def make(
    outcomes: Outcomes, assessor: str, campaign: str, settings: Settings, cache: Cache = NOTHING
) -> list[pl.DataFrame]:
    """Return NEEDED with OF_CAMPAIGN, and POWER.

    Differences are computed as shares, and multiplied by the measure's scale for the tables.
    """
    selected = select_runs(outcomes, cache)
    names, pairs = selected.tested.runs, selected.pairs
    level, scale = settings["level"], outcomes.measure.scale
    models, required = fit_models(pairs, scale, settings["seed"], campaign), None
    numbers, remark = [(np.inf,) * 3] * len(DIFFERENCES), "no two runs could be compared"
    if models:
        numbers = questions_needed(models, DIFFERENCES, level)
        remark = f"more than {count_judged(outcomes, FARTHEST):,}"
        needed = {d: number for d, (number, *_) in zip(DIFFERENCES, numbers, strict=True)}
        low, high = intervals.find_range(outcomes)
        largest = max(float(high - low) / scale, 1)
        required = required_difference(models, needed, outcomes.n, level, largest)
    elif len(names) > 1:
        remark = "the runs do not clearly differ"
    rows = []
    for difference, ends in zip(DIFFERENCES, numbers, strict=True):
        questions = [
            count_judged(outcomes, number) if np.isfinite(number) else None for number in ends
        ]
        rows.append((difference, *questions, remark if questions[0] is None else ""))
    table = pl.DataFrame(rows, NEEDED, orient="row").with_columns(
        n=pl.lit(count_judged(outcomes, outcomes.n), pl.Int64),
        required_difference=pl.lit(required, pl.Float64),
    )
    table = table.with_columns(pl.col("difference", "required_difference") * scale)
    return [
        cast_types(table, NEEDED | OF_CAMPAIGN),
        power_of_pairs(names, pairs, level, outcomes.measure.higher_is_better),
    ]


def summarise(given: Inputs, task: str, settings: Settings) -> list[pl.DataFrame]:
    """Return by measure OF_CAMPAIGN, what the questions suffice for; NEEDED, the questions a
    difference needs; and POWER."""
    differences, power = (
        stack_tables(given.tables(name)) for name in ("questions_needed", "power")
    )
    enough = differences.select("measure", *OF_CAMPAIGN).unique(maintain_order=True)
    return [enough.rename({"n": "questions"}), differences.drop(*OF_CAMPAIGN), power]


def count_judged(outcomes: Outcomes, number: float) -> int:
    """Return a number of drawn questions or clusters as the number of questions that count, on
    average over the runs.

    If answers that nobody judged are excluded, fewer questions count than were asked. In an order,
    all are taken to count.
    """
    share = 1.0
    if "n" in outcomes.matrices and not tasks.get(outcomes.measure.task).pairs:
        n, weight = outcomes.matrices["n"], outcomes.matrices.get("weight")
        every = (
            (outcomes.inside or outcomes).n
            if weight is None
            else weight.sum(dtype=np.float64) / len(weight)
        )
        share = n.sum(dtype=np.float64) / len(n) / max(every, 1)
    return round(number * outcomes.per_unit * share)


def power_of_pairs(
    names: list[str], runs: Pairs, level: float, higher_is_better: bool
) -> pl.DataFrame:
    """Return POWER: a row for each leading pair whose difference varies, and for the pair of median
    variance.

    None where the questions are so few that no test could tell any two runs apart.
    """
    (score, variance), questions = (runs.score, runs.variance), runs.questions
    if 2.0 ** (1 - questions) > level:
        return pl.DataFrame(schema=POWER)
    leading = pair_leaders(score, higher_is_better)
    chosen = [("leading", pair_index(min(both), max(both), len(score))) for both in leading]
    varying = variance[variance > 0]
    if len(varying):
        middle = (len(varying) - 1) // 2
        chosen.append(("median", np.argmax(variance == np.partition(varying, middle)[middle])))
    rows = []
    for what, pair in chosen:
        if variance[pair] > 0:
            a, b = sorted((run[pair] for run in runs.rows), key=lambda run: -score[run])
            deviation = np.sqrt(variance[pair])
            least = detectable(deviation, questions, level, len(names))
            rows.append((what, names[a], names[b], score[a] - score[b], deviation, least))
    return pl.DataFrame(rows, POWER, orient="row")


def fit_models(compared: Pairs, scale: float, seed: int, campaign: str) -> Models | None:
    """Return true differences of pairs of runs, and the variances of their differences over
    questions: (DRAWS, groups) each, as shares of the measure's scale.

    Pairs that differ on no question are left out. None if the runs do not clearly differ by more
    than the sample of questions alone would make them.
    """
    if len(compared.score) < 2:
        return None
    runs, questions = len(compared.score), compared.questions
    draw = stream(seed, campaign, "runs", runs)
    drawn = np.sort(draw.permutation(runs)[:RUNS])
    first, second = np.triu_indices(len(drawn), 1)
    some = np.sort(draw.permutation(len(first))[:PAIRS])
    first, second = first[some], second[some]
    x, y = drawn[first], drawn[second]
    pair = pair_index(x, y, runs)
    score, variance = compared.score[drawn] / scale, compared.variance[pair] / scale**2
    varies = variance > 0
    if not varies.any():
        return None
    # Variance of a score, without effects of questions on all runs
    error = variance[varies].mean() / questions / 2
    if chi_squared_tail(((score - score.mean()) ** 2).sum() / error, len(score) - 1) > DOUBT:
        return None
    true = true_scores(score, error, stream(seed, campaign, "components", questions))
    apart = np.abs(true[:, first[varies]] - true[:, second[varies]])
    order = np.argsort(apart, axis=1)
    of_pairs = np.take_along_axis(apart, order, 1), variance[varies][order]
    pairs = int(varies.sum())
    starts = np.arange(min(GROUPS, pairs)) * pairs // min(GROUPS, pairs)
    sizes = np.diff(np.append(starts, pairs))
    apart, spread = (np.add.reduceat(part, starts, axis=1) / sizes for part in of_pairs)
    return apart, spread


def true_scores(score: np.ndarray, error: float, draw: np.random.Generator) -> np.ndarray:
    """Draw the true scores (DRAWS, runs), given observed scores (runs,) with this error
    variance."""
    reach = np.sqrt(error)
    grid = np.linspace(score.min() - reach, score.max() + reach, GRID)
    likely = np.exp(-((score[:, None] - grid) ** 2) / (2 * error))
    weight = draw.standard_exponential((DRAWS, len(score)))
    weight /= weight.sum(axis=1, keepdims=True)
    share = np.full((DRAWS, GRID), 1 / GRID)
    for _ in range(STEPS):  # expectation and maximisation in one
        share = share * np.einsum(
            "dr,rg->dg", weight / np.einsum("rg,dg->dr", likely, share), likely
        )
    true = np.empty(weight.shape)
    for run in range(len(score)):
        upto = np.cumsum(share * likely[run], axis=1)
        place = (upto < (draw.random(DRAWS) * upto[:, -1])[:, None]).sum(axis=1)
        true[:, run] = grid[np.minimum(place, GRID - 1)]
    return true + (draw.random(true.shape) - 0.5) * (grid[1] - grid[0])


def swap_rate(
    questions: np.ndarray, difference: float, apart: np.ndarray, variance: np.ndarray
) -> np.ndarray:
    """Return the share of pairs that a second set of N questions reverses, among those d apart on a
    first one.

    questions is (models,), apart and variance (models, k): true differences of pairs, or of groups
    of pairs of equal size, and variances. Differences on either set are normal around the true one,
    with the variance over N.
    """
    d = difference + WIDTH * WITHIN[:, None, None]
    precision = np.sqrt(questions[:, None] / variance)
    far = apart * precision
    # The first set may order a pair as it truly is, or the other way, which is rarer by exp(-2 d
    # true / error²).
    squares = (precision * d - far) ** 2
    # So that some density is 1, however small all of them are
    squares -= squares.min(axis=2).min(axis=0)[:, None]
    right = np.exp(squares / -2)
    wrong = right * np.exp(-2 * far * precision * d)
    right, wrong = right.sum(axis=0) * precision, wrong.sum(axis=0) * precision
    turned = normal_cdf(-far)
    return (right * turned + wrong * (1 - turned)).sum(axis=1) / (right + wrong).sum(axis=1)


def smallest_size(
    difference: float,
    apart: np.ndarray,
    variance: np.ndarray,
    level: float,
    most: np.ndarray | None = None,
) -> np.ndarray:
    """Return the smallest N at which the swap rate is at most the level, for each model; infinite
    beyond FARTHEST.

    most: the numbers (models,) that a smaller difference needs, which shorten the search.
    """
    high = (
        np.full(len(apart), FARTHEST)
        if most is None
        else np.minimum(most, FARTHEST).astype(np.int64)
    )
    within = swap_rate(high, difference, apart, variance) <= level
    if not within[high < FARTHEST].all():
        return smallest_size(difference, apart, variance, level)
    never, low = ~within, np.where(within, 0, high - 1)
    while (high - low > 1).any():  # the rate is above the level at low, and not at high
        middle = np.maximum((low + high) // 2, 1)
        within = swap_rate(middle, difference, apart, variance) <= level
        low, high = np.where(within, low, middle), np.where(within, middle, high)
    return np.where(never, np.inf, high)


def questions_needed(
    models: Models, differences: list[float], level: float
) -> list[tuple[float, float, float]]:
    """Return the number of questions at which at most `level` of the pairs swap, and its 95 %
    range, by difference.

    The number is the median of the draws, the range theirs, made a little wider. The differences
    ascend; a smaller one needs at least as many questions as a larger. Infinite beyond FARTHEST.
    """
    numbers: list[np.ndarray] = []
    for difference in differences:
        numbers.append(smallest_size(difference, *models, level, *numbers[-1:]))
    low, middle, high = np.quantile(numbers, [0.025, 0.5, 0.975], axis=1, method="inverted_cdf")
    ends = np.maximum(np.floor(low * (1 - WIDER)), 1), middle, np.ceil(high * (1 + WIDER))
    rows = np.maximum.accumulate(np.array(ends)[:, ::-1], axis=1)[:, ::-1]
    return [(float(number), float(lower), float(upper)) for lower, number, upper in rows.T]


def typical_rate(questions: int, difference: float, models: Models) -> float:
    """Return the median of the draws' swap rates at this number of questions."""
    rates = swap_rate(np.full(len(models[0]), float(questions)), difference, *models)
    return np.quantile(rates, 0.5, method="inverted_cdf").item()


def required_difference(
    models: Models, needed: dict[float, float], questions: int, level: float, largest: float
) -> float | None:
    """Return the smallest difference, in steps of 0.01, at which at most `level` of the pairs swap
    with this many questions; None = no difference below the largest one.

    needed: how many questions some differences need, the smallest difference first. The first one
    that needs no more than `questions` is the result, or 0 if it is the smallest and even a
    difference of 0 suffices.
    """

    def within(difference: float) -> bool:
        """Whether at most `level` of the pairs swap at this difference."""
        return typical_rate(questions, difference, models) <= level

    first = next((difference for difference, number in needed.items() if number <= questions), None)
    if first is None:
        beyond = range(round(100 * max(needed)) + 1, round(100 * largest))
        return next((step / 100 for step in beyond if within(step / 100)), None)
    return 0.0 if first == min(needed) and within(0.0) else first
