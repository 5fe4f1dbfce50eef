"""Stability beside figure 1 of Peñas & Rodrigo 2011 in plain loops, on the same subsets: every counter the same."""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from literal_reliability import (
    ALL,
    FUZZINESS,
    MANY_DECIMALS,
    SLACK,
    campaign,
    figure_1,
    many_decimals,
    of_each_kind,
    rates,
)
from nonresponse import measures
from nonresponse.statistics import stability
from nonresponse.statistics.outcomes import Outcomes, only
from nonresponse.statistics.subsets import subsets

SIZE, TRIALS = 9, range(12)
MARGINS = [float(f) for f in FUZZINESS]


def drawn(seen: Outcomes, size: int, trials: range):
    """subset_of(x, y, trial), from the project's own draws."""

    first, _ = subsets(1, "c", seen.n, size, trials)
    drawn = [tuple(np.flatnonzero(row)) for row in first]
    return lambda x, y, trial: drawn[trial]


def assert_counters(seen: Outcomes, score, size: int = SIZE, trials: range = TRIALS) -> tuple:
    """Wins and comparisons of every pair against figure 1, and the table against equations 7 and 8."""
    slack = 0 if seen.measure.kind == "counts" else SLACK
    wins, compared = stability.counters(seen, 1, "c", size, trials, MARGINS)
    found = stability.error_rates(wins, compared, MARGINS)
    assert found.columns == ["fuzziness", "comparisons", "errors", "equal", "error_rate", "ties"]
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
        assert row["comparisons"] == sum(eq.values()) + sum(gt.values()) and row["equal"] == sum(eq.values())
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


def test_the_cases_are_not_trivial():
    """Among them: undefined scores, negative ones, wins, errors and ties."""
    undefined = errors = equal = 0
    for measure in ALL:
        seen, score = campaign(measure, 2, excluding=True)
        wins, compared = stability.counters(seen, 1, "c", SIZE, TRIALS, MARGINS)
        pairs = np.triu_indices(len(seen.runs), 1)
        undefined += (compared[pairs] < len(TRIALS)).any()
        table = stability.error_rates(wins, compared, MARGINS)
        errors, equal = errors + table["errors"].sum(), equal + table["equal"].sum()
    seen, score = campaign(measures.get("qa", "uf"), 3, excluding=True)
    assert min(score(run, range(seen.n)) for run in range(6)) < 0
    assert undefined > 10 and errors > 1000 and equal > 1000


def accuracy_of(rights: list[int], n: int) -> Outcomes:
    """Runs with so many right answers, each to the first questions."""
    matrix = np.array([[question < right for question in range(n)] for right in rights], np.float32)
    names = [f"run{i:03}" for i in range(len(rights))], [f"q{i:03}" for i in range(n)]
    return Outcomes(measures.get("qa", "accuracy"), *names, {"n_ac": matrix, "n": np.ones((1, n), np.float32)})


@pytest.mark.slow
def test_a_difference_that_is_exactly_the_margin_is_no_tie():
    """Half of 200 questions: differences k/100 and margins f·k/100 meet; plain floats call some of those a tie."""
    seen = accuracy_of([200, 198, 196, 190, 180, 171, 120, 114, 100, 90, 40, 38, 20, 19, 18], 200)

    def score(run, some):
        return Fraction(int(seen.matrices["n_ac"][run, list(some)].sum()), len(some))

    assert_counters(seen, score, 100, range(10))
    subset_of, runs = drawn(seen, 100, range(10)), range(len(seen.runs))
    met = astray = 0
    for f in FUZZINESS:
        exact, _ = figure_1(cache(score), runs, subset_of, range(10), f)
        plain, _ = figure_1(cache(lambda *asked: float(score(*asked))), runs, subset_of, range(10), float(f))
        astray += sum(abs(plain[pair] - exact[pair]) for pair in exact | plain)
        for trial in range(10):
            values = [score(run, subset_of(0, 0, trial)) for run in runs]
            met += sum(a > b and a - b == f * a for a in values for b in values)
    assert met > 5 and astray > 0


def test_equal_scores_are_a_tie_even_without_a_margin():
    """The printed algorithm would let y win if both have nothing right: the margin is 0 then."""
    seen = accuracy_of([0, 0, 3], 8)
    wins, compared = stability.counters(seen, 1, "c", 4, range(10), [0.1])
    assert wins[0, 0, 1] == wins[0, 1, 0] == 0 and compared[0, 1] == 10


def test_blocks_of_trials_add_up():
    seen, _ = campaign(measures.get("qa", "precision_answered"), 3, excluding=True)
    whole = stability.counters(seen, 1, "c", SIZE, range(30), MARGINS)
    parts = [stability.counters(seen, 1, "c", SIZE, part, MARGINS) for part in (range(7), range(7, 8), range(8, 30))]
    assert all((sum(part[i] for part in parts) == whole[i]).all() for i in range(2))


def test_more_trials_than_a_byte_counts():
    seen = accuracy_of([4, 0], 8)
    wins, compared = stability.counters(seen, 1, "c", 4, range(600), [0.01])
    assert wins[0, 1, 0] == 0 and compared[0, 1] == 600
    first, _ = subsets(1, "c", 8, 4, range(600))
    assert wins[0, 0, 1] == (first[:, :4].sum(axis=1) > 0).sum()


@pytest.mark.parametrize("runs", [1, 300])
def test_one_run_and_many(runs):
    """More runs than fit the cache at once are counted in several goes."""
    draw = np.random.default_rng(runs)
    seen = accuracy_of(draw.integers(0, 30, runs).tolist(), 30)
    wins, compared = stability.counters(seen, 1, "c", 10, range(4), MARGINS)
    first, _ = subsets(1, "c", 30, 10, range(4))
    right = (first @ seen.matrices["n_ac"].T).astype(int)
    for level in range(10):
        margin = (level + 1) * right[:, :, None]  # in hundredths of a question
        ahead = (right[:, :, None] > right[:, None]) & (100 * (right[:, :, None] - right[:, None]) >= margin)
        assert (wins[level] == ahead.sum(axis=0)).all()
    assert (compared == 4).all()
    table = stability.error_rates(wins, compared, MARGINS)
    assert (table["error_rate"].null_count() == 10) == (runs == 1)


def test_the_order_of_the_runs_and_more_runs_change_nothing():
    seen, _ = campaign(measures.get("validation", "fu@0.5"), 4)
    order = [3, 0, 5, 2, 4, 1]
    whole = stability.counters(seen, 1, "c", SIZE, TRIALS, MARGINS)
    turned = stability.counters(only(seen, order), 1, "c", SIZE, TRIALS, MARGINS)
    assert (turned[0] == whole[0][:, order][:, :, order]).all() and (turned[1] == whole[1][order][:, order]).all()
    fewer, _ = stability.counters(only(seen, [1, 4]), 1, "c", SIZE, TRIALS, MARGINS)
    assert (fewer == whole[0][:, [1, 4]][:, :, [1, 4]]).all()


@pytest.mark.parametrize("id", MANY_DECIMALS)
def test_parameters_with_many_decimals(id):
    assert_counters(*many_decimals(id), 200, range(5))
