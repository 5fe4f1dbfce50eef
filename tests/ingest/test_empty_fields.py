"""An empty field of any column is a fault, or means what docs/formats.md says."""

import polars as pl
import pytest
from nonresponse.ingest import reading
from reading import YEARS, write

FAULT = "a fault"
# A sound line of each table, and what an empty field makes of its row.
RUN = {"run": "r", "question": "q", "epoch": 0, "candidate": "c", "answer": "x", "document": "d"}
RUN |= {"rank": 1, "position": 7, "confidence": 0.5, "score": 2.5}
JUDGMENT = {"assessor": "a", "run": "r", "question": "q", "candidate": "c", "document": "d"}
JUDGMENT |= {"answer": "x", "label": "R"}
GRADED = {"run": "r", "question": "q", "epoch": 0, "candidate": "c", "rank": 1, "position": 7}
GRADED |= {"confidence": 0.5, "score": 2.5, "category": "k"}
QUESTION = {"question": "q", "has_answer": "yes", "category": "k", "cluster": "t", "options": 4}
NO_FAULT = {"rank": 1} | dict.fromkeys(("document", "position", "confidence", "score"))
KEY = {"run": FAULT, "question": FAULT, "epoch": 0}
EMPTY_RUN = KEY | NO_FAULT | {"candidate": None, "answer": None}
EMPTY_JUDGMENT = dict.fromkeys(JUDGMENT, FAULT) | {"candidate": ""}
EMPTY_GRADE = KEY | NO_FAULT | {"candidate": "", "category": None, "verdict": "unscored"}
IGNORED = dict.fromkeys(("run", "document"))
CASES = [
    ("runs", "qa", RUN, EMPTY_RUN),
    ("runs", "validation", RUN | {"answer": "REJECTED"}, EMPTY_RUN | {"candidate": ""}),
    ("runs", "dating", RUN | {"answer": "1850", "confidence": 1}, EMPTY_RUN | {"confidence": 1}),
    ("judgments", "qa", JUDGMENT, EMPTY_JUDGMENT),
    ("key", "qa", JUDGMENT, EMPTY_JUDGMENT),
    (
        "judgments",
        "validation",
        JUDGMENT | {"label": "YES"},
        EMPTY_JUDGMENT | IGNORED | {"answer": None},
    ),
    ("key", "dating", JUDGMENT | {"answer": "1850"}, EMPTY_JUDGMENT | IGNORED),
    ("graded", "qa", GRADED | {"verdict": "correct"}, EMPTY_GRADE),
    ("graded", "validation", GRADED | {"verdict": "tp"}, EMPTY_GRADE),
    (
        "gold",
        "qa",
        GRADED | {"answer": "A", "gold": "A"},
        EMPTY_GRADE | {"answer": "unanswered", "gold": FAULT},
    ),
    ("questions", "qa", QUESTION, dict.fromkeys(QUESTION) | {"question": FAULT}),
]


def ingest(table: str, task: str, file: str) -> tuple[pl.DataFrame, list]:
    options = {"format": "tabular"} | ({"years": YEARS} if task == "dating" else {})
    if table == "runs":
        frame, _, faults = reading.read_responses([file], options, task)
    elif table in ("graded", "gold"):
        gold = {"gold": "gold"} if table == "gold" else {}
        frame, *_, faults = reading.read_graded([file], options | gold, task)
    elif table == "questions":
        columns = {"cluster": "cluster", "options": "options"}
        frame, faults = reading.read_questions({"file": file, "columns": columns})
    else:
        labels = ["YES", "NO"] if task == "validation" else ["R", "W"]
        closed = options | {"closed": table == "key"}
        frame, faults = reading.read_judgments([file], closed, labels, task)
    return frame, faults


@pytest.mark.parametrize(("table", "task", "row", "means"), CASES)
def test_an_empty_field(tmp_path, table, task, row, means):
    """After a sound line, there is one for each column that is empty in it."""
    columns = [column for column in row if column in means]
    rows = [row | {"question": "q1"}]
    rows += [row | {"question": f"q{line}"} | {name: None} for line, name in enumerate(columns, 3)]
    text = pl.DataFrame(rows, infer_schema_length=None).write_csv()
    frame, faults = ingest(table, task, write(tmp_path, "a.csv", text))
    faulty = {line for line, column in enumerate(columns, 3) if means[column] == FAULT}
    assert {fault.line for fault in faults} == faulty
    assert frame.filter(question="q1").height == 1
    for line, column in enumerate(columns, 3):
        if line not in faulty:
            name = {"answer": "verdict"}.get(column, column) if table == "gold" else column
            values = frame.filter(question=f"q{line}")[name].to_list()
            assert values == [means[column]], column
