"""The power of tests: how large a difference must be, and how many questions it needs.

A test finds a difference if its estimate exceeds a threshold, the critical value times the standard
error that the test takes. The estimate is normal around the true difference. `plan`, `gates` and
`sample_size` have different thresholds, and the same model.
"""

from collections.abc import Callable
from functools import cache
from math import sqrt

import numpy as np

from nonresponse.statistics import PRIOR, TARGET_POWER
from nonresponse.statistics.distributions import normal_cdf
from nonresponse.statistics.subsets import stream

MAX_QUESTIONS = 100_000_000  # questions
STEP = 2.0**-26  # of the largest difference
RANGES = 4000  # simulated, of the scores of equal runs


def compute_power(difference: float, threshold: float, spread: float) -> float:
    """Return the probability that an estimate of the difference exceeds the threshold."""
    excess = difference - threshold
    return float(normal_cdf(excess / spread)) if spread > 0 else float(excess > 0)


def fewest_questions(power_at: Callable[[int], float], power: float, smallest: int) -> int | None:
    """Return the smallest number of questions from `smallest` on with this power, which grows with
    it; None beyond MAX_QUESTIONS."""
    low, high = smallest - 1, smallest
    while power_at(high) < power:
        low, high = high, high * 2
        if high > MAX_QUESTIONS:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if power_at(middle) < power else (low, middle)
    return high


def detectable(
    variance: float, largest: float, questions: int, level: float, runs: int
) -> float | None:
    """Return the smallest true difference that a test of all pairs of this many runs finds with at
    least a power of TARGET_POWER; None if there is none.

    variance: of the difference of influence values; largest: what one question can change. The
    largest statistic of all pairs of equal runs is distributed like the range of as many normal
    numbers (Tukey), which approximates step-down max-T with its half questions. Where runs differ
    by a share x, it distinguishes them on as many more questions: it loses these, and wins none.
    """
    share, squared = variance / largest**2, critical_value(runs, level) ** 2
    if squared >= questions:
        return None
    critical = sqrt(squared * (questions - 1) / (questions - squared))  # of Student's t

    def power_at(step: int) -> float:
        x = step * STEP
        spread = max(share + x - x**2, 0) / questions
        error = sqrt(spread + 2 * PRIOR / questions / (questions - 1))
        return compute_power(x, critical * error, sqrt(spread))

    steps = fewest_questions(power_at, TARGET_POWER, 1)
    return steps and steps * STEP * largest


@cache
def critical_value(runs: int, level: float) -> float:
    """Return what the largest statistic of equal runs exceeds with a probability of `level`."""
    numbers = stream(0, "ranges", runs).standard_normal((RANGES, runs))
    return float(np.quantile(np.ptp(numbers, axis=1), 1 - level) / np.sqrt(2))
