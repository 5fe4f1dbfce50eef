"""Intervals from published counts alone: Czech SimpleQA, beside numpy's own Dirichlet draws."""

import numpy as np
import polars as pl
import pytest
from nonresponse import measures
from nonresponse.statistics import unpaired

PARTS = ["n_ac", "n_aw", "n_u"]


@pytest.mark.parametrize(("id", "comparable"), [("accuracy", True), ("c@1", True), ("cws", False)])
def test_published_counts_have_intervals(id, comparable):
    counts = {"n_ac": [1345, 1225], "n_aw": [2904, 2329], "n_u": [77, 772]}
    measure = measures.get("qa", id)
    board = pl.DataFrame({"run": ["a", "b"], "rank": [1, 2], "trivial": False, **counts, "n": 4326})
    value = (
        measure.function(*(board[name] for name in measure.totals)) if comparable else [1.0, 0.5]
    )
    board = board.with_columns(pl.Series(id, value))
    table = unpaired.compare_leaders(board, PARTS, measure, 0.05, 1)
    assert (table is not None) == comparable
    assert (
        f"{id} lower" in unpaired.add_intervals(board, PARTS, [measure], 0.05, 1).columns
    ) == comparable
    if comparable:
        draw = np.random.default_rng(7)
        shares = [
            draw.dirichlet(np.array(row) + 0.5, 200_000).T for row in board.select(PARTS).rows()
        ]
        totals = [dict(zip(PARTS, share, strict=True)) | {"n": 1} for share in shares]
        scores = [
            measure.function(**{name: total[name] for name in measure.totals}) for total in totals
        ]
        ends = np.quantile(scores[0] - scores[1], [0.025, 0.975])
        assert table.select("lower", "upper").row(0) == pytest.approx(ends, abs=0.001)
        assert table["p_maxt"].is_null().all()
    assert (
        unpaired.compare_leaders(board.with_columns(n_ac=pl.lit(10.5)), PARTS, measure, 0.05, 1)
        is None
    )
