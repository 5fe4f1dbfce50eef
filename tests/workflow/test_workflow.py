"""The DAG on tiny campaigns, end to end (test_rerun.py: what an edit makes again)."""

import polars as pl
import pytest
from conftest import SMALL, TINY, tiny_campaign

pytestmark = pytest.mark.slow


def leaderboard(project, campaign="tiny"):
    return pl.read_csv(project.folder / f"results/{campaign}/leaderboard.csv")


def test_scores_of_the_tiny_campaign(evaluated_tiny):
    table = leaderboard(evaluated_tiny)
    # gamma: q1, q3, q4 right, q2 wrong; alpha: q1 right, q2 inexact, q4 wrong, q3 silent; beta
    # misses q4.
    assert table.select("run", "rank", "n", "n_ac", "n_aw", "n_u", "n_missing").rows() == [
        ("gamma", 1, 4, 3, 1, 0, 0),
        ("alpha", 2, 4, 1, 2, 1, 0),
        ("beta", 2, 4, 1, 2, 1, 1),
    ]
    assert table["c@1"].to_list() == [0.75, 0.3125, 0.3125]
    assert table["tied"].to_list() == [False, True, True]
    assert "2=" in (evaluated_tiny.folder / "results/tiny/leaderboard.md").read_text()


def test_without_the_default_profile(project):
    tiny_campaign(project, **SMALL)
    project.snakemake("--workflow-profile", "none")
    assert leaderboard(project)["c@1"].to_list() == [0.75, 0.3125, 0.3125]
    assert project.steps("--workflow-profile", "none") == []


def test_the_verdicts_of_all_evaluations_are_asked_for_at_once(project):
    """Scenarios asked for one by one would each make Snakemake redo its whole graph."""
    ruled = TINY["runs"] | {"refusals": {"contains": ["I do not know"]}}
    lenient, closed = {"correct": ["R", "X"]}, {"closed": True}
    scenarios = {"lenient": lenient, "closed": closed, "silent": {"unscored": "unanswered"}}
    tiny_campaign(project, runs=ruled, scenarios=scenarios)
    planned = [step.split()[1] for step in project.steps("--dry-run") if step.startswith("judge ")]
    inside = ("scenarios/closed", "scenarios/lenient", "without-rules")
    assert planned == ["tiny", *(f"tiny/{name}" for name in inside)]
