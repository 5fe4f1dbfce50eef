"""The distributions, against SciPy."""

import numpy as np
import pytest
from nonresponse.statistics import distributions
from scipy import special


@pytest.fixture
def shapes():
    draw = np.random.default_rng(1)
    return 10 ** draw.uniform(-0.3, 5, (2, 2000)), draw.uniform(0, 1, 2000)


def test_beta(shapes):
    (a, b), p = shapes
    x = special.betaincinv(a, b, p)
    np.testing.assert_allclose(distributions.beta_cdf(x, a, b), special.betainc(a, b, x), rtol=1e-8)
    np.testing.assert_allclose(
        distributions.beta_quantile(p[:99], a[:99], b[:99]), x[:99], atol=1e-11
    )
    assert distributions.beta_cdf([0, 1], 2, 3).tolist() == [0, 1]


@pytest.mark.parametrize("df", [1, 2, 3, 19, 20, 49, 9999])
def test_student(df):
    t = np.linspace(0, 12, 500)
    expected = 2 * special.stdtr(df, -t)
    tails = distributions.student_tails(t, df)
    np.testing.assert_allclose(tails, expected, rtol=1e-5, atol=1e-7)
    assert distributions.student_tails(np.inf, df) < 1e-30 if df > 2 else True
    for p in (0.0001, 0.025, 0.5, 0.8, 0.975):
        assert distributions.student_quantile(p, df) == pytest.approx(
            special.stdtrit(df, p), rel=1e-7, abs=1e-8
        )


def test_fair_tails():
    n = np.arange(200)
    k = n * 7 // 20
    tails = np.minimum(2 * special.bdtr(np.minimum(k, n - k), n, 0.5), 1)
    np.testing.assert_allclose(distributions.fair_tails(k, n), tails, rtol=1e-12)
    assert distributions.fair_tails(n[:0], n[:0]).size == 0


def test_normal():
    x = np.linspace(-30, 10, 2000)
    np.testing.assert_allclose(distributions.normal_cdf(x), special.ndtr(x), rtol=2e-7)


@pytest.mark.parametrize("df", [2, 5, 50, 999])
def test_chi_squared(df):
    for x in (0, 0.1, df / 2, df, 1.2 * df, 3 * df):
        expected = special.chdtrc(df, x)
        assert distributions.chi_squared_tail(x, df) == pytest.approx(expected, abs=0.012)
