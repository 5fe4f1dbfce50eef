"""An empty field in each column of each table: a fault, or what docs/formats.md says that it
means."""

import polars as pl
import pytest
from nonresponse import tables
from nonresponse.formats import tabular
from nonresponse.ingest import reading
from reading import YEARS, write

FAULT = "a fault"
# A sound line of each table, and what an empty field makes of its row.
RUN = {
    "run": "r",
    "question": "q",
    "epoch": 0,
    "candidate": "c",
    "answer": "x",
    "document": "d",
    "rank": 1,
}
RUN |= {"position": 7}
RUN |= {"confidence": 0.5, "score": 2.5}
NONE = dict.fromkeys(("document", "position", "confidence", "score"))
JUDGMENT = {
    "assessor": "a",
    "run": "r",
    "question": "q",
    "candidate": "c",
    "document": "d",
    "answer": "x",
    "label": "R",
}
GRADED = {
    "run": "r",
    "question": "q",
    "epoch": 0,
    "candidate": "c",
    "rank": 1,
    "position": 7,
    "confidence": 0.5,
}
GRADED |= {"score": 2.5, "category": "k"}
KEY = {"run": FAULT, "question": FAULT, "epoch": 0}
CASES = [
    ("runs", "qa", RUN, KEY | NONE | {"candidate": None, "rank": 1, "answer": None}),
    (
        "runs",
        "validation",
        RUN | {"answer": "REJECTED"},
        KEY | NONE | {"candidate": "", "rank": 1, "answer": None},
    ),
    (
        "runs",
        "dating",
        RUN | {"answer": "1850", "confidence": 1},
        KEY | NONE | {"candidate": None, "rank": 1, "answer": None, "confidence": 1},
    ),
    ("judgments", "qa", JUDGMENT, dict.fromkeys(JUDGMENT, FAULT) | {"candidate": ""}),
    ("key", "qa", JUDGMENT, dict.fromkeys(JUDGMENT, FAULT) | {"candidate": ""}),
    (
        "judgments",
        "validation",
        JUDGMENT | {"label": "YES"},
        dict.fromkeys(JUDGMENT, FAULT)
        | {"candidate": "", **dict.fromkeys(("run", "document", "answer"))},
    ),
    (
        "key",
        "dating",
        JUDGMENT | {"answer": "1850"},
        dict.fromkeys(JUDGMENT, FAULT) | {"candidate": "", "run": None, "document": None},
    ),
    (
        "graded",
        "qa",
        GRADED | {"verdict": "correct"},
        KEY | NONE | {"candidate": "", "rank": 1, "category": None, "verdict": "unscored"},
    ),
    (
        "graded",
        "validation",
        GRADED | {"verdict": "tp"},
        KEY | NONE | {"candidate": "", "rank": 1, "category": None, "verdict": "unscored"},
    ),
    (
        "gold",
        "qa",
        GRADED | {"answer": "A", "gold": "A"},
        KEY
        | NONE
        | {"candidate": "", "rank": 1, "category": None, "answer": "unanswered", "gold": FAULT},
    ),
    (
        "questions",
        "qa",
        {"question": "q", "has_answer": "yes", "category": "k", "cluster": "t", "options": 4},
        {"question": FAULT, "has_answer": None, "category": None, "cluster": None, "options": None},
    ),
]
CELLS = [
    (table, task, row, column, means[column])
    for table, task, row, means in CASES
    for column in row
    if column in means
]


def ingested(table: str, task: str, file: str, read=None) -> tuple[pl.DataFrame, list]:
    options = {"format": "tabular"} | ({"years": YEARS} if task == "dating" else {})
    with pytest.MonkeyPatch.context() as patch:
        for name in ("read_runs", "read_judgments", "read_questions") if read else ():
            patch.setattr(tabular, name, lambda file, options: read(file))
        if table == "runs":
            frame, _, faults = reading.responses([file], options, task)
        elif table in ("graded", "gold"):
            frame, *_, faults = reading.graded(
                [file], options | ({"gold": "gold"} if table == "gold" else {}), task
            )
        elif table == "questions":
            frame, faults = reading.questions(
                {"file": file, "columns": {"cluster": "cluster", "options": "options"}}
            )
        else:
            labels = ["YES", "NO"] if task == "validation" else ["R", "W"]
            frame, faults = reading.judgments(
                [file], options | {"closed": table == "key"}, labels, task
            )
    return frame, faults


def lines(row: dict, **changed) -> str:
    """A file of three lines with questions of their own; the second has other fields."""
    rows = [row | {"question": f"q{number}"} for number in range(3)]
    rows[1] |= changed
    text = [
        ",".join("" if value is None else str(value) for value in each.values()) for each in rows
    ]
    return "\n".join([",".join(row), *text]) + "\n"


def test_every_column_is_emptied():
    """Except the columns of a table that no tabular file has."""
    seen = {(table, column) for table, _, _, column, _ in CELLS}
    for table, columns in (("runs", tabular.RUN_COLUMNS), ("key", tabular.JUDGMENT_COLUMNS)):
        assert {column for name, column in seen if name == table} == set(columns)
    assert {column for table, column in seen if table == "questions"} == set(tables.QUESTIONS) - {
        "runs"
    }
    of_others = {"assessor", "by_rule", "missing", "positive", "withheld"}
    assert {column for table, column in seen if table in ("graded", "gold")} >= set(
        tables.GRADED
    ) - of_others


@pytest.mark.parametrize(("table", "task", "row", "column", "means"), CELLS)
def test_an_empty_field(tmp_path, table, task, row, column, means):
    frame, faults = ingested(table, task, write(tmp_path, "sound.csv", lines(row)))
    assert faults == [] and frame.height == 3
    frame, faults = ingested(
        table, task, write(tmp_path, "empty.csv", lines(row, **{column: None}))
    )
    if means == FAULT:
        assert {fault.line for fault in faults} == {3}
    else:
        assert faults == []
        name = {"answer": "verdict"}.get(column, column) if table == "gold" else column
        assert frame.filter(question="q1")[name].to_list() == [means]


@pytest.mark.parametrize(
    ("table", "column"),
    [
        ("runs", "question"),
        ("runs", "run"),
        ("judgments", "question"),
        ("judgments", "label"),
        ("questions", "question"),
    ],
)
def test_what_a_reader_lets_pass(tmp_path, table, column):
    """The checks find what a reader misses."""
    row = (
        RUN
        if table == "runs"
        else JUDGMENT
        if table == "judgments"
        else {"question": "q", "category": "k"}
    )
    frame = pl.DataFrame([row | {"line": number, "question": f"q{number}"} for number in (2, 3)])
    frame = frame.with_columns(pl.when(pl.col("line") != 3).then(pl.col(column)))
    _, faults = ingested(table, "qa", "file", lambda _: (frame, []))
    assert [fault.line for fault in faults] == [3]


FORMATS = [
    (
        "romip",
        "runs",
        "qa",
        "question\trank\tkind\tanswer\tdocument\nq\t1\tshort\tx\td\n",
        {"document"},
    ),
    ("romip", "judgments", "qa", "question\tanswer\tlabel\nq\tx\tgood\n", set()),
    (
        "clef-respubliqa",
        "runs",
        "qa",
        "question\tstatus\tparagraph\ttext\nq\tANSWERED\tp\tx\n",
        {"text"},
    ),
    (
        "clef-respubliqa",
        "judgments",
        "qa",
        "run\tquestion\tparagraph\tjudgment\nr\tq\tp\tR\n",
        set(),
    ),
    ("deft", "runs", "dating", "question\tyear\tconfidence\nf\t1850\t1\n", {"confidence"}),
    ("deft", "judgments", "dating", "question\tyear\nf\t1850\n", set()),
]


@pytest.mark.parametrize(("format", "kind", "task", "text", "optional"), FORMATS)
def test_an_empty_field_of_other_tables(tmp_path, format, kind, task, text, optional):
    from nonresponse import tasks

    options = {"format": format} | ({"years": YEARS} if task == "dating" else {})
    header, sound = text.splitlines()
    for place, column in enumerate(header.split("\t")):
        fields = sound.split("\t")
        fields[place] = ""
        file = write(tmp_path, "empty.tsv", "\n".join([header, "\t".join(fields), ""]))
        if kind == "runs":
            faults = reading.responses([file], options, task)[2]
        else:
            labels = tasks.get(task).labels_in(format)
            faults = reading.judgments([file], options, labels, task)[1]
        assert {fault.line for fault in faults} == (set() if column in optional else {2}), column
