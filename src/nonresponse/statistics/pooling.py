"""How much the score of a run owes to its own answers having been in the pool (Zobel 1998).

Only answers that some run gave were judged. Had a run not taken part, the correct answers that it
alone found would be unjudged; its score would change, and so would all scores that depend on how
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
from nonresponse.measures.orderings import Order, block_starts
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


def summarise(given: Inputs, task: str, settings: Settings) -> list[pl.DataFrame]:
    """Return POOLING: for each measure a row for each run that alone found some correct answer,
    largest change first.

    Empty where the answers were not pooled. Questions in clusters count as they are.
    """
    frames = [tables.empty(POOLING)]
    if not given.pool:
        return frames
    verdicts, questions, judgments, *responses = given.pool
    official = tables.official(settings.get("official"), pl.scan_parquet(judgments))
    correct = settings["correct"]
    known = Judging(correct, settings.get("partial", []), vote=settings.get("vote"))
    every = Sources({"judgments": [judgments]}, known).judgments()
    judged = tables.typed(every.filter(assessor=official), tables.JUDGMENTS)
    alone = find_alone(judged, responses, correct)
    if alone.is_empty():
        return frames
    again = list_again(alone, responses)
    with TemporaryDirectory() as folder:
        files_again = {
            name: [Path(folder, f"{name}.parquet")]
            for name in ("questions", "responses", "judgments")
        }
        rows = [pl.scan_parquet(questions), pl.scan_parquet(responses), judged.lazy()]
        for [path], each in zip(files_again.values(), rows, strict=True):
            some = each.filter(pl.col("question").is_in(again["question"].unique().implode()))
            twice = some.join(again.lazy().rename({"run": "loser"}), on="question")
            twice = drop_answers(twice, alone, correct) if path.stem == "judgments" else twice
            named = twice.with_columns(question=pl.col("renamed").cast(tables.NAME))
            tables.write(named.drop("renamed", "loser").collect(), path)
        again, alone = (tables.spelt(table) for table in (again.drop_nulls("run"), alone))
        again = again.sort("run", "question")
        judged_again = Path(folder, "verdicts.npz")
        once_more = replace(known, missing=settings.get("missing", ""), compare_on="all", vote=None)
        judge(task, files_again, judged_again, **vars(once_more))
        both = [select_samples(path, official) for path in (verdicts, judged_again)]
        for id in settings["measures"]:
            once, more = (
                samples.outcomes(measures.get(task, id), settings["policy"]) for samples in both
            )
            frames.append(of_measure(once, more, alone, again))
    return [pl.concat(frames)]


def find_alone(judged: pl.DataFrame, responses: list[Path], correct: list[str]) -> pl.DataFrame:
    """Return the correct answers that one run alone gave: question, what (its text, or else its
    document) and run."""
    right = judged.filter(pl.col("label").is_in(correct)).with_columns(
        what=pl.coalesce("answer", "document")
    )
    partly = (
        right[name].null_count()
        for name in ("run", "document", "answer")
        if judged[name].is_not_null().any()
    )
    looked_up = judged if any(partly) else right  # a name that judgments lack counts as none
    judgments = Judgments(
        looked_up, looked_up["question"].unique(), looked_up["assessor"].unique().to_list()
    )
    pairs = right.select("question", "what").unique().with_row_index("pair", 1)
    own = right.join(pairs, on=["question", "what"], maintain_order="left", how="left")["pair"]
    keys, size = judgments.keys(right)
    pair_of = np.zeros(size, np.int64)  # 0 = no correct answer
    pair_of[keys] = own.to_numpy()
    finder, several = np.full(pairs.height + 1, -1), np.zeros(pairs.height + 1, bool)
    names: dict[int, str] = {}
    for file in responses if right.height else []:
        # Most correct answers are found by two runs of the first file
        unsettled = pairs["question"].filter(~several[1:]).unique()
        answers = pl.scan_parquet(file).filter(
            pl.col("question").is_in(unsettled.implode()),
            "answered",
            ~pl.col("nil"),
            pl.col("by_rule").is_null(),
        )
        given = answers.select(*{"run", *judgments.names}).collect()
        pair, run = pair_of[judgments.keys(given)[0]], given["run"].to_physical().to_numpy()
        pair, run = pair[pair > 0], run[pair > 0]
        several[pair[(finder[pair] >= 0) & (finder[pair] != run)]] = True
        finder[pair] = run
        several[pair[finder[pair] != run]] = True
        known = given["run"].unique()
        names |= zip(known.to_physical().to_list(), known.to_list(), strict=True)
    alone = np.flatnonzero((finder >= 0) & ~several)
    finders = pl.Series("run", [names[one] for one in finder[alone].tolist()], tables.NAME)
    return pairs[alone - 1].select("question", "what", finders)


def list_again(alone: pl.DataFrame, responses: list[Path]) -> pl.DataFrame:
    """Return the questions that are judged once more, `renamed`, each with the run that loses an
    answer to it.

    The new name begins with the number of the run. Some questions are judged again unchanged, with
    the number 0 and no run, so that each run with responses has some in each epoch.
    """
    lost = alone.select("question", "run").unique()
    number = pl.col("run").cast(pl.String).rank("dense")
    which = pl.col("run").to_physical(), pl.col("epoch")
    differs = pl.any_horizontal(name != name.shift(1) for name in which)
    first = pl.scan_parquet(responses).filter(differs | (pl.int_range(pl.len()) == 0), rank=1)
    first = first.group_by("run", "epoch").agg(pl.col("question").first())
    kept = first.select("question", run=pl.lit(None, tables.NAME)).unique().collect()
    named = pl.concat(
        [lost.with_columns(number=number), kept.with_columns(number=pl.lit(0, pl.UInt32))]
    )
    return named.select("question", "run", renamed=pl.format("{} {}", "number", "question"))


def drop_answers(judgments: pl.LazyFrame, alone: pl.DataFrame, correct: list[str]) -> pl.LazyFrame:
    """Return the judgments of questions that are judged again, without those of answers that the
    `loser` loses."""
    key, right = ["question", "what", "loser"], pl.col("label").is_in(correct)
    every = judgments.with_columns(what=pl.coalesce("answer", "document"))
    kept = every.filter(right).join(alone.lazy().rename({"run": "loser"}), on=key, how="anti")
    return pl.concat([every.filter(~right), kept]).drop("what")


def of_measure(
    once: Outcomes, more: Outcomes, alone: pl.DataFrame, again: pl.DataFrame
) -> pl.DataFrame:
    """Return the rows of POOLING of one measure, from its outcomes on all questions and on those of
    AGAIN."""
    seen = with_questions(once, more)
    column = {name: number for number, name in enumerate(seen.questions)}
    original = (np.arange(seen.n) < once.n).astype(np.float32)
    # Runs and questions compared
    those = pl.col("question").is_in(once.questions) & pl.col("run").is_in(once.runs)
    weights, parts = [original], again.filter(those).partition_by("run", maintain_order=True)
    for part in parts:
        changed = original.copy()
        changed[[column[question] for question in part["question"]]] = 0
        changed[[column[name] for name in part["renamed"]]] = 1
        weights.append(changed)
    score = score_weighted(seen, np.stack(weights))
    score = score * original.sum() if seen.measure.is_number else score
    sign, rows = 1 if seen.measure.higher_is_better else -1, []
    for part, without in zip(parts, score[1:], strict=True):
        run = part["run"][0]
        own, answers_alone = seen.runs.index(run), alone.filter(those, pl.col("run") == run).height
        before, after = score[0, own], without[own]
        both = np.isfinite(score[0]) & np.isfinite(without)
        tau = kendall_tau_b(sign * score[0, both], sign * without[both])
        rows.append(
            (seen.measure.id, run, answers_alone, part.height, before, after, after - before, tau)
        )
    frame = pl.DataFrame(rows, POOLING, orient="row").with_columns(
        pl.selectors.float().fill_nan(None)
    )
    return frame.sort(pl.col("change").abs(), "run", descending=[True, False], nulls_last=True)


def with_questions(once: Outcomes, more: Outcomes) -> Outcomes:
    """Return the outcomes of the runs of `once` on its questions, then on those of `more`."""
    more = select_rows(more, [more.runs.index(run) for run in once.runs])
    scale = 1.0
    if "weight" in once.matrices:  # a question of `more` then weighs as much as one of `once`
        scale = np.divide(
            *(seen.matrices["weight"].max(axis=1, keepdims=True) for seen in (once, more))
        )

    def joined(one: np.ndarray, other: np.ndarray, scale: np.ndarray | float = 1.0) -> np.ndarray:
        """Both matrices side by side; a row that all runs share is repeated where needed."""
        rows = max(len(one), len(other), np.size(scale))
        return np.concatenate(
            [np.broadcast_to(it, (rows, it.shape[1])) for it in (one, other * scale)], axis=1
        )

    known = [
        np.ones((1, seen.n), np.float32) if seen.scorable is None else seen.scorable
        for seen in (once, more)
    ]
    return replace(
        once,
        questions=once.questions + more.questions,
        matrices={
            name: joined(matrix, more.matrices[name], scale)
            for name, matrix in once.matrices.items()
        },
        scorable=None if once.scorable is None and more.scorable is None else joined(*known),
        orders=[join_orders(*both, once.n) for both in zip(once.orders, more.orders, strict=True)],
        parts=[with_questions(*both) for both in zip(once.parts, more.parts, strict=True)],
    )


def join_orders(one: Order, other: Order, questions: int) -> Order:
    """Return the order of the rows of both. The questions of `other` begin where those of `one`
    end."""
    abstained = np.concatenate(
        [np.arange(len(its.question)) >= len(its.question) - its.abstained for its in (one, other)]
    )
    sort_key = np.concatenate([one.sort_key, other.sort_key])
    place = np.lexsort((-sort_key, abstained))  # NaN comes last
    question = np.concatenate([one.question, other.question + questions])[place]
    right = np.concatenate([one.right, other.right])[place]
    sort_key = sort_key[place]
    abstained = abstained[place]
    starts = block_starts(sort_key, abstained)
    return Order(question, right, starts, one.ordered, one.abstained + other.abstained, sort_key)
