"""The DAG on tiny campaigns, end to end (test_rerun.py: what an edit makes again)."""

import polars as pl
import pytest
from conftest import SMALL, TINY, tiny_campaign

pytestmark = pytest.mark.slow


def leaderboard(project):
    return pl.read_csv(project.folder / "results/tiny/leaderboard.csv")


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
