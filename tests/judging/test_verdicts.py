"""From responses and judgments to verdicts and counts: each rule of docs/measures.md on the smallest campaign."""

import configured
import polars as pl
import pytest
from nonresponse import campaign as config
from nonresponse.judging.store import read_verdicts
from pipeline import Campaign
from reading import write


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
    return rows.filter(assessor=assessor)["verdict"].to_list() if assessor else rows["verdict"].to_list()


def test_labels_strict_and_lenient(tmp_path):
    judgments = {"a": labels("R", "W", "U", "X")}
    run = {"r": answers("x", "x", "x", "x")}
    assert verdicts_of(Campaign(tmp_path).judged(run, judgments), "r") == ["correct", "wrong", "wrong", "wrong"]
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


def test_the_question_file_is_the_question_set(tmp_path):
    """Also where the judgments mention fewer questions."""
    questions = [{"question": f"q{i}", "category": "odd" if i % 2 else "even"} for i in range(5)]
    campaign = Campaign(tmp_path).judged({"r": answers("x", "x")}, {"a": labels("R")}, questions)
    assert campaign.count("r", "n", "n_ac", "n_u", "n_unscored", "n_missing") == (5, 1, 3, 1, 3)
    by_category = pl.read_parquet(campaign.files[1]).select("category", "n", "n_ac", "n_aw", "n_u").rows()
    assert by_category == [("even", 3, 1, 0, 2), ("odd", 2, 0, 1, 1)]


def test_nil_is_right_where_no_answer_is_known(tmp_path):
    """Voorhees, section 1.1: none was found in advance and no system returned a right one."""
    questions = [
        {"question": "q0", "has_answer": True},  # found in advance
        {"question": "q1", "has_answer": False},  # none in advance, but a run found one
        {"question": "q2", "has_answer": False},
        {"question": "q3", "has_answer": None},  # not known in advance; all answers wrong
    ]
    runs = {"nil": answers("NIL", "NIL", "NIL", "NIL"), "other": answers("x", "x", "x", "x")}
    campaign = Campaign(tmp_path).judged(runs, {"a": labels("W", "R", "W", "W")}, questions, {"nil": ["NIL"]})
    assert verdicts_of(campaign, "nil") == ["wrong", "wrong", "correct", "correct"]
    assert campaign.count("nil", "n_ac", "n_u", "nil_returned", "nil_right", "nil_gold") == (2, 0, 4, 2, 2)
    assert campaign.count("other", "n_ac", "nil_returned", "nil_right", "nil_gold") == (1, 0, 0, 2)
    assert {id: campaign.score(id, "nil") for id in ("nil_precision", "nil_recall", "nil_f")} == pytest.approx(
        {"nil_precision": 1 / 2, "nil_recall": 1, "nil_f": 2 / 3}
    )
    assert campaign.score("nil_precision", "other") is None
    # In the categories of ROMIP, NIL is "none given".
    assert campaign.count("nil", "a", "b", "c", "d", "e") == (0, 0, 0, 2, 2)
    assert campaign.count("other", "a", "b", "c", "d", "e") == (1, 1, 2, 0, 0)


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("how", ["candidate", "cut-off", "cut-off on all ranks"])
def test_a_withheld_nil_is_right_where_nil_would_be(tmp_path, how, closed):
    """In whatever way it is withheld; other withheld answers are looked up as usual, and a NIL given is an answer."""
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
    assert campaign.count("given", "n_ac", "n_aw", "n_u", "nil_returned", "nil_right") == (2, 1, 0, 2, 1)


@pytest.mark.parametrize(
    ("words", "lenient"), [("RUXW", ["R", "U", "X"]), (("good", "long", "partial", "bad"), ["good", "long", "partial"])]
)
def test_the_nil_key_does_not_move_with_what_counts_as_correct(tmp_path, words, lenient):
    """Voorhees, section 1.1: no system returned a right response. Unsupported and inexact ones are not right."""
    runs = {"nil": answers("NIL", "NIL", "NIL", "NIL"), "other": answers("x", "x", "x", "x")}
    judgments = {"a": labels(*words), "b": labels(words[3], words[0], words[3], words[3])}
    expected = {"a": ["wrong", "correct", "correct", "correct"], "b": ["correct", "wrong", "correct", "correct"]}
    for name, correct in (("strict", lenient[:1]), ("lenient", lenient), ("odd", lenient[2:])):
        campaign = Campaign(tmp_path / name).judged(runs, judgments, options={"nil": ["NIL"]}, correct=correct)
        for assessor, verdicts in expected.items():  # each has a key of his own
            assert verdicts_of(campaign, "nil", assessor) == verdicts, (name, assessor)
    answered = read_verdicts(campaign.verdicts).rows().filter(run="other", assessor="a")
    assert answered["verdict"].to_list() == ["wrong", "wrong", "correct", "wrong"]  # odd: x alone is correct
    assert answered["has_answer"].to_list() == [True, False, False, False]


def nil_campaign(folder, judgments: str, questions: str = "", **gold) -> dict:
    for name, text in {"m": "question,answer\nq1,NIL\nq2,Rome\n", "k": "question,answer\nq1,Oslo\nq2,\n"}.items():
        write(folder, f"runs/{name}.csv", text)
    gold |= {"format": "tabular", "files": write(folder, "gold.csv", judgments)}
    runs = {"format": "tabular", "files": f"{folder}/runs/*.csv", "nil": ["NIL"]}
    parts = {"runs": runs, "judgments": gold}
    parts |= {"questions": write(folder, "questions.csv", questions)} if questions else {}
    return config.checked({"campaigns": {"t": {"task": "qa", **parts}}})["campaigns"]["t"]


@pytest.mark.parametrize(
    ("judgments", "gold", "q1"),
    [
        ("question,answer,label\nq1,NIL,R\nq1,Oslo,W\nq2,Rome,R\n", {}, "correct"),
        ("question,answer,label\nq1,NIL,W\nq1,Oslo,W\nq2,Rome,R\n", {}, "wrong"),
        ("question,answer,label\nq1,NIL,W\nq1,Oslo,R\nq2,Rome,R\n", {}, "wrong"),
        ("question,answer\nq1,NIL\nq2,Rome\n", {"closed": True}, "correct"),
        ("run,question,label\nm,q1,R\nk,q1,W\nm,q2,R\nk,q2,W\n", {}, "correct"),
        ("run,question,label\nm,q1,W\nk,q1,W\nm,q2,R\nk,q2,W\n", {}, "wrong"),
    ],
)
def test_a_judgment_of_nil_says_whether_the_question_has_an_answer(tmp_path, judgments, gold, q1):
    campaign = nil_campaign(tmp_path, judgments, **gold)
    assert configured.judged(campaign, tmp_path / "out") == "" and not configured.checked(campaign, tmp_path / "out")
    rows = read_verdicts(tmp_path / "out/verdicts.npz").rows().filter(pl.col("run") == "m").sort("question")
    assert rows["verdict"].to_list() == [q1, "correct"] and rows["has_answer"].to_list() == [q1 == "wrong", True]


@pytest.mark.parametrize(
    ("judgments", "has_answer", "lines"),
    [
        ("question,answer,label\nq1,NIL,R\nq1,Oslo,R\n", "", [2]),
        ("question,answer,label\nq1,NIL,R\nq1,Oslo,W\n", "1", [2]),
        ("question,answer,label\nq1,NIL,W\nq1,Oslo,W\n", "0", [2]),
        ("run,question,label\nk,q1,R\nm,q1,R\n", "", [3]),
        ("question,answer,label\nq1,NIL,R\nq1,Oslo,W\n", "0", []),
        ("question,answer,label\nq1,NIL,W\nq1,Oslo,R\n", "1", []),
    ],
)
def test_a_judgment_of_nil_that_is_contradicted_is_a_fault(tmp_path, judgments, has_answer, lines):
    campaign = nil_campaign(tmp_path, judgments, f"question,has_answer\nq1,{has_answer}\nq2,\n")
    assert not configured.ingested(campaign, tmp_path / "out")
    found = [(fault.line, fault.found) for fault in configured.checked(campaign, tmp_path / "out")]
    assert found == [(line, "a judgment of NIL for question 'q1'") for line in lines]


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
    campaign = Campaign(tmp_path).judged(runs, {"a": labels("R", "R", "W", "R", "W", "R")}, closed=True)
    assert campaign.count("r", "a", "b", "c", "d", "e") == (1, 1, 1, 2, 1)
    assert campaign.score("romip_error", "r") == (1 + 1 + 2) / 6
    assert campaign.score("romip_recall", "r") == 1 / 4
    assert campaign.count("r", "q_answered") == 3
    # Accuracy reads rank 1 only.
    assert campaign.count("r", "n_ac", "n_aw", "n_u") == (0, 3, 3)


def test_romip_official_counts(tmp_path):
    texts = ["g", "l", "p", "b", None, "g"]
    runs = {"r": [{"question": f"q{i}", "rank": 1, "answer": text} for i, text in enumerate(texts)]}
    runs["r"] += [{"question": "q3", "rank": 2, "answer": "g"}, {"question": "q0", "rank": 2, "answer": "p"}]
    words = {"g": "good", "l": "long", "p": "partial", "b": "bad"}
    judgments = [{"question": f"q{i}", "answer": a, "label": word} for i in range(6) for a, word in words.items()]
    campaign = Campaign(tmp_path).judged(runs, {"a": judgments}, correct=["good"])
    ids = ("romip_answered", "romip_good", "romip_good_any", "romip_long_good", "romip_long_good_partial")
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
    closed = Campaign(tmp_path).judged(runs, {"a": labels("R", "R", "R", "R", "R", "R")}, closed=True)
    assert closed.count("r", "n_u", "n_ur", "n_uw", "n_ue", "n_ux") == (5, 2, 2, 1, 0)


def test_a_closed_key_makes_what_it_does_not_list_wrong(tmp_path):
    key = {
        "key": [{"question": "q0", "answer": "x"}, {"question": "q0", "answer": "X"}, {"question": "q1", "answer": "y"}]
    }
    runs = {"r": answers("X", "x")}
    assert verdicts_of(Campaign(tmp_path).judged(runs, key, closed=True), "r") == ["correct", "wrong"]
    open_list = {"key": [row | {"label": "R"} for row in key["key"]]}
    assert verdicts_of(Campaign(tmp_path).judged(runs, open_list), "r") == ["correct", "unscored"]


def test_each_assessor_has_verdicts_of_his_own(tmp_path):
    runs = {"r": answers("x", "x", "NIL"), "s": answers("y", None, "x")}
    judgments = {
        "ann": labels("R", "W", "R"),
        "bob": labels("W", "R", "W") + labels("R", answer="y"),
    }
    campaign = Campaign(tmp_path).judged(runs, judgments, options={"nil": ["NIL"]})
    assert verdicts_of(campaign, "r", "ann") == ["correct", "wrong", "wrong"]
    assert verdicts_of(campaign, "r", "bob") == ["wrong", "correct", "correct"]  # to bob, q2 has no known answer
    assert verdicts_of(campaign, "s", "ann") == ["unscored", "unanswered", "correct"]
    assert verdicts_of(campaign, "s", "bob") == ["correct", "unanswered", "wrong"]
    assert campaign.scores("accuracy").select("assessor", "run").rows() == [
        ("ann", "r"),
        ("ann", "s"),
        ("bob", "r"),
        ("bob", "s"),
    ]


def test_judgments_by_document(tmp_path):
    """TREC: an answer is right only with a document that supports it."""
    runs = {"r": answers("x", "x", "x", document=["d1", "d2", "d3"])}
    judgments = {
        "a": [
            {"question": f"q{i}", "document": d, "answer": "x", "label": w}
            for i, d, w in [(0, "d1", "R"), (1, "d1", "R"), (1, "d2", "U"), (2, "d1", "R")]
        ]
    }
    assert verdicts_of(Campaign(tmp_path).judged(runs, judgments), "r") == ["correct", "wrong", "unscored"]


def test_judgments_by_run_without_answers(tmp_path):
    """A right answer of some run makes the question one with an answer, whatever it was."""
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


def test_a_judgment_said_twice_is_one(tmp_path):
    campaign = Campaign(tmp_path).judged({"r": answers("x", "x")}, {"a": labels("R", "W") + labels("R", "W")})
    assert campaign.count("r", "n", "n_ac", "n_aw") == (2, 1, 1)


def test_graded_side_by_side_by_several_assessors(tmp_path):
    """An empty cell is an answer that this assessor did not judge. The run never saw a question that is missing for all
    assessors; it did see one that any assessor judged.
    """
    words = [("correct", "wrong"), ("wrong", ""), ("correct", "MISSING"), ("unanswered", "unanswered")]
    words.append(("MISSING", "MISSING"))
    rows = [{"question": f"q{i}", "one": one, "two": two} for i, (one, two) in enumerate(words)]
    options = {"assessors": {"ann": "one", "bob": "two"}, "missing": ["MISSING"]}
    campaign = Campaign(tmp_path).graded({"r": rows}, options=options)
    names = ("n", "n_ac", "n_aw", "n_u", "n_unscored", "n_not_asked")
    assert campaign.count("r", *names, assessor="ann") == (4, 2, 1, 1, 0, 1)
    assert campaign.count("r", *names, assessor="bob") == (4, 0, 3, 1, 2, 1)
