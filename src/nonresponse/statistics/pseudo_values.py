"""Pseudo-values: what each question adds to a score, for any measure (Quenouille 1956, Tukey 1958).

psi_q = n M - (n - 1) M(without q). Their mean is near M, and equal to it for plain means. Their
variance over n is near that of M. Where questions come in clusters, a cluster takes the place of a
question (see Outcomes). The intraclass correlation of pseudo-values is that of the questions of a
cluster, or of the samples of a question. It is computed by one-way analysis of variance with random
effects (Brennan 2001).
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
    sum_units,
)

UNIT_COLUMNS = {
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
    has_cells = not outcomes.parts and outcomes.measure.kind != "ordering"
    if has_cells and outcomes.scorable is None and (encoded := encode_totals(outcomes)) is not None:
        question_codes, names = encoded
        codes = find_codes(question_codes)
        if len(codes) <= CELLS:
            index = np.zeros(codes.max(initial=0) + 1, np.uint8)
            index[codes] = np.arange(len(codes))
            totals = {}  # without a question of each code, (runs, codes)
            for bit, name in enumerate(names):
                total = outcomes.matrices[name].sum(axis=1, keepdims=True, dtype=np.float64)
                totals[name] = total - (codes >> bit & 1)
            reduced = evaluate_finite(outcomes, totals, len(codes))
            values = outcomes.n * score[:, None] - (outcomes.n - 1) * reduced
            return score, CellValues(look_up(index, question_codes), values, tuple(codes.tolist()))
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
    score = evaluate_finite(outcomes, totals, outcomes.n)
    if outcomes.scorable is not None:
        remaining = outcomes.scorable.sum(axis=1, keepdims=True) - outcomes.scorable
        score = np.where(remaining > 0, score, np.nan)
    return score


def evaluate_finite(outcomes: Outcomes, totals: dict[str, np.ndarray], number: int) -> np.ndarray:
    """Return the scores (runs, number) from such totals, NaN where they are not finite."""
    with np.errstate(all="ignore"):
        score = np.broadcast_to(evaluate(outcomes.measure, totals), (len(outcomes.runs), number))
    return np.where(np.isfinite(score), score, np.nan)


def count_rarer_class(outcomes: Outcomes) -> np.ndarray:
    """Return the smaller number of correct and of wrong rows in the order of each run, (runs,)."""
    if outcomes.parts:
        parts = [count_rarer_class(part) for part in outcomes.parts if part.measure.classes]
        return np.min(parts, axis=0)
    correct = np.array([order.right.sum() for order in outcomes.orders], np.int64)
    rows = np.array([len(order.right) for order in outcomes.orders], np.int64)
    return np.minimum(correct, rows - correct)


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
        deviation = mean - values.mean(axis=1, keepdims=True)
        between = (size * deviation**2).sum(axis=1) / (classes - 1)
        inside = ((values - mean[:, unit]) ** 2).sum(axis=1) / (n - classes)
        typical = (n - (size**2).sum() / n) / (classes - 1)  # effective class size
        correlation = (between - inside) / (between + (typical - 1) * inside)
    return np.where(np.isfinite(correlation), correlation, np.nan)


def weigh_equally(samples: Outcomes, weight: np.ndarray) -> Outcomes:
    """Return the samples with equal weights, however often a question was asked."""
    matrices = {name: matrix / np.maximum(weight, 1) for name, matrix in samples.matrices.items()}
    parts = [weigh_equally(part, weight) for part in samples.parts]
    return replace(samples, matrices=matrices, parts=parts)


def describe_units(outcomes: Outcomes) -> dict[str, list]:
    """Return UNIT_COLUMNS, a value per run."""
    samples, runs = outcomes.inside, len(outcomes.runs)
    columns: dict[str, list] = {name: [None] * runs for name in UNIT_COLUMNS}
    columns["questions"] = [outcomes.question_count] * runs
    if samples is None:
        return columns
    questions = sum_units(samples, samples.questions, {})
    if questions.unit is not None:
        weight = samples.matrices["weight"]
        psi = pseudo_values(weigh_equally(samples, weight))
        present = np.broadcast_to(weight > 0, psi.shape)
        columns["samples"] = present.sum(axis=1).tolist()
        for run, (values, mask) in enumerate(zip(psi, present, strict=True)):
            _, unit = np.unique(questions.unit[mask], return_inverse=True)
            [between] = intraclass(values[None, mask], unit)
            columns["within"][run] = float(1 - np.clip(between, 0, 1))
    if outcomes.n < questions.n:
        assert outcomes.unit is not None
        cluster = dict(zip(samples.questions, outcomes.unit.tolist(), strict=True))
        unit = np.array([cluster[question] for question in questions.questions])
        columns["clusters"] = [outcomes.n] * runs
        columns["correlation"] = intraclass(pseudo_values(questions), unit).tolist()
    return columns
