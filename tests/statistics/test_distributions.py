"""The distributions, against SciPy."""

import numpy as np
import pytest
from nonresponse.statistics import distributions
from scipy import special


def test_beta():
    draw = np.random.default_rng(1)
    (a, b), p = 10 ** draw.uniform(-0.3, 5, (2, 2000)), draw.uniform(0, 1, 2000)
    x = special.betaincinv(a, b, p)
    np.testing.assert_allclose(distributions.beta_cdf(x, a, b), special.betainc(a, b, x), rtol=1e-8)
    quantiles = distributions.beta_quantile(p[:99], a[:99], b[:99])
    np.testing.assert_allclose(quantiles, x[:99], atol=1e-11)
    assert distributions.beta_cdf([0, 1], 2, 3).tolist() == [0, 1]


@pytest.mark.parametrize("df", [1, 2, 3, 19, 20, 49, 9999])
def test_student(df):
    t, p = np.linspace(0, 12, 500), (0.0001, 0.025, 0.5, 0.8, 0.975)
    tails = distributions.student_tails(t, df)
    np.testing.assert_allclose(tails, 2 * special.stdtr(df, -t), rtol=1e-5, atol=1e-7)
    assert distributions.student_tails(np.inf, df) < 1e-30 or df <= 2
    quantiles = [distributions.student_quantile(share, df) for share in p]
    np.testing.assert_allclose(quantiles, special.stdtrit(df, p), rtol=1e-7, atol=1e-8)


def test_fair_normal_and_chi_squared():
    n, x = np.arange(200), np.linspace(-30, 10, 2000)
    k = n * 7 // 20
    tails = np.minimum(2 * special.bdtr(np.minimum(k, n - k), n, 0.5), 1)
    np.testing.assert_allclose(distributions.fair_tails(k, n), tails, rtol=1e-12)
    assert distributions.fair_tails(n[:0], n[:0]).size == 0
    np.testing.assert_allclose(distributions.normal_cdf(x), special.ndtr(x), rtol=2e-7)
    for df in (2, 5, 50, 999):
        for limit in (0, 0.1, df / 2, df, 1.2 * df, 3 * df):
            tail = distributions.chi_squared_tail(limit, df)
            assert tail == pytest.approx(special.chdtrc(df, limit), abs=0.012)
