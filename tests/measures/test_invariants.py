"""Names of runs and questions, and their order, change no score of any measure of any task."""

import math
import random
from functools import partial

import polars as pl
import pytest
from literal import OPTIONS, RULES, Made
from literal_hypotheses import OPTIONS as HYPOTHESES
from literal_hypotheses import Made as MadeHypotheses
from nonresponse import measures, tasks
from nonresponse.judging.store import read_verdicts
from pipeline import Campaign


def check_range(measure, values: pl.Series) -> None:
    low, high = measure.range
    for value in values.drop_nulls():
        assert math.isfinite(value), measure.id
        assert low is None or value >= low - 1e-12, measure.id
        assert high is None or value <= high + 1e-12, measure.id


def made_qa(folder, rename=str, shuffle=lambda rows: rows) -> Campaign:
    """A random campaign under other names of questions, its rows in another order."""
    made = Made(21, n=20, runs=5)
    runs = {
        run: shuffle([row | {"question": rename(row["question"])} for row in rows])
        for run, rows in made.runs.items()
    }
    judgments = shuffle([row | {"question": rename(row["question"])} for row in made.judgments()])
    questions = [row | {"question": rename(row["question"])} for row in made.questions]
    return Campaign(folder).judged(runs, {"a": judgments}, questions, OPTIONS, **RULES)


def made_validation(folder, rename=str, shuffle=lambda rows: rows) -> Campaign:
    draw = random.Random(22)
    pairs = [(f"q{i:02}", f"c{j}") for i in range(15) for j in range(2)]
    gold = [
        {"question": rename(q), "candidate": c, "label": draw.choice(["YES", "NO", "NO"])}
        for q, c in pairs
    ]
    decisions = ["VALIDATED", "REJECTED", "ERR", None]
    runs = {
        f"run{i}": shuffle(
            [
                {
                    "question": rename(q),
                    "candidate": c,
                    # One pair of a question at most is selected.
                    "answer": draw.choice([*decisions, "SELECTED"] if c == "c0" else decisions),
                    "score": draw.randrange(9) / 8,
                }
                for q, c in pairs
            ]
        )
        for i in range(4)
    }
    return Campaign(folder, "validation").judged(
        runs, {"gold": shuffle(gold)}, options={"failed": ["ERR"]}
    )


def made_hypotheses(task: str, folder, rename=str, shuffle=lambda rows: rows) -> Campaign:
    """The hypotheses of a question stay in their order, which decides between equals."""
    made = MadeHypotheses(task, 24, n=20)

    def reordered(rows):
        of_question = {}
        for row in rows:
            of_question.setdefault(row["question"], []).append(
                row | {"question": rename(row["question"])}
            )
        return [row for own in shuffle(list(of_question.values())) for row in own]

    runs = {run: reordered(rows) for run, rows in made.runs.items()}
    references = {assessor: reordered(rows) for assessor, rows in made.judgments().items()}
    questions = [row | {"question": rename(row["question"])} for row in made.questions]
    return Campaign(folder, task).judged(runs, references, questions, HYPOTHESES)


MAKERS = {
    "qa": made_qa,
    "validation": made_validation,
    "dating": partial(made_hypotheses, "dating"),
    "matching": partial(made_hypotheses, "matching"),
}


@pytest.mark.slow
@pytest.mark.parametrize("task", tasks.NAMES)
def test_names_and_orders_change_nothing(tmp_path, task):
    """Names of questions and runs, and their order, change no bit of values and bounds; and no
    value is NaN."""
    draw, make = random.Random(23), MAKERS[task]
    first = make(tmp_path / "first")
    verdicts = read_verdicts(first.verdicts).rows()
    questions, runs = sorted({*verdicts["question"]}), sorted({*verdicts["run"]})
    others = dict(zip(questions, draw.sample(questions, len(questions)), strict=True))
    second = make(tmp_path / "second", others.get, lambda rows: draw.sample(rows, len(rows)))
    assert second.counts.equals(first.counts)
    renamed = pl.col("run").replace(dict(zip(runs, reversed(runs), strict=True)))
    second.rejudge(read_verdicts(second.verdicts).rows().with_columns(renamed))
    varied = 0
    for measure in measures.of_task(task).values():
        if measure.kind == "counts":
            both = [[campaign.scores(measure.id)] for campaign in (first, second)]
        else:  # the bounds are the extremes under all policies
            policies = [{}, *draw.sample(tasks.get(task).policy_variants, 2)]
            both = [
                [made.values(measure.id, **policy) for policy in policies]
                for made in (first, second)
            ]
        for scores, others in zip(*both, strict=True):
            assert others.with_columns(renamed).sort("assessor", "run").equals(scores), measure.id
            for column in scores.columns[2:]:
                check_range(measure, scores[column])
        varied += both[0][0]["value"].n_unique() > 1
    # Labels good, long and partial are not among those of the campaign: the ROMIP counts of them
    # are all 0. It has too few answers for rms_calibration_hle.
    assert varied >= len(measures.of_task(task)) - (5 if task == "qa" else 0)
