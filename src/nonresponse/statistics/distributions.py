"""Student's t, beta, fair-coin, normal and chi-squared distributions of arrays.

SciPy has them all; loading it takes longer than most analyses.
"""

from functools import cache
from math import log, sqrt
from statistics import NormalDist

import numpy as np

Numbers = np.ndarray | float | list

STEPS = 64  # halvings of an interval: the last is below the precision of a number
MAX_TERMS = 10_000  # of a continued fraction
PRECISION = 1e-15
NEAR = 1e-10  # relative; the next step of Newton's method is below the precision
LARGEST = 1e100  # squares, so that no product is infinite
HILL, LARGE = 20, 100  # degrees of freedom from which on approximations hold
SHIFT = 10  # Stirling's series holds to the last digit from here on
STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188)  # coefficients of 1 / x, 1 / x³, …
# Of the logarithm of the scaled complementary error function, the highest power of t first.
CHEBYSHEV = (
    *(0.17087277, -0.82215223, 1.48851587, -1.13520398, 0.27886807),
    *(-0.18628806, 0.09678418, 0.37409196, 1.00002368, -1.26551223),
)


def log_gamma(x: Numbers) -> np.ndarray:
    """Return the logarithm of the gamma function of positive numbers."""
    x = np.asarray(x, float)
    far = x + SHIFT
    series = sum(part / far ** (2 * power + 1) for power, part in enumerate(STIRLING))
    value = (far - 0.5) * np.log(far) - far + np.log(2 * np.pi) / 2 + series
    return value - sum(np.log(x + step) for step in range(SHIFT))


def log_beta_weight(x: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the logarithm of x^a (1 - x)^b over the beta function of a and b."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return a * np.log(x) + b * np.log1p(-x) + log_gamma(a + b) - log_gamma(a) - log_gamma(b)


def beta_cdf(x: Numbers, a: Numbers, b: Numbers) -> np.ndarray:
    """Return the probability that a beta variable is at most x: the regularised incomplete beta
    function I_x(a, b).

    By the continued fraction of DLMF 8.17.22, evaluated from the front (Lentz), from whichever end
    converges fast.
    """
    x, a, b = (np.array(part, float) for part in np.broadcast_arrays(x, a, b))
    swapped = x > (a + 1) / (a + b + 2)
    a, b, x = np.where(swapped, b, a), np.where(swapped, a, b), np.where(swapped, 1 - x, x)
    share = np.where(x > 0, np.exp(log_beta_weight(x, a, b)) / a * continued_fraction(x, a, b), 0)
    return np.where(swapped, 1 - share, share)


def continued_fraction(x: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the continued fraction of the incomplete beta function, for x left of the middle."""
    c, d = np.ones_like(x), 1 / (1 - (a + b) * x / (a + 1))
    fraction = d.copy()
    for m in range(1, MAX_TERMS):
        change = 1.0
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / (1 + term * d)
            c = 1 + term / c
            change = c * d
            fraction *= change
        if np.nanmax(np.abs(change - 1), initial=0) < PRECISION * 4:
            break
    return fraction


def beta_quantile(p: Numbers, a: Numbers, b: Numbers) -> np.ndarray:
    """Return the x at which beta_cdf is p: by Newton's method, or halving outside of bounds."""
    a, b = np.asarray(a, float), np.asarray(b, float)
    z = np.vectorize(NormalDist().inv_cdf)(p)  # the logit is nearly normal
    p, a, b, x = np.broadcast_arrays(p, a, b, a / (a + b * np.exp(-z * np.sqrt(1 / a + 1 / b))))
    low, high = np.zeros(x.shape), np.ones(x.shape)
    for _ in range(2 * STEPS):
        error = beta_cdf(x, a, b) - p
        low, high = np.where(error < 0, x, low), np.where(error < 0, high, x)
        with np.errstate(all="ignore"):
            newton = x - error * x * (1 - x) / np.exp(log_beta_weight(x, a, b))
        estimate = np.where((newton >= low) & (newton <= high), newton, (low + high) / 2)
        converged = (np.abs(estimate - x) <= NEAR * x).all()
        x = estimate
        if converged:
            break
    return x


def student_tails(t: Numbers, df: float) -> np.ndarray:
    """Return the probability that Student's t with df degrees of freedom is as far from 0 as t, in
    either direction.

    To seven digits: from HILL degrees of freedom on by the normal distribution (Hill 1970,
    algorithm 395).
    """
    t2 = np.minimum(np.square(np.asarray(t, float)), LARGEST)
    if df < HILL:
        return beta_cdf(df / (df + t2), df / 2, 0.5)
    b = 48 * (df - 0.5) ** 2
    y = (df - 0.5) * np.log1p(t2 / df)
    correction = (((-0.4 * y - 3.3) * y - 24) * y - 85.5) / (0.8 * y * y + 100 + b)
    return 2 * normal_cdf(-np.sqrt(y) * (1 + (correction + y + 3) / b))


@cache
def student_quantile(p: float, df: float) -> float:
    """Return the p-quantile of Student's t with df degrees of freedom.

    From LARGE ones on, it is a normal one, corrected (Abramowitz & Stegun 26.7.5).
    """
    if p <= 0.5:
        return 0.0 if p == 0.5 else -student_quantile(1 - p, df)
    if df >= LARGE:
        z = NormalDist().inv_cdf(p)
        third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * df**3)
        return z + (z**3 + z) / (4 * df) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * df**2) + third
    share = beta_quantile(2 * p - 1, 0.5, df / 2).item()  # of t² in t² + df
    return sqrt(df * share / (1 - share))


def fair_tails(k: np.ndarray, n: np.ndarray) -> np.ndarray:
    """Return the probability that n tosses of a fair coin, whole numbers, are split as unevenly as
    k to n - k.

    Twice the probability of at most the smaller of the two, and at most 1: McNemar's exact test
    (1947).
    """
    fewer, tails = np.minimum(k, n - k), np.ones(np.shape(n))
    log_factorial = np.append(0, np.cumsum(np.log(np.arange(1, n.max(initial=0) + 1))))
    # 16 bits sort in one pass
    order = np.argsort(n.astype(np.min_scalar_type(n.max(initial=0))), kind="stable")
    numbers, starts = np.unique(n[order], return_index=True)
    for number, rows in zip(numbers.tolist(), np.split(order, starts)[1:], strict=True):
        half = np.arange(fewer[rows].max() + 1)
        ways = log_factorial[number] - log_factorial[half] - log_factorial[number - half]
        tail = np.cumsum(np.exp(ways - number * log(2)))
        tails[rows] = np.minimum(2 * tail[fewer[rows]], 1)
    return tails


def normal_cdf(x: Numbers) -> np.ndarray:
    """Return the probability that a standard normal variable is at most x, within 2e-7 of itself in
    the lower tail.

    By a Chebyshev fit to the complementary error function (Press et al., Numerical Recipes, section
    6.2).
    """
    x = np.asarray(x, float)
    far = np.abs(x) / np.sqrt(2)
    t = 1 / (1 + far / 2)
    tail = t * np.exp(-far * far + np.polyval(CHEBYSHEV, t)) / 2
    return np.where(x < 0, tail, 1 - tail)


def chi_squared_tail(x: float, df: float) -> float:
    """Return the approximate probability that a chi-squared variable with df degrees of freedom
    exceeds x (Wilson & Hilferty 1931)."""
    root = 2 / (9 * df)
    return normal_cdf((1 - root - (x / df) ** (1 / 3)) / sqrt(root)).item()
