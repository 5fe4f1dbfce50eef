"""Intervals from the Dirichlet distribution: coverage, ends, and what is undefined."""

import numpy as np
import pytest
from nonresponse import measures
from nonresponse.reliability import intervals

CELLS = ("n", "n_ac", "n_aw", "n_u")


def named(counts: tuple) -> dict[str, np.ndarray]:
    """n, n_ac, n_aw and n_u of one run."""
    return {name: np.array([float(value)]) for name, value in zip(CELLS, (sum(counts), *counts), strict=True)}


def interval(id: str, *counts: int, samples: int = 4000):
    measure = measures.get("qa", id)
    n = sum(counts)
    score = measure(
        **{
            name: value
            for name, value in zip(("n", "n_ac", "n_aw", "n_u"), (n, *counts), strict=True)
            if name in measure.totals
        }
    )
    return intervals.dirichlet(measure, named(counts), np.array([score]), samples, 0.05, 1)[0], score


@pytest.mark.parametrize("id", ["accuracy", "c@1", "uf", "precision_answered", "answered"])
@pytest.mark.parametrize("counts", [(50, 0, 0), (0, 50, 0), (1, 0, 49), (20, 20, 10)])
def test_contains_the_score_and_has_a_width(id, counts):
    (low, high), score = interval(id, *counts)
    assert low <= score <= high and high - low > 0.01


def test_accuracy_is_jeffreys_interval():
    from scipy.stats import beta

    (low, high), _ = interval("accuracy", 45, 5, 0, samples=100_000)
    assert [low, high] == pytest.approx(beta(45.5, 5 + 1).ppf([0.025, 0.975]), abs=0.003)  # two shares of 1/2 each


def test_undefined_scores_have_none():
    measure = measures.get("qa", "precision_answered")
    found = intervals.dirichlet(measure, named((0, 0, 9)), np.array([np.nan]), 100, 0.05, 1)
    assert np.isnan(found).all()


@pytest.mark.parametrize(("id", "shares"), [("c@1", (0.9, 0.02, 0.08)), ("accuracy", (0.985, 0.01, 0.005))])
def test_coverage_near_the_end_of_the_range(id, shares):
    """Where the percentile interval contains the truth in .78 and .53 of the campaigns."""
    measure = measures.get("qa", id)
    names = dict(zip(("n_ac", "n_aw", "n_u"), shares, strict=True)) | {"n": 1.0}
    truth = measure(**{name: names[name] for name in measure.totals})
    counts = np.random.default_rng(1).multinomial(50, shares, 400)
    named = {"n": np.full(400, 50.0), **dict(zip(("n_ac", "n_aw", "n_u"), counts.T.astype(float), strict=True))}
    score = measure(**{name: named[name] for name in measure.totals})
    found = intervals.dirichlet(measure, named, score, 1000, 0.05, 1)
    covered = ((found[:, 0] <= truth) & (truth <= found[:, 1])).mean()
    assert covered >= 0.9


def test_applies_to_measures_of_the_three_counts_only():
    assert intervals.has_cells(measures.get("qa", "c@1")) and intervals.has_cells(measures.get("dating", "accuracy"))
    for task, id in (("qa", "nil_recall"), ("qa", "cws"), ("qa", "mrr"), ("validation", "accuracy")):
        assert not intervals.has_cells(measures.get(task, id))


@pytest.mark.parametrize("id", ["accuracy", "answered", "optimistic", "precision_answered", "c@1"])
def test_cells_that_the_measure_does_not_take_may_be_missing(id):
    measure = measures.get("qa", id)
    every = named((30, 15, 5))
    some = {name: value for name, value in every.items() if name in {"n", *measure.totals}}
    score = np.array([interval(id, 30, 15, 5)[1]])
    whole, part = (intervals.dirichlet(measure, counts, score, 50_000, 0.05, 1)[0] for counts in (every, some))
    assert part == pytest.approx(whole, abs=0.004)
