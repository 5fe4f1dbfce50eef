"""Bootstrap intervals beside NumPy's quantiles, SciPy's bootstrap and plain loops, most on the same samples."""

from types import SimpleNamespace

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from literal_reliability import acceleration, campaign
from nonresponse import measures
from nonresponse.measures import orderings
from nonresponse.reliability import PER_STREAM, intervals
from nonresponse.reliability.outcomes import Outcomes, values
from nonresponse.reliability.pseudo_values import scored
from nonresponse.reliability.subsets import bootstrap_samples

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
    found = intervals.sampled_scores(seen, 1, "c", range(PER_STREAM + 20))
    assert found.shape == (len(seen.runs), PER_STREAM + 20)
    assert np.array_equal(intervals.sampled_scores(seen, 1, "c", range(30)), found[:, :30], equal_nan=True)
    for block, start, trials in ((0, 0, 25), (1, PER_STREAM, 20)):
        drawn = bootstrap_samples(1, "c", 15, block, trials).astype(int)
        for trial, times in enumerate(drawn):
            some = np.repeat(np.arange(15), times).tolist()
            for run in range(len(seen.runs)):
                value, should = found[run, start + trial], score(run, some)
                assert value != value if should is None else value == pytest.approx(float(should), abs=1e-9)


@ids
def test_accelerations_in_a_loop(task, id):
    seen, score = campaign(measures.get(task, id), 7, questions=20)
    for run, found in enumerate(intervals.accelerations(scored(seen)[1])):
        without = [score(run, [q for q in range(20) if q != left_out]) for left_out in range(20)]
        should = None if None in without else acceleration(without)
        assert np.isnan(found) if should is None else found == pytest.approx(should, abs=1e-6), run


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


def c_at_1(right, silent, axis=-1):
    n_ac, n_u, n = right.sum(axis=axis), silent.sum(axis=axis), right.shape[axis]
    return (n_ac + n_u * n_ac / n) / n  # term by term as in the paper: the samples that equal the score count half


def accuracy(right, silent, axis=-1):
    return right.sum(axis=axis) / right.shape[axis]


STATISTICS = {"accuracy": accuracy, "c@1": c_at_1}


@pytest.mark.parametrize("level", [0.05, 0.2])
@pytest.mark.parametrize("id", ["accuracy", "c@1"])
def test_intervals_are_scipys_on_the_same_samples(id, level):
    seen, right, silent = counted(id, 1)
    samples = intervals.sampled_scores(seen, 1, "c", range(1000))
    score = values(seen, np.ones((1, seen.n), np.float32))[0]
    psi = scored(seen)[1]
    found = {"percentile": intervals.percentile(samples, level), "BCa": intervals.bca(samples, score, psi, level)}
    for run in range(len(seen.runs)):
        for method, ends in found.items():
            result = scipy.stats.bootstrap(
                (right[run].astype(float), silent[run].astype(float)),
                STATISTICS[id],
                paired=True,
                n_resamples=0,
                confidence_level=1 - level,
                method=method,
                bootstrap_result=SimpleNamespace(bootstrap_distribution=samples[run]),
            )
            assert ends[run] == pytest.approx(tuple(result.confidence_interval), abs=1e-9), (method, run)


@pytest.mark.parametrize("id", ["accuracy", "c@1"])
def test_intervals_are_scipys_on_samples_of_its_own(id):
    """A quantile at 2.5 % of B samples has a standard error of 2.67 spreads / sqrt(B) where samples are normal.

    Four standard errors of the difference of two such quantiles, and one question for the steps between them.
    """
    seen, right, silent = counted(id, 2, runs=3)
    samples = intervals.sampled_scores(seen, 1, "c", range(4000))
    score = values(seen, np.ones((1, seen.n), np.float32))[0]
    psi = scored(seen)[1]
    found = {"percentile": intervals.percentile(samples, 0.05), "BCa": intervals.bca(samples, score, psi, 0.05)}
    for run in range(len(seen.runs)):
        data = right[run].astype(float), silent[run].astype(float)
        for method, ends in found.items():
            draw = np.random.default_rng(run)
            result = scipy.stats.bootstrap(
                data, STATISTICS[id], paired=True, n_resamples=4000, method=method, rng=draw, vectorized=True
            )
            close = 4 * 2**0.5 * 2.67 * result.standard_error / 4000**0.5 + 1 / seen.n
            assert close < result.standard_error
            assert ends[run] == pytest.approx(tuple(result.confidence_interval), abs=close), (method, run)


def test_samples_of_accuracy_are_binomial():
    seen, right, _ = counted("accuracy", 3, runs=2, n=40)
    samples = np.round(intervals.sampled_scores(seen, 1, "c", range(4000)) * 40)
    for run in range(2):
        expected = 4000 * scipy.stats.binom.pmf(np.arange(41), 40, right[run].mean())
        middle = expected > 8
        found = np.bincount(samples[run].astype(int), minlength=41)[middle]
        statistic = ((found - expected[middle]) ** 2 / expected[middle]).sum()
        assert 0.001 < scipy.stats.chi2.sf(statistic, middle.sum() - 1) < 0.999


def test_bca_is_undefined_where_nothing_varies():
    seen, _, _ = counted("accuracy", 4, runs=4, n=30)
    right = seen.matrices["n_ac"]
    right[0], right[1], right[2] = 1, 0, np.arange(30) < 15
    samples = intervals.sampled_scores(seen, 1, "c", range(200))
    score = values(seen, np.ones((1, 30), np.float32))[0]
    psi = scored(seen)[1]
    found = intervals.bca(samples, score, psi, 0.05)
    assert np.isnan(found).all(axis=1).tolist() == [True, True, False, False]
    assert intervals.percentile(samples, 0.05)[:2].tolist() == [[1, 1], [0, 0]]
    # Samples all on one side, or not defined at all; half of them undefined are left out.
    above, unknown, half = samples + 2, np.full_like(samples, np.nan), samples.copy()
    half[:, ::2] = np.nan
    assert (
        np.isnan(intervals.bca(above, score, psi, 0.05)).all()
        and np.isnan(intervals.bca(unknown, score, psi, 0.05)).all()
    )
    assert np.array_equal(
        intervals.bca(half, score, psi, 0.05), intervals.bca(samples[:, 1::2], score, psi, 0.05), equal_nan=True
    )


@pytest.mark.parametrize(("task", "id"), [("qa", "cws"), ("validation", "auc"), ("dating", "auc@10")])
def test_how_many_orders_go_through_the_trials_at_once_changes_nothing(task, id, monkeypatch):
    seen, _ = campaign(measures.get(task, id), 2, excluding=True)
    every = intervals.sampled_scores(seen, 1, "c", range(60))
    monkeypatch.setattr(orderings, "RUNS", 2)
    monkeypatch.setattr(orderings, "CELLS", 1000)
    assert np.array_equal(intervals.sampled_scores(seen, 1, "c", range(60)), every, equal_nan=True)
