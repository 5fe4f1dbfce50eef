"""Reliability diagram: the share of correct answers against the confidence, in the bins of ece@10
(Naeini et al.)."""

import numpy as np
import polars as pl

from nonresponse import tables
from nonresponse.judging.store import read_verdicts
from nonresponse.measures import EXACT
from nonresponse.measures.orderings import EDGE
from nonresponse.scoring.tally import resolved
from nonresponse.settings import Settings
from nonresponse.statistics.analyses import Inputs
from nonresponse.statistics.cost import ranked_counts

BINS = 10
DIAGRAM = {
    "run": pl.String,
    "bin": pl.Int64,  # from 1, ((bin - 1) / BINS, bin / BINS]; the first one holds 0, too
    "answers": pl.Int64,  # with such a confidence
    "confidence": pl.Float64,  # its mean
    "right_share": pl.Float64,  # of these answers
    # Confidence - right_share; its mean distance from 0, weighted with the answers, is ece@10
    "over": pl.Float64,
}


def summarise(given: Inputs, task: str, settings: Settings) -> list[pl.DataFrame]:
    """Return DIAGRAM, a row per run and bin with answers; none without confidences from 0 to 1."""
    [verdicts] = given.verdicts
    store = read_verdicts(verdicts)
    if "confidence" not in store.planes:
        return [tables.empty(DIAGRAM)]
    assessor = store.assessors.index(store.official(settings.get("official")))
    terms = ("verdict IN ('correct', 'wrong') AND NOT rightful", "verdict = 'correct'")
    answered, right = store.table(terms, resolved(settings["policy"], task, "cases")) > 0
    parts = []
    for run in ranked_counts(given, task, settings)["run"]:
        row = store.runs.index(run)
        codes = store.codes[assessor, row]
        confidence = store.plane("confidence", assessor, slice(row, row + 1))[0]
        some = answered[codes] & ~np.isnan(confidence)
        own = in_bins(confidence[some], right[codes[some]])
        parts.append([np.repeat(np.array([run], object), len(own[0])), *own])
    columns = map(np.concatenate, zip(*parts, strict=True)) if parts else [np.zeros(0)] * 5
    table = pl.DataFrame(dict(zip(DIAGRAM, columns, strict=False)))
    return [
        tables.typed(table.with_columns(over=pl.col("confidence") - pl.col("right_share")), DIAGRAM)
    ]


def in_bins(confidence: np.ndarray, right: np.ndarray) -> list[np.ndarray]:
    """Return the bins with answers, their numbers of answers, mean confidences and shares of
    correct answers."""
    bins = np.clip(np.ceil(confidence * BINS - EDGE), 1, BINS).astype(np.int64)
    # Whole numbers, which add up to the same in any order
    exact = np.floor(confidence * EXACT + 0.5)
    number = np.bincount(2 * bins + right, minlength=2 * BINS + 2).reshape(-1, 2)
    total, answers = np.bincount(bins, exact, BINS + 1), number.sum(axis=1)
    some = np.flatnonzero(answers)
    return [
        some,
        answers[some],
        total[some] / EXACT / answers[some],
        number[some, 1] / answers[some],
    ]
