"""From responses and judgments to verdicts and counts: rules of docs/measures.md on the smallest
campaign."""

import pytest
from nonresponse.judging.store import read_verdicts
from pipeline import Campaign


def answers(*texts, **columns) -> list[dict]:
    """Answers to q0, q1, …; None leaves a question unanswered."""
    rows = [{"question": f"q{i}", "answer": text} for i, text in enumerate(texts)]
    for name, values in columns.items():
        for row, value in zip(rows, values, strict=True):
            row[name] = value
    return rows


def labels(*words, answer: str = "x") -> list[dict]:
    return [{"question": f"q{i}", "answer": answer, "label": word} for i, word in enumerate(words)]


def verdicts_of(campaign: Campaign, run: str, assessor: str | None = None) -> list[str]:
    rows = read_verdicts(campaign.verdicts).rows().filter(run=run).sort("question")
    return (
        rows.filter(assessor=assessor)["verdict"].to_list()
        if assessor
        else rows["verdict"].to_list()
    )


def test_nil_is_right_where_no_answer_is_known(tmp_path):
    """Voorhees, section 1.1: none was found in advance and no system returned a right one."""
    questions = [
        {"question": "q0", "has_answer": True},  # found in advance
        {"question": "q1", "has_answer": False},  # none in advance, but a run found one
        {"question": "q2", "has_answer": False},
        {"question": "q3", "has_answer": None},  # not known in advance; all answers wrong
    ]
    runs = {"nil": answers("NIL", "NIL", "NIL", "NIL"), "other": answers("x", "x", "x", "x")}
    campaign = Campaign(tmp_path).judged(
        runs, {"a": labels("W", "R", "W", "W")}, questions, {"nil": ["NIL"]}
    )
    assert verdicts_of(campaign, "nil") == ["wrong", "wrong", "correct", "correct"]
    assert campaign.count("nil", "n_ac", "n_u", "nil_returned", "nil_right", "nil_gold") == (
        2,
        0,
        4,
        2,
        2,
    )
    assert campaign.count("other", "n_ac", "nil_returned", "nil_right", "nil_gold") == (1, 0, 0, 2)
    assert {
        id: campaign.score(id, "nil") for id in ("nil_precision", "nil_recall", "nil_f")
    } == pytest.approx({"nil_precision": 1 / 2, "nil_recall": 1, "nil_f": 2 / 3})
    assert campaign.score("nil_precision", "other") is None
    # In the categories of ROMIP, NIL is "none given".
    assert campaign.count("nil", "a", "b", "c", "d", "e") == (0, 0, 0, 2, 2)
    assert campaign.count("other", "a", "b", "c", "d", "e") == (1, 1, 2, 0, 0)


def test_romip_categories_use_every_rank(tmp_path):
    """Solovyev, table 1."""
    runs = {
        "r": [
            {"question": "q0", "rank": 1, "answer": "bad"},
            {"question": "q0", "rank": 2, "answer": "x"},  # a: one of the answers is right
            {"question": "q1", "rank": 1, "answer": "bad"},
            {"question": "q1", "rank": 2, "answer": "worse"},  # b: all are wrong
            {"question": "q2", "rank": 1, "answer": "bad"},  # c: there is none in the collection
            {"question": "q3", "rank": 1, "answer": None},  # d: none given
            {"question": "q4", "rank": 1, "answer": None},  # e
            # q5 is not mentioned: d
        ]
    }
    campaign = Campaign(tmp_path).judged(
        runs, {"a": labels("R", "R", "W", "R", "W", "R")}, closed=True
    )
    assert campaign.count("r", "a", "b", "c", "d", "e") == (1, 1, 1, 2, 1)
    assert campaign.score("romip_error", "r") == (1 + 1 + 2) / 6
    assert campaign.score("romip_recall", "r") == 1 / 4
    assert campaign.count("r", "q_answered") == 3
    # Accuracy reads rank 1 only.
    assert campaign.count("r", "n_ac", "n_aw", "n_u") == (0, 3, 3)


def test_romip_official_counts(tmp_path):
    texts = ["g", "l", "p", "b", None, "g"]
    runs = {"r": [{"question": f"q{i}", "rank": 1, "answer": text} for i, text in enumerate(texts)]}
    runs["r"] += [
        {"question": "q3", "rank": 2, "answer": "g"},
        {"question": "q0", "rank": 2, "answer": "p"},
    ]
    words = {"g": "good", "l": "long", "p": "partial", "b": "bad"}
    judgments = [
        {"question": f"q{i}", "answer": a, "label": word}
        for i in range(6)
        for a, word in words.items()
    ]
    campaign = Campaign(tmp_path).judged(runs, {"a": judgments}, correct=["good"])
    ids = (
        "romip_answered",
        "romip_good",
        "romip_good_any",
        "romip_long_good",
        "romip_long_good_partial",
    )
    assert [campaign.score(id, "r") for id in ids] == [5, 3, 5, 0, 0]
