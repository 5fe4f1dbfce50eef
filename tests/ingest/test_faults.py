"""The table and the report of faults hold for any file names and contents."""

import os
from itertools import product

import polars as pl
import pytest
from nonresponse import faults
from nonresponse.faults import Fault
from nonresponse.ingest import check, reading, row_checks
from reading import write

HOSTILE = ["a\rb", "a\nb", "a\tb", 'a"b', "\x1b[2J", "\u202egnp", os.fsdecode(b"d\xffe"), "é ж 一"]


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_faults_come_back_from_their_table_printable(tmp_path, text):
    rows = [Fault(text, 3, f"found {text}", f"expected {text}"), Fault("z", 0, "x" * 9999, "y")]
    faults.write_faults(rows, tmp_path / "faults.tsv")
    name = faults.escape_controls(text)
    assert name.isprintable() and (name == text or not text.isprintable())
    expected = Fault(name, 3, f"found {name}", f"expected {name}")
    cut = rows[1]._replace(found="x" * faults.MAX_LENGTH)
    assert {*faults.read_faults(tmp_path / "faults.tsv")} == {expected, cut}
    report = faults.render_report(rows, "tiny")
    assert report.replace("\n", "").isprintable() and f"{name}:3: found found {name};" in report


def many(files: int, number: int) -> list[Fault]:
    places = product(range(files), range(1, number + 1))
    return [Fault(f"{file:02}.csv", line, f"x{line}", "y") for file, line in places]


@pytest.mark.parametrize(
    ("rows", "number", "files_cut"),
    [(many(1, 21), 20, 1), (many(5, 20), 100, 0), (many(101, 1), 100, 0), (many(30, 30), 100, 5)],
)
def test_a_terminal_has_the_first_faults_and_the_file_has_all(rows, number, files_cut):
    full = faults.render_report(rows, "tiny")
    brief = faults.render_report(rows, "tiny", "results/tiny/faults.txt")
    assert full.count(": found x") == len(rows) and brief.count(": found x") == number
    assert brief.count(": and ") == files_cut
    assert ("  and 1 more in 1 other file\n" in brief) == (len(rows) == 101)
    assert brief.splitlines()[0] == full.splitlines()[0]
    cut = number < len(rows)
    assert (f"All {len(rows):,} faults are in results/tiny/faults.txt.\n" in brief) == cut
    assert cut or brief == full


def test_equal_faults_are_one_line_with_all_their_lines():
    equal = [Fault("a.csv", line, "x", "y") for line in (3, 7, 8, 9, 12)]
    full = faults.render_report([*equal, Fault("a.csv", 4, "z", "y")], "tiny").splitlines()
    assert full[1].startswith("  a.csv:3 (and lines 7-9, 12): found x")
    assert full[2].startswith("  a.csv:4: found z")
    odd = [Fault("a.csv", line, "x", "y") for line in range(1, 61, 2)]
    brief = faults.render_report(odd, "tiny", "results/tiny/faults.txt").splitlines()
    lines = "3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 19 more"
    assert brief[1].startswith(f"  a.csv:1 (and lines {lines}): found x")
    assert brief[2] == "All 30 faults are in results/tiny/faults.txt."
    assert ", 57, 59): found x" in faults.render_report(odd, "tiny")


NO_REFERENCE = "no reference for question 'q1' by 'a0'", "no reference for question 'q0' by 'a1'"
MANY = ("no reference in 39,999,800,000 cases",)


@pytest.mark.parametrize(("number", "found"), [(2, NO_REFERENCE), (200_000, MANY)])
def test_references_that_lack_are_a_fault_each_unless_they_are_too_many(number, found):
    """Assessors who judged one question each would lack a row per pair of both."""
    columns = {"assessor": "a", "question": "q"}
    table = pl.DataFrame({key: [f"{x}{n}" for n in range(number)] for key, x in columns.items()})
    lacking = check.find_lacking_references(table, table.select("question"), "a.csv")
    assert tuple(fault.found for fault in lacking) == found


def test_a_report_is_bounded_and_counts_all(tmp_path, monkeypatch):
    monkeypatch.setattr(faults, "MAX_FAULTS", 40)
    assert faults.limit_faults(many(3, 10)) == many(3, 10)
    for shard in ("x", "y"):
        rows = [Fault(shard + fault.file, *fault[1:]) for fault in many(100, 10)]
        faults.write_faults(rows, tmp_path / f"{shard}.tsv")
    rows = [fault for file in tmp_path.iterdir() for fault in faults.read_faults(file)]
    assert len(rows) == 80
    report = faults.render_report(rows, "tiny").splitlines()
    assert report[0] == "tiny: 2,000 faults in at least 4 files" and len(report) < 100


def test_the_faults_of_very_many_rows_are_bounded_and_counted(monkeypatch):
    monkeypatch.setattr(row_checks, "MAX_OF_KIND", 3)
    monkeypatch.setattr(row_checks, "MAX_FAULTS", 4)
    rows = [{"file": file, "line": line} for file in "abc" for line in range(5)]
    found = row_checks.list_faults(pl.DataFrame(rows), pl.lit("x"), "y")
    assert [fault.more for fault in found] == [0, 0, 2, 9]


# Lines at fault, and the number of kinds of their faults: values, fields, numbers, repetitions
KINDS = [("q{n}\tx\t{n}", 1), ("q1\tx", 1), ("q{n}\tx\tx", 1), ("q1\tx\t7", 2)]


@pytest.mark.parametrize(("line", "kinds"), KINDS)
def test_of_each_kind_in_a_file_the_first_faults_are_listed_and_all_are_counted(
    tmp_path, line, kinds
):
    def read(names: str, rows: int) -> list[Fault]:
        lines = [f"{line.format(n=n)}\n" for n in range(2, rows + 2)]
        text = "question\tanswer\tconfidence\n" + "".join(lines)
        files = [write(tmp_path, f"{name}.tsv", text) for name in names]
        return reading.read_responses(files, {"format": "tabular"}, "qa")[2]

    found = read("ab", 5001)
    assert len(found) == 2 * kinds * faults.MAX_OF_KIND
    assert {fault.line for fault in found} <= {*range(2, faults.MAX_OF_KIND + 3)}
    faults.write_faults(found, tmp_path / "faults.tsv")
    report = faults.render_report(faults.read_faults(tmp_path / "faults.tsv"), "tiny", "whole.txt")
    total = sum(1 + fault.more for fault in found)
    assert total >= 2 * kinds * 5000 and f"tiny: {total:,} faults in 2 files" in report
    assert faults.render_report(found, "tiny").count("more, which are not listed") == 2 * kinds
    assert not any(fault.more for fault in read("c", 899))
