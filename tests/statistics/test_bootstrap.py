"""Samples of the questions and their percentiles, beside NumPy's quantiles, SciPy's bootstrap and plain loops."""

from types import SimpleNamespace

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from literal_reliability import campaign
from nonresponse import measures
from nonresponse.measures import orderings
from nonresponse.statistics import PER_STREAM, intervals
from nonresponse.statistics.outcomes import Outcomes
from nonresponse.statistics.subsets import bootstrap_samples

CLOSE = 1e-12
SOME = [
    *[("qa", id) for id in ("c@1", "accuracy", "precision_answered", "nil_f", "romip_good", "mrr", "k1", "r", "cws")],
    *[("validation", id) for id in ("f@0.5", "fu@0.5", "qa_estimated", "brier", "auc")],
    *[("dating", "s"), ("dating", "auc@10"), ("matching", "s_c")],
]
ids = pytest.mark.parametrize(("task", "id"), SOME, ids=["-".join(pair) for pair in SOME])


@given(
    rows=st.integers(1, 12).flatmap(
        lambda n: st.lists(
            st.lists(st.one_of(st.just(np.nan), st.floats(-1, 1)), min_size=n, max_size=n), min_size=1, max_size=4
        )
    ),
    shares=st.lists(st.floats(0, 1), min_size=1, max_size=4),
)
def test_quantiles_are_those_of_numpy_without_the_undefined(rows, shares):
    samples = np.array(rows)
    found = intervals.quantiles(np.sort(samples, axis=1), np.array(shares))
    of_each = intervals.quantiles(np.sort(samples, axis=1), np.array([shares] * len(rows)))
    assert np.array_equal(found, of_each, equal_nan=True) and found.shape == (len(rows), len(shares))
    for row, own in zip(samples, found, strict=True):
        known = row[~np.isnan(row)]
        if len(known):
            assert own == pytest.approx(np.quantile(known, shares, method="linear"), abs=CLOSE)
        else:
            assert np.isnan(own).all()


def test_a_share_that_is_undefined_gives_an_undefined_quantile():
    found = intervals.quantiles(np.array([[0.0, 1.0], [0.0, 1.0]]), np.array([[np.nan, 0.5], [0.25, np.nan]]))
    assert np.array_equal(found, [[np.nan, 0.5], [0.25, np.nan]], equal_nan=True)


@ids
def test_samples_are_scored_question_by_question(task, id):
    """A question that is drawn k times counts k times; blocks follow each other."""
    seen, score = campaign(measures.get(task, id), 6, questions=15, excluding=True)
    found = intervals.sampled_scores(seen, 1, "c", PER_STREAM + 20)
    assert found.shape == (len(seen.runs), PER_STREAM + 20)
    assert np.array_equal(intervals.sampled_scores(seen, 1, "c", 30), found[:, :30], equal_nan=True)
    for block, start, trials in ((0, 0, 25), (1, PER_STREAM, 20)):
        drawn = bootstrap_samples(1, "c", 15, block, trials).astype(int)
        for trial, times in enumerate(drawn):
            some = np.repeat(np.arange(15), times).tolist()
            for run in range(len(seen.runs)):
                value, should = found[run, start + trial], score(run, some)
                assert value != value if should is None else value == pytest.approx(float(should), abs=1e-9)


def counted(id: str, seed: int, runs: int = 5, n: int = 120) -> tuple[Outcomes, np.ndarray, np.ndarray]:
    """Runs that answer rightly, wrongly or not, and which answers were right or left out."""
    draw = np.random.default_rng(seed)
    fate = draw.random((runs, n)) - draw.uniform(-0.1, 0.3, (runs, 1))
    right, silent = fate < 0.5, fate > 0.75
    matrices = {"n_ac": right, "n_u": silent, "n_aw": ~(right | silent)}
    matrices = {name: matrix.astype(np.float32) for name, matrix in matrices.items()} | {
        "n": np.ones((1, n), np.float32)
    }
    names = [f"run{i}" for i in range(runs)], [f"q{i:03}" for i in range(n)]
    return Outcomes(measures.get("qa", id), *names, matrices), right, silent


@pytest.mark.parametrize("level", [0.05, 0.2])
@pytest.mark.parametrize("id", ["accuracy", "c@1"])
def test_percentiles_are_scipys_on_the_same_samples(id, level):
    seen, right, _ = counted(id, 1)
    samples = intervals.sampled_scores(seen, 1, "c", 1000)
    for run, ends in enumerate(intervals.percentile(samples, level)):
        result = scipy.stats.bootstrap(
            (right[run].astype(float),),
            np.mean,
            n_resamples=0,
            confidence_level=1 - level,
            method="percentile",
            bootstrap_result=SimpleNamespace(bootstrap_distribution=samples[run]),
        )
        assert ends == pytest.approx(tuple(result.confidence_interval), abs=1e-9), run


@pytest.mark.parametrize(("task", "id"), [("qa", "cws"), ("validation", "auc"), ("dating", "auc@10")])
def test_how_many_orders_go_through_the_trials_at_once_changes_nothing(task, id, monkeypatch):
    seen, _ = campaign(measures.get(task, id), 2, excluding=True)
    every = intervals.sampled_scores(seen, 1, "c", 60)
    monkeypatch.setattr(orderings, "RUNS", 2)
    monkeypatch.setattr(orderings, "CELLS", 1000)
    assert np.array_equal(intervals.sampled_scores(seen, 1, "c", 60), every, equal_nan=True)
