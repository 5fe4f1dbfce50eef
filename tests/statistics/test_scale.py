"""A measure in percent, omniscience, beside that share: the same tests, ties and numbers of
questions, and scores and differences a hundred times as large.
"""

from dataclasses import replace

import numpy as np
import pytest
from literal_reliability import campaign
from nonresponse import measures
from nonresponse.statistics import gates, rankings

PERCENT = measures.get("qa", "omniscience")


def share_of(n_ac, n_aw, n_aw_partial, n, n_x_partial):
    return (n_ac - (n_aw - n_aw_partial)) / (n + n_x_partial)


SHARE = replace(PERCENT, definition=share_of, range=(-1, 1), scale=1)


def test_margins_between_rankings_are_in_percent():
    x, y = np.array([0.30, 0.35, 0.10]), np.array([0.35, 0.30, 0.10])
    share, percent = rankings.compare(x, y, x), rankings.compare(100 * x, 100 * y, 100 * x, 100)
    assert share["swaps_005"] == 1 and share["swaps_007"] == 0
    assert percent == share | {
        "largest_difference": pytest.approx(100 * share["largest_difference"])
    }


@pytest.mark.parametrize("bound", ["margin", "at_least", "at_most"])
def test_a_gate_in_percent_decides_as_that_of_the_share(bound):
    outcomes, _ = campaign(PERCENT, 5, runs=6, questions=150)
    states = set()
    for number in np.linspace(-0.9, 0.9, 19).round(1):
        rows = []
        for measure, scale in ((PERCENT, 100), (SHARE, 1)):
            gate = gates.Gate(measure="omniscience", **{bound: number * scale})
            baseline = outcomes.runs[0] if bound == "margin" else None
            arguments = [replace(outcomes, measure=measure)], 0.05, 0.05
            rows.append(gates.decide_measure(gate, outcomes.runs[1], baseline, *arguments))
        (_, _, state, value, needed, _), (_, _, *share) = rows
        assert [state, value / 100, needed] == [share[0], pytest.approx(share[1]), share[2]]
        states.add(state)
    assert len(states) > 1
