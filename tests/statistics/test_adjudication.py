"""The answers to judge next: a worked example, plain loops, campaigns of known labels."""

import numpy as np
import polars as pl
import pytest
from nonresponse import measures
from nonresponse.campaign import votes
from nonresponse.report.campaign import Campaign as Shown
from nonresponse.report.sections import adjudication as page
from nonresponse.statistics import adjudication
from pipeline import Campaign, spell

NAMES = ("ann", "bob", "eve")
ACCURACY = measures.get("qa", "accuracy")
VOTE = {"assessors": {name: name for name in NAMES}, "official": "majority"}
MAJORITY = {"official": "majority", "vote": votes.parse_vote({"official": "majority"}), "seed": 1}


def list_answers(campaign: Campaign, has_judgments: bool = False, **settings) -> pl.DataFrame:
    """to_adjudicate.csv."""
    files = [sorted((campaign.folder / "responses").glob("*.parquet"))]
    files.append([campaign.folder / "judgments.parquet"])
    files = files if has_judgments else ([], [])
    sources = campaign.verdicts, campaign.files[0], *files
    return adjudication.list_disputed(*sources, ACCURACY, MAJORITY | settings)


def test_an_answer_that_alone_decides_a_rank_has_the_largest_weight(tmp_path):
    """near and next are one label apart, far is two above; agreed answers are not listed."""
    grades = {
        "far": ("CCCC", "CCCC", "CCCW"),  # of ann, bob and eve
        "near": ("CCWW", "CWWW", "CWWW"),
        "next": ("CCWW", "CCWW", "CCWW"),
    }
    rows = {run: spell(**dict(zip(NAMES, letters, strict=True))) for run, letters in grades.items()}
    rules = {"options": VOTE, "vote": votes.parse_vote(VOTE)}
    campaign = Campaign(tmp_path).evaluate_graded(rows, **rules)
    table = list_answers(campaign).sort("weight", descending=True)
    expected = [("q001", "near", "wrong", 1), ("q003", "far", "correct", 2)]
    assert table.select("question", "runs", "official", "labels_to_swap").rows() == expected
    assert table["weight"].to_list() == pytest.approx([8 / 9, 8 / 9 / np.sqrt(2)])
    assert sorted(table["position"]) == [1, 2]


def test_answers_are_drawn_by_weight():
    """The first of two answers with weights of 4 and 1 comes first in 80 % of draws."""
    rows = {"question": ["q1", "q2"], "answer": "a", "runs": "r", "correct": 1, "official": "wrong"}
    answers = pl.DataFrame(rows | {"epoch": None, "weight": [4.0, 1.0]})
    places = [adjudication.draw_order(answers, seed)[0] for seed in range(400)]
    assert 290 < places.count(1) < 350


@pytest.mark.parametrize("id", ["accuracy", "c@1", "uf", "wrong_given_attempted"])
def test_labels_to_swap_as_counted_one_by_one(id):
    """One label after the other, until the run meets or passes another."""
    draw, measure = np.random.default_rng(3), measures.get("qa", id)
    right, silent = draw.integers(3, 12, 9), draw.integers(0, 6, 9)
    columns = {"n_ac": right, "n_aw": 20 - right - silent, "n_u": silent}
    counts = pl.DataFrame({"run": [f"r{i}" for i in range(9)]} | columns)
    counts = counts.with_columns(n=pl.lit(20), n_rightful=pl.lit(0))
    table = adjudication.count_labels_to_swap(counts, measure)
    sign = 1 if measure.higher_is_better else -1

    def score(row: dict, labels: int = 0) -> float:
        totals = row | {"n_ac": row["n_ac"] + labels, "n_aw": row["n_aw"] - labels}
        return sign * measure(**{name: totals[name] for name in measure.totals})

    linear = id in ("accuracy", "uf")
    for row, up, down in zip(counts.rows(named=True), table["up"], table["down"], strict=True):
        scores = [score(value) for value in counts.rows(named=True) if value["run"] != row["run"]]
        for way, number in ((1, up), (-1, down)):
            ahead = [value for value in scores if way * (value - score(row)) >= -1e-12]
            assert (number is None) == (not ahead), (row, way)
            if ahead and linear:
                gaps = [min(way * (x - score(row, way * n)) for x in ahead) for n in range(1, 40)]
                assert number == 1 + next(n for n, gap in enumerate(gaps) if gap <= 1e-9)


def test_an_answer_of_several_runs_is_judged_once(tmp_path):
    """Two raw runs gave Rome; their weights add up."""
    answers = {"a": "Rome", "b": "Rome", "c": "Oslo"}
    runs = {run: [{"question": "q1", "answer": answer}] for run, answer in answers.items()}
    labels = {"ann": "RW", "bob": "WW", "eve": "WR"}  # of Rome and Oslo
    judgments = {
        name: [runs["b"][0] | {"label": pair[0]}, runs["c"][0] | {"label": pair[1]}]
        for name, pair in labels.items()
    }
    vote = votes.parse_vote(VOTE | {"assessors": {}})
    campaign = Campaign(tmp_path).evaluate_runs(runs, judgments, vote=vote)
    table = list_answers(campaign, has_judgments=True).sort("runs")
    expected = [("Rome", "a + b", 1, 2), ("Oslo", "c", 1, 2)]
    assert table.select("answer", "runs", "correct", "not_correct").rows() == expected
    alone = list_answers(campaign)
    assert sorted(alone["runs"]) == ["a", "b", "c"]
    assert alone["weight"].sum() == pytest.approx(table["weight"].sum())


def test_each_sample_of_a_question_is_an_answer_to_judge(tmp_path):
    """a has 7/3 questions right and b 2: a label of an epoch moves a third of a question.

    a was asked q1 and q2 three times, and seven answers are disputed.
    """
    a = {"question": ["q1", "q1", "q1", "q2", "q2", "q2", "q3"], "epoch": "1231231"}
    a |= {"ann": "CWCCCWC", "bob": "WCCWWWW"}
    b = {"question": ["q1", "q2", "q3"], "epoch": "111", "ann": "CCW", "bob": "WWW"}
    options = {"assessors": {"ann": "ann", "bob": "bob"}, "official": "ann"}
    rows = {"a": spell(**a), "b": spell(**b)}
    campaign = Campaign(tmp_path).evaluate_graded(rows, options=options)
    table = list_answers(campaign, official="ann", vote=None).sort("runs", "question", "epoch")
    keys = [("a", "q1", 1), ("a", "q1", 2), ("a", "q2", 1), ("a", "q2", 2), ("a", "q3", None)]
    keys += [("b", "q1", None), ("b", "q2", None)]
    assert table.select("runs", "question", "epoch").rows() == keys
    assert table["official"].to_list() == ["correct", "wrong"] + ["correct"] * 5
    assert table["labels_to_swap"].to_list() == [1] * 7
    assert sorted(table["position"]) == list(range(1, 8))
    counts = campaign.counts.filter(assessor="ann")
    swaps = adjudication.count_labels_to_swap(counts, ACCURACY, 1 / 9)
    assert swaps.select("run", "up", "down").rows() == [("a", None, 3), ("b", 3, None)]
    settings = {"measures": ["accuracy"], "official": "ann", "vote": None, "seed": 1}
    page.make(Shown("x", "qa", tmp_path, settings), campaign.verdicts, campaign.files[0], [], [])
    rows = pl.read_csv(tmp_path / "to_adjudicate.csv").filter(runs="a", question="q1")
    assert rows["epoch"].sort().to_list() == [1, 2]
