"""Intervals of scores and differences: the cells of a measure, their ends, and what has none.

tools/validation/scores.py measures how often they hold the truth.
"""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from comparing import count_outcomes
from nonresponse import measures
from nonresponse.statistics import intervals, unpaired
from nonresponse.statistics.influence import Dense
from nonresponse.statistics.outcomes import Outcomes, full_scores
from nonresponse.statistics.pairs import Pairs, select_runs
from nonresponse.statistics.pseudo_values import pseudo_values
from scipy.stats import beta, multinomial, t
from validation.scores import Source, sums

SETTINGS = {"level": 0.05, "samples": 4000, "seed": 1}


def make_outcomes(id: str, n_ac: int, n_aw: int, n_u: int) -> Outcomes:
    """One run with so many right, wrong and no answers."""
    cell = np.repeat([0, 1, 2], [n_ac, n_aw, n_u])
    return count_outcomes(id, n_ac=cell == 0, n_aw=cell == 1, n_u=cell == 2)


def interval(outcomes: Outcomes, **settings: float) -> tuple[tuple[float, float], str]:
    """Of the first run, and its method."""
    ends, method = intervals.score_intervals(
        outcomes, full_scores(outcomes), SETTINGS | settings, "c"
    )
    return tuple(ends[0]), method[0]


@pytest.mark.parametrize("id", ["accuracy", "c@1", "uf", "precision_answered", "answered"])
@pytest.mark.parametrize("counts", [(50, 0, 0), (0, 50, 0), (1, 0, 49), (20, 20, 10)])
def test_contains_the_score_and_has_a_width(id, counts):
    outcomes = make_outcomes(id, *counts)
    (low, high), method = interval(outcomes)
    assert low <= full_scores(outcomes)[0] <= high and high - low > 0.01 and method == "MOVER-J"


@pytest.mark.parametrize("right", [0, 3, 25, 50])
def test_accuracy_has_jeffreys_interval_and_clopper_and_pearsons_end_where_all_are_alike(right):
    (low, high), _ = interval(make_outcomes("accuracy", right, 50 - right, 0), samples=100_000)
    expected = beta(right + 0.5, 50 - right + 0.5).ppf([0.025, 0.975]).tolist()
    if right in (0, 50):
        end = 0.025 ** (1 / 50)
        expected = [0, 1 - end] if right == 0 else [end, 1]
    assert [low, high] == pytest.approx(expected, abs=0.001)


def test_a_combination_of_counts_has_the_interval_of_counts():
    """Without abstention it is accuracy; by Student's t, .85 of its intervals held the truth."""
    usual, _ = interval(make_outcomes("accuracy", 2, 48, 0))
    combined = make_outcomes("mean(accuracy,c@1)", 2, 48, 0)
    parts = [make_outcomes(part.id, 2, 48, 0) for part in combined.measure.parts]
    ends, method = interval(replace(combined, matrices={}, parts=parts))
    assert ends == pytest.approx(usual, abs=0.005) and method == "MOVER-J"


def test_a_mean_over_pairs_of_questions_counts_each_question_twice():
    """Student's t as of a sum, with half a question at 2 · 0 - value and at 2 · 0.5 - value."""
    outcomes = Source("qa", "augrc", sums).draw(np.random.default_rng(2), (1, 30), 0.4)
    [value], [psi] = full_scores(outcomes), pseudo_values(outcomes)
    low_end, high_end = -value, 1 - value  # value + 2 (0 - value), value + 2 (0.5 - value)
    middle = (30 * value + (low_end + high_end) / 2) / 31
    squares = psi.var(ddof=1) * 29 + 30 * (value - middle) ** 2
    squares += ((low_end - middle) ** 2 + (high_end - middle) ** 2) / 2
    half = t(29).ppf(0.975) * np.sqrt(squares / 30 / 31)
    ends, method = interval(outcomes)
    expected = max(middle - half, 0), min(middle + half, 0.5)
    assert ends == pytest.approx(expected, abs=1e-6) and method == "Student's t"


@pytest.mark.parametrize("share", [0.2, 0.8])
def test_a_correlation_has_the_jackknifed_interval_of_fishers_z(share):
    """Of as many degrees of freedom as there are answers of the rarer kind, less one."""
    draw = np.random.default_rng(3)
    right = draw.random(40) < share
    sure = np.round(draw.random(40) * 0.5 + 0.2 * right, 3)
    source = {"m": np.ones(40), "s": sure, "c": right, "sc": sure * right, "hh": sure**2}
    outcomes = count_outcomes("r", **source)
    excluded = [np.arange(40) != place for place in range(40)]
    z = np.arctanh([np.corrcoef(sure[rows], right[rows])[0, 1] for rows in excluded])
    error = np.sqrt(39 / 40 * ((z - z.mean()) ** 2).sum())
    far = t(min(right.sum(), 40 - right.sum()) - 1).ppf(0.975) * error
    expected = np.tanh(np.arctanh(np.corrcoef(sure, right)[0, 1]) + np.array([-far, far]))
    ends, method = interval(outcomes)
    assert ends == pytest.approx(expected.tolist(), abs=1e-6) and method == "Fisher's z"
    alone = np.zeros(40)
    alone[3] = 1  # without it, all answers are wrong
    assert interval(count_outcomes("r", **source | {"c": alone, "sc": sure * alone}))[1] == ""


def test_no_question_is_neither_correct_nor_wrong_nor_unanswered():
    """Of 20 questions with one error, half a question more moved wrong_rate to .979 at most."""
    cells, _ = intervals.count_cells(make_outcomes("wrong_rate", 19, 1, 0))
    assert frozenset("n") not in cells


STATES = [frozenset({"n", name}) for name in ("n_ac", "n_u", "n_aw")]
RARE = ((0.99, 0.01, 0), (0.98, 0.019, 0.001), (0, 0.02, 0.98), (0.005, 0.9, 0.095))
IDS = "accuracy precision_answered f_simpleqa c@1 uf formula_score@4 penalty@0.75"


@pytest.mark.parametrize("id", IDS.split())
@pytest.mark.parametrize("shares", [*RARE, (0.05, 0, 0.95), (0.7, 0.2, 0.1), (0.5, 0, 0.5)])
def test_intervals_hold_the_truth_where_a_state_is_rare(id, shares):
    """Exactly, over all numbers of correct, unanswered and wrong answers to 20 questions. Draws of
    shares did in .82 of the campaigns, where .99 are correct and .01 unanswered."""
    measure, number = measures.get("qa", id), range(21)
    counts = np.array([(a, u, 20 - a - u) for a in number for u in number if a + u <= 20], float)
    score = intervals.score_cells(measure, STATES, counts)
    low, high = intervals.combine_shares(measure, STATES, counts, score, 0.05).T
    truth = intervals.score_cells(measure, STATES, np.array(shares))
    chance = multinomial(20, shares).pmf(counts) * np.isfinite(score)
    holds = (low <= truth + 1e-9) & (truth <= high + 1e-9)
    assert chance[holds].sum() > 0.929 * chance.sum()


def test_a_difference_ends_at_the_largest_that_there_can_be():
    """At four questions, one lay between -1.55 and 1.95."""
    usual = select_runs(count_outcomes("accuracy", n_ac=np.ones((2, 4)))).pairs
    psi = np.array([[1, 1, 0, -1], [0, 0, 0, 0]], float)
    pairs = Pairs(psi.mean(axis=1), Dense(psi), usual.largest, score_range=usual.score_range)
    assert pairs.interval(0.05).tolist() == [[-1, 1]]


# Czech SimpleQA
COUNTS = {"n_ac": [1345, 1225], "n_aw": [2904, 2329], "n_u": [77, 772]}
PARTS = [*COUNTS]


@pytest.mark.parametrize("id", ["accuracy", "c@1"])
def test_published_counts_have_intervals(id):
    measure = measures.get("qa", id)
    board = pl.DataFrame({"run": ["a", "b"], "rank": [1, 2], "trivial": False, **COUNTS, "n": 4326})
    value = measure.function(*(board[name] for name in measure.totals))
    board = board.with_columns(pl.Series(id, value))
    table = unpaired.compare_leaders(board, PARTS, measure, 0.05)
    assert f"{id} lower" in unpaired.add_intervals(board, PARTS, [measure], 0.05).columns
    draw, scores = np.random.default_rng(7), []
    for row in board.select(PARTS).rows():
        shares = draw.dirichlet(np.array(row) + 0.5, 200_000).T
        totals = dict(zip(PARTS, shares, strict=True)) | {"n": 1}
        scores.append(measure.function(**{name: totals[name] for name in measure.totals}))
    ends = np.quantile(scores[0] - scores[1], [0.025, 0.975])
    assert table.select("lower", "upper").row(0) == pytest.approx(ends, abs=0.001)
    assert table["p_maxt"].is_null().all()


@pytest.mark.parametrize(("id", "n_ac"), [("cws", 1345), ("accuracy", 10.5)])
def test_orders_and_counts_that_are_no_whole_numbers_have_none(id, n_ac):
    board = pl.DataFrame({"run": ["a", "b"], "rank": [1, 2], "trivial": False, **COUNTS, "n": 4326})
    board, measure = board.with_columns(n_ac=pl.lit(n_ac), **{id: 0.5}), measures.get("qa", id)
    assert unpaired.compare_leaders(board, PARTS, measure, 0.05) is None
