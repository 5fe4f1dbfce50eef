"""Pseudo-values: what single questions add to a score, for every measure alike.

psi_q = n M - (n - 1) M(without q). Their mean is near M (equal to it for plain means), their variance over n that of M.
Where questions come in clusters (reading tests, say), a cluster takes the place of a question (see Outcomes).
"""

from dataclasses import replace
from functools import lru_cache

import numpy as np

from nonresponse.measures import orderings
from nonresponse.reliability.cache import NOTHING, Cache
from nonresponse.reliability.outcomes import Outcomes, evaluated, full_scores, values

AT_ONCE = 128  # runs in a product


@lru_cache(maxsize=1)
def scored(outcomes: Outcomes) -> tuple[np.ndarray, np.ndarray]:
    """The scores (runs,) and psi (runs, questions).

    A score is NaN if undefined; a row of psi is NaN if the score is undefined, or would be without some question.
    """
    score = full_scores(outcomes)
    psi = outcomes.n * score[:, None] - (outcomes.n - 1) * scores_without(outcomes)
    return score, np.where(np.isnan(psi).any(axis=1, keepdims=True), np.nan, psi)


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
    if (found := cells_of(outcomes)) is not None:
        return in_each_cell(outcomes, *found)
    parts = {name: matrix.astype(np.float64) for name, matrix in outcomes.matrices.items()}
    left = {name: part.sum(axis=1, keepdims=True) - part for name, part in parts.items()}
    with np.errstate(all="ignore"):
        score = evaluated(outcomes.measure, left)
    score = np.broadcast_to(score, (len(outcomes.runs), outcomes.n))
    if outcomes.known is not None:
        known = outcomes.known
        score = np.where(known.sum(axis=1, keepdims=True) - known > 0, score, np.nan)
    return np.where(np.isfinite(score), score, np.nan)


def cells_of(outcomes: Outcomes) -> tuple[np.ndarray, list[str]] | None:
    """Return the cell of each question (runs, questions), whose bits say which totals it adds 1 to, and their names.

    None if questions add values other than 0 and 1, or if some cannot give a value.
    """
    names = sorted(outcomes.matrices)
    if outcomes.known is not None or len(names) > 8:
        return None
    cells = np.zeros((len(outcomes.runs), outcomes.n), np.uint8)
    for bit, name in enumerate(names):
        matrix = outcomes.matrices[name]
        ones = matrix == 1
        if not (ones | (matrix == 0)).all():
            return None
        cells |= ones.view(np.uint8) << np.uint8(bit)
    return cells, names


def in_each_cell(outcomes: Outcomes, cells: np.ndarray, names: list[str]) -> np.ndarray:
    """Return what scores_without does, computed once for each cell of a run."""
    totals = {name: outcomes.matrices[name].sum(axis=1, keepdims=True, dtype=np.float64) for name in names}
    seen = np.flatnonzero(np.bincount(cells.ravel(), minlength=1))
    left = {name: totals[name] - (seen >> bit & 1)[None] for bit, name in enumerate(names)}
    with np.errstate(all="ignore"):
        score = np.broadcast_to(evaluated(outcomes.measure, left), (len(outcomes.runs), len(seen)))
    score = np.where(np.isfinite(score), score, np.nan)
    place = np.zeros(256, np.intp)
    place[seen] = np.arange(len(seen))
    return np.take_along_axis(score, place[cells], 1)


def variances(
    psi: np.ndarray, product: np.ndarray | None = None, known: np.ndarray | None = None, cache: Cache = NOTHING
) -> np.ndarray:
    """The variance over questions of psi_x - psi_y for each pair, x before y; 0 where the difference is constant.

    psi (runs, questions) must not contain NaN. product: sums of products of deviations that are known (runs, runs).
    """
    deviations, number = centred(psi), psi.shape[1]
    if product is None or known is None:
        product, known = np.zeros((len(psi),) * 2), np.zeros((len(psi),) * 2, bool)
    new = np.flatnonzero(~known.diagonal())
    for start in range(0, len(new), AT_ONCE):
        some = new[start : start + AT_ONCE]
        # Among new runs on the diagonal and above it only.
        others = np.union1d(new[start:], np.flatnonzero(known.diagonal()))
        product[np.ix_(some, others)] = deviations[:, some].T @ deviations[:, others]
        product[np.ix_(others, some)] = product[np.ix_(some, others)].T
    cache.keep("products", product)
    own, sums = product.diagonal(), deviations.sum(axis=0)
    x, y = np.triu_indices(len(product), 1)
    squares = own[x] + own[y] - 2 * product[x, y] - (sums[x] - sums[y]) ** 2 / number
    # Rounding in `centred` can leave a tiny variance of constant differences.
    return np.where(squares > 1e-9 * np.maximum(own[x] + own[y], 1e-9), squares, 0) / max(number - 1, 1)


def centred(psi: np.ndarray) -> np.ndarray:
    """psi less the mean of each run, a row per question: (questions, runs).

    Rounded, run by run, just so much that sums of products over questions are exact in any order.
    """
    deviations = psi - psi.mean(axis=1, keepdims=True)
    largest = np.abs(deviations).max(axis=1, initial=0, keepdims=True)
    digits = np.floor((52 - np.log2(max(psi.shape[1], 1))) / 2) - 2
    unit = np.exp2(np.ceil(np.log2(np.where(largest > 0, largest, 1))) - digits)
    deviations /= unit
    np.round(deviations, out=deviations)
    deviations *= unit
    return np.ascontiguousarray(deviations.T)


def summable(psi: np.ndarray) -> np.ndarray:
    """psi rounded, run by run, just so much that all sums over questions are exact, whatever their order."""
    questions = psi.shape[1]
    largest = np.abs(psi).max(axis=1, initial=0, keepdims=True) * max(questions, 1)
    unit = np.exp2(np.ceil(np.log2(np.where(largest > 0, largest, 1))) - 52)
    rounded = psi / unit
    np.round(rounded, out=rounded)
    rounded *= unit
    return rounded
