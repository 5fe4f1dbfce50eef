"""Files of a campaign into one table: what each row says of its file, what is left out, how the table is sorted."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nonresponse import tables
from nonresponse.faults import Fault
from nonresponse.ingest import reading
from reading import write


def reader(frames: dict):
    """A reader of files that are frames, or faults."""

    def read(file):
        found = frames[file]
        return (pl.DataFrame(), [found]) if isinstance(found, Fault) else (pl.DataFrame(found), [])

    return read


def responses(folder, task: str = "qa", **files: str):
    paths = [write(folder, f"{name}.tsv", text) for name, text in files.items()]
    return reading.responses(paths, {"format": "tabular", "nil": ["NIL"]}, task)


def test_rows_of_all_files_in_their_order_with_file_and_line():
    fault = Fault("b", 3, "x", "y")
    frames = {"b": fault, "z/second.tsv": {"question": ["q9"], "line": [2]}, "a": {"question": ["q1"], "run": ["r"]}}
    rows, faults = reading.read_files(list(frames), reader(frames), tables.RESPONSES, "run")
    assert faults == [fault]
    assert rows.select("file", "run", "question", "line").rows() == [
        ("z/second.tsv", "second", "q9", 2),
        ("a", "r", "q1", None),
    ]
    assert dict(rows.schema) == tables.RESPONSES | {"file": pl.Enum(list(frames)), "line": pl.Int64}


def test_no_file_that_can_be_read_gives_the_same_columns_without_rows():
    frames = {"b": Fault("b", 0, "x", "y")}
    empty, faults = reading.read_files(["b"], reader(frames), tables.JUDGMENTS, "assessor")
    assert dict(empty.schema) == tables.JUDGMENTS | {"file": pl.Enum(["b"]), "line": pl.Int64}
    assert empty.height == 0 and len(faults) == 1


def test_what_a_file_leaves_out_has_its_default():
    frames = {"a": {"question": ["q"]}, "b": {"question": ["p"], "rank": [None]}}
    rows, _ = reading.read_files(["a", "b"], reader(frames), tables.RESPONSES, "run")
    for name, value in tables.DEFAULTS.items():
        if name in tables.RESPONSES:
            assert rows[name].to_list() == [value, value], name


def test_responses_are_sorted_by_their_key_and_answers_stand_where_one_was_given(tmp_path):
    header = "question\tanswer\n"
    table, runs, faults = responses(tmp_path, z=f"{header}q2\tNIL\nq1\t\n", b=f"{header}q3\tRome\nq1\tOslo\n")
    assert faults == [] and dict(table.schema) == tables.RESPONSES
    assert table.select("run", "question", "answered", "nil", "answer").rows() == [
        ("b", "q1", True, False, "Oslo"),
        ("b", "q3", True, False, "Rome"),
        ("z", "q1", False, False, None),
        ("z", "q2", True, True, None),
    ]
    assert runs.select("run", "responses", "line").rows() == [("b", 2, 2), ("z", 2, 2)]


def test_a_run_that_is_spread_over_a_file_and_over_files_is_counted_once_for_each(tmp_path):
    text = "question\tanswer\trun\nq1\tx\ta\nq1\tx\tb\nq2\tx\ta\n"
    _, runs, _ = responses(tmp_path, one=text, two="question\tanswer\trun\nq3\tx\ta\n")
    found = runs.with_columns(pl.col("file").str.extract("(one|two)")).select("run", "file", "responses", "line")
    assert found.rows() == [("a", "one", 2, 2), ("a", "two", 1, 2), ("b", "one", 1, 3)]


def test_faults_of_all_files_are_found_at_once(tmp_path):
    text = "question\tanswer\tconfidence\nq1\tx\t7\nq1\tx\t0.5\n"
    _, _, faults = responses(tmp_path, one=text, two="nonsense\n", three=text)
    assert {(fault.file.rpartition("/")[2], fault.line) for fault in faults} >= {
        *[("one.tsv", 2), ("one.tsv", 3), ("three.tsv", 2), ("three.tsv", 3)]
    }
    assert any(fault.file.endswith("two.tsv") for fault in faults)


def test_a_judgment_said_twice_is_one_and_the_first(tmp_path):
    file = write(tmp_path, "ann.tsv", "question\tanswer\tlabel\nq2\tx\tR\nq1\tx\tW\nq2\tx\tR\n")
    table, faults = reading.judgments([file], {"format": "tabular"}, ["R", "W"], "qa")
    assert faults == [] and dict(table.schema) == tables.JUDGMENTS
    assert table.select("assessor", "question", "label").rows() == [("ann", "q1", "W"), ("ann", "q2", "R")]
    assert reading.questions_judged(table)["question"].to_list() == ["q1", "q2"]


@pytest.mark.parametrize("asked", [["q2", "q1"], ["q1", "q2", "q1"]])
def test_questions_are_sorted_and_each_is_one(tmp_path, asked):
    file = write(tmp_path, "questions.csv", "question\n" + "".join(f"{name}\n" for name in asked))
    table, faults = reading.questions({"file": file})
    assert table["question"].to_list() == ["q1", "q2"] and dict(table.schema) == tables.QUESTIONS
    assert len(faults) == len(asked) - 2


# Rows in any order, as those of runs in several files and of several runs in a file.
ROWS = st.lists(
    st.fixed_dictionaries({"run": st.sampled_from("ab"), "file": st.sampled_from("fg"), "line": st.integers(1, 9)})
)


@given(ROWS)
def test_the_runs_of_the_files_with_their_responses_and_first_lines(rows):
    schema = {"run": pl.String, "file": pl.Enum(["f", "g"]), "line": pl.Int64}
    of_files = {}
    for row in rows:
        of_files.setdefault((row["run"], row["run"], row["file"]), []).append(row["line"])
    expected = [(*names, len(lines), min(lines), 0, "") for names, lines in sorted(of_files.items())]
    assert reading.runs_of(pl.DataFrame(rows, schema=schema)).rows() == expected
