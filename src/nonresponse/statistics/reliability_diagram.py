"""The share of correct answers against confidence, in the bins of ece@10 (Naeini et al.)."""

import numpy as np
import polars as pl

from nonresponse import tables
from nonresponse.judging.store import read_verdicts
from nonresponse.measures import EXACT
from nonresponse.measures.orderings import EDGE
from nonresponse.scoring.tally import select_resolved
from nonresponse.settings import Settings
from nonresponse.statistics.analyses import Inputs
from nonresponse.statistics.cost import rank_counts

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


def summarise(inputs: Inputs, task: str, settings: Settings) -> list[pl.DataFrame]:
    """Return DIAGRAM, a row per run and bin with answers; none without confidences from 0 to 1."""
    store = read_verdicts(inputs.verdicts[0])
    if "confidence" not in store.planes:
        return [tables.make_empty(DIAGRAM)]
    assessor = store.assessors.index(store.official(settings.get("official")))
    selection = "compared AND verdict IN ('correct', 'wrong') AND NOT rightful"
    terms = (selection, "verdict = 'correct'")
    is_answer, is_right = store.table(terms, select_resolved(settings["policy"], task, "cases")) > 0
    parts = []
    for run in rank_counts(inputs, task, settings)["run"]:
        row = store.runs.index(run)
        codes = store.codes[assessor, row]
        confidence = store.plane("confidence", assessor, slice(row, row + 1))[0]
        rows = is_answer[codes] & ~np.isnan(confidence)
        bins = count_bins(confidence[rows], is_right[codes[rows]])
        parts.append(bins.with_columns(run=pl.lit(run)))
    return [tables.cast_types(pl.concat(parts), DIAGRAM) if parts else tables.make_empty(DIAGRAM)]


def count_bins(confidence: np.ndarray, right: np.ndarray) -> pl.DataFrame:
    """Return DIAGRAM but `run`: a row for each bin with answers."""
    bins = np.clip(np.ceil(confidence * BINS - EDGE), 1, BINS).astype(np.int64)
    # Whole numbers, which add up to the same in any order
    exact = np.floor(confidence * EXACT + 0.5)
    counts = np.bincount(2 * bins + right, minlength=2 * BINS + 2).reshape(-1, 2)
    columns = {
        "bin": np.arange(BINS + 1),
        "answers": counts.sum(axis=1),
        "confidence": np.bincount(bins, exact, BINS + 1) / EXACT,
        "right_share": counts[:, 1],
    }
    means = pl.col("confidence", "right_share") / pl.col("answers")
    table = pl.DataFrame(columns).filter(pl.col("answers") > 0).with_columns(means)
    return table.with_columns(over=pl.col("confidence") - pl.col("right_share"))
