"""Test multiple choice: the trivial run that guesses, against draws and plain loops."""

import polars as pl
import pytest
from nonresponse import tables
from nonresponse.report.campaign import Campaign as Shown
from nonresponse.report.sections import leaderboard
from nonresponse.scoring import guessing
from pipeline import Campaign, spell

MEASURES = ["c@1", "accuracy", "uf", "precision_answered", "cws", "nil_recall"]
MEASURES += ["chance_corrected@4", "formula_score@4"]


@pytest.fixture
def folder(tmp_path):
    """Two runs on forty questions."""
    questions = [{"question": f"q{n:03}"} for n in range(40)]
    runs = {"good": spell(verdict="CCNW" * 10), "poor": spell(verdict="CWNW" * 10)}
    campaign = Campaign(tmp_path).evaluate_graded(runs, questions)
    tables.write(campaign.counts, tmp_path / "counts.parquet")
    for id in MEASURES:
        scores, category_scores = campaign.score_with_bounds(id)
        tables.write(scores, tmp_path / f"scores/{id}.parquet")
        tables.write(category_scores, tmp_path / f"scores_by_category/{id}.parquet")
    return tmp_path


def board(folder, **options) -> pl.DataFrame:
    leaderboard.make(Shown("camp", "qa", folder, {"measures": MEASURES} | options), [])
    return pl.read_parquet(folder / "leaderboard.parquet")


@pytest.mark.parametrize("options", [4, 5])
def test_the_leaderboard_has_a_run_that_guesses(folder, options):
    share = 1 / options
    unguessed = board(folder)
    assert guessing.GUESS not in unguessed["run"]
    actual = board(folder, options=options)
    [row] = actual.filter(run="guess").iter_rows(named=True)
    assert (row["rank"], row["trivial"], row["n"], row["n_u"]) == (None, True, 40, 0)
    assert row["n_ac"] == pytest.approx(40 * share)
    assert row["n_ac"] + row["n_aw"] == pytest.approx(40)
    assert row["c@1"] == row["accuracy"] == pytest.approx(share) == row["precision_answered"]
    assert row["uf"] == pytest.approx(2 * share - 1)
    if options == 4:
        assert row["chance_corrected@4"] == pytest.approx(0)
        assert row["formula_score@4"] == pytest.approx(0)
    assert row["cws"] is None and row["nil_recall"] is None
    named_runs = actual.filter(pl.col("run") != "guess")
    assert named_runs.equals(unguessed.with_columns(pl.col("n_ac", "n_aw").cast(pl.Float64)))
    assert "guess †" in (folder / "leaderboard.md").read_text()


def test_its_name_is_its_own():
    assert guessing.choose_name(pl.Series(["a", "b"])) == "guess"
    assert guessing.choose_name(pl.Series(["guess", "b"])) == "guess (expected)"
