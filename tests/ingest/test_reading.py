"""Test how files become one table: origin of rows, hypotheses, and batches of files."""

import gzip
import random

import pytest
from nonresponse import tables
from nonresponse.formats import tabular
from nonresponse.ingest import batches, reading
from polars.testing import assert_frame_equal
from reading import judgments, locate_faults, values, write


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


def read_responses(folder, text: str, task: str = "dating", format: str = "deft", **options):
    """Return question, rank, answer, confidence and answered of each row, and the faults."""
    options |= {"format": format}
    frame, _, faults = reading.read_responses([write(folder, "run.tsv", text)], options, task)
    columns = ("question", "rank", "answer", "confidence", "answered")
    return values(frame, *columns), locate_faults(faults)


def read_references(folder, *texts: str):
    files = [write(folder, f"gold{number}.tsv", text) for number, text in enumerate(texts)]
    options = {"format": "deft"}
    frame, faults = reading.read_judgments(files, options, ["R"], "dating")
    return values(frame, "assessor", "question", "answer"), locate_faults(faults)


def table(lines: str) -> str:
    return "question\tyear\tconfidence\n" + lines.replace(" ", "\t").replace("|", "\n") + "\n"


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        # The most confident comes first; of equals, the first in the file; a sole one has all
        ("f1 1871 0.3|f1 1874 0.7", [("f1", 1, "1874", 0.7), ("f1", 2, "1871", 0.3)]),
        ("f1 1880 0.5|f1 1871 0.5", [("f1", 1, "1880", 0.5), ("f1", 2, "1871", 0.5)]),
        ("f2 1802 |f3  ", [("f2", 1, "1802", 1.0), ("f3", 1, None, None)]),
        ("f1 1871 0.7000004|f1 1874 0.3", [("f1", 1, "1871", 0.7000004), ("f1", 2, "1874", 0.3)]),
        ("f1 1871 0|f1 1872 1", [("f1", 1, "1872", 1.0), ("f1", 2, "1871", 0.0)]),
        ("f1 1801 |f2 1944.0 ", [("f1", 1, "1801", 1.0), ("f2", 1, "1944", 1.0)]),
    ],
)
def test_hypotheses(tmp_path, lines, expected):
    rows = [(*row, row[2] is not None) for row in expected]
    assert read_responses(tmp_path, table(lines)) == (rows, [])


REPEATED = "a second time the hypothesis '1871' for question 'f1'"
UNSURE = "a hypothesis without a confidence for question 'f1', which has several"
EMPTY = "no hypothesis for question 'f1', beside another line on it"
SUM = "confidences of question 'f1' that sum to"
FAULTS = [
    ("f1 1871 0.2|f1 1874 0.2|f1 1875 0.2", [(2, f"{SUM} 0.6")]),
    ("f1 1871 0.700002|f1 1874 0.3", [(2, f"{SUM} 1.000002")]),
    ("f1 1871 0.5", [(2, f"{SUM} 0.5")]),
    ("f1 1871 |f1 1874 ", [(2, UNSURE), (3, UNSURE)]),
    ("f1 1871.0 0.5|f1 1871 0.5", [(3, REPEATED)]),
    ("f1 MDCCC 0.5|f1 abc 0.5", [(2, "the year 'MDCCC'"), (3, "the year 'abc'")]),
    ("f1 1871 7", [(2, "the confidence 7.0")]),
    ("f1  |f1 1871 1", [(2, EMPTY)]),
    ("f1  |f1  ", [(2, EMPTY), (3, EMPTY)]),
]


@pytest.mark.parametrize(("lines", "expected"), FAULTS)
def test_faults_of_hypotheses(tmp_path, lines, expected):
    assert read_responses(tmp_path, table(f"{lines}|f9 1850 1"))[1] == expected


@pytest.mark.parametrize("year", ["1871.5", "٠١٨٧", "01871"])
def test_what_is_no_year(tmp_path, year):
    fault = [(2, f"the year {year!r}")]
    assert read_responses(tmp_path, table(f"f1 {year} 1|f2 1850 "))[1] == fault
    assert read_references(tmp_path, f"question\tyear\nf1\t{year}\n")[1] == fault


def test_references(tmp_path):
    head = "question\tyear\nf1\t1871\n"
    texts = head + "f2\t1802\nf2\t1802\n", head.replace("1871", "1872")
    rows, faults = read_references(tmp_path, *texts)
    expected = [("gold0", "f1", "1871"), ("gold0", "f2", "1802"), ("gold1", "f1", "1872")]
    assert (rows, faults) == (expected, [])
    fault = "another reference of question 'f1' than on an earlier line"
    assert read_references(tmp_path, head + "f1\t1872\n")[1] == [(3, fault)]


COLUMNS = {  # of a run, of judgments, of graded responses in both layouts
    "runs": b"question\tanswer\tconfidence",
    "judgments": b"question\tanswer\tlabel",
    "graded": b"question\tverdict\tscore",
    "wide": b"question\tx\ty",
}
CELLS = {
    "runs": [[b"Rome", b"NIL", b"", b' "Oslo'], [b"0.5", b"", b"1", b"1e-3"]],
    "judgments": [[b"Rome", b"Oslo"], [b"R", b"W"]],
    "graded": [[b"correct", b"wrong", b""], [b"-1", b"", b"7.5"]],
    "wide": [[b"correct", b"wrong"], [b"unanswered", b"correct"]],
}
OPTIONS = [
    {},
    {"duplicates": "first"},
    {"empty_questions": "drop"},
    {"quoted": True},
]


def draw_table(draw: random.Random, kind: str) -> bytes:
    questions = draw.sample(range(10, 40), draw.randint(1, 6))
    questions = questions if draw.random() < 0.3 else sorted(questions)
    rows = [
        b"\t".join([b"q%d" % question, *map(draw.choice, CELLS[kind])]) for question in questions
    ]
    return b"\n".join([COLUMNS[kind], *rows]) + b"\n" * draw.choice([0, 1, 1, 1, 2])


def damage(draw: random.Random, data: bytes) -> bytes:
    begin = draw.randrange(len(data) + 1)
    pieces = [b"", b"\t", b"\n", b"\r", b'"', b"\0", b"\xff", b"NaN", data[begin:][:9] * 2]
    return data[:begin] + draw.choice(pieces) + data[begin + draw.randrange(9) :]


def alter(draw: random.Random, data: bytes) -> bytes:
    """The file with something that its neighbours lack, though it is sound; or with damage."""
    header, _, body = data.partition(b"\n")
    wider = header + b"\textra\n" + body.replace(b"\n", b"\t1\n")
    ends = [b"\xef\xbb\xbf" + data, data.replace(b"\n", b"\r\n"), data + b"\r", b"\n" + data]
    cut = [header, header + b"\n\n", wider, body, b""]
    return draw.choice([*ends, *cut, damage(draw, data), damage(draw, data)])


def read_tables(kind: str, files: list[str], options: dict, batched: bool):
    """Return the tables of the stage, and all faults, sorted."""
    wide = {"layout": "wide", "systems": ["x", "y"]} if kind == "wide" else {}
    options = {"format": "tabular"} | options | wide
    with pytest.MonkeyPatch.context() as patch:
        if not batched:
            patch.setattr(tabular, "reads_rows_alone", lambda options: False)
        if kind == "runs":
            *frames, faults = reading.read_responses(files, options, "qa")
        elif kind == "judgments":
            *frames, faults = reading.read_judgments(files, options, ["R", "W"], "qa")
        else:
            *frames, _, faults = reading.read_graded(files, options, "qa")
    return frames, sorted(set(faults))


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("kind", COLUMNS)
def test_what_is_read_together_is_what_each_file_says_by_itself(
    tmp_path, monkeypatch, kind, number
):
    draw = random.Random(f"{kind} {number}")
    monkeypatch.setattr(batches, "BATCH_BYTES", draw.choice([200, batches.BATCH_BYTES]))
    files = []
    for name in range(8):
        data = draw_table(draw, kind)
        data = alter(draw, data) if draw.random() < draw.choice([0, 0.2]) else data
        ending = "csv" if number % 3 == 0 else draw.choice(["tsv"] * 9 + ["txt"])
        name, data = f"file{name}.{ending}", data.replace(b"\t", b"," if ending == "csv" else b"\t")
        if draw.random() < 0.1:
            name, data = f"{name}.gz", gzip.compress(data)
        files.append(write(tmp_path, name, data))
    options = OPTIONS[number] if kind == "runs" else {}
    tables_alone, faults_alone = read_tables(kind, files, options, batched=False)
    tables_joined, faults_joined = read_tables(kind, files, options, batched=True)
    assert faults_joined == faults_alone
    for ours, expected in zip(tables_joined, tables_alone, strict=True):
        assert_frame_equal(ours, expected)


def test_quotes_that_a_file_leaves_open_are_not_closed_by_the_next(tmp_path):
    rows = {"a.csv": 'q1,"Rome\n', "b.csv": '"\nq2,Oslo\n'}
    files = [write(tmp_path, name, f"question,answer\n{row}") for name, row in rows.items()]
    _, _, faults = reading.read_responses(files, {"format": "tabular"}, "qa")
    assert [fault.file for fault in sorted(faults)] == files
    assert all(fault.found.startswith("broken quotation") for fault in faults)
