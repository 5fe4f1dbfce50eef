"""Error rate and question-set size: known curves, the rule of Voorhees 2003, and what has no
curve."""

import numpy as np
import polars as pl
import pytest
import scipy.optimize
from hypothesis import given, settings
from hypothesis import strategies as st
from literal_reliability import campaign
from nonresponse import measures
from nonresponse.statistics import error_curves, swap
from nonresponse.statistics.error_curves import fit_curve, with_curves

pytestmark = pytest.mark.filterwarnings("error")
SIZES, LOWER = np.arange(1, 251), swap.lower_bounds()
FITTED = LOWER[1:16]  # Voorhees fits no curve to the smallest differences, and none from 0.16 on
SETTINGS = {"seed": 1, "sizes": 60, "size_trials": 3, "bins": 5, "width": 0.05}


def counted(rate, comparisons: int = 10**9, sizes: np.ndarray = SIZES) -> pl.DataFrame:
    """What error_curves.count_sizes returns, of swap rates by lower bound and size."""
    frames = []
    for bin, lower in enumerate(LOWER, 1):
        swaps = np.round(comparisons * rate(lower, sizes)).astype(np.int64)
        frame = pl.DataFrame({"size": sizes.astype(np.int64), "swaps": swaps})
        frames.append(
            frame.with_columns(
                bin=pl.lit(bin, pl.Int32), lower=pl.lit(lower), comparisons=comparisons
            )
        )
    return pl.concat(frames).select("bin", "lower", "size", "comparisons", "swaps")


def falling(a1: float, a2: float):
    return lambda lower, size: a1 * np.exp(-a2 * size)


@settings(max_examples=10, deadline=None)
@given(st.floats(0.06, 1.0), st.floats(0.0005, 0.03))
def test_an_exact_curve_is_found_where_one_is_fitted(a1, a2):
    table = with_curves(counted(falling(a1, a2)), 500)
    assert table.height == 21 * 251 and table.columns == list(error_curves.CURVE)
    assert table.drop_nulls("a1")["lower"].unique().to_list() == FITTED
    known = table.drop_nulls("a1")
    assert known["a1"].to_numpy() == pytest.approx(a1, rel=1e-6) and known[
        "a2"
    ].to_numpy() == pytest.approx(a2, rel=1e-6)
    at_n = known.filter(size=500)
    assert at_n["comparisons"].null_count() == at_n.height == 15
    assert at_n["fitted"].to_numpy() == pytest.approx(a1 * np.exp(-a2 * 500), rel=1e-4)


def test_small_sizes_have_no_influence_and_many_comparisons_count_for_more():
    exact = counted(falling(0.4, 0.01), 10**6)
    doubtful = (pl.col("size") % 10 == 0) | (pl.col("size") <= 20)
    spoilt = exact.with_columns(
        pl.when(pl.col("size") <= 20)
        .then(pl.col("comparisons"))
        .when(doubtful)
        .then(1)
        .otherwise(pl.col(name))
        .alias(name)
        for name in ("comparisons", "swaps")
    )
    assert with_curves(spoilt, 500).drop_nulls("a2")["a2"].to_numpy() == pytest.approx(
        0.01, rel=1e-3
    )


@pytest.mark.parametrize(
    "rate",
    [
        lambda lower, size: 0 * size,  # no swap was seen
        lambda lower, size: 0.1 + 0.001 * size,  # the rate does not fall
        lambda lower, size: np.where(size > 241, 0.1, np.nan),
    ],
    ids=["none", "rising", "few sizes"],
)
def test_no_curve_fits(rate):
    swaps = counted(lambda lower, size: np.nan_to_num(rate(lower, size)))
    if np.isnan(rate(0, SIZES)).any():  # fewer than ten sizes above 20 have such differences
        swaps = swaps.with_columns(
            comparisons=pl.when(pl.col("size") > 241).then("comparisons").otherwise(0)
        )
    table = with_curves(swaps, 500)
    assert table["a1"].is_null().all() and table["fitted"].is_null().all()
    assert (
        table["error_rate"]
        .is_null()
        .equals((table["comparisons"].fill_null(0) == 0), check_names=False)
    )


@settings(max_examples=30, deadline=None)
@given(st.floats(0.06, 0.5), st.floats(0.002, 0.03), st.integers(0, 2**32))
def test_the_curve_is_that_of_scipy(a1, a2, seed):
    comparisons = np.full(len(SIZES), 5_000)
    swaps = np.random.default_rng(seed).binomial(comparisons, a1 * np.exp(-a2 * SIZES))
    found, p = (0.5, 0.01), 0.5
    for _ in range(2):
        sigma = np.sqrt(p * (1 - p) / comparisons)
        found, _ = scipy.optimize.curve_fit(
            lambda size, a1, a2: a1 * np.exp(-a2 * size), SIZES, swaps / comparisons, found, sigma
        )
        p = np.clip(found[0] * np.exp(-found[1] * SIZES), 1 / comparisons, 0.5)
    assert fit_curve(SIZES, comparisons, swaps) == pytest.approx(tuple(found), rel=1e-5)


@pytest.mark.parametrize("questions", [3, 12])
def test_only_small_sizes(questions):
    seen, _ = campaign(measures.get("qa", "c@1"), 1, questions=questions)
    table, expected = error_curves.make(seen, "gold", "c", SETTINGS)
    assert table["a1"].is_null().all() and table.columns == list(error_curves.CURVE)
    assert expected.columns == list(error_curves.EXPECTED)


def test_of_many_runs_fewer_trials_are_counted(monkeypatch):
    seen, _ = campaign(measures.get("qa", "c@1"), 1, questions=60)
    monkeypatch.setattr(error_curves, "COMPARISONS", 15)
    table, _ = error_curves.make(seen, "gold", "c", SETTINGS | {"size_trials": 9})
    assert (
        table.group_by("size")
        .agg(pl.sum("comparisons"))
        .filter(pl.col("size") < 60)["comparisons"]
        .max()
        <= 3 * 15
    )
