"""The decisions of gates, by hand: degrees of freedom, levels, powers, and few questions."""

from statistics import NormalDist

import numpy as np
import pytest
from nonresponse import measures
from nonresponse.statistics import INCONCLUSIVE
from nonresponse.statistics.gates import (
    Gate,
    RunScore,
    can_pass,
    compare_with_baseline,
    decide,
    floor_of_more,
)

ALTERNATING = np.resize([0.5, -0.5], 400)  # of variance 0.2506


def score_run(id: str, score: float, psi: np.ndarray, units: float = np.inf) -> RunScore:
    return RunScore(measures.get("qa", id), score, psi, (-score, 1 - score), units)


def root(level: float, power: float, deviation: float, assumed: float | None = None) -> float:
    """Return the square root of the questions that show a difference of 1."""
    normal = NormalDist().inv_cdf
    return normal(1 - level) * (assumed or deviation) + normal(power) * deviation


@pytest.mark.parametrize(("id", "power", "ways"), [("accuracy", 0.8, 1), ("answered", 0.9, 2)])
def test_where_two_tests_have_to_pass_each_has_a_power_of_nine_tenths(id, power, ways):
    """Of two alike systems, by a measure with one good direction and by one with none."""
    runs = score_run(id, 0.5, np.zeros(400)), score_run(id, 0.5, ALTERNATING)
    tests = compare_with_baseline(0.02, *runs, 0.05, 0.05)
    # A win of 0.25 on average, and a loss of 0.27: the variance that the test assumes
    assumed = (0.02 + 2 * 0.25 - 0.02**2) ** 0.5
    size = (root(0.05, power, ALTERNATING.std(ddof=1), assumed) / 0.02) ** 2
    assert [test.decision.needed for test in tests] == [pytest.approx(size, rel=0.001)] * ways


@pytest.mark.parametrize(("value", "level"), [(0.01, 0.05), (-0.01, 0.001)])
def test_a_failure_takes_as_many_questions_as_its_own_level_asks_for(value, level):
    decision = decide(value, ALTERNATING, 0.0, 0.0, 0.05, 0.001)
    expected = (root(level, 0.8, ALTERNATING.std(ddof=1)) / 0.01) ** 2
    assert decision.needed == pytest.approx(expected, rel=0.001)


def test_what_is_inconclusive_takes_more_questions_than_there_are():
    decision = decide(0.2, ALTERNATING, 0.0, 0.0, 0.001, 0.001, units=2)
    assert (decision.state, decision.needed) == (INCONCLUSIVE, 401)


def test_the_best_that_a_measure_without_direction_can_do_is_not_to_change():
    for id, passes in (("accuracy", True), ("answered", False)):
        assert can_pass(Gate(id, margin=0.02), measures.get("qa", id), 50, 0.05) == passes


def test_questions_that_hardly_differ_vary_little_at_a_bound():
    """At 0.45, a tenth of the questions are at 0, and the others at 0.4 or 0.6: 0.0315."""
    run = score_run("mrr", 0.5, 0.5 + ALTERNATING / 5)
    assert floor_of_more(0.45, run.score, run.psi, *run.moves) == pytest.approx(0.0315, abs=1e-6)
