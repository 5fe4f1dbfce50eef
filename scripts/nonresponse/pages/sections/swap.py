"""Swaps on the page: how much two runs must differ."""

import polars as pl

from nonresponse.figures import curves as figure
from nonresponse.figures.page import extremes
from nonresponse.pages.blocks import Topic, shown
from nonresponse.pages.sections import Campaign, draw, part
from nonresponse.reliability.swap import AT_LEVEL
from nonresponse.wording import at, difference, listed, percent, plural

TOO_FEW = "One question cannot be divided into two sets."


def page(campaign: Campaign) -> Topic:
    """A figure, and table 2 of Peñas & Rodrigo 2011."""
    level, summary = campaign.settings["level"], campaign.csv("sensitivity")
    finding = overall(summary, level)
    drawn = f"two disjoint random subsets of {part(summary)}"
    swaps = campaign.read("swap")
    chart = figure.swap(swaps, f"{campaign.title}: swaps", drawn, finding, level)
    caption = (
        f"The swap method on {drawn}, at a swap rate of {level:g}. Equal scores are no difference, and swap rates are"
        " fitted so that they fall with the difference."
    )
    columns = ["measure", *AT_LEVEL]
    if any(not summary[name].equals(summary[f"literal_{name}"]) for name in AT_LEVEL if name != "highest_value"):
        caption += " literal: as the paper has it, equal scores included and each bin by itself."
        columns += [f"literal_{name}" for name in AT_LEVEL if name != "highest_value"]
    if (summary["warning"].fill_null("") != "").any():
        columns.append("warning")
    if "published_sensitivity" in summary.columns and summary["published_sensitivity"].is_not_null().any():
        caption += " Published: Peñas & Rodrigo 2011, table 2, on the runs of QA@CLEF 2009, which are other data."
        columns += [f"published_{name}" for name in AT_LEVEL]
    decimals = {"required_difference": "difference", "highest_value": 2}
    digits = {f"{by}{name}": form for by in ("", "literal_", "published_") for name, form in decimals.items()}
    curves = pl.concat(table.select(pl.lit(id).alias("measure"), pl.all()) for id, table in swaps.items())
    tables = [
        shown(caption, summary, columns, digits, long=["warning"], csv="sensitivity"),
        shown("The swap rates by measure and difference.", curves, csv="swap", paper=0),
    ]
    of_each = [(id, sentence(summary, id, level)) for id in campaign.defined]
    return Topic("Sensitivity", [("", finding), *of_each], [draw(campaign, "swap", chart)], tables)


def sentence(summary: pl.DataFrame, measure: str, level: float = 0.05) -> str:
    """How much two runs must differ by one measure, from sensitivity.csv."""
    row = summary.row(by_predicate=pl.col("measure") == measure, named=True)
    if row["size"] == 0:
        return TOO_FEW
    required, size = row["required_difference"], plural(row["size"], "question")
    others = "another one" if row["size"] == 1 else f"another {row['size']:,}"
    again = f"{others} {'contradicts' if row['size'] == 1 else 'contradict'}"
    most = f"in at most {at(level)} of the comparisons"
    if required is None:
        return f"With {size}, no difference in {measure} was seen whose order {again} {most}."
    reached = f"{percent(row['sensitivity'])} of the comparisons reach that"
    if required == 0:
        return (
            f"With {size}, even for the smallest differences in {measure} {again} the order {most};"
            f" {percent(row['sensitivity'])} of the comparisons differ at all."
        )
    return (
        f"With {size}, two runs must differ by at least {difference(required)} in {measure} for {others} to contradict "
        f"their order {most}; {reached}."
    )


def overall(summary: pl.DataFrame, level: float = 0.05) -> str:
    """The differences that the measures require, and which measure is the most sensitive, from sensitivity.csv."""
    if summary["size"][0] == 0:
        return TOO_FEW
    required = pl.col("required_difference")
    some = summary.filter(required > 0)
    parts = []
    if some.height:
        _, reached = extremes(some["sensitivity"])
        ends = dict.fromkeys(extremes(some["required_difference"]))
        texts = [f"{difference(end)} ({listed(ids(some.filter(required == end)))})" for end in ends]
        parts.append(f"two runs must differ by {' to '.join(texts)}")
        first = listed(ids(some.filter(pl.col("sensitivity") == reached)))
        parts.append(f"comparisons most often do in {first} ({percent(reached)})")
    for condition, what in (
        (required == 0, "any difference suffices in"),
        (required.is_null(), "none within the range seen suffices in"),
    ):
        if found := ids(summary.filter(condition)):
            parts.append(f"{what} {listed(found)}")
    size = plural(summary["size"][0], "question")
    return f"To keep swaps within {at(level)} with {size}, {'; '.join(parts)}."


def ids(table: pl.DataFrame) -> list[str]:
    """The measures in the rows."""
    return table["measure"].to_list()
