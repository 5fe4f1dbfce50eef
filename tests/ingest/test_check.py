"""The check reports all faults across the files of a campaign, with file and line."""

from pathlib import Path

import pytest
import yaml
from configured import report_faults
from conftest import JUDGMENTS, RUNS, SMALL, Project
from nonresponse.ingest import check

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
