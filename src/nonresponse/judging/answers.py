"""Judges answers to questions; where a question has several answers, the first one gives the verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from nonresponse.database import fetched, sql
from nonresponse.judging import asked
from nonresponse.judging.cells import ASKED, Cells, Run
from nonresponse.judging.store import FOLLOWING, SHARED, Verdicts
from nonresponse.tables import OFFICIAL
from nonresponse.tasks import MISSING, NOT_ASKED, Task
from nonresponse.tasks.qa import ROMIP_LABELS

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

ROMIP = ("good", "good_any", "long_good", "long_good_partial")
COLUMNS = ("verdict", "candidate_verdict", "missing", "by_rule", "nil", "given", ASKED)
IS_ROMIP = "list_contains(getvariable('romip'), assessor)"
# Whether a judgment is of a run's first answer that is NIL.
OF_NIL = "(run, question) IN (SELECT (run, question) FROM responses WHERE nil AND rank = 1)"
# Per assessor and question, whether some response was called right.
POOLED = """
SELECT assessor, question, bool_or(verdict = 'correct' OR coalesce(withheld = 'correct', FALSE)) AS found
FROM graded_responses GROUP BY assessor, question"""


def prepare(
    connection: DuckDBPyConnection, task: Task, judging: Any, graded: bool, found: list[Run], voters: list[str]
) -> Cells:
    """Return the cells of all answers; makes the tables that each shard is judged by. voters: assessors by vote."""
    add_known(connection, task, judging, graded)
    assessors = {name for (name,) in connection.sql("SELECT assessor FROM assessors").fetchall()} | {*voters}
    questions = fetched(
        connection.sql("SELECT DISTINCT ON (question) question, category, runs FROM known ORDER BY ALL")
    )
    found, several = [run for run in found if run.epochs], any(run.several for run in found)
    names, runs = questions["question"], [run.name for run in found]
    epochs = sorted({epoch for run in found for epoch in run.epochs})
    items = questions.select("question", "category").join(
        pl.DataFrame({"epoch": epochs}, {"epoch": pl.Int32}), how="cross", maintain_order="left_right"
    )
    items = items.select("question", "epoch", pl.lit("").alias("candidate"), "category")
    labelled = f"SELECT DISTINCT assessor FROM judged WHERE label IN {ROMIP_LABELS}"
    romip = [] if graded else [name for (name,) in connection.sql(labelled).fetchall()]
    columns = (*COLUMNS, *(ROMIP if romip else ()), *(FOLLOWING if several else ()))
    told = asked.told(questions, names, runs)
    shared = [graded, romip, [] if graded else matching(connection)]
    cells = Cells(task.id, judging, sorted(assessors), runs, items, columns, told, shared)
    cells.add_types(connection)
    connection.execute("SET VARIABLE epochs = $1", [epochs])
    connection.execute("SET VARIABLE romip = $1", [romip])
    add_graded(connection, judging, graded)
    rows = "labelled"
    if several:
        table = "graded_responses" if graded else "responses"
        connection.execute(f"CREATE VIEW several_ranks AS SELECT run, question, epoch FROM {table} WHERE rank > 1")
        connection.execute(sql("several"))
        rows = f"({sql('several_answers')})"
    item = "place"
    if len(epochs) > 1:
        item += f" * {len(epochs)} + list_position(getvariable('epochs'), epoch) - 1"
    values = ", ".join(("confidence", "score", "position", *(SHARED if several else ())))
    fields = {"values": values, "rows": rows, "romip": IS_ROMIP if romip else "FALSE"}
    assessor = "enum_code(assessor::assessor_name)" if graded else f"item // {len(names)}"
    query = sql("verdicts_qa", cell=cells.cell(item, assessor), packed=cells.packed(), **fields)
    has = np.array([[epoch in run.epochs for epoch in epochs] for run in found], bool)
    cells.known = {"query": query, "romip": romip, "epochs": has.reshape(len(found), len(epochs)), "names": names}
    cells.known["graded"] = graded
    return cells


def judge(connection: DuckDBPyConnection, cells: Cells) -> np.ndarray:
    """Judge the answers of a shard; returns whether some response to a question is right: bool (assessors, questions).

    Of graded responses only: judgments say so themselves.
    """
    cells.put(connection, cells.known["query"])
    names = cells.known["names"]
    right = np.zeros((len(cells.assessors), len(names)), bool)
    if cells.known["graded"]:
        found, number = fetched(connection.sql(POOLED)), {name: place for place, name in enumerate(names)}
        for assessor, question in found.filter("found").select("assessor", "question").iter_rows():
            right[cells.assessors.index(assessor), number[question]] = True
    return right


def questions_known(connection: DuckDBPyConnection, cells: Cells) -> np.ndarray:
    """Return what the verdicts on each question depend on beside judgments of it, int64 (questions, facts)."""
    if cells.known["graded"]:
        return np.zeros((len(cells.known["names"]), 0), np.int64)
    known = fetched(
        connection.sql("SELECT has_answer::INT AS h, known_answers AS k FROM known ORDER BY place, assessor")
    )
    return known.cast(pl.Int64).to_numpy().reshape(len(cells.known["names"]), -1)


def finish(connection: DuckDBPyConnection, cells: Cells, right: np.ndarray) -> Verdicts:
    """Return the verdicts, also on questions that runs left out, and with what depends on all runs together."""
    epochs = cells.known["epochs"]
    runs, times = epochs.shape
    shape = (len(cells.assessors), runs, cells.items.height // max(times, 1), times)
    codes, told = cells.codes.reshape(shape), np.ones(shape[1:3], bool) if cells.told is None else cells.told
    for assessor, own in zip(cells.assessors, codes, strict=True):
        labels = dict.fromkeys(ROMIP, False if assessor in cells.known["romip"] else None)
        states = [NOT_ASKED, MISSING[cells.judging.missing]]
        others = {"missing": True, "by_rule": False, "nil": False, **labels}
        left_out = np.array(
            [cells.code(verdict=it, given=it == "wrong", asked=it != NOT_ASKED, **others) for it in states]
        )
        silent = np.broadcast_to(left_out[told.astype(np.int8)][:, :, None], own.shape)
        np.copyto(own, silent, where=(own == 0) & epochs[:, None, :], casting="unsafe")
    was_asked = np.logical_or.reduce(cells.where(pl.col(ASKED)).reshape(shape), axis=(0, 3))
    compared_runs, questions = cells.compared(was_asked)
    of_items, key = (-1, 1, shape[2]), "place" if cells.known["graded"] else "assessor, place"
    known = fetched(connection.sql(f"FROM known ORDER BY {key}"))
    unanswerable, has_answer = (known[name].to_numpy().reshape(of_items) for name in ("unanswerable", "has_answer"))
    flags = {"unanswerable": unanswerable, "has_answer": has_answer | (right[:, None] & ~unanswerable)}
    flags = {name: np.repeat(flag, times, axis=2) for name, flag in flags.items()}
    flags["rightful"] = cells.call_right(flags["unanswerable"] & cells.judging.judged)
    if not cells.known["graded"]:
        answers = known["known_answers"].cast(pl.Float64).to_numpy().reshape(of_items)
        cells.planes["known_answers"] = np.repeat(answers, times, axis=2)
    return cells.stored(flags | {"compared": compared_runs[:, None] & np.repeat(questions, times)})


def graded_answers(connection: DuckDBPyConnection, task: Task, judging: Any, graded: bool = False) -> None:
    """Makes the view `graded`, of the answers of all runs, and the tables that it needs."""
    add_known(connection, task, judging, graded)
    add_graded(connection, judging, graded)


def add_known(connection: DuckDBPyConnection, task: Task, judging: Any, graded: bool) -> None:
    """Makes the tables `assessors`, `known`, what is known of each question, and `judged`, judgments with verdicts."""
    who = "SELECT DISTINCT assessor FROM graded_responses"
    if not graded:
        labels = {"right_labels": judging.pooled or task.right, "correct": judging.correct, "partial": judging.partial}
        for name, value in labels.items():
            connection.execute(f"SET VARIABLE {name} = $1", [list(value)])
        connection.execute(sql("judged"))
        # Before any judgment there is still a row for the official assessor, who has no name yet.
        judged = connection.sql("SELECT count(*) FROM judgments").fetchall()[0][0]
        who = "SELECT DISTINCT assessor FROM judgments" if judged else f"SELECT '{OFFICIAL}' AS assessor"
    connection.execute(f"CREATE TABLE assessors AS {who}")
    if graded:
        connection.execute(sql("known_graded"))
        return
    by_run = connection.sql("SELECT count(run) FROM judgments").fetchall()[0][0]
    connection.execute(sql("known_judged", of_nil=OF_NIL if by_run else "FALSE"))


def matching(connection: DuckDBPyConnection) -> list[str]:
    """Return how the judgments name each of run, document and answer: all, some or none of them."""
    query = "SELECT count(*), count(run), count(document), count(answer) FROM judgments"
    [(every, *named)] = connection.sql(query).fetchall()
    return ["all" if count == every else "some" if count else "none" for count in named]


def add_graded(connection: DuckDBPyConnection, judging: Any, graded: bool) -> None:
    """Makes the view `graded` of the answers in `responses`, by `judged`, or in `graded_responses`."""
    table = "graded_responses" if graded else "responses"
    ruled = judging.by_rule and connection.sql(f"SELECT count(by_rule) FROM {table}").fetchall()[0][0]
    by_rule = f"{table[0]}.by_rule" if ruled else "NULL::VARCHAR"
    if graded:
        connection.execute(sql("graded", by_rule=by_rule, absent=asked.state(judging.missing)))
        return
    fields = lookup(connection)
    connection.execute(sql("match", **fields, by_rule=by_rule, unlisted="wrong" if judging.closed else "unscored"))


def lookup(connection: DuckDBPyConnection) -> dict[str, str]:
    """Return how a response r meets its judgment j in SQL, beside the question; what is judged; what is withheld."""
    named = matching(connection)
    looked_up = {"run": "r.run", "document": "r.document", "answer": "coalesce(r.answer, r.candidate)"}
    match = "".join(
        f"AND j.{column} {'=' if those == 'all' else 'IS NOT DISTINCT FROM'} {expression} "
        for (column, expression), those in zip(looked_up.items(), named, strict=True)
        if those != "none"
    )
    withheld = "r.candidate IS NOT NULL" + ("" if named[2] != "none" else " OR r.document IS NOT NULL")
    what = "coalesce(r.answer, r.document)" if named[2] != "none" else "coalesce(r.document, r.answer)"
    return {"match": match, "what": what, "withheld": f"({withheld})"}
