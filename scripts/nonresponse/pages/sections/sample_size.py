"""The number of questions on the page: how many a difference needs, and what this campaign's suffice for."""

import polars as pl

from nonresponse.figures import sample_size as figure
from nonresponse.pages.document import Section
from nonresponse.pages.sections import Campaign, draw, section, shown
from nonresponse.wording import at, difference, plural

UNKNOWN = "cannot tell"


def page(campaign: Campaign) -> Section:
    """A figure per measure, and a table of the questions that each difference needs."""
    level, enough = campaign.settings["level"], campaign.csv("sample_size", "measure")
    needed = campaign.csv("questions_needed", "measure", "remark")
    findings, figures = [], []
    for id, table in campaign.read("sample_size").items():
        finding = sentence(needed, enough, id, level=level)
        title = f"{campaign.title}: error rate of {id} and number of questions"
        chart = figure.sample_size(table, enough["questions"][0], title, "", finding, level)
        figures.append(draw(campaign, f"sample_size-{id}", chart))
        findings.append((id, finding))
    answers = needed.with_columns(answer=pl.Series([answer(row) for row in needed.iter_rows(named=True)]))
    wide = answers.pivot("measure", index="difference", values="answer", maintain_order=True)
    caption = (
        f"Questions needed to tell apart two runs at an error rate of {level:g}, with 95 % of the fit in brackets."
    )
    table = shown(caption, wide, {"difference": 2} | dict.fromkeys(campaign.measures))
    return section("Number of questions", findings, figures, [table])


def answer(row: dict) -> str:
    """The cell of one difference and measure, from a row of questions_needed.csv."""
    if row["questions"] is None:
        return UNKNOWN
    if row["remark"]:
        return row["remark"]
    return f"{row['questions']:,} ({row['lower']:,}–{row['upper']:,})"


def sentence(needed: pl.DataFrame, enough: pl.DataFrame, measure: str, apart: float = 0.05, level: float = 0.05) -> str:
    """How many questions a difference needs, and what difference the questions of the campaign suffice for.

    The tables are those of questions_needed.csv and sample_size.csv.
    """
    of_measure = enough.row(by_predicate=pl.col("measure") == measure, named=True)
    wanted = (pl.col("measure") == measure) & ((pl.col("difference") - apart).abs() < 1e-9)
    row = needed.row(by_predicate=wanted, named=True)
    pair = f"two runs that differ by {difference(apart)} in {measure}"
    goal = f"to tell apart {pair} with an error rate below {at(level)}"
    n, required = of_measure["questions"], of_measure["required_difference"]
    if row["questions"] is None:
        start = f"How many questions it takes {goal} cannot be told" + (f" ({row['remark']})" if row["remark"] else "")
    else:
        number = row["remark"] or f"about {row['questions']:,}"  # such as "21 or fewer"
        start = f"If error rates go on falling as they did, it takes {number} questions{fit(row)} {goal}"
    if required is None:
        return f"{start}; which difference the {plural(n, 'question')} of this campaign can tell is not known."
    return f"{start}; this campaign has {n:,}, which suffice for a difference of {difference(required)}."


def fit(row: dict) -> str:
    """The interval of the fit in brackets, if there is one."""
    if row["lower"] is None or row["upper"] is None:
        return ""
    return f" (95 % of the fit: {row['lower']:,} to {row['upper']:,})"
