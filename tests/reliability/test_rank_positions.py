"""Exact fractions on arrays, and rank positions in the order of them, beside Python's own Fraction."""

import operator
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from literal_reliability import EDGES, FUZZINESS, literal_positions
from nonresponse.reliability.rank_positions import TOLERANCE, rank_positions
from nonresponse.reliability.ratio import Ratio

OPERATORS = [operator.add, operator.sub, operator.mul, operator.truediv]
SMALL = st.integers(-30, 30)
NUMBERS = st.one_of(SMALL, st.builds(Fraction, SMALL, st.integers(1, 12)))


def literal(operate, x, y):
    """None if undefined, or computed from something undefined."""
    if x is None or y is None or (operate is operator.truediv and y == 0):
        return None
    return operate(Fraction(x), Fraction(y))


def values(ratio: Ratio, size: int) -> list:
    num, den = np.broadcast_to(ratio.num, size).tolist(), np.broadcast_to(ratio.den, size).tolist()
    assert min(den) >= 0
    return [Fraction(n, d) if d else None for n, d in zip(num, den, strict=True)]


def totals(draw, size: int) -> tuple[Ratio, list]:
    """A total of each of some runs, or one that they all share."""
    if draw(st.booleans()):
        numbers = draw(st.lists(SMALL, min_size=size, max_size=size))
        return Ratio(np.array(numbers)), numbers
    number = draw(SMALL)
    return Ratio(number), [number] * size


@settings(max_examples=300, deadline=None)
@given(data=st.data(), size=st.integers(1, 4))
def test_the_operators_are_those_of_fractions(data, size):
    """Four steps, each with a total or a number, on the left or on the right; nothing comes back from 0/0."""
    ratio, expected = totals(data.draw, size)
    for _ in range(4):
        operate = data.draw(st.sampled_from(OPERATORS))
        if data.draw(st.booleans()):
            other, others = totals(data.draw, size)
        else:
            other = data.draw(NUMBERS)
            others = [other] * size
        if data.draw(st.booleans()):
            ratio, expected = operate(ratio, other), list(map(literal, [operate] * size, expected, others))
        else:
            ratio, expected = operate(other, ratio), list(map(literal, [operate] * size, others, expected))
    assert values(ratio, size) == expected
    floats = np.broadcast_to(ratio.floats(), size)
    assert np.isnan(floats).tolist() == [value is None for value in expected]
    assert floats[~np.isnan(floats)].tolist() == pytest.approx([float(v) for v in expected if v is not None], rel=1e-12)


def test_what_is_undefined_stays_so():
    undefined = Ratio(np.array([0, 3]), np.array([0, 0]))
    one = Ratio(np.array([1, 1]))
    for operate in OPERATORS:
        for result in (operate(undefined, one), operate(one, undefined), operate(undefined, 2), operate(2, undefined)):
            assert (result.den == 0).all() and np.isnan(result.floats()).all()
    assert ((one / 0).den == 0).all() and ((one / Ratio(0)).den == 0).all()
    assert ((undefined * 0).den == 0).all()


def test_a_shared_denominator_stays_one_number():
    n_ac, n_u, n = Ratio(np.array([3, 4])), Ratio(np.array([5, 6])), Ratio(10)
    c_at_1 = (n_ac + n_u * n_ac / n) / n
    assert c_at_1.den == 100 and values(c_at_1, 2) == [Fraction(45, 100), Fraction(64, 100)]


def check(rows: list[list], margins: dict) -> None:
    """Rows of fractions (None = undefined) against the kernel, which gets the margins as floats."""
    num = np.array([[0 if x is None else x.numerator for x in row] for row in rows])
    den = np.array([[0 if x is None else x.denominator for x in row] for row in rows])
    floats = {kind: [float(step) for step in steps] for kind, steps in margins.items()}
    position, reach = rank_positions(Ratio(num, den), floats)
    for trial, row in enumerate(rows):
        expected_position, expected_reach = literal_positions(row, margins)
        assert position[trial].tolist() == expected_position
        assert reach[trial].tolist() == expected_reach


def fractions(denominators) -> st.SearchStrategy:
    def share(den):
        return st.integers(-den, den).map(lambda num: Fraction(num, den))

    return st.one_of(st.none(), denominators.flatmap(share), st.sampled_from([Fraction(0), Fraction(1), Fraction(-1)]))


MARGINS = st.sampled_from(
    [
        {"fuzziness": FUZZINESS},
        {"difference": EDGES},
        {"fuzziness": [Fraction(0)]},
        {"difference": [Fraction(0)]},
        {"difference": [Fraction(1, 8), Fraction("0.333")]},
    ]
)


@settings(max_examples=150, deadline=None)
@given(
    margins=MARGINS,
    rows=st.integers(1, 8).flatmap(
        lambda runs: st.lists(
            st.lists(fractions(st.integers(1, 60)), min_size=runs, max_size=runs), min_size=1, max_size=4
        )
    ),
)
def test_rank_positions_of_small_fractions(margins, rows):
    check(rows, margins)


@settings(max_examples=100, deadline=None)
@given(
    times=st.sampled_from([9, 100, 10**6]),
    steps=st.lists(st.fractions(0, 3, max_denominator=50), min_size=1, max_size=3),
    row=st.lists(fractions(st.integers(1, 400)), min_size=2, max_size=8),
)
def test_rank_positions_of_scores_beyond_one(times, steps, row):
    """Those of penalty@0.9 go down to -9, those of omniscience to -100."""
    margins = {"difference": [Fraction(f"{float(step * times):.6f}") for step in steps]}
    check([[x and x * times for x in row]], margins)


@given(
    margins=MARGINS,
    rows=st.lists(st.lists(fractions(st.integers(10**8, 10**12)), min_size=5, max_size=5), min_size=1, max_size=3),
)
def test_rank_positions_of_fractions_with_large_denominators(margins, rows):
    check(rows, margins)


@pytest.mark.parametrize("den", [30_000, 10**6, 10**9, 10**12])
def test_neighbours_in_the_order_of_fractions(den):
    """Fractions as close to each other and to a margin as their denominators allow."""
    close = [Fraction(den // 2, den), Fraction(den // 2, den - 1), Fraction(den // 2 - 1, den - 1)]
    behind = [x - step for x in close for step in (Fraction(1, 100), Fraction(1, 20)) if (x - step).denominator < 2**62]
    margin = [Fraction(45 * den // 100 + k, den) for k in (-1, 0, 1)]
    check([close + behind + margin], {"difference": EDGES})
    check([close + behind + margin], {"fuzziness": FUZZINESS})


@pytest.mark.parametrize("bits", [15, 20, 28, 29, 30, 31])
def test_a_margin_missed_by_as_little_as_can_be(bits):
    """x - 1/4 and y differ by 1 / (4 d1 d2), the least that fractions over 4 d1 and over d2 can."""
    for step in range(20):
        d1, d2 = 2**bits - 4 * step - 3, 2**bits - 4 * step - 7  # both 1 more than a multiple of 4: d1 d2 = 1 mod 4
        below = -pow(d2, -1, 4 * d1) % (4 * d1)  # of 4 d1: where x is less a quarter
        x, y = Fraction(below + d1, 4 * d1), Fraction(1 + below * d2, 4 * d1 * d2)
        assert y - (x - Fraction(1, 4)) == Fraction(1, 4 * d1 * d2) and x.denominator <= d1 and y.denominator <= d2
        check([[x, y], [y, x]], {"difference": [Fraction(1, 4)]})


def test_two_fractions_that_are_one_float():
    x, y = Fraction(10**17 + 1, 2 * 10**17 + 1), Fraction(10**17, 2 * 10**17 - 1)
    assert x != y and float(x) == float(y)
    check([[x, y, None], [y, x, y], [Fraction(1, 2), y, x]], {"fuzziness": [Fraction(0), Fraction(1, 100)]})
    check([[x, y, x - Fraction(1, 10)]], {"difference": [Fraction(0), Fraction(1, 10)]})


@pytest.mark.parametrize(("kind", "steps", "astray"), [("difference", EDGES, 0.12), ("fuzziness", FUZZINESS, 0.002)])
def test_every_accuracy_of_a_hundred_questions(kind, steps, astray):
    """All scores k/100 beside each other: every difference, and many a margin, falls exactly on an edge."""
    floats = [float(step) for step in steps]
    expected_position, expected_reach = literal_positions([Fraction(k, 100) for k in range(101)], {kind: steps})
    k = np.arange(101)[None]
    for scores in (Ratio(k, 100), Ratio(k, np.full((1, 1), 100)), Ratio(k, np.full((1, 101), 100)), k / 100):
        position, reach = rank_positions(scores, {kind: floats})
        assert position[0].tolist() == expected_position and reach[0].tolist() == expected_reach
    # Without fractions or a tolerance, pairs go astray.
    _, plain = literal_positions([k / 100 for k in range(101)], {kind: floats})
    wrong = np.abs(np.array(plain) - np.array(expected_reach)).sum()
    assert wrong > astray * 5050


def test_every_c_at_1_of_ten_questions():
    """Integers over 100, many of them reached by different counts: every difference is on the edge of a bin."""
    pairs = [(n_ac, n_u) for n_ac in range(11) for n_u in range(11 - n_ac)]
    row = [(n_ac + Fraction(n_u * n_ac, 10)) / 10 for n_ac, n_u in pairs]
    n_ac, n_u = (Ratio(np.array(count)[None]) for count in zip(*pairs, strict=True))
    scores = (n_ac + n_u * n_ac / Ratio(10)) / Ratio(10)
    for kind, steps in (("difference", EDGES), ("fuzziness", FUZZINESS)):
        position, reach = rank_positions(scores, {kind: [float(step) for step in steps]})
        expected_position, expected_reach = literal_positions(row, {kind: steps})
        assert position[0].tolist() == expected_position and reach[0].tolist() == expected_reach
    assert len(set(row)) < len(row)


def test_floats_within_the_tolerance_are_equal():
    x = 0.5
    row = np.array([[x, x + TOLERANCE / 3, x + 3 * TOLERANCE, np.nan, x - 0.05 + TOLERANCE / 3]])
    _, reach = rank_positions(row, {"difference": [0.0, 0.05]})
    assert reach[0].tolist() == [[1, 1, 3, 0, 0], [1, 1, 1, 0, 0]]
    _, reach = rank_positions(-row, {"fuzziness": [0.1]})
    assert reach[0, 0].tolist() == [0, 0, 0, 0, 3]


@pytest.mark.parametrize("kind", ["fuzziness", "difference"])
def test_nobody_has_a_score(kind):
    for scores in (Ratio(np.zeros((2, 3), int), np.zeros((2, 3), int)), np.full((2, 3), np.nan)):
        position, reach = rank_positions(scores, {kind: [0.01]})
        assert (position == 3).all() and not reach.any()
