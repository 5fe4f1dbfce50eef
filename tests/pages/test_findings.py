"""The sentences, word for word, for given tables."""

import re
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nonresponse import tables, wording
from nonresponse.pages import blocks
from nonresponse.pages.sections import agreement, comparison, questions, rankings


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


def test_numbers_in_words():
    assert wording.difference(0.1) == "0.10"
    assert wording.difference(0.085) == "0.085"
    assert wording.at(0.05) == "5 %"
    assert wording.at(0.07) == "7 %"
    assert wording.listed(["a"]) == "a"
    assert wording.listed(["a", "b"]) == "a and b"
    assert wording.listed(["a", "b", "c", "d"]) == "a, b, c and d"
    assert wording.listed(["a", "b", "c", "d", "e"]) == "a, b, c and two others"


def test_half_is_rounded_up_whatever_its_binary_fraction():
    """Of a score and of a lead: 0.8125 and 0.2125 lie on different sides of the half as floats."""
    values = (0.8125, 0.2125, 0.8125 - 0.6, -0.0005, -0.0004, 0.0005, 12.35, 1234.5)
    texts = ["0.813", "0.213", "0.213", "-0.001", "0.000", "0.001", "12.350", "1,234.500"]
    assert [wording.rounded(value, 3) for value in values] == texts
    assert wording.amount(1.125) == "1.13" and wording.difference(0.125) == "0.125"
    assert [blocks.moved(value, "+") for value in (0.00125, 0.00015, 0.00004)] == ["+0.0013", "+0.0002", "+4.0e-05"]
    assert wording.percent(0.125) == "13 %" and wording.tau(-0.125) == "−0.13" and wording.signed(0.0625, 3) == "+0.063"


# Other than places in a drawing, which are followed by %, and numbers with more digits than are shown.
OWN_WAY = re.compile(
    r":[^:{}'\"]*(\{\w+\})?\.(\d+|\{\w+\})f\}(?!%)"
    r"|\bround\([^()]*(\([^()]*\))?[^()]*, [0-5]\)"
    r"|\.toFixed\((?!2\) \+ \"%\"|6\))|Math\.round\((?!Number)"
)


def test_no_number_is_rounded_in_a_way_of_its_own():
    """By binary fractions, and halves to even: 1.125 was 1.12 in one sentence and 1.13 beside it."""
    for text in ("{x:.2f}", "{x:,.1f}", "{x:{sign}.{SCORE}f}", "round(x, 2)", "round(float(x), 2)", "x.toFixed(2)"):
        assert OWN_WAY.search(text), text
    package = Path(wording.__file__).parent
    files = [path for room in ("pages", "topics", "views", "figures", "front") for path in (package / room).rglob("*")]
    # What is computed beside what a source prints has digits of its own.
    files = [path for path in files if path.parent.name != "claims" and path.name != "fidelity.py"]
    read = [path for path in [package / "wording.py", *files] if path.suffix in (".py", ".js")]
    found = [(path.name, line) for path in read for line in path.read_text(encoding="utf-8").splitlines()]
    assert len(read) >= 90 and [one for one in found if OWN_WAY.search(one[1])] == []


def needed(*rows: tuple) -> pl.DataFrame:
    schema = {"difference": pl.Float64, **dict.fromkeys(("questions", "lower", "upper"), pl.Int64), "remark": pl.String}
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


def agreement_table(names: list[str], items: int, disputed, not_wrong: int, of_these, alpha) -> pl.DataFrame:
    rows = [
        ("label", names, "disagreement", items, disputed),
        ("label", names, "disagreement_not_all_wrong", not_wrong, of_these),
        ("label", names, "fleiss_kappa", items, 0.1),
        ("label", names, "krippendorff_alpha", items, alpha),
        ("label", ["a", "b"], "cohen_kappa", items, 0.2),
        ("correct", names, "disagreement", items, 0.3),
    ]
    schema = {
        "scale": pl.String,
        "assessors": tables.NAMES,
        "statistic": pl.String,
        "items": pl.Int64,
        "value": pl.Float64,
    }
    return pl.DataFrame(rows, schema, orient="row")


@pytest.mark.parametrize(
    ("numbers", "sentence"),
    [
        (
            (["a", "b", "c"], 15948, 0.118, 3725, 0.505, 0.712),
            "The three assessors disagreed on 12 % of 15,948 answers, and on 51 % of the 3,725 that someone did not "
            "call wrong; Krippendorff's alpha is 0.71.",
        ),
        (
            (["a", "b"], 1, 1.0, 0, None, -0.5),
            "The two assessors disagreed on 100 % of 1 answer; Krippendorff's alpha is −0.50.",
        ),
        (
            (["a", "b", "c"], 1200, 0.0, 3, 0.0, 1.0),
            "The three assessors never disagreed on 1,200 answers; Krippendorff's alpha is 1.00.",
        ),
        (
            (["a", "b"], 0, None, 0, None, None),
            "No answer was judged by both assessors; Krippendorff's alpha is not defined.",
        ),
        (
            (["a", "b", "c"], 0, None, 0, None, 0.4),
            "No answer was judged by all three assessors; Krippendorff's alpha is 0.40.",
        ),
    ],
)
def test_agreement(numbers, sentence):
    assert agreement.sentence(agreement_table(*numbers)) == sentence


def test_agreement_of_one_assessor():
    assert agreement.sentence(agreement_table("a", 0, None, 0, None, None).clear()) == (
        "Fewer than two assessors judged, so that there is nothing to agree on."
    )


def rankings_table(*rows: tuple) -> pl.DataFrame:
    columns = ["compared", "measure", "a", "b", "tau", "swaps", "swaps_005", "swaps_007"]
    return pl.DataFrame(rows, columns, orient="row").with_columns(largest_difference=pl.lit(None, pl.Float64))


def assessors(measure: str, *rows: tuple) -> pl.DataFrame:
    return rankings_table(*[("assessors", measure, *row) for row in rows])


@pytest.mark.parametrize(
    ("swaps", "sentence"),
    [
        ((177, 4, 0), "4 of 177 swapped pairs differ by 0.05 or more and none by 0.07 or more"),
        ((1177, 1, 1), "1 of 1,177 swapped pairs differs by 0.05 or more and 1 by 0.07 or more"),
        ((2, 0, 0), "none of 2 swapped pairs differs by 0.05 or more"),
        ((1, 0, 0), "the one swapped pair does not differ by 0.05 or more"),
        ((1, 1, 0), "the one swapped pair differs by 0.05 or more"),
        ((0, 0, 0), "no pair of runs is swapped"),
    ],
)
def test_between_two_assessors(swaps, sentence):
    table = assessors("c@1", ("official", "ann", 0.945, *swaps))
    assert rankings.between_assessors(table, "c@1", "official") == (
        f"The rankings by c@1 under ann and the official one agree at a Kendall's tau of 0.95; {sentence}."
    )


def test_between_several_assessors():
    table = assessors("c@1", ("o", "a", 0.9, 100, 2, 0), ("o", "b", 0.98, 77, 2, 0), ("a", "b", 0.1, 999, 99, 9))
    other = assessors("uf", ("o", "a", None, 0, 0, 0), ("o", "b", None, 0, 0, 0))
    assert rankings.between_assessors(pl.concat([table, other]), "c@1", "o") == (
        "Rankings by c@1 under single assessors and the official one agree at a mean Kendall's tau of 0.94; "
        "4 of 177 swapped pairs under two assessors differ by 0.05 or more and none by 0.07 or more."
    )
    assert rankings.between_assessors(pl.concat([table, other]), "uf", "o") == (
        "The rankings by uf cannot be compared: of any two assessors, at least one ranks all runs equal."
    )
    assert rankings.between_assessors(table, "map", "o") == (
        "Only one assessor judged, so that there is no other ranking by map."
    )


def test_between_measures():
    rows = [("c@1", "uf", 0.9, 10, 1, 1), ("c@1", "answered", -0.2, 50, 0, 0), ("uf", "answered", 0.2, 40, 0, 0)]
    table = rankings_table(*[("measures", None, *row) for row in rows], ("measures", None, "c@1", "r", None, 0, 0, 0))
    assert rankings.between_measures(table[:3]) == (
        "The rankings by three measures agree at a mean Kendall's tau of 0.30, "
        "from −0.20 (c@1 and answered) to 0.90 (c@1 and uf)."
    )
    assert rankings.between_measures(table[:1]) == (
        "The rankings by c@1 and uf agree at a Kendall's tau of 0.90; "
        "1 of 10 swapped pairs differs by 0.05 or more and 1 by 0.07 or more."
    )
    alike = rankings_table(
        *[("measures", None, *row[:2], 0.981 - place / 1000, *row[3:]) for place, row in enumerate(rows)]
    )
    assert (
        rankings.between_measures(alike)
        == "The rankings by any two of three measures agree at a Kendall's tau of 0.98."
    )
    nothing = "There are no two measures whose rankings could be compared."
    assert rankings.between_measures(table[3:]) == rankings.between_measures(table.clear()) == nothing


def told_apart(p: list, groups: list[str]) -> tuple[pl.DataFrame, pl.DataFrame]:
    comparisons = pl.DataFrame({"p_maxt": p}, {"p_maxt": pl.Float64})
    columns = {"run": pl.String, "value": pl.Float64, "groups": pl.String, "answers": pl.Int64}
    columns |= {"may_be_best": pl.Boolean}
    rows = [
        (
            f"run{number}",
            0.5 if letters else None,
            letters,
            None,
            letters[0] == "a" and letters != "a'" if letters else None,
        )
        for number, letters in enumerate(groups)
    ]
    return comparisons, pl.DataFrame(rows, columns, orient="row")


def test_comparison_warns_of_few_answers_and_of_what_is_not_compared():
    comparisons, intervals = told_apart([0.2, None, None], ["a", "a", ""])
    intervals = intervals.with_columns(answers=pl.Series([19, 12, 1]), value=0.5)
    assert comparison.sentence(comparisons, intervals, "precision_answered") == (
        "The two runs do not differ significantly by precision_answered at the 5 % level. precision_answered divides by"
        " fewer than 20 answers of 2 runs (12 of run1), for which the test may find differences too often. Not"
        " compared: run2, which has a score in precision_answered that a single question decides."
    )


@pytest.mark.parametrize(
    ("p", "groups", "sentence"),
    [
        (
            [0.01] * 612 + [0.05] * 38 + [0.5] * 296 + [None],
            ["b", "a", "ab", "ba", "a'", "", "a"],
            "Of 946 pairs of runs 650 (69 %) differ significantly by c@1 at the 5 % level; by a one-sided test"
            " of first place alone, 3 runs may be the best: run1, run2 and run6.",
        ),
        (
            [0.01] * 1999 + [0.5],
            ["a", "b", "b"],
            "Of 2,000 pairs of runs 1,999 (more than 99 %) differ significantly by c@1 at the 5 % level; "
            "only run0 may be the best.",
        ),
        (
            [0.01] * 3,
            ["a", "b", "c"],
            "All of the 3 pairs of runs differ significantly by c@1 at the 5 % level.",
        ),
        (
            [0.1] * 3,
            ["a", "a", "a"],
            "None of the 3 pairs of runs differ significantly by c@1 at the 5 % level.",
        ),
        ([0.01], ["a", "b"], "The two runs differ significantly by c@1 at the 5 % level."),
        ([0.2], ["a", "a"], "The two runs do not differ significantly by c@1 at the 5 % level."),
        ([None], ["", "a"], "No two runs could be compared by c@1."),
        ([], [], "No two runs could be compared by c@1."),
    ],
)
def test_comparison(p, groups, sentence):
    assert comparison.sentence(*told_apart(p, groups), "c@1") == sentence


def test_all_assessors():
    table = assessors("c@1", ("o", "a", 0.9, 100, 2, 0), ("o", "b", 0.98, 77, 2, 0), ("a", "b", 0.1, 999, 99, 9))
    by = "Kendall's tau between the rankings by c@1 under"
    assert rankings.assessors(table, "c@1") == f"{by} two assessors is from 0.10 (a and b) to 0.98 (o and b)."
    assert rankings.assessors(table[:1], "c@1") == f"{by} o and a is 0.90."
    alike = assessors("c@1", ("o", "a", 0.9802, 1, 0, 0), ("o", "b", 0.9799, 1, 0, 0))
    assert rankings.assessors(alike, "c@1") == f"{by} any two assessors is 0.98."
    assert rankings.assessors(table, "s") == "There are no two assessors whose rankings by s could be compared."


def test_a_tau_of_a_judge_is_told_once():
    """Where a judge failed, judges.csv has the tau of what both judged; pairs of others stay."""
    table = assessors("c@1", ("o", "a", 0.84, 9, 2, 0), ("o", "b", 0.9, 7, 2, 0), ("a", "b", 0.8, 9, 9, 9))
    judges = pl.DataFrame({"judge": ["o", "a", "b"], "measure": [None, "c@1", "c@1"], "tau": [None, 0.93, 0.9]})
    assert rankings.told_once(table, judges, "o").select("a", "b").rows() == [("o", "b"), ("a", "b")]
    assert rankings.told_once(table, judges[:1], "o").equals(table)
