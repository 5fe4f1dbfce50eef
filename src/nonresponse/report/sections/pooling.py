"""Pooling: how much scores owe to right answers that a single run brought into the pool."""

import polars as pl

from nonresponse.legible import short
from nonresponse.measures import get
from nonresponse.report.campaign import Campaign
from nonresponse.report.model import Section, shown
from nonresponse.wording import plural, tau

MOST = 10  # rows of the table on paper, where the first measure stands first


def section(campaign: Campaign) -> Section:
    """Return the largest changes of each measure."""
    table = campaign.summary("pooling")
    if table.is_empty():
        reason = "no right answer was found by one run alone, or the answers were not pooled."
        return Section("Pooling", [f"There is nothing to leave out: {reason}"], "assessors")
    first = table.filter(measure=campaign.measures[0])
    said = (
        [sentence(first, get(campaign.task, campaign.measures[0]).is_number)]
        if first.height
        else []
    )
    caption = (
        "A run's score, and the agreement with the ranking as it is (tau), if nobody had "
        "judged the right answers that"
        " only this run found; the largest changes by each measure first."
    )
    changes = shown(caption, table, digits={"tau": 3}, csv="pooling", paper=MOST)
    return Section("Pooling", said, "assessors", tables=[changes])


def sentence(rows: pl.DataFrame, is_number: bool) -> str:
    """Return the largest change by one measure, and the lowest tau."""
    id, alone = (
        rows["measure"][0],
        "If nobody had judged the right answers that only one run found, ",
    )
    known, taus = rows.drop_nulls("change"), rows["tau"].drop_nulls().to_list()
    ranking = f"; tau with the ranking as it is would be at least {tau(min(taus))}" if taus else ""
    if not (known["change"] != 0).any():
        said = f"{alone}no {id} would change{ranking}."
    else:
        most = known.row(0, named=True)  # the largest change comes first
        change = f"{abs(most['change']):.{0 if is_number else 3}f}"
        said = (
            f"{alone}its {id} would {'fall' if most['change'] < 0 else 'rise'} by at most {change}"
        )
        said += f" ({short(most['run'])}){ranking}."
    undefined = rows.filter(pl.col("value").is_not_null() & pl.col("without").is_null()).height
    return said + (f" That of {plural(undefined, 'run')} would be undefined." if undefined else "")
