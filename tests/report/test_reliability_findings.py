"""Sentences for given tables, and how they write numbers."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nonresponse import wording
from nonresponse.report import model
from nonresponse.report.sections import comparison, questions, rankings


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0, "0 %"),
        (0.0001, "less than 0.1 %"),
        (0.04, "4.0 %"),
        (0.0949, "9.5 %"),
        (0.0999, "10 %"),
        (0.118, "12 %"),
        (0.584, "58 %"),
        (0.994, "99 %"),
        (0.9999, "more than 99 %"),
        (1, "100 %"),
    ],
)
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


def assessors(measure: str, *rows: tuple) -> pl.DataFrame:
    columns = ["compared", "measure", "a", "b", "tau", "swaps", "swaps_005", "swaps_007"]
    table = pl.DataFrame([("assessors", measure, *row) for row in rows], columns, orient="row")
    return table.with_columns(largest_difference=pl.lit(None, pl.Float64))


def told_apart(p: list, may_be_best: list[bool | None]) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Comparisons and intervals; of a run that is not compared, it is not known whether it may be
    the best."""
    intervals = pl.DataFrame({"may_be_best": may_be_best}, {"may_be_best": pl.Boolean})
    intervals = intervals.with_columns(
        run=pl.format("run{}", pl.int_range(pl.len())),
        value=pl.when(pl.col("may_be_best").is_not_null()).then(0.5),
        compared=pl.col("may_be_best").is_not_null(),
        answers=pl.lit(None, pl.Int64),
    )
    return pl.DataFrame({"p_maxt": p}, {"p_maxt": pl.Float64}), intervals


def test_comparison_warns_of_few_answers_and_of_what_is_not_compared():
    comparisons, intervals = told_apart([0.2, None, None], [True, True, None])
    intervals = intervals.with_columns(answers=pl.Series([19, 12, 1]), value=0.5)
    assert comparison.sentence(comparisons, intervals, "precision_answered") == (
        "The two runs do not differ significantly by precision_answered at the 5 % level. "
        "precision_answered divides by"
        " fewer than 20 answers of 2 runs (12 of run1), for which the test may find "
        "differences too often. Not"
        " compared: run2, which has a score in precision_answered that a single question decides."
    )


@pytest.mark.parametrize(
    ("p", "may_be_best", "sentence"),
    [
        (
            [0.01] * 612 + [0.05] * 38 + [0.5] * 296 + [None],
            [False, True, True, False, False, None, True],
            "Of 946 pairs of runs 650 (69 %) differ significantly by c@1 at the 5 % level; by "
            "a one-sided test"
            " of first place alone, 3 runs may be the best: run1, run2 and run6.",
        ),
        (
            [0.01] * 1999 + [0.5],
            [True, False, False],
            "Of 2,000 pairs of runs 1,999 (more than 99 %) differ significantly by c@1 at the "
            "5 % level; "
            "only run0 may be the best.",
        ),
        ([0.2], [True, True], "The two runs do not differ significantly by c@1 at the 5 % level."),
        ([None], [None, True], "No two runs could be compared by c@1."),
        ([], [], "No two runs could be compared by c@1."),
    ],
)
def test_comparison(p, may_be_best, sentence):
    assert comparison.sentence(*told_apart(p, may_be_best), "c@1") == sentence


def test_a_tau_of_a_judge_is_told_once():
    """Where a judge failed, judges.csv has the tau of what both judged; pairs of others stay."""
    table = assessors(
        "c@1", ("o", "a", 0.84, 9, 2, 0), ("o", "b", 0.9, 7, 2, 0), ("a", "b", 0.8, 9, 9, 9)
    )
    judges = pl.DataFrame(
        {"judge": ["o", "a", "b"], "measure": [None, "c@1", "c@1"], "tau": [None, 0.93, 0.9]}
    )
    assert rankings.told_once(table, judges, "o").select("a", "b").rows() == [
        ("o", "b"),
        ("a", "b"),
    ]
    assert rankings.told_once(table, judges[:1], "o").equals(table)
