"""Stability beside figure 1 of Peñas & Rodrigo 2011 in plain loops, on the same subsets."""

from functools import cache

import numpy as np
import pytest
from comparing import count_outcomes, draw_halves
from literal_reliability import FUZZINESS, SLACK, campaign, each_kind, figure_1, rates
from nonresponse.statistics import stability
from nonresponse.statistics.outcomes import Outcomes

MARGINS = [float(f) for f in FUZZINESS]


def make(outcomes: Outcomes, trials: int) -> dict[str, list]:
    """Return the columns of stability.parquet."""
    settings = {"seed": 1, "trials": trials, "fuzziness": MARGINS}
    [table] = stability.make(outcomes, "gold", "c", settings)
    return table.to_dict(as_series=False)


@each_kind
def test_figure_1_literally(measure):
    for seed, excluding in ((1, False), (3, True)):
        outcomes, score = campaign(measure, seed, excluding=excluding)
        subsets = [half for half, _ in draw_halves(outcomes.n, 12, 12)]
        score, slack, table = (
            cache(score),
            0 if measure.kind == "counts" else SLACK,
            make(outcomes, 12),
        )
        assert {*table["size"]} == {12} and {*table["questions"]} == {24}
        for level, f in enumerate(FUZZINESS):
            eq, gt = figure_1(score, range(6), subsets, f, slack)
            total, (error_rate, ties) = eq.total() + gt.total(), rates(eq, gt)
            expected = {"fuzziness": f, "comparisons": total, "equal": eq.total()}
            expected |= {"error_rate": error_rate, "ties": ties}
            expected["errors"] = total and error_rate * total
            assert {name: table[name][level] for name in expected} == pytest.approx(expected)


def accuracy_of(rights: list[int], n: int) -> Outcomes:
    """Runs with so many correct answers, each to the first questions."""
    return count_outcomes("accuracy", n_ac=np.arange(n) < np.array(rights)[:, None])


def test_equal_scores_are_a_tie_even_without_a_margin_and_more_trials_than_a_byte_counts():
    """The printed algorithm would let y win if both have nothing right: the margin is 0 then."""
    table, halves = make(accuracy_of([4, 0, 0], 8), 600), draw_halves(8, 4, 600)
    assert table["comparisons"][0] == 1800 and table["errors"][0] == 0
    assert 1800 - table["equal"][0] == 2 * sum(min(half) < 4 for half, _ in halves)
