"""Test question files that say what runs were asked, and runs that share no question."""

from pathlib import Path

import pytest
from configured import check_results, ingest
from nonresponse import campaign as config
from reading import write

A = "question,verdict\nq1,correct\nq2,wrong\n"
B = "question,verdict\nq1,wrong\n"
OTHER = "another category of question 'q1' than on its first line"
QUESTIONS = "question,model\nq1,a\nq2,a\nq1,b\nq3,b\n"


def find_faults(folder: Path, monkeypatch, files: dict[str, str], **options) -> list[tuple]:
    """Return file, line and finding of all faults of graded/*.csv, with more options."""
    monkeypatch.chdir(folder)
    for name, text in files.items():
        write(folder, name, text)
    graded = {"format": "tabular", "files": "graded/*.csv"}
    campaign = {"task": "qa", "graded": graded, "shards": 1} | options
    if "asked.csv" in files:
        campaign["questions"] = {"file": "asked.csv", "columns": {"run": "model"}}
    campaign = config.check_config({"campaigns": {"t": campaign}})["campaigns"]["t"]
    faults = ingest(campaign, folder / "out") or check_results(campaign, folder / "out")
    return [(fault.file, fault.line, fault.found) for fault in faults]


@pytest.mark.parametrize(
    ("questions", "expected"),
    [
        (QUESTIONS, []),
        (QUESTIONS + "q1,c\n", [("asked.csv", 0, "the run 'c'")]),
        ("question,model\nq1,a\nq2,a\n", [("asked.csv", 0, "no question of the run 'b'")]),
        (QUESTIONS.replace("q2,a", "q3,a"), [("graded/a.csv", 3, "the question 'q2'")]),
        (QUESTIONS.replace("q1,b", "q2,b"), [("graded/b.csv", 2, "a response to question 'q1'")]),
        (QUESTIONS + "q1,a\n", [("asked.csv", 6, "a second line for question 'q1'")]),
        (QUESTIONS + "q2,\n", [("asked.csv", 6, "no run")]),
        ("question,model,category\nq1,a,x\nq2,a,x\nq1,b,y\n", [("asked.csv", 4, OTHER)]),
    ],
)
def test_what_the_question_file_says_fits_the_runs(tmp_path, monkeypatch, questions, expected):
    """Whatever names the runs get."""
    files = {"graded/a.csv": A, "graded/b.csv": B, "asked.csv": questions}
    for names in ({}, {"names": {"a": "GPT"}}):
        assert find_faults(tmp_path, monkeypatch, files, **names) == expected


def test_runs_of_which_no_two_share_a_question_are_refused(tmp_path, monkeypatch):
    files = {"graded/a.csv": A, "graded/b.csv": B.replace("q1", "q3")}
    found = "2 runs, no two of which have a response to the same question"
    assert find_faults(tmp_path, monkeypatch, files) == [("config.yaml", 0, found)]
    for options in ({"compare_on": "all"}, {"missing": "unanswered"}):
        assert find_faults(tmp_path, monkeypatch, files, **options) == []
