"""The score to expect of a run on other questions: shrunken towards the mean of all runs (Efron &
Morris 1975)."""

import numpy as np

from nonresponse.statistics.influence import SAME
from nonresponse.statistics.pairs import Pairs

FEWEST = 3  # runs; the scores of fewer do not tell how much runs differ


def shrink(runs: Pairs) -> np.ndarray:
    """Return the scores (runs,), shrunken each by its own error variance; NaN for fewer than FEWEST
    runs."""
    if len(runs.score) < FEWEST or runs.questions < 2:
        return np.full(len(runs.score), np.nan)
    error = error_variances(runs.products, runs.questions)
    true = true_variance(runs.score, error)
    weight = 1 / (true + error)
    mean = weight @ runs.score / weight.sum()
    return mean + true * weight * (runs.score - mean)


def error_variances(products: np.ndarray, questions: int) -> np.ndarray:
    """Return the error variances of the scores (runs,) from products of deviations on questions
    (runs, runs).

    A run's mean covariance with the others is subtracted from its variance, since easy questions
    raise all scores alike. A run whose outcomes are all alike does not show its error and has the
    mean of all.
    """
    own = products.diagonal()
    shared = (products.sum(axis=1) - own) / (len(products) - 1)
    found = (own - shared) / ((questions - 1) * questions)
    return np.maximum(np.where(own < SAME, found.mean(), found), SAME**2)


def true_variance(score: np.ndarray, error: np.ndarray) -> float:
    """Return the variance of the true scores (Paule & Mandel 1982), 0 where errors explain all
    differences."""

    def excess(true: float) -> float:
        weight = 1 / (true + error)
        return float(weight @ (score - weight @ score / weight.sum()) ** 2) - (len(score) - 1)

    low, high = 0.0, float(np.ptp(score)) ** 2
    if excess(low) <= 0:
        return low
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle) > 0 else (low, middle)
    return low
