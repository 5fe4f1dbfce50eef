"""Columns of a campaign that names no measures: pages leave out what says nothing, and say so in one line."""

import json

import polars as pl
import pytest
from conftest import Project
from nonresponse.pages import leaderboard
from nonresponse.pages.shown_measures import shown

IDS = ["first", "none", "same", "some", "other"]


def board(**columns) -> pl.DataFrame:
    types = dict.fromkeys(columns, pl.Float64)
    return pl.DataFrame({"run": ["a", "b"]} | columns, {"run": pl.String} | types)


def test_what_is_undefined_or_the_same_for_all_has_no_column():
    frame = board(first=[1, 1], none=[None, None], same=[0.1 + 0.2, 0.3], some=[1, None], other=[0.5, 0.6])
    line = "Without a column: undefined for all runs: none; the same for all runs: same (0.30)."
    assert shown(frame, IDS, digits=2) == (["first", "some", "other"], line)
    line = "Without a column: undefined for all runs: none."
    assert shown(frame.head(1), IDS) == (["first", "same", "some", "other"], line)
    assert shown(frame, ["other", "some"]) == (["other", "some"], "")


def test_a_score_that_could_be_another_stays():
    """Of two runs with the same score, one has an unjudged answer; or both have, as many."""
    frame = board(**{"first": [1, 0], "same": [0.5, 0.5], "same worst": [0.5, 0.25], "same best": [0.5, 0.75]})
    assert shown(frame, ["first", "same"]) == (["first", "same"], "")
    frame = frame.with_columns(pl.lit(0.25).alias("same worst"), pl.lit(0.75).alias("same best"))
    assert shown(frame, ["first", "same"]) == (["first", "same"], "")


@pytest.mark.slow
def test_pages_of_a_campaign_that_names_no_measures(project: Project):
    """Two runs answer everything. CSV and Parquet have every column, and so have pages where some are named."""
    rows = ["q1,m1,correct,a", "q1,m2,correct,a", "q2,m1,wrong,b", "q2,m2,correct,b", "q3,m1,wrong,b", "q3,m2,wrong,b"]
    project.write("raw/graded.csv", "\n".join(["question,run,verdict,category", *rows, ""]))
    graded = {"task": "qa", "graded": {"format": "tabular", "files": "raw/graded.csv"}}
    named = ["c@1", "answered", "cws"]
    project.configure(left=graded, named=graded | {"measures": named})
    project.snakemake()
    results = project.folder / "results"
    line = "Without a column: undefined for all runs: cws, k1, r; the same for all runs: answered (1.0000)."
    pages = [results / f"left/leaderboard.{ending}" for ending in ("md", "tex")] + [results / "summary.md"]
    for page in pages:
        text = page.read_text()
        assert text.count(line) == text.count("Without a column: undefined for all runs: ") == 1, page
    head = next(line for line in (results / "left/leaderboard.md").read_text().splitlines() if line.startswith("|"))
    kept = ["c@1", "accuracy", "uf", "uf_half", "optimistic", "precision_answered", "wrong_rate", "mrr"]
    assert [cell.strip() for cell in head.split("|")[3:-1]] == [*kept, "n", "n_ac", "n_aw", "n_u"]
    for ending, read in (("csv", pl.read_csv), ("parquet", pl.read_parquet)):
        columns = read(results / f"left/leaderboard.{ending}").columns
        assert {*kept, "answered", "cws", "k1", "r"} < set(columns)
        assert not [name for name in columns if name in ("nil_precision", "romip_error", "map", "candidate_accuracy")]
    blocks = json.loads((results / "left/report.json").read_text())
    assert json.dumps(blocks).count(line) == 1
    page = (results / "named/leaderboard.md").read_text()
    assert "   answered |" in page and "Without a column" not in page + (results / "named/report.json").read_text()


def test_the_interval_of_a_first_measure_that_is_undefined_is_not_shown():
    frame = board(first=[None, None], other=[0.5, 0.6]).with_columns(
        rank=None, tied=False, trivial=False, behind_reject_all=None, n=1, n_ac=1, n_aw=0, n_u=0
    )
    ids, _ = shown(frame, ["first", "other"])
    assert leaderboard.table(frame, ids, "qa", 4).header == ["rank", "run", "other", "n", "n_ac", "n_aw", "n_u"]
