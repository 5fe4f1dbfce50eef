"""When it pays to guess, by each measure (docs/abstention.md), and other names."""

from fractions import Fraction

import abstention_page
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nonresponse import measures

CLOSE = 1e-12


def value(id: str, counts: dict):
    """The measure in floats or fractions; None where undefined."""
    measure, counts = measures.get("qa", id), {"n_rightful": 0} | counts
    try:
        return measure(**{name: counts[name] for name in measure.totals})
    except ZeroDivisionError:
        return None


# When it pays to guess: from how sure one must be to be right, given the counts so far.
PAYS = {
    "accuracy": lambda t: 0,
    "chance_corrected@4": lambda t: 0,
    "formula_score@4": lambda t: Fraction(1, 4),
    "f_simpleqa": lambda t: value("f_simpleqa", t) / 2,
    "c@1": lambda t: t["n_ac"] / (t["n"] + t["n_u"] - 1),
    "uf": lambda t: Fraction(1, 2),
    "uf_half": lambda t: Fraction(1, 2),
    "omniscience": lambda t: Fraction(1, 2),
    "phi@1": lambda t: Fraction(1, 2),
    "penalty@0.75": lambda t: Fraction(3, 4),
    "precision_answered": lambda t: value("precision_answered", t),
    "wrong_given_attempted": lambda t: value("precision_answered", t),
    "optimistic": lambda t: 1,
    "hallucination_rate": lambda t: 1,
}
NUMBER = st.integers(1, 40).map(Fraction)


@given(c=NUMBER, w=NUMBER, u=NUMBER, p=st.fractions(0, 1, max_denominator=50))
def test_when_one_more_answer_pays(c, w, u, p):
    """The expected score rises if an answer is right with more than this probability."""
    t = {"n_ac": c, "n_aw": w, "n_u": u, "n": c + w + u, "n_aw_partial": 0, "n_x_partial": 0}
    for id, sure_enough in PAYS.items():
        right, wrong = (value(id, t | {"n_u": u - 1, name: t[name] + 1}) for name in list(t)[:2])
        if right is None:  # everything would be right
            continue
        gain = p * right + (1 - p) * wrong - value(id, t)
        gain *= 1 if measures.get("qa", id).higher_is_better else -1
        if p == 1 and sure_enough(t) == 1:
            continue  # the comparison does not depend on p
        # Near 0, a parameter that is no fraction leaves errors in the last digits
        least = p - sure_enough(t)
        assert (gain > CLOSE) == (least > 0) and (abs(gain) < CLOSE) == (least == 0), id


@pytest.mark.parametrize("id", PAYS)
def test_the_best_threshold_is_where_guessing_stops_paying(id):
    """Among many questions, the limit of the rule is the best threshold."""
    best = abstention_page.find_best_cut(id)
    many = {
        name: Fraction(share) * 10**6 for name, share in abstention_page.expect_counts(best).items()
    }
    assert float(PAYS[id](many)) == pytest.approx(best, abs=0.002)
    assert PAYS.keys() >= abstention_page.PAYS.keys() >= {*abstention_page.CURVES}


@pytest.mark.parametrize(
    ("alias", "id"),
    [
        *[(name, "uf") for name in ("truthfulness", "er", "idk_score")],
        *[("rs", "phi@1"), ("rs@0", "phi@0"), ("rs@10", "phi@10")],
        *[("abstention_accuracy", "accuracy"), ("f1_simpleqa", "f_simpleqa")],
        ("selective_accuracy", "precision_answered"),
    ],
)
def test_measures_under_other_names(alias, id):
    assert measures.get("qa", alias) == measures.get("qa", id)
    assert measures.get("qa", "phi@10")(n_ac=6, n_aw=4, n=10) == pytest.approx(-3.4)
