"""The check reports all faults across the files of a campaign, with file and line."""

from pathlib import Path

import pytest
import yaml
from configured import report_faults
from conftest import JUDGMENTS, RUNS, SMALL, Project
from nonresponse.ingest import check
from reading import write

RAW = {
    "task": "qa",
    "runs": {"format": "tabular", "files": "raw/runs/*.tsv"},
    "judgments": {"format": "tabular", "files": "raw/judgments.tsv"},
} | SMALL
DEFT = {part: {"format": "deft", "files": f"raw/{part}/*"} for part in ("runs", "judgments")}
CAMPAIGNS = {
    "raw": RAW,
    "graded": {"graded": {"format": "tabular", "files": "raw/*.csv"}, "measures": ["c@1"]},
    "counts": {"task": "qa", "counts": "raw/counts.csv", "measures": ["c@1"]},
    "deft": {"task": "dating", "measures": ["s"]} | DEFT,
}
CASES = yaml.safe_load((Path(__file__).parent / "check.yaml").read_text())


@pytest.mark.parametrize("name", CASES)
def test_each_fault_is_a_line_of_the_report(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    case = {"begins": "raw"} | CASES[name]
    campaign, expected = CAMPAIGNS[case.pop("begins")], case.pop("faults")
    files = {name: case.pop(name) for name in [*case] if name.endswith("sv")}
    if campaign is RAW:
        files = {f"runs/{run}.tsv": text for run, text in RUNS.items()} | files
        files.setdefault("judgments.tsv", "JUDGMENTS")
    for file, text in files.items():
        text = text.replace(",", "\t") if file.endswith("tsv") else text
        text = text.replace("JUDGMENTS", JUDGMENTS.rstrip("\n")).replace("|", "\n")
        Project(tmp_path).write(f"raw/{file}", f"{text}\n")
    lines = report_faults("t", campaign | case, tmp_path / "results")
    lines = [line for line in lines if " found " in line]
    assert len(lines) == len(expected) and all(map(str.__contains__, lines, expected)), lines


def test_a_column_taken_for_assessors_makes_no_store_of_all_memory(tmp_path, monkeypatch):
    """Who takes the numbers of lines for assessors gets a fault, not a process that is killed."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(check, "CELLS", 100)
    project, columns = Project(tmp_path), {"assessor": "line_id"}
    project.write("raw/runs/a.tsv", RUNS["alpha"])
    rows = "".join(f"w{n}\tq{n % 4}\tx\tR\n" for n in range(40))
    project.write("raw/judgments.tsv", f"line_id\tquestion\tanswer\tlabel\n{rows}")
    project.write("raw/questions.csv", "question\nq0\nq1\nq2\nq3\nq4\n")
    judgments = RAW["judgments"] | {"columns": columns}
    campaign = RAW | {"judgments": judgments, "questions": "raw/questions.csv"}
    [line] = [line for line in report_faults("t", campaign, tmp_path / "one") if " found " in line]
    assert "20 more; expected a key `official`" in line and len(line) < 400
    campaign |= {"judgments": judgments | {"official": "w1"}}
    [line] = [line for line in report_faults("t", campaign, tmp_path / "two") if " found " in line]
    assert "found 40 assessors x 1 run x 5 questions x 1 epoch; expected at most 100" in line


GRADED_A = "question,verdict\nq1,correct\nq2,wrong\n"
GRADED_B = "question,verdict\nq1,wrong\n"
OTHER_CATEGORY = "asked.csv:4: found another category of question 'q1' than on its first line"
QUESTIONS = "question,model\nq1,a\nq2,a\nq1,b\nq3,b\n"


def find_faults(folder: Path, monkeypatch, files: dict[str, str], **options) -> list[str]:
    """Return place and finding of all faults of graded/*.csv, with more options."""
    monkeypatch.chdir(folder)
    for name, text in files.items():
        write(folder, name, text)
    campaign = {"graded": {"format": "tabular", "files": "graded/*.csv"}, "shards": 1} | options
    if "asked.csv" in files:
        campaign["questions"] = {"file": "asked.csv", "columns": {"run": "model"}}
    lines = report_faults("t", {"task": "qa"} | campaign, folder / "out")
    return [line.partition("; ")[0] for line in lines if " found " in line]


@pytest.mark.parametrize(
    ("questions", "expected"),
    [
        (QUESTIONS, []),
        (QUESTIONS + "q1,c\n", ["asked.csv: found the run 'c'"]),
        ("question,model\nq1,a\nq2,a\n", ["asked.csv: found no question of the run 'b'"]),
        (QUESTIONS.replace("q2,a", "q3,a"), ["graded/a.csv:3: found the question 'q2'"]),
        (QUESTIONS.replace("q1,b", "q2,b"), ["graded/b.csv:2: found a response to question 'q1'"]),
        (QUESTIONS + "q1,a\n", ["asked.csv:6: found a second line for question 'q1'"]),
        (QUESTIONS + "q2,\n", ["asked.csv:6: found no run"]),
        ("question,model,category\nq1,a,x\nq2,a,x\nq1,b,y\n", [OTHER_CATEGORY]),
    ],
)
def test_what_the_question_file_says_fits_the_runs(tmp_path, monkeypatch, questions, expected):
    """Whatever names the runs get."""
    files = {"graded/a.csv": GRADED_A, "graded/b.csv": GRADED_B, "asked.csv": questions}
    for names in ({}, {"names": {"a": "GPT"}}):
        assert find_faults(tmp_path, monkeypatch, files, **names) == expected


def test_runs_of_which_no_two_share_a_question_are_refused(tmp_path, monkeypatch):
    files = {"graded/a.csv": GRADED_A, "graded/b.csv": GRADED_B.replace("q1", "q3")}
    found = "config.yaml: found 2 runs, no two of which have a response to the same question"
    assert find_faults(tmp_path, monkeypatch, files) == [found]
    for options in ({"compare_on": "all"}, {"missing": "unanswered"}):
        assert find_faults(tmp_path, monkeypatch, files, **options) == []
