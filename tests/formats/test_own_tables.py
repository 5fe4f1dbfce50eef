"""Tables as people have them: numbers as verdicts, rows that come twice, rows without a question."""

from pathlib import Path

import polars as pl
import pytest
from configured import ingested
from conftest import HOME
from nonresponse import config
from reading import write

SCHEMA = HOME / "workflow/schemas/config.schema.yaml"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def read(files: dict[str, str | bytes], **parts: dict) -> tuple[pl.DataFrame, list[tuple]]:
    """The responses of a campaign in tabular files, as config.yaml has it, and the places of its faults."""
    for name, content in files.items():
        write(".", name, content)
    parts = {name: {"format": "tabular"} | part for name, part in parts.items()}
    campaign = config.checked({"campaigns": {"t": {"task": "qa", "shards": 1, **parts}}}, SCHEMA)["campaigns"]["t"]
    faults = ingested(campaign, Path("out"))
    table = "graded" if "graded" in parts else "responses"
    rows = pl.read_parquet(f"out/{table}/*.parquet")
    return rows, [(fault.file, fault.line, fault.found) for fault in sorted(set(faults))]


def graded(text: str, **options) -> tuple[list[tuple], list[tuple]]:
    """Run, question and verdict of each row of a graded table, and its faults."""
    rows, faults = read({"m.csv": text}, graded={"files": "m.csv"} | options)
    return rows.select("run", "question", "verdict").rows(), faults


NUMBERS = {"1": "correct", "1.0": "correct", "true": "correct", "True": "correct", "0.5": "correct", "5e-1": "correct"}
NUMBERS |= {"0": "wrong", "0.0": "wrong", "False": "wrong", "0.49": "wrong", "-1": "wrong"}
NUMBERS |= {"": "unscored", "NaN": "unscored", "nan": "unscored", "null": "unscored", "refused": "unanswered"}


@pytest.mark.parametrize("layout", ["long", "wide"])
def test_a_number_is_a_verdict(layout):
    lines = "".join(f"q{number},{text}\n" for number, text in enumerate(NUMBERS))
    name = "verdict" if layout == "long" else "m"
    options = {"correct_from": 0.5, "verdicts": {"refused": "unanswered"}, "layout": layout}
    rows, faults = graded(f"question,{name}\n{lines}", **options)
    assert faults == []
    found = {question: verdict for _, question, verdict in rows}
    assert {text: found[f"q{number}"] for number, text in enumerate(NUMBERS)} == NUMBERS


@pytest.mark.parametrize("text", ["good", "0,5", "1_0", "inf", "1e400"])
def test_no_number_and_no_word_is_a_fault(text):
    assert graded(f'question,verdict\nq1,1\nq2,"{text}"\n', correct_from=0.5)[1] == [
        ("m.csv", 3, f"the verdict {text!r}")
    ]


def test_numbers_are_words_as_long_as_no_number_is_named():
    assert graded("question,verdict\nq1,1.0\n", verdicts={"1": "correct"})[1] == [("m.csv", 2, "the verdict '1.0'")]


TWICE = "question,verdict,note\nq1,correct,a\nq2,wrong,a\nq1,correct,b\nq2,correct,b\n"


@pytest.mark.parametrize(
    ("duplicates", "verdicts", "lines"),
    [
        ("fault", None, [4, 5]),
        ("same", None, [5]),
        ("first", {"q1": "correct", "q2": "wrong"}, []),
        ("last", {"q1": "correct", "q2": "correct"}, []),
    ],
)
def test_rows_that_come_twice(duplicates, verdicts, lines):
    rows, faults = graded(TWICE, duplicates=duplicates)
    assert [line for _, line, _ in faults] == lines
    assert verdicts in (None, {question: verdict for _, question, verdict in rows})
    key = {"a.csv": "question,answer\nq1,x\nq2,y\n"}
    raw = TWICE.replace("verdict", "answer")
    rows, faults = read(
        {"runs/m.csv": raw} | key,
        runs={"files": "runs/*", "duplicates": duplicates},
        judgments={"files": "a.csv", "closed": True},
    )
    assert [line for _, line, _ in faults] == lines
    assert verdicts in (None, dict(rows.select("question", "answer").rows()))


@pytest.mark.parametrize(("duplicates", "label"), [("fault", None), ("same", None), ("first", "R"), ("last", "W")])
def test_judgments_that_contradict_each_other(duplicates, label):
    files = {"runs/m.csv": "question,answer\nq1,x\n", "a.csv": "question,answer,label\nq1,x,R\nq1,x,W\n"}
    _, faults = read(files, runs={"files": "runs/*"}, judgments={"files": "a.csv", "duplicates": duplicates})
    assert [line for _, line, _ in faults] == ([] if label else [3])
    assert label in (None, *pl.read_parquet("out/judgments.parquet")["label"])


def test_rows_without_a_question_are_dropped_where_that_is_asked_for():
    text = "question,answer,verdict\nq1,x,correct\n ,y,wrong\n,z,\n"
    assert [line for _, line, _ in graded(text)[1]] == [3, 4]
    assert graded(text, empty_questions="drop") == ([("m", "q1", "correct")], [])
    drop = {"empty_questions": "drop"}
    parts = {"runs": {"files": "m.csv"} | drop, "judgments": {"files": "m.csv", "closed": True} | drop}
    rows, faults = read({"m.csv": text}, **parts)
    assert faults == [] and rows["question"].to_list() == ["q1"]
