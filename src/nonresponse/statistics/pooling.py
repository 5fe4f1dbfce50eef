"""How much the score of a run owes to its own answers having been in the pool (Zobel 1998).

Only answers that some run gave were judged. Had a run not taken part, the correct answers that it
alone found would be unjudged. Its score would change, and so would all scores that depend on how
many correct answers are known. To see by how much, these answers are taken out of the judgments,
and every run is judged and scored again.
"""

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import polars as pl

from nonresponse import measures, tables
from nonresponse.judging import Judging, Sources, judge
from nonresponse.judging.lookup import Judgments
from nonresponse.measures.orderings import Order, find_blocks
from nonresponse.settings import Settings
from nonresponse.statistics.analyses import Inputs
from nonresponse.statistics.outcomes import Outcomes, score_weighted, select_rows, select_samples
from nonresponse.statistics.rankings import kendall_tau_b

POOLING = {
    "measure": pl.String,
    "run": pl.String,  # whose correct answers are left out where no other run found them
    "correct_answers": pl.Int64,  # how many are left out
    "questions": pl.Int64,  # how many they were given to
    "value": pl.Float64,  # the score of the run; null = undefined
    "without": pl.Float64,  # its score without them; null = undefined
    "change": pl.Float64,
    "tau": pl.Float64,  # of the ranking of all runs with and without them; null = nothing to rank
}


def summarise(inputs: Inputs, task: str, settings: Settings) -> list[pl.DataFrame]:
    """Return POOLING: a row per measure and run that alone found something, largest change first.

    Empty where the answers were not pooled. Questions in clusters count as they are.
    """
    frames = [tables.make_empty(POOLING)]
    if not inputs.pool:
        return frames
    verdicts, questions, judgments, *responses = inputs.pool
    official = tables.find_official(settings.get("official"), tables.scan_parquet(judgments))
    correct = settings["correct"]
    judging = Judging(correct, settings.get("partial", []), vote=settings.get("vote"))
    labels = Sources({"judgments": [judgments]}, judging).judgments()
    labels = tables.cast_types(labels.filter(assessor=official), tables.JUDGMENTS)
    uniques = find_uniques(labels, responses, correct)
    if uniques.is_empty():
        return frames
    copies = list_copies(uniques, responses)
    sources = {
        "questions": tables.scan_parquet(questions),
        "responses": tables.scan_parquet(responses),
        "judgments": labels.lazy(),
    }
    with TemporaryDirectory() as folder:
        files = {name: [Path(folder, f"{name}.parquet")] for name in sources}
        for name, rows in sources.items():
            copied = pl.col("question").is_in(copies["question"].unique().implode())
            losers = copies.lazy().rename({"run": "loser"})
            rows = rows.filter(copied).join(losers, on="question")
            if name == "judgments":
                rows = drop_uniques(rows, uniques, correct)
            rows = rows.with_columns(question=pl.col("copy").cast(tables.NAME))
            tables.write(rows.drop("copy", "loser").collect(), files[name][0])
        uniques = tables.spell(uniques)
        copies = tables.spell(copies.drop_nulls("run")).sort("run", "question")
        store = Path(folder, "verdicts.npz")
        missing = settings.get("missing", "")
        judging = replace(judging, missing=missing, compare_on="all", vote=None)
        judge(task, files, store, **vars(judging))
        samples = [select_samples(path, official) for path in (verdicts, store)]
        for id in settings["measures"]:
            measure, policy = measures.get(task, id), settings["policy"]
            full, copied_outcomes = (part.outcomes(measure, policy) for part in samples)
            frames.append(compare_scores(full, copied_outcomes, uniques, copies))
    return [pl.concat(frames)]


def find_uniques(labels: pl.DataFrame, responses: list[Path], correct: list[str]) -> pl.DataFrame:
    """Return the correct answers of one run alone: question, text (or document) and run."""
    text = pl.coalesce("answer", "document")
    right = labels.filter(pl.col("label").is_in(correct)).with_columns(text=text)
    partly_named = any(
        right[name].null_count()
        for name in ("run", "document", "answer")
        if labels[name].is_not_null().any()
    )
    looked_up = labels if partly_named else right  # a name that judgments lack counts as none
    judgments = Judgments(
        looked_up, looked_up["question"].unique(), looked_up["assessor"].unique().to_list()
    )
    answers = right.select("question", "text").unique().with_row_index("number", 1)
    numbers = right.join(answers, on=["question", "text"], maintain_order="left", how="left")
    keys, size = judgments.encode(right)
    answer_of_key = np.zeros(size, np.int64)  # 0 = no correct answer
    answer_of_key[keys] = numbers["number"].to_numpy()
    finder = np.full(answers.height + 1, -1)
    is_shared = np.zeros(answers.height + 1, bool)
    names: dict[int, str] = {}
    for file in responses if right.height else []:
        # Most correct answers are found by two runs of the first file
        unsettled = answers["question"].filter(~is_shared[1:]).unique()
        is_answer = pl.col("answered") & ~pl.col("nil") & pl.col("by_rule").is_null()
        scan = tables.scan_parquet(file).filter(
            pl.col("question").is_in(unsettled.implode()), is_answer
        )
        rows = scan.select(*{"run", *judgments.names}).collect()
        answer, run = answer_of_key[judgments.encode(rows)[0]], rows["run"].to_physical().to_numpy()
        answer, run = answer[answer > 0], run[answer > 0]
        is_shared[answer[(finder[answer] >= 0) & (finder[answer] != run)]] = True
        finder[answer] = run
        is_shared[answer[finder[answer] != run]] = True
        runs = rows["run"].unique()
        names |= zip(runs.to_physical().to_list(), runs.to_list(), strict=True)
    unique = np.flatnonzero((finder >= 0) & ~is_shared)
    finders = pl.Series("run", [names[code] for code in finder[unique].tolist()], tables.NAME)
    return answers[unique - 1].select("question", "text", finders)


def list_copies(uniques: pl.DataFrame, responses: list[Path]) -> pl.DataFrame:
    """Return the questions to judge again as `copy`, each with the run that loses an answer.

    The name of a copy begins with the number of the run. Some questions are copied unchanged, with
    the number 0 and no run, so that each run with responses has some in each epoch.
    """
    lost = uniques.select("question", "run").unique()
    number = pl.col("run").cast(pl.String).rank("dense")
    key = pl.col("run").to_physical(), pl.col("epoch")
    differs = pl.any_horizontal(column != column.shift(1) for column in key)
    heads = tables.scan_parquet(responses).filter(differs | (pl.int_range(pl.len()) == 0), rank=1)
    heads = heads.group_by("run", "epoch").agg(pl.col("question").first())
    unchanged = heads.select("question", run=pl.lit(None, tables.NAME)).unique().collect()
    zero = pl.lit(0, pl.UInt32)
    copies = pl.concat([lost.with_columns(number=number), unchanged.with_columns(number=zero)])
    return copies.select("question", "run", copy=pl.format("{} {}", "number", "question"))


def drop_uniques(
    judgments: pl.LazyFrame, uniques: pl.DataFrame, correct: list[str]
) -> pl.LazyFrame:
    """Return the judgments of copied questions, without those of answers that the `loser` loses."""
    key, right = ["question", "text", "loser"], pl.col("label").is_in(correct)
    rows = judgments.with_columns(text=pl.coalesce("answer", "document"))
    losses = uniques.lazy().rename({"run": "loser"})
    remaining = rows.filter(right).join(losses, on=key, how="anti")
    return pl.concat([rows.filter(~right), remaining]).drop("text")


def compare_scores(
    full: Outcomes, copied: Outcomes, uniques: pl.DataFrame, copies: pl.DataFrame
) -> pl.DataFrame:
    """Return POOLING of one measure, from its outcomes on all questions and on the copies."""
    outcomes = append_questions(full, copied)
    index = {name: number for number, name in enumerate(outcomes.questions)}
    original = (np.arange(outcomes.n) < full.n).astype(np.float32)
    compared = pl.col("question").is_in(full.questions) & pl.col("run").is_in(full.runs)
    weights, parts = [original], copies.filter(compared).partition_by("run", maintain_order=True)
    for part in parts:
        weight = original.copy()
        weight[[index[question] for question in part["question"]]] = 0
        weight[[index[copy] for copy in part["copy"]]] = 1
        weights.append(weight)
    measure, rows = outcomes.measure, []
    scores = score_weighted(outcomes, np.stack(weights))
    if measure.is_number:
        scores = scores * original.sum()
    scores_before, sign = scores[0], 1 if measure.higher_is_better else -1
    for part, scores_after in zip(parts, scores[1:], strict=True):
        run = part["run"][0]
        position = outcomes.runs.index(run)
        before, after = scores_before[position], scores_after[position]
        lost = uniques.filter(compared, pl.col("run") == run).height
        defined = np.isfinite(scores_before) & np.isfinite(scores_after)
        tau = kendall_tau_b(sign * scores_before[defined], sign * scores_after[defined])
        rows.append((measure.id, run, lost, part.height, before, after, after - before, tau))
    table = pl.DataFrame(rows, POOLING, orient="row")
    table = table.with_columns(pl.selectors.float().fill_nan(None))
    return table.sort(pl.col("change").abs(), "run", descending=[True, False], nulls_last=True)


def append_questions(outcomes: Outcomes, extra: Outcomes) -> Outcomes:
    """Return the outcomes of the runs of `outcomes` on its questions, then on those of `extra`."""
    extra = select_rows(extra, [extra.runs.index(run) for run in outcomes.runs])
    scale: np.ndarray | float = 1.0
    if "weight" in outcomes.matrices:  # a question of `extra` weighs as much as one of `outcomes`
        largest, largest_extra = (
            part.matrices["weight"].max(axis=1, keepdims=True) for part in (outcomes, extra)
        )
        scale = largest / largest_extra
    matrices = {
        name: append_columns(matrix, extra.matrices[name] * scale)
        for name, matrix in outcomes.matrices.items()
    }
    masks = [
        np.ones((1, part.n), np.float32) if part.scorable is None else part.scorable
        for part in (outcomes, extra)
    ]
    partly = outcomes.scorable is not None or extra.scorable is not None
    orders = zip(outcomes.orders, extra.orders, strict=True)
    return replace(
        outcomes,
        questions=outcomes.questions + extra.questions,
        matrices=matrices,
        scorable=append_columns(*masks) if partly else None,
        orders=[join_orders(*pair, outcomes.n) for pair in orders],
        parts=[append_questions(*pair) for pair in zip(outcomes.parts, extra.parts, strict=True)],
    )


def append_columns(matrix: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """Return both matrices side by side. A row that all runs share is repeated where needed."""
    rows = max(len(matrix), len(columns))
    return np.concatenate(
        [np.broadcast_to(part, (rows, part.shape[1])) for part in (matrix, columns)], axis=1
    )


def join_orders(order: Order, extra: Order, questions: int) -> Order:
    """Return the order of the rows of both. The questions of `extra` follow the others."""
    sizes = [(len(part.question), part.abstained) for part in (order, extra)]
    abstained = np.concatenate([np.arange(size) >= size - number for size, number in sizes])
    sort_key = np.concatenate([order.sort_key, extra.sort_key])
    rows = np.lexsort((-sort_key, abstained))  # NaN comes last
    question = np.concatenate([order.question, extra.question + questions])[rows]
    right = np.concatenate([order.right, extra.right])[rows]
    sort_key = sort_key[rows]
    starts = find_blocks(sort_key, abstained[rows])
    number = order.abstained + extra.abstained
    return Order(question, right, starts, order.has_order, number, sort_key)
