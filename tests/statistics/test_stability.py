"""Stability beside figure 1 of Peñas & Rodrigo 2011 in plain loops, on the same subsets."""

from functools import cache
from itertools import combinations

import numpy as np
import pytest
from literal_reliability import FUZZINESS, SLACK, campaign, each_kind, figure_1
from nonresponse import measures
from nonresponse.statistics import stability
from nonresponse.statistics.outcomes import Outcomes
from nonresponse.statistics.subsets import draw_subsets

MARGINS = [float(f) for f in FUZZINESS]


def assert_counters(outcomes: Outcomes, score, size: int = 9, trials: range = range(12)) -> None:
    """Comparisons, wins and errors over all pairs, against figure 1."""
    slack = 0 if outcomes.measure.kind == "counts" else SLACK
    comparisons, wins, errors = stability.count_trials(outcomes, 1, "c", size, trials, MARGINS)
    subset, _ = draw_subsets(1, "c", outcomes.n, [(size, trial) for trial in trials])
    subsets, runs = [tuple(np.flatnonzero(row)) for row in subset], range(len(outcomes.runs))
    score, pairs = cache(score), list(combinations(runs, 2))
    for level, f in enumerate(FUZZINESS):
        eq, gt = figure_1(score, runs, lambda x, y, trial: subsets[trial], trials, f, slack)
        assert wins[level] == sum(gt[x, y] + gt[y, x] for x, y in pairs)
        assert errors[level] == sum(min(gt[x, y], gt[y, x]) for x, y in pairs)
        assert comparisons == wins[level] + sum(eq[x, y] for x, y in pairs)


@each_kind
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


def test_equal_scores_are_a_tie_even_without_a_margin_and_more_trials_than_a_byte_counts():
    """The printed algorithm would let y win if both have nothing right: the margin is 0 then."""
    outcomes = accuracy_of([4, 0, 0], 8)
    comparisons, [wins], [errors] = stability.count_trials(outcomes, 1, "c", 4, range(600), [0.1])
    subset, _ = draw_subsets(1, "c", 8, [(4, trial) for trial in range(600)])
    assert wins == 2 * (subset[:, :4].sum(axis=1) > 0).sum()
    assert comparisons == 1800 and errors == 0


@pytest.mark.parametrize("runs", [1, 300])
def test_one_run_and_many(runs):
    """More runs than fit the cache at once are counted in several goes."""
    outcomes = accuracy_of(np.random.default_rng(runs).integers(0, 30, runs).tolist(), 30)
    comparisons, wins, errors = stability.count_trials(outcomes, 1, "c", 10, range(4), MARGINS)
    subset, _ = draw_subsets(1, "c", 30, [(10, trial) for trial in range(4)])
    right = (subset @ outcomes.matrices["n_ac"].T).astype(int)
    for level in range(10):
        margin = (level + 1) * right[:, :, None]  # in hundredths of a question
        ahead = (right[:, :, None] > right[:, None]) & (
            100 * (right[:, :, None] - right[:, None]) >= margin
        )
        won = ahead.sum(axis=0)
        assert wins[level] == won.sum() and errors[level] == np.minimum(won, won.T).sum() // 2
    assert comparisons == 4 * runs * (runs - 1) // 2
    [table] = stability.make(outcomes, "gold", "c", {"seed": 1, "trials": 4, "fuzziness": MARGINS})
    assert (table["error_rate"].null_count() == 10) == (runs == 1)
