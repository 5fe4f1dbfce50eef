"""The cost of a wrong answer: which run is best at which cost."""

import polars as pl

from nonresponse.legible import short
from nonresponse.report.campaign import Campaign
from nonresponse.report.model import Section, shown
from nonresponse.wording import joined, listed, rounded

CAPTION = "The best run by stretches of costs, from the answers as they were given."


def section(campaign: Campaign) -> Section | None:
    """Return a sentence and the stretches of costs."""
    table = campaign.summary("cost")
    if table.is_empty():
        return None
    named = table.with_columns(pl.col("best").fill_null(["never answering"]))
    rows = shown(CAPTION, named, decimals=3, csv="cost")
    return Section("The cost of a wrong answer", [sentence(table)], "ranking", tables=[rows])


def sentence(table: pl.DataFrame) -> str:
    """Return which run is best at which cost."""
    parts = []
    for _, rows in table.group_by("best", maintain_order=True):
        low, high = rows["cost_from"][0], rows["cost_to"][-1]
        names = [short(run) for run in rows["best"].to_list()[0] or ()] or ["never answering"]
        where = "at every cost" if high is None else f"below {rounded(high, 2)}"
        if low > 0:
            where = f"from {rounded(low, 2)} {'on' if high is None else f'to {rounded(high, 2)}'}"
        parts.append(f"{listed(names)} {where}")
    are = "are" if len(table["best"].to_list()[0] or ()) > 1 else "is"
    return f"By correct − cost · wrong for a question, the best {are} {joined(parts)}."
