"""Judges answers to questions; where a question has several answers, the first one gives the
verdict."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from nonresponse.database import exact
from nonresponse.judging import questions_asked, verdict_of
from nonresponse.judging.cells import ASKED_COLUMN, SLICE, STATE, Cells, Run
from nonresponse.judging.lookup import Judgments, index_names
from nonresponse.judging.store import DERIVED, MAY_BE_RIGHT, QUESTION_VALUES, Verdicts
from nonresponse.tables import JUDGMENTS, OFFICIAL, RULED_STATE, cast_types, spell
from nonresponse.tasks import MISSING, NOT_ASKED, VERDICTS, Task
from nonresponse.tasks.qa import ROMIP_LABELS

if TYPE_CHECKING:
    from pathlib import Path

    from nonresponse.judging import Sources

ROMIP = ("good", "good_any", "long_good", "long_good_partial")
COLUMNS = ("verdict", "candidate_verdict", "missing", "by_rule", "nil", "given", ASKED_COLUMN)
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


def prepare(sources: Sources, task: Task, found: list[Run]) -> Cells:
    """Return the cells of all answers, with what each shard is judged by."""
    judged, known, assessors = (
        describe_graded(sources.tables) if sources.graded else describe_judged(sources, task)
    )
    if sources.graded and sources.vote:
        assessors.append(sources.vote["name"])
    assessors = sorted({*assessors})
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
    romip = (
        []
        if judged is None
        else judged.filter(pl.col("label").is_in(ROMIP_LABELS))["assessor"].to_list()
    )
    several = any(run.several for run in found)
    columns = (*COLUMNS, *(ROMIP if romip else ()), *(DERIVED if several else ()))
    cells = Cells(
        task.id,
        sources.judging,
        assessors,
        runs,
        items,
        columns,
        questions_asked.find_asked(questions, names, runs),
    )
    has = np.array([[epoch in run.epochs for epoch in epochs] for run in found], bool)
    cells.known = {
        "known": known,
        "judged": judged if judged is None else cast_types(judged, JUDGMENTS),
        "epochs": has.reshape(len(found), len(epochs)),
        "romip": romip,
        "several": several,
        "names": names,
        "judgments": judged if judged is None else Judgments(judged, names, assessors),
        # Whether some graded response is right
        "right": np.zeros((len(assessors), len(names)), bool),
    }
    return cells


def judge(sources: Sources, cells: Cells, rows: pl.LazyFrame) -> None:
    """Judge the answers of a shard."""
    several, source = (
        cells.known["several"],
        "graded_responses" if cells.known["judgments"] is None else "responses",
    )
    rows = rows.select(READ[source])
    first = [name for name in cells.columns if name not in DERIVED]
    for some in (rows.filter(rank=1) if several else rows).collect().iter_slices(SLICE):
        for matched in match(cells, some):
            cells.put_cases(
                matched.drop("rank", "what", "known_answers"),
                VALUES,
                lambda cases: (
                    add_verdicts(cells, cases).select(cells.packed_value(first)).to_series()
                ),
            )
    key = ["run", "question", "epoch"]
    further = rows.filter(pl.col("rank") > 1).select(key).unique()
    for matched in (
        match(cells, rows.join(further, on=key, how="semi").collect()) if several else ()
    ):
        cells.put(combine(add_verdicts(cells, matched)), (*VALUES, *QUESTION_VALUES))


def combine(rows: pl.DataFrame) -> pl.DataFrame:
    """Return the first answers to questions that a run answered more than once, with the values
    that all its answers contribute to.

    `what` identifies an answer, and is null where none was given. A repeated answer does not count
    again, as right or as wrong.
    """
    given, verdict, known = pl.col("given"), pl.col("verdict"), pl.col("known_answers")
    first = pl.struct("cell", "what", "nil").is_first_distinct()
    number = (~verdict.is_in(["unanswered", "error"])).sum().over("cell")
    rows = rows.sort("cell", "rank").with_columns(
        fresh=(pl.col("what").is_null() & ~pl.col("nil")) | first,
        answers=pl.max_horizontal(known, number, 1),
    )
    where_known = pl.when(known.is_not_null())

    def is_fresh(*verdicts: str) -> pl.Expr:
        return pl.col("fresh") & verdict.is_in(verdicts)

    def share(number: pl.Expr) -> pl.Expr:
        return exact(number.cast(pl.Int32) * pl.col("confidence") / pl.col("answers"))

    def reciprocal(right: pl.Expr) -> pl.Expr:
        return pl.when(right).then(exact(1 / pl.col("rank"))).otherwise(0.0)

    def precision(right: pl.Expr) -> pl.Expr:
        hits = right.cast(pl.Int64).cum_sum().over("cell")
        at_rank = exact(hits / (pl.col("rank") * pl.max_horizontal(known, 1)))
        return where_known.then(pl.when(right).then(at_rank).otherwise(0.0))

    worth = is_fresh("correct").cast(pl.Int32) - is_fresh("wrong").cast(pl.Int32)
    largest = {
        "decided": given & verdict.is_in(["correct", "wrong"]),
        "partly": given & (verdict == "partial"),
        "any_right": given & (verdict == "correct"),
        "failed": verdict == "error",
        "reciprocal_rank": reciprocal(verdict == "correct"),
        "reciprocal_rank_best": reciprocal(verdict.is_in(MAY_BE_RIGHT)),
    }
    summed = {
        "unscored": (verdict == "unscored").cast(pl.Int32),
        "average_precision": precision(is_fresh("correct")),
        "average_precision_best": precision(is_fresh(*MAY_BE_RIGHT)),
        "k_value": where_known.then(share(worth)),
        **{f"k_{word}": share(is_fresh(word)) for word in ("unscored", "partial", "error")},
    }
    of_all = (
        rows.with_columns(**largest, **summed)
        .group_by("cell")
        .agg(
            pl.col("given", *ROMIP, *largest).max(),
            *(pl.when(pl.col(name).count() > 0).then(pl.col(name).sum()) for name in summed),
        )
        .with_columns(pl.col("average_precision_best").clip(upper_bound=1))
    )
    firsts = rows.filter(rank=1)
    return firsts.drop({*firsts.columns} & {*of_all.columns} - {"cell"}).join(of_all, on="cell")


def add_verdicts(cells: Cells, rows: pl.DataFrame) -> pl.DataFrame:
    """Return rows of `match`, or distinct cases of them, with their verdicts and ROMIP's labels.

    The labels are null where the assessor has others.
    """
    absent, unlisted = (
        MISSING[cells.judging.missing],
        "wrong" if cells.judging.closed else "unscored",
    )
    if cells.known["judgments"] is None:
        cases = judge_graded(rows, absent)
    else:
        cases = judge_responses(rows, cells.judging, unlisted)
    fragment, label = pl.col("fragment"), pl.col("label")
    good, long = label == "good", label.is_in(["good", "partial"])
    labels = {
        "good": good,
        "good_any": label.is_in(["good", "long", "partial"]),
        "long_good": fragment & good,
        "long_good_partial": fragment & long,
    }
    romip = pl.when("romip")
    return cases.with_columns(
        **{name: romip.then(value.fill_null(False)) for name, value in labels.items()}
    )


def judge_graded(rows: pl.DataFrame, absent: str) -> pl.DataFrame:
    """Return graded responses with their verdicts; `by_rule`, what a rule says, replaces others.

    A question whose first answer is missing may never have been asked. At a lower rank there is no
    answer.
    """
    verdict = (
        pl.when(~pl.col("missing"))
        .then(pl.coalesce(pl.col("by_rule", "verdict").cast(pl.String)))
        .when(~pl.col("first"))
        .then(pl.lit("unanswered"))
        .when(~pl.col("was_asked"))
        .then(pl.lit(NOT_ASKED))
        .otherwise(pl.lit(absent))
    )
    said = ~verdict.is_in(["unanswered", "error", NOT_ASKED])
    return rows.with_columns(
        verdict=verdict.cast(STATE),
        candidate_verdict=pl.col("withheld").cast(pl.String).cast(STATE),
        given=said,
        nil=pl.lit(False),
        fragment=pl.lit(None, pl.Boolean),
        label=pl.lit(None, pl.String),
        asked=~pl.col("missing"),
        by_rule=pl.col("by_rule").is_not_null(),
    )


def judge_responses(rows: pl.DataFrame, judging: Any, unlisted: str) -> pl.DataFrame:
    """Return responses with the verdicts of an assessor; `label` is "" where there is no judgment.

    A withheld NIL is right where the question has no answer, as NIL is. `withheld`: a candidate for
    an answer was. A rule of the campaign that decides an answer precedes judgments.
    """
    answered, nil, failed = pl.col("answered"), pl.col("nil"), pl.col("failed")
    rule, label = pl.col("by_rule").cast(pl.String), pl.col("label")
    ruled = rule.is_not_null()
    judged = pl.when(label == "").then(pl.lit(unlisted)).otherwise(verdict_of(label, judging))
    of_nil = pl.when("has_answer").then(pl.lit("wrong")).otherwise(pl.lit("correct"))
    verdict = (
        pl.when(ruled)
        .then(rule)
        .when(failed)
        .then(pl.lit("error"))
        .when(~answered)
        .then(pl.lit("unanswered"))
        .when(nil)
        .then(of_nil)
        .otherwise(judged)
    )
    candidate = pl.when(~ruled & ~answered & ~failed).then(
        pl.when(nil).then(of_nil).when("withheld").then(judged)
    )
    return rows.with_columns(
        verdict=verdict.cast(STATE),
        candidate_verdict=candidate.cast(STATE),
        nil=answered & nil,
        given=pl.when(ruled).then(rule == "wrong").otherwise(answered & ~nil),
        label=pl.when(answered & ~nil & ~ruled & (label != "")).then(label),
        missing=pl.lit(False),
        asked=pl.lit(True),
        by_rule=ruled,
    )


def list_verdicts(cells: Cells, matched: pl.DataFrame) -> pl.DataFrame:
    """Return the verdict on each row of `match`, `before`, with the names of its cell and its
    rank."""
    before = pl.col("verdict").cast(pl.String).alias("before")
    found = add_verdicts(cells, matched).select("cell", "rank", before)
    return pl.concat([cells.names(found["cell"]), found.drop("cell")], how="horizontal")


def match(cells: Cells, rows: pl.DataFrame) -> Iterator[pl.DataFrame]:
    """Yield responses with what their verdicts depend on, those on judgments by assessor; and with
    their cells."""
    times = max(1, cells.known["epochs"].shape[1])
    run, question = (
        index_names(rows["run"], pl.Series(cells.runs)) - 1,
        index_names(rows["question"], cells.known["names"]) - 1,
    )
    there = (run >= 0) & (question >= 0)
    if not there.all():  # questions that nobody knows, runs without a first answer
        rows, run, question = rows.filter(there), run[there], question[there]
    epoch = cells.items["epoch"][:times].search_sorted(rows["epoch"]).to_numpy() if times > 1 else 0
    cell = run * cells.items.height + question * times + epoch
    if not cells.judging.by_rule:
        rows = rows.with_columns(by_rule=pl.lit(None, RULED_STATE))
    if cells.known["judgments"] is None:
        yield match_grades(cells, rows, cell, run, question)
    else:
        yield from match_judgments(cells, rows, cell, question)


def match_grades(
    cells: Cells, rows: pl.DataFrame, cell: np.ndarray, run: np.ndarray, question: np.ndarray
) -> pl.DataFrame:
    """Return graded responses as `match` does, and note which questions have a right one."""
    assessor = index_names(rows["assessor"], pl.Series(cells.assessors)) - 1
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


def finish(cells: Cells) -> Verdicts:
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
    was_asked = np.logical_or.reduce(cells.where(pl.col(ASKED_COLUMN)).reshape(shape), axis=(0, 3))
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


def describe_graded(files: dict[str, list[Path]]) -> tuple[None, pl.DataFrame, list[str]]:
    """Return no judgments, what is known of each question before responses are looked at, and the
    assessors.

    A key tells that there is a gold answer, not how many there are. unanswerable: the data say
    that there is none.
    """
    rows = spell(pl.scan_parquet(files["graded_responses"]))
    gold = pl.col("gold").drop_nulls()
    of_rows = rows.group_by("question").agg(
        said=pl.when(gold.len() > 0).then((gold != "").any()), own=pl.col("category").min()
    )
    named = spell(pl.scan_parquet(files["questions"])).select(
        "question", "category", "has_answer", "runs"
    )
    every = named.join(of_rows, on="question", how="full", coalesce=True).sort("question")
    said, has_answer = pl.col("said"), pl.col("has_answer")
    none = ~pl.coalesce(has_answer, said, True) & ~said.fill_null(False)
    known = every.select(
        "question",
        category=pl.coalesce("category", "own"),
        has_answer=has_answer.fill_null(False) | said.fill_null(False),
        unanswerable=none,
        runs="runs",
    )
    assessors = rows.select(pl.col("assessor").unique())
    return None, known.collect(), assessors.collect().to_series().to_list()


def describe_judged(sources: Sources, task: Task) -> tuple[pl.DataFrame, pl.DataFrame, list[str]]:
    """Return the judgments, what is known of each question by assessor, and the assessors.

    A question has an answer if the question file says so, if some answer to it was judged right
    (pooling), whatever labels count as correct, or NIL wrong. It is unanswerable if it has none and
    the question file or a judgment of NIL says so. A judgment is of NIL where it says so, or where
    it names a run whose first answer is NIL.
    """
    files, key = sources.tables, ["assessor", "question"]
    judged = sources.judgments()
    # Before any judgment there is still a row for the official assessor, who has no name yet.
    assessors = judged["assessor"].unique().to_list() or [OFFICIAL]
    nil = pl.scan_parquet(files["responses"]).filter("nil", rank=1).select("run", "question")
    by_run = judged["run"].is_not_null().any()
    of_run = spell(nil.unique()).with_columns(of_run=True).collect() if by_run else None
    marked = judged.with_columns(of_run=pl.lit(None, pl.Boolean))
    if of_run is not None:
        marked = judged.join(of_run, on=["run", "question"], how="left")
    of_nil = (pl.col("answer") == "").fill_null(pl.col("of_run")).fill_null(False)
    label, what = pl.col("label"), pl.coalesce("answer", "document")
    right = label.is_in([*task.right])
    correct = (verdict_of(label, sources.judging) == "correct") & ~of_nil
    pooled = marked.group_by(key).agg(
        found=(right != of_nil).any(),
        nil_right=(right & of_nil).any(),
        # At least one, where the judgments say which run was right but not what it answered
        known_answers=pl.when(correct.any()).then(
            pl.max_horizontal(what.filter(correct).drop_nulls().n_unique(), 1)
        ),
    )
    questions = spell(pl.scan_parquet(files["questions"])).collect()
    every = questions.join(pl.DataFrame({"assessor": assessors}), how="cross")
    every = every.join(pooled, on=key, how="left")
    found, has_answer = pl.col("found").fill_null(False), pl.col("has_answer")
    none = ~has_answer.fill_null(True) | pl.col("nil_right").fill_null(False)
    known = every.select(
        *key,
        "category",
        has_answer=has_answer.fill_null(False) | found,
        unanswerable=none & ~found & ~has_answer.fill_null(False),
        known_answers=pl.col("known_answers").fill_null(0).cast(pl.Int64),
        runs="runs",
    )
    return judged, known.sort(key), assessors
