"""Randomisation tests: what differences come about when it is chance which run gave which of the answers."""

from collections.abc import Callable

import numpy as np

from nonresponse.reliability import orderings
from nonresponse.reliability.outcomes import Outcomes, evaluated
from nonresponse.reliability.subsets import BLOCK, exchanges, stream

# Differences closer than this are equal (places.TOLERANCE); sums of rounded contributions need as much.
EQUAL = 1e-9


def additive(outcomes: Outcomes) -> tuple[dict, Callable]:
    """Matrices (runs, questions) whose sums over questions give the scores, and the function that does.

    A measure of an order is taken as the sum of what each question adds to it, the order being kept as it was.
    """
    if outcomes.measure.kind == "ordering":
        parts = orderings.contributions(outcomes)
        return {"score": np.where(np.isnan(parts), 0, parts)}, lambda totals: totals["score"] / outcomes.n
    return outcomes.matrices, lambda totals: evaluated(outcomes.measure, totals)


def paired(outcomes: Outcomes, score: np.ndarray, seed: int, campaign: str, trials: int) -> np.ndarray:
    """Two-sided p of every pair (x before y): in each trial the two runs exchange each answer with chance 1/2.

    One draw of exchanges serves all pairs; p = (1 + trials with at least that difference) / (1 + trials). NaN where
    a score is undefined. A trial in which a score is undefined does not count.
    """
    matrices, measured = additive(outcomes)
    runs = len(outcomes.runs)
    own = {name: matrix.astype(np.float64) for name, matrix in matrices.items() if len(matrix) == runs > 1}
    same = {name: matrix.sum(dtype=np.float64) for name, matrix in matrices.items() if name not in own}
    all_of = {name: matrix.sum(axis=1) for name, matrix in own.items()}
    as_large, counted = [np.zeros(runs - 1 - x) for x in range(runs)], [np.zeros(runs - 1 - x) for x in range(runs)]
    for block, start in enumerate(range(0, trials, BLOCK)):
        given = exchanges(seed, campaign, outcomes.n, block, min(BLOCK, trials - start))
        # (runs, trials): what a run gives away; it gets what the other one gives away.
        away = {name: matrices[name] @ given.T.astype(matrices[name].dtype) for name in own}
        for x in range(runs - 1):
            moved = {name: away[name][x + 1 :] - away[name][x] for name in own}
            first = {name: all_of[name][x] + moved[name] for name in own} | same
            second = {name: all_of[name][x + 1 :, None] - moved[name] for name in own} | same
            with np.errstate(all="ignore"):
                gap = np.abs(measured(first) - measured(second))
            gap = np.broadcast_to(gap, (runs - 1 - x, len(given)))
            as_large[x] += (gap >= np.abs(score[x] - score[x + 1 :])[:, None] - EQUAL).sum(axis=1)
            counted[x] += np.isfinite(gap).sum(axis=1)
    p = (1 + np.concatenate(as_large)) / (1 + np.concatenate(counted))
    x, y = np.triu_indices(runs, 1)
    return np.where(np.isnan(score[x] - score[y]), np.nan, p)


def holm(p: np.ndarray) -> np.ndarray:
    """p-values that stay valid for all pairs together (Holm 1979); NaN stays NaN and counts for nothing."""
    order = np.argsort(p, kind="stable")[: np.isfinite(p).sum()]
    adjusted = np.full(len(p), np.nan)
    steps = p[order] * np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1) if len(order) else []
    return adjusted


def ranges(outcomes: Outcomes, score: np.ndarray, seed: int, campaign: str, trials: int) -> np.ndarray:
    """Highest less lowest score of each trial of the randomised Tukey HSD (Carterette 2012), (trials,).

    In each trial all runs' answers to a question are dealt out anew to all runs, question by question.
    """
    defined = np.flatnonzero(~np.isnan(score))
    matrices, measured = additive(outcomes)
    own = {name: m[defined].astype(np.float64) for name, m in sorted(matrices.items()) if len(m) == len(score) > 1}
    same = {name: matrix.sum(dtype=np.float64) for name, matrix in matrices.items() if name not in own}
    if len(defined) < 2 or not own:
        return np.zeros(trials)
    # Each different answer gets a number. Random numbers that carry these in their last bits are sorted, question by
    # question: that deals the answers out, and is faster than shuffling.
    answers = np.stack([matrix.ravel() for matrix in own.values()], axis=1)
    kinds, number = np.unique(answers, axis=0, return_inverse=True)
    bits = np.uint64(int(len(kinds) - 1).bit_length())
    held = np.sort(number.reshape(len(defined), -1).T.astype(np.uint64), axis=1)  # whatever the runs are called
    each = np.ones(outcomes.n)
    found = np.empty(trials)
    for block, start in enumerate(range(0, trials, BLOCK)):
        draw = stream(seed, campaign, "deal", outcomes.n, len(defined), block)
        for trial in range(start, min(start + BLOCK, trials)):
            keys = draw.integers(0, 2**64, held.shape, dtype=np.uint64) >> bits << bits | held
            keys.sort(axis=1)
            dealt = (keys & ((np.uint64(1) << bits) - np.uint64(1))).astype(np.intp)
            totals = {name: each @ kinds[:, column].take(dealt) for column, name in enumerate(own)}
            with np.errstate(all="ignore"):
                scores = measured(totals | same)
            found[trial] = np.fmax.reduce(scores) - np.fmin.reduce(scores)
    return found


def simultaneous(score: np.ndarray, ranges: np.ndarray) -> np.ndarray:
    """p of every pair (x before y), valid for all pairs together: the share of trials with at least that range."""
    x, y = np.triu_indices(len(score), 1)
    gap = np.abs(score[x] - score[y])
    at_least = len(ranges) - np.searchsorted(np.sort(ranges), gap - EQUAL, "left")
    return np.where(np.isnan(gap), np.nan, (1 + at_least) / (1 + len(ranges)))
