"""Judges weighted hypotheses by their similarity to the reference, as the task defines it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from nonresponse.database import exact
from nonresponse.judging.cells import ASKED_COLUMN, STATE, Cells, Run, choose_state
from nonresponse.judging.lookup import index_names
from nonresponse.judging.questions_asked import find_asked
from nonresponse.judging.store import Verdicts
from nonresponse.tables import scan_parquet, spell
from nonresponse.tasks import MISSING, NOT_ASKED, Task

if TYPE_CHECKING:
    from nonresponse.judging import Sources

COLUMNS = ("verdict", "missing", ASKED_COLUMN)
VALUES = ("confidence", "similarity", "similarity_c", "answer")
ANSWER, REFERENCE = pl.col("answer"), pl.col("reference")
# How much later the year of a hypothesis is than that of the reference
DISTANCE = ANSWER.cast(pl.Int32) - REFERENCE.cast(pl.Int32)
# By year a bell whose values from -15 to 15 years add up to 10 (DEFT 2011, task A, eq. 2)
BELL = (-math.pi / 100 * DISTANCE.cast(pl.Float64) ** 2).exp()
IS_REFERENCE = (ANSWER == REFERENCE).cast(pl.Float64)  # a label is or is not (task B, eq. 1)


def prepare(sources: Sources, task: Task, runs: list[Run]) -> Cells:
    """Return the cells of all questions, with the references by which each shard is judged."""
    references = sources.judgments().select("assessor", "question", reference="answer")
    questions = spell(scan_parquet(sources.tables["questions"])).collect()
    questions = questions.join(references, on="question", how="semi").sort("question")
    items = questions.select("question", pl.lit("").alias("candidate"), "category")
    assessors = references["assessor"].unique().sort()
    texts = scan_parquet(sources.tables["responses"]).filter(rank=1).select(ANSWER).drop_nulls()
    answers = spell(texts.unique()).collect().to_series().sort().to_list()
    names = [run.name for run in runs]
    asked = find_asked(questions, questions["question"], names)
    cells = Cells(
        task.id, sources.judging, assessors.to_list(), names, items, COLUMNS, asked, answers
    )
    references = references.join(items.select("question").with_row_index("item"), on="question")
    cell = index_names(references["assessor"], assessors) - 1, references["item"].to_numpy()
    has_reference = np.zeros((len(assessors), items.height), bool)
    has_reference[cell] = True
    years = np.full(has_reference.shape, np.nan)
    if task.years:
        years[cell] = references["reference"].cast(pl.Float64).to_numpy()
    cells.context = {
        "references": references,
        "has_reference": has_reference,
        "years": years if task.years else None,
    }
    return cells


def judge(sources: Sources, cells: Cells, rows: pl.LazyFrame) -> None:
    """Judge the hypotheses of a shard."""
    distance = {} if cells.context["years"] is None else {"distance": DISTANCE}
    similarity = BELL if distance else IS_REFERENCE
    is_first = pl.col("rank") == 1
    hypotheses = spell(rows.select("run", "question", "rank", "answer", "confidence", "failed"))
    responses = (
        hypotheses.join(cells.context["references"].lazy(), on="question")
        .with_columns(similarity=exact(similarity), share=exact(pl.col("confidence") * similarity))
        .group_by("assessor", "run", "question", "item")
        .agg(
            pl.col("failed").any(),
            pl.col("answer", "confidence", "similarity").filter(is_first).first(),
            pl.col("reference").first(),
            # The confidences may sum to a little more than 1.
            similarity_c=pl.col("share").sum().clip(upper_bound=1),
        )
        .collect()
    )
    state = choose_state(
        (pl.col("failed"), "error"),
        (ANSWER.is_null(), "unanswered"),
        (ANSWER == REFERENCE, "correct"),
        default="wrong",
    )
    responses = responses.with_columns(
        cell=cells.index(),
        verdict=state.cast(STATE),
        missing=pl.lit(False),
        asked=pl.lit(True),
        similarity=pl.col("similarity").fill_null(0),
        answer=ANSWER.cast(pl.Enum(cells.texts)).to_physical(),
        **distance,
    )
    cells.put(responses, [*VALUES, *distance])


def finish(cells: Cells) -> Verdicts:
    """Return the verdicts, also on questions that runs left out, with the questions that runs are
    compared on."""
    has_reference = np.broadcast_to(cells.context["has_reference"][:, None], cells.codes.shape)
    empty = has_reference & (cells.codes == 0)
    asked = True if cells.asked is None else cells.asked
    for state, left_out in (
        (MISSING[cells.judging.missing], empty & asked),
        (NOT_ASKED, empty & np.logical_not(asked)),
    ):
        cells.codes[left_out] = cells.encode(verdict=state, missing=True, asked=state != NOT_ASKED)
    for name in ("similarity", "similarity_c"):
        cells.plane(name)[empty] = 0
    if cells.context["years"] is not None:
        cells.planes["year"] = cells.context["years"][:, None]
    runs, items = cells.compare(np.logical_or.reduce(cells.evaluate(pl.col(ASKED_COLUMN))))
    return cells.store({"compared": runs[:, None] & items})
