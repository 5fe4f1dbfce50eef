"""Pseudo-values: what single questions add to a score, for every measure alike (Quenouille 1956,
Tukey 1958).

psi_q = n M - (n - 1) M(without q). Their mean is near M (equal to it for plain means), their
variance over n that of M. Where questions come in clusters (reading tests, say), a cluster takes
the place of a question (see Outcomes). How alike the questions of a cluster are, and the samples of
a question, is the intraclass correlation of pseudo-values, by one-way analysis of variance with
random effects (Brennan 2001).
"""

from dataclasses import replace
from functools import lru_cache

import numpy as np
import polars as pl

from nonresponse.measures import orderings
from nonresponse.statistics.influence import CELLS, CellValues, Dense, Influence
from nonresponse.statistics.outcomes import (
    Outcomes,
    encode_totals,
    evaluate,
    find_codes,
    full_scores,
    look_up,
    score_weighted,
    sum_units,
)

DESCRIBED = {
    "questions": pl.Int64,
    "clusters": pl.Int64,  # of questions; null where each question stands by itself
    "correlation": pl.Float64,  # of two questions of a cluster; may be below 0, null = undefined
    # That the run was asked, of all questions together; null where no question was asked again
    "samples": pl.Int64,
    # The share of the variance of single samples that lies within questions, which asking more
    # often averages out.
    "within": pl.Float64,  # null = undefined
}


@lru_cache(maxsize=1)
def influence_values(outcomes: Outcomes) -> tuple[np.ndarray, Influence]:
    """Return the scores (runs,), NaN where undefined, and the pseudo-values of the questions.

    Those of a run are not defined if its score is not, or would not be without some question.
    """
    score = full_scores(outcomes)
    unlike = outcomes.parts or outcomes.measure.kind == "ordering" or outcomes.scorable is not None
    if not unlike and (found := encode_totals(outcomes)) is not None:
        cells, names = found
        seen = find_codes(cells)
        if len(seen) <= CELLS:
            index = np.zeros(seen.max(initial=0) + 1, np.uint8)
            index[seen] = np.arange(len(seen))
            totals = {
                name: outcomes.matrices[name].sum(axis=1, keepdims=True, dtype=np.float64)
                for name in names
            }
            left = {name: totals[name] - (seen >> bit & 1)[None] for bit, name in enumerate(names)}
            without = defined_scores(outcomes, left, len(seen))
            values = outcomes.n * score[:, None] - (outcomes.n - 1) * without
            return score, CellValues(look_up(index, cells), values, tuple(seen.tolist()))
    psi = outcomes.n * score[:, None] - (outcomes.n - 1) * scores_without_each(outcomes)
    return score, Dense(np.where(np.isnan(psi).any(axis=1, keepdims=True), np.nan, psi))


def pseudo_values(outcomes: Outcomes) -> np.ndarray:
    """Return the pseudo-values (runs, questions); a row is NaN if the score is undefined, or would
    be without some question.
    """
    return influence_values(outcomes)[1].dense


def scores_without_each(outcomes: Outcomes) -> np.ndarray:
    """Return the scores without each question, (runs, questions); NaN where undefined."""
    if outcomes.parts:
        return outcomes.measure([scores_without_each(part) for part in outcomes.parts])
    if outcomes.measure.kind == "ordering":
        # The single pass along the order can leave out questions only, not clusters
        if outcomes.inside:
            return score_weighted(outcomes, 1 - np.eye(outcomes.n, dtype=np.float32)).T
        return orderings.leave_one_out(outcomes.measure, outcomes.orders, outcomes.n)
    parts = {name: matrix.astype(np.float64) for name, matrix in outcomes.matrices.items()}
    left = {name: part.sum(axis=1, keepdims=True) - part for name, part in parts.items()}
    score = defined_scores(outcomes, left, outcomes.n)
    if outcomes.scorable is not None:
        score = np.where(
            outcomes.scorable.sum(axis=1, keepdims=True) - outcomes.scorable > 0, score, np.nan
        )
    return score


def defined_scores(outcomes: Outcomes, totals: dict[str, np.ndarray], number: int) -> np.ndarray:
    """Return the scores (runs, number) from such totals, NaN where they are not finite."""
    with np.errstate(all="ignore"):
        score = np.broadcast_to(evaluate(outcomes.measure, totals), (len(outcomes.runs), number))
    return np.where(np.isfinite(score), score, np.nan)


def rarer_class(outcomes: Outcomes) -> np.ndarray:
    """Return the number of right or of wrong rows in the order of each run, whichever is smaller
    (runs,)."""
    if outcomes.parts:
        return np.min(
            [rarer_class(part) for part in outcomes.parts if part.measure.classes], axis=0
        )
    right = [int(order.right.sum()) for order in outcomes.orders]
    return np.array(
        [min(of, len(order.right) - of) for of, order in zip(right, outcomes.orders, strict=True)]
    )


def intraclass(values: np.ndarray, unit: np.ndarray) -> np.ndarray:
    """Return the intraclass correlation of each row (rows,) of values (rows, n), unit (n,)
    numbering classes from 0.

    NaN if the values are all the same, or some are NaN, or no class has two values. Classes may
    differ in size.
    """
    n, classes = len(unit), unit.max(initial=-1) + 1
    size = np.bincount(unit, minlength=classes)
    member = np.zeros((n, classes))
    member[np.arange(n), unit] = 1
    mean = values @ member / size
    with np.errstate(invalid="ignore", divide="ignore"):
        between = (size * (mean - values.mean(axis=1, keepdims=True)) ** 2).sum(axis=1) / (
            classes - 1
        )
        inside = ((values - mean[:, unit]) ** 2).sum(axis=1) / (n - classes)
        typical = (n - (size**2).sum() / n) / (classes - 1)  # effective class size
        correlation = (between - inside) / (between + (typical - 1) * inside)
    return np.where(np.isfinite(correlation), correlation, np.nan)


def counting_once(samples: Outcomes, weight: np.ndarray) -> Outcomes:
    """Return the samples, each counting the same, however often its question was asked; weight
    (runs, samples)."""
    matrices = {name: matrix / np.maximum(weight, 1) for name, matrix in samples.matrices.items()}
    return replace(
        samples, matrices=matrices, parts=[counting_once(part, weight) for part in samples.parts]
    )


def describe_units(outcomes: Outcomes) -> dict[str, list]:
    """Return DESCRIBED, a value per run."""
    samples, runs = outcomes.inside, len(outcomes.runs)
    columns: dict[str, list] = {name: [None] * runs for name in DESCRIBED} | {
        "questions": [outcomes.question_count] * runs
    }
    if samples is None:
        return columns
    questions = sum_units(samples, samples.questions, {})
    if questions.unit is not None:
        weight = samples.matrices["weight"]
        psi = pseudo_values(counting_once(samples, weight))
        given = np.broadcast_to(weight > 0, psi.shape)
        columns["samples"] = given.sum(axis=1).tolist()
        for run, (row, own) in enumerate(zip(psi, given, strict=True)):
            [between] = intraclass(
                row[None, own], np.unique(questions.unit[own], return_inverse=True)[1]
            )
            columns["within"][run] = float(1 - np.clip(between, 0, 1))
    if outcomes.n < questions.n:
        assert outcomes.unit is not None
        cluster = dict(zip(samples.questions, outcomes.unit.tolist(), strict=True))
        unit = np.array([cluster[question] for question in questions.questions])
        columns["clusters"] = [outcomes.n] * runs
        columns["correlation"] = intraclass(pseudo_values(questions), unit).tolist()
    return columns
