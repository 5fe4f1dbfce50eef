"""The power of tests: how large a difference must be, and how many questions it needs.

A test finds a difference if its estimate exceeds a threshold, the critical value times the standard
error that the test takes. The estimate is normal around the true difference. `plan`, `gates` and
`sample_size` have different thresholds, and the same model.
"""

from collections.abc import Callable
from functools import cache
from statistics import NormalDist

import numpy as np

from nonresponse.statistics import TARGET_POWER
from nonresponse.statistics.distributions import normal_cdf
from nonresponse.statistics.subsets import stream

MAX_QUESTIONS = 100_000_000  # questions
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


def detectable(deviation: float, questions: int, level: float, runs: int) -> float:
    """Return the smallest true difference that a test of all pairs of this many runs finds with a
    power of TARGET_POWER.

    deviation: that of the difference of influence values over questions. The largest statistic over
    all pairs of equal runs is distributed like the range of as many normal numbers (Tukey). This
    approximates step-down max-T.
    """
    error = deviation / np.sqrt(questions)
    return float((critical_value(runs, level) + NormalDist().inv_cdf(TARGET_POWER)) * error)


@cache
def critical_value(runs: int, level: float) -> float:
    """Return what the largest statistic of equal runs exceeds with a probability of `level`."""
    numbers = stream(0, "ranges", runs).standard_normal((RANGES, runs))
    return float(np.quantile(np.ptp(numbers, axis=1), 1 - level) / np.sqrt(2))
