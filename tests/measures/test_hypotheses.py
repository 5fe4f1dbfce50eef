"""The two tasks of DEFT 2011, dating and matching: definitions in plain loops, and table 1."""

import csv

import pytest
from conftest import HOME
from literal_hypotheses import OPTIONS, Literal, RandomRuns, assert_scores
from nonresponse.judging.store import read_verdicts
from pipeline import Campaign

PUBLISHED = HOME / "resources" / "published"
COMMON = {"s": Literal.s, "s_c": Literal.s_c}
AREAS = {f"auc@{last}": lambda run, last=last: run.auc(last) for last in (1, 2, 7, 10, 40)}
MEASURES = {"dating": COMMON | AREAS | {"accuracy": Literal.accuracy}, "matching": COMMON}


@pytest.fixture(scope="module", params=MEASURES)
def campaigns(request, tmp_path_factory):
    """A campaign at random and the same as the stages make it."""
    drawing = RandomRuns(request.param, 0, n=12, runs=4)
    campaign = Campaign(tmp_path_factory.mktemp(request.param), request.param)
    files = drawing.runs, drawing.judgments(), drawing.questions, OPTIONS
    return drawing, campaign.evaluate_runs(*files)


def test_verdicts_have_the_best_hypothesis_and_its_confidence(campaigns):
    drawing, campaign = campaigns
    for row in read_verdicts(campaign.verdicts).rows().rows(named=True):
        literal = Literal(drawing, row["run"], row["assessor"], "wrong")
        answer, confidence = literal.best[row["question"]]
        assert row["answer"] == (None if answer is None else str(answer))
        assert row["confidence"] == (None if confidence is None else float(confidence))
        if drawing.task == "dating":
            assert row["year"] == literal.right[row["question"]]


@pytest.mark.parametrize("error", ["exclude", "wrong"])
def test_every_count_and_score_and_its_bounds(campaigns, error):
    assert_scores(*campaigns, error, MEASURES[campaigns[0].task])


def judge_years(folder, runs: dict[str, list], right: int) -> Campaign:
    """Runs of (question, year, confidence); all questions have the same correct year."""
    columns = ("question", "answer", "confidence")
    rows = {
        run: [dict(zip(columns, row, strict=False)) for row in answers]
        for run, answers in runs.items()
    }
    names = {row[0] for answers in runs.values() for row in answers}
    gold = [{"question": q, "answer": right} for q in sorted(names)]
    return Campaign(folder, "dating").evaluate_runs(rows, {"gold": gold})


def test_confidences_that_sum_to_a_little_more_than_1_do_not_earn_more(tmp_path):
    campaign = judge_years(tmp_path, {"r": [("f", 1871, 1), ("f", 1872, 0.0000009)]}, 1871)
    assert campaign.score("s_c", "r") == 1


def test_table_1_cell_by_cell(tmp_path):
    """Years too late and too early; beyond 15 years the source prints 0,000."""
    with (PUBLISHED / "deft-2011-table-1.csv").open(encoding="utf-8") as file:
        *rows, more = [(row["distance"], row["similarity"]) for row in csv.DictReader(file)]
    assert [int(distance) for distance, _ in rows] == list(range(16)) and more == ("> 15", "0.000")
    runs = {sign: [(f"d{d:03}", 1872 + int(f"{sign}1") * d) for d in range(72)] for sign in "+-"}
    frame = read_verdicts(judge_years(tmp_path, runs, 1872).verdicts).rows()
    for run, question, similarity in frame.select("run", "question", "similarity").rows():
        printed = dict(rows).get(str(int(question[1:])), more[1])
        assert f"{similarity:.3f}" == printed, (run, question)
