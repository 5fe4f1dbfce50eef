"""Scores corrected for a judge's errors, of simulated judges whose errors are known."""

import numpy as np
import polars as pl
import pytest
from nonresponse.statistics import corrections
from nonresponse.tasks import POLICIES
from validation.judges import NOBODY, correct_scores, draw_cases


def test_what_nobody_had_to_judge_is_certain():
    """Half of the questions are left open; the judge errs on nothing that it judges."""
    judgments = draw_cases(np.random.default_rng(3), [0.8], [1.0], [0.0])
    certain = pl.DataFrame(
        {"run": ["r0", "r0"], "ours": ["unanswered", "error"], "responses": [650, 100]},
        NOBODY.schema,
    )
    table = correct_scores(judgments, certain)
    right = 0.5 * table.filter(measure="accuracy")["as_judged"].item() / 0.5
    row = {row["measure"]: row for row in table.rows(named=True)}
    assert 0.37 < right < 0.43 and row["accuracy"]["corrected"] == pytest.approx(right, abs=0.01)
    silent = 650 / 1500
    assert row["answered"]["corrected"] == pytest.approx(1 - silent, abs=1e-9)
    assert row["c@1"]["as_judged"] == pytest.approx(right * (1 + silent))
    wrong = 1 - right - silent
    assert row["hallucination_rate"]["as_judged"] == pytest.approx(wrong / (wrong + silent))
    assert (row["c@1"]["questions"], row["c@1"]["twice"], row["c@1"]["others"]) == (1500, 150, 600)
    left_out = corrections.correct_scores(judgments, certain, POLICIES | {"error": "exclude"}, 0.05)
    assert left_out["questions"][0] == 1400


def test_the_estimate_by_hand():
    """Of 30 called right 27 are, of 10 called wrong 2; the judge calls 90 of 120 others right."""
    twice, alone = np.array([[27, 3, 0], [2, 8, 0], [0, 0, 0]]), np.array([90, 30, 0])
    prior = np.array([0.5, 0.5, 0.0])
    estimate = corrections.estimate_measures(
        twice, alone, 160, np.zeros(3, int), prior, ("accuracy",), 0.05
    )["accuracy"]
    assert estimate["as_judged"] == pytest.approx(120 / 160) and estimate[
        "official"
    ] == pytest.approx(29 / 40)
    assert estimate["corrected"] == pytest.approx((120 * 0.9 + 40 * 0.2) / 160)
    assert estimate["corrected_lower"] < estimate["corrected"] < estimate["corrected_upper"]
    repeat = corrections.estimate_measures(
        twice, alone, 160, np.zeros(3, int), prior, ("accuracy",), 0.05
    )["accuracy"]
    assert repeat == estimate, "equal counts, equal draws"


def test_what_there_is_nothing_to_correct_of():
    draw = np.random.default_rng(1)
    judgments = draw_cases(draw, [0.5], [0.9], [0.1])
    for lacking in (
        judgments.filter(pl.col("ours") != "unscored"),
        judgments.filter(pl.col("ours") == "unscored"),
    ):
        assert correct_scores(lacking).is_empty() and not corrections.is_partly_judged(lacking)
    assert corrections.is_partly_judged(judgments)
