"""Inputs on which detection once went wrong: each gives the right verdicts, or the right questions
and then these."""

import json
from collections import Counter
from pathlib import Path

import detected
import nonresponse
import pytest
from nonresponse.front import evaluation
from nonresponse.front.campaign import AskedError, every_known, known

CASES = Path(__file__).parent / "cases"
YES_AND_NO = {"verdicts": {"hallucination": "wrong", "missing": "unanswered"}}
# The files, the questions that are asked, the answers, and the states by run.
ANSWERED = {
    "a detector's score is no verdict": (
        "score-of-something-bad/detector.csv",
        ["verdict", "unanswered"],
        {
            "verdict": "predicted_hallucination",
            "verdicts": {"True": "wrong", "False": "correct"},
            "unanswered": False,
        },
        {"a": {"wrong": 10}, "b": {"wrong": 9, "correct": 1}},
    ),
    "names of ids and words that nobody documented": (
        "refusal-without-a-way/crag.csv",
        ["verdict", "unanswered"],
        {"verdict": "label"} | YES_AND_NO,
        {
            "a": {"correct": 3, "wrong": 3, "unanswered": 3},
            "b": {"correct": 3, "wrong": 3, "unanswered": 3},
        },
    ),
    "columns as in config.yaml": (
        "refusal-without-a-way/crag.csv",
        ["verdict", "unanswered"],
        {"columns": {"question": "interaction_id", "run": "model", "verdict": "label"}}
        | YES_AND_NO,
        {
            "a": {"correct": 3, "wrong": 3, "unanswered": 3},
            "b": {"correct": 3, "wrong": 3, "unanswered": 3},
        },
    ),
    "four grades in a column called category": (
        "refusal-without-a-way/four_grades.csv",
        ["verdict", "unanswered"],
        {
            "verdict": "category",
            "verdicts": {"hedged_wrong": "wrong", "confident_fabrication": "wrong"},
        },
        {
            "a": {"correct": 2, "wrong": 4, "unanswered": 2},
            "b": {"correct": 2, "wrong": 4, "unanswered": 2},
        },
    ),
    "an outcome": (
        "refusal-without-a-way/outcome.csv",
        ["verdict", "unanswered"],
        {"verdict": "rag_outcome", "unanswered": False},
        {"m": {"correct": 7, "wrong": 3}},
    ),
    "a flag of abstention and questions without an answer": (
        "questions-without-an-answer/has_answer.csv",
        [],
        {},
        {"r": {"unanswered": 12}, "a": {"correct": 6, "wrong": 6}},
    ),
    "a flag of the judge is no second judge": (
        "questions-without-an-answer/assessors.csv",
        ["unanswered"],
        {"unanswered": False},
        {"m": {"correct": 6, "wrong": 6}},
    ),
    "texts that differ in capitals": (
        "questions-without-an-answer/normalise.csv",
        ["verdict", "unanswered"],
        {"normalise": "squad", "unanswered": False},
        {"normalise": {"correct": 3, "wrong": 1}},
    ),
    "texts as they are": (
        "questions-without-an-answer/normalise.csv",
        ["verdict", "unanswered"],
        {"gold": "gold", "unanswered": False},
        {"normalise": {"correct": 2, "wrong": 2}},
    ),
    "conversations under names are one run": (
        "keyed-conversations-as-runs/results.json",
        ["unanswered"],
        {"unanswered": False},
        {"results": {"correct": 12, "wrong": 6}},
    ),
    "one id with two texts": (
        "same-id-other-text/run.csv",
        ["question"],
        {"question": ["query_id", "query"]},
        {"m": {"correct": 16, "wrong": 28}},
    ),
    "verdicts that differ are no metrics": (
        "pivot-of-verdicts/disagreements.csv",
        ["duplicates"],
        {"duplicates": "unscored"},
        {"m": {"unscored": 6}},
    ),
    "answers beside a table of judges": (
        "crash-runs-beside-judges",
        ["verdict", "unanswered"],
        {
            "assessors": {"final": "judge_a", "b": "judge_b"},
            "official": "final",
            "verdicts": {"yes": "correct", "no": "wrong"},
            "unanswered": False,
        },
        {"judged": {"correct": 3, "wrong": 3}},
    ),
    "the key's word for no answer": (
        "key-says-null",
        ["verdict", "unanswered"],
        {"key": str(CASES / "key-says-null/gold.json"), "unanswered": ["null"], "normalise": False},
        {"bold": {"correct": 30, "wrong": 10}, "careful": {"correct": 25, "unanswered": 15}},
    ),
}


@pytest.mark.parametrize("name", ANSWERED)
def test_the_questions_are_asked_and_their_answers_give_the_verdicts(tmp_path, name):
    path, asked, said, expected = ANSWERED[name]
    made, _ = detected.found(CASES / path)
    assert detected.keys(made) == asked
    made, _ = detected.found(CASES / path, **said)
    assert detected.keys(made) == []
    [result] = detected.run(made, tmp_path).values()
    counts: dict[str, Counter] = {}
    for (run, _), state in detected.verdicts(result).items():
        counts.setdefault(run, Counter())[state] += 1
    assert counts == expected


@pytest.mark.parametrize("name", ANSWERED)
def test_the_answers_are_accepted_in_the_form_in_which_they_were_asked(name):
    """Every choice of every question, where it names nothing to fill in, decides the question."""
    path, *_ = ANSWERED[name]
    made, _ = detected.found(CASES / path)
    for question in [question for one in made for question in one.questions]:
        assert question.choices
        for choice in [choice for choice in question.choices if "???" not in choice.text]:
            again, found = detected.found(CASES / path, **{choice.key: choice.value})
            assert question.key not in detected.keys(again) and not [
                one for one in found.faults if "column" in one.found
            ]


def test_several_tasks_are_one_campaign_each():
    made = every_known([str(CASES / "several-tasks")])
    assert [one.name for one in made] == ["several-tasks-geo", "several-tasks-kb"]
    assert all(len(evaluation.states(one)) == 2 for one in made)


def test_failed_responses_are_counted_in_the_answer():
    found = nonresponse.evaluate(sorted((CASES / "errors-without-a-word").iterdir()))
    assert any(
        "failed on 6 responses in 1 of 2 runs" in sentence for sentence in found.sentences
    ), found.sentences


def test_unjudged_and_unasked_questions_are_counted_in_the_answer(tmp_path):
    (tmp_path / "a.csv").write_text(
        "question,run,verdict\nq1,a,correct\nq2,a,\nq3,a,wrong\nq1,b,correct\nq2,b,wrong\n"
    )
    said = nonresponse.evaluate(tmp_path / "a.csv").sentences
    assert any(
        "Nobody judged 1 response" in one and "c@1 of a is 50.0 to 100.0 %" in one for one in said
    ), said
    assert any(one.startswith("1 of 2 runs was asked 2 of 3 questions") for one in said), said


def test_right_silence_is_the_first_measure_where_questions_have_no_answer(tmp_path):
    asked = [
        {"id": f"q{n}", "is_impossible": n % 2 == 1, "answers": [] if n % 2 else [{"text": "a"}]}
        for n in range(40)
    ]
    articles = [
        {"title": f"T{n}", "paragraphs": [{"qas": [question]}]} for n, question in enumerate(asked)
    ]
    (tmp_path / "dev.json").write_text(json.dumps({"data": articles}))
    (tmp_path / "careful.json").write_text(
        json.dumps({f"q{n}": "a" if n % 4 == 0 else "" for n in range(40)})
    )
    (tmp_path / "guesser.json").write_text(
        json.dumps({f"q{n}": "b" if n % 2 else "a" for n in range(40)})
    )
    board = nonresponse.evaluate(tmp_path).leaderboard
    assert board["run"][0] == "careful"


def test_what_is_open_is_refused_with_the_questions_and_the_block():
    with pytest.raises(AskedError) as refused:
        known([str(CASES / "refusal-without-a-way/crag.csv")])
    assert [question.key for question in refused.value.questions] == ["verdict", "unanswered"]
    said = str(refused.value)
    assert (
        "verdict: ???" in said
        and "--set verdict=label" in said
        and "{hallucination: ???, missing: ???}" in said
    )
    assert refused.value.status == 3


def test_an_answer_that_does_not_fit_says_what_would():
    with pytest.raises(
        Exception, match=r"no column 'lable' \(verdict=lable\); expected one of .*'label'"
    ):
        known([str(CASES / "refusal-without-a-way/crag.csv")], options={"verdict": "lable"})
