"""The area under the ROC curve: how often a right pair has a higher score than a wrong one."""

import numpy as np

from nonresponse.measures.orderings import Order, Ratio, count_right, locate_rows, sum_rows


def area(order: Order, weights: np.ndarray) -> Ratio:
    """Area under the ROC curve of the raw score. A pair without a score has PAN's 0.5."""
    # The share of pairs of a right and a wrong row in which the right one has the higher score;
    # ties count half.
    right, preceding, total, n = count_right(order, weights)
    positive = sum_rows(right)
    # Twice the pairs won: per right row, the rows before its block and up to its end, less the
    # right ones among them.
    won = np.einsum("ij,ij->j", right, np.add(preceding, total, dtype=np.int64), dtype=np.int64)
    return won - positive**2, 2 * positive * (n - positive)


def contributions(order: Order) -> np.ndarray:
    """Each row's share of the area: a correctly ordered pair gives half to either row."""
    preceding, size, block = locate_rows(order)
    right_of_block = np.add.reduceat(order.right.astype(np.int64), order.starts)
    right_before = (np.cumsum(right_of_block) - right_of_block)[block]
    right_inside = right_of_block[block]
    right = order.right.sum()
    wrong = len(order.right) - right
    # A right row: wrong rows below it, ties half
    won = preceding - right_before + (size - right_inside) / 2
    # A wrong row: right rows above it
    lost = right - right_before - right_inside + right_inside / 2
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(order.right, won, lost) / (2 * right * wrong)


def leave_one_out(order: Order, questions: int) -> np.ndarray:
    """Return the area without each question, (questions,)."""
    right = np.bincount(order.question, order.right, questions)
    wrong = np.bincount(order.question, ~order.right, questions)
    positive, negative = order.right.sum(), (~order.right).sum()
    # What a row gains from rows of the other class
    gains = contributions(order) * 2 * positive * negative
    won = np.bincount(order.question, gains, questions)
    return (won.sum() / 2 - won) / ((positive - right) * (negative - wrong))
