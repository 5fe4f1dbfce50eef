"""Judges weighted hypotheses by their similarity to the reference, as the task defines it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from nonresponse.database import fetched, sql
from nonresponse.judging import questions_asked
from nonresponse.judging.cells import ASKED, Cells, Run
from nonresponse.judging.store import Verdicts
from nonresponse.tasks import Task

if TYPE_CHECKING:
    from nonresponse.judging import Sources

COLUMNS = ("verdict", "missing", ASKED)
VALUES = "confidence, similarity, similarity_c, {}"
# The year of the reference, and how much later the most confident year is.
YEARS = ", reference::INTEGER AS year, answer::INTEGER - reference::INTEGER AS distance"
QUESTIONS = (
    "SELECT question, NULL::VARCHAR AS candidate, category, runs FROM questions"
    " WHERE question IN (SELECT question FROM judgments) ORDER BY question"
)


def prepare(sources: Sources, task: Task, found: list[Run], elected: list[str]) -> Cells:
    """Return the cells of all questions; makes the macro by which each shard is judged."""
    connection = sources.connection
    questions = fetched(connection.sql(QUESTIONS)).with_columns(candidate=pl.lit(""))
    assessors = connection.sql(
        "SELECT DISTINCT assessor FROM judgments ORDER BY assessor"
    ).fetchall()
    texts = connection.sql(
        "SELECT DISTINCT answer FROM responses WHERE rank = 1 AND answer IS NOT NULL ORDER BY "
        "answer"
    )
    answers, runs = [text for (text,) in texts.fetchall()], [run.name for run in found]
    items, asked = (
        questions.drop("runs"),
        questions_asked.find_asked(questions, questions["question"], runs),
    )
    cells = Cells(
        task.id,
        sources.judging,
        [name for (name,) in assessors],
        runs,
        items,
        COLUMNS,
        asked,
        answers,
    )
    cells.add_types(connection, question=items["question"].to_list(), answer=answers)
    connection.execute(sql(f"similarity_{task.id}"))
    values = VALUES.format(
        "enum_code(answer::answer_name) AS answer" if answers else "NULL AS answer"
    )
    values += YEARS if task.years else ""
    names = {
        "cell": cells.cell("enum_code(question::question_name)"),
        "packed": cells.packed(),
        "values": values,
    }
    cells.known = {
        "query": sql(
            "hypotheses", absent=questions_asked.absent_verdict(sources.judging.missing), **names
        )
    }
    return cells


def judge(sources: Sources, cells: Cells, rows: pl.LazyFrame) -> None:
    """Judge the hypotheses of a shard."""
    cells.put(sources.connection, cells.known["query"])


def finish(cells: Cells) -> Verdicts:
    """Return the verdicts, with the questions that runs are compared on."""
    runs, items = cells.compared(np.logical_or.reduce(cells.where(pl.col(ASKED))))
    return cells.stored({"compared": runs[:, None] & items})
