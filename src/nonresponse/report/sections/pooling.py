"""Pooling: how much scores owe to correct answers that a single run brought into the pool."""

import polars as pl

from nonresponse.legible import short
from nonresponse.measures import get
from nonresponse.report.campaign import Campaign
from nonresponse.report.model import Section, shown
from nonresponse.wording import plural, tau


def section(campaign: Campaign) -> Section:
    """Return the largest changes of each measure."""
    table = campaign.summary("pooling")
    if table.is_empty():
        none = "No correct answer was found by one run alone, or the answers were not pooled."
        return Section("Pooling", [none], "assessors")
    first = table.filter(measure=campaign.measures[0])
    said = (
        [sentence(first, get(campaign.task, campaign.measures[0]).is_number)]
        if first.height
        else []
    )
    caption = (
        "A run's score, and Kendall's tau with the ranking as it is, if nobody had judged the"
        " correct answers that only this run found."
    )
    changes = shown(caption, table, digits={"tau": 3}, csv="pooling")
    return Section("Pooling", said, "assessors", tables=[changes])


def sentence(rows: pl.DataFrame, is_number: bool) -> str:
    """Return the largest change by one measure, and the lowest tau."""
    id, taus = rows["measure"][0], rows["tau"].drop_nulls().to_list()
    change = f"no {id} would change"
    moved = rows.filter(pl.col("change") != 0).head(1)  # the largest change comes first
    for run, most in moved.select("run", "change").rows():
        by = f"{abs(most):.{0 if is_number else 3}f} ({short(run)})"
        change = f"its {id} would {'fall' if most < 0 else 'rise'} by at most {by}"
    said = [f"If nobody had judged the correct answers that only one run found, {change}."]
    if taus:
        said.append(f"Kendall's tau with the ranking as it is would be at least {tau(min(taus))}.")
    undefined = rows.filter(pl.col("value").is_not_null() & pl.col("without").is_null()).height
    if undefined:
        said.append(f"That of {plural(undefined, 'run')} would be undefined.")
    return " ".join(said)
