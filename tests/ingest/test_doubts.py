"""Names that may mislead are told, a bounded number of them, in words that a terminal can show."""

import polars as pl
import pytest
from nonresponse import tables
from nonresponse.ingest import doubts

NFD, NFC = "Ange\u0301lique", "Ang\u00e9lique"


def list_doubts(*runs: str) -> list[str]:
    return doubts.find_doubts(list(runs), [])


# Capitals, blanks, forms of letters, and what cannot be seen
LOOKALIKES = [
    ("Alpha", "alpha"),
    ("a b", "a  b"),
    (NFC, NFD),
    ("fi", "\ufb01"),
    ("\u03a3", "\u03c3"),
]
HIDDEN = [" ", "\u00ad", "\u00a0", "\u202e", "\ufe0f", "\u3164", "\U000e0041", "\u2800"]


@pytest.mark.parametrize("names", [*LOOKALIKES, *(("ab", f"a{mark}b") for mark in HIDDEN)])
def test_names_that_look_alike(names):
    (line,) = list_doubts(*names, "other")
    assert line.startswith("Warning: the runs ") and line.isascii()
    assert all(ascii(name) in line for name in names)


def test_names_that_are_apart():
    assert list_doubts(*"ab-=\ue000\ue001ée", "a1", "a.1", "a-1", "1+1", "a@b") == []


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(1)", "\t=1", "\r=1", "\n=1", "\uff1d1"])
def test_what_is_warned_of_in_names_is_harmless_among_answers(text):
    """The warning and the escaping look for the same beginnings."""
    (line,) = list_doubts(text, "a")
    assert line.startswith(f"Warning: the run {text!a} begins like a formula")
    answers = pl.DataFrame({"answer": [text, f"a {text}", None], "rank": [1, 2, 3]})
    assert tables.defuse(answers).rows() == [(f"'{text}", 1), (f"a {text}", 2), (None, 3)]


def test_a_value_of_several_runs_is_named_once_and_pairs_in_order():
    runs = [name for letter in "ecabd" for name in (letter, letter.upper())]
    formulas, *pairs = doubts.find_doubts([*runs, "=1", "=1"], [])
    assert formulas.count("'=1'") == 1
    assert [line.partition("'")[2][0] for line in pairs] == [*"ABCDE"]


def test_responses_that_one_assessor_did_not_judge_and_others_did(tmp_path):
    """It is unscored if another assessor judged the response; otherwise nobody was asked."""
    verdicts = [("a", "q", "correct", False), *((name, "q", "unscored", False) for name in "cb")]
    verdicts += [("b", "s", "correct", False), ("c", "s", "unscored", False)]
    verdicts += [(name, "t", "unscored", False) for name in "abc"]
    verdicts += [("a", "u", "correct", False), ("b", "u", "unscored", True)]
    verdicts += [(name, question, "unanswered", True) for name in "ab" for question in ("p", "r")]
    columns = ["assessor", "question", "verdict", "missing"]
    rows = pl.DataFrame(verdicts, columns, orient="row").with_columns(run=pl.lit("x"))
    tables.write(tables.complete(rows, tables.GRADED), tmp_path / "graded/0.parquet")
    assert doubts.describe_unscored({"graded": {"missing": ["never"]}}, tmp_path, [0]) == [
        "Unscored for 'b' (1) and 'c' (2), though other assessors judged: 3 responses, by a word "
        "of `missing:` or without a verdict."
    ]
    assert doubts.describe_unscored({"graded": {}}, tmp_path, [0]) == []


def test_their_number_and_length_are_bounded():
    pairs = [name for number in range(1000) for name in (f"a{number}", f"A{number}")]
    lines = list_doubts(*pairs, *[f"={number}" for number in range(1000)], "n" * 300, "N" * 300)
    assert len(lines) == doubts.MOST_WARNINGS + 2  # one of formulas, and the last
    assert lines[-1] == f"Warning: and {1001 - doubts.MOST_WARNINGS} more such runs."
    assert max(map(len, lines)) < 400
    assert len(list_doubts(*pairs[: 2 * doubts.MOST_WARNINGS])) == doubts.MOST_WARNINGS
