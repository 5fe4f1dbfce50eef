"""Sentences for given tables, and how they write numbers."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nonresponse import wording
from nonresponse.report import model
from nonresponse.report.sections import comparison, questions

SHARES = {0: "0 %", 0.0001: "less than 0.1 %", 0.04: "4.0 %", 0.0949: "9.5 %", 0.0999: "10 %"}
SHARES |= {0.118: "12 %", 0.584: "58 %", 0.994: "99 %", 0.9999: "more than 99 %", 1: "100 %"}


@pytest.mark.parametrize(("share", "text"), SHARES.items())
def test_percent(share, text):
    assert wording.percent(share) == text


@given(st.integers(0, 400), st.integers(1, 400))
def test_percent_says_none_and_all_only_where_it_is_so(part, whole):
    text = wording.percent(min(part, whole) / whole)
    assert (text == "0 %") == (part == 0)
    assert (text == "100 %") == (part >= whole)


def test_half_is_rounded_up_whatever_its_binary_fraction():
    """Of a score and of a lead: 0.8125 and 0.2125 lie on different sides of the half as floats."""
    values = (0.8125, 0.2125, 0.8125 - 0.6, -0.0005, -0.0004, 0.0005, 12.35, 1234.5)
    texts = ["0.813", "0.213", "0.213", "-0.001", "0.000", "0.001", "12.350", "1,234.500"]
    assert [wording.rounded(value, 3) for value in values] == texts
    assert wording.amount(1.125) == "1.13" and wording.difference(0.125) == "0.125"
    assert [model.moved(value, "+") for value in (0.00125, 0.00015, 0.00004)] == [
        "+0.0013",
        "+0.0002",
        "+4.0e-05",
    ]
    assert (
        wording.percent(0.125) == "13 %"
        and wording.tau(-0.125) == "−0.13"
        and wording.signed(0.0625, 3) == "+0.063"
    )


def needed(*rows: tuple) -> pl.DataFrame:
    schema = {
        "difference": pl.Float64,
        **dict.fromkeys(("questions", "lower", "upper"), pl.Int64),
        "remark": pl.String,
    }
    return pl.DataFrame(rows, schema, orient="row")


@pytest.mark.parametrize(
    ("row", "text"),
    [
        ((0.05, 620, 580, 1670, ""), "620 (580 to 1,670)"),
        ((0.05, 620, 580, None, ""), "620 (580 to more)"),
        ((0.05, None, 2_000, None, "more than 1,000,000"), "more than 1,000,000"),
        ((0.06, 620, 580, 1670, ""), None),
    ],
)
def test_how_many_questions_a_difference_of_five_hundredths_needs(row, text):
    assert questions.questions(needed((0.04, 1, 1, 1, ""), row), 0.05) == text


def test_comparison_warns_of_few_answers_and_of_what_is_not_compared():
    intervals = pl.DataFrame(
        {
            "run": ["run0", "run1", "run2"],
            "value": 0.5,
            "answers": [19, 12, 1],
            "compared": [True, True, False],
        }
    )
    assert comparison.few_answers(intervals, "precision") == [
        "precision divides by fewer than 20 answers of 2 runs (12 of run1): there, the test may"
        " find differences too often."
    ]
    assert comparison.not_compared(pl.DataFrame(), intervals, "precision") == [
        "Not compared: run2 (a single question decides the score in precision)."
    ]
