"""Thresholds that keep a risk, by hand and by simulation."""

import numpy as np
import polars as pl
import pytest
from nonresponse.views import guarantee
from scipy.stats import binom


def cut_off(right: np.ndarray, standing: np.ndarray) -> tuple:
    """above, answers and wrong of the cut-off that keeps a risk of .1 with 95 % confidence."""
    allowed = [guarantee.most_wrong(risk, 0.05, len(right)) for risk in guarantee.RISKS]
    return guarantee.cut_offs(right, standing, allowed)[guarantee.RISKS.index(0.1)]


def at_most(answers: int, wrong: int) -> float:
    """The upper end of the share of wrong answers."""
    return guarantee.with_ends(pl.DataFrame({"answers": [answers], "wrong": [wrong]}), 0.05)["at_most"].item()


@pytest.mark.parametrize(("risk", "level"), [(0.05, 0.05), (0.1, 0.05), (0.2, 0.05), (0.1, 0.01), (0.5, 0.2)])
def test_how_many_may_be_wrong(risk, level):
    n = np.arange(400)
    few = (binom.cdf(n, n[:, None], risk) <= level).sum(axis=1) - 1
    assert guarantee.most_wrong(risk, level, 399).tolist() == few.tolist()


def test_cut_offs_by_hand():
    """Clopper and Pearson: of 100 right answers out of 100, the share of wrong ones is at most 1 - .05^(1/100)."""
    standing = np.arange(100, 0, -1) / 100
    right = np.ones(100, bool)
    assert cut_off(right, standing) == (None, 100, 0) and at_most(100, 0) == pytest.approx(1 - 0.05**0.01)
    assert cut_off(right[:28], standing[:28])[1] is None, "too few, even if all are right"
    right[90:] = False
    above, answers, wrong = cut_off(right, standing)
    assert standing[answers] == above and wrong == answers - 90 and at_most(answers, wrong) <= 0.1


def test_all_of_few_answers_are_tested_as_one_cut_off():
    """Of 30 right ones, the share of wrong ones is at most .095; with one wrong, .15."""
    standing, right = np.arange(30, 0, -1) / 30, np.ones(30, bool)
    assert cut_off(right, standing) == (None, 30, 0)
    assert at_most(30, 0) == pytest.approx(1 - 0.05 ** (1 / 30)) and at_most(5, 5) == 1
    right[3] = False
    assert cut_off(right, standing)[1] is None
    assert cut_off(right[:0], standing[:0])[1] is None


def test_few_answers_keep_the_risk(answers=60):
    """More than a tenth are wrong: in at most 5 of 100 campaigns, and two standard errors, that is not seen."""
    draw = np.random.default_rng(12)
    told = [cut_off(draw.random(answers) > 0.101, np.arange(answers, 0, -1.0))[1] is not None for _ in range(1000)]
    assert np.mean(told) <= 0.064


def test_cut_offs_do_not_divide_equal_scores():
    right, standing = np.ones(180, bool), np.repeat([0.9, 0.5], 90)
    right[120:] = False
    assert cut_off(right, standing) == (0.5, 90, 0)
