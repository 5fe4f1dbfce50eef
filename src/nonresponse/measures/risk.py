"""Risk against coverage (docs/abstention.md), and calibration.

Only answered questions have a place in the order. The areas are over the answers alone; coverage@r
and risk@cov count in shares of all questions. Ties: areas and risk@cov are expectations over all
orders of the tied answers, augrc takes tied answers as one step, coverage@r includes all or none of
them.

Calibration: how far confidences are from the share of correct answers, bin by bin.
"""

import numpy as np

from nonresponse.measures import cws
from nonresponse.measures.orderings import EDGE, Order, Ratio, count_answers, count_ties


def area(order: Order, weights: np.ndarray) -> Ratio:
    """Mean over k of the share of wrong answers among the k most confident; 1 - cws over the
    answered questions alone."""
    right, n = cws.score(order, weights)
    return n - right, n


def leave_one_out(order: Order, questions: int) -> np.ndarray:
    """Return the area without each question, (questions,)."""
    return 1 - cws.leave_one_out(order, questions)


def excess(order: Order, weights: np.ndarray) -> Ratio:
    """Excess of aurc over that of the best order of as many wrong answers, in the limit of many
    questions."""
    risks, n = area(order, weights)
    wrong = weights[order.question[~order.right]].sum(axis=0, dtype=np.int64)
    right = np.clip(1 - wrong / np.maximum(n, 1), 0, 1)
    # e + (1 - e) ln(1 - e) of an error rate e; 1 where all are wrong.
    best = 1 - right + right * np.log(np.where(right > 0, right, 1))
    return risks - n * best, n


def rejection_ratio(order: Order, weights: np.ndarray) -> Ratio:
    """Area under accuracy against rejection, moved so that chance is 0 and the best order 1."""
    total, n = cws.score(order, weights)
    right = weights[order.question[order.right]].sum(axis=0, dtype=np.int64)
    harmonic, _, _ = cws.harmonic_numbers(max(int(n.max()), 2 * cws.FEW).bit_length())
    has_both = (right > 0) & (right < n)  # else all orders are the best one
    largest = right * (harmonic[n] - harmonic[right])
    return np.where(has_both, total - right, 0), np.where(has_both, largest, 0)


def generalized(order: Order, weights: np.ndarray) -> Ratio:
    """Area under errors(k) / answers against coverage, from (0, 0). Each block of ties is a
    trapezoid."""
    rows, right = count_ties(order, weights)
    wrong = rows - right
    n = rows.sum(axis=0)
    return (rows * (2 * np.cumsum(wrong, axis=0) - wrong)).sum(axis=0), 2 * n * n


def separation(order: Order, weights: np.ndarray) -> Ratio:
    """How often a correct answer has more confidence than a wrong one, ties half."""
    rows, right = count_ties(order, weights)
    wrong = rows - right
    wrong_below = wrong.sum(axis=0) - np.cumsum(wrong, axis=0)
    won = (right * (2 * wrong_below + wrong)).sum(axis=0)
    return won, 2 * right.sum(axis=0) * wrong.sum(axis=0)


def coverage(order: Order, weights: np.ndarray, r: float) -> Ratio:
    """Largest share of all questions that the most confident answers cover with no more than r of
    them wrong; 0 if none do."""
    rows, right, n = count_answers(order, weights)
    total = np.cumsum(rows, axis=0)
    # <= is exact: a quotient of whole numbers and a decimal of the same value are the same float.
    risk = (total - np.cumsum(right, axis=0)) / np.maximum(total, 1)
    covered = np.where(risk <= r, total, 0).max(axis=0, initial=0)
    return covered, np.where(rows.sum(axis=0) > 0, n, 0)


def risk(order: Order, weights: np.ndarray, cov: float) -> Ratio:
    """Share of wrong answers among the most confident that make up a share cov of all questions,
    rounded up."""
    rows, right, n = count_answers(order, weights)
    k = np.ceil(cov * n - EDGE)
    preceding = np.cumsum(rows, axis=0) - rows
    # Of each block that is among the k most confident
    part = np.clip((k - preceding) / np.maximum(rows, 1), 0, 1)
    enough = rows.sum(axis=0) >= k
    return ((rows - right) * part).sum(axis=0) * enough, k * enough


def equal_width(order: Order, weights: np.ndarray, k: int) -> Ratio:
    """Distance of mean confidence and accuracy in k bins of equal width, weighted by answers."""
    rows, right = count_ties(order, weights)
    bins = np.ceil(order.sort_key[order.starts] * k - EDGE).astype(np.int64) - 1
    return sum_gaps(order, rows, right, np.broadcast_to(bins[:, None], rows.shape), k)


def equal_mass(order: Order, weights: np.ndarray, k: int) -> Ratio:
    """Distance as in ece, in k bins of as equal size as possible. Equal confidences stay in the
    lower bin."""
    rows, right = count_ties(order, weights)
    n = rows.sum(axis=0)
    less_sure = n - np.cumsum(rows, axis=0)
    return sum_gaps(order, rows, right, less_sure * k // np.maximum(n, 1), k)


def sum_gaps(order: Order, rows: np.ndarray, right: np.ndarray, bins: np.ndarray, k: int) -> Ratio:
    """Return the sum over bins of |correct answers - confidences|, and the number of answers.

    rows, right and bins are (blocks, trials).
    """
    gap = right - order.sort_key[order.starts][:, None] * rows
    trials = gap.shape[1]
    cells = np.clip(bins, 0, k - 1) * trials + np.arange(trials)
    gaps = np.bincount(cells.ravel(), gap.ravel(), k * trials).reshape(k, trials)
    return np.abs(gaps).sum(axis=0), rows.sum(axis=0)


def root_mean_square(order: Order, weights: np.ndarray, b: int) -> Ratio:
    """Root mean square of accuracy less confidence, in bins of b answers, the least sure first.

    The last bin takes what is left over. Equal confidences on both sides of an edge count in each
    bin by their share.
    """
    return root_of_bins(order, weights, b, None)


def root_mean_square_hle(order: Order, weights: np.ndarray, b: int) -> Ratio:
    """rms_calibration without the bin of the most confident answers, but divided by all answers."""
    root, n = root_of_bins(order, weights, b, -1)
    return root, np.where(n >= 2 * b, n, 0)


def root_of_bins(order: Order, weights: np.ndarray, b: int, end: int | None) -> Ratio:
    """Return the root mean square of the gaps of the bins up to `end`, as a ratio."""
    rows, right = count_ties(order, weights)
    gap = right - order.sort_key[order.starts][:, None] * rows
    n, zero = rows.sum(axis=0), np.zeros((1, rows.shape[1]))
    answers_upto, gaps_upto = (
        np.concatenate([zero, np.cumsum(part[::-1], axis=0)]) for part in (rows, gap)
    )
    root = np.zeros(len(n))
    for trial, answers in enumerate(n):
        edges = np.append(np.arange(max(answers // b, 1)) * b, answers)
        gaps = np.diff(np.interp(edges, answers_upto[:, trial], gaps_upto[:, trial]))
        squares = gaps**2 / np.maximum(np.diff(edges), 1)
        root[trial] = np.sqrt(answers * squares[:end].sum())
    return root, n
