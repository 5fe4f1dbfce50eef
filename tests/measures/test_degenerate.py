"""Systems of no use, by the measures that Peñas & Rodrigo 2011 turn down for what they make of
them, and by c@1."""

from fractions import Fraction

from conftest import HOME
from degenerate import QUESTIONS, SYSTEMS, rows, score
from nonresponse import measures

SILENT, SURE, WRONG_ONCE, WRONG = SYSTEMS


def test_section_2_2_total_silence_has_a_c_at_1_of_0():
    assert score("c@1", SILENT) == 0


def test_section_3_1_with_an_estimate_of_0_silence_is_as_good_as_failure():
    assert score("accuracy", SILENT) == score("accuracy", WRONG) == 0


def test_section_3_2_with_an_estimate_of_1_total_silence_has_the_maximum():
    assert score("optimistic", SILENT) == 1 == measures.get("qa", "optimistic").range[1]


def test_section_3_3_with_an_estimate_of_a_half_total_silence_is_worth_a_half():
    assert score("uf_half", SILENT) == Fraction(1, 2) > score("uf_half", WRONG) == 0
    assert measures.get("qa", "uf")(n_ac=0, n_aw=0, n=QUESTIONS) == 0


def test_section_3_4_one_sure_answer_has_precision_1():
    assert score("precision_answered", SURE) == 1
    assert (
        score("c@1", SURE)
        == Fraction(1, QUESTIONS) * (1 + Fraction(QUESTIONS - 1, QUESTIONS))
        < Fraction(1, 200)
    )


def test_section_3_5_one_wrong_answer_has_almost_a_perfect_score():
    assert score("wrong_rate", WRONG_ONCE) == Fraction(499, 500)
    assert score("wrong_rate", WRONG_ONCE) > score("wrong_rate", SURE)
    assert score("c@1", WRONG_ONCE) == 0


def test_section_5_k1_of_self_scores_of_0_and_with_fewer_right_answers_than_wrong_ones():
    k1 = measures.get("qa", "k1")
    assert k1(signed=Fraction(0), n=QUESTIONS) == 0
    assert k1(signed=10 * Fraction("0.9") - 20 * Fraction("0.1"), n=30) > 0


def test_the_table_in_the_documentation():
    page = (HOME / "docs/measures.md").read_text(encoding="utf-8")
    for row in rows():
        assert f"| {' | '.join(row)} |" in page
    assert {row[0]: row[2:] for row in rows()} == {
        "`c@1`": ("0.000", "0.004", "0.000", "0.000"),
        "`accuracy`": ("0.000", "0.002", "0.000", "0.000"),
        "`optimistic`": ("1.000", "1.000", "0.998", "0.000"),
        "`uf_half`": ("0.500", "0.501", "0.499", "0.000"),
        "`precision_answered`": ("null", "1.000", "0.000", "0.000"),
        "`wrong_rate`": ("null", "0.002", "0.998", "0.000"),
    }
