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


def test_labels_strict_and_lenient(tmp_path):
    judgments = {"a": labels("R", "W", "U", "X")}
    run = {"r": answers("x", "x", "x", "x")}
    assert verdicts_of(Campaign(tmp_path).judged(run, judgments), "r") == [
        "correct",
        "wrong",
        "wrong",
        "wrong",
    ]
    lenient = Campaign(tmp_path).judged(run, judgments, correct=["R", "U"], partial=["X"])
    assert verdicts_of(lenient, "r") == ["correct", "wrong", "correct", "partial"]
    assert lenient.count("r", "n_ac", "n_aw", "n_partial") == (2, 2, 1)


def test_a_question_that_a_run_does_not_mention_is_unanswered(tmp_path):
    runs = {"full": answers("x", None, "x"), "short": answers("x")}
    campaign = Campaign(tmp_path).judged(runs, {"a": labels("R", "R", "W", "R")})
    assert campaign.count("full", "n", "n_ac", "n_aw", "n_u", "n_missing") == (4, 1, 1, 2, 1)
    assert campaign.count("short", "n", "n_ac", "n_aw", "n_u", "n_missing") == (4, 1, 0, 3, 3)
    assert campaign.score("c@1", "short") == (1 + 3 * 1 / 4) / 4
    assert campaign.score("mrr", "short") == 1 / 4


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


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("how", ["candidate", "cut-off", "cut-off on all ranks"])
def test_a_withheld_nil_is_right_where_nil_would_be(tmp_path, how, closed):
    """In whatever way it is withheld; other withheld answers are looked up as usual, and a NIL
    given is an answer."""
    has_answer = (True, False, True)
    questions = [{"question": f"q{n}", "has_answer": known} for n, known in enumerate(has_answer)]
    options = {"nil": ["NIL"], "unanswered": ["NOA"]}
    if how == "candidate":
        runs = {"r": answers("NOA", None, None, candidate=["NIL", "NIL", "x"])}
        runs |= {"given": answers("NIL", "NIL", "x", candidate=["NIL", "NIL", "NIL"])}
    else:
        runs = {"r": answers("NIL", "NIL", "x", confidence=[0.1] * 3)}
        runs |= {"given": answers("NIL", "NIL", "x", confidence=[0.9] * 3)}
        options |= {"answer_from": 0.5}
    if how == "cut-off on all ranks":
        for rows in runs.values():
            rows += [{"question": "q0", "answer": "x", "rank": 2, "confidence": 0.9}]
            rows[:3] = [{"rank": 1} | row for row in rows[:3]]
    gold = [{"question": "q2", "answer": "x", "label": "R"}]
    campaign = Campaign(tmp_path).judged(runs, {"a": gold}, questions, options, closed=closed)
    # q1 has no answer, and not answering it is right.
    assert campaign.count("r", "n_u", "n_ur", "n_uw", "n_ue", "n_ux") == (2, 1, 1, 0, 0)
    assert campaign.count("r", "n_ac", "n_rightful", "nil_returned", "nil_right") == (1, 1, 0, 0)
    assert campaign.count("given", "n_ac", "n_aw", "n_u", "nil_returned", "nil_right") == (
        2,
        1,
        0,
        2,
        1,
    )


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


def test_withheld_candidates_are_judged_as_answers_are(tmp_path):
    """Peñas & Rodrigo, section 4.1: a system that declines may hand in its best candidate."""
    runs = {
        "r": [
            {"question": "q0", "answer": None, "candidate": "x"},
            {"question": "q1", "answer": None, "candidate": "y"},
            {"question": "q2", "answer": None, "candidate": None},
            {"question": "q3", "answer": None, "candidate": "nobody saw this"},
            {"question": "q4", "answer": "x", "candidate": None},
            {"question": "q5", "answer": None, "candidate": "x"},
        ]
    }
    judgments = labels("R", "R", "R", "R", "R", "X") + labels("W", "W", "W", answer="y")
    campaign = Campaign(tmp_path).judged(runs, {"a": judgments}, partial=["X"])
    assert campaign.count("r", "n_u", "n_ur", "n_uw", "n_ue", "n_ux") == (5, 1, 2, 1, 1)
    assert campaign.score("candidate_accuracy", "r") == 2 / 6
    assert campaign.score("accuracy", "r") == 1 / 6
    closed = Campaign(tmp_path).judged(
        runs, {"a": labels("R", "R", "R", "R", "R", "R")}, closed=True
    )
    assert closed.count("r", "n_u", "n_ur", "n_uw", "n_ue", "n_ux") == (5, 2, 2, 1, 0)


def test_judgments_by_run_without_answers(tmp_path):
    """A correct answer of some run makes the question one with an answer, whatever it was."""
    runs = {"r": answers("x", "x"), "s": answers("x", "NIL")}
    judgments = {
        "a": [
            {"run": "r", "question": "q0", "label": "R"},
            {"run": "r", "question": "q1", "label": "R"},
            {"run": "s", "question": "q0", "label": "W"},
        ]
    }
    campaign = Campaign(tmp_path).judged(runs, judgments, options={"nil": ["NIL"]})
    assert verdicts_of(campaign, "r") == ["correct", "correct"]
    assert verdicts_of(campaign, "s") == ["wrong", "wrong"]
    assert campaign.count("s", "nil_gold", "nil_right", "a", "b", "d") == (0, 0, 0, 1, 1)
    assert campaign.score("map", "r") == 1
