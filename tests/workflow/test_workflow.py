"""The DAG on tiny campaigns, end to end (test_rerun.py: what an edit makes again)."""

import polars as pl
import pytest
from conftest import SMALL, Project, tiny_campaign

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
    assert project.jobs("--workflow-profile", "none") == []


def test_runs_that_were_asked_different_questions(tmp_path):
    """All pages are those of a campaign of the shared questions, and the first thing they say is
    how many these are."""
    project = Project(tmp_path)
    words = ["correct", "wrong", "unanswered", "correct", "correct"]
    for run, asked in (("short", 3), ("long", 5)):
        lines = [f"q{number},{word}\n" for number, word in enumerate(words[:asked])]
        project.write(f"raw/{run}.csv", "".join(["question,verdict\n", *lines]))
    graded = {
        "task": "qa",
        "graded": {"format": "tabular", "files": "raw/*.csv"},
        "measures": ["c@1", "accuracy"],
    }
    own = graded | {"compare_on": "all"}
    project.configure(reliability={"analyses": ["comparison"]}, shared=graded, own=own)
    project.snakemake()
    said = "1 of 2 runs was asked 3 of 5 questions"
    for campaign, rest in (
        ("shared", "2 runs are scored and compared on the 3 questions"),
        ("own", "Each score is over"),
    ):
        folder = project.folder / "results" / campaign
        for page in ("leaderboard.md", "leaderboard.tex", "report.html", "../summary.md"):
            text = (folder / page).read_text()
            assert said in text and rest in text, (campaign, page)
    board = {
        name: pl.read_csv(project.folder / f"results/{name}/leaderboard.csv")
        .sort("run")
        .select("run", "n", "c@1", "rank")
        for name in ("shared", "own")
    }
    score = (1 + 1 / 3) / 3
    assert board["shared"].rows() == [
        ("long", 3, pytest.approx(score), 1),
        ("short", 3, pytest.approx(score), 1),
    ]
    assert board["own"]["n"].to_list() == [5, 3] and board["own"]["rank"].to_list() == [1, 2]
    pairs = pl.read_parquet(
        project.folder / "results/shared/reliability/by_measure/c@1/comparisons.parquet"
    )
    assert pairs["difference"].to_list() == [0] and pairs["p"].to_list() == [1]
