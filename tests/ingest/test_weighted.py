"""What ingest makes of hypotheses with confidences, and the faults it finds in them and in the
references."""

import pytest
from nonresponse.ingest import reading
from reading import YEARS, places, write

HEADER = "question\tyear\tconfidence\n"


def responses(
    folder, text: str, task: str = "dating", name: str = "run.tsv", format: str = "deft", **options
):
    """Question, rank, answer, confidence, answered of each row as the table has them; and where the
    faults are."""
    options |= {"format": format, "years": YEARS} if task == "dating" else {"format": format}
    frame, _, faults = reading.responses([write(folder, name, text)], options, task)
    return frame.select("question", "rank", "answer", "confidence", "answered").rows(), places(
        faults
    )


def references(folder, *texts: str, task: str = "dating", name: str = "gold{}.tsv"):
    files = [write(folder, name.format(number), text) for number, text in enumerate(texts)]
    years = {"years": YEARS} if task == "dating" else {}
    frame, faults = reading.judgments(files, {"format": "deft"} | years, ["R"], task)
    return frame.select("assessor", "question", "answer", "label").rows(), places(faults)


def table(*lines: str) -> str:
    return HEADER + "".join(f"{line}\n" for line in lines)


def test_the_most_confident_comes_first_and_a_sole_one_has_all(tmp_path):
    rows, faults = responses(
        tmp_path, table("f1\t1871\t0.3", "f2\t1802\t", "f1\t1874\t0.7", "f3\t\t")
    )
    assert not faults
    assert rows == [
        ("f1", 1, "1874", 0.7, True),
        ("f1", 2, "1871", 0.3, True),
        ("f2", 1, "1802", 1.0, True),
        ("f3", 1, None, None, False),
    ]


def test_of_equals_the_first_in_the_file_comes_first(tmp_path):
    rows, faults = responses(tmp_path, table("f1\t1880\t0.4", "f1\t1871\t0.4", "f1\t1875\t0.2"))
    assert not faults and [row[2] for row in rows] == ["1880", "1871", "1875"]


@pytest.mark.parametrize(
    "lines",
    [
        ("f1\t1871\t0.7000004", "f1\t1874\t0.3"),
        ("f1\t1871\t0.333333", "f1\t1872\t0.333333", "f1\t1873\t0.333333"),
        ("f1\t1871\t0.500001", "f1\t1874\t0.5"),
        ("f1\t1871\t0", "f1\t1872\t1"),
        ("f1\t1801\t", "f2\t1944\t"),
        ("f1\t1871.0\t1",),
    ],
)
def test_no_fault(tmp_path, lines):
    assert responses(tmp_path, table(*lines))[1] == []


def test_years_are_written_in_one_way_and_labels_as_they_are(tmp_path):
    assert responses(tmp_path, table("f1\t1871.0\t1"))[0][0][2] == "1871"
    rows, faults = responses(tmp_path, "question\tlabel\nr1\t1871.0\n", "matching")
    assert not faults and rows == [("r1", 1, "1871.0", 1.0, True)]


def test_words_for_no_answer_are_no_years(tmp_path):
    text = "question\tanswer\tconfidence\nf1\t1871\t0.7\nf1\t1874\t0.3\nf2\tNOA\t0.1\n"
    rows, faults = responses(tmp_path, text, format="tabular", unanswered=["NOA"])
    assert not faults and rows[2] == ("f2", 1, None, None, False)


def test_blanks_around_an_answer_do_not_count(tmp_path):
    text = "question\tanswer\nr1\t B \nr2\t  \n"
    rows, faults = responses(tmp_path, text, "matching", format="tabular")
    assert not faults and rows == [("r1", 1, "B", 1.0, True), ("r2", 1, None, None, False)]
    assert responses(
        tmp_path,
        "question\tanswer\tconfidence\nr1\tB\t0.5\nr1\tB \t0.5\n",
        "matching",
        format="tabular",
    )[1] == [(3, "a second time the hypothesis 'B' for question 'r1'")]


def test_a_rank_of_the_file_plays_no_part(tmp_path):
    text = "question\trank\tanswer\tconfidence\nf1\t2\t1871\t0.5\nf1\t1\t1880\t0.5\n"
    rows, faults = responses(tmp_path, text, format="tabular")
    assert not faults and [row[2] for row in rows] == ["1871", "1880"]


SECOND = "a second time the hypothesis '1871' for question 'f1'"
UNSURE = "a hypothesis without a confidence for question 'f1', which has several"
NONE = "no hypothesis for question 'f1', beside another line on it"
SUM = "confidences of question 'f1' that sum to"
FAULTS = [
    ("f1 1871 0.7|f1 1874 0.2", [(2, f"{SUM} 0.9")]),
    ("f1 1871 0.2|f1 1874 0.2|f1 1875 0.2", [(2, f"{SUM} 0.6")]),
    ("f1 1871 0.700002|f1 1874 0.3", [(2, f"{SUM} 1.000002")]),
    ("f1 1871 0.5", [(2, f"{SUM} 0.5")]),
    ("f1 1871 0", [(2, f"{SUM} 0.0")]),
    ("f1 1871 |f1 1874 ", [(2, UNSURE), (3, UNSURE)]),
    ("f1 1871 0.5|f1 1871 0.5", [(3, SECOND)]),
    ("f1 1871.0 0.5|f1 1871 0.5", [(3, SECOND)]),
    ("f1 2000 0.5|f1 1700 0.5", [(2, "the year '2000'"), (3, "the year '1700'")]),
    ("f1 MDCCC 0.5|f1 abc 0.5", [(2, "the year 'MDCCC'"), (3, "the year 'abc'")]),
    ("f1 1871 7", [(2, "the confidence 7.0")]),
    ("f1  |f1 1871 1", [(2, NONE)]),
    ("f1  |f1  ", [(2, NONE), (3, NONE)]),
]


@pytest.mark.parametrize(("lines", "expected"), FAULTS)
def test_faults(tmp_path, lines, expected):
    text = table(*lines.replace(" ", "\t").split("|"), "f9\t1850\t1")
    assert responses(tmp_path, text)[1] == expected


@pytest.mark.parametrize(
    "year",
    ["1871.5", "MDCCC", "-1871", "٠١٨٧", "1e3", "01871", "+1871", "9999999999999", "1800", "1945"],
)
def test_no_year_or_none_of_the_campaign(tmp_path, year):
    faults = responses(tmp_path, table(f"f1\t{year}\t1", "f2\t1850\t"))[1]
    assert faults == [(2, f"the year {year!r}")]
    assert references(tmp_path, f"question\tyear\nf1\t{year}\n")[1] == [(2, f"the year {year!r}")]


def test_references(tmp_path):
    rows, faults = references(
        tmp_path, "question\tyear\nf1\t1871\nf2\t1802\nf2\t1802\n", "question\tyear\nf1\t1872\n"
    )
    assert not faults
    assert rows == [
        ("gold0", "f1", "1871", "R"),
        ("gold0", "f2", "1802", "R"),
        ("gold1", "f1", "1872", "R"),
    ]


def test_two_references_for_one_question(tmp_path):
    found = "another reference of question 'f1' than on an earlier line"
    assert references(tmp_path, "question\tyear\nf1\t1871\nf1\t1872\n")[1] == [(3, found)]
