"""Judges decisions on pairs of a question and an answer, by the truth of the pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from nonresponse.database import EXACT
from nonresponse.judging.cells import ASKED_COLUMN, SLICE, STATE, Cells, Run, choose_state
from nonresponse.judging.questions_asked import find_asked
from nonresponse.judging.store import Verdicts
from nonresponse.tables import scan_parquet, spell
from nonresponse.tasks import MISSING, NOT_ASKED, Task
from nonresponse.tasks.validation import ACCEPT_ALL, REJECT_ALL, RIGHT, WRONG

if TYPE_CHECKING:
    from nonresponse.judging import Sources

TRUTHS = (False, True, None)
UNKNOWN, NO_PAIR = 2, 3  # as indexes of a truth: not known, and no such pair
TRIVIAL = {ACCEPT_ALL: True, REJECT_ALL: False}  # runs that accept every pair, or none
KEY = ("assessor", "run", "question", "candidate")
VALUES = ("confidence", "score")
COLUMNS = ("verdict", "missing", "accepted", "positive", "selected", ASKED_COLUMN)


def prepare(sources: Sources, task: Task, runs: list[Run]) -> Cells:
    """Return the cells of all pairs, with what each shard is judged by."""
    key = ["question", "candidate"]
    questions = spell(scan_parquet(sources.tables["questions"])).collect()
    truths = find_truths(sources, questions)
    items = truths.group_by(key).agg(pl.col("category").drop_nulls().first()).sort(key)
    truths = truths.join(items.select(key).with_row_index("item"), on=key)
    assessors = truths["assessor"].unique().sort()
    truth = np.full((len(assessors), items.height), NO_PAIR, np.int8)
    assessor = truths["assessor"].cast(pl.Enum(assessors)).to_physical().to_numpy()
    positive = truths["positive"].cast(pl.Int8).fill_null(UNKNOWN).to_numpy()
    truth[assessor, truths["item"].to_numpy()] = positive
    selects = False
    if not sources.graded:
        is_selected = (pl.col("answer").cast(pl.String) == "SELECTED").any()
        responses = scan_parquet(sources.tables["responses"])
        selects = bool(responses.select(is_selected).collect().item())
    names = [run.name for run in runs]
    question = items["question"].rle_id().to_numpy()
    asked = find_asked(questions, items["question"].unique(maintain_order=True), names)
    cells = Cells(
        task.id,
        sources.judging,
        assessors.to_list(),
        sorted([*names, *TRIVIAL]),
        items,
        COLUMNS,
        None if asked is None else asked[:, question],
    )
    cells.context = {
        "pairs": truths.drop("category"),
        "truth": truth,
        "selects": selects,
        "question": question,
    }
    return cells


def find_truths(sources: Sources, questions: pl.DataFrame) -> pl.DataFrame:
    """Return the pairs of the gold standard or of graded responses, and whether each is right."""
    key = ["assessor", "question", "candidate"]
    categories = questions.lazy().select("question", listed="category")
    if sources.graded:
        rows = spell(scan_parquet(sources.tables["graded_responses"]))
        rows = rows.join(categories, on="question", how="left")
        category = pl.coalesce("listed", "category").min().alias("category")
        # Null where no truth is known
        return rows.group_by(key).agg(category, pl.col("positive").max()).collect()
    rows = sources.judgments().lazy().join(categories, on="question", how="left")
    positive = pl.when(label=RIGHT).then(pl.lit(True)).when(label=WRONG).then(pl.lit(False))
    return rows.select(*key, category="listed", positive=positive).unique().collect()


def judge(sources: Sources, cells: Cells, rows: pl.LazyFrame) -> None:
    """Judge the decisions of a shard, those of graded responses by their verdict."""
    positive, accepted = pl.col("positive"), pl.col("accepted")
    if sources.graded:
        verdict = pl.col("verdict")
        decisions = spell(rows.filter(~pl.col("missing"))).select(
            *KEY,
            *VALUES,
            failed=verdict == "error",
            accepted=pl.when(verdict == "correct")
            .then(positive)
            .when(verdict == "wrong")
            .then(~positive),
            selected=pl.lit(False),
        )
    else:
        answer = pl.col("answer")
        decisions = spell(rows).select(
            *KEY[1:],
            *VALUES,
            "failed",
            accepted=pl.when("answered").then(answer.is_in(["VALIDATED", "SELECTED"])),
            selected=(answer == "SELECTED").fill_null(False),
        )
        decisions = decisions.join(pl.LazyFrame({"assessor": cells.assessors}), how="cross")
    state = choose_state(
        (pl.col("failed"), "error"),
        (positive.is_null(), "unscored"),
        (accepted.is_null(), "unanswered"),
        (accepted == positive, "correct"),
        default="wrong",
    )
    pairs = cells.context["pairs"].lazy()
    verdicts = decisions.join(pairs, on=["assessor", "question", "candidate"]).select(
        *VALUES,
        "accepted",
        "positive",
        cell=cells.index(),
        verdict=state.cast(STATE),
        missing=pl.lit(False),
        asked=pl.lit(True),
        selected=pl.when(pl.lit(cells.context["selects"])).then("selected"),
    )
    packed = cells.pack(cells.columns)
    for part in verdicts.collect().iter_slices(SLICE):
        cells.put_cases(part, VALUES, lambda cases: cases.select(packed).to_series())


def finish(cells: Cells) -> Verdicts:
    """Return the verdicts, also on pairs that runs left out and of trivial runs, and what depends
    on several pairs."""
    truth = cells.context["truth"]
    selected = False if cells.context["selects"] else None
    is_real = np.array([run not in TRIVIAL for run in cells.runs], bool)
    asked = cells.asked
    if asked is None:
        asked = np.ones((is_real.sum(), cells.items.height), bool)

    def encode_left_out(state: str, positive: bool | None) -> int:
        """Return the code of a pair that a run has no decision on."""
        return cells.encode(
            verdict="unscored" if positive is None and state != NOT_ASKED else state,
            missing=True,
            accepted=not positive if state == "wrong" and positive is not None else None,
            positive=positive,
            selected=selected,
            asked=state != NOT_ASKED,
        )

    def encode_trivial(accepted: bool, positive: bool | None) -> int:
        """Return the code of a pair that a trivial run accepts or rejects."""
        verdict = "correct" if positive == accepted else "wrong"
        return cells.encode(
            verdict="unscored" if positive is None else verdict,
            missing=False,
            accepted=accepted,
            positive=positive,
            selected=selected,
            asked=True,
        )

    states = (NOT_ASKED, MISSING[cells.judging.missing])
    absent = np.array([[encode_left_out(state, value) for value in TRUTHS] for state in states])
    for codes, truths in zip(cells.codes, truth, strict=True):
        is_pair, index = truths != NO_PAIR, np.minimum(truths, UNKNOWN)
        left_out = absent[asked.astype(np.int8), index]
        codes[is_real] = np.where((codes[is_real] == 0) & is_pair, left_out, codes[is_real])
        for run, accepted in TRIVIAL.items():
            table = np.array([encode_trivial(accepted, value) for value in TRUTHS])
            codes[cells.runs.index(run)] = np.where(is_pair, table[index], 0)
    was_asked = np.logical_or.reduce(cells.evaluate(pl.col(ASKED_COLUMN)))
    runs, items = cells.compare(was_asked[is_real])
    compared = np.ones(len(is_real), bool)
    compared[is_real] = runs
    flags = {"compared": (compared[:, None] & items)[None]}
    is_judged = pl.col("positive").is_not_null() & (pl.col("verdict") != NOT_ASKED)
    flags |= flag_questions(cells, cells.evaluate(is_judged) & flags["compared"])
    if "score" in cells.planes:
        score = cells.planes["score"]
        has_scores = ~np.isnan(score).all(axis=(0, 2))[None, :, None]
        score[np.isnan(score) & has_scores & (cells.codes > 0)] = 0.5
        cells.planes["squared_error"] = square_errors(score, truth[:, None])
    return cells.store(flags)


def flag_questions(cells: Cells, counts: np.ndarray) -> dict[str, np.ndarray]:
    """Return which pair of a question comes first, of those that count, and whether all pairs were
    rejected, rightly so.

    A failed pair comes first only where all failed: a policy that excludes it does not lose the
    question.
    """
    question, number = cells.context["question"], cells.items.height
    if not number:
        return {"first_of_question": counts, "rejected_right": counts}
    starts = np.flatnonzero(np.diff(question.astype(np.int64), prepend=-1))
    is_error = cells.evaluate(pl.col("verdict") == "error")
    order = np.where(counts, np.arange(number) + number * is_error, 2 * number)
    is_first = counts & (order == np.minimum.reduceat(order, starts, axis=2)[:, :, question])
    is_spoilt = counts & (cells.evaluate(pl.col("positive")) | ~cells.evaluate(~pl.col("accepted")))
    is_spoilt = np.logical_or.reduceat(is_spoilt, starts, axis=2)[:, :, question]
    return {"first_of_question": is_first, "rejected_right": is_first & ~is_spoilt}


def square_errors(score: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """Return the squares of what scores are off the truth.

    Scores of a run outside 0 to 1 are on another scale than the truth: their distance to it means
    nothing.
    """
    with np.errstate(invalid="ignore"):
        same_scale = ~((score < 0) | (score > 1)).any(axis=2, keepdims=True)
        squares = np.floor((score - truth) ** 2 * EXACT + 0.5) / EXACT
        return np.where(same_scale & (truth < UNKNOWN), squares, np.nan)
