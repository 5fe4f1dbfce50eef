"""Who is ahead of whom, and by how much, in one trial: from scores to positions in the order of all runs.

Comparing all pairs of runs is then comparing small integers: run x is ahead of run y by some margin when the position
of y (the number of runs with a lower score) is below the reach of x (the number of runs that x leaves behind by
that margin). Scores of counts are fractions and are compared exactly; other scores, within TOLERANCE.
"""

from fractions import Fraction
from functools import cache

import numpy as np

from nonresponse.reliability.ratio import Ratio, Scores

TOLERANCE = 1e-9
FEW = 16  # runs; for no more, comparing all with all is faster than a binary search
LEADING = 4  # the best run is compared with the next ones up to this rank


def best_first(score: np.ndarray, higher_is_better: bool) -> np.ndarray:
    """The runs that have a score, by their index, best first; score (runs,), NaN = none."""
    return np.argsort(-score if higher_is_better else score, kind="stable")[: np.isfinite(score).sum()]


def leading_pairs(score: np.ndarray, higher_is_better: bool) -> list[tuple[int, int]]:
    """The indexes of the best run and each of the next ones, up to rank LEADING."""
    best = best_first(score, higher_is_better)[:LEADING].tolist()
    return [(best[0], other) for other in best[1:]]


def rank_positions(scores: Scores, margins: dict) -> tuple[np.ndarray, np.ndarray]:
    """Position (trials, runs) of every run, and its reach (trials, margins, runs) for each margin.

    `margins` is {"fuzziness": [...]}, shares of the larger one of two scores, or {"difference": [...]}, absolute.
    A run without a score has the position `runs`, which nobody reaches, and reaches nobody.
    """
    order, position, reach = in_order(scores, margins)
    back = np.argsort(order, axis=1)
    return np.take_along_axis(position, back, 1), np.take_along_axis(reach, back[:, None], 2)


def in_order(scores: Scores, margins: dict) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The runs of each trial from the lowest score up, those without a score last; position and reach in that order."""
    keys, ahead, defined = by_fractions(scores, margins) if isinstance(scores, Ratio) else by_floats(scores, margins)
    runs = keys.shape[1]
    number = np.uint16 if runs < 2**16 else np.uint32
    order = np.argsort(keys, axis=1)
    undefined_last = np.argsort(~np.take_along_axis(defined, order, 1), axis=1, kind="stable")
    order = np.take_along_axis(order, undefined_last, 1)
    keys, known = np.take_along_axis(keys, order, 1), np.take_along_axis(defined, order, 1)
    new = np.column_stack([np.ones(len(keys), bool), keys[:, 1:] != keys[:, :-1]])  # not a tie with the run before
    position = np.maximum.accumulate(np.where(new, np.arange(runs), 0), axis=1).astype(number)
    ahead = np.take_along_axis(ahead, order[:, None], 2)
    reach = np.empty(ahead.shape, number)
    if runs <= FEW:
        np.sum(keys[:, None, None] <= ahead[..., None], axis=3, where=known[:, None, None], out=reach)
    else:  # looked for in ascending order, which is several times faster
        for its_reach, limits, ordered, scored in zip(reach, ahead, keys, known.sum(axis=1), strict=True):
            its_reach.flat = np.searchsorted(ordered[:scored], limits.ravel(), "right")
    position[~known] = runs
    reach *= known[:, None]
    return order, position, reach


def by_fractions(scores: Ratio, margins: dict) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Integers in the order of the scores (trials, runs); for each score and margin the largest integer that is behind
    by that margin (trials, margins, runs); and which scores are defined (trials, runs).
    """
    shape = np.broadcast_shapes(scores.num.shape, scores.den.shape)
    defined = np.broadcast_to(scores.den != 0, shape)
    # An undefined score is left out by the caller; until then it is 0.
    num, den = np.where(defined, scores.num, 0), np.where(scores.den == 0, 1, scores.den)
    shared = den.ndim == 0 or den.shape[-1] == 1  # by all runs of a trial
    [(kind, values)] = margins.items()
    base: np.ndarray | int
    most = int(np.max(np.abs(num) // den, initial=0)) + 1  # more than any score; twice that, than any difference
    steps = [min(fraction(value), Fraction(2 * most)) for value in values]
    largest, parts = int(max(den.max(), np.abs(num).max(initial=0))), max(step.denominator for step in steps)
    if shared:
        # The numerators alone tell the order.
        digits, base = 0, 1
        if 4 * largest * parts >= 2**62:
            num, den = num.astype(object), den.astype(object)
    else:
        # Different scores, and a score and a different margin, differ by at least 1 / (largest^2 parts). `digits` is
        # the number of binary digits that int64 has beside the whole part; larger denominators take Python's integers.
        digits = (63 - (3 * most).bit_length()) // 2 * 2
        if largest**2 * parts >= 2**digits or largest * parts >= 2 ** (62 - digits // 2):
            digits = (largest**2 * parts).bit_length()
            num, den = num.astype(object), den.astype(object)
        base = den
    keys = scaled(num, base, digits)
    ahead = []
    for step in steps:
        a, b = step.numerator, step.denominator
        less = np.abs(num) if kind == "fuzziness" else den
        limit = scaled(b * num - a * less, b * base, digits)
        # Equal scores are a tie, even where the margin is 0.
        ahead.append(np.minimum(limit, keys - 1))
    return np.broadcast_to(keys, shape), np.stack(np.broadcast_arrays(*ahead), axis=-2), defined


def scaled(num: np.ndarray, den: np.ndarray | int, digits: int) -> np.ndarray:
    """floor(num / den * 2^digits), in two steps that int64 can hold; in one for the integers of Python."""
    if num.dtype == object or digits == 0:
        return num * 2**digits // den
    half = digits // 2
    whole, rest = np.divmod(num, den)
    high, rest = np.divmod(rest << half, den)
    return (whole << digits) + (high << half) + (rest << half) // den


def by_floats(scores: np.ndarray, margins: dict) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What by_fractions gives, with the scores themselves, as floats, in place of integers."""
    [(kind, values)] = margins.items()
    less = np.abs(scores) if kind == "fuzziness" else 1
    ahead = [np.minimum(scores - margin * less + TOLERANCE, scores - TOLERANCE) for margin in values]
    return scores, np.stack(ahead, axis=-2), ~np.isnan(scores)


@cache
def fraction(value: float) -> Fraction:
    """The decimal number as written, not the float nearest to it."""
    return Fraction(str(value))
