"""When it pays to guess, by each measure (docs/abstention.md), and other names."""

import abstention_page
import pytest
from nonresponse import measures


def value(id: str, counts: dict) -> float:
    measure = measures.get("qa", id)
    return measure(**{name: counts[name] for name in measure.totals})


# When it pays to guess: from how sure one must be to be right, given the counts of many questions.
PAYS = {
    "accuracy": lambda t: 0,
    "formula_score@4": lambda t: 1 / 4,
    "f_simpleqa": lambda t: value("f_simpleqa", t) / 2,
    "c@1": lambda t: t["n_ac"] / (t["n"] + t["n_u"]),
    "uf": lambda t: 1 / 2,
    "phi@1": lambda t: 1 / 2,
    "penalty@0.75": lambda t: 3 / 4,
    "precision_answered": lambda t: value("precision_answered", t),
    "optimistic": lambda t: 1,
    "hallucination_rate": lambda t: 1,
}


@pytest.mark.parametrize("id", PAYS)
def test_the_best_threshold_is_where_guessing_stops_paying(id):
    best = abstention_page.find_best_cut(id)
    assert PAYS[id](abstention_page.expect_counts(best)) == pytest.approx(best, abs=0.002)
    assert PAYS.keys() == abstention_page.PAYS.keys() >= {*abstention_page.CURVES}
