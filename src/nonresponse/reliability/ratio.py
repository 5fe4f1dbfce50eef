"""Exact arithmetic on arrays of fractions, so that the function of a measure says which of two scores is larger."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import numpy.typing as npt


class Ratio:
    """Fractions as two arrays of whole numbers, int64 or those of Python, that broadcast.

    A denominator of 0 marks an undefined value: x / 0, and anything computed from it. Supports what measures of counts
    use: + - * / with each other, with ints and with Fractions, on either side. Denominators are never negative. A
    denominator that all runs share stays a number or a column; the numerators alone then tell the order.
    """

    def __init__(self, num: npt.ArrayLike, den: npt.ArrayLike = 1) -> None:
        """From numerators and denominators of shapes that broadcast."""
        self.num, self.den = np.asarray(num), np.asarray(den)

    def __add__(self, other: Number) -> Ratio:
        other = ratio(other)
        if self.den.size == 1 and other.den.size == 1 and self.den.item() == other.den.item():
            return Ratio(self.num + other.num, self.den)
        common = np.asarray(np.lcm(self.den, other.den))  # 0 where either is undefined
        return Ratio(self.num * times(common, self.den) + other.num * times(common, other.den), common)

    def __mul__(self, other: Number) -> Ratio:
        other = ratio(other)
        return Ratio(self.num * other.num, self.den * other.den)

    def __truediv__(self, other: Number) -> Ratio:
        other = ratio(other)
        # A negative divisor would turn the denominator negative.
        sign = np.sign(other.num)
        # A parameter with many decimals makes a large divisor that both sides share.
        common = np.maximum(np.asarray(np.gcd(self.den, other.den)), 1)
        num, den = self.num * (other.den // common), self.den // common * other.num
        return Ratio(num * sign, den * sign * (other.den != 0))

    def __sub__(self, other: Number) -> Ratio:
        return self + ratio(other) * -1

    def __rsub__(self, other: Number) -> Ratio:
        return ratio(other) - self

    def __rtruediv__(self, other: Number) -> Ratio:
        return ratio(other) / self

    __radd__ = __add__
    __rmul__ = __mul__

    def floats(self) -> np.ndarray:
        """The values as float64; NaN where undefined."""
        undefined = self.den == 0
        return np.where(undefined, np.nan, self.num / np.where(undefined, 1, self.den)).astype(np.float64)


Number = Ratio | Fraction | np.ndarray | int
Scores = Ratio | np.ndarray  # exact, or float64 with NaN where undefined


def ratio(value: Number) -> Ratio:
    """The value as a Ratio."""
    if isinstance(value, Ratio):
        return value
    return Ratio(value.numerator, value.denominator) if isinstance(value, Fraction) else Ratio(value)


def times(common: np.ndarray, den: np.ndarray) -> np.ndarray:
    """How many times a denominator goes into the common one; 0 where the common one is 0 (undefined)."""
    return common // np.where(den == 0, 1, den)
