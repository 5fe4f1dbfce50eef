"""The randomised Tukey HSD (Carterette 2012): an older test of all pairs, kept to compare with.

It asks whether all runs are interchangeable. Where that is not so, as with equal scores at unequal coverage, or a few
equal runs among others, it finds differences too often (docs/reliability.md has how often).
"""

from collections.abc import Callable

import numpy as np

from nonresponse.measures import orderings
from nonresponse.reliability.outcomes import Outcomes, evaluated
from nonresponse.reliability.subsets import blocks_of, stream

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


def ranges(outcomes: Outcomes, score: np.ndarray, seed: int, campaign: str, trials: range) -> np.ndarray:
    """Highest less lowest score of each trial, (trials,).

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
    """p of every pair (x before y), valid for all pairs together: the share of trials with at least that range.

    NaN where a score is undefined, and throughout without trials.
    """
    x, y = np.triu_indices(len(score), 1)
    gap = np.abs(score[x] - score[y])
    at_least = len(ranges) - np.searchsorted(np.sort(ranges), gap - EQUAL, "left")
    return np.where(np.isnan(gap) | (len(ranges) == 0), np.nan, (1 + at_least) / (1 + len(ranges)))
