"""Judges weighted hypotheses by their similarity to the reference, as the task defines it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from nonresponse.database import exact
from nonresponse.judging import questions_asked
from nonresponse.judging.cells import ASKED_COLUMN, STATE, Cells, Run
from nonresponse.judging.lookup import index_names
from nonresponse.judging.store import Verdicts
from nonresponse.tables import spell
from nonresponse.tasks import MISSING, NOT_ASKED, Task

if TYPE_CHECKING:
    from nonresponse.judging import Sources

COLUMNS = ("verdict", "missing", ASKED_COLUMN)
VALUES = ("confidence", "similarity", "similarity_c", "answer")
ANSWER, REFERENCE = pl.col("answer"), pl.col("reference")
# How much later the year of a hypothesis is than that of the reference
DISTANCE = ANSWER.cast(pl.Int32) - REFERENCE.cast(pl.Int32)


def prepare(sources: Sources, task: Task, found: list[Run]) -> Cells:
    """Return the cells of all questions, with the references by which each shard is judged."""
    judged = sources.judgments().select("assessor", "question", reference="answer")
    questions = spell(pl.scan_parquet(sources.tables["questions"])).collect()
    questions = questions.join(judged, on="question", how="semi").sort("question")
    items = questions.select("question", pl.lit("").alias("candidate"), "category")
    assessors = judged["assessor"].unique().sort()
    texts = pl.scan_parquet(sources.tables["responses"]).filter(rank=1).select(ANSWER).drop_nulls()
    answers = spell(texts.unique()).collect().to_series().sort().to_list()
    runs = [run.name for run in found]
    asked = questions_asked.find_asked(questions, questions["question"], runs)
    cells = Cells(
        task.id,
        sources.judging,
        assessors.to_list(),
        runs,
        items,
        COLUMNS,
        asked,
        answers,
    )
    judged = judged.join(items.select("question").with_row_index("item"), on="question")
    cell = index_names(judged["assessor"], assessors) - 1, judged["item"].to_numpy()
    there = np.zeros((len(assessors), items.height), bool)
    there[cell] = True
    years = np.full(there.shape, np.nan)
    if task.years:
        years[cell] = judged["reference"].cast(pl.Float64).to_numpy()
    cells.known = {"judged": judged, "there": there, "years": years, "by_year": task.years}
    return cells


def compare_hypotheses(by_year: bool) -> pl.Expr:
    """Return how near a hypothesis comes to the reference.

    By year a bell whose values from -15 to 15 years add up to 10 (DEFT 2011, task A, eq. 2). A
    label is the reference or it is not (task B, eq. 1).
    """
    bell = (-math.pi / 100 * DISTANCE.cast(pl.Float64) ** 2).exp()
    return bell if by_year else (ANSWER == REFERENCE).cast(pl.Float64)


def judge(sources: Sources, cells: Cells, rows: pl.LazyFrame) -> None:
    """Judge the hypotheses of a shard."""
    near, first = compare_hypotheses(cells.known["by_year"]), pl.col("rank") == 1
    hypotheses = spell(rows.select("run", "question", "rank", "answer", "confidence", "failed"))
    made = (
        hypotheses.join(cells.known["judged"].lazy(), on="question")
        .with_columns(similarity=exact(near), share=exact(pl.col("confidence") * near))
        .group_by("assessor", "run", "question", "item")
        .agg(
            pl.col("failed").any(),
            pl.col("answer", "confidence", "similarity").filter(first).first(),
            pl.col("reference").first(),
            # The confidences may sum to a little more than 1.
            similarity_c=pl.col("share").sum().clip(upper_bound=1),
        )
        .collect()
    )
    state = (
        pl.when("failed")
        .then(pl.lit("error"))
        .when(ANSWER.is_null())
        .then(pl.lit("unanswered"))
        .when(ANSWER == REFERENCE)
        .then(pl.lit("correct"))
        .otherwise(pl.lit("wrong"))
    )
    judged = made.with_columns(
        cell=cells.index(),
        verdict=state.cast(STATE),
        missing=pl.lit(False),
        asked=pl.lit(True),
        similarity=pl.col("similarity").fill_null(0),
        answer=ANSWER.cast(pl.Enum(cells.texts)).to_physical(),
        **({"distance": DISTANCE} if cells.known["by_year"] else {}),
    )
    cells.put(judged, [*VALUES, *(["distance"] if cells.known["by_year"] else [])])


def finish(cells: Cells) -> Verdicts:
    """Return the verdicts, also on questions that runs left out, with the questions that runs are
    compared on."""
    there = np.broadcast_to(cells.known["there"][:, None], cells.codes.shape)
    empty = there & (cells.codes == 0)
    asked = True if cells.asked is None else cells.asked
    for state, left_out in (
        (MISSING[cells.judging.missing], empty & asked),
        (NOT_ASKED, empty & np.logical_not(asked)),
    ):
        cells.codes[left_out] = cells.code(verdict=state, missing=True, asked=state != NOT_ASKED)
    for name in ("similarity", "similarity_c"):
        cells.plane(name)[empty] = 0
    if cells.known["by_year"]:
        cells.planes["year"] = cells.known["years"][:, None]
    runs, items = cells.compared(np.logical_or.reduce(cells.where(pl.col(ASKED_COLUMN))))
    return cells.stored({"compared": runs[:, None] & items})
