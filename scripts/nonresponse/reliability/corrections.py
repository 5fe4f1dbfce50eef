"""Scores corrected for a judge's errors, where the official assessor judged part of the responses and the judge more.

Both corrections are of a share: how many of a run's responses are correct. They take the responses that were judged
twice for a random sample of all. Intervals are normal, at confidence 1 - level.
"""

from __future__ import annotations

from statistics import NormalDist

import numpy as np

Interval = tuple[float, float, float]  # estimate, lower and upper end
DRAWS = 9_999


def quantile(level: float) -> float:
    """Of the standard normal distribution, two-sided."""
    return NormalDist().inv_cdf(1 - level / 2)


def rogan_gladen(p: float, n: float, q0: float, m0: float, q1: float, m1: float, level: float) -> Interval | None:
    """The share of correct responses behind the share p that a judge calls so, of n (Rogan & Gladen 1978).

    q0 is its specificity, found on m0 responses, q1 its sensitivity, on m1 others. (p + q0 - 1) / (q0 + q1 - 1), cut to
    [0, 1], with the interval of Lee et al. 2025 (arXiv 2511.21140): p, q0 and q1 are smoothed, and the middle moved.
    None where q0 + q1 is 1 or less, of a judge no better than chance: what it says has no bearing on what is right.
    """
    if q0 + q1 <= 1:
        return None
    z = quantile(level)
    estimate = (p + q0 - 1) / (q0 + q1 - 1)
    p, n = (n * p + z**2 / 2) / (n + z**2), n + z**2
    q0, m0 = (m0 * q0 + 1) / (m0 + 2), m0 + 2
    q1, m1 = (m1 * q1 + 1) / (m1 + 2), m1 + 2
    if q0 + q1 <= 1:
        return None
    theta = (p + q0 - 1) / (q0 + q1 - 1)
    of_q0, of_q1 = q0 * (1 - q0) / m0, q1 * (1 - q1) / m1
    reach = z * np.sqrt(p * (1 - p) / n + (1 - theta) ** 2 * of_q0 + theta**2 * of_q1) / (q0 + q1 - 1)
    middle = theta + 2 * z**2 * (theta * of_q1 - (1 - theta) * of_q0)
    return cut(estimate), cut(middle - reach), cut(middle + reach)


def cut(share: float) -> float:
    """To [0, 1]."""
    return float(min(max(share, 0.0), 1.0))


def prediction_powered(
    both: np.ndarray, judged: int, called: int, level: float, weight: float | None = None
) -> tuple[Interval, float]:
    """The share of correct responses by prediction-powered inference, with its ends; and the weight of the judge.

    both[i, j] is how many responses the official assessor calls correct (i = 1) or not (0), and the judge (j) too; of
    `judged` others the judge calls `called` correct. PPI++ (Angelopoulos et al. 2023, arXiv 2311.01453) chooses the
    weight, between 0 (the official judgments alone) and 1 (PPI: arXiv 2301.09633), that makes the interval shortest.
    """
    n = both.sum()
    y, f, unseen = both[1].sum() / n, both[:, 1].sum() / n, called / judged
    if weight is None:
        every = (both[:, 1].sum() + called) / (n + judged)
        spread = every * (1 - every) * (n + judged) / (n + judged - 1)
        weight = cut((both[1, 1] / n - y * f) / ((1 + n / judged) * spread)) if spread else 0.0
    estimate = y + weight * (unseen - f)
    # Of y - weight * f, which is i - weight * j in both[i, j].
    difference = np.array([[0.0, -weight], [1.0, 1.0 - weight]])
    rectifier = (both * difference**2).sum() / n - ((both * difference).sum() / n) ** 2
    reach = quantile(level) * np.sqrt(weight**2 * unseen * (1 - unseen) / judged + max(rectifier, 0.0) / n)
    return (float(estimate), float(estimate - reach), float(estimate + reach)), float(weight)


def differs(called: np.ndarray, judged: np.ndarray, draw: np.random.Generator) -> float | None:
    """The p-value of one and the same share called/judged for all runs, which are arrays over them; None = no two runs.

    By Pearson's chi-square over random draws that keep both totals. Runs that meet the same hard questions are more
    alike than it assumes: the p-value is then too large.
    """
    called, judged = called[judged > 0].astype(np.int64), judged[judged > 0].astype(np.int64)
    if len(judged) < 2:
        return None
    share = called.sum() / judged.sum()
    drawn = draw.multivariate_hypergeometric(judged, int(called.sum()), DRAWS, method="marginals")

    def apart(number: np.ndarray) -> np.ndarray:
        """Chi-square but for a factor that all draws share."""
        return ((number - judged * share) ** 2 / judged).sum(axis=-1)

    return float(1 + (apart(drawn) >= apart(called) - 1e-9).sum()) / (DRAWS + 1)
