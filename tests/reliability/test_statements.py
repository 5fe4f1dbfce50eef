"""A small version of tests/benchmarks/statements.py: what pages say beside intervals, in campaigns of known truth."""

import numpy as np
import polars as pl
import pytest
from benchmarks import statements
from nonresponse.views import guarantee
from reading import DATA, needs


@pytest.mark.slow
@pytest.mark.parametrize("name", ["six runs", "a leading cluster of ten, ten behind", "two groups of ten"])
def test_questions_needed(name):
    """When true differences were assumed to be normal, results were .75 of the truth, and ranges held it in .25."""
    ratio, held, silent = statements.questions_needed(statements.RUNS[name], campaigns=16)
    assert 0.85 < ratio < 1.2 and held >= 0.7 and silent < 0.5


def test_of_equal_runs_nothing_is_told():
    assert statements.nothing_told(60) <= 0.1


@pytest.mark.slow
@pytest.mark.parametrize("runs", [2, 20])
def test_the_power_of_letters(runs):
    """Formerly the power of a single test, .80, was stated; for letters of 40 runs it was .13 to .25."""
    assert 0.65 <= statements.power_of_letters(60, runs) <= 0.93


@pytest.mark.slow
def test_auc_is_compared_where_both_classes_are_large_enough():
    assert statements.false_auc(80, 20) <= 0.1 and statements.false_auc(5, 19) == 0


@pytest.mark.parametrize("risk", [0.05, 0.1, 0.2])
def test_cut_offs_keep_their_risk(risk):
    broken, told = statements.broken_guarantees(400, 500, risk)
    assert broken <= 0.08 and told >= 0.8


@pytest.mark.slow
@needs("pan20")
@pytest.mark.parametrize("run", ["boenninghoff20-large", "kipnis20-small", "ikae20-small"])
def test_cut_offs_keep_their_risk_on_other_pairs_of_a_shared_task(run):
    """Chosen on 500 pairs of PAN 2020, by how far the score is from 0.5; the rest, some 13,000, says what they keep."""
    scores = pl.read_ndjson(DATA / f"pan20/answers/{run}.jsonl").filter(pl.col("value") != 0.5)
    pairs = scores.join(pl.read_ndjson(DATA / "pan20/truth.jsonl"), on="id")
    right = pairs.select((pl.col("value") > 0.5) == pl.col("same")).to_series().to_numpy()
    standing = pairs.select((pl.col("value") - 0.5).abs()).to_series().to_numpy()
    draw, broken, told = np.random.default_rng(11), dict.fromkeys(guarantee.RISKS, 0), 0
    for _ in range(1000):
        order = draw.permutation(len(right))
        known = order[:500][np.argsort(-standing[order[:500]], kind="stable")]
        for risk in guarantee.RISKS:
            above, answers, _, _ = guarantee.cut_off(right[known], standing[known], risk, 0.05)
            given = standing[order[500:]] > (-1 if above is None else above)
            if answers is not None and given.any():
                told += 1
                broken[risk] += (~right[order[500:]][given]).mean() > risk
    assert told > 1000 and max(broken.values()) <= 64, "5 % of 1,000, and two standard errors"


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


@pytest.mark.parametrize("answers", [30, 60, 75])
def test_few_answers_keep_the_risk(answers):
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
