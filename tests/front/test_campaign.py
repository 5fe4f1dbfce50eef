"""The campaign of files with a caller's options: what they decide is not asked."""

from pathlib import Path

import pytest
from log_samples import inspect_log
from nonresponse import read
from nonresponse.front import RefusedError
from nonresponse.front.campaign import AskedError, find_campaign, find_campaigns
from reading import write


def write_export(folder: Path, *rows: str) -> str:
    """An export of LangSmith, with these values of two metrics."""
    lines = [f"e{place},r{place},q{place},a,x,{row}" for place, row in enumerate(rows)]
    head = "example_id,id,inputs.question,outputs.answer,reference.answer,feedback.correct,feedback.abstained"
    return write(folder, "a.csv", "\n".join([head, *lines, ""]))


def list_asked(path: str, **options: object) -> list[str]:
    """The keys of the questions that are open."""
    try:
        find_campaign([path], None, options)
    except AskedError as error:
        return [question.key for question in error.questions]
    return []


def test_which_scorer_counts_is_no_question_once_it_is_named(tmp_path):
    log = write(tmp_path, "a.json", inspect_log({"match": "CC", "judge": "CC"}))
    assert list_asked(log) == ["metric"] and list_asked(log, metric="judge") == []


def test_of_a_metric_that_was_named_its_values_between_0_and_1_are_asked_and_no_other(tmp_path):
    path = write_export(tmp_path, "0.5,False", "1.0,False")
    assert list_asked(path)[-1] == "correct_from"
    assert list_asked(path, metric="correct") == ["correct_from"]
    assert list_asked(path, metric="abstained") == []
    assert list_asked(path, metric="correct", correct_from=0.5) == []


def test_a_metric_that_there_is_none_of_is_refused_by_line(tmp_path):
    path = write_export(tmp_path, "1.0,0.5", "0.0,1.0")
    message = r"found no metric 'other'; expected one of 'correct', 'abstained'"
    with pytest.raises(RefusedError, match=message):
        read(path, metric="other")


def test_several_campaigns_are_named_with_their_files(tmp_path):
    for name in "ab":
        write(tmp_path, f"{name}.json", inspect_log({"match": "CC"}, model=name))
    (tmp_path / "c.csv").write_text("question,verdict\nq1,correct\nq2,unanswered\n")
    message = r"These files are 2 campaigns, .*c\.csv.*: name the files of one"
    with pytest.raises(RefusedError, match=message):
        find_campaign([str(tmp_path)])


FORMS = [
    *(("columns", 3), ("verdicts", "x"), ("verdicts", {"a": ["b"]}), ("states", ["x"])),
    *(("pivot", "model"), ("pivot", {"a": "b", "c": "d"}), ("keyed", [["a"]]), ("keyed", [])),
    *(("records", 3), ("format", ["a"]), ("separator", "ab"), ("separator", "")),
    *(("unanswered", 3), ("failed", "x")),
]


@pytest.mark.parametrize(("key", "value"), FORMS, ids=str)
def test_a_value_with_which_no_file_could_be_read_is_refused(tmp_path, key, value):
    (tmp_path / "a.json").write_text('[{"id": 1, "model": "a", "verdict": "correct"}]')
    with pytest.raises(RefusedError, match=f"{key}: found .*; expected a"):
        find_campaign([str(tmp_path / "a.json")], options={key: value})


def test_tables_with_other_columns_may_have_runs_of_several_columns(tmp_path):
    (tmp_path / "a.csv").write_text("id,model,topic,verdict\n1,m,x,correct\n2,m,y,wrong\n")
    (tmp_path / "b.csv").write_text("id,model,topic,verdict,category\n1,n,x,correct,c\n")
    options = {"run": ["model", "topic"], "unanswered": False}
    campaigns = find_campaigns([str(tmp_path)], options=options)
    assert "other documented columns than" in campaigns[1].notes[0]
