"""Logs of a harness: what each holds and states, and whether that agrees with the leaderboard."""

from pathlib import Path

import polars as pl

from nonresponse.ingest import imports
from nonresponse.ingest.imports import AGREES, DIFFERS, RECONCILED, UNRECONCILED
from nonresponse.report import model
from nonresponse.report.campaign import Campaign
from nonresponse.report.model import Section, tabulate
from nonresponse.tables import read_parquet
from nonresponse.wording import join_names, plural

HEADLINES = {  # by the outcome in imports.csv
    AGREES: "the accuracy of the leaderboard",
    RECONCILED: "a score that their samples give and the leaderboard does not have",
    DIFFERS: "another number than their samples give",
    UNRECONCILED: "nothing that could be reconciled",
}
FIRST = ("run", "measure", "stated", "recomputed", "accuracy", "outcome")  # and always shown
CHECKSUMS = ("questions", "texts", "ruler")


def make(campaign: Campaign, accounts: list[Path], counts: Path) -> None:
    """Write imports.csv and imports.json, from the accounts of the logs and the counts."""
    logs = imports.summarise_runs(imports.read_accounts(accounts))
    frame = imports.reconcile(logs, read_parquet(counts))
    campaign.write_tables("", {"imports": frame})
    model.write_sections({"imports": make_section(frame)}, campaign.folder / "imports.json")


def make_section(frame: pl.DataFrame) -> Section:
    """Return how many logs agree, which count partly correct answers, and a row per run."""
    outcomes = frame["outcome"].to_list()
    parts = [
        f"{headline} for {plural(outcomes.count(outcome), 'run')}"
        for outcome, headline in HEADLINES.items()
        if outcome in outcomes
    ]
    sentences = [f"The logs state {join_names(parts)}.", *imports.describe_partial_headlines(frame)]
    caption = "What the logs hold, and what they state."
    names = sorted(frame.columns, key=lambda name: name not in FIRST)
    hidden = [name for name in names if name not in FIRST and not is_informative(frame[name])]
    table = tabulate(caption, frame, names, long=["remarks"], hidden=hidden, csv="imports")
    return Section("Logs and what they state", sentences, "data", tables=[table])


def is_informative(column: pl.Series) -> bool:
    """Return whether a column is shown at first: no checksum, and not empty or 0 in all rows."""
    values = [value for value in column if value]  # not null, "" or 0
    return column.name not in CHECKSUMS and bool(values)
