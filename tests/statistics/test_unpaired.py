"""Intervals from published counts alone: Czech SimpleQA, beside numpy's own Dirichlet draws."""

import numpy as np
import polars as pl
import pytest
from nonresponse import measures
from nonresponse.statistics import unpaired

PARTS = ["n_ac", "n_aw", "n_u"]


COUNTS = {"n_ac": [1345, 1225], "n_aw": [2904, 2329], "n_u": [77, 772]}


@pytest.mark.parametrize("id", ["accuracy", "c@1"])
def test_published_counts_have_intervals(id):
    measure = measures.get("qa", id)
    board = pl.DataFrame({"run": ["a", "b"], "rank": [1, 2], "trivial": False, **COUNTS, "n": 4326})
    value = measure.function(*(board[name] for name in measure.totals))
    board = board.with_columns(pl.Series(id, value))
    table = unpaired.compare_leaders(board, PARTS, measure, 0.05, 1)
    assert f"{id} lower" in unpaired.add_intervals(board, PARTS, [measure], 0.05, 1).columns
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
    assert unpaired.compare_leaders(board, PARTS, measure, 0.05, 1) is None
