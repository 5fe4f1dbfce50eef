"""A small version of tests/benchmarks/statements.py: what pages say beside intervals, in campaigns of known truth."""

import numpy as np
import pytest
from benchmarks import statements
from nonresponse.views import guarantee


@pytest.mark.slow
@pytest.mark.parametrize("name", ["six runs", "a leading cluster of ten, ten behind", "two groups of ten"])
def test_questions_needed(name):
    """Where true differences were taken for normal, answers were .75 of the truth, and ranges held it in .25."""
    ratio, held, silent = statements.questions_needed(statements.RUNS[name], campaigns=16)
    assert 0.85 < ratio < 1.2 and held >= 0.7 and silent < 0.5


def test_of_equal_runs_nothing_is_told():
    assert statements.nothing_told(60) <= 0.1


@pytest.mark.slow
@pytest.mark.parametrize("runs", [2, 20])
def test_the_power_of_letters(runs):
    """That of a single test was said to be .80 before, which for 40 runs was .13 to .25."""
    assert 0.65 <= statements.power_of_letters(60, runs) <= 0.93


@pytest.mark.slow
def test_auc_is_compared_where_both_classes_are_large_enough():
    assert statements.false_auc(80, 40) <= 0.13 and statements.false_auc(5, 39) == 0


def test_dice_gain_nothing_by_cut_offs():
    assert statements.gains_by_dice(60) <= 0.05


@pytest.mark.parametrize("risk", [0.05, 0.1, 0.2])
def test_cut_offs_keep_their_risk(risk):
    broken, told = statements.broken_guarantees(400, 500, risk)
    assert broken <= 0.08 and told >= 0.8


def test_cut_offs_by_hand():
    """Clopper and Pearson: of 100 right answers out of 100, the share of wrong ones is at most 1 - .05^(1/100)."""
    standing = np.arange(100, 0, -1) / 100
    right = np.ones(100, bool)
    above, answers, wrong, at_most = guarantee.cut_off(right, standing, 0.1, 0.05)
    assert (above, answers, wrong) == (None, 100, 0) and at_most == pytest.approx(1 - 0.05**0.01)
    assert guarantee.cut_off(right[:28], standing[:28], 0.1, 0.05)[1] is None, "too few, even if all are right"
    right[90:] = False
    above, answers, wrong, at_most = guarantee.cut_off(right, standing, 0.1, 0.05)
    assert standing[answers] == above and wrong == answers - 90 and at_most <= 0.1


def test_cut_offs_do_not_divide_equal_scores():
    right, standing = np.ones(180, bool), np.repeat([0.9, 0.5], 90)
    right[120:] = False
    assert guarantee.cut_off(right, standing, 0.1, 0.05)[:3] == (0.5, 90, 0)
