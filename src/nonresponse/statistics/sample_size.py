"""How large a difference must be, and how many questions it needs, from draws of true scores.

The scores of two runs differ because the runs differ and because the questions are a sample. The
second part shrinks with the number of questions N, the first does not. Each draw weights the runs
at random and fits a distribution of true scores, of any shape, by maximum likelihood (Laird 1978).
From it, each run gets a true score given its observed one. Where questions come in clusters, N
counts clusters.
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
from nonresponse.statistics.pairs import MIN_ANSWERS, Pairs, pair_index, pair_leaders, select_runs
from nonresponse.statistics.power import detectable
from nonresponse.statistics.subsets import stream
from nonresponse.tables import cast_types

DIFFERENCES = [step / 100 for step in range(1, 16)]
WIDTH = 0.01  # differences from d to d + WIDTH count as d
# Where in this range d is evaluated: two-point Gauss-Legendre
NODES = (np.array([-1, 1]) / np.sqrt(3) + 1) / 2
GROUPS = 40  # of pairs with similar differences
DRAWS = 200
MAX_RUNS = 200  # if there are more, a random sample
MAX_PAIRS = 5000  # of these runs; if there are more, a random sample
GRID = 100  # places of a true score
STEPS = 3  # of expectation and maximisation: more of them find clusters that do not exist
MAX_P = 0.01  # if equal runs would differ as much with a larger probability, there is no model
MARGIN = 0.05  # widens the range at either end: the model's error in simulations
MAX_QUESTIONS = 1_000_000

NEEDED = {
    "difference": pl.Float64,
    "questions": pl.Int64,  # null = no answer; the remark says why
    "lower": pl.Int64,  # of the 95 % range
    "upper": pl.Int64,  # null while `questions` is not null: more than a million
    "remark": pl.String,
}
SUFFICIENT = {  # the same in every row
    "n": pl.Int64,
    "required_difference": pl.Float64,  # null = none below 1
    "left_out": pl.Int64,  # compared runs of few answers, which these tables are not about
}
POWER = {
    "pair": pl.String,  # leading, or median: the pair whose difference has the median variance
    "a": pl.String,  # the run with the higher score
    "b": pl.String,
    "difference": pl.Float64,
    "deviation": pl.Float64,  # of the difference from question to question
    # The true difference that the test of all pairs finds with a power of at least 0.8; null =
    # none, or a score rests on a part of the questions, and on fewer than MIN_ANSWERS
    "detectable": pl.Float64,
}
Models = tuple[np.ndarray, np.ndarray]  # true differences and variances, (DRAWS, groups) each


def make(
    outcomes: Outcomes, assessor: str, campaign: str, settings: Settings, cache: Cache = NOTHING
) -> list[pl.DataFrame]:
    """Return NEEDED with SUFFICIENT, and POWER."""
    selected = select_runs(outcomes, cache)
    names, pairs = selected.tested.runs, selected.pairs
    level = settings["level"]
    models, required = fit_models(pairs, settings["seed"], campaign), None
    numbers, remark = (
        [(np.inf,) * 3] * len(DIFFERENCES),
        "no two runs of enough answers are compared",
    )
    if models:
        numbers = find_questions_needed(models, DIFFERENCES, level)
        remark = f"more than {count_judged(outcomes, MAX_QUESTIONS):,}"
        needed = {d: number for d, (number, *_) in zip(DIFFERENCES, numbers, strict=True)}
        low, high = intervals.find_range(outcomes)
        largest = max(float(high - low), 1)
        required = find_required_difference(models, needed, outcomes.n, level, largest)
    elif pairs.has_enough.sum() > 1:
        remark = "the runs do not clearly differ"
    rows = []
    for difference, ends in zip(DIFFERENCES, numbers, strict=True):
        counts = [count_judged(outcomes, end) if np.isfinite(end) else None for end in ends]
        rows.append((difference, *counts, remark if counts[0] is None else ""))
    table = pl.DataFrame(rows, NEEDED, orient="row").with_columns(
        n=pl.lit(count_judged(outcomes, outcomes.n), pl.Int64),
        required_difference=pl.lit(required, pl.Float64),
        left_out=pl.lit(int((~pairs.has_enough).sum())),
    )
    return [
        cast_types(table, NEEDED | SUFFICIENT),
        describe_power(names, pairs, level, outcomes.measure.higher_is_better),
    ]


def summarise(inputs: Inputs, task: str, settings: Settings) -> list[pl.DataFrame]:
    """Return SUFFICIENT, NEEDED and POWER by measure."""
    differences, power = (
        stack_tables(inputs.tables(name)) for name in ("questions_needed", "power")
    )
    enough = differences.select("measure", *SUFFICIENT).unique(maintain_order=True)
    return [enough.rename({"n": "questions"}), differences.drop(*SUFFICIENT), power]


def count_judged(outcomes: Outcomes, number: float) -> int:
    """Return a number of drawn questions or clusters as the number of questions that count, on
    average over the runs.

    If answers that nobody judged are excluded, fewer questions count than were asked. In an order,
    all are taken to count.
    """
    share = 1.0
    if "n" in outcomes.matrices and not tasks.get(outcomes.measure.task).pairs:
        n, weight = outcomes.matrices["n"], outcomes.matrices.get("weight")
        total = (outcomes.inside or outcomes).n
        if weight is not None:
            total = weight.sum(dtype=np.float64) / len(weight)
        share = n.sum(dtype=np.float64) / len(n) / max(total, 1)
    return round(number * outcomes.per_unit * share)


def describe_power(
    names: list[str], runs: Pairs, level: float, higher_is_better: bool
) -> pl.DataFrame:
    """Return POWER: a row for each leading pair whose difference varies, and for the pair of median
    variance. It is empty where no test of so few questions can be significant.
    """
    score, variance = runs.score, runs.variance
    if 2.0 ** (1 - runs.questions) > level:
        return pl.DataFrame(schema=POWER)
    pairs = [
        ("leading", pair_index(min(pair), max(pair), len(score)))
        for pair in pair_leaders(score, higher_is_better)
    ]
    varying = variance[variance > 0]
    if len(varying):
        middle = (len(varying) - 1) // 2
        pairs.append(("median", np.argmax(variance == np.partition(varying, middle)[middle])))
    moments, rows = np.broadcast_arrays(*runs.moments, runs.units), []
    fewest = min(runs.questions, MIN_ANSWERS)
    for label, pair in pairs:
        if variance[pair] > 0:
            a, b = sorted((run[pair] for run in runs.rows), key=lambda run: -score[run])
            squares, largest, units = (float(values[pair]) for values in moments)
            least = detectable(squares / (units - 1), largest, round(units), level, len(names))
            least = least if least and least <= runs.score_range and units >= fewest else None
            gap, deviation = score[a] - score[b], np.sqrt(variance[pair])
            rows.append((label, names[a], names[b], gap, deviation, least))
    return pl.DataFrame(rows, POWER, orient="row")


def fit_models(pairs: Pairs, seed: int, campaign: str) -> Models | None:
    """Return true differences of pairs of runs, and the variances of their differences over
    questions: (DRAWS, groups) each.

    It leaves out pairs that differ on no question, and runs whose scores rest on few questions.
    None if the sample of questions alone explains the differences of the others.
    """
    runs, questions, rows = len(pairs.score), pairs.questions, np.flatnonzero(pairs.has_enough)
    if len(rows) < 2:
        return None
    draw = stream(seed, campaign, "runs", runs)
    sample = np.sort(rows[draw.permutation(len(rows))[:MAX_RUNS]])
    x, y = np.triu_indices(len(sample), 1)
    sampled_pairs = np.sort(draw.permutation(len(x))[:MAX_PAIRS])
    x, y = x[sampled_pairs], y[sampled_pairs]
    score = pairs.score[sample]
    variance = pairs.variance[pair_index(sample[x], sample[y], runs)]
    varies = variance > 0
    if not varies.any():
        return None
    # Variance of a score, without effects of questions on all runs
    error = variance[varies].mean() / questions / 2
    if chi_squared_tail(((score - score.mean()) ** 2).sum() / error, len(score) - 1) > MAX_P:
        return None
    true = draw_true_scores(score, error, stream(seed, campaign, "components", questions))
    distance = np.abs(true[:, x[varies]] - true[:, y[varies]])
    order = np.argsort(distance, axis=1)
    number = int(varies.sum())
    starts = np.arange(min(GROUPS, number)) * number // min(GROUPS, number)
    sizes = np.diff(np.append(starts, number))
    values = np.take_along_axis(distance, order, 1), variance[varies][order]
    distance, spread = (np.add.reduceat(part, starts, axis=1) / sizes for part in values)
    return distance, spread


def draw_true_scores(score: np.ndarray, error: float, draw: np.random.Generator) -> np.ndarray:
    """Draw true scores (DRAWS, runs), given observed ones (runs,) with this error variance."""
    reach = np.sqrt(error)
    grid = np.linspace(score.min() - reach, score.max() + reach, GRID)
    likelihood = np.exp(-((score[:, None] - grid) ** 2) / (2 * error))
    weight = draw.standard_exponential((DRAWS, len(score)))
    weight /= weight.sum(axis=1, keepdims=True)
    share = np.full((DRAWS, GRID), 1 / GRID)
    for _ in range(STEPS):  # expectation and maximisation in one
        posterior = weight / np.einsum("rg,dg->dr", likelihood, share)
        share = share * np.einsum("dr,rg->dg", posterior, likelihood)
    true = np.empty(weight.shape)
    for run in range(len(score)):
        cumulated = np.cumsum(share * likelihood[run], axis=1)
        place = (cumulated < (draw.random(DRAWS) * cumulated[:, -1])[:, None]).sum(axis=1)
        true[:, run] = grid[np.minimum(place, GRID - 1)]
    return true + (draw.random(true.shape) - 0.5) * (grid[1] - grid[0])


def swap_rate(
    questions: np.ndarray, difference: float, true: np.ndarray, variance: np.ndarray
) -> np.ndarray:
    """Return the share of pairs that a second set of N questions reverses, among those that differ
    by d on a first one.

    questions is (models,), true and variance (models, k): true differences of pairs, or of groups
    of pairs of equal size, and variances. Differences on either set are normal around the true one,
    with the variance over N.
    """
    d = difference + WIDTH * NODES[:, None, None]
    precision = np.sqrt(questions[:, None] / variance)
    scaled = true * precision
    # The first set may order a pair as it truly is, or the other way, which is rarer by exp(-2 d
    # true / error²).
    squares = (precision * d - scaled) ** 2
    # So that some density is 1, however small all of them are
    squares -= squares.min(axis=2).min(axis=0)[:, None]
    right = np.exp(squares / -2)
    wrong = right * np.exp(-2 * scaled * precision * d)
    right, wrong = right.sum(axis=0) * precision, wrong.sum(axis=0) * precision
    reversal = normal_cdf(-scaled)
    return (right * reversal + wrong * (1 - reversal)).sum(axis=1) / (right + wrong).sum(axis=1)


def find_size(
    difference: float,
    true: np.ndarray,
    variance: np.ndarray,
    level: float,
    limit: np.ndarray | None = None,
) -> np.ndarray:
    """Return the smallest N at which the swap rate is at most the level, for each model; infinite
    beyond MAX_QUESTIONS.

    limit: the numbers (models,) that a smaller difference needs, which shorten the search.
    """
    high = np.full(len(true), MAX_QUESTIONS)
    if limit is not None:
        high = np.minimum(limit, MAX_QUESTIONS).astype(np.int64)
    suffices = swap_rate(high, difference, true, variance) <= level
    if not suffices[high < MAX_QUESTIONS].all():
        return find_size(difference, true, variance, level)
    never, low = ~suffices, np.where(suffices, 0, high - 1)
    while (high - low > 1).any():  # the rate is above the level at low, and not at high
        middle = np.maximum((low + high) // 2, 1)
        suffices = swap_rate(middle, difference, true, variance) <= level
        low, high = np.where(suffices, low, middle), np.where(suffices, middle, high)
    return np.where(never, np.inf, high)


def find_questions_needed(
    models: Models, differences: list[float], level: float
) -> list[tuple[float, float, float]]:
    """Return the number of questions at which at most `level` of the pairs swap, and its 95 %
    range, by difference.

    The number is the median of the draws, the range theirs, made a little wider. The differences
    ascend. A smaller one needs at least as many questions as a larger. Infinite beyond
    MAX_QUESTIONS.
    """
    numbers: list[np.ndarray] = []
    for difference in differences:
        numbers.append(find_size(difference, *models, level, *numbers[-1:]))
    low, middle, high = np.quantile(numbers, [0.025, 0.5, 0.975], axis=1, method="inverted_cdf")
    ends = np.maximum(np.floor(low * (1 - MARGIN)), 1), middle, np.ceil(high * (1 + MARGIN))
    rows = np.maximum.accumulate(np.array(ends)[:, ::-1], axis=1)[:, ::-1]
    return [(float(number), float(lower), float(upper)) for lower, number, upper in rows.T]


def find_required_difference(
    models: Models, needed: dict[float, float], questions: int, level: float, largest: float
) -> float | None:
    """Return the smallest difference, in steps of 0.01, at which at most `level` of the pairs swap
    with this many questions; None if there is none below the largest one.

    needed: the questions that some differences need, the smallest difference first. The result is
    the first one that needs no more than `questions`. It is 0 if that is the smallest and even a
    difference of 0 suffices.
    """

    def suffices(difference: float) -> bool:
        """Return whether at most `level` of the pairs swap, by the median of the draws."""
        rates = swap_rate(np.full(len(models[0]), float(questions)), difference, *models)
        return np.quantile(rates, 0.5, method="inverted_cdf") <= level

    smallest = next((d for d, number in needed.items() if number <= questions), None)
    if smallest is None:
        steps = range(round(100 * max(needed)) + 1, round(100 * largest))
        return next((step / 100 for step in steps if suffices(step / 100)), None)
    return 0.0 if smallest == min(needed) and suffices(0.0) else smallest
