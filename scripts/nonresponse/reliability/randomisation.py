"""Randomisation tests: what differences come about when it is chance which run gave which of the answers."""

from collections.abc import Callable

import numpy as np

from nonresponse.measures import orderings
from nonresponse.reliability.outcomes import Outcomes, evaluated
from nonresponse.reliability.subsets import blocks_of, permutations, stream

# Differences closer than this are equal (rank_positions.TOLERANCE); sums of rounded contributions need as much.
EQUAL = 1e-9
CELLS = 2**15  # answers permuted at once: they stay in the processor's cache


def additive(outcomes: Outcomes) -> tuple[dict, Callable]:
    """Matrices (runs, questions) whose sums over questions give the scores, and the function that does.

    A measure of an order is taken as the sum of what each question adds to it, the order being kept as it was.
    """
    if outcomes.measure.kind == "ordering":
        parts = orderings.contributions(outcomes.measure, outcomes.orders, outcomes.n)
        return {"score": np.where(np.isnan(parts), 0, parts)}, lambda totals: totals["score"] / outcomes.n
    return outcomes.matrices, lambda totals: evaluated(outcomes.measure, totals)


def permuted(outcomes: Outcomes, score: np.ndarray, seed: int, campaign: str, trials: range) -> tuple:
    """In how many trials the difference of each pair (x before y) is at least as large, and in how many it is defined.

    In each trial the two runs exchange each answer with chance 1/2; one draw of permutations serves all pairs. Two
    int64 arrays (pairs,), which add up over ranges of trials that begin at a multiple of PER_STREAM.
    """
    matrices, measured = additive(outcomes)
    runs = len(outcomes.runs)
    differing = {name: matrix.astype(np.float64) for name, matrix in matrices.items() if len(matrix) == runs > 1}
    same = {name: matrix.sum(dtype=np.float64) for name, matrix in matrices.items() if name not in differing}
    all_of = {name: matrix.sum(axis=1) for name, matrix in differing.items()}
    as_large, counted = ([np.zeros(runs - 1 - x, np.int64) for x in range(runs)] for _ in range(2))
    for block, drawn in blocks_of(trials):
        given = permutations(seed, campaign, outcomes.n, block, drawn)
        # (runs, trials): what a run gives away; it gets what the other one gives away.
        away = {name: matrices[name] @ given.T.astype(matrices[name].dtype) for name in differing}
        for x in range(runs - 1):
            moved = {name: away[name][x + 1 :] - away[name][x] for name in differing}
            first = {name: all_of[name][x] + moved[name] for name in differing} | same
            second = {name: all_of[name][x + 1 :, None] - moved[name] for name in differing} | same
            with np.errstate(all="ignore"):
                gap = np.abs(measured(first) - measured(second))
            gap = np.broadcast_to(gap, (runs - 1 - x, drawn))
            as_large[x] += (gap >= np.abs(score[x] - score[x + 1 :])[:, None] - EQUAL).sum(axis=1)
            counted[x] += np.isfinite(gap).sum(axis=1)
    return np.concatenate(as_large), np.concatenate(counted)


def paired(score: np.ndarray, as_large: np.ndarray, counted: np.ndarray) -> np.ndarray:
    """Two-sided p of every pair (x before y): (1 + trials with at least that difference) / (1 + trials).

    NaN where a score is undefined. A trial in which a score is undefined does not count.
    """
    x, y = np.triu_indices(len(score), 1)
    return np.where(np.isnan(score[x] - score[y]), np.nan, (1 + as_large) / (1 + counted))


def holm(p: np.ndarray) -> np.ndarray:
    """p-values that stay valid for all pairs together (Holm 1979); NaN stays NaN and counts for nothing."""
    order = np.argsort(p, kind="stable")[: np.isfinite(p).sum()]
    adjusted = np.full(len(p), np.nan)
    steps = p[order] * np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1) if len(order) else []
    return adjusted


def ranges(outcomes: Outcomes, score: np.ndarray, seed: int, campaign: str, trials: range) -> np.ndarray:
    """Highest less lowest score of each trial of the randomised Tukey HSD (Carterette 2012), (trials,).

    In each trial the answers of all runs to a question are permuted among the runs, question by question. Ranges of
    trials that begin at a multiple of PER_STREAM follow one another.
    """
    defined = np.flatnonzero(~np.isnan(score))
    matrices, measured = additive(outcomes)
    differing = {
        name: m[defined].astype(np.float64) for name, m in sorted(matrices.items()) if len(m) == len(score) > 1
    }
    same = {name: matrix.sum(dtype=np.float64) for name, matrix in matrices.items() if name not in differing}
    if len(defined) < 2 or not differing:
        return np.zeros(len(trials))
    # Each different answer gets a number. Random numbers that carry these in their last bits are sorted, question by
    # question: that permutes the answers, and is faster than shuffling.
    kinds, number = numbered(list(differing.values()))
    bits = np.uint64(int(len(kinds) - 1).bit_length())
    held = np.sort(number.T.astype(np.uint64), axis=1)  # whatever the runs are called
    found = []
    for block, drawn in blocks_of(trials):
        draw = stream(seed, campaign, "deal", outcomes.n, len(defined), block)
        for _ in range(drawn):
            totals = dict(zip(differing, tukey_permutation(draw, held, kinds, bits), strict=True))
            with np.errstate(all="ignore"):
                scores = measured(totals | same)
            found.append(np.fmax.reduce(scores) - np.fmin.reduce(scores))
    return np.array(found)


def numbered(columns: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """The different answers (answers, columns), in ascending order, and the number of each run's to each question.

    columns are matrices (runs, questions), the parts of which an answer consists.
    """
    number = np.zeros(columns[0].shape, np.int64)
    for column in columns:
        values = np.unique(column)
        number = number * len(values) + np.searchsorted(values, column)
        number = np.searchsorted(np.unique(number), number)  # stays small, however many columns there are
    _, first = np.unique(number, return_index=True)
    return np.stack([column.ravel()[first] for column in columns], axis=1), number


def tukey_permutation(draw: np.random.Generator, held: np.ndarray, kinds: np.ndarray, bits: np.uint64) -> np.ndarray:
    """Sums (columns, runs) over all questions, the answers to each question permuted among the runs at random.

    held is (questions, runs), the numbers of the answers, which are rows of kinds (answers, columns).
    """
    runs = held.shape[1]
    sums = np.zeros((kinds.shape[1], runs))
    step = max(1, CELLS // runs)
    for start in range(0, len(held), step):
        some = held[start : start + step]
        keys = draw.integers(0, 2**64, some.shape, dtype=np.uint64) >> bits << bits | some
        keys.sort(axis=1)
        keys &= (np.uint64(1) << bits) - np.uint64(1)
        for column, total in enumerate(sums):
            total += kinds[:, column].take(keys.view(np.int64)).sum(axis=0)
    return sums


def simultaneous(score: np.ndarray, ranges: np.ndarray) -> np.ndarray:
    """p of every pair (x before y), valid for all pairs together: the share of trials with at least that range."""
    x, y = np.triu_indices(len(score), 1)
    gap = np.abs(score[x] - score[y])
    at_least = len(ranges) - np.searchsorted(np.sort(ranges), gap - EQUAL, "left")
    return np.where(np.isnan(gap), np.nan, (1 + at_least) / (1 + len(ranges)))
