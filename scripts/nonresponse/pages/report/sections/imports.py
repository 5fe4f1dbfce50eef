"""Logs of a harness: what each holds, what it states, and whether that agrees."""

import polars as pl

from nonresponse.ingest.imports import AGREES, DIFFERS, OPEN
from nonresponse.pages.report.blocks import Block, column, sentences, table
from nonresponse.pages.sections import Campaign
from nonresponse.wording import listed, plural

TEXTS = ("run", "measure", "outcome", "remarks")
STATED = {  # by the outcome in imports.csv
    AGREES: "what their samples give",
    DIFFERS: "another number than their samples give",
    OPEN: "nothing that could be reconciled",
}


def blocks(campaign: Campaign) -> list[Block]:
    """How many logs agree, and the table of the runs."""
    overrides = dict.fromkeys(TEXTS, pl.String)
    frame = pl.read_csv(campaign.folder / "imports.csv", schema_overrides=overrides, infer_schema_length=None)
    columns = [
        column(name, run=name == "run", long=name == "remarks")
        if frame.schema[name] == pl.String
        else column(name, "number", digits=4 if frame.schema[name].is_float() else None)
        for name in frame.columns
    ]
    return [
        sentences([finding(frame)]),
        table(frame, columns, "What the logs hold, and what they state", csv="imports"),
    ]


def finding(frame: pl.DataFrame) -> str:
    """How many runs are as their logs say."""
    counts = dict(frame["outcome"].value_counts(sort=True, name="runs").sort("outcome").iter_rows())
    parts = [f"{STATED[outcome]} for {plural(number, 'run')}" for outcome, number in counts.items()]
    return f"The logs state {listed(parts)}."
