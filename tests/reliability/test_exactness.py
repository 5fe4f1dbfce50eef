"""Reliability stays exact where floats, 64-bit integers and names once led its kernels astray."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from comparing import paired
from literal_reliability import MANY_DECIMALS, campaign, exchanged, literal_positions, many_decimals
from nonresponse import measures
from nonresponse.measures.orderings import contributions
from nonresponse.reliability import randomisation
from nonresponse.reliability.outcomes import Outcomes, only, scores, values
from nonresponse.reliability.rank_positions import rank_positions
from nonresponse.reliability.ratio import Ratio


@pytest.mark.parametrize(("task", "id"), [("qa", "cws"), ("validation", "auc")])
def test_runs_that_differ_in_one_question_cannot_be_told_apart(task, id):
    """Every exchange leaves their difference as it is: p is 1, by either test."""
    for seed in range(20):
        seen, _ = campaign(measures.get(task, id), seed, runs=2, questions=9)
        a = seen.orders[1]
        right = a.right.copy()
        right[seed % len(right)] ^= True
        b = replace(a, right=right) if id == "cws" else a
        pair = Outcomes(seen.measure, ["a", "b"], seen.questions, orders=[a, b])
        score = values(pair, np.ones((1, 9), np.float32))[0]
        assert paired(pair, score, 99).tolist() == [1]
        assert randomisation.simultaneous(score, randomisation.ranges(pair, score, 1, "c", range(99))).tolist() == [1]


@pytest.mark.parametrize(("task", "id"), [("qa", "cws"), ("validation", "auc")])
def test_paired_of_orders_against_all_exchanges(task, id):
    for seed in range(4):
        seen, _ = campaign(measures.get(task, id), seed, runs=4, questions=8)
        parts = contributions(seen.measure, seen.orders, seen.n)
        p = paired(seen, values(seen, np.ones((1, 8), np.float32))[0], 4000)
        assert np.isnan(p[:3]).all()
        for own, (x, y) in zip(p[3:], [(1, 2), (1, 3), (2, 3)], strict=True):
            exact = float(exchanged(*[[Fraction(v) for v in parts[r]] for r in (x, y)], sum, 1e-6))
            assert own == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 4000) + 1 / 4000)


@pytest.mark.parametrize("s", [20_000, 40_000, 100_000])
def test_c_at_1_of_many_questions(s):
    rows = [int(0.6 * s) * s, int(0.61 * s) * s - 1, int(0.61 * s) * s]
    _, reach = rank_positions(Ratio(np.array([rows]), s * s), {"difference": [0.0, 0.01]})
    assert reach.tolist() == [[[0, 1, 2], [0, 0, 1]]]


def test_a_width_with_many_decimals():
    s = 250
    rows = [int(0.6 * s) * s, int(0.61 * s) * s - 1, int(0.61 * s) * s]
    _, reach = rank_positions(Ratio(np.array([rows]), s * s), {"difference": [0.0, 1 / 3 * 0.03]})
    e = literal_positions(
        [Fraction(r, s * s) for r in rows], {"difference": [Fraction(0), Fraction(str(1 / 3 * 0.03))]}
    )
    assert reach[0].tolist() == e[1]


def test_margins_beyond_any_difference():
    _, reach = rank_positions(
        Ratio(np.array([[1, 1, 2]]), np.array([[1, 2, 3]])), {"difference": [0.0, 0.4, 9.99, 500.0]}
    )
    assert reach[0].tolist() == [[2, 0, 1], [1, 0, 0], [0, 0, 0], [0, 0, 0]]


def test_tukey_does_not_hang_on_the_order_of_the_runs():
    seen, _ = campaign(measures.get("qa", "c@1"), 2, questions=20)
    score = values(seen, np.ones((1, 20), np.float32))[0]
    order = [3, 0, 5, 2, 4, 1]
    a = randomisation.ranges(seen, score, 1, "c", range(300))
    b = randomisation.ranges(only(seen, order), score[order], 1, "c", range(300))
    assert (a == b).all()


@pytest.mark.parametrize("id", MANY_DECIMALS)
def test_parameters_with_many_decimals(id):
    seen, _ = many_decimals(id)
    ones = np.ones((1, 600), np.float32)
    assert scores(seen, ones).floats()[0] == pytest.approx(values(seen, ones)[0], abs=1e-12, nan_ok=True)
