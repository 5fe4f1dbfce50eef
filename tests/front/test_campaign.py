"""The campaign of files with a caller's options: what is open or noted is what the files are with these."""

import json
from pathlib import Path

import pytest
from nonresponse.front import Refused
from nonresponse.front.campaign import known

SAID = {"choices": [{"message": {"content": "a"}, "stop_reason": "stop"}]}


def inspect_log(path: Path, epochs: int, *scorers: str) -> Path:
    """A log of Inspect with two questions."""
    scores = {name: {"value": "C"} for name in scorers}
    times = [(question, epoch + 1) for question in ("q1", "q2") for epoch in range(epochs)]
    samples = [{"id": question, "epoch": epoch, "output": SAID, "scores": scores} for question, epoch in times]
    stated = [{"name": name, "scorer": name, "metrics": {"accuracy": {"value": 1.0}}} for name in scorers]
    about = {"model": path.stem, "task": "toy", "dataset": {}}
    log = {"version": 2, "status": "success", "eval": about, "results": {"scores": stated}, "samples": samples}
    path.write_text(json.dumps(log))
    return path


def export(path: Path, *rows: str) -> Path:
    """An export of LangSmith, with these values of two metrics."""
    beside = [f"e{place},r{place},q{place},a,x,{row}" for place, row in enumerate(rows)]
    head = "example_id,id,inputs.question,outputs.answer,reference.answer,feedback.correct,feedback.abstained"
    path.write_text("\n".join([head, *beside, ""]))
    return path


def notes(path: Path, **options: object) -> str:
    return "\n".join(known([str(path)], None, options).notes)


def test_all_epochs_are_not_said_to_be_left_out(tmp_path):
    log = inspect_log(tmp_path / "a.json", 3, "match")
    assert "only the first of 3 epochs is scored" in notes(log)
    assert "epochs" not in notes(log, epochs="all")


def test_which_scorer_counts_is_no_question_once_it_is_named(tmp_path):
    log = inspect_log(tmp_path / "a.json", 1, "match", "judge")
    with pytest.raises(Refused, match="which scorer counts: here match"):
        known([str(log)])
    assert "match" not in notes(log, scorer="judge")


def test_a_threshold_that_was_given_is_not_said_to_be_another(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("question,score\nq1,0.2\nq2,0.6\nq3,0.9\n")
    assert "here 0.5" not in notes(path, correct_from=0.7)


def test_of_a_metric_that_was_named_the_files_are_asked_and_of_no_other(tmp_path):
    path = export(tmp_path / "a.csv", "0.5,True", "1.0,False")
    with pytest.raises(Refused, match="from which 'correct' on an answer is right"):
        known([str(path)], None, {"metric": "correct"})
    said = notes(path, metric="abstained")
    assert "metric 'abstained' of 'correct', 'abstained'" in said and "from which" not in said


def test_values_between_0_and_1_of_a_metric_that_was_named_are_asked_for(tmp_path):
    path = export(tmp_path / "a.csv", "1.0,0.5", "0.0,1.0")
    with pytest.raises(Refused, match=r"from which 'abstained' on .* 1 answer partly right .*correct_from=VALUE"):
        known([str(path)], None, {"metric": "abstained"})
    assert "from which" not in notes(path, metric="abstained", correct_from=0.5)


def test_a_metric_that_there_is_none_of_is_refused_by_line(tmp_path):
    path = export(tmp_path / "a.csv", "1.0,0.5", "0.0,1.0")
    with pytest.raises(Refused, match=r"a\.csv:1: found no metric 'other'; expected one of 'correct', 'abstained'"):
        known([str(path)], None, {"metric": "other"})
