"""Thresholds that keep a risk, by hand and by simulation."""

import numpy as np
import pytest
from nonresponse.views import guarantee


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


def test_all_of_few_answers_are_tested_as_one_cut_off():
    """Of 30 right ones, the share of wrong ones is at most .095; with one wrong, .15."""
    standing, right = np.arange(30, 0, -1) / 30, np.ones(30, bool)
    found = guarantee.cut_off(right, standing, 0.1, 0.05)
    assert found == (None, 30, 0, pytest.approx(1 - 0.05 ** (1 / 30)))
    right[3] = False
    assert guarantee.cut_off(right, standing, 0.1, 0.05)[1] is None
    assert guarantee.cut_off(right[:0], standing[:0], 0.1, 0.05)[1] is None


def test_few_answers_keep_the_risk(answers=60):
    """More than a tenth are wrong: in at most 5 of 100 campaigns, and two standard errors, that is not seen."""
    draw = np.random.default_rng(12)
    told = [
        guarantee.cut_off(draw.random(answers) > 0.101, np.arange(answers, 0, -1.0), 0.1, 0.05)[1] is not None
        for _ in range(1000)
    ]
    assert np.mean(told) <= 0.064


def test_cut_offs_do_not_divide_equal_scores():
    right, standing = np.ones(180, bool), np.repeat([0.9, 0.5], 90)
    right[120:] = False
    assert guarantee.cut_off(right, standing, 0.1, 0.05)[:3] == (0.5, 90, 0)
