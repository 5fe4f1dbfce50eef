"""Swaps on the page: how much two runs must differ."""

import polars as pl

from nonresponse.figures import curves as figure
from nonresponse.pages.document import Section
from nonresponse.pages.sections import Campaign, draw, part, section, shown
from nonresponse.wording import at, difference, listed, percent, plural


def page(campaign: Campaign) -> Section:
    """A figure, and table 2 of Peñas & Rodrigo 2011."""
    level, summary = campaign.settings["level"], campaign.csv("sensitivity", "measure", "warning")
    finding = overall(summary, level)
    drawn = f"two disjoint random subsets of {part(summary)}"
    chart = figure.swap(campaign.read("swap"), f"{campaign.title}: swaps", drawn, finding, level)
    digits = {"required_difference": difference, "highest_value": 2, "relative_difference": 4, "sensitivity": 4}
    published = {f"published_{name}": number for name, number in digits.items()}
    caption = f"The swap method on {drawn}, at a swap rate of {level:g}."
    if summary["published_sensitivity"].is_null().all():
        published = {}
    else:
        caption += " Published: Peñas & Rodrigo 2011, table 2, on the runs of QA@CLEF 2009, which are other data."
    warning = {"warning": None} if (summary["warning"].fill_null("") != "").any() else {}
    table = shown(caption, summary, {"measure": None} | digits | warning | published)
    of_each = [(id, sentence(summary, id, level)) for id in campaign.measures]
    return section("Sensitivity", [("", finding), *of_each], [draw(campaign, "swap", chart)], [table])


def sentence(summary: pl.DataFrame, measure: str, level: float = 0.05) -> str:
    """How much two runs must differ by one measure, from sensitivity.csv."""
    row = summary.row(by_predicate=pl.col("measure") == measure, named=True)
    required, size = row["required_difference"], plural(row["size"], "question")
    others = "another one" if row["size"] == 1 else f"another {row['size']:,}"
    again = f"{others} {'contradicts' if row['size'] == 1 else 'contradict'}"
    most = f"in at most {at(level)} of the comparisons"
    if required is None:
        return f"With {size}, no difference in {measure} was seen whose order {again} {most}."
    if required == 0 and row["warning"]:
        start = f"With {size}, no difference in {measure} can be relied on: but for equal runs, {again}"
        return f"{start} {later(row, level)}."
    if required == 0:
        return f"With {size}, even for the smallest differences in {measure} {again} the order {most}."
    reached = f"{percent(row['sensitivity'])} of the comparisons reach that"
    return (
        f"With {size}, two runs must differ by at least {difference(required)} in {measure} for {others} to contradict "
        f"their order {most}; {reached}{although(row, level)}."
    )


def although(row: dict, level: float) -> str:
    """The warning as the end of a sentence, if there is one."""
    return f", although other questions contradict {later(row, level)}" if row["warning"] else ""


def later(row: dict, level: float) -> str:
    """The warning, with no more than a few of the differences that it lists."""
    again = row["warning"].rpartition(" at ")[2].split(", ")
    return f"the order in more than {at(level)} of the comparisons at differences of {listed(again)}"


def overall(summary: pl.DataFrame, level: float = 0.05) -> str:
    """The differences that the measures require, and which measure is the most sensitive, from sensitivity.csv."""
    required = pl.col("required_difference").cast(pl.Float64)  # text where all are null
    warned = pl.col("warning").fill_null("") != ""
    some = summary.filter(required > 0)
    parts = []
    if some.height:
        needed, reached = some["required_difference"], some["sensitivity"].max()
        ends = dict.fromkeys((needed.min(), needed.max()))
        texts = [f"{difference(end)} ({listed(ids(some.filter(required == end)))})" for end in ends]
        parts.append(f"two runs must differ by {' to '.join(texts)}")
        first = listed(ids(some.filter(pl.col("sensitivity") == reached)))
        parts.append(f"comparisons most often do in {first} ({percent(reached)})")
    for condition, what in (
        ((required == 0) & ~warned, "any difference suffices in"),
        (required.is_null(), "no difference suffices in"),
        (warned, "some larger differences do not suffice in"),
    ):
        if found := ids(summary.filter(condition)):
            parts.append(f"{what} {listed(found)}")
    size = plural(summary["size"][0], "question")
    return f"To keep swaps within {at(level)} with {size}, {'; '.join(parts)}."


def ids(table: pl.DataFrame) -> list[str]:
    """The measures in the rows."""
    return table["measure"].to_list()
