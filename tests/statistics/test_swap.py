"""The swap method beside figure 3 of Peñas & Rodrigo 2011 in plain loops, on the same subsets."""

from fractions import Fraction
from functools import cache

import numpy as np
import polars as pl
import pytest
from comparing import draw_halves
from literal_reliability import (
    SLACK,
    campaign,
    each_kind,
    figure_3,
    near,
)
from nonresponse import tables
from nonresponse.statistics import swap
from nonresponse.statistics.analyses import Inputs
from nonresponse.statistics.outcomes import Outcomes

SETTINGS = {"seed": 1, "swap_trials": 12, "bins": 21, "width": 0.01}


def assert_figure_3(outcomes: Outcomes, score, trials: int = 12) -> None:
    """Hold swap.parquet against figure 3 on the same halves."""
    [table] = swap.make(outcomes, "gold", "c", SETTINGS | {"swap_trials": trials})
    score, slack = cache(score), 0 if outcomes.measure.kind == "counts" else SLACK
    size, runs = min(outcomes.n // 2, 250), range(len(outcomes.runs))
    halves = draw_halves(outcomes.n, size, trials)
    edges = [Fraction(k, 100) for k in range(table.height)]
    comparisons, swaps, ties = figure_3(score, runs, halves, edges, slack)
    values = [score(run, half) for pair in halves for half in pair for run in runs]
    highest = max((value for value in values if value is not None), default=None)
    expected = {"lower": [float(edge) for edge in edges], "comparisons": comparisons}
    expected |= {"swaps": swaps, "ties": [ties] + [0] * (table.height - 1)}
    expected["swap_rate"] = [s / c if c else None for c, s in zip(comparisons, swaps, strict=True)]
    assert {name: table[name].to_list() for name in expected} == expected
    assert table["highest"].fill_null(np.nan).to_list() == [near(highest, 1e-12)] * table.height
    assert table.height >= 21 and {*table.select("size", "questions").rows()} == {
        (size, outcomes.n)
    }


@each_kind
def test_figure_3_literally(measure):
    for seed, excluding in ((1, False), (2, True)):
        assert_figure_3(*campaign(measure, seed, excluding=excluding))


def make_swaps(comparisons: list[int], swaps: list[int], ties: int = 0) -> pl.DataFrame:
    """A table of swaps in bins of .01."""
    bins, numbers = range(len(swaps)), zip(comparisons, swaps, strict=True)
    columns = {"bin": [bin + 1 for bin in bins], "lower": [bin / 100 for bin in bins]}
    columns |= {"comparisons": comparisons, "swap_rate": [s / c if c else None for c, s in numbers]}
    columns |= {"swaps": swaps, "highest": 0.8, "size": 250, "questions": 500}
    return pl.DataFrame(columns | {"ties": [ties] + [0] * (len(swaps) - 1)}).select(*swap.SWAP)


def test_sensitivity_by_hand(tmp_path):
    """Table 2 of Peñas & Rodrigo 2011 in small: the first bin within the level, and the rest."""
    table = make_swaps([40, 20, 20, 20, 0], [20, 1, 2, 0, 0], 10)
    pooled = [20 / 30, 3 / 40, 3 / 40, 0]  # 0.05 and 0.10
    assert swap.fit_rates(table)[:4].to_list() == pytest.approx(pooled)
    for id, swaps in (("uf", table), ("c@1", make_swaps([40, 20, 20], [20, 10, 10]))):
        tables.write(swaps, tmp_path / id / "swap.parquet")
    inputs = Inputs(trials=[tmp_path / "uf", tmp_path / "c@1"])
    [summary] = swap.summarise(inputs, "qa", {"level": 0.05})
    found = {"required_difference": 0.03, "relative_difference": 0.03 / 0.8, "sensitivity": 0.2}
    columns = {"questions": 500, "size": 250, "highest_value": 0.8}
    assert summary.to_dicts() == [
        columns | found | {"measure": "uf"},
        columns | dict.fromkeys(found) | {"measure": "c@1"},
    ]
