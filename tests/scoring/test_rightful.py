"""Abstaining where the data say that there is no answer is right: counts, scores, defaults, orders,
sentences."""

import json
from fractions import Fraction

import nonresponse
import polars as pl
import pytest
from nonresponse import tables, tasks
from nonresponse.statistics import reliability_diagram
from nonresponse.statistics.analyses import Inputs
from nonresponse.statistics.outcomes import full_scores
from pipeline import Campaign
from reading import DATA, needs

REAL = DATA / "logs/squad2"
ANSWERABLE = 100  # of 200 questions


def summarised(analysis, campaign: Campaign, *without: str) -> pl.DataFrame:
    """The table of an analysis, without some runs."""
    tables.write(
        campaign.counts.filter(~pl.col("run").is_in(without)), campaign.folder / "counts.parquet"
    )
    tables.write(campaign.scores("accuracy"), campaign.folder / "scores/accuracy.parquet")
    known = {
        "measures": ["accuracy"],
        "official": "official",
        "policy": campaign.policy,
        "level": 0.05,
    }
    files = (
        campaign.folder / "counts.parquet",
        [campaign.verdicts],
        [campaign.folder / "scores/accuracy.parquet"],
    )
    [table] = analysis.summarise(Inputs(*files), "qa", known)
    return table


def rows_of(answer) -> list[dict]:
    """A row per question; `answer` says what the run does, given whether there is an answer and the
    number."""
    rows = []
    for number in range(200):
        has = number < ANSWERABLE
        state, right = answer(has, number)
        rows.append(
            {
                "question": f"q{number:03}",
                "answerable": "yes" if has else "no",
                "abstained": state,
                **right,
            }
        )
    return rows


def right(is_right: bool) -> dict:
    return {"verdict": "right" if is_right else "wrong"}


RUNS = {
    "silent": rows_of(lambda has, number: ("no" if has else "yes", right(number < 50))),
    "guesser": rows_of(lambda has, _: ("no", right(has))),
    "perfect": rows_of(lambda has, _: ("no" if has else "yes", right(has))),
    "never": rows_of(lambda *_: ("yes", right(False))),
    # Right, and marked as abstentions
    "both": rows_of(lambda has, _: ("no" if has else "yes", right(True))),
    # The judge called its abstentions right, and nothing marks them
    "called": rows_of(lambda *_: ("no", right(True))),
}
OPTIONS = {
    "columns": {"has_answer": "answerable", "state": "abstained"},
    "states": {"yes": "unanswered", "no": "answered"},
    "verdicts": {"right": "correct", "wrong": "wrong"},
}


@pytest.fixture(scope="module")
def campaign(tmp_path_factory) -> Campaign:
    rows = {name: [row | {"run": name} for row in own] for name, own in RUNS.items()}
    return Campaign(tmp_path_factory.mktemp("rightful")).graded(rows, options=OPTIONS)


@pytest.mark.parametrize(
    ("run", "counts", "accuracy", "c_at_1", "abstention"),
    [
        ("silent", (150, 50, 0, 100), "0.75", "0.75", (1, 1, 1, 0)),
        ("guesser", (100, 100, 0, 0), "0.5", "0.5", (None, 0, 0, 0)),
        ("perfect", (200, 0, 0, 100), 1, 1, (1, 1, 1, 0)),
        ("never", (100, 0, 100, 100), "0.5", "0.75", ("0.5", 1, "2/3", 1)),
        ("both", (200, 0, 0, 100), 1, 1, (1, 1, 1, 0)),
        ("called", (200, 0, 0, 0), 1, 1, (None, 0, 0, 0)),
    ],
)
def test_silence_that_is_right_is_right(campaign, run, counts, accuracy, c_at_1, abstention):
    assert campaign.count(run, "n_ac", "n_aw", "n_u", "n_rightful") == counts
    assert campaign.count(run, "n", "n_unanswerable", "nil_gold") == (200, 100, 100)
    right, wrong, _, rightful = counts
    answers = right - rightful + wrong
    precision = (right - rightful) / answers if answers else None
    assert [campaign.score(id, run) for id in ("answered", "precision_answered")] == [
        answers / 200,
        precision,
    ]
    found = [campaign.score(id, run) for id in tasks.get("qa").of_unanswerable]
    expected = [accuracy, c_at_1, *abstention]
    assert found == [
        None if value is None else pytest.approx(float(Fraction(value))) for value in expected
    ]


def test_an_abstention_with_a_confidence_is_no_answer(tmp_path):
    """In an order it comes last, and right; measures of confidences leave it out."""
    rows = [
        {
            "run": "r",
            "question": question,
            "verdict": verdict,
            "has_answer": has,
            "confidence": confidence,
        }
        for question, verdict, has, confidence in (
            ("q1", "unanswered", "no", 0.99),
            ("q2", "correct", "yes", 0.9),
            ("q3", "wrong", "yes", 0.4),
            ("q4", "unanswered", "yes", 0.2),
        )
    ]
    columns = {"has_answer": "has_answer", "confidence": "confidence"}
    campaign = Campaign(tmp_path).graded({"x": rows}, options={"columns": columns})
    # After 1 and 2 answers 1 right, then one of two abstentions.
    assert campaign.score("cws", "r") == pytest.approx((1 + 1 / 2 + 1.5 / 3 + 2 / 4) / 4)
    assert campaign.score("aurc", "r") == pytest.approx((0 + 1 / 2) / 2)
    assert campaign.score("brier_confidence", "r") == pytest.approx((0.1**2 + 0.4**2) / 2)
    assert campaign.score("coverage@0.1", "r") == 1 / 4
    for id in ("cws", "aurc", "brier_confidence", "coverage@0.1", "ece@10"):  # as analyses see it
        assert full_scores(campaign.outcomes(id)[0]) == [pytest.approx(campaign.score(id, "r"))], id
    assert summarised(reliability_diagram, campaign)["answers"].to_list() == [1, 1]


@needs("logs/squad2")
def test_accuracy_of_real_predictions_is_what_squads_script_states():
    stated = json.loads((REAL / "eval.json").read_text())
    found = nonresponse.evaluate([str(REAL / "predictions.json"), str(REAL / "data.json")], "squad")
    assert 100 * found.leaderboard["accuracy"][0] == pytest.approx(stated["exact"])
