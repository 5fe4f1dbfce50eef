"""Stability beside figure 1 of Peñas & Rodrigo 2011 in plain loops, on the same subsets: every
counter the same."""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from literal_reliability import (
    FUZZINESS,
    MANY_DECIMALS,
    SLACK,
    campaign,
    figure_1,
    literal_positions,
    many_decimals,
    of_each_kind,
    rates,
)
from nonresponse import measures
from nonresponse.statistics import stability
from nonresponse.statistics.outcomes import Outcomes
from nonresponse.statistics.subsets import subsets

SIZE, TRIALS = 9, range(12)
MARGINS = [float(f) for f in FUZZINESS]


def drawn(seen: Outcomes, size: int, trials: range):
    """subset_of(x, y, trial), from the project's own draws."""

    first, _ = subsets(1, "c", seen.n, size, trials)
    drawn = [tuple(np.flatnonzero(row)) for row in first]
    return lambda x, y, trial: drawn[trial]


def assert_counters(seen: Outcomes, score, size: int = SIZE, trials: range = TRIALS) -> tuple:
    """Wins and comparisons of every pair against figure 1, and the table against equations 7 and
    8."""
    slack = 0 if seen.measure.kind == "counts" else SLACK
    wins, compared = stability.count_wins(seen, 1, "c", size, trials, MARGINS)
    options = {"seed": 1, "size": size, "trials": len(trials), "fuzziness": MARGINS}
    [found] = stability.make(seen, "gold", "c", options)
    assert found.columns == list(stability.STABILITY)
    assert found["fuzziness"].to_list() == MARGINS
    score, subset_of, runs = cache(score), drawn(seen, size, trials), range(len(seen.runs))
    for level, f in enumerate(FUZZINESS):
        eq, gt = figure_1(score, runs, subset_of, trials, f, slack)
        for x in runs:
            for y in runs:
                assert wins[level, x, y] == gt[x, y], (x, y)
                if x < y:
                    assert compared[x, y] == compared[y, x] == gt[x, y] + gt[y, x] + eq[x, y]
        error_rate, ties = rates(eq, gt)
        row = found.row(level, named=True)
        assert row["comparisons"] == sum(eq.values()) + sum(gt.values()) and row["equal"] == sum(
            eq.values()
        )
        if error_rate is None:
            assert row["error_rate"] is None and row["ties"] is None
        else:
            assert (row["error_rate"], row["ties"]) == (float(error_rate), float(ties))
            assert row["errors"] == error_rate * row["comparisons"]
    return wins, compared


@of_each_kind
def test_figure_1_literally(measure):
    for seed, excluding in ((1, False), (3, True)):
        assert_counters(*campaign(measure, seed, excluding=excluding))


def accuracy_of(rights: list[int], n: int) -> Outcomes:
    """Runs with so many correct answers, each to the first questions."""
    matrix = np.array([[question < right for question in range(n)] for right in rights], np.float32)
    names = [f"run{i:03}" for i in range(len(rights))], [f"q{i:03}" for i in range(n)]
    return Outcomes(
        measures.get("qa", "accuracy"), *names, {"n_ac": matrix, "n": np.ones((1, n), np.float32)}
    )


def test_equal_scores_are_a_tie_even_without_a_margin():
    """The printed algorithm would let y win if both have nothing right: the margin is 0 then."""
    seen = accuracy_of([0, 0, 3], 8)
    wins, compared = stability.count_wins(seen, 1, "c", 4, range(10), [0.1])
    assert wins[0, 0, 1] == wins[0, 1, 0] == 0 and compared[0, 1] == 10


def test_more_trials_than_a_byte_counts():
    seen = accuracy_of([4, 0], 8)
    wins, compared = stability.count_wins(seen, 1, "c", 4, range(600), [0.01])
    assert wins[0, 1, 0] == 0 and compared[0, 1] == 600
    first, _ = subsets(1, "c", 8, 4, range(600))
    assert wins[0, 0, 1] == (first[:, :4].sum(axis=1) > 0).sum()


@pytest.mark.parametrize("runs", [1, 300])
def test_one_run_and_many(runs):
    """More runs than fit the cache at once are counted in several goes."""
    draw = np.random.default_rng(runs)
    seen = accuracy_of(draw.integers(0, 30, runs).tolist(), 30)
    wins, compared = stability.count_wins(seen, 1, "c", 10, range(4), MARGINS)
    first, _ = subsets(1, "c", 30, 10, range(4))
    right = (first @ seen.matrices["n_ac"].T).astype(int)
    for level in range(10):
        margin = (level + 1) * right[:, :, None]  # in hundredths of a question
        ahead = (right[:, :, None] > right[:, None]) & (
            100 * (right[:, :, None] - right[:, None]) >= margin
        )
        assert (wins[level] == ahead.sum(axis=0)).all()
    assert (compared == 4).all()
    [table] = stability.make(
        seen, "gold", "c", {"seed": 1, "size": 10, "trials": 4, "fuzziness": MARGINS}
    )
    assert (table["error_rate"].null_count() == 10) == (runs == 1)


@pytest.mark.parametrize("id", MANY_DECIMALS)
def test_parameters_with_many_decimals(id):
    assert_counters(*many_decimals(id), 200, range(5))


def fractions(denominators) -> st.SearchStrategy:
    def share(den):
        return st.integers(-den, den).map(lambda num: Fraction(num, den))

    return st.one_of(
        st.none(),
        denominators.flatmap(share),
        st.sampled_from([Fraction(0), Fraction(1), Fraction(-1)]),
    )


@settings(max_examples=100, deadline=None)
@given(
    steps=st.sampled_from([FUZZINESS, [Fraction(0)], [Fraction(1, 8), Fraction("0.333")]]),
    rows=st.integers(1, 20).flatmap(
        lambda runs: st.lists(
            st.lists(fractions(st.integers(1, 60)), min_size=runs, max_size=runs), max_size=3
        )
    ),
)
def test_rank_positions_of_small_fractions(steps, rows):
    """None = undefined."""
    rows += [[Fraction(k, 100) for k in range(len(rows[0]))] if rows else [None]]
    scores = np.array([[np.nan if x is None else float(x) for x in row] for row in rows])
    position, reach = stability.rank_positions(scores, [float(step) for step in steps])
    for trial, row in enumerate(rows):
        assert (position[trial].tolist(), reach[trial].tolist()) == literal_positions(
            row, {"fuzziness": steps}
        )
