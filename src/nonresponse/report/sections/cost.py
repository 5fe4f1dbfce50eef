"""The cost of a wrong answer: which run is best at which cost."""

import polars as pl

from nonresponse.legible import short
from nonresponse.report.campaign import Campaign
from nonresponse.report.model import Section, tabulate
from nonresponse.wording import format_rounded, join_names, summarise_names

CAPTION = "The best run by cost, from the answers as they were given."
NAMES = ("cost_from", "cost_to", "threshold_from", "best", "right", "wrong")


def make_section(campaign: Campaign) -> Section | None:
    """Return a sentence and the best runs. The page shows them below the chart of the ranking."""
    table = campaign.read_summary("cost")
    if table.is_empty():
        return None
    filled = table.with_columns(pl.col("best").fill_null(["never answering"]))
    rows = tabulate(CAPTION, filled, NAMES, decimals=3, csv="cost")
    return Section("The cost of a wrong answer", [describe_best_runs(table)], tables=[rows])


def describe_best_runs(table: pl.DataFrame) -> str:
    """Return which run is best at which cost."""
    parts: list[str] = []
    for _, rows in table.group_by("best", maintain_order=True):
        low, high = rows["cost_from"][0], rows["cost_to"][-1]
        names = [short(run) for run in rows["best"].to_list()[0] or ()] or ["never answering"]
        stretch = "at every cost" if high is None else f"below a cost of {format_rounded(high, 2)}"
        if low > 0:
            end = "on" if high is None else f"to {format_rounded(high, 2)}"
            stretch = f"from {format_rounded(low, 2)} {end}"
        verb = "" if parts else " are best" if len(names) > 1 else " is best"
        parts.append(f"{summarise_names(names)}{verb} {stretch}")
    return f"By correct − cost · wrong per question, {join_names(parts)}."
