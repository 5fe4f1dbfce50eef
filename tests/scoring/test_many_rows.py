"""Large campaigns, which several threads read: every value stays with its run and question."""

import numpy as np
import polars as pl
import pytest
from nonresponse import measures, tasks
from nonresponse.judging.store import read_verdicts
from pipeline import Campaign, outcomes_of


@pytest.mark.parametrize("id", ["uf", "k1", "cws"])
def test_rows_stay_in_their_order_on_several_threads(tmp_path, monkeypatch, id):
    """A campaign of many row groups, which threads read side by side."""
    monkeypatch.setenv("OMP_NUM_THREADS", "4")
    draw = np.random.default_rng(1)
    runs, questions = [f"run{i:02}" for i in range(40)], [f"q{i:03}" for i in range(500)]
    right, self_score = draw.random((40, 500)) < 0.5, draw.integers(0, 2**16, (40, 500)) / 2**16
    campaign = Campaign(tmp_path).graded(
        {"run": [{"question": "q", "verdict": "wrong", "confidence": 0.5}]}
    )
    keys = pl.DataFrame({"run": runs}).join(pl.DataFrame({"question": questions}), how="cross")
    frame = (
        read_verdicts(campaign.verdicts)
        .rows()
        .drop("run", "question", "verdict", "confidence")
        .join(keys, how="cross")
    )
    word = np.where(right, "correct", "wrong").ravel()
    frame = frame.with_columns(verdict=pl.Series(word), confidence=pl.Series(self_score.ravel()))
    campaign.rejudge(frame)
    seen = outcomes_of(campaign.verdicts, measures.get("qa", id), tasks.POLICIES, "official")
    assert (seen.runs, seen.questions) == (runs, questions)
    if id == "uf":
        assert (seen.matrices["n_ac"] == right).all() and (seen.matrices["n_aw"] == ~right).all()
    elif id == "k1":
        assert (seen.matrices["signed"] == np.where(right, self_score, -self_score)).all()
    else:
        for order, own, scores in zip(seen.orders, right, self_score, strict=True):
            assert (np.diff(scores[order.question]) <= 0).all() and (
                order.right == own[order.question]
            ).all()
