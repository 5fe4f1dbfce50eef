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
    runs, parts = rank_counts(inputs, task, settings)["run"].to_list(), []
    for run in runs:
        row = store.runs.index(run)
        codes = store.codes[assessor, row]
        confidence = store.plane("confidence", assessor, slice(row, row + 1))[0]
        rows = is_answer[codes] & ~np.isnan(confidence)
        parts.append(sum_bins(confidence[rows], is_right[codes[rows]]))
    names = pl.DataFrame({"run": runs}, {"run": pl.String})
    bins = pl.DataFrame({"bin": np.arange(BINS + 1)})
    sums = np.concatenate([np.empty((0, 3)), *parts])
    columns = pl.DataFrame(sums, ["answers", "confidence", "right_share"])
    table = names.join(bins, how="cross", maintain_order="left_right").hstack(columns)
    means = pl.col("confidence", "right_share") / pl.col("answers")
    table = table.filter(pl.col("answers") > 0).with_columns(means)
    table = table.with_columns(over=pl.col("confidence") - pl.col("right_share"))
    return [tables.cast_types(table, DIAGRAM)]


def sum_bins(confidence: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return how many answers are in each bin, (BINS + 1, 3), the sum of their confidences, and how
    many are right. Bin 0 is empty."""
    bins = np.clip(np.ceil(confidence * BINS - EDGE), 1, BINS).astype(np.int64)
    # Whole numbers, which add up to the same in any order
    exact = np.floor(confidence * EXACT + 0.5)
    columns = np.ones(len(bins)), exact / EXACT, right
    return np.column_stack([np.bincount(bins, column, BINS + 1) for column in columns])
