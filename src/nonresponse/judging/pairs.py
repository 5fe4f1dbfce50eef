"""Judges decisions on pairs of a question and an answer, by the truth of the pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from nonresponse.database import EXACT, fetched, sql
from nonresponse.judging import questions_asked
from nonresponse.judging.cells import ASKED, Cells, Run
from nonresponse.judging.store import Stream, Verdicts
from nonresponse.tasks import MISSING, NOT_ASKED, Task
from nonresponse.tasks.validation import ACCEPT_ALL, REJECT_ALL, RIGHT, WRONG

if TYPE_CHECKING:
    from nonresponse.judging import Sources

TRUTHS = (False, True, None)
UNKNOWN, NONE = 2, 3  # as indexes of a truth: not known, and no such pair
COLUMNS = ("verdict", "missing", "accepted", "positive", "selected", ASKED)
# The decisions; those of graded responses follow from the outcome (tp, fp, fn, tn, u_p, u_n).
GRADED = """
SELECT assessor, run, question, candidate, verdict = 'error' AS failed, confidence, score,
    CASE verdict WHEN 'correct' THEN positive WHEN 'wrong' THEN NOT positive END AS accepted,
    FALSE AS selected
FROM graded_responses WHERE NOT missing"""
DECIDED = """
SELECT a.assessor, r.run, r.question, r.candidate, r.failed, r.confidence, r.score,
    CASE WHEN r.answered THEN r.answer IN ('VALIDATED', 'SELECTED') END AS accepted,
    coalesce(r.answer = 'SELECTED', FALSE) AS selected
FROM responses AS r CROSS JOIN (SELECT DISTINCT assessor FROM judgments) AS a"""
# The pairs, those of the gold standard or of the graded responses, and whether each is right.
OF_GRADED = """
SELECT g.assessor, g.question, g.candidate, min(coalesce(q.category, g.category)) AS category,
    bool_or(g.positive) AS positive
FROM graded_responses AS g LEFT JOIN questions AS q USING (question) GROUP BY ALL"""
OF_GOLD = f"""
SELECT DISTINCT assessor, question, candidate, q.category,
    CASE label WHEN '{RIGHT}' THEN TRUE WHEN '{WRONG}' THEN FALSE END AS positive
FROM judgments LEFT JOIN questions AS q USING (question)"""


def prepare(
    sources: Sources,
    task: Task,
    judging: Any,
    graded: bool,
    found: list[Run],
    voters: list[str],
) -> Cells:
    """Return the cells of all pairs; makes the tables that each shard is judged by. voters:
    assessors by vote."""
    connection = sources.connection
    connection.execute(f"CREATE TABLE truths AS {OF_GRADED if graded else OF_GOLD}")
    for voter in voters:
        known = (
            "SELECT question, candidate, min(category), bool_or(positive) FROM truths GROUP BY ALL"
        )
        connection.execute(f"INSERT INTO truths SELECT $1, * FROM ({known})", [voter])
    connection.execute(f"CREATE VIEW decisions AS {GRADED if graded else DECIDED}")
    selects = not graded and bool(
        connection.sql("SELECT bool_or(answer = 'SELECTED') FROM responses").fetchall()[0][0]
    )
    connection.execute("SET VARIABLE selects = $1", [selects])
    key = ["question", "candidate"]
    truths = fetched(connection.sql("FROM truths"))
    items = truths.group_by(key).agg(pl.col("category").drop_nulls().first()).sort(key)
    truths = truths.join(items.select(key).with_row_index("item"), on=key)
    connection.register("pairs", Stream(truths))
    assessors, names = (
        truths["assessor"].unique().sort(),
        items["question"].unique(maintain_order=True),
    )
    place = [
        truths["assessor"].cast(pl.Enum(assessors)).to_physical().to_numpy(),
        truths["item"].to_numpy(),
    ]
    truth = np.full((len(assessors), items.height), NONE, np.int8)
    truth[tuple(place)] = truths["positive"].cast(pl.Int8).fill_null(UNKNOWN).to_numpy()
    runs = [run.name for run in found]
    asked_of = questions_asked.find_asked(fetched(connection.sql("FROM questions")), names, runs)
    question = items["question"].rle_id().to_numpy()
    trivial = {ACCEPT_ALL: True, REJECT_ALL: False} if judging.trivial else {}
    asked = None if asked_of is None else asked_of[:, question]
    cells = Cells(
        task.id, judging, assessors.to_list(), sorted([*runs, *trivial]), items, COLUMNS, asked
    )
    cells.add_types(connection)
    query = sql("pairs", cell=cells.cell("item"), packed=cells.packed())
    cells.known = {
        "query": query,
        "truth": truth,
        "trivial": trivial,
        "selects": selects,
        "question": question,
    }
    return cells


def judge(sources: Sources, cells: Cells, rows: pl.LazyFrame) -> None:
    """Judge the decisions of a shard."""
    cells.put(sources.connection, cells.known["query"])


def finish(cells: Cells) -> Verdicts:
    """Return the verdicts, also on pairs that runs left out and of trivial runs, and what depends
    on several pairs."""
    truth, trivial, selected = (
        cells.known["truth"],
        cells.known["trivial"],
        False if cells.known["selects"] else None,
    )
    own = np.array([run not in trivial for run in cells.runs], bool)
    asked = np.ones((own.sum(), cells.items.height), bool) if cells.asked is None else cells.asked
    absent = MISSING[cells.judging.missing]

    def left_out(state: str, positive: bool | None) -> int:
        """Return the code of a pair that a run has no decision on."""
        accepted = not positive if state == "wrong" and positive is not None else None
        verdict = "unscored" if positive is None and state != NOT_ASKED else state
        others = {
            "accepted": accepted,
            "positive": positive,
            "selected": selected,
            ASKED: state != NOT_ASKED,
        }
        return cells.code(verdict=verdict, missing=True, **others)

    def by_rule(accepted: bool, positive: bool | None) -> int:
        """Return the code of a pair that a trivial run accepts or rejects."""
        verdict = "unscored" if positive is None else "correct" if positive == accepted else "wrong"
        others = {"accepted": accepted, "positive": positive, "selected": selected, ASKED: True}
        return cells.code(verdict=verdict, missing=False, **others)

    of_absent = np.array(
        [[left_out(state, positive) for positive in TRUTHS] for state in (NOT_ASKED, absent)]
    )
    for codes, of_assessor in zip(cells.codes, truth, strict=True):
        there = of_assessor != NONE
        silent = of_absent[asked.astype(np.int8), np.minimum(of_assessor, UNKNOWN)]
        codes[own] = np.where((codes[own] == 0) & there, silent, codes[own])
        for run, accepted in trivial.items():
            table = np.array([by_rule(accepted, positive) for positive in TRUTHS])
            codes[cells.runs.index(run)] = np.where(
                there, table[np.minimum(of_assessor, UNKNOWN)], 0
            )
    runs, items = cells.compared(np.logical_or.reduce(cells.where(pl.col(ASKED)))[own])
    compared = np.ones(len(own), bool)
    compared[own] = runs
    flags = {"compared": (compared[:, None] & items)[None]}
    counts = (
        cells.where(pl.col("positive").is_not_null() & (pl.col("verdict") != NOT_ASKED))
        & flags["compared"]
    )
    flags |= of_questions(cells, counts)
    if "score" in cells.planes:
        score = cells.planes["score"]
        given = ~np.isnan(score).all(axis=(0, 2))[None, :, None]
        score[np.isnan(score) & given & (cells.codes > 0)] = 0.5
        cells.planes["squared_error"] = squared_error(score, truth[:, None])
    return cells.stored(flags)


def of_questions(cells: Cells, counts: np.ndarray) -> dict[str, np.ndarray]:
    """Return which pair of a question comes first, of those that count, and whether all pairs were
    rejected, rightly so.

    A failed pair comes first only where all failed: a policy that excludes it does not lose the
    question.
    """
    starts, number = (
        np.flatnonzero(np.diff(cells.known["question"].astype(np.int64), prepend=-1)),
        cells.items.height,
    )
    question = cells.known["question"]
    order = np.where(
        counts, np.arange(number) + number * cells.where(pl.col("verdict") == "error"), 2 * number
    )
    first = (
        counts & (order == np.minimum.reduceat(order, starts, axis=2)[:, :, question])
        if number
        else counts
    )
    spoilt = counts & (cells.where(pl.col("positive")) | ~cells.where(~pl.col("accepted")))
    spoilt = np.logical_or.reduceat(spoilt, starts, axis=2)[:, :, question] if number else counts
    return {"first_of_question": first, "rejected_right": first & ~spoilt}


def squared_error(score: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """Return the squares of what scores are off the truth.

    Scores of a run outside 0 to 1 are on another scale than the truth: their distance to it means
    nothing.
    """
    with np.errstate(invalid="ignore"):
        same_scale = ~((score < 0) | (score > 1)).any(axis=2, keepdims=True)
        known = same_scale & (truth < UNKNOWN)
        return np.where(known, np.floor((score - truth) ** 2 * EXACT + 0.5) / EXACT, np.nan)
