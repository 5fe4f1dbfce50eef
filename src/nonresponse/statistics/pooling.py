"""How much the score of a run owes to its own answers having been in the pool (Zobel 1998).

Only answers that some run gave were judged. Had a run not taken part, the correct answers that it
alone found would be unjudged. To see by how much its score would change, its first answers among
them count as unscored. All else stays as it is, so that there is nothing for measures of several
answers, of NIL and of the number of known answers.
"""

from pathlib import Path

import numpy as np
import polars as pl

from nonresponse import measures, tables
from nonresponse.judging import Judging, Sources
from nonresponse.judging.store import read_verdicts
from nonresponse.settings import Settings
from nonresponse.statistics import rankings
from nonresponse.statistics.analyses import Inputs
from nonresponse.statistics.outcomes import Outcomes, full_scores, mark_unscored, select_samples

NEEDS = {"key", "nil", "ranks", "romip"}  # of measures that depend on more than first answers
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
    verdicts, judgments, *responses = inputs.pool
    store = read_verdicts(verdicts)
    official = tables.find_official(settings.get("official"), tables.scan_parquet(judgments))
    correct = settings["correct"]
    judging = Judging(correct, settings.get("partial", []), vote=settings.get("vote"))
    labels = Sources({"judgments": [judgments]}, judging).judgments().filter(assessor=official)
    labels = tables.cast_types(labels, tables.JUDGMENTS)
    uniques = find_uniques(labels.filter(pl.col("label").is_in(correct)), labels, responses)
    key = ["question", "epoch"] if "epoch" in store.items.columns else ["question"]
    items = store.items.select(*key, item=pl.int_range(pl.len()))
    runs = pl.DataFrame({"finder": store.runs}).with_row_index("row")
    first = uniques.filter(rank=1).join(items, on=key).join(runs, on="finder")
    lost = np.zeros(store.codes.shape, bool)
    lost[store.assessors.index(official), first["row"], first["item"]] = True
    stores = store, mark_unscored(store, lost)
    samples = [select_samples(part, official) for part in stores if first.height]
    for id in settings["measures"] if first.height else ():
        measure, policy = measures.get(task, id), settings["policy"]
        if not any({*part.needs} & NEEDS for part in (measure, *measure.parts)):
            before, after = (part.outcomes(measure, policy) for part in samples)
            frames.append(compare_scores(before, after, uniques))
    return [pl.concat(frames)]


def find_uniques(right: pl.DataFrame, labels: pl.DataFrame, responses: list[Path]) -> pl.DataFrame:
    """Return the responses, at any rank, with a correct answer of one run alone: question, text (or
    document), finder, epoch and rank.

    right: those of the labels that are correct. A name that judgments lack counts as none.
    """
    names = [name for name in ("run", "document", "answer") if labels[name].is_not_null().any()]
    key, text = ["question", *names], pl.coalesce("answer", "document").alias("text")
    is_answer = pl.col("answered") & ~pl.col("nil") & pl.col("by_rule").is_null()
    rows = tables.scan_parquet(responses).filter(is_answer)
    rows = rows.select(*key, "epoch", "rank", finder="run").with_columns(
        pl.when(pl.col(name).is_in(labels[name].drop_nulls().unique().implode())).then(name)
        for name in names
    )
    answers = right.select(*key, text).unique()
    found = answers.lazy().join(rows, on=key, nulls_equal=True)
    code = pl.col("finder").to_physical()
    finders = found.group_by("question", "text").agg(first=code.min(), last=code.max()).collect()
    unique = answers.join(
        finders.filter(pl.col("first") == pl.col("last")), on=["question", "text"]
    )
    found = unique.lazy().join(rows, on=key, nulls_equal=True)
    columns = ("question", "text", "finder", "epoch", "rank")
    return tables.spell(found.select(columns).collect())


def compare_scores(before: Outcomes, after: Outcomes, uniques: pl.DataFrame) -> pl.DataFrame:
    """Return POOLING of one measure, from its outcomes with and without the unique answers."""
    measure, rows = before.measure, []
    scores, reduced = full_scores(before), full_scores(after)
    uniques = uniques.filter(pl.col("question").is_in(before.questions))
    found = uniques.group_by("finder").agg(
        pl.struct("question", "text").n_unique(), questions=pl.col("question").n_unique()
    )
    valued = scores[np.isfinite(scores)]
    untied = rankings.count_untied(valued)
    for run, *numbers in found.filter(pl.col("finder").is_in(before.runs)).iter_rows():
        position = before.runs.index(run)
        tau = rankings.tau_after_change(valued, untied, scores[position], reduced[position])
        values = scores[position], reduced[position], reduced[position] - scores[position]
        rows.append((measure.id, run, *numbers, *values, tau))
    table = pl.DataFrame(rows, POOLING, orient="row")
    table = table.with_columns(pl.selectors.float().fill_nan(None))
    return table.sort(pl.col("change").abs(), "run", descending=[True, False], nulls_last=True)
