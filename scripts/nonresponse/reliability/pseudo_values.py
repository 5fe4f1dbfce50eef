"""Pseudo-values: what single questions add to a score, for every measure alike.

psi_q = n M - (n - 1) M(without q). Their mean is near M (equal to it for plain means), their variance over n that of M.
A cluster of questions (a reading test, say) is left out as a whole, and takes the place of a question.
"""

import numpy as np

from nonresponse.measures import orderings
from nonresponse.reliability.outcomes import Outcomes, evaluated, values


def scored(outcomes: Outcomes, clusters: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """The scores (runs,) and psi (runs, questions), or (runs, clusters); clusters numbers the cluster of each question.

    A score is NaN where undefined; a row of psi, where the score is, or what it is without some question.
    """
    score = values(outcomes, np.ones((1, outcomes.n), np.float32))[0]
    without = scores_without(outcomes, clusters)
    units = without.shape[1]
    psi = units * score[:, None] - (units - 1) * without
    return score, np.where(np.isnan(psi).any(axis=1, keepdims=True), np.nan, psi)


def scores_without(outcomes: Outcomes, clusters: np.ndarray | None) -> np.ndarray:
    """The scores without each question or cluster, (runs, units); NaN where undefined."""
    if outcomes.measure.kind == "ordering":
        if clusters is not None:
            every = np.arange(clusters.max(initial=-1) + 1)
            return values(outcomes, (clusters != every[:, None]).astype(np.float32)).T
        return orderings.without_each(outcomes.measure, outcomes.orders, outcomes.n)
    parts = {name: by_cluster(matrix, clusters) for name, matrix in outcomes.matrices.items()}
    left = {name: part.sum(axis=1, keepdims=True) - part for name, part in parts.items()}
    with np.errstate(all="ignore"):
        score = evaluated(outcomes.measure, left)
    score = np.broadcast_to(score, (len(outcomes.runs), parts["n"].shape[1]))
    if outcomes.known is not None:
        known = by_cluster(outcomes.known, clusters)
        score = np.where(known.sum(axis=1, keepdims=True) - known > 0, score, np.nan)
    return np.where(np.isfinite(score), score, np.nan)


def by_cluster(matrix: np.ndarray, clusters: np.ndarray | None) -> np.ndarray:
    """Sums over the questions of each cluster, as float64; the matrix itself without clusters."""
    matrix = matrix.astype(np.float64)
    if clusters is None:
        return matrix
    order = np.argsort(clusters, kind="stable")
    starts = np.searchsorted(clusters[order], np.arange(clusters.max(initial=-1) + 1))
    return np.add.reduceat(matrix[:, order], starts, axis=1)
