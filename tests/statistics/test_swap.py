"""The swap method beside figure 3 of Peñas & Rodrigo 2011 in plain loops, on the same subsets: the same counters."""

from fractions import Fraction
from functools import cache

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from literal_reliability import ALL, EDGES, MANY_DECIMALS, SLACK, campaign, figure_3, many_decimals, of_each_kind
from nonresponse import measures
from nonresponse.statistics import swap
from nonresponse.statistics.outcomes import Outcomes, only
from nonresponse.statistics.subsets import subsets
from sklearn.isotonic import IsotonicRegression

SIZE, TRIALS = 9, range(12)
LOWER = swap.lower_bounds()
OF_TABLE_2 = "respubliqa-2009-simulated"


def drawn(seen: Outcomes, size: int, trials: range):
    """halves_of(x, y, trial), from the project's own draws."""

    halves = subsets(1, "c", seen.n, size, trials)
    drawn = [tuple(tuple(np.flatnonzero(half[row]).tolist()) for half in halves) for row in range(len(trials))]
    return lambda x, y, trial: drawn[trial]


def counters(seen: Outcomes, size: int, trials: range, lower: list) -> tuple:
    of_draws, most = swap.counters(seen, 1, "c", [(size, trial) for trial in trials], lower)
    return *(part.sum(axis=0) for part in swap.in_parts(of_draws)), most


def highest(score, runs, halves_of, trials):
    pairs = [(x, y) for x in runs for y in runs if x < y]
    values = [score(run, half) for pair in pairs for t in trials for half in halves_of(*pair, t) for run in pair]
    return max((value for value in values if value is not None), default=None)


def assert_counters(seen: Outcomes, score, size: int = SIZE, trials: range = TRIALS, edges=tuple(EDGES)):
    slack = 0 if seen.measure.kind == "counts" else SLACK
    comparisons, swaps, _, most = counters(seen, size, trials, [float(edge) for edge in edges])
    score, halves_of, runs = cache(score), drawn(seen, size, trials), range(len(seen.runs))
    counter, swap_counter = figure_3(score, runs, halves_of, trials, list(edges), slack)
    assert comparisons.tolist() == counter and swaps.tolist() == swap_counter
    should = highest(score, runs, halves_of, trials)
    assert most != most if should is None else most == pytest.approx(float(should), abs=1e-12)
    return comparisons, swaps


@of_each_kind
def test_figure_3_literally(measure):
    edges = tuple(measure.scale * edge for edge in EDGES)
    for seed, excluding in ((1, False), (2, True)):
        assert_counters(*campaign(measure, seed, excluding=excluding), edges=edges)


@pytest.mark.parametrize("edges", [[0, Fraction(1, 2)], [Fraction(k, 8) for k in range(6)], [0, Fraction("0.333")]])
@pytest.mark.parametrize("id", ["c@1", "precision_answered", "k1", "cws"])
def test_other_bins(id, edges):
    assert_counters(*campaign(measures.get("qa", id), 4, excluding=True), edges=tuple(map(Fraction, edges)))


def test_the_cases_are_not_trivial():
    """Among them: comparisons left out, and swaps and comparisons in the first bin, between, and in the open one."""
    left_out, found = 0, np.zeros((2, 21), int)
    for measure in ALL:
        seen, _ = campaign(measure, 2, excluding=True)
        comparisons, swaps, *_ = counters(seen, SIZE, TRIALS, LOWER)
        left_out += 0 < comparisons.sum() < 15 * len(TRIALS)
        found += comparisons, swaps
    assert left_out > 10 and (found > 0).all()


def by_integers(right: np.ndarray, other: np.ndarray) -> tuple[list, list]:
    """Figure 3 for accuracy on 100 questions, in numbers of questions, which are the bins."""
    counter, swap_counter = [0] * 21, [0] * 21
    x, y = np.triu_indices(right.shape[1], 1)
    d, d_other = right[:, x] - right[:, y], other[:, x] - other[:, y]
    for a, b in zip(d.ravel().tolist(), d_other.ravel().tolist(), strict=True):
        counter[min(abs(a), 20)] += 1
        swap_counter[min(abs(a), 20)] += a * b < 0
    return counter, swap_counter


def test_accuracy_of_a_hundred_questions_is_always_on_an_edge():
    """Every difference is k/100; in plain floats, a third of those within the bins fall below the edge."""
    draw = np.random.default_rng(2011)
    skill = draw.uniform(0.3, 0.7, (12, 1))
    right = (draw.random((12, 200)) < skill).astype(np.float32)
    names = [f"run{i:02}" for i in range(12)], [f"q{i:03}" for i in range(200)]
    accuracy = measures.get("qa", "accuracy")
    seen = Outcomes(accuracy, *names, {"n_ac": right, "n": np.ones((1, 200), np.float32)})
    halves = subsets(1, "c", 200, 100, range(30))
    counts = [(half @ right.T).astype(int) for half in halves]
    exact = by_integers(*counts)
    comparisons, swaps, _, most = counters(seen, 100, range(30), LOWER)
    assert (comparisons.tolist(), swaps.tolist()) == exact and most == max(map(np.max, counts)) / 100

    def plain(run, some):
        return float(right[run, list(some)].sum()) / 100

    floats, _ = figure_3(cache(plain), range(12), drawn(seen, 100, range(30)), range(30), LOWER)
    moved = np.abs(np.cumsum(floats) - np.cumsum(exact[0])).sum()
    assert moved > 0.3 * comparisons[:-1].sum()


def test_equal_scores_are_compared_but_never_swapped():
    right = np.array([[1, 1, 1, 1], [1, 1, 1, 1], [0, 0, 0, 0]], np.float32)
    seen = Outcomes(
        measures.get("qa", "accuracy"), list("abc"), list("wxyz"), {"n_ac": right, "n": np.ones((1, 4), np.float32)}
    )
    comparisons, swaps, ties, most = counters(seen, 2, range(5), LOWER)
    assert comparisons.tolist() == [5] + [0] * 19 + [10] and not swaps.any() and (ties, most) == (5, 1)


def test_nothing_can_be_compared():
    """One run; no run with a score."""
    seen, _ = campaign(measures.get("qa", "precision_answered"), 1)
    alone = only(seen, [2])
    silent = Outcomes(seen.measure, seen.runs, seen.questions, {name: 0 * m for name, m in seen.matrices.items()})
    for some in (alone, silent):
        comparisons, swaps, ties, most = counters(some, SIZE, TRIALS, LOWER)
        assert not comparisons.any() and not swaps.any() and ties == 0
        table = swap.swap_rates(comparisons, swaps, ties, most, SIZE, LOWER)
        assert table["swap_rate"].null_count() == len(LOWER)
        assert swap.sensitivity(table, 0.05)["required_difference"] is None
    assert table["highest"].null_count() == len(LOWER)


def test_many_runs_and_ties():
    """More than one byte of marks per row, against a comparison of all pairs at once."""
    draw = np.random.default_rng(3)
    right = (draw.random((70, 40)) < 0.5).astype(np.float32)
    names = [f"run{i:02}" for i in range(70)], [f"q{i:02}" for i in range(40)]
    seen = Outcomes(measures.get("qa", "accuracy"), *names, {"n_ac": right, "n": np.ones((1, 40), np.float32)})
    comparisons, swaps, ties, _ = counters(seen, 20, range(10), LOWER)
    first, second = ((half @ right.T).astype(int) for half in subsets(1, "c", 40, 20, range(10)))
    x, y = np.triu_indices(70, 1)
    d, d_other = first[:, x] - first[:, y], second[:, x] - second[:, y]
    bins = np.minimum(abs(d) * 5, 20)  # a question is 0.05
    assert comparisons.tolist() == np.bincount(bins.ravel(), minlength=21).tolist()
    assert swaps.tolist() == np.bincount(bins[d * d_other < 0], minlength=21).tolist()
    assert ties == (d == 0).sum()


def test_the_order_of_the_runs_changes_nothing():
    seen, _ = campaign(measures.get("qa", "wrong_rate"), 4, excluding=True)
    whole = counters(seen, SIZE, TRIALS, LOWER)
    turned = counters(only(seen, [3, 0, 5, 2, 4, 1]), SIZE, TRIALS, LOWER)
    assert all(np.array_equal(a, b) for a, b in zip(whole, turned, strict=True))


def test_table_and_sensitivity_by_hand():
    """Table 2 of Peñas & Rodrigo 2011 in small: (i) the first bin within the level, (ii)-(iv), and a warning."""
    comparisons, swaps = np.array([40, 20, 20, 20, 0]), np.array([20, 1, 2, 0, 0])
    table = swap.swap_rates(comparisons, swaps, 10, 0.8, 250, [0.0, 0.01, 0.02, 0.03, 0.04])
    assert table["swap_rate"].to_list() == [0.5, 0.05, 0.1, 0.0, None] and table["bin"].to_list() == [1, 2, 3, 4, 5]
    assert table["highest"].unique().to_list() == [0.8] and table["size"].unique().to_list() == [250]
    assert table["ties"].to_list() == [10, 0, 0, 0, 0]
    assert swap.fitted(table)[:4].to_list() == pytest.approx([20 / 30, 3 / 40, 3 / 40, 0]), "0.05 and 0.10 are pooled"
    row = swap.sensitivity(table, 0.05)
    assert row == {
        "size": 250,
        "required_difference": 0.03,
        "required_lower": 0.03,
        "required_upper": 0.03,
        "highest_value": 0.8,
        "relative_difference": 0.03 / 0.8,
        "sensitivity": 0.2,
        "literal_required_difference": 0.01,
        "literal_relative_difference": 0.01 / 0.8,
        "literal_sensitivity": 0.6,
        "warning": "the swap rate exceeds 0.05 again at 0.02",
    }
    uncertain = swap.sensitivity(table.with_columns(error=pl.lit(0.02)), 0.05)
    assert (uncertain["required_lower"], uncertain["required_upper"]) == (0.01, 0.03)
    strict = swap.sensitivity(table, 0.01)
    assert (strict["literal_required_difference"], strict["literal_sensitivity"], strict["warning"]) == (0.03, 0.2, "")
    often = table.with_columns(swaps=pl.col("comparisons") // 2, swap_rate=pl.lit(0.5))
    never = swap.sensitivity(often, 0.05)
    assert never["required_difference"] is None and never["sensitivity"] is None and never["highest_value"] == 0.8
    assert never["literal_required_difference"] is None and never["warning"] == ""


def test_equal_scores_are_no_difference_that_can_be_relied_on():
    """With runs that mostly tie, as in nil_recall, the literal rule would accept a difference of 0."""
    table = swap.swap_rates([1000, 30, 30], [10, 12, 9], 900, 0.8, 250, [0.0, 0.01, 0.02])
    row = swap.sensitivity(table, 0.05)
    assert row["literal_required_difference"] == 0 and row["literal_sensitivity"] == 1 and row["warning"]
    assert row["required_difference"] is None and row["sensitivity"] is None
    only_ties = swap.swap_rates([50, 0, 9, 4], [0, 0, 0, 0], 50, 0.8, 250, [0.0, 0.01, 0.02, 0.03])
    assert swap.fitted(only_ties).to_list() == [None, None, 0, 0]
    assert swap.sensitivity(only_ties, 0.05)["required_difference"] == 0.02
    open_bin = swap.swap_rates([50, 0, 9], [0, 0, 0], 50, 0.8, 250, [0.0, 0.01, 0.02])
    row = swap.sensitivity(open_bin, 0.05)
    assert row["required_difference"] is None, "in the last bin, the foot says nothing of what is beyond it"
    assert row["literal_required_difference"] == 0


@given(st.lists(st.tuples(st.integers(0, 30), st.floats(0, 1)), min_size=1, max_size=9))
def test_fitted_rates_never_rise_and_are_those_of_scikit_learn(bins):
    comparisons = np.array([number for number, _ in bins])
    swaps = np.array([round(number * share) for number, share in bins])
    table = swap.swap_rates(comparisons, swaps, 0, 0.8, 250, [0.01 * k for k in range(len(bins))])
    seen = comparisons > 0
    fitted = swap.fitted(table)
    assert fitted.is_null().to_list() == (~seen).tolist()
    if seen.any():
        model = IsotonicRegression(increasing=False)
        rates = swaps[seen] / comparisons[seen]
        expected = model.fit_transform(np.arange(seen.sum()), rates, sample_weight=comparisons[seen])
        assert fitted.drop_nulls().to_list() == pytest.approx(expected.tolist())


def test_lower_bounds_are_the_decimals_that_one_writes():
    assert swap.lower_bounds() == [float(f"0.{k:02}") for k in range(21)]
    assert swap.lower_bounds(4, 0.1) == [0.0, 0.1, 0.2, 0.3]


def test_a_warning_names_narrow_bins():
    table = swap.swap_rates([100, 100, 100], [0, 50, 0], 0, 0.8, 250, [0.0, 0.005, 0.01])
    assert swap.sensitivity(table, 0.05)["warning"] == "the swap rate exceeds 0.05 again at 0.005"


@pytest.mark.parametrize("id", MANY_DECIMALS)
def test_parameters_with_many_decimals(id):
    assert_counters(*many_decimals(id), 200, range(5))


def test_no_size_gives_no_counters():
    """As of a campaign with so few questions that sample_size finds none to draw."""
    seen, _ = campaign(measures.get("qa", "c@1"), 1)
    of_draws, most = swap.counters(seen, 1, "c", [], LOWER)
    assert of_draws.shape == (0, 2 * len(LOWER) + 1) and most != most
