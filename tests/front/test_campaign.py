"""The campaign of files with a caller's options: what they decide is not asked."""

import nonresponse
import pytest
from log_samples import inspect_log
from nonresponse.front import RefusedError
from nonresponse.front.campaign import AskedError, find_campaign, find_campaigns
from reading import write


def list_asked(path: str, **options: object) -> list[str]:
    """The keys of the questions that are open."""
    try:
        find_campaign([path], None, options)
    except AskedError as error:
        return [question.key for question in error.questions]
    return []


def test_a_metric_that_is_named_is_not_asked_nor_are_the_values_of_others(tmp_path):
    log = write(tmp_path, "a.json", inspect_log({"match": "CC", "judge": "CC"}))
    assert list_asked(log) == ["metric"] and list_asked(log, metric="judge") == []
    head = "example_id,id,inputs.question,outputs.answer,reference.answer,feedback.correct"
    rows = "e0,r0,q0,a,x,0.5,False\ne1,r1,q1,a,x,1.0,False\n"  # as LangSmith exports them
    path = write(tmp_path, "a.csv", f"{head},feedback.abstained\n{rows}")
    assert list_asked(path)[-1] == "correct_from"
    assert list_asked(path, metric="correct") == ["correct_from"]
    assert list_asked(path, metric="abstained") == []
    assert list_asked(path, metric="correct", correct_from=0.5) == []
    message = r"found no metric 'other'; expected one of 'correct', 'abstained'"
    with pytest.raises(RefusedError, match=message):
        nonresponse.read(path, metric="other")


def test_questions_come_with_what_is_in_no_campaign(tmp_path):
    write(tmp_path, "a.csv", "id,label\n1,yes\n")
    write(tmp_path, "b.txt", "1 d1 R\n2 d2 W\n")
    with pytest.raises(AskedError, match=r"b\.txt: found judgments"):
        find_campaigns([str(tmp_path)])


FORMS = [
    *(("columns", 3), ("verdicts", "x"), ("verdicts", {"a": ["b"]}), ("states", ["x"])),
    *(("pivot", "model"), ("pivot", {"a": "b", "c": "d"}), ("keyed", [["a"]]), ("keyed", [])),
    *(("records", 3), ("format", ["a"]), ("separator", "ab"), ("separator", "")),
    *(("unanswered", 3), ("failed", "x"), ("decimal", ",")),
]


@pytest.mark.parametrize(("key", "value"), FORMS, ids=str)
def test_a_value_with_which_no_file_could_be_read_is_refused(tmp_path, key, value):
    path = write(tmp_path, "a.json", '[{"id": 1, "model": "a", "verdict": "correct"}]')
    with pytest.raises(RefusedError, match=f"{key}.*: found .*; expected "):
        find_campaign([path], options={key: value})


def test_several_campaigns_are_named_with_their_files(tmp_path):
    """Runs of several columns may be in tables with other columns, too."""
    for name, columns, row in (("a", "", ""), ("b", ",category", ",c")):
        rows = f"1,m,x,correct{row}\n2,m,y,wrong{row}\n"
        write(tmp_path, f"{name}.csv", f"id,model,topic,verdict{columns}\n{rows}")
    options = {"run": ["model", "topic"], "unanswered": False}
    _, campaign = find_campaigns([str(tmp_path)], options=options)
    assert "other documented columns than" in campaign.notes[0]
    message = r"These files are 2 campaigns, .*b\.csv.*: name the files of one"
    with pytest.raises(RefusedError, match=message):
        find_campaign([str(tmp_path)], options=options)
