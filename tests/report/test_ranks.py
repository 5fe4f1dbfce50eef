"""A run has one rank, by its score: in every file of the leaderboard, on the page, in the overview, and by the API."""

import re
from pathlib import Path
from tempfile import TemporaryDirectory

import nonresponse
import polars as pl
import pytest
import report_files
from hypothesis import given, settings
from hypothesis import strategies as st
from nonresponse import measures, tables
from nonresponse.report import part, ranking
from nonresponse.scoring import score, tally
from nonresponse.topics import leaderboard

WORDS = ("correct", "wrong", "unanswered")
RUNS = st.lists(st.lists(st.sampled_from(WORDS), min_size=4, max_size=4), min_size=1, max_size=40)


def scored(folder: Path, rows: list[dict], *ids: str):
    """A campaign of these responses, with its scores and its leaderboard."""
    campaign = report_files.graded(folder, rows, measures=[*ids])
    report_files.unchanged(folder)
    files = [folder / f"{name}.parquet" for name in ("counts", "counts_by_category", "counts_by_variant")]
    counted = tally.tally(folder / "verdicts.npz", "qa", campaign.settings["policy"])
    for path, table in zip(files, counted, strict=True):
        tables.write(table, path)
    for id in campaign.measures:
        found = score.score_counts(measures.get("qa", id), *files)
        for name, table in zip(("scores", "scores_by_category"), found, strict=True):
            tables.write(table, folder / f"{name}/{id}.parquet")
    leaderboard.make(campaign, [])
    return campaign


@settings(max_examples=15, deadline=None)
@given(RUNS)
def test_ranks_are_equal_everywhere(runs):
    """Of four questions, so that scores are often equal."""
    rows = [
        {"run": f"r{place:02}", "question": f"q{number}", "verdict": verdict}
        for place, verdicts in enumerate(runs)
        for number, verdict in enumerate(verdicts)
    ]
    right = {f"r{place:02}": verdicts.count("correct") for place, verdicts in enumerate(runs)}
    expected = {run: 1 + sum(other > own for other in right.values()) for run, own in right.items()}
    with TemporaryDirectory() as name:
        folder = Path(name)
        campaign = scored(folder, rows, "accuracy")
        for file in (pl.read_csv(folder / "leaderboard.csv"), pl.read_parquet(folder / "leaderboard.parquet")):
            assert dict(file.select("run", "rank").iter_rows()) == expected
        for ending, line in (("md", r"^\| +(\d+)=? \| (r\d+) "), ("tex", r"^ *(\d+)=? & (r\d+) ")):
            text = (folder / f"leaderboard.{ending}").read_text(encoding="utf-8")
            assert {run: int(rank) for rank, run in re.findall(line, text, re.MULTILINE)} == expected, ending
        made = part.part(campaign)
        place = {column["id"]: number for number, column in enumerate(made["ranking"]["columns"])}
        shown = {row[place["run"]]: row[place["rank"]] for row in made["ranking"]["rows"]}
        assert {run: rank for run, (rank, _) in shown.items()} == expected
        assert {run: int(text.rstrip("=")) for run, (_, text) in shown.items()} == expected
        assert {*made["card"]["best"]} == {run for run, rank in expected.items() if rank == 1}
        pl.DataFrame(rows).write_csv(folder / "log.csv")
        found = nonresponse.evaluate(folder / "log.csv", measures=["accuracy"])
        assert dict(found.leaderboard.select("run", "rank").iter_rows()) == expected


@pytest.mark.parametrize(
    ("row", "text"),
    [
        ({"rank": 4, "tied": False, "rank_low": 1, "rank_high": 13}, "4, 1–13"),
        ({"rank": 4, "tied": True, "rank_low": 4, "rank_high": 5}, "4=, 4–5"),
        ({"rank": 4, "tied": False, "rank_low": 4, "rank_high": 4}, "4"),
        ({"rank": 4, "tied": True}, "4="),
    ],
)
def test_the_ranks_that_a_run_may_have_stand_beside_its_rank(row, text):
    assert ranking.rank_of(row) == [4, text]
    assert ranking.rank_of(row | {"rank": None}) is None
