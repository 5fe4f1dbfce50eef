"""The sentences, word for word, for given tables."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nonresponse import tables, wording
from nonresponse.pages import sections
from nonresponse.pages.sections import agreement, comparison, rankings, sample_size, stability, swap
from nonresponse.reliability import table_files


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


def test_narrow_widths_are_shown_with_all_their_decimals(tmp_path):
    table = curve([0.1, 0.2], [0.04, 0.03]).with_columns(
        fuzziness=pl.Series([0.005, 0.0125]), size=pl.lit(2), questions=pl.lit(4)
    )
    tables.write(table, tmp_path / "reliability/stability/c@1.parquet")
    campaign = sections.Campaign("x", "qa", tmp_path, {"measures": ["c@1"]})
    [shown] = stability.topic(campaign).tables
    assert [row[0] for row in shown.cells] == ["0.005", "0.0125"]


def test_numbers_in_words():
    assert wording.difference(0.1) == "0.10"
    assert wording.difference(0.085) == "0.085"
    assert wording.at(0.05) == "5 %"
    assert wording.at(0.07) == "7 %"
    assert wording.listed(["a"]) == "a"
    assert wording.listed(["a", "b"]) == "a and b"
    assert wording.listed(["a", "b", "c", "d"]) == "a, b, c and d"
    assert wording.listed(["a", "b", "c", "d", "e"]) == "a, b, c and two others"


def curve(ties: list, errors: list) -> pl.DataFrame:
    schema = {"fuzziness": pl.Float64, "ties": pl.Float64, "error_rate": pl.Float64}
    return pl.DataFrame(
        {"fuzziness": [0.01 * i for i in range(1, len(ties) + 1)], "ties": ties, "error_rate": errors}, schema
    )


UNKNOWN = curve([None, None], [None, None])
C_AT_1 = curve([0.10, 0.20, 0.30], [0.04, 0.03, 0.02])


def test_stability_of_one_measure():
    assert stability.sentence({"c@1": C_AT_1, "uf": UNKNOWN}) == (
        "By c@1, 2.0 % to 4.0 % of the comparisons are wrong and 10 % to 30 % are ties, depending on the fuzziness."
    )


def test_stability_where_one_measure_is_the_lowest_throughout():
    # Compared from 15 % to 30 %: c@1 3.5 % to 2 %; uf 5 % to 3 %; accuracy 3.6 % at 15 %, 2.1 % at 30 %.
    curves = {
        "uf": curve([0.15, 0.45], [0.05, 0.01]),
        "c@1": C_AT_1,
        "accuracy": curve([0.05, 0.30], [0.046, 0.021]),
    }
    assert stability.sentence(curves) == (
        "Where ties are equally frequent (15 % to 30 % of the comparisons), c@1 has the lowest error rate throughout, "
        "2.0 % to 3.5 %, by at most 0.1 percentage points; uf has the highest, 3.0 % to 5.0 %."
    )


def test_stability_where_curves_cross():
    curves = {"c@1": C_AT_1, "uf": curve([0.10, 0.30], [0.06, 0.01])}
    assert stability.sentence(curves) == (
        "Where ties are equally frequent (10 % to 30 % of the comparisons), no measure has the lowest error rate "
        "throughout; on average it is lowest for c@1 (3.0 %) and highest for uf (3.5 %)."
    )


def test_stability_where_curves_are_the_same():
    assert stability.sentence({"uf": C_AT_1, "uf_half": C_AT_1}) == (
        "Where ties are equally frequent (10 % to 30 % of the comparisons), "
        "the error rate is the same for all measures, 2.0 % to 4.0 %."
    )
    apart = curve([0.5, 0.6], [0.25, 0.25])
    assert stability.sentence({"uf": C_AT_1, "uf_half": C_AT_1, "wrong_rate": apart}).endswith(
        "the error rate is the same for uf and uf_half, 2.0 % to 4.0 %; wrong_rate has other shares of ties."
    )
    three = {"uf": C_AT_1, "uf_half": C_AT_1, "cws": curve([0.1, 0.3], [0.08, 0.08])}
    assert stability.sentence(three) == (
        "Where ties are equally frequent (10 % to 30 % of the comparisons), uf and uf_half have the lowest error rate "
        "throughout, 2.0 % to 4.0 %, by at most 6.0 percentage points; cws has the highest, 8.0 %."
    )


def test_stability_claims_nothing_of_curves_that_share_no_ties():
    apart = curve([0.5, 0.6], [0.01, 0.001])
    assert stability.sentence({"c@1": C_AT_1, "answered": apart}) == (
        "No two measures share a range of ties in which they could be compared."
    )
    text = stability.sentence({"c@1": C_AT_1, "answered": apart, "uf": curve([0.1, 0.3], [0.06, 0.03])})
    assert text.endswith("; uf has the highest, 3.0 % to 6.0 %; answered has other shares of ties.")


def test_stability_of_nothing():
    sentence = "No two runs could be compared, so that there is no error rate."
    assert stability.sentence({}) == stability.sentence({"c@1": UNKNOWN}) == sentence


def sensitivity(*rows: tuple) -> pl.DataFrame:
    return pl.DataFrame(rows, ["measure", "size", "required_difference", "sensitivity"], orient="row")


SENSITIVITY = sensitivity(
    ("c@1", 250, 0.09, 0.584),
    ("uf", 250, 0.17, 0.593),
    ("accuracy", 250, 0.09, 0.55),
    ("answered", 250, 0.0, 0.97),
    ("cws", 250, None, None),
)


@pytest.mark.parametrize(
    ("measure", "sentence"),
    [
        (
            "c@1",
            "With 250 questions, two runs must differ by at least 0.09 in c@1 for another 250 to contradict their "
            "order in at most 5 % of the comparisons; 58 % of the comparisons reach that.",
        ),
        (
            "answered",
            "With 250 questions, even for the smallest differences in answered another 250 contradict the "
            "order in at most 5 % of the comparisons; 97 % of the comparisons differ at all.",
        ),
        (
            "cws",
            "With 250 questions, no difference in cws was seen whose order another 250 contradict in at most "
            "5 % of the comparisons.",
        ),
    ],
)
def test_swap(measure, sentence):
    assert swap.sentence(SENSITIVITY, measure) == sentence


def test_swap_of_single_questions_at_another_level():
    assert swap.sentence(sensitivity(("c@1", 1, 0.5, 0.0004)), "c@1", 0.1) == (
        "With 1 question, two runs must differ by at least 0.50 in c@1 for another one to contradict their order in "
        "at most 10 % of the comparisons; less than 0.1 % of the comparisons reach that."
    )


def test_sensitivity_of_several_measures():
    assert swap.overall(SENSITIVITY) == (
        "To keep swaps within 5 % with 250 questions, two runs must differ by 0.09 (c@1 and accuracy) to 0.17 (uf); "
        "comparisons most often do in uf (59 %); any difference suffices in answered; none within the range seen "
        "suffices in cws."
    )
    assert swap.overall(SENSITIVITY[:1]) == (
        "To keep swaps within 5 % with 250 questions, two runs must differ by 0.09 (c@1); "
        "comparisons most often do in c@1 (58 %)."
    )


def test_sensitivity_read_from_a_file_without_a_value(tmp_path):
    sensitivity(("cws", 250, None, None)).write_csv(tmp_path / "sensitivity.csv")
    assert swap.overall(table_files.read_table(tmp_path / "sensitivity.csv")) == (
        "To keep swaps within 5 % with 250 questions, none within the range seen suffices in cws."
    )


def sizes(questions, lower, upper, remark, n, required) -> tuple[pl.DataFrame, pl.DataFrame]:
    columns = ["measure", "difference", "questions", "lower", "upper", "remark"]
    rows = [("c@1", 0.04, 999, 1, 2, ""), ("c@1", 0.05, questions, lower, upper, remark), ("uf", 0.05, 1, 1, 1, "")]
    own = pl.DataFrame({"measure": ["uf", "c@1"], "questions": [n, n], "required_difference": [None, required]})
    return pl.DataFrame(rows, columns, orient="row"), own


GOAL = "until at most 5 % of the pairs of runs that differ by 0.05 in c@1 are ordered the other way by other questions"


@pytest.mark.parametrize(
    ("numbers", "sentence"),
    [
        (
            (620, 580, 1670, "", 500, 0.06),
            f"It takes about 620 questions (95 % range: 580–1,670) {GOAL}; this campaign has 500, which suffice for a"
            " difference of 0.06.",
        ),
        (
            (620, 580, None, "", 1500, None),
            f"It takes about 620 questions (95 % range: 580 or more) {GOAL}; this campaign has 1,500, which suffice for"
            " no difference below 1.",
        ),
        (
            (None, 2_000, None, "more than 1,000,000", 500, 0.07),
            f"It takes more than 1,000,000 questions {GOAL}; this campaign has 500, which suffice for a difference of"
            " 0.07.",
        ),
        (
            (None, None, None, "the runs do not differ measurably", 500, None),
            "How many questions c@1 needs cannot be told: the runs do not differ measurably.",
        ),
    ],
)
def test_sample_size(numbers, sentence):
    assert sample_size.sentence(*sizes(*numbers), "c@1") == sentence


def test_power():
    columns = ["measure", "pair", "a", "b", "difference", "deviation", "detectable"]
    rows = [("c@1", "leading", "x", "z", 0.02, 0.5, 0.06), ("c@1", "median", "u", "v", 0.1, 0.4, 0.05)]
    power = pl.DataFrame(rows, columns, orient="row")
    _, enough = sizes(620, 580, 1670, "", 500, 0.06)
    assert sample_size.of_power(power, enough, "c@1") == (
        "With 500 questions, two runs of median variance get different letters by c@1 with a chance of 80 % where they"
        " truly differ by 0.050."
    )
    assert sample_size.of_power(power, enough, "uf") == ""


def agreement_table(names: str, items: int, disputed, not_wrong: int, of_these, alpha) -> pl.DataFrame:
    rows = [
        ("label", names, "disagreement", items, disputed),
        ("label", names, "disagreement_not_all_wrong", not_wrong, of_these),
        ("label", names, "fleiss_kappa", items, 0.1),
        ("label", names, "krippendorff_alpha", items, alpha),
        ("label", "a + b", "cohen_kappa", items, 0.2),
        ("correct", names, "disagreement", items, 0.3),
    ]
    schema = {
        "scale": pl.String,
        "assessors": pl.String,
        "statistic": pl.String,
        "items": pl.Int64,
        "value": pl.Float64,
    }
    return pl.DataFrame(rows, schema, orient="row")


@pytest.mark.parametrize(
    ("numbers", "sentence"),
    [
        (
            ("a + b + c", 15948, 0.118, 3725, 0.505, 0.712),
            "The three assessors disagreed on 12 % of 15,948 answers, and on 50 % of the 3,725 that someone did not "
            "call wrong; Krippendorff's alpha is 0.71.",
        ),
        (
            ("a + b", 1, 1.0, 0, None, -0.5),
            "The two assessors disagreed on 100 % of 1 answer; Krippendorff's alpha is −0.50.",
        ),
        (
            ("a + b + c", 1200, 0.0, 3, 0.0, 1.0),
            "The three assessors never disagreed on 1,200 answers; Krippendorff's alpha is 1.00.",
        ),
        (
            ("a + b", 0, None, 0, None, None),
            "No answer was judged by both assessors; Krippendorff's alpha is not defined.",
        ),
        (
            ("a + b + c", 0, None, 0, None, 0.4),
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
        ((177, 4, 0), "of 177 swapped pairs 4 differ by 0.05 or more and none by 0.07 or more"),
        ((1177, 1, 1), "of 1,177 swapped pairs 1 differs by 0.05 or more and 1 by 0.07 or more"),
        ((2, 0, 0), "none of 2 swapped pairs differs by 0.05 or more"),
        ((1, 0, 0), "the one swapped pair differs by less than 0.05"),
        ((1, 1, 0), "the one swapped pair differs by 0.05 or more"),
        ((0, 0, 0), "no pair of runs is swapped"),
    ],
)
def test_between_two_assessors(swaps, sentence):
    table = assessors("c@1", ("official", "ann", 0.945, *swaps))
    assert rankings.between_assessors(table, "c@1", "official") == (
        f"The ranking by c@1 under ann agrees with the official one at a Kendall's tau of 0.94; {sentence}."
    )


def test_between_several_assessors():
    table = assessors("c@1", ("o", "a", 0.9, 100, 2, 0), ("o", "b", 0.98, 77, 2, 0), ("a", "b", 0.1, 999, 99, 9))
    other = assessors("uf", ("o", "a", None, 0, 0, 0), ("o", "b", None, 0, 0, 0))
    assert rankings.between_assessors(pl.concat([table, other]), "c@1", "o") == (
        "Rankings by c@1 under single assessors agree with the official one at a mean Kendall's tau of 0.94; "
        "of 177 swapped pairs under two assessors 4 differ by 0.05 or more and none by 0.07 or more."
    )
    assert rankings.between_assessors(pl.concat([table, other]), "uf", "o") == (
        "The rankings by uf cannot be compared, since under one of each two all runs are equal."
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
        "of 10 swapped pairs 1 differs by 0.05 or more and 1 by 0.07 or more."
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
        "The two runs cannot be told apart by precision_answered at the 5 % level. precision_answered divides by fewer"
        " than 20 answers of 2 runs (12 of run1), for which the test may find differences too often. Not compared:"
        " run2, which has a score in precision_answered that a single question decides."
    )


@pytest.mark.parametrize(
    ("p", "groups", "sentence"),
    [
        (
            [0.01] * 612 + [0.05] * 38 + [0.5] * 296 + [None],
            ["b", "a", "ab", "ba", "a'", "", "a"],
            "Of 946 pairs of runs 650 (69 %) can be told apart by c@1 at the 5 % level; "
            "3 runs may be the best: run1, run2 and run6.",
        ),
        (
            [0.01] * 1999 + [0.5],
            ["a", "b", "b"],
            "Of 2,000 pairs of runs 1,999 (more than 99 %) can be told apart by c@1 at the 5 % level; "
            "only run0 may be the best.",
        ),
        (
            [0.01] * 3,
            ["a", "b", "c"],
            "All of the 3 pairs of runs can be told apart by c@1 at the 5 % level.",
        ),
        (
            [0.1] * 3,
            ["a", "a", "a"],
            "None of the 3 pairs of runs can be told apart by c@1 at the 5 % level.",
        ),
        ([0.01], ["a", "b"], "The two runs can be told apart by c@1 at the 5 % level."),
        ([0.2], ["a", "a"], "The two runs cannot be told apart by c@1 at the 5 % level."),
        ([None], ["", "a"], "No two runs could be compared by c@1."),
        ([], [], "No two runs could be compared by c@1."),
    ],
)
def test_comparison(p, groups, sentence):
    assert comparison.sentence(*told_apart(p, groups), "c@1") == sentence


def test_discriminative_power():
    power = pl.DataFrame({"measure": ["c@1", "uf", "r", "map"], "maxt": [0.65, 0.7, 0.09, None]})
    assert comparison.overall(power) == ("The measures tell apart from 9.0 % (r) to 70 % (uf) of the pairs of runs.")
    assert comparison.overall(power[:1]) == "Of the pairs of runs, 65 % (c@1) can be told apart."
    assert comparison.overall(power[3:]) == "No two runs could be compared."


def test_all_assessors():
    table = assessors("c@1", ("o", "a", 0.9, 100, 2, 0), ("o", "b", 0.98, 77, 2, 0), ("a", "b", 0.1, 999, 99, 9))
    assert rankings.assessors(table) == (
        "Kendall's tau between the rankings under two assessors is from 0.10 (c@1, a and b) to 0.98 (c@1, o and b)."
    )
    assert rankings.assessors(table[:1]) == (
        "Kendall's tau between the rankings under two assessors is 0.90 (c@1, o and a)."
    )
    alike = assessors("s", ("o", "a", 0.9802, 1, 0, 0), ("o", "b", 0.9799, 1, 0, 0))
    assert rankings.assessors(alike) == (
        "Kendall's tau between the rankings under any two assessors, by any measure, is 0.98."
    )
    assert rankings.assessors(table[:0]) == "There are no two assessors whose rankings could be compared."


def test_a_tau_of_a_judge_is_told_once():
    """Where a judge failed, judges.csv has the tau of what both judged; pairs of others stay."""
    table = assessors("c@1", ("o", "a", 0.84, 9, 2, 0), ("o", "b", 0.9, 7, 2, 0), ("a", "b", 0.8, 9, 9, 9))
    judges = pl.DataFrame({"judge": ["o", "a", "b"], "measure": [None, "c@1", "c@1"], "tau": [None, 0.93, 0.9]})
    assert rankings.told_once(table, judges, "o").select("a", "b").rows() == [("o", "b"), ("a", "b")]
    assert rankings.told_once(table, judges[:1], "o").equals(table)
