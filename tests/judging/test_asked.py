"""What a run was never asked is in no n, and runs are compared on what all of them were asked."""

import numpy as np
import pytest
from nonresponse.judging import questions_asked
from pipeline import Campaign


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
