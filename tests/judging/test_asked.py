"""What a run was never asked is in no n, and runs are compared on what all of them were asked."""

import random

import numpy as np
import polars as pl
import pytest
from fuzz import counted
from nonresponse import tasks
from nonresponse.judging import questions_asked
from pipeline import Campaign

ASKED = {  # by run, the numbers of its questions; in the second campaign, none was put to all
    "c@1": {"a": range(9), "b": range(4), "c": (0, 2, 3, 5, 8), "short": (0, 1), "whole": range(9)},
    "mrr": {"a": (7, 8), "b": range(7), "c": (0, 2, 3, 5), "short": (0, 1), "whole": range(9)},
}


@pytest.mark.parametrize("id", ASKED)
def test_compared_as_if_nothing_else_had_been_asked(tmp_path, id):
    """Scores, categories and input of analyses are those of the shared questions alone."""
    draw, words = random.Random(0), tasks.VERDICTS
    rows = {
        run: [
            {"question": f"q{n}", "category": n % 2, "verdict": draw.choice(words)} for n in numbers
        ]
        for run, numbers in ASKED[id].items()
    }
    asked = {run: {row["question"] for row in run_rows} for run, run_rows in rows.items()}
    compared, common = counted.select_common(asked, "shared")
    common_rows = {run: [row for row in rows[run] if row["question"] in common] for run in compared}
    full = Campaign(tmp_path / "whole").evaluate_graded(rows)
    alone = Campaign(tmp_path / "alone").evaluate_graded(common_rows)
    is_compared = pl.col("run").is_in(compared)
    tables = zip(full.score_with_bounds(id), alone.score_with_bounds(id), strict=True)
    for scores, expected in tables:
        expected = expected.drop_nulls("value")
        assert scores.filter(is_compared).drop_nulls("value").equals(expected)
    assert full.scores(id).filter(~is_compared)["value"].is_null().all()
    outcomes, expected = (campaign.outcomes(id)[0] for campaign in (full, alone))
    assert (outcomes.runs, outcomes.questions) == (expected.runs, expected.questions)
    for name, matrix in expected.matrices.items():
        assert np.array_equal(outcomes.matrices[name], matrix), name


def test_what_the_question_file_says_that_a_run_was_asked(tmp_path):
    """What it was asked and did not answer is silence; what it was not asked is nothing."""
    names = [f"q{number}" for number in range(4)]
    questions = [{"question": name, "runs": ["a", "b"][: 1 + (name < "q3")]} for name in names]
    runs = {"a": [{"question": "q0", "answer": "x"}], "b": [{"question": "q1", "answer": "x"}]}
    gold = {"j": [{"question": name, "answer": "x", "label": "R"} for name in names]}
    campaign = Campaign(tmp_path).evaluate_runs(runs, gold, questions)
    names = ("n", "n_ac", "n_u", "n_missing", "n_asked", "n_not_asked")
    assert campaign.count("a", *names) == (3, 1, 2, 2, 4, 0)
    assert campaign.count("b", *names) == (3, 1, 2, 2, 3, 1)
    uncompared = Campaign(tmp_path / "own").evaluate_runs(runs, gold, questions, compare_on="all")
    assert uncompared.count("a", *names) == (4, 1, 3, 3, 4, 0)


@pytest.mark.parametrize(
    ("missing", "expected"),
    [("exclude", (1, 1, 0)), ("unanswered", (2, 1, 0)), ("wrong", (2, 1, 1))],
)
def test_a_fragment_without_a_response(tmp_path, missing, expected):
    years = [{"question": name, "answer": "1850"} for name in "xy"]
    campaign = Campaign(tmp_path, "dating")
    campaign.evaluate_runs({"r": years[:1]}, {"g": years}, missing=missing)
    assert campaign.count("r", "n", "n_ac", "n_aw") == expected


def test_runs_are_compared_wherever_two_share_a_question():
    """Though those that were asked most may share none."""
    draw = np.random.default_rng(5)
    for _ in range(500):
        grid = draw.random((draw.integers(2, 7), draw.integers(1, 9))) < draw.uniform(0.1, 0.9)
        runs, questions = questions_asked.select_shared(grid)
        overlap = grid.astype(int) @ grid.T
        np.fill_diagonal(overlap, 0)
        assert (runs.sum() >= 2 and questions.any()) == bool(overlap.any())
        assert grid[np.ix_(runs, questions)].all()
