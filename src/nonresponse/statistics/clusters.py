"""Which questions are in a cluster; how alike the questions of a cluster are, and the samples of a question.

Likeness is the intraclass correlation of pseudo-values, by one-way analysis of variance with random effects. For the
samples of a question, 1 minus this is the share of the variance within questions, which asking more often averages out.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl

from nonresponse import tables
from nonresponse.statistics.outcomes import Outcomes, by_unit
from nonresponse.statistics.pseudo_values import scored

FEWEST = 10  # clusters; with fewer, intervals and tests are rough

DESCRIBED = {
    "questions": pl.Int64,
    "clusters": pl.Int64,  # of questions; null where each question stands by itself
    "correlation": pl.Float64,  # of two questions of a cluster; may be below 0, null = undefined
    "samples": pl.Int64,  # that the run was asked, of all questions together; null where no question was asked again
    "within": pl.Float64,  # the share of the variance of single samples that lies within questions; null = undefined
}


def clusters_in(files: list[Path]) -> dict[str, str]:
    """The cluster of each question that is in one, from the table of the questions, if there is any."""
    questions = [
        tables.spelt(pl.read_parquet(file, columns=["question", "cluster"])).drop_nulls("cluster") for file in files
    ]
    return dict(pl.concat(questions).iter_rows()) if questions else {}


def intraclass(values: np.ndarray, unit: np.ndarray) -> np.ndarray:
    """The intraclass correlation of each row (rows,) of values (rows, n), unit (n,) numbering the classes from 0.

    NaN if the values are all the same, or some are NaN, or no class has two values. Classes may differ in size.
    """
    n, classes = len(unit), unit.max(initial=-1) + 1
    size = np.bincount(unit, minlength=classes)
    member = np.zeros((n, classes))
    member[np.arange(n), unit] = 1
    mean = values @ member / size
    with np.errstate(invalid="ignore", divide="ignore"):
        between = (size * (mean - values.mean(axis=1, keepdims=True)) ** 2).sum(axis=1) / (classes - 1)
        inside = ((values - mean[:, unit]) ** 2).sum(axis=1) / (n - classes)
        typical = (n - (size**2).sum() / n) / (classes - 1)  # effective class size
        correlation = (between - inside) / (between + (typical - 1) * inside)
    return np.where(np.isfinite(correlation), correlation, np.nan)


def share_within(values: np.ndarray, unit: np.ndarray) -> float:
    """The share of the variance of values (n,) that lies within their classes, unit (n,)."""
    [correlation] = intraclass(values[None], np.unique(unit, return_inverse=True)[1])
    return float(1 - np.clip(correlation, 0, 1))


def counting_once(samples: Outcomes, weight: np.ndarray) -> Outcomes:
    """The samples, each counting the same, however often its question was asked; weight (runs, samples)."""
    matrices = {name: matrix / np.maximum(weight, 1) for name, matrix in samples.matrices.items()}
    return replace(samples, matrices=matrices, parts=[counting_once(part, weight) for part in samples.parts])


def described(outcomes: Outcomes) -> dict[str, list]:
    """DESCRIBED, a value per run."""
    samples, runs = outcomes.inside, len(outcomes.runs)
    columns: dict[str, list] = {name: [None] * runs for name in DESCRIBED} | {"questions": [outcomes.asked] * runs}
    if samples is None:
        return columns
    questions = by_unit(samples, samples.questions, {})
    if questions.unit is not None:
        weight = samples.matrices["weight"]
        psi = scored(counting_once(samples, weight))[1]
        given = np.broadcast_to(weight > 0, psi.shape)
        columns["samples"] = given.sum(axis=1).tolist()
        columns["within"] = [share_within(row[own], questions.unit[own]) for row, own in zip(psi, given, strict=True)]
    if outcomes.n < questions.n:
        assert outcomes.unit is not None
        cluster = dict(zip(samples.questions, outcomes.unit.tolist(), strict=True))
        unit = np.array([cluster[question] for question in questions.questions])
        columns["clusters"] = [outcomes.n] * runs
        columns["correlation"] = intraclass(scored(questions)[1], unit).tolist()
    return columns
