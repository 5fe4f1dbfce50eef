"""Tables of questions that look finds beside answers, and the block that takes them up."""

import json
from pathlib import Path

import log_samples
import pytest
from looked import looked_at, run
from reading import write

GRADED = "qid,grade\n1,correct\n2,wrong\n"
ASKED = "qid,has_answer,subject\n1,yes,law\n2,no,art\n"
IN_JSON = [{"qid": 1, "answerable": True, "topic": "law"}, {"qid": 2, "answerable": False, "topic": "art"}]
WIDE = "qid,x,y\n1,correct,wrong\n2,wrong,wrong\n"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path


def known(result: str) -> dict[str, tuple]:
    """Whether each question has an answer, and its category."""
    return {row["question"]: (row["has_answer"], row["category"]) for row in json.loads(result)}


@pytest.mark.parametrize(
    "files",
    [
        {"m.csv": GRADED, "Fragen ü.csv": ASKED},
        {"m.tsv": GRADED.replace(",", "\t"), "n.tsv": "qid\tgrade\n2\twrong\n", "asked.csv": ASKED},
        {"w.csv": WIDE, "asked.jsonl": log_samples.lines(*IN_JSON)},
        {"runs/a.csv": "qid,prediction\n1,Paris\n2,\n", "key.csv": "qid,gold\n1,Paris\n2,Rome\n", "asked.csv": ASKED},
    ],
    ids=["a file", "a file per run", "wide and JSONL", "runs and a key"],
)
def test_a_table_of_questions_goes_with_the_answers_to_them(folder, files):
    for name, content in files.items():
        write("raw", name, content)
    [campaign], faults, text = looked_at("raw")
    assert faults == [] and "a table of questions: it has each question once, and" in text
    [result] = run([campaign], folder).values()
    by_key = "key.csv" in files  # a right answer says that there is one
    assert known(result) == {"1": (True, "law"), "2": (by_key, "art")}


def test_what_nobody_answered_and_what_columns_may_say_is_not_decided():
    write("raw", "m.csv", GRADED)
    write("raw", "asked.csv", "qid,test,choices\n1,a,4\n2,a,4\n3,b,5\n")
    [campaign], faults, text = looked_at("raw")
    assert faults == [] and campaign.written["questions"] == {"file": "raw/asked.csv", "columns": {"question": "qid"}}
    for said in (
        "whether every run was asked 1 question of raw/asked.csv that nobody answered: here it was not (`missing:`)",
        "whether questions with the same 'test' go together (`cluster:`)",
        "whether 'choices' is how many options a question of multiple choice has (`options:`)",
    ):
        assert said in text


def test_what_some_runs_have_no_response_to_is_not_decided():
    """In graded responses it was not asked, in raw runs it is silence."""
    write("raw", "m.csv", GRADED)
    write("raw", "n.csv", GRADED.replace("2,", "3,"))
    assert "here it was not, and runs are compared on what all of them were asked (`missing:`)" in looked_at("raw")[2]
    write("raw", "n.csv", GRADED)
    assert "has no response to" not in looked_at("raw")[2]
    for name, content in {"runs/a.csv": "qid,prediction\n1,Paris\n", "key.csv": "qid,gold\n1,Paris\n2,Rome\n"}.items():
        write("keyed", name, content)
    write("keyed", "runs/b.csv", "qid,prediction\n1,Paris\n2,Rome\n")
    assert "what it has no response to: here it was (`missing:`)" in looked_at("keyed")[2]


@pytest.mark.parametrize(
    "table",
    [
        "qid,subject\n1,law\n",  # not all questions
        "qid,subject\n1,law\n1,law\n2,art\n",  # one of them twice
        "qid,length\n1,7\n2,8\n",  # nothing that is known of questions
        "qid,subject,has_answer\n1,law,perhaps\n2,art,no\n",  # cannot be read
    ],
)
def test_a_table_that_does_not_fit_is_refused_and_the_answers_are_read(folder, table):
    write("raw", "m.csv", GRADED)
    write("raw", "asked.csv", table)
    [campaign], [fault], _ = looked_at("raw")
    assert fault.file == "raw/asked.csv" and "questions" not in campaign.written
    assert len(run([campaign], folder)) == 1


def test_whether_there_is_an_answer_is_no_system(folder):
    """yes and no may be verdicts elsewhere."""
    write("raw", "w.csv", "qid,has_answer,x,y\n1,yes,correct,wrong\n2,no,wrong,wrong\n")
    [campaign], faults, _ = looked_at("raw")
    assert faults == [] and campaign.written["graded"]["ignore"] == ["has_answer"]
    [result] = run([campaign], folder).values()
    assert {row["run"] for row in json.loads(result)} == {"x", "y"}


def test_a_log_that_tells_its_questions_needs_no_table():
    for name, content in log_samples.SAMPLES["squad2"].files.items():
        write("raw", name, content)
    ids = [id for _, id in log_samples.SAMPLES["squad2"].verdicts]
    write("raw", "asked.csv", "qid,subject\n" + "".join(f"{id},x\n" for id in ids))
    [campaign], [fault], _ = looked_at("raw")
    assert "questions" not in campaign.written and fault.found.startswith("a table of questions")
