"""The swap method beside figure 3 of Peñas & Rodrigo 2011 in plain loops, on the same subsets."""

from functools import cache

import numpy as np
import polars as pl
import pytest
from literal_reliability import (
    EDGES,
    MANY_DECIMALS,
    SLACK,
    campaign,
    each_kind,
    figure_3,
    many_decimals,
    near,
)
from nonresponse import measures
from nonresponse.statistics import swap
from nonresponse.statistics.outcomes import Outcomes, select_rows
from nonresponse.statistics.subsets import draw_subsets

SIZE, TRIALS = 9, range(12)
LOWER = swap.list_bins()


def counters(outcomes: Outcomes, size: int, trials: range, lower: list) -> tuple:
    counts, highest = swap.count_draws(outcomes, 1, "c", [(size, trial) for trial in trials], lower)
    return *(part.sum(axis=0) for part in swap.split_counts(counts)), highest


def assert_counters(
    outcomes: Outcomes, score, size: int = SIZE, trials: range = TRIALS, edges=tuple(EDGES)
):
    slack = 0 if outcomes.measure.kind == "counts" else SLACK
    comparisons, swaps, _, highest = counters(
        outcomes, size, trials, [float(edge) for edge in edges]
    )
    halves = list(
        zip(*draw_subsets(1, "c", outcomes.n, [(size, trial) for trial in trials]), strict=True)
    )
    subsets = [tuple(tuple(np.flatnonzero(half).tolist()) for half in pair) for pair in halves]
    score, runs = cache(score), range(len(outcomes.runs))
    counter, swap_counter = figure_3(
        score, runs, lambda x, y, trial: subsets[trial], trials, list(edges), slack
    )
    assert comparisons.tolist() == counter and swaps.tolist() == swap_counter
    values = [score(run, half) for pair in subsets for half in pair for run in runs]
    should = max((value for value in values if value is not None), default=None)
    assert highest == near(should, 1e-12)


@each_kind
def test_figure_3_literally(measure):
    edges = tuple(measure.scale * edge for edge in EDGES)
    for seed, excluding in ((1, False), (2, True)):
        assert_counters(*campaign(measure, seed, excluding=excluding), edges=edges)


@pytest.mark.parametrize("id", MANY_DECIMALS)
def test_parameters_with_many_decimals(id):
    assert_counters(*many_decimals(id), 200, range(5))


def test_nothing_can_be_compared():
    """One run; no run with a score."""
    outcomes, _ = campaign(measures.get("qa", "precision_answered"), 1)
    zeros = {name: 0 * m for name, m in outcomes.matrices.items()}
    silent = Outcomes(outcomes.measure, outcomes.runs, outcomes.questions, zeros)
    options = {"seed": 1, "swap_trials": 12, "bins": 5, "width": 0.05}
    for selected in (select_rows(outcomes, [2]), silent):
        [table] = swap.make(selected, "gold", "c", options)
        assert table["swap_rate"].null_count() == table.height and table["comparisons"].sum() == 0
        assert swap.sensitivity(table, 0.05).get("sensitivity") is None
    assert (
        table["highest"].null_count() == table.height
        and swap.limit_trials(1, swap.COMPARISONS, 100) == 100
    )


def make_swaps(comparisons: list[int], swaps: list[int], ties: int = 0) -> pl.DataFrame:
    """A table of swaps in bins of .01."""
    bins, numbers = range(len(swaps)), zip(comparisons, swaps, strict=True)
    columns = {"bin": [bin + 1 for bin in bins], "lower": [bin / 100 for bin in bins]}
    columns |= {"comparisons": comparisons, "swap_rate": [s / c if c else None for c, s in numbers]}
    columns |= {"swaps": swaps, "highest": 0.8, "size": 250, "questions": 500}
    return pl.DataFrame(columns | {"ties": [ties] + [0] * (len(swaps) - 1)}).select(*swap.SWAP)


def test_sensitivity_by_hand():
    """Table 2 of Peñas & Rodrigo 2011 in small: the first bin within the level, and the rest."""
    table = make_swaps([40, 20, 20, 20, 0], [20, 1, 2, 0, 0], 10)
    assert swap.fit_rates(table)[:4].to_list() == pytest.approx([20 / 30, 3 / 40, 3 / 40, 0]), (
        "0.05 and 0.10 are pooled"
    )
    shared_columns = {"questions": 500, "size": 250, "highest_value": 0.8}
    row = {"required_difference": 0.03, "relative_difference": 0.03 / 0.8, "sensitivity": 0.2}
    assert swap.sensitivity(table, 0.05) == shared_columns | row
    assert swap.sensitivity(make_swaps([40, 20, 20], [20, 10, 10]), 0.05) == shared_columns | {
        "required_difference": None
    }
