"""Test how files become one table: origin of rows, omissions and order."""

import pytest
from nonresponse import tables
from nonresponse.ingest import reading
from reading import judgments, locate_faults, write


def test_a_run_that_is_spread_over_a_file_and_over_files_is_counted_once_for_each(tmp_path):
    rows = {"one": "q1\tx\ta\nq1\tx\tb\nq2\tx\ta\n", "two": "q3\tx\ta\n"}
    paths = [write(tmp_path, name, f"question\tanswer\trun\n{text}") for name, text in rows.items()]
    options = {"format": "tabular", "kind": "tsv"}
    runs = reading.read_responses(paths, options, "qa")[1]
    expected = [("a", paths[0], 2, 2), ("a", paths[1], 1, 2), ("b", paths[0], 1, 3)]
    assert runs.select("run", "file", "responses", "line").rows() == expected


def test_a_judgment_said_twice_is_one_and_the_first(tmp_path):
    file = write(tmp_path, "ann.tsv", "question\tanswer\tlabel\nq2\tx\tR\nq1\tx\tW\nq2\tx\tR\n")
    table, faults = reading.read_judgments([file], {"format": "tabular"}, ["R", "W"], "qa")
    assert faults == [] and dict(table.schema) == tables.JUDGMENTS
    rows = table.select("assessor", "question", "label").rows()
    assert rows == [("ann", "q1", "W"), ("ann", "q2", "R")]
    assert reading.list_judged_questions(table)["question"].to_list() == ["q1", "q2"]


def test_questions_are_sorted_and_each_is_one(tmp_path):
    file = write(tmp_path, "questions.csv", "question\nq2\nq1\nq2\n")
    table, faults = reading.read_questions({"file": file})
    assert table["question"].to_list() == ["q1", "q2"] and dict(table.schema) == tables.QUESTIONS
    assert [fault.line for fault in faults] == [4]


HEADERS = {"tabular": "question answer label", "romip": "question answer label"}
HEADERS["clef-respubliqa"] = "run question paragraph judgment"


@pytest.mark.parametrize("format", HEADERS)
def test_column_names_without_judgments_are_no_fault(tmp_path, format):
    header = HEADERS[format].replace(" ", "\t")
    table, faults = judgments(format, write(tmp_path, "a.tsv", f"{header}\n"), "qa")
    assert locate_faults(faults) == [] and not table.height
