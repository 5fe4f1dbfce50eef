"""Judges decisions on pairs of a question and an answer, by the truth of the pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from nonresponse.database import EXACT
from nonresponse.judging import questions_asked
from nonresponse.judging.cells import ASKED_COLUMN, SLICE, STATE, Cells, Run
from nonresponse.judging.store import Verdicts
from nonresponse.tables import spell
from nonresponse.tasks import MISSING, NOT_ASKED, Task
from nonresponse.tasks.validation import ACCEPT_ALL, REJECT_ALL, RIGHT, WRONG

if TYPE_CHECKING:
    from nonresponse.judging import Sources

TRUTHS = (False, True, None)
UNKNOWN, NONE = 2, 3  # as indexes of a truth: not known, and no such pair
KEY = ("assessor", "run", "question", "candidate")
VALUES = ("confidence", "score")
COLUMNS = ("verdict", "missing", "accepted", "positive", "selected", ASKED_COLUMN)


def prepare(sources: Sources, task: Task, found: list[Run]) -> Cells:
    """Return the cells of all pairs, with what each shard is judged by."""
    files, key = sources.tables, ["question", "candidate"]
    known = spell(pl.scan_parquet(files["questions"])).collect()
    truths = find_truths(sources, known)
    selected = (pl.col("answer").cast(pl.String) == "SELECTED").any()
    selects = not sources.graded and bool(
        pl.scan_parquet(files["responses"]).select(selected).collect().item()
    )
    items = truths.group_by(key).agg(pl.col("category").drop_nulls().first()).sort(key)
    truths = truths.join(items.select(key).with_row_index("item"), on=key)
    assessors, names = (
        truths["assessor"].unique().sort(),
        items["question"].unique(maintain_order=True),
    )
    cell = [
        truths["assessor"].cast(pl.Enum(assessors)).to_physical().to_numpy(),
        truths["item"].to_numpy(),
    ]
    truth = np.full((len(assessors), items.height), NONE, np.int8)
    truth[tuple(cell)] = truths["positive"].cast(pl.Int8).fill_null(UNKNOWN).to_numpy()
    runs = [run.name for run in found]
    asked_of = questions_asked.find_asked(known, names, runs)
    question = items["question"].rle_id().to_numpy()
    trivial = {ACCEPT_ALL: True, REJECT_ALL: False}
    asked = None if asked_of is None else asked_of[:, question]
    cells = Cells(
        task.id,
        sources.judging,
        assessors.to_list(),
        sorted([*runs, *trivial]),
        items,
        COLUMNS,
        asked,
    )
    cells.known = {
        "pairs": truths.drop("category"),
        "truth": truth,
        "trivial": trivial,
        "selects": selects,
        "question": question,
    }
    return cells


def find_truths(sources: Sources, questions: pl.DataFrame) -> pl.DataFrame:
    """Return the pairs of the gold standard or of graded responses, and whether each is right."""
    key = ["assessor", "question", "candidate"]
    flag_questions = questions.lazy().select("question", named="category")
    if sources.graded:
        rows = spell(pl.scan_parquet(sources.tables["graded_responses"])).join(
            flag_questions, on="question", how="left"
        )
        category = pl.coalesce("named", "category").min().alias("category")
        # Null where no truth is known
        return rows.group_by(key).agg(category, pl.col("positive").max()).collect()
    rows = sources.judgments().lazy().join(flag_questions, on="question", how="left")
    positive = pl.when(label=RIGHT).then(pl.lit(True)).when(label=WRONG).then(pl.lit(False))
    return rows.select(*key, category="named", positive=positive).unique().collect()


def judge(sources: Sources, cells: Cells, rows: pl.LazyFrame) -> None:
    """Judge the decisions of a shard, those of graded responses by their outcome."""
    pairs, verdict, answer = cells.known["pairs"], pl.col("verdict"), pl.col("answer")
    assessors = pl.LazyFrame({"assessor": cells.assessors})
    if sources.graded:
        accepted = (
            pl.when(verdict == "correct")
            .then("positive")
            .when(verdict == "wrong")
            .then(~pl.col("positive"))
            .otherwise(None)
        )
        decided = spell(rows.filter(~pl.col("missing"))).select(
            *KEY, *VALUES, failed=verdict == "error", accepted=accepted, selected=pl.lit(False)
        )
    else:
        decided = (
            spell(rows)
            .select(
                *KEY[1:],
                *VALUES,
                "failed",
                accepted=pl.when("answered").then(answer.is_in(["VALIDATED", "SELECTED"])),
                selected=(answer == "SELECTED").fill_null(False),
            )
            .join(assessors, how="cross")
        )
    positive, accepted = pl.col("positive"), pl.col("accepted")
    state = (
        pl.when("failed")
        .then(pl.lit("error"))
        .when(positive.is_null())
        .then(pl.lit("unscored"))
        .when(accepted.is_null())
        .then(pl.lit("unanswered"))
        .when(accepted == positive)
        .then(pl.lit("correct"))
        .otherwise(pl.lit("wrong"))
    )
    made = decided.join(pairs.lazy(), on=["assessor", "question", "candidate"]).select(
        *VALUES,
        "accepted",
        "positive",
        cell=cells.index(),
        verdict=state.cast(STATE),
        missing=pl.lit(False),
        asked=pl.lit(True),
        selected=pl.when(pl.lit(cells.known["selects"])).then("selected"),
    )
    packed = cells.packed_value(cells.columns)
    for some in made.collect().iter_slices(SLICE):
        cells.put_cases(some, VALUES, lambda cases: cases.select(packed).to_series())


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
            ASKED_COLUMN: state != NOT_ASKED,
        }
        return cells.code(verdict=verdict, missing=True, **others)

    def by_rule(accepted: bool, positive: bool | None) -> int:
        """Return the code of a pair that a trivial run accepts or rejects."""
        verdict = "unscored" if positive is None else "correct" if positive == accepted else "wrong"
        others = {
            "accepted": accepted,
            "positive": positive,
            "selected": selected,
            ASKED_COLUMN: True,
        }
        return cells.code(verdict=verdict, missing=False, **others)

    of_absent = np.array(
        [[left_out(state, positive) for positive in TRUTHS] for state in (NOT_ASKED, absent)]
    )
    for codes, of_assessor in zip(cells.codes, truth, strict=True):
        there = of_assessor != NONE
        unanswered = of_absent[asked.astype(np.int8), np.minimum(of_assessor, UNKNOWN)]
        codes[own] = np.where((codes[own] == 0) & there, unanswered, codes[own])
        for run, accepted in trivial.items():
            table = np.array([by_rule(accepted, positive) for positive in TRUTHS])
            codes[cells.runs.index(run)] = np.where(
                there, table[np.minimum(of_assessor, UNKNOWN)], 0
            )
    runs, items = cells.compared(np.logical_or.reduce(cells.where(pl.col(ASKED_COLUMN)))[own])
    compared = np.ones(len(own), bool)
    compared[own] = runs
    flags = {"compared": (compared[:, None] & items)[None]}
    counts = (
        cells.where(pl.col("positive").is_not_null() & (pl.col("verdict") != NOT_ASKED))
        & flags["compared"]
    )
    flags |= flag_questions(cells, counts)
    if "score" in cells.planes:
        score = cells.planes["score"]
        given = ~np.isnan(score).all(axis=(0, 2))[None, :, None]
        score[np.isnan(score) & given & (cells.codes > 0)] = 0.5
        cells.planes["squared_error"] = square_errors(score, truth[:, None])
    return cells.stored(flags)


def flag_questions(cells: Cells, counts: np.ndarray) -> dict[str, np.ndarray]:
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


def square_errors(score: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """Return the squares of what scores are off the truth.

    Scores of a run outside 0 to 1 are on another scale than the truth: their distance to it means
    nothing.
    """
    with np.errstate(invalid="ignore"):
        same_scale = ~((score < 0) | (score > 1)).any(axis=2, keepdims=True)
        known = same_scale & (truth < UNKNOWN)
        return np.where(known, np.floor((score - truth) ** 2 * EXACT + 0.5) / EXACT, np.nan)
