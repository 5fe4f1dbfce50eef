"""The two tasks of DEFT 2011, dating and matching: definitions in plain loops, and table 1."""

import csv
from fractions import Fraction

import pytest
from conftest import HOME
from hypothesis import given, settings
from hypothesis import strategies as st
from literal_hypotheses import FIRST, LAST, OPTIONS, Literal, RandomRuns, assert_scores
from nonresponse import measures
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


def judge_years(folder, runs: dict[str, list], right: dict[str, int]) -> Campaign:
    """Runs of (question, year, confidence); correct years by question."""
    columns = ("question", "answer", "confidence")
    rows = {
        run: [dict(zip(columns, row, strict=False)) for row in answers]
        for run, answers in runs.items()
    }
    gold = [{"question": q, "answer": answer} for q, answer in right.items()]
    return Campaign(folder, "dating").evaluate_runs(rows, {"gold": gold})


def test_confidences_that_sum_to_a_little_more_than_1_do_not_earn_more(tmp_path):
    campaign = judge_years(tmp_path, {"r": [("f", 1871, 1), ("f", 1872, 0.0000009)]}, {"f": 1871})
    assert campaign.score("s_c", "r") == 1


# Table 1.
with (PUBLISHED / "deft-2011-table-1.csv").open(encoding="utf-8") as file:
    *ROWS, (MORE_YEARS, NOTHING) = [
        (row["distance"], row["similarity"]) for row in csv.DictReader(file)
    ]
    TABLE_1 = {int(distance): similarity for distance, similarity in ROWS}


def test_table_1_cell_by_cell(tmp_path):
    """Years too late and too early; beyond 15 years the source prints 0,000."""
    right = {f"d{d:03}": 1872 for d in range(72)}
    runs = {sign: [(f"d{d:03}", 1872 + int(f"{sign}1") * d) for d in range(72)] for sign in "+-"}
    frame = read_verdicts(judge_years(tmp_path, runs, right).verdicts).rows()
    assert list(TABLE_1) == list(range(16)) and (MORE_YEARS, NOTHING) == ("> 15", "0.000")
    for run, question, similarity in frame.select("run", "question", "similarity").rows():
        distance = int(question[1:])
        assert f"{similarity:.3f}" == TABLE_1.get(distance, NOTHING), (run, distance)


# The area under the curve.
FAR = st.integers(-LAST + FIRST, LAST - FIRST)
DISTANCES = st.lists(st.none() | FAR | st.integers(-12, 12), min_size=1, max_size=30)


@settings(max_examples=50, deadline=None)
@given(distances=DISTANCES, last=st.integers(1, 150))
def test_the_area_is_the_mean_of_the_affine_similarity(distances, last):
    """Exactly, if the sum ends at E - 1; as printed, up to E, it exceeds 1."""
    n, off = len(distances), [abs(d) for d in distances if d is not None]
    terms = [Fraction(sum(d <= e for d in off), n) for e in range(last + 1)]
    area = sum(terms[:-1]) / last
    assert area == sum(max(1 - Fraction(d, last), 0) for d in off) / n
    within = Fraction(sum(max(last - d, 0) for d in off))
    assert measures.get("dating", f"auc@{last}")(within=within, n=Fraction(n)) == area
    assert 0 <= area <= 1 and (area < 1 or sum(terms) / last == 1 + Fraction(1, last))
