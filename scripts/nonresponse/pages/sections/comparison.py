"""The comparison on the page: which runs can be told apart."""

import polars as pl

from nonresponse.figures import intervals as figure
from nonresponse.measures import get
from nonresponse.pages.document import Section
from nonresponse.pages.sections import Campaign, draw, section, shown
from nonresponse.wording import at, percent


def page(campaign: Campaign) -> Section:
    """A figure per measure, and a table of the shares of pairs that each method tells apart."""
    level, power = campaign.settings["level"], campaign.csv("discriminative_power", "measure")
    pairs, intervals = campaign.read("comparisons"), campaign.read("intervals")
    findings, figures = [("", overall(power))], []
    for id in campaign.measures:
        finding = sentence(pairs[id], intervals[id], id, level)
        higher = get(campaign.task, id).higher_is_better
        title = f"{campaign.title}: {id} with {at(1 - level)} intervals"
        chart = figure.intervals(intervals[id], id, higher, campaign.official, title, "", finding, level)
        figures.append(draw(campaign, f"intervals-{id}", chart))
        findings.append((id, finding))
    caption = (
        f"Shares of the pairs of runs that are told apart at {level:g}: by the bootstrap interval of the difference, by"
        " a paired randomisation test alone and with Holm's correction, and by the randomised Tukey HSD."
    )
    if power["pairs"].max() > level * campaign.settings["exchanges"] / 10:
        caption += (
            f" Holm's correction of {power['pairs'].max():,} pairs with {campaign.settings['exchanges']:,} trials is"
            " coarse; more `exchanges` would make it finer."
        )
    columns = {"measure": None, "pairs": None, "interval": 4, "p": 4, "holm": 4, "tukey": 4}
    return section("Which runs can be told apart", findings, figures, [shown(caption, power, columns)])


def sentence(comparisons: pl.DataFrame, intervals: pl.DataFrame, measure: str, level: float = 0.05) -> str:
    """How many pairs of runs can be told apart by one measure, and which cannot be told from the best.

    The tables are those of one measure under the official judgments.
    """
    known = comparisons.drop_nulls("p_tukey")
    pairs, apart = known.height, (known["p_tukey"] <= level).sum()
    how = f"by {measure} at the {at(level)} level (randomised Tukey HSD)"
    if pairs == 0:
        return f"No two runs could be compared by {measure}."
    if pairs == 1:
        return f"The two runs can{'' if apart else 'not'} be told apart {how}."
    if apart in (0, pairs):
        return f"{'All' if apart else 'None'} of the {pairs:,} pairs of runs can be told apart {how}."
    best = intervals["groups"].str.contains("^a([^']|$)").sum()  # a' is another group
    first = f"the first {best:,} runs cannot be told apart from each other"
    if best == 1:
        first = "the best run can be told apart from all others"
    return f"Of {pairs:,} pairs of runs {apart:,} ({percent(apart / pairs)}) can be told apart {how}; {first}."


def overall(power: pl.DataFrame) -> str:
    """Which measure tells most pairs of runs apart, from discriminative_power.csv."""
    known = power.drop_nulls("tukey").sort("tukey", descending=True, maintain_order=True)
    if known.is_empty():
        return "No two runs could be compared."
    most, fewest = (f"{percent(row['tukey'])} ({row['measure']})" for row in known[[0, -1]].rows(named=True))
    if known.height > 1 and known["tukey"].n_unique() == 1:
        return (
            f"By every measure the randomised Tukey HSD tells apart {percent(known['tukey'][0])} of the pairs of runs."
        )
    shares = most if known.height == 1 else f"from {fewest} to {most}"
    return f"The randomised Tukey HSD tells apart {shares} of the pairs of runs."
