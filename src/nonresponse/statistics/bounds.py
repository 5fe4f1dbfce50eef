"""Whether a number is on the right side of a bound, by its pseudo-values: pass, fail or inconclusive.

One-sided tests by Student's t. The variance is that of the pseudo-values, but no smaller than it would be for a value
at the bound: a system that fails one question in fifty often fails none of a hundred, whose variance is 0, and would
pass.
"""

from math import ceil, sqrt
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from nonresponse.statistics import FAIL, INCONCLUSIVE, PASS
from nonresponse.statistics.components import WANTED
from nonresponse.statistics.distributions import near_student, student_quantile


class Decision(NamedTuple):
    """What a test decides."""

    state: str
    least: float | None  # lower confidence bound of the value, at the level of passing; higher is better here
    needed: int | None  # how many psi decide it with the wanted power if this value is true; None = decided, or unknown


def decide(
    value: float,
    psi: np.ndarray,
    bound: float,
    floor: float,
    level: float,
    level_of_fail: float,
    power: float = WANTED,
) -> Decision:
    """Whether a value is above a bound; inconclusive where the value or some of its psi (questions,) is undefined.

    floor: the smallest variance of psi to assume. A value at the bound passes with probability `level` at most; one
    above it fails with probability `level_of_fail` at most. power: the probability with which `needed` psi decide.
    """
    questions = len(psi)
    if questions < 2 or not np.isfinite(value) or not np.isfinite(psi).all():
        return Decision(INCONCLUSIVE, None, None)
    variance = max(float(psi.var(ddof=1)), floor)
    error = sqrt(variance / questions)
    to_pass, to_fail = (student_quantile(1 - one, questions - 1) for one in (level, level_of_fail))
    least = value - to_pass * error
    if least > bound:
        return Decision(PASS, least, None)
    if value + to_fail * error < bound:
        return Decision(FAIL, least, None)
    of_test = level if value > bound else level_of_fail
    needed = number_needed(abs(value - bound), float(psi.var(ddof=1)), variance, of_test, power)
    return Decision(INCONCLUSIVE, least, None if needed is None else max(needed, questions + 1))


def number_needed(far: float, variance: float, assumed: float, level: float, power: float) -> int | None:
    """Return how many psi show with this power that the value is `far` from its bound; None if it is at the bound.

    variance: that of psi; assumed: the larger one that the test takes.
    """
    if far <= 1e-9:
        return None
    z, of_power, number = NormalDist().inv_cdf(1 - level), NormalDist().inv_cdf(power), 2
    of_test = z
    for _ in range(3):  # the quantile of Student's t depends on the number, little
        number = max(2, ceil(((of_test * sqrt(assumed) + of_power * sqrt(variance)) / far) ** 2))
        of_test = near_student(z, number - 1)
    return number


def floor_of_loss(psi: np.ndarray, margin: float, width: float) -> float:
    """The variance of psi if the difference were minus the margin, and each question were won or lost as a whole.

    As much is won as in psi (questions,), and enough is lost to reach minus the margin. width: how much one question
    can move the difference.
    """
    won = float(np.maximum(psi, 0).mean())
    return max(width * (margin + 2 * won) - margin**2, 0)


def floor_of_bound(bound: float, lowest: float, highest: float, share: float) -> float:
    """The variance of psi at the bound, if each question is at one end of the measure's range.

    share: the share of the questions that the measure divides by.
    """
    return max((bound - lowest) * (highest - bound), 0) / max(share, 1e-9)


def floor_of_more(bound: float, value: float, psi: np.ndarray, down: float, up: float) -> float:
    """The variance of psi if enough other questions moved the value down, or up, to bring it to the bound.

    down (below 0) and up: how far a question can move it. The others vary as in psi (questions,).
    """
    most = down if value > bound else up
    to_bound = bound - value
    kept = 1 - to_bound / most if most else 0  # share of the questions that are as they are
    return max(kept * (float(psi.var()) + to_bound * most), 0)
