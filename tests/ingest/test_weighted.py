"""Test how ingest reads hypotheses with confidences, and its faults in them and references."""

import pytest
from nonresponse.ingest import reading
from reading import YEARS, locate_faults, values, write

HEADER = "question\tyear\tconfidence\n"


def read_responses(folder, text: str, task: str = "dating", format: str = "deft", **options):
    """Return question, rank, answer, confidence and answered of each row, and the faults."""
    options |= {"format": format} | ({"years": YEARS} if task == "dating" else {})
    frame, _, faults = reading.read_responses([write(folder, "run.tsv", text)], options, task)
    columns = ("question", "rank", "answer", "confidence", "answered")
    return values(frame, *columns), locate_faults(faults)


def read_references(folder, *texts: str):
    files = [write(folder, f"gold{number}.tsv", text) for number, text in enumerate(texts)]
    options = {"format": "deft", "years": YEARS}
    frame, faults = reading.read_judgments(files, options, ["R"], "dating")
    return values(frame, "assessor", "question", "answer"), locate_faults(faults)


def table(lines: str) -> str:
    return HEADER + lines.replace(" ", "\t").replace("|", "\n") + "\n"


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


def test_words_for_no_answer_labels_blanks_and_ranks(tmp_path):
    """A label is written as it is. A rank of the file plays no part."""
    text = "question\trank\tanswer\tconfidence\nf1\t2\t1871\t0.5\nf1\t1\t1880\t0.5\n"
    text += "f2\t1\tNOA\t0.1\n"
    rows, faults = read_responses(tmp_path, text, format="tabular", unanswered=["NOA"])
    assert not faults and [row[2] for row in rows] == ["1871", "1880", None]
    text = "question\tanswer\nr1\t 1871.0 \nr2\t  \n"
    rows, faults = read_responses(tmp_path, text, "matching", format="tabular")
    assert not faults and rows == [("r1", 1, "1871.0", 1.0, True), ("r2", 1, None, None, False)]


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
    ("f1 2000 0.5|f1 1700 0.5", [(2, "the year '2000'"), (3, "the year '1700'")]),
    ("f1 MDCCC 0.5|f1 abc 0.5", [(2, "the year 'MDCCC'"), (3, "the year 'abc'")]),
    ("f1 1871 7", [(2, "the confidence 7.0")]),
    ("f1  |f1 1871 1", [(2, EMPTY)]),
    ("f1  |f1  ", [(2, EMPTY), (3, EMPTY)]),
]


@pytest.mark.parametrize(("lines", "expected"), FAULTS)
def test_faults(tmp_path, lines, expected):
    assert read_responses(tmp_path, table(f"{lines}|f9 1850 1"))[1] == expected


@pytest.mark.parametrize("year", ["1871.5", "٠١٨٧", "01871", "1800", "1945"])
def test_no_year_or_none_of_the_campaign(tmp_path, year):
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
