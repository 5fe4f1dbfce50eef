"""Error rate and size of the question set: known curves, and what has no curve."""

import numpy as np
import polars as pl
import pytest
import scipy.optimize
from hypothesis import given, settings
from hypothesis import strategies as st
from nonresponse.statistics import swap
from nonresponse.statistics.error_curves import fit_curve, fit_curves

pytestmark = pytest.mark.filterwarnings("error")
SIZES, LOWER = np.arange(1, 251), swap.list_bins()


def curves(rate, comparisons=10**9) -> pl.DataFrame:
    """The table of swap rates by lower bound and size; comparisons are a number or (sizes, bins)."""
    comparisons = np.broadcast_to(comparisons, (len(SIZES), len(LOWER))).astype(np.int64)
    rates = np.stack([rate(lower, SIZES) for lower in LOWER], axis=1)
    return fit_curves(LOWER, SIZES, comparisons, np.round(comparisons * rates).astype(int), 500)


@pytest.mark.parametrize(
    ("rate", "comparisons"),
    [
        (lambda lower, size: 0 * size, 10**6),  # no swap was seen
        (lambda lower, size: 0.1 + 0.001 * size, 10**6),  # the rate does not fall
        (lambda lower, size: 0.1 + 0 * size, 10**6),
        # fewer than ten sizes have such differences
        (lambda lower, size: 0.4 * np.exp(-0.01 * size), 10**6 * (SIZES > 241)[:, None]),
    ],
    ids=["none", "rising", "constant", "few sizes"],
)
def test_no_curve_fits(rate, comparisons):
    table = curves(rate, comparisons)
    assert table["a1"].is_null().all() and table["fitted"].is_null().all()
    nothing = table["comparisons"].fill_null(0) == 0
    assert table["error_rate"].is_null().equals(nothing, check_names=False)


@settings(max_examples=30, deadline=None)
@given(st.floats(0.06, 0.5), st.floats(0.002, 0.03), st.integers(0, 2**32))
def test_the_curve_is_that_of_scipy(a1, a2, seed):
    comparisons = np.full(len(SIZES), 5_000)
    swaps = np.random.default_rng(seed).binomial(comparisons, a1 * np.exp(-a2 * SIZES))
    curve, p = (0.5, 0.01), 0.5
    for _ in range(2):
        sigma = np.sqrt(p * (1 - p) / comparisons)
        curve, _ = scipy.optimize.curve_fit(
            lambda size, a1, a2: a1 * np.exp(-a2 * size), SIZES, swaps / comparisons, curve, sigma
        )
        p = np.clip(curve[0] * np.exp(-curve[1] * SIZES), 1 / comparisons, 0.5)
    assert fit_curve(SIZES, comparisons, swaps) == pytest.approx(tuple(curve), rel=1e-5)
