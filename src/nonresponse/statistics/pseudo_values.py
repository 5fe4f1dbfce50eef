"""Pseudo-values: what single questions add to a score, for every measure alike.

psi_q = n M - (n - 1) M(without q). Their mean is near M (equal to it for plain means), their variance over n that of M.
Where questions come in clusters (reading tests, say), a cluster takes the place of a question (see Outcomes).
"""

from dataclasses import replace
from functools import lru_cache

import numpy as np

from nonresponse.measures import orderings
from nonresponse.statistics.influence import CELLS, Dense, InCells, Influence
from nonresponse.statistics.outcomes import Outcomes, codes_of, evaluated, full_scores, values


@lru_cache(maxsize=1)
def influence(outcomes: Outcomes) -> tuple[np.ndarray, Influence]:
    """Return the scores (runs,), NaN where undefined, and the pseudo-values of the questions.

    Those of a run are not defined if its score is not, or would not be without some question.
    """
    score = full_scores(outcomes)
    unlike = outcomes.parts or outcomes.measure.kind == "ordering" or outcomes.known is not None
    if not unlike and (found := codes_of(outcomes)) is not None:
        cells, names = found
        numbers = np.bincount(cells.ravel(), minlength=1)
        seen = np.flatnonzero(numbers)
        if len(seen) <= CELLS:
            index = np.zeros(len(numbers), np.uint8)
            index[seen] = np.arange(len(seen))
            without = in_each_cell(outcomes, names, seen)
            values = outcomes.n * score[:, None] - (outcomes.n - 1) * without
            return score, InCells(index[cells], values, tuple(seen.tolist()))
    psi = outcomes.n * score[:, None] - (outcomes.n - 1) * scores_without(outcomes)
    return score, Dense(np.where(np.isnan(psi).any(axis=1, keepdims=True), np.nan, psi))


def scored(outcomes: Outcomes) -> tuple[np.ndarray, np.ndarray]:
    """Return the scores (runs,) and the pseudo-values (runs, questions).

    A score is NaN if undefined; a row is NaN if the score is undefined, or would be without some question.
    """
    score, found = influence(outcomes)
    return score, found.dense


def rarer_class(outcomes: Outcomes) -> np.ndarray:
    """The number of right or of wrong rows in the order of each run, whichever is smaller (runs,)."""
    if outcomes.parts:
        return np.min([rarer_class(part) for part in outcomes.parts if part.measure.classes], axis=0)
    right = [int(order.right.sum()) for order in outcomes.orders]
    return np.array([min(of, len(order.right) - of) for of, order in zip(right, outcomes.orders, strict=True)])


@lru_cache(maxsize=1)
def counting(outcomes: Outcomes) -> Outcomes:
    """The outcomes without the questions that count for no run: for nil_recall, those with a known answer.

    They change no score, but as part of n they would make few questions look like many. Outcomes of orders and of
    combined measures are unchanged.
    """
    if outcomes.parts or outcomes.measure.kind == "ordering":
        return outcomes
    names = [*outcomes.measure.totals, *["n"] * outcomes.measure.is_number]
    parts = [outcomes.matrices[name] for name in names] + ([] if outcomes.known is None else [outcomes.known])
    counts = np.logical_or.reduce([part.any(axis=0) for part in parts])
    if counts.all() or not counts.any():
        return outcomes
    return replace(
        outcomes,
        questions=[question for question, some in zip(outcomes.questions, counts, strict=True) if some],
        matrices={name: matrix[:, counts] for name, matrix in outcomes.matrices.items()},
        known=None if outcomes.known is None else outcomes.known[:, counts],
    )


def scores_without(outcomes: Outcomes) -> np.ndarray:
    """The scores without each question, (runs, questions); NaN where undefined."""
    if outcomes.parts:
        return outcomes.measure([scores_without(part) for part in outcomes.parts])
    if outcomes.measure.kind == "ordering":
        if outcomes.inside:  # the single pass along the order can leave out questions only, not clusters
            return values(outcomes, 1 - np.eye(outcomes.n, dtype=np.float32)).T
        return orderings.without_each(outcomes.measure, outcomes.orders, outcomes.n)
    parts = {name: matrix.astype(np.float64) for name, matrix in outcomes.matrices.items()}
    left = {name: part.sum(axis=1, keepdims=True) - part for name, part in parts.items()}
    with np.errstate(all="ignore"):
        score = evaluated(outcomes.measure, left)
    score = np.broadcast_to(score, (len(outcomes.runs), outcomes.n))
    if outcomes.known is not None:
        known = outcomes.known
        score = np.where(known.sum(axis=1, keepdims=True) - known > 0, score, np.nan)
    return np.where(np.isfinite(score), score, np.nan)


def in_each_cell(outcomes: Outcomes, names: list[str], seen: np.ndarray) -> np.ndarray:
    """Return the score of each run without a question of each cell, (runs, cells); `seen` are bits of the totals."""
    totals = {name: outcomes.matrices[name].sum(axis=1, keepdims=True, dtype=np.float64) for name in names}
    left = {name: totals[name] - (seen >> bit & 1)[None] for bit, name in enumerate(names)}
    with np.errstate(all="ignore"):
        score = np.broadcast_to(evaluated(outcomes.measure, left), (len(outcomes.runs), len(seen)))
    return np.where(np.isfinite(score), score, np.nan)
