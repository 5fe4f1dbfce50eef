"""Pooling: how much scores owe to correct answers that a single run brought into the pool."""

import polars as pl

from nonresponse.legible import short
from nonresponse.report.campaign import Campaign
from nonresponse.report.model import Section, tabulate
from nonresponse.scoring.leaderboard import TIE
from nonresponse.wording import least, plural, tau

CAPTION = (
    "A run's score, and Kendall's tau with the ranking as it is, if nobody had judged the correct"
    " answers that only this run found. Not for measures of NIL or of several answers."
)


def make_section(campaign: Campaign) -> Section | None:
    """Return the largest changes of each measure."""
    table, id = campaign.read_summary("pooling"), campaign.measures[0]
    if table.is_empty():
        return None
    first = table.filter(measure=id)
    rows = tabulate(CAPTION, table, digits={"tau": 3}, csv="pooling")
    sentences = [describe_changes(first)] * bool(first.height)
    return Section("Pooling", sentences, "assessors", tables=[rows])


def describe_changes(rows: pl.DataFrame) -> str:
    """Return the largest change by one measure, and the lowest tau."""
    id, taus = rows["measure"][0], rows["tau"].drop_nulls().to_list()
    effect, moved = f"no {id} would change", rows.filter(pl.col("change").abs() > TIE)
    for run, change in moved.select("run", "change").head(1).rows():  # the largest one
        effect = f"its {id} would change by at most {least(abs(change))} ({short(run)})"
    sentences = [f"If nobody had judged the correct answers that only one run found, {effect}."]
    if taus:
        value = tau(min(taus))
        sentences.append(f"Kendall's tau with the ranking as it is would be at least {value}.")
    undefined = rows.filter(pl.col("value").is_not_null() & pl.col("without").is_null()).height
    if undefined:
        sentences.append(f"That of {plural(undefined, 'run')} would be undefined.")
    return " ".join(sentences)
