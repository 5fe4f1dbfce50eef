"""Test how files become one table: origin of rows, omissions and order."""

import polars as pl
import pytest
from nonresponse import tables
from nonresponse.ingest import reading
from reading import judgments, locate_faults, write


def read(folder, task: str = "qa", **files: str):
    paths = [write(folder, f"{name}.tsv", text) for name, text in files.items()]
    return reading.read_responses(paths, {"format": "tabular", "nil": ["NIL"]}, task)


def test_a_run_that_is_spread_over_a_file_and_over_files_is_counted_once_for_each(tmp_path):
    text = "question\tanswer\trun\nq1\tx\ta\nq1\tx\tb\nq2\tx\ta\n"
    _, runs, _ = read(tmp_path, one=text, two="question\tanswer\trun\nq3\tx\ta\n")
    rows = runs.with_columns(pl.col("file").str.extract("(one|two)")).select(
        "run", "file", "responses", "line"
    )
    assert rows.rows() == [("a", "one", 2, 2), ("a", "two", 1, 2), ("b", "one", 1, 3)]


def test_a_judgment_said_twice_is_one_and_the_first(tmp_path):
    file = write(tmp_path, "ann.tsv", "question\tanswer\tlabel\nq2\tx\tR\nq1\tx\tW\nq2\tx\tR\n")
    table, faults = reading.read_judgments([file], {"format": "tabular"}, ["R", "W"], "qa")
    assert faults == [] and dict(table.schema) == tables.JUDGMENTS
    assert table.select("assessor", "question", "label").rows() == [
        ("ann", "q1", "W"),
        ("ann", "q2", "R"),
    ]
    assert reading.list_judged_questions(table)["question"].to_list() == ["q1", "q2"]


@pytest.mark.parametrize("names", [["q2", "q1"], ["q1", "q2", "q1"]])
def test_questions_are_sorted_and_each_is_one(tmp_path, names):
    file = write(tmp_path, "questions.csv", "question\n" + "".join(f"{name}\n" for name in names))
    table, faults = reading.read_questions({"file": file})
    assert table["question"].to_list() == ["q1", "q2"] and dict(table.schema) == tables.QUESTIONS
    assert len(faults) == len(names) - 2


@pytest.mark.parametrize(
    ("format", "header"),
    [
        ("tabular", "question\tanswer\tlabel"),
        ("clef-respubliqa", "run\tquestion\tparagraph\tjudgment"),
        ("romip", "question\tanswer\tlabel"),
    ],
)
def test_column_names_without_judgments_are_no_fault(tmp_path, format, header):
    table, faults = judgments(format, write(tmp_path, "a.tsv", f"{header}\n"), "qa")
    assert locate_faults(faults) == [] and not table.height
