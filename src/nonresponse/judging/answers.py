"""Judges answers to questions; where a question has several answers, the first one gives the
verdict."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from nonresponse.database import exact
from nonresponse.judging import verdict_of
from nonresponse.judging.cells import ASKED_COLUMN, SLICE, STATE, Cells, Run, choose_state
from nonresponse.judging.lookup import Judgments, index_names
from nonresponse.judging.questions_asked import find_asked
from nonresponse.judging.store import DERIVED, MAY_BE_RIGHT, QUESTION_VALUES, Verdicts
from nonresponse.tables import JUDGMENTS, OFFICIAL, RULED_STATE, cast_types, scan_parquet, spell
from nonresponse.tasks import MISSING, NOT_ASKED, VERDICTS, Task
from nonresponse.tasks.qa import ROMIP_LABELS

if TYPE_CHECKING:
    from pathlib import Path

    from nonresponse.judging import Sources

ROMIP = ("good", "good_any", "long_good", "long_good_partial")
COLUMNS = ("verdict", "candidate_verdict", "missing", "by_rule", "nil", "given", ASKED_COLUMN)
VALUES = ("confidence", "score", "position")
# The columns with few values that verdicts depend on, and all that are read
STATE_COLUMNS = ("answered", "nil", "failed", "fragment", "by_rule")
GRADE_COLUMNS = ("missing", "by_rule")
RESPONSE_COLUMNS = ["run", "question", "epoch", "rank", "candidate", "answer", "document"]
RESPONSE_COLUMNS += [*VALUES, *STATE_COLUMNS]
GRADED_COLUMNS = ["assessor", "run", "question", "epoch", "rank", "verdict", "withheld"]
GRADED_COLUMNS += [*VALUES, *GRADE_COLUMNS]


def prepare(sources: Sources, task: Task, runs: list[Run]) -> Cells:
    """Return the cells of all answers, with what each shard is judged by."""
    if sources.graded:
        judgments, (facts, assessors) = None, describe_graded(sources.tables)
        assessors += [sources.judging.vote["name"]] if sources.judging.vote else []
    else:
        judgments, facts, assessors = describe_judged(sources, task)
    assessors = sorted({*assessors})
    questions = facts.unique("question", keep="first", maintain_order=True)
    names = questions["question"]
    runs = [run for run in runs if run.epochs]
    run_names = [run.name for run in runs]
    epochs = sorted({epoch for run in runs for epoch in run.epochs})
    epoch = pl.DataFrame({"epoch": epochs}, {"epoch": pl.Int32})
    items = questions.join(epoch, how="cross", maintain_order="left_right")
    items = items.select("question", "epoch", pl.lit("").alias("candidate"), "category")
    romip = []
    if judgments is not None:
        has_romip = pl.col("label").is_in(ROMIP_LABELS)
        romip = judgments.filter(has_romip)["assessor"].to_list()
    is_ranked = any(run.is_ranked for run in runs)
    cells = Cells(
        task.id,
        sources.judging,
        assessors,
        run_names,
        items,
        (*COLUMNS, *(ROMIP if romip else ()), *(DERIVED if is_ranked else ())),
        find_asked(questions, names, run_names),
    )
    has_epoch = np.array([[epoch in run.epochs for epoch in epochs] for run in runs], bool)
    cells.context = {
        "facts": facts,
        "judgments": None if judgments is None else cast_types(judgments, JUDGMENTS),
        "lookup": None if judgments is None else Judgments(judgments, names, assessors),
        "epochs": has_epoch.reshape(len(runs), len(epochs)),
        "romip": romip,
        "ranked": is_ranked,
        "questions": names,
        # Whether some graded response is right
        "right": np.zeros((len(assessors), len(names)), bool),
    }
    return cells


def judge(sources: Sources, cells: Cells, rows: pl.LazyFrame) -> None:
    """Judge the answers of a shard."""
    is_ranked = cells.context["ranked"]
    rows = rows.select(GRADED_COLUMNS if sources.graded else RESPONSE_COLUMNS)
    columns = [name for name in cells.columns if name not in DERIVED]
    packed = cells.pack(columns)
    firsts = (rows.filter(rank=1) if is_ranked else rows).collect()
    for part in firsts.iter_slices(SLICE):
        for matches in match(cells, part):
            cells.put_cases(
                matches.drop("rank", "content", "known_answers"),
                VALUES,
                lambda cases: add_verdicts(cells, cases).select(packed).to_series(),
            )
    if is_ranked:
        key = ["run", "question", "epoch"]
        keys = rows.filter(pl.col("rank") > 1).select(key).unique()
        for matches in match(cells, rows.join(keys, on=key, how="semi").collect()):
            answers = combine(add_verdicts(cells, matches), cells.judging.closed)
            cells.put(answers, (*VALUES, *QUESTION_VALUES))


def combine(rows: pl.DataFrame, is_key: bool) -> pl.DataFrame:
    """Return the first answers to questions that a run answered more than once, with the values
    that all its answers contribute to.

    `content` identifies an answer, and is null where none was given. A repeated answer does not
    count again, as right or as wrong, nor does a second right one of a key: it is the same in
    another spelling.
    """
    is_given, verdict, known_answers = pl.col("given"), pl.col("verdict"), pl.col("known_answers")
    is_first = pl.struct("cell", "content", "nil").is_first_distinct()
    number = (~verdict.is_in(["unanswered", "error"])).sum().over("cell")
    rows = rows.sort("cell", "rank").with_columns(
        fresh=(pl.col("content").is_null() & ~pl.col("nil")) | is_first,
        answers=pl.max_horizontal(known_answers, number, 1),
    )
    if is_key:
        hits = (verdict == "correct").cum_sum().over("cell")
        is_surplus = (verdict == "correct") & (hits > 1)
        rows = rows.with_columns(fresh=pl.col("fresh") & ~is_surplus)
    if_known = pl.when(known_answers.is_not_null())

    def is_fresh(*verdicts: str) -> pl.Expr:
        return pl.col("fresh") & verdict.is_in(verdicts)

    def share(number: pl.Expr) -> pl.Expr:
        return exact(number.cast(pl.Int32) * pl.col("confidence") / pl.col("answers"))

    def reciprocal(right: pl.Expr) -> pl.Expr:
        return pl.when(right).then(exact(1 / pl.col("rank"))).otherwise(0.0)

    def precision(right: pl.Expr) -> pl.Expr:
        hits = right.cast(pl.Int64).cum_sum().over("cell")
        value = exact(hits / (pl.col("rank") * pl.max_horizontal(known_answers, 1)))
        return if_known.then(pl.when(right).then(value).otherwise(0.0))

    worth = is_fresh("correct").cast(pl.Int32) - is_fresh("wrong").cast(pl.Int32)
    maxima = {
        "decided": is_given & verdict.is_in(["correct", "wrong"]),
        "partly": is_given & (verdict == "partial"),
        "any_right": is_given & (verdict == "correct"),
        "failed": verdict == "error",
        "reciprocal_rank": reciprocal(verdict == "correct"),
        "reciprocal_rank_best": reciprocal(verdict.is_in(MAY_BE_RIGHT)),
    }
    sums = {
        "unscored": (verdict == "unscored").cast(pl.Int32),
        "average_precision": precision(is_fresh("correct")),
        "average_precision_best": precision(is_fresh(*MAY_BE_RIGHT)),
        "k_value": if_known.then(share(worth)),
        **{f"k_{word}": share(is_fresh(word)) for word in ("unscored", "partial", "error")},
    }
    totals = (
        rows.with_columns(**maxima, **sums)
        .group_by("cell")
        .agg(
            pl.col("given", *ROMIP, *maxima).max(),
            *(pl.when(pl.col(name).count() > 0).then(pl.col(name).sum()) for name in sums),
        )
        .with_columns(pl.col("average_precision_best").clip(upper_bound=1))
    )
    firsts = rows.filter(rank=1)
    return firsts.drop({*firsts.columns} & {*totals.columns} - {"cell"}).join(totals, on="cell")


def add_verdicts(cells: Cells, rows: pl.DataFrame) -> pl.DataFrame:
    """Return rows of `match`, or distinct cases of them, with their verdicts and ROMIP's labels.

    The labels are null where the assessor has others.
    """
    if cells.context["lookup"] is None:
        cases = judge_graded(rows, MISSING[cells.judging.missing])
    else:
        cases = judge_responses(rows, cells.judging)
    fragment, label = pl.col("fragment"), pl.col("label")
    labels = {
        "good": label == "good",
        "good_any": label.is_in(["good", "long", "partial"]),
        "long_good": fragment & (label == "good"),
        "long_good_partial": fragment & label.is_in(["good", "partial"]),
    }
    romip = pl.when("romip")
    return cases.with_columns(
        **{name: romip.then(value.fill_null(False)) for name, value in labels.items()}
    )


def judge_graded(rows: pl.DataFrame, absent: str) -> pl.DataFrame:
    """Return graded responses with their verdicts; `by_rule`, what a rule says, replaces others.

    A question whose first answer is missing counts as `absent`, unless it was never asked.
    At a lower rank there is no answer.
    """
    verdict = choose_state(
        (~pl.col("missing"), pl.coalesce(pl.col("by_rule", "verdict").cast(pl.String))),
        (~pl.col("first"), "unanswered"),
        (~pl.col("was_asked"), NOT_ASKED),
        default=absent,
    )
    return rows.with_columns(
        verdict=verdict.cast(STATE),
        candidate_verdict=pl.col("withheld").cast(pl.String).cast(STATE),
        given=~verdict.is_in(["unanswered", "error", NOT_ASKED]),
        nil=pl.lit(False),
        fragment=pl.lit(None, pl.Boolean),
        label=pl.lit(None, pl.String),
        asked=~pl.col("missing"),
        by_rule=pl.col("by_rule").is_not_null(),
    )


def judge_responses(rows: pl.DataFrame, judging: Any) -> pl.DataFrame:
    """Return responses with the verdicts of an assessor; `label` is "" where there is no judgment.

    A withheld NIL is right where the question has no answer, as NIL is. `withheld`: a candidate for
    an answer was. A rule of the campaign that decides an answer precedes judgments.
    """
    is_answered, nil, failed = pl.col("answered"), pl.col("nil"), pl.col("failed")
    rule, label = pl.col("by_rule").cast(pl.String), pl.col("label")
    has_rule = rule.is_not_null()
    unjudged = pl.lit("wrong" if judging.closed else "unscored")
    judgment = pl.when(label == "").then(unjudged).otherwise(verdict_of(label, judging))
    nil_verdict = pl.when("has_answer").then(pl.lit("wrong")).otherwise(pl.lit("correct"))
    verdict = choose_state(
        (has_rule, rule),
        (failed, "error"),
        (~is_answered, "unanswered"),
        (nil, nil_verdict),
        default=judgment,
    )
    candidate = pl.when(~has_rule & ~is_answered & ~failed).then(
        pl.when(nil).then(nil_verdict).when("withheld").then(judgment)
    )
    return rows.with_columns(
        verdict=verdict.cast(STATE),
        candidate_verdict=candidate.cast(STATE),
        nil=is_answered & nil,
        given=pl.when(has_rule).then(rule == "wrong").otherwise(is_answered & ~nil),
        label=pl.when(is_answered & ~nil & ~has_rule & (label != "")).then(label),
        missing=pl.lit(False),
        asked=pl.lit(True),
        by_rule=has_rule,
    )


def match(cells: Cells, rows: pl.DataFrame) -> Iterator[pl.DataFrame]:
    """Yield responses with what their verdicts depend on, those on judgments by assessor; and with
    their cells."""
    number = max(1, cells.context["epochs"].shape[1])
    run = index_names(rows["run"], pl.Series(cells.runs)) - 1
    question = index_names(rows["question"], cells.context["questions"]) - 1
    has_cell = (run >= 0) & (question >= 0)
    if not has_cell.all():  # questions that nobody knows, runs without a first answer
        rows, run, question = rows.filter(has_cell), run[has_cell], question[has_cell]
    cell = run * cells.items.height + question * number
    if number > 1:
        cell += cells.items["epoch"][:number].search_sorted(rows["epoch"]).to_numpy()
    if not cells.judging.by_rule:
        rows = rows.with_columns(by_rule=pl.lit(None, RULED_STATE))
    if cells.context["lookup"] is None:
        yield match_grades(cells, rows, cell, run, question)
    else:
        yield from match_judgments(cells, rows, cell, question)


def match_grades(
    cells: Cells, rows: pl.DataFrame, cell: np.ndarray, run: np.ndarray, question: np.ndarray
) -> pl.DataFrame:
    """Return graded responses as `match` does, and note which questions have a right one."""
    assessor = index_names(rows["assessor"], pl.Series(cells.assessors)) - 1
    is_right = pl.any_horizontal(pl.col("verdict", "withheld") == "correct").fill_null(False)
    right = rows.select(is_right).to_series().to_numpy()
    cells.context["right"][assessor[right], question[right]] = True
    return rows.select(
        "rank",
        *VALUES,
        *GRADE_COLUMNS,
        pl.col("verdict", "withheld").cast(pl.Enum(VERDICTS)),
        pl.lit(False).alias("romip"),
        cell=pl.Series(assessor * cells.codes[0].size + cell),
        first=pl.col("rank") == 1,
        was_asked=True if cells.asked is None else pl.Series(cells.asked[run, question]),
        content=pl.lit(None, pl.UInt32),
        known_answers=pl.lit(None, pl.Int64),
    )


def match_judgments(
    cells: Cells, rows: pl.DataFrame, cell: np.ndarray, question: np.ndarray
) -> Iterator[pl.DataFrame]:
    """Yield responses as `match` does, by assessor."""
    lookup: Judgments = cells.context["lookup"]
    names_answers = "answer" in lookup.columns
    withheld = pl.col("candidate").is_not_null()
    content = pl.coalesce("answer", "document")
    if not names_answers:
        withheld |= pl.col("document").is_not_null()
        content = pl.coalesce("document", "answer")
    is_given = pl.col("answered") & ~pl.col("nil") & pl.col("by_rule").is_null()
    # Which answer it is matters only where runs rank several
    if cells.context["ranked"]:
        content = pl.when(is_given).then(content.to_physical())
    else:
        content = pl.lit(None, pl.UInt32)
    columns = ("rank", *VALUES, *STATE_COLUMNS)
    responses = rows.select(*columns, withheld=withheld, content=content)
    facts, shape = cells.context["facts"], (len(cells.assessors), -1)
    has_answer = facts["has_answer"].to_numpy().reshape(shape)
    answers = facts["known_answers"].to_numpy().reshape(shape)
    for number, label in enumerate(lookup.find(rows)):
        yield responses.with_columns(
            pl.lit(cells.assessors[number] in cells.context["romip"]).alias("romip"),
            cell=pl.Series(number * cells.codes[0].size + cell),
            label=label,
            has_answer=pl.Series(has_answer[number][question]),
            known_answers=pl.Series(answers[number][question]),
        )


def finish(cells: Cells) -> Verdicts:
    """Return the verdicts, also on questions that runs left out, and with what depends on all runs
    together."""
    has_epoch, facts = cells.context["epochs"], cells.context["facts"]
    runs, epochs = has_epoch.shape
    shape = (len(cells.assessors), runs, cells.items.height // max(epochs, 1), epochs)
    for assessor, codes in zip(cells.assessors, cells.codes.reshape(shape), strict=True):
        values = dict.fromkeys(ROMIP, False if assessor in cells.context["romip"] else None)
        values |= {"missing": True, "by_rule": False, "nil": False}
        absent, not_asked = (
            cells.encode(verdict=state, given=state == "wrong", asked=state != NOT_ASKED, **values)
            for state in (MISSING[cells.judging.missing], NOT_ASKED)
        )
        empty = (codes == 0) & has_epoch[:, None, :]
        codes[empty] = absent
        if cells.asked is not None:
            codes[empty & ~cells.asked[:, :, None]] = not_asked
    asked = cells.evaluate(pl.col(ASKED_COLUMN)).reshape(shape)
    compared_runs, questions = cells.compare(np.logical_or.reduce(asked, axis=(0, 3)))

    def spread(values: np.ndarray) -> np.ndarray:
        """Return values by assessor and question by assessor, for any run, and item."""
        return np.repeat(values.reshape(-1, 1, shape[2]), epochs, axis=2)

    right = spread(cells.context["right"])
    unanswerable, has_answer = (
        spread(facts[name].to_numpy()) for name in ("unanswerable", "has_answer")
    )
    flags = {"unanswerable": unanswerable, "has_answer": has_answer | (right & ~unanswerable)}
    flags["rightful"] = cells.call_right(unanswerable & cells.judging.judged)
    if cells.context["lookup"] is not None:
        cells.planes["known_answers"] = spread(facts["known_answers"].cast(pl.Float64).to_numpy())
    flags["compared"] = compared_runs[:, None] & np.repeat(questions, epochs)
    return cells.store(flags)


def describe_graded(tables: dict[str, list[Path]]) -> tuple[pl.DataFrame, list[str]]:
    """Return what is known of each question before responses are looked at, and the assessors.

    A key tells that there is a gold answer, not how many there are. unanswerable: the data say
    that there is none.
    """
    rows = spell(scan_parquet(tables["graded_responses"]))
    gold = pl.col("gold").drop_nulls()
    keys = rows.group_by("question").agg(
        has_gold=pl.when(gold.len() > 0).then((gold != "").any()),
        row_category=pl.col("category").min(),
    )
    columns = ("question", "category", "has_answer", "runs")
    questions = spell(scan_parquet(tables["questions"])).select(columns)
    questions = questions.join(keys, on="question", how="full", coalesce=True).sort("question")
    has_gold, has_answer = pl.col("has_gold"), pl.col("has_answer")
    lacks_answer = ~pl.coalesce(has_answer, has_gold, True) & ~has_gold.fill_null(False)
    facts = questions.select(
        "question",
        category=pl.coalesce("category", "row_category"),
        has_answer=has_answer.fill_null(False) | has_gold.fill_null(False),
        unanswerable=lacks_answer,
        runs="runs",
    )
    assessors = rows.select(pl.col("assessor").unique())
    return facts.collect(), assessors.collect().to_series().to_list()


def describe_judged(sources: Sources, task: Task) -> tuple[pl.DataFrame, pl.DataFrame, list[str]]:
    """Return the judgments, what is known of each question by assessor, and the assessors.

    A question has an answer if the question file says so, if some answer to it was judged right
    (pooling), whatever labels count as correct, or NIL wrong. It is unanswerable if it has none and
    the question file or a judgment of NIL says so. A judgment is of NIL where it says so, or where
    it names a run whose first answer is NIL.
    """
    tables, key = sources.tables, ["assessor", "question"]
    judgments = sources.judgments()
    # Before any judgment there is still a row for the official assessor, who has no name yet.
    assessors = judgments["assessor"].unique().to_list() or [OFFICIAL]
    rows, is_nil = judgments, (pl.col("answer") == "").fill_null(False)
    if judgments["run"].is_not_null().any():
        nil = scan_parquet(tables["responses"]).filter("nil", rank=1).select("run", "question")
        nil = spell(nil.unique()).with_columns(run_says_nil=True)
        rows = judgments.join(nil.collect(), on=["run", "question"], how="left")
        is_nil = (pl.col("answer") == "").fill_null(pl.col("run_says_nil")).fill_null(False)
    label, content = pl.col("label"), pl.coalesce("answer", "document")
    is_right = label.is_in([*task.right])
    is_correct = (verdict_of(label, sources.judging) == "correct") & ~is_nil
    pools = rows.group_by(key).agg(
        has_right=(is_right != is_nil).any(),
        nil_is_right=(is_right & is_nil).any(),
        # At least one, where the judgments say which run was right but not what it answered. The
        # answers of a key are those that are accepted, which are one.
        known_answers=pl.when(is_correct.any()).then(
            1
            if sources.judging.closed
            else pl.max_horizontal(content.filter(is_correct).drop_nulls().n_unique(), 1)
        ),
    )
    questions = spell(scan_parquet(tables["questions"])).collect()
    questions = questions.join(pl.DataFrame({"assessor": assessors}), how="cross")
    questions = questions.join(pools, on=key, how="left")
    has_answer = pl.col("has_answer").fill_null(False) | pl.col("has_right").fill_null(False)
    lacks_answer = ~pl.col("has_answer").fill_null(True) | pl.col("nil_is_right").fill_null(False)
    facts = questions.select(
        *key,
        "category",
        has_answer=has_answer,
        unanswerable=lacks_answer & ~has_answer,
        known_answers=pl.col("known_answers").fill_null(0).cast(pl.Int64),
        runs="runs",
    )
    return judgments, facts.sort(key), assessors
