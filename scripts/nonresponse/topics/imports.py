"""Logs of a harness: what each holds, what it states, and whether that agrees."""

from pathlib import Path

import polars as pl

from nonresponse import tables
from nonresponse.ingest import imports
from nonresponse.ingest.imports import AGREES, DIFFERS, MOSTLY, OPEN, RECONCILED
from nonresponse.legible import short
from nonresponse.pages import blocks
from nonresponse.pages.blocks import Topic, shown
from nonresponse.pages.sections import Campaign
from nonresponse.wording import listed, plural

MOST = 10  # runs that a warning names
STATED = {  # by the outcome in imports.csv
    AGREES: "the accuracy of the leaderboard",
    RECONCILED: "a score that their samples give and the leaderboard does not have",
    DIFFERS: "another number than their samples give",
    OPEN: "nothing that could be reconciled",
}


def make(campaign: Campaign, files: list[Path], published: list[Path]) -> None:
    """imports.csv and imports.json, from the accounts of the logs and the counts, which are the last file."""
    *accounts, counts = files
    frame = imports.beside_page(imports.by_run(imports.read_accounts(accounts)), pl.read_parquet(counts))
    tables.write_text(frame.write_csv(), campaign.folder / "imports.csv")
    blocks.write({"imports": topic(frame)}, campaign.folder / "imports.json")


def topic(frame: pl.DataFrame) -> Topic:
    """How many logs agree, and the table of the runs."""
    said = [("", sentence) for sentence in [finding(frame), *mostly_partial(frame)]]
    caption = "What the logs hold, and what they state."
    whole = shown(caption, frame, frame.columns, long=["remarks"], folded="", csv="imports")
    return Topic("Logs and what they state", said, tables=[whole])


def finding(frame: pl.DataFrame) -> str:
    """How many runs are as their logs say."""
    counts = dict(frame["outcome"].value_counts(sort=True, name="runs").sort("outcome").iter_rows())
    parts = [f"{STATED[outcome]} for {plural(number, 'run')}" for outcome, number in counts.items()]
    return f"The logs state {listed(parts)}."


def mostly_partial(frame: pl.DataFrame) -> list[str]:
    """A warning of runs whose logs state a score for answers that are partly right."""
    runs = frame.filter(pl.col("from_partial") > MOSTLY)["run"].to_list()
    if not runs:
        return []
    who = f"{listed([short(run) for run in runs[:MOST]])}{f' and {len(runs) - MOST:,} more' * (len(runs) > MOST)}"
    return [
        f"Most of what the logs of {who} state comes from partly right answers, none of which counts as right here."
    ]
