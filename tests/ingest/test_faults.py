"""The table of faults and the report of them: whatever the files are called, and whatever is in them."""

import csv
import gzip
import os

import pytest
import yaml
from conftest import JUDGMENTS, RUNS, TINY
from nonresponse import faults
from nonresponse.faults import Fault

HOSTILE = [
    "a\rb",
    "a\nb",
    "a\tb",
    'a"b',
    '"',
    "\x1b[2J",
    "\u202egnp",
    "\u2028",
    os.fsdecode(b"d\xffe"),
    "é ж 一",
    "\\r",
]


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_faults_come_back_from_their_table_printable(tmp_path, text):
    given = [Fault(text, 3, f"found {text}", f"expected {text}"), Fault("plain", 0, "found", "expected")]
    faults.write(given, tmp_path / "faults.tsv")
    shown = faults.printable(text)
    assert shown.isprintable() and (shown == text or not text.isprintable())
    assert set(faults.read(tmp_path / "faults.tsv")) == {
        Fault(shown, 3, f"found {shown}", f"expected {shown}"),
        Fault("plain", 0, "found", "expected"),
    }
    for line in faults.report(given, "tiny").removesuffix("\n").split("\n"):
        assert line.isprintable()
    assert f"{shown}:3: found found {shown};" in faults.report(given, "tiny")


def test_a_table_of_faults_is_read_whatever_is_in_it(tmp_path):
    given = [Fault("a", line, "x" * 300_000, "y\t" * 300_000) for line in range(3)]
    faults.write(given, tmp_path / "faults.tsv")
    before = csv.field_size_limit(10)
    try:
        found = faults.read(tmp_path / "faults.tsv")
    finally:
        csv.field_size_limit(before)
    assert [fault.line for fault in found] == [0, 1, 2]
    assert all(len(fault.found) == faults.WIDEST for fault in found)


def test_no_faults(tmp_path):
    faults.write([], tmp_path / "faults.tsv")
    assert faults.read(tmp_path / "faults.tsv") == []


@pytest.mark.slow
def test_hostile_files_are_reported_each_in_its_campaign(project):
    """Names with control characters, thousands of columns, and packed files beyond the bounds; through every door."""
    for run, text in RUNS.items():
        project.write(f"raw/runs/{run}.tsv", text)
    project.write("raw/runs/d\re.tsv", RUNS["alpha"])
    project.write("raw/runs/f\x1b[2J\u202e.tsv", "question\tanswer\nq1\n")
    project.write("raw/judgments.tsv", JUDGMENTS)
    wide = ",".join(f"column {number}" for number in range(6000))
    project.write("raw/wide.csv", f"{wide}\n{wide}\n")
    lines = "question,verdict,run,n_ac,n_aw,n_u,answer,label\n" + "1,correct,a,1,2,3,x,R\n" * 20
    packed = {part: f"raw/{part}.csv.gz" for part in ("runs", "judgments", "questions", "graded", "counts")}
    for path in packed.values():
        (project.folder / path).write_bytes(gzip.compress(lines.encode()))
    door = {part: {"format": "tabular", "files": path} for part, path in packed.items()}
    campaigns = {
        "tiny": TINY,
        "wide": {"task": "qa", "graded": {"format": "tabular", "files": "raw/wide.csv"}, "measures": ["c@1"]},
        "one": TINY | {"runs": door["runs"], "judgments": door["judgments"], "questions": packed["questions"]},
        "two": {"task": "qa", "graded": door["graded"], "questions": {"file": packed["questions"]}},
        "three": {"task": "qa", "counts": packed["counts"]},
    }
    bounds = {"gigabytes": 1e-7, "ratio": 7}
    project.write("config.yaml", yaml.safe_dump({"campaigns": campaigns, "unpacked": bounds}))
    run = project.snakemake("--keep-going", check=False)
    assert run.returncode == 1 and "Traceback" not in run.stderr
    reports = {name: (project.folder / f"results/{name}/faults.txt").read_text() for name in campaigns}
    assert all(report in run.stderr for report in reports.values())
    assert reports["tiny"].splitlines()[:-1] == [
        "tiny: 2 faults in 2 files",
        r"  raw/runs/d\re.tsv:2: found the run name 'd\re'; expected a name that can be a file name",
        r"  raw/runs/f\x1b[2J\u202e.tsv:2: found 1 fields; expected 2 fields, as in the first line",
    ]
    assert "'column 19' and 5,980 more; expected a column for question" in reports["wide"]
    parts = {"one": ["runs", "judgments", "questions"], "two": ["graded", "questions"], "three": ["counts"]}
    for name, own in parts.items():
        assert reports[name].count("at most 1e-07 GB and 7 times the packed size (`unpacked:` in config.yaml)") == len(
            own
        )
        assert all(f"  {packed[part]}: found " in reports[name] for part in own)
