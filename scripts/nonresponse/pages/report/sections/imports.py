"""Logs of a harness: what each holds, what it states, and whether that agrees."""

import polars as pl

from nonresponse.ingest.imports import AGREES, DIFFERS, MOSTLY, OPEN, RECONCILED
from nonresponse.legible import short
from nonresponse.pages.blocks import Column
from nonresponse.pages.report.blocks import Block, sentences, table
from nonresponse.pages.sections import Campaign
from nonresponse.wording import listed, plural

MOST = 10  # runs that a warning names
TEXTS = ("run", "measure", "outcome", "remarks")
NUMBERS = ("stated", "recomputed", "from_partial", "accuracy")  # which may be empty for all runs
STATED = {  # by the outcome in imports.csv
    AGREES: "the accuracy of the leaderboard",
    RECONCILED: "a score that their samples give and the leaderboard does not have",
    DIFFERS: "another number than their samples give",
    OPEN: "nothing that could be reconciled",
}


def blocks(campaign: Campaign) -> list[Block]:
    """How many logs agree, and the table of the runs."""
    overrides = dict.fromkeys(TEXTS, pl.String) | dict.fromkeys(NUMBERS, pl.Float64)
    frame = pl.read_csv(campaign.folder / "imports.csv", schema_overrides=overrides, infer_schema_length=None)
    columns = [
        Column(name, run=name == "run", long=name == "remarks")
        if frame.schema[name] == pl.String
        else Column(name, "number", digits=4 if frame.schema[name].is_float() else None)
        for name in frame.columns
    ]
    return [
        sentences([finding(frame), *mostly_partial(frame)]),
        table(frame, columns, "What the logs hold, and what they state", csv="imports"),
    ]


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
