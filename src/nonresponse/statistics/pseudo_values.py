"""Pseudo-values: what each question adds to a score, for any measure (Quenouille 1956, Tukey 1958).

psi_q = n M - (n - 1) M(without q). Their mean is near M, and equal to it for plain means. Their
variance over n is near that of M. Where questions come in clusters, a cluster takes the place of a
question (see Outcomes).
"""

from functools import lru_cache

import numpy as np

from nonresponse.measures import orderings
from nonresponse.statistics.influence import CELLS, CellValues, Dense, Influence
from nonresponse.statistics.outcomes import (
    Outcomes,
    encode_totals,
    evaluate,
    full_scores,
)


@lru_cache(maxsize=1)
def influence_values(outcomes: Outcomes) -> tuple[np.ndarray, Influence]:
    """Return the scores (runs,), NaN where undefined, and the pseudo-values of the questions.

    Those of a run are not defined if its score is not, or would not be without some question.
    """
    score = full_scores(outcomes)
    has_cells = not outcomes.parts and outcomes.measure.kind != "ordering"
    if has_cells and outcomes.scorable is None and (encoded := encode_totals(outcomes)) is not None:
        question_codes, names = encoded
        codes = np.unique(question_codes)
        if len(codes) <= CELLS:
            index = np.zeros(codes.max(initial=0) + 1, np.uint8)
            index[codes] = np.arange(len(codes))
            totals = {}  # without a question of each code, (runs, codes)
            for bit, name in enumerate(names):
                total = outcomes.matrices[name].sum(axis=1, keepdims=True, dtype=np.float64)
                totals[name] = total - (codes >> bit & 1)
            reduced = np.broadcast_to(evaluate(outcomes.measure, totals), (len(score), len(codes)))
            values = outcomes.n * score[:, None] - (outcomes.n - 1) * reduced
            return score, CellValues(index[question_codes], values, tuple(codes.tolist()))
    psi = outcomes.n * score[:, None] - (outcomes.n - 1) * scores_without_each(outcomes)
    return score, Dense(np.where(np.isnan(psi).any(axis=1, keepdims=True), np.nan, psi))


def pseudo_values(outcomes: Outcomes) -> np.ndarray:
    """Return the pseudo-values (runs, questions), NaN for a run where they are not defined."""
    return influence_values(outcomes)[1].dense


def scores_without_each(outcomes: Outcomes) -> np.ndarray:
    """Return the scores without each question, (runs, questions); NaN where undefined."""
    if outcomes.parts:
        return outcomes.measure([scores_without_each(part) for part in outcomes.parts])
    if outcomes.measure.kind == "ordering":
        return orderings.leave_one_out(outcomes.measure, outcomes.orders, outcomes.n)
    totals = {}
    for name, matrix in outcomes.matrices.items():
        values = matrix.astype(np.float64)
        totals[name] = values.sum(axis=1, keepdims=True) - values
    score = np.broadcast_to(evaluate(outcomes.measure, totals), (len(outcomes.runs), outcomes.n))
    if outcomes.scorable is not None:
        remaining = outcomes.scorable.sum(axis=1, keepdims=True) - outcomes.scorable
        score = np.where(remaining > 0, score, np.nan)
    return score


def count_rarer_class(outcomes: Outcomes) -> np.ndarray:
    """Return the smaller number of correct and of wrong rows in the order of each run, (runs,)."""
    if outcomes.parts:
        parts = [count_rarer_class(part) for part in outcomes.parts if part.measure.classes]
        return np.min(parts, axis=0)
    correct = np.array([order.right.sum() for order in outcomes.orders], np.int64)
    rows = np.array([len(order.right) for order in outcomes.orders], np.int64)
    return np.minimum(correct, rows - correct)
