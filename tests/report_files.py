"""What the report reads of a campaign, made of a few verdicts by the project's own stages."""

from pathlib import Path

import polars as pl
from nonresponse import judging, tables, tasks
from nonresponse.pages import blocks
from nonresponse.pages.blocks import Topic
from nonresponse.pages.sections import Campaign
from nonresponse.scoring import tally

SETTINGS = {
    "analyses": [],
    "views": [],
    "files": [["raw/runs.tsv", "0" * 64]],
    "responses": [],
    "texts": [],
    "silent": True,
    "topics": ["leaderboard", "changes"],
    "source": "graded",
    "level": 0.05,
    "seed": 2011,
    "policy": tasks.POLICIES,
    "configuration": {},
}


def graded(folder: Path, rows: list[dict], task: str = "qa", policy: dict | None = None, **settings) -> Campaign:
    """A campaign of these graded responses, with verdicts, counts and a leaderboard that has the runs by name."""
    found = pl.DataFrame([{"assessor": "official", "candidate": "", **row} for row in rows], infer_schema_length=None)
    tables.write(tables.complete(found, tables.GRADED).sort(tables.GRADED_KEY), folder / "graded/0.parquet")
    tables.write(tables.empty(tables.QUESTIONS), folder / "questions.parquet")
    sources = {"graded_responses": [folder / "graded/0.parquet"], "questions": [folder / "questions.parquet"]}
    judging.judge(task, sources, folder / "verdicts.npz")
    policy = tasks.POLICIES | (policy or {})
    counts, _, _ = tally.tally(folder / "verdicts.npz", task, policy)
    tables.write(counts, folder / "counts.parquet")
    if not (folder / "leaderboard.parquet").exists():
        board = pl.DataFrame({"run": sorted(counts["run"])}).with_columns(trivial=pl.lit(False))
        board.write_parquet(folder / "leaderboard.parquet")
    return Campaign("camp", task, folder, SETTINGS | {"policy": policy, "measures": ["c@1"]} | settings)


def judged(folder: Path, board: pl.DataFrame, questions: list[str]) -> None:
    """Verdicts and answers with the counts of a leaderboard: the first questions are right, the last open."""
    verdicts, responses = [], []
    for run, right, silent in board.select("run", "n_ac", "n_u").iter_rows():
        for place, question in enumerate(questions):
            answered = place < len(questions) - silent
            verdict = ("correct" if place < right else "wrong") if answered else "unanswered"
            verdicts.append({"run": run, "question": question, "verdict": verdict, "category": question[:1]})
            given = {"answer": f"{run} {place}"} if answered else {"candidate": run}
            responses.append({"run": run, "question": question, "answered": answered, **given})
    graded(folder, verdicts)
    found = tables.complete(pl.DataFrame(responses, infer_schema_length=None), tables.RESPONSES)
    tables.write(found.sort("run", "question"), folder / "responses/0.parquet")


def unchanged(folder: Path) -> None:
    """What the page on changes says of the first results, whose files are sound."""
    blocks.write({"": Topic("", ["These are the first results."])}, folder / "changes.json")
    sound(folder)


def sound(folder: Path, *notes: str) -> None:
    """Write what the check writes for pages where there are no faults."""
    found = {"found": Topic("What the check of the files found", ["no faults; 2 runs"]), "notes": Topic("", [*notes])}
    blocks.write(found, folder / "check.json")
