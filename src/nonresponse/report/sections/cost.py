"""The cost of a wrong answer: which run is best at which cost."""

import polars as pl

from nonresponse.legible import short
from nonresponse.report.campaign import Campaign
from nonresponse.report.model import Section, shown
from nonresponse.wording import joined, listed, rounded

ABOUT = {
    "cost_from": "a stretch of costs with the same best run",
    "cost_to": "where it ends; empty = never",
    "threshold_from": "cost_from / (1 + cost_from): how sure a run must be for an answer to pay",
    "threshold_to": "the same of cost_to",
    "best": "the run that is worth most, or several equal ones; empty = never answering",
    "right": "its n_ac / n; of never answering the share of the questions that have no answer",
    "wrong": "its n_aw / n",
    "value": "right − cost_from · wrong",
}
CAPTION = "The best run by stretches of costs, from the answers as they were given."


def section(campaign: Campaign) -> Section | None:
    """Return a sentence and the stretches of costs."""
    table = campaign.summary("cost")
    if table.is_empty():
        return None
    rows = shown(CAPTION, table, about=ABOUT, decimals=3, csv="cost")
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
