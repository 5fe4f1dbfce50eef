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
    "best": "the run that is worth most, several equal ones joined by “ + ”; empty = never "
    "answering",
    "right": "its n_ac / n; of never answering the share of the questions that have no answer",
    "wrong": "its n_aw / n",
    "value": "right − cost_from · wrong",
}


def section(campaign: Campaign) -> Section:
    """Return a sentence and the stretches of costs."""
    heading, table = "The cost of a wrong answer", campaign.summary("cost")
    if table.is_empty():
        return Section(heading, [])
    caption = (
        "At a cost, a run is worth right − cost · wrong for a question, never answering 0. "
        "These are the answers that"
        " the runs gave: if they were told a cost, only the worth at that cost is what they "
        "aimed at."
    )
    return Section(
        heading,
        [sentence(table)],
        "compare",
        tables=[shown(caption, table, about=ABOUT, csv="cost")],
    )


def sentence(table: pl.DataFrame) -> str:
    """Return which run is best at which cost."""
    parts = []
    for best, rows in table.group_by("best", maintain_order=True):
        low, high = rows["cost_from"][0], rows["cost_to"][-1]
        where = f"from {rounded(low, 2)} " + ("on" if high is None else f"to {rounded(high, 2)}")
        if low == 0:
            where = "at every cost" if high is None else f"below {rounded(high, 2)}"
        parts.append(
            f"{listed([short(run) for run in best[0] or ()] or ['never answering'])} {where}"
        )
    are = "are" if len(table.row(0, named=True)["best"] or ()) > 1 else "is"
    return f"By right − cost · wrong for a question, the best {are} {joined(parts)}."
