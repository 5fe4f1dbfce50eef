"""Abstaining where the data say that there is no answer is right: counts, scores, defaults, orders,
sentences."""

import json
import random
from fractions import Fraction

import nonresponse
import polars as pl
import pytest
from nonresponse import tables, tasks
from nonresponse.judging.store import read_verdicts
from nonresponse.statistics import reliability_diagram
from nonresponse.statistics.agreement import labels_of_verdicts
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


def test_nobody_judged_what_only_abstains(tmp_path):
    rows = [
        {"run": "r", "question": f"q{n}", "answer": "x", "s": "no", "has_answer": "no"}
        for n in range(2)
    ]
    rows[0]["s"] = "yes"
    columns = {"has_answer": "has_answer", "state": "s"}
    options = {"columns": columns, "states": OPTIONS["states"], "judged": False}
    campaign = Campaign(tmp_path).graded({"x": rows}, options=options, judged=False)
    assert campaign.count("r", "n_ac", "n_u", "n_unscored", "n_rightful") == (0, 1, 1, 0)
    assert campaign.score("abstention_recall", "r") == 0.5


def test_assessors_do_not_agree_on_what_nobody_judged(tmp_path):
    rows = [
        {"run": "r", "question": f"q{n}", "has_answer": has, "ann": ann, "bob": bob}
        for n, (has, ann, bob) in enumerate(
            [("no", "-", "-"), ("yes", "-", "-"), ("yes", "1", "1"), ("yes", "1", "0")]
        )
    ]
    options = {
        "assessors": {"ann": "ann", "bob": "bob"},
        "verdicts": {"1": "correct", "0": "wrong", "-": "unanswered"},
    }
    campaign = Campaign(tmp_path).graded(
        {"x": rows}, options=options | {"columns": {"has_answer": "has_answer"}}
    )
    assert campaign.count("r", "n_ac", "n_rightful", "n_u", assessor="bob") == (2, 1, 1)
    labels = labels_of_verdicts(read_verdicts(campaign.verdicts).rows())
    assert sorted(labels.group_by("item").agg("label")["label"].list.sort().to_list()) == [
        ["correct", "correct"],
        ["correct", "wrong"],
    ]


def test_a_run_that_never_answers_has_the_counts_of_the_silent_one(campaign):
    row = campaign.counts.filter(run="never").row(0, named=True)
    assert {name: row[name] for name in row if row[name] and name in tasks.get("qa").counts} == {
        name: count
        for name, count in (
            tasks.get("qa").unanswered_counts(200, 100, 100) | {"n_asked": 200, "n_shared": 200}
        ).items()
        if count
    }


def test_categories(tmp_path):
    rows = [row | {"run": "perfect", "kind": row["answerable"]} for row in RUNS["perfect"]]
    options = OPTIONS | {"columns": OPTIONS["columns"] | {"category": "kind"}}
    _, split = Campaign(tmp_path).graded({"x": rows}, options=options).scored("accuracy")
    assert split.select("category", "value").rows() == [("no", 1), ("yes", 1)]


def as_squad(folder, answer) -> str:
    """A key of 20 questions, every second one without an answer, and the predictions of a run."""
    asked = [
        {"id": f"q{n}", "question": "?", "answers": [] if n % 2 else [{"text": f"The answer {n}"}]}
        for n in range(20)
    ]
    key = {"data": [{"title": "t", "paragraphs": [{"qas": asked}]}]}
    (folder / "key.json").write_text(json.dumps(key))
    (folder / "run.json").write_text(
        json.dumps({one["id"]: answer(n, one) for n, one in enumerate(asked)})
    )
    return str(folder / "run.json")


def exact(key: dict, predictions: dict) -> float:
    """compute_exact and get_raw_scores of evaluate-v2.0.py, over its questions: the mean."""
    from nonresponse.formats.squad2 import normalised

    scores = []
    for question in key["data"][0]["paragraphs"][0]["qas"]:
        golds = [one["text"] for one in question["answers"] if normalised(one["text"])] or [""]
        scores.append(
            max(int(normalised(gold) == normalised(predictions[question["id"]])) for gold in golds)
        )
    return sum(scores) / len(scores)


@pytest.mark.parametrize("share", [0.5, 1])
def test_accuracy_is_the_exact_match_of_squads_own_script(tmp_path, share):
    draw = random.Random(share)

    def answer(n: int, one: dict) -> str:
        known = one["answers"][0]["text"].lower() if one["answers"] else ""
        return known if draw.random() < share else draw.choice(["", "no idea"])

    path = as_squad(tmp_path, answer)
    found = nonresponse.evaluate([path, str(tmp_path / "key.json")], "squad")
    key, predictions = (
        json.loads((tmp_path / name).read_text()) for name in ("key.json", "run.json")
    )
    row = found.leaderboard.row(0, named=True)
    assert row["accuracy"] == pytest.approx(exact(key, predictions))
    if share == 1:
        assert (
            row["accuracy"] == row["c@1"] == row["abstention_f1"] == 1
            and row["false_abstention"] == 0
        )
        said = (
            "Of 10 unanswered questions, 10 had no answer, as the data say: abstaining on "
            "these counts as correct."
        )
        assert said in found.sentences


@needs("logs/squad2")
def test_accuracy_of_real_predictions_is_what_squads_script_states():
    stated = json.loads((REAL / "eval.json").read_text())
    found = nonresponse.evaluate([str(REAL / "predictions.json"), str(REAL / "data.json")], "squad")
    assert 100 * found.leaderboard["accuracy"][0] == pytest.approx(stated["exact"])


def test_a_column_says_which_questions_have_no_answer_by_its_name(tmp_path):
    rows = [
        {**row, "gold_unanswerable": "no" if row["answerable"] == "yes" else "yes"}
        for row in RUNS["perfect"]
    ]
    pl.DataFrame(rows).drop("answerable").write_csv(tmp_path / "perfect.csv")
    file = str(tmp_path / "perfect.csv")
    found = nonresponse.evaluate(file, unanswerable="gold_unanswerable")
    assert found.leaderboard["accuracy"].to_list() == [1]
