"""How many questions a campaign needs, and what a test of all pairs can detect, from draws of the runs' true scores.

The scores of two runs differ because the runs differ and because the questions are a sample. The second part shrinks
with the number of questions N, the first does not. Each draw weights the runs at random, fits a distribution of true
scores, of any shape, by maximum likelihood, and draws a true score for each run given its observed one. Where questions
come in clusters, N counts clusters.
"""

from functools import cache
from statistics import NormalDist

import numpy as np

from nonresponse.statistics.compared import Compared
from nonresponse.statistics.distributions import chi_squared_tail, normal_cdf
from nonresponse.statistics.subsets import stream

WIDTH = 0.01  # differences from d to d + WIDTH are called d
WITHIN = (np.array([-1, 1]) / np.sqrt(3) + 1) / 2  # where in this range d is evaluated: two-point Gauss-Legendre
GROUPS = 40  # of pairs that are about as far apart
DRAWS = 200
RUNS = 200  # that are taken; if there are more, a random sample
PAIRS = 5000  # of these runs; if there are more, a random sample
GRID = 100  # places of a true score
STEPS = 3  # of expectation and maximisation, from a uniform start: more of them find clusters that do not exist
DOUBT = 0.01  # if equal runs would be as far apart with a larger probability than this, there is no model
WIDER = 0.05  # by which the range is widened at either end: the model's own error, found by simulation
FARTHEST = 1_000_000  # questions
WANTED = 0.8  # power
RANGES = 4000  # simulated, of the scores of equal runs


def models(compared: Compared, scale: float, seed: int, campaign: str) -> tuple[np.ndarray, np.ndarray] | None:
    """Return true differences of pairs of runs, and the variances of their differences over questions: (DRAWS, groups)
    each, as shares of the measure's scale.

    Pairs that differ on no question are left out. None if the runs do not clearly differ by more than the sample of
    questions alone would make them.
    """
    runs, questions = len(compared.score), compared.questions
    draw = stream(seed, campaign, "runs", runs)
    drawn = np.sort(draw.permutation(runs)[:RUNS])
    first, second = np.triu_indices(len(drawn), 1)
    some = np.sort(draw.permutation(len(first))[:PAIRS])
    first, second = first[some], second[some]
    x, y = drawn[first], drawn[second]
    pair = x * (2 * runs - x - 1) // 2 + y - x - 1
    score, variance = compared.score[drawn] / scale, compared.variance[pair] / scale**2
    varies = variance > 0
    if not varies.any():
        return None
    error = variance[varies].mean() / questions / 2  # variance of a score, without effects of questions on all runs
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
    """Draws of the true scores (DRAWS, runs), given observed scores (runs,) with this error variance."""
    reach = np.sqrt(error)
    grid = np.linspace(score.min() - reach, score.max() + reach, GRID)
    likely = np.exp(-((score[:, None] - grid) ** 2) / (2 * error))
    weight = draw.standard_exponential((DRAWS, len(score)))
    weight /= weight.sum(axis=1, keepdims=True)
    share = np.full((DRAWS, GRID), 1 / GRID)
    for _ in range(STEPS):  # expectation and maximisation in one
        share = share * np.einsum("dr,rg->dg", weight / np.einsum("rg,dg->dr", likely, share), likely)
    true = np.empty(weight.shape)
    for run in range(len(score)):
        upto = np.cumsum(share * likely[run], axis=1)
        place = (upto < (draw.random(DRAWS) * upto[:, -1])[:, None]).sum(axis=1)
        true[:, run] = grid[np.minimum(place, GRID - 1)]
    return true + (draw.random(true.shape) - 0.5) * (grid[1] - grid[0])


def swap_rate(questions: np.ndarray, difference: float, apart: np.ndarray, variance: np.ndarray) -> np.ndarray:
    """The share of pairs that a second set of N questions orders the other way, among those d apart on a first one.

    questions is (models,), apart and variance (models, k): true differences of pairs, or of groups of pairs of equal
    size, and variances. Differences on either set are normal around the true one, with the variance over N.
    """
    d = difference + WIDTH * WITHIN[:, None, None]
    precision = np.sqrt(questions[:, None] / variance)
    far = apart * precision
    # The first set may order a pair as it truly is, or the other way, which is rarer by exp(-2 d true / error²).
    squares = (precision * d - far) ** 2
    squares -= squares.min(axis=2).min(axis=0)[:, None]  # so that some density is 1, however small all of them are
    right = np.exp(squares / -2)
    wrong = right * np.exp(-2 * far * precision * d)
    right, wrong = right.sum(axis=0) * precision, wrong.sum(axis=0) * precision
    turned = normal_cdf(-far)
    return (right * turned + wrong * (1 - turned)).sum(axis=1) / (right + wrong).sum(axis=1)


def enough(
    difference: float, apart: np.ndarray, variance: np.ndarray, level: float, most: np.ndarray | None = None
) -> np.ndarray:
    """The smallest N at which the swap rate is at most the level, for each model; infinite beyond FARTHEST.

    most: the numbers (models,) that a smaller difference needs, which shorten the search.
    """
    high = np.full(len(apart), FARTHEST) if most is None else np.minimum(most, FARTHEST).astype(np.int64)
    within = swap_rate(high, difference, apart, variance) <= level
    if not within[high < FARTHEST].all():
        return enough(difference, apart, variance, level)
    never, low = ~within, np.where(within, 0, high - 1)
    while (high - low > 1).any():  # the rate is above the level at low, and not at high
        middle = np.maximum((low + high) // 2, 1)
        within = swap_rate(middle, difference, apart, variance) <= level
        low, high = np.where(within, low, middle), np.where(within, middle, high)
    return np.where(never, np.inf, high)


def questions_needed(
    apart: np.ndarray, variance: np.ndarray, differences: list[float], level: float
) -> list[tuple[float, float, float]]:
    """The number of questions at which at most `level` of the pairs swap, and its 95 % range, for each difference.

    apart and variance are from `models`. The number is the median of the draws, the range theirs, made a little wider.
    The differences ascend; a smaller one needs at least as many questions as a larger. Infinite beyond FARTHEST.
    """
    numbers: list[np.ndarray] = []
    for difference in differences:
        numbers.append(enough(difference, apart, variance, level, *numbers[-1:]))
    low, middle, high = np.quantile(numbers, [0.025, 0.5, 0.975], axis=1, method="inverted_cdf")
    ends = np.maximum(np.floor(low * (1 - WIDER)), 1), middle, np.ceil(high * (1 + WIDER))
    rows = np.maximum.accumulate(np.array(ends)[:, ::-1], axis=1)[:, ::-1]
    return [(float(number), float(lower), float(upper)) for lower, number, upper in rows.T]


def typical_rate(questions: np.ndarray, difference: float, apart: np.ndarray, variance: np.ndarray) -> np.ndarray:
    """The median of the draws' swap rates at each of these numbers of questions."""
    at_each = [
        swap_rate(np.full(len(apart), number), difference, apart, variance) for number in questions.astype(float)
    ]
    return np.quantile(at_each, 0.5, axis=1, method="inverted_cdf")


def required_difference(
    apart: np.ndarray, variance: np.ndarray, needed: dict[float, float], questions: int, level: float, largest: float
) -> float | None:
    """The smallest difference, in steps of 0.01, at which at most `level` of the pairs swap with this many questions;
    None = no difference below the largest one.

    needed: how many questions some differences need, the smallest difference first. The first one that needs no more
    than `questions` is the result, or 0 if it is the smallest and even a difference of 0 suffices.
    """

    def within(difference: float) -> bool:
        """Whether at most `level` of the pairs swap at this difference."""
        return bool(typical_rate(np.array([questions]), difference, apart, variance).item() <= level)

    first = next((difference for difference, number in needed.items() if number <= questions), None)
    if first is None:
        beyond = range(round(100 * max(needed)) + 1, round(100 * largest))
        return next((step / 100 for step in beyond if within(step / 100)), None)
    return 0.0 if first == min(needed) and within(0.0) else first


def detectable(deviation: float, questions: int, level: float, runs: int) -> float:
    """The smallest true difference that a test of all pairs of this many runs finds with a power of WANTED.

    deviation: that of the difference of influence values over questions. The largest statistic over all pairs of equal
    runs is taken to be distributed as the range of as many normal numbers (Tukey), an approximation to step-down max-t.
    """
    return float((critical_value(runs, level) + NormalDist().inv_cdf(WANTED)) * deviation / np.sqrt(questions))


@cache
def critical_value(runs: int, level: float) -> float:
    """Return what the largest statistic over all pairs of equal runs exceeds with a probability of `level`."""
    numbers = stream(0, "ranges", runs).standard_normal((RANGES, runs))
    return float(np.quantile(np.ptp(numbers, axis=1), 1 - level) / np.sqrt(2))
