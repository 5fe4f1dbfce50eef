"""Calibration: how far self-scores are from the share of right answers among those that have them, bin by bin."""

import numpy as np

from nonresponse.measures.orderings import EDGE, Order, counted


def equal_width(order: Order, weights: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Distance of mean self-score and accuracy in k bins of equal width, weighted with the answers in them."""
    rows, right = counted(order, weights)
    bins = np.ceil(order.standing[order.starts] * k - EDGE).astype(np.int64) - 1
    return distance(order, rows, right, np.broadcast_to(bins[:, None], rows.shape), k)


def equal_mass(order: Order, weights: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """The same in k bins of as many answers each, as far as that goes; equal self-scores stay in the lower bin."""
    rows, right = counted(order, weights)
    n = rows.sum(axis=0)
    below = n - np.cumsum(rows, axis=0)  # answers with lower self-scores
    return distance(order, rows, right, below * k // np.maximum(n, 1), k)


def distance(
    order: Order, rows: np.ndarray, right: np.ndarray, bins: np.ndarray, k: int
) -> tuple[np.ndarray, np.ndarray]:
    """Sum over bins of the distance between right answers and self-scores, and the number of answers.

    rows, right and bins are (blocks, trials).
    """
    gap = right - order.standing[order.starts][:, None] * rows
    trials = gap.shape[1]
    place = np.clip(bins, 0, k - 1) * trials + np.arange(trials)
    gaps = np.bincount(place.ravel(), gap.ravel(), k * trials).reshape(k, trials)
    return np.abs(gaps).sum(axis=0), rows.sum(axis=0)
