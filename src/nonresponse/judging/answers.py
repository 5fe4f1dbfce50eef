"""Judges answers to questions; where a question has several answers, the first one gives the
verdict."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from nonresponse.database import fetched, sql
from nonresponse.judging import questions_asked
from nonresponse.judging.cells import ASKED, SLICE, Cells, Run
from nonresponse.judging.lookup import Judgments, numbered
from nonresponse.judging.store import FOLLOWING, SHARED, Stream, Verdicts
from nonresponse.tables import BY_RULE, JUDGMENTS, OFFICIAL, typed
from nonresponse.tasks import MISSING, NOT_ASKED, VERDICTS, Task
from nonresponse.tasks.qa import ROMIP_LABELS

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

ROMIP = ("good", "good_any", "long_good", "long_good_partial")
COLUMNS = ("verdict", "candidate_verdict", "missing", "by_rule", "nil", "given", ASKED)
VALUES = ("confidence", "score", "position")
# The columns with few values that verdicts depend on, and all that are read.
OF_JUDGED, OF_GRADED = ("answered", "nil", "failed", "fragment", "by_rule"), ("missing", "by_rule")
READ = {
    "responses": (
        "run",
        "question",
        "epoch",
        "rank",
        "candidate",
        "answer",
        "document",
        *VALUES,
        *OF_JUDGED,
    ),
    "graded_responses": (
        "assessor",
        "run",
        "question",
        "epoch",
        "rank",
        *VALUES,
        "verdict",
        "withheld",
        *OF_GRADED,
    ),
}
# Whether a judgment is of a run's first answer that is NIL.
OF_NIL = "(run, question) IN (SELECT (run, question) FROM responses WHERE nil AND rank = 1)"


def prepare(
    connection: DuckDBPyConnection,
    task: Task,
    judging: Any,
    graded: bool,
    found: list[Run],
    voters: list[str],
) -> Cells:
    """Return the cells of all answers, with what each shard is judged by. voters: assessors by
    vote."""
    assessors = add_known(connection, task, judging, graded, voters)
    known = fetched(connection.sql(f"FROM known ORDER BY {'' if graded else 'assessor, '}question"))
    questions = known.unique("question", keep="first", maintain_order=True)
    found, names, runs = (
        [run for run in found if run.epochs],
        questions["question"],
        [run.name for run in found],
    )
    epochs = sorted({epoch for run in found for epoch in run.epochs})
    items = questions.select("question", "category").join(
        pl.DataFrame({"epoch": epochs}, {"epoch": pl.Int32}),
        how="cross",
        maintain_order="left_right",
    )
    items = items.select("question", "epoch", pl.lit("").alias("candidate"), "category")
    judged = None if graded else fetched(connection.table("judged"))
    romip = (
        []
        if judged is None
        else judged.filter(pl.col("label").is_in(ROMIP_LABELS))["assessor"].to_list()
    )
    several = any(run.several for run in found)
    columns = (*COLUMNS, *(ROMIP if romip else ()), *(FOLLOWING if several else ()))
    cells = Cells(
        task.id,
        judging,
        assessors,
        runs,
        items,
        columns,
        questions_asked.find_asked(questions, names, runs),
    )
    has = np.array([[epoch in run.epochs for epoch in epochs] for run in found], bool)
    cells.known = {
        "known": known,
        "judged": judged if judged is None else typed(judged, JUDGMENTS),
        "epochs": has.reshape(len(found), len(epochs)),
        "romip": romip,
        "several": several,
        "names": names,
        "judgments": judged if judged is None else Judgments(judged, names, assessors),
        # Whether some graded response is right
        "right": np.zeros((len(assessors), len(names)), bool),
    }
    return cells


def judge(connection: DuckDBPyConnection, cells: Cells, rows: pl.LazyFrame) -> None:
    """Judge the answers of a shard."""
    several, source = (
        cells.known["several"],
        "graded_responses" if cells.known["judgments"] is None else "responses",
    )
    rows = rows.select(READ[source])
    first = [name for name in cells.columns if name not in FOLLOWING]
    cases = (
        f"SELECT {cells.packed(first)} AS packed FROM ({labelled(cells, 'cases')}) ORDER BY number"
    )
    for some in (rows.filter(rank=1) if several else rows).collect().iter_slices(SLICE):
        for matched in match(cells, some):
            cells.put_cases(
                connection, matched.drop("rank", "what", "known_answers"), VALUES, cases
            )
    key = ["run", "question", "epoch"]
    further = rows.filter(pl.col("rank") > 1).select(key).unique()
    for matched in (
        match(cells, rows.join(further, on=key, how="semi").collect()) if several else ()
    ):
        connection.register("answers_in_full", Stream(matched))
        chosen = ", ".join(("cell", f"{cells.packed()} AS packed", *VALUES, *SHARED))
        cells.put(
            connection, sql("several", labelled=labelled(cells, "answers_in_full"), chosen=chosen)
        )


def labelled(cells: Cells, rows: str) -> str:
    """SQL: the verdicts on rows of `match`, or on distinct cases of them."""
    judging = cells.judging
    if cells.known["judgments"] is None:
        cases = sql("graded_cases", rows=rows, absent=MISSING[judging.missing])
    else:
        cases = sql("judged_cases", rows=rows, unlisted="wrong" if judging.closed else "unscored")
    return sql("labelled", cases=cases)


def verdicts(connection: DuckDBPyConnection, cells: Cells, matched: pl.DataFrame) -> pl.DataFrame:
    """Return the verdict on each row of `match`, `before`, with the names of its cell and its
    rank."""
    connection.register("answers_in_full", Stream(matched))
    said = (
        f"SELECT cell, rank, verdict::VARCHAR AS before FROM ({labelled(cells, 'answers_in_full')})"
    )
    found = fetched(connection.sql(said))
    return pl.concat([cells.names(found["cell"]), found.drop("cell")], how="horizontal")


def match(cells: Cells, rows: pl.DataFrame) -> Iterator[pl.DataFrame]:
    """Yield responses with what their verdicts depend on, those on judgments by assessor; and with
    their cells."""
    times = max(1, cells.known["epochs"].shape[1])
    run, question = (
        numbered(rows["run"], pl.Series(cells.runs)) - 1,
        numbered(rows["question"], cells.known["names"]) - 1,
    )
    there = (run >= 0) & (question >= 0)
    if not there.all():  # questions that nobody knows, runs without a first answer
        rows, run, question = rows.filter(there), run[there], question[there]
    epoch = cells.items["epoch"][:times].search_sorted(rows["epoch"]).to_numpy() if times > 1 else 0
    cell = run * cells.items.height + question * times + epoch
    if not cells.judging.by_rule:
        rows = rows.with_columns(by_rule=pl.lit(None, BY_RULE))
    if cells.known["judgments"] is None:
        yield match_graded(cells, rows, cell, run, question)
    else:
        yield from match_judgments(cells, rows, cell, question)


def match_graded(
    cells: Cells, rows: pl.DataFrame, cell: np.ndarray, run: np.ndarray, question: np.ndarray
) -> pl.DataFrame:
    """Return graded responses as `match` does, and note which questions have a right one."""
    assessor = numbered(rows["assessor"], pl.Series(cells.assessors)) - 1
    is_right = ((pl.col("verdict") == "correct") | (pl.col("withheld") == "correct")).fill_null(
        False
    )
    right = rows.select(is_right).to_series().to_numpy()
    cells.known["right"][assessor[right], question[right]] = True
    return rows.select(
        "rank",
        *VALUES,
        *OF_GRADED,
        pl.col("verdict", "withheld").cast(pl.Enum(VERDICTS)),
        pl.lit(False).alias("romip"),
        cell=pl.Series(assessor * cells.codes[0].size + cell),
        first=pl.col("rank") == 1,
        was_asked=True if cells.asked is None else pl.Series(cells.asked[run, question]),
        what=pl.lit(None, pl.UInt32),
        known_answers=pl.lit(None, pl.Int64),
    )


def match_judgments(
    cells: Cells, rows: pl.DataFrame, cell: np.ndarray, question: np.ndarray
) -> Iterator[pl.DataFrame]:
    """Yield responses as `match` does, by assessor."""
    judgments: Judgments = cells.known["judgments"]
    in_words = "answer" in judgments.named
    # Or a document, where the judgments name no answers
    withheld = pl.col("candidate").is_not_null()
    given = pl.col("answered") & ~pl.col("nil") & pl.col("by_rule").is_null()
    what = pl.coalesce(
        *(("answer", "document") if in_words else ("document", "answer"))
    ).to_physical()
    kept = rows.select(
        "rank",
        *VALUES,
        *OF_JUDGED,
        withheld=withheld if in_words else withheld | pl.col("document").is_not_null(),
        what=pl.when(given).then(what) if cells.known["several"] else pl.lit(None, pl.UInt32),
    )
    known = (cells.known["known"][name].to_numpy() for name in ("has_answer", "known_answers"))
    has_answer, answers = (values.reshape(len(cells.assessors), -1) for values in known)
    for number, label in enumerate(judgments.find(rows)):
        yield kept.with_columns(
            pl.lit(cells.assessors[number] in cells.known["romip"]).alias("romip"),
            cell=pl.Series(number * cells.codes[0].size + cell),
            label=label,
            has_answer=pl.Series(has_answer[number][question]),
            known_answers=pl.Series(answers[number][question]),
        )


def finish(connection: DuckDBPyConnection, cells: Cells) -> Verdicts:
    """Return the verdicts, also on questions that runs left out, and with what depends on all runs
    together."""
    epochs, known, graded = (
        cells.known["epochs"],
        cells.known["known"],
        cells.known["judgments"] is None,
    )
    runs, times = epochs.shape
    shape = (len(cells.assessors), runs, cells.items.height // max(times, 1), times)
    codes, asked = (
        cells.codes.reshape(shape),
        None if cells.asked is None else cells.asked[:, :, None],
    )
    for assessor, own in zip(cells.assessors, codes, strict=True):
        labels = dict.fromkeys(ROMIP, False if assessor in cells.known["romip"] else None)
        states = [MISSING[cells.judging.missing], NOT_ASKED]
        others = {"missing": True, "by_rule": False, "nil": False, **labels}
        left_out, not_asked = (
            cells.code(verdict=it, given=it == "wrong", asked=it != NOT_ASKED, **others)
            for it in states
        )
        empty = (own == 0) & epochs[:, None, :]
        own[empty] = left_out
        if asked is not None:
            own[empty & ~asked] = not_asked
    was_asked = np.logical_or.reduce(cells.where(pl.col(ASKED)).reshape(shape), axis=(0, 3))
    compared_runs, questions = cells.compared(was_asked)
    of_items = (-1, 1, shape[2])
    unanswerable, has_answer = (
        known[name].to_numpy().reshape(of_items) for name in ("unanswerable", "has_answer")
    )
    right = cells.known["right"][:, None]
    flags = {"unanswerable": unanswerable, "has_answer": has_answer | (right & ~unanswerable)}
    flags = {name: np.repeat(flag, times, axis=2) for name, flag in flags.items()}
    flags["rightful"] = cells.call_right(flags["unanswerable"] & cells.judging.judged)
    if not graded:
        answers = known["known_answers"].cast(pl.Float64).to_numpy().reshape(of_items)
        cells.planes["known_answers"] = np.repeat(answers, times, axis=2)
    return cells.stored(flags | {"compared": compared_runs[:, None] & np.repeat(questions, times)})


def add_known(
    connection: DuckDBPyConnection, task: Task, judging: Any, graded: bool, voters: list[str]
) -> list[str]:
    """Make the tables `assessors`, `known`, what is known of each question, and `judged`, judgments
    with verdicts.

    Return the assessors; `voters` are those by vote.
    """
    who = "SELECT DISTINCT assessor FROM graded_responses"
    if not graded:
        labels = {
            "right_labels": judging.pooled or task.right,
            "correct": judging.correct,
            "partial": judging.partial,
        }
        for name, value in labels.items():
            connection.execute(f"SET VARIABLE {name} = $1", [list(value)])
        connection.execute(sql("judged"))
        # Before any judgment there is still a row for the official assessor, who has no name yet.
        judged = connection.sql("SELECT count(*) FROM judgments").fetchall()[0][0]
        who = (
            "SELECT DISTINCT assessor FROM judgments"
            if judged
            else f"SELECT '{OFFICIAL}' AS assessor"
        )
    connection.execute(f"CREATE TABLE assessors AS {who}")
    if graded:
        connection.execute(sql("known_graded"))
    else:
        by_run = connection.sql("SELECT count(run) FROM judgments").fetchall()[0][0]
        connection.execute(sql("known_judged", of_nil=OF_NIL if by_run else "FALSE"))
    return sorted({name for (name,) in connection.sql("FROM assessors").fetchall()} | {*voters})
