"""Inputs that detection once got wrong give the right verdicts, at once or after questions."""

import json
from pathlib import Path

import nonresponse
import polars as pl
import pytest
from nonresponse.front import evaluation
from nonresponse.front.campaign import AskedError, find_campaign, find_campaigns

CASES = Path(__file__).parent / "cases"


def test_several_tasks_are_one_campaign_each():
    campaigns = find_campaigns([str(CASES / "several-tasks")])
    assert [campaign.name for campaign in campaigns] == ["several-tasks-geo", "several-tasks-kb"]
    assert all(len(evaluation.describe_verdicts(campaign)) == 2 for campaign in campaigns)


def test_failed_responses_are_counted_in_the_answer():
    evaluation = nonresponse.evaluate(sorted((CASES / "errors-without-a-word").iterdir()))
    assert "failed on 6 responses in 1 of 2 runs" in " ".join(evaluation.sentences)


def test_unjudged_and_unasked_questions_are_counted_in_the_answer(tmp_path):
    rows = "q1,a,correct\nq2,a,\nq3,a,wrong\nq1,b,correct\nq2,b,wrong\n"
    (tmp_path / "a.csv").write_text(f"question,run,verdict\n{rows}")
    results = nonresponse.evaluate(tmp_path / "a.csv")
    assert any("Nobody judged 1 response" in text for text in results.sentences)
    bounds = results.leaderboard.filter(pl.col("run") == "a").select("c@1 worst", "c@1 best").row(0)
    assert bounds == pytest.approx((0.5, 1))
    sentence = "1 of 2 runs was asked 2 of 3 questions"
    assert any(text.startswith(sentence) for text in results.sentences)


def test_right_silence_is_the_first_measure_where_questions_have_no_answer(tmp_path):
    questions = [
        {"id": f"q{n}", "is_impossible": n % 2 == 1, "answers": [] if n % 2 else [{"text": "a"}]}
        for n in range(40)
    ]
    files = {"dev": {"data": [{"title": "T", "paragraphs": [{"qas": questions}]}]}}
    files["careful"] = {f"q{n}": "a" if n % 4 == 0 else "" for n in range(40)}
    files["guesser"] = {f"q{n}": "b" if n % 2 else "a" for n in range(40)}
    for name, content in files.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(content))
    assert nonresponse.evaluate(tmp_path).leaderboard["run"][0] == "careful"


CRAG = str(CASES / "refusal-without-a-way/crag.csv")


def test_what_is_open_is_refused_with_the_questions_and_the_block():
    with pytest.raises(AskedError) as refused:
        find_campaign([CRAG])
    assert [question.key for question in refused.value.questions] == ["verdict", "unanswered"]
    text = str(refused.value)
    assert "verdict: ???" in text and "--set verdict=label" in text
    assert "{hallucination: ???, missing: ???}" in text and refused.value.status == 3


def test_an_answer_that_does_not_fit_says_what_would():
    message = r"no column 'lable' \(verdict=lable\); expected one of .*'label'"
    with pytest.raises(Exception, match=message):
        find_campaign([CRAG], options={"verdict": "lable"})
