"""Numbers of questions and detectable differences beside simulations whose truth is known."""

import numpy as np
import pytest
from comparing import count_outcomes
from nonresponse.statistics import sample_size
from nonresponse.statistics.influence import Dense
from nonresponse.statistics.pairs import Pairs
from nonresponse.statistics.power import detectable
from scipy.stats import studentized_range
from statsmodels.stats.power import TTestPower

LEVEL = 0.05


def test_runs_that_do_not_differ_measurably_have_no_number():
    psi = (np.random.default_rng(7).random((5, 50)) < 0.5).astype(float)
    for values in (psi, np.tile(psi[0], (5, 1))):  # of the second, no pair varies
        assert sample_size.fit_models(Pairs(values.mean(axis=1), Dense(values)), 1, 1, "c") is None


def test_what_can_be_detected_beside_statsmodels_and_tukey():
    """Of two runs, the paired test; of more, Tukey's studentized range."""
    least = detectable(0.36, 1, 800, LEVEL, 2)
    assert TTestPower().power(least / 0.6, 800, LEVEL) == pytest.approx(0.8, abs=0.03)
    for runs in (5, 40):
        critical = studentized_range.ppf(1 - LEVEL, runs, np.inf) / 2**0.5
        expected = (critical + 0.8416) * 0.6 / 800**0.5
        assert detectable(0.36, 1, 800, LEVEL, runs) == pytest.approx(expected, rel=0.02)
    assert detectable(0.36, 1, 9, LEVEL, 40) is None


@pytest.mark.parametrize("asked_again", [False, True])
def test_questions_that_are_excluded_do_not_count(asked_again):
    """A run has one of four left out, another none: seven eighths count."""
    counts = {"n_ac": np.ones((2, 4)), "n": [[1, 1, 0, 1], [1, 1, 1, 1]]}
    counts |= {"weight": np.ones((2, 4))} if asked_again else {}
    assert sample_size.count_judged(count_outcomes("accuracy", **counts), 80) == 70
