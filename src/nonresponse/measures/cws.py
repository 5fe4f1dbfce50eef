"""The confidence-weighted score (Voorhees 2003; Peñas & Rodrigo 2011)."""

from functools import lru_cache

import numpy as np

from nonresponse.measures.orderings import Order, Ratio, count_right, locate_rows, sum_rows

FEW = 8  # a question is hardly ever drawn more often in a bootstrap sample


def score(order: Order, weights: np.ndarray) -> Ratio:
    """Confidence-weighted score: mean over i of the share of correct ones among the i most
    confident."""
    # A correct answer in position p adds 1/p + 1/(p+1) + ... + 1/n = H(n) - H(p-1). In a block of m
    # tied rows after a others, it adds the mean of this over the positions a+1 .. a+m.
    right, preceding, total, n = count_right(order, weights)
    rows = np.subtract(total, preceding, out=total)
    harmonic, sums, means = harmonic_numbers(max(int(n.max()), 2 * FEW).bit_length())
    index = rows.astype(np.intp)
    index *= means.shape[1]
    index += preceding
    lost = means.take(index, mode="clip")
    if rows.max(initial=0) > FEW:
        large = rows.max(axis=1) > FEW
        rows, preceding = rows[large].astype(np.intp), preceding[large].astype(np.intp)
        mean = (sums[preceding + rows] - sums[preceding]) / np.maximum(rows, 1)
        lost[large] = np.where(rows > 1, mean, harmonic[preceding])
    lost *= right
    return sum_rows(right) * harmonic[n] - lost.sum(axis=0), n


@lru_cache(maxsize=4)
def harmonic_numbers(digits: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return H(i) for i below 2^digits, their sums up to i, and their means over m ≤ FEW from a."""
    number = 2**digits
    harmonic = np.concatenate([[0], np.cumsum(1 / np.arange(1, number))])
    sums = np.concatenate([[0], np.cumsum(harmonic)])
    means = np.broadcast_to(harmonic, (FEW + 1, number)).copy()
    for m in range(2, FEW + 1):
        means[m, : number - m] = (sums[m:-1] - sums[: -1 - m]) / m
    return harmonic, sums, means


def leave_one_out(order: Order, questions: int) -> np.ndarray:
    """Return the score without each question, (questions,). The rows below it move up."""
    preceding, size, block = locate_rows(order)
    n = len(order.question)
    harmonic = np.concatenate([[0], np.cumsum(1 / np.arange(1, n + 1))])
    sums = np.concatenate([[0], np.cumsum(harmonic)])
    starts, sizes = order.starts, np.diff(np.append(order.starts, n))
    right = np.add.reduceat(order.right.astype(np.float64), starts)

    def lost(right: np.ndarray, preceding: np.ndarray, size: np.ndarray) -> np.ndarray:
        """Return each block's correct answers times the mean of H(p - 1) over its positions."""
        return right * (sums[preceding + size] - sums[preceding]) / np.maximum(size, 1)

    unmoved, moved = lost(right, starts, sizes), lost(right, np.maximum(starts - 1, 0), sizes)
    lost_above = np.cumsum(unmoved) - unmoved
    lost_below = moved.sum() - np.cumsum(moved)
    lost_inside = lost(right[block] - order.right, preceding, size - 1)
    total = (order.right.sum() - order.right) * harmonic[n - 1]
    total = total - lost_above[block] - lost_inside - lost_below[block]
    # A question that is not in the order makes no difference
    scores = np.full(questions, (order.right.sum() * harmonic[n] - unmoved.sum()) / n)
    scores[order.question] = total / (n - 1)
    return scores
