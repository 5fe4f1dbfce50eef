"""Rank positions beside those of Python's own fractions."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from literal_reliability import EDGES, FUZZINESS, literal_positions
from nonresponse.statistics.rank_positions import TOLERANCE, rank_positions


def check(rows: list[list], margins: dict) -> None:
    """Rows of fractions (None = undefined) against the kernel, which gets the margins as floats."""
    scores = np.array([[np.nan if x is None else float(x) for x in row] for row in rows])
    floats = {kind: [float(step) for step in steps] for kind, steps in margins.items()}
    position, reach = rank_positions(scores, floats)
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


@pytest.mark.parametrize(("kind", "steps", "astray"), [("difference", EDGES, 0.12), ("fuzziness", FUZZINESS, 0.002)])
def test_every_accuracy_of_a_hundred_questions(kind, steps, astray):
    """All scores k/100 beside each other: every difference, and many a margin, falls exactly on an edge."""
    floats = [float(step) for step in steps]
    expected_position, expected_reach = literal_positions([Fraction(k, 100) for k in range(101)], {kind: steps})
    position, reach = rank_positions(np.arange(101)[None] / 100, {kind: floats})
    assert position[0].tolist() == expected_position and reach[0].tolist() == expected_reach
    # Without a tolerance, pairs go astray.
    _, plain = literal_positions([k / 100 for k in range(101)], {kind: floats})
    wrong = np.abs(np.array(plain) - np.array(expected_reach)).sum()
    assert wrong > astray * 5050


def test_every_c_at_1_of_ten_questions():
    """Integers over 100, many of them reached by different counts: every difference is on the edge of a bin."""
    pairs = [(n_ac, n_u) for n_ac in range(11) for n_u in range(11 - n_ac)]
    row = [(n_ac + Fraction(n_u * n_ac, 10)) / 10 for n_ac, n_u in pairs]
    n_ac, n_u = (np.array(count, np.float64)[None] for count in zip(*pairs, strict=True))
    scores = (n_ac + n_u * n_ac / 10) / 10
    for kind, steps in (("difference", EDGES), ("fuzziness", FUZZINESS)):
        _, reach = rank_positions(scores, {kind: [float(step) for step in steps]})
        assert reach[0].tolist() == literal_positions(row, {kind: steps})[1]
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
    position, reach = rank_positions(np.full((2, 3), np.nan), {kind: [0.01]})
    assert (position == 3).all() and not reach.any()
