"""Rankings: how far they agree under other judgments and by other measures."""

import polars as pl

from nonresponse.legible import short
from nonresponse.measures import get
from nonresponse.report.campaign import Campaign
from nonresponse.report.model import Section, tabulate, tabulate_matrix
from nonresponse.statistics.rankings import compare_with_official
from nonresponse.wording import tau

MOST = 100  # pairs of assessors in a table
AGAINST = ("measure", "mean_tau", "swaps", "swaps_005", "swaps_007", "largest_difference")
OF_ASSESSORS = "Kendall's tau of the rankings under two assessors, by measure."
OF_MEASURES = "Kendall's tau of the rankings by two measures."


def make_section(campaign: Campaign) -> Section | None:
    """Return tau between assessors and between measures that rank, and swaps against the official
    ranking."""
    table, official = campaign.read_summary("rankings"), campaign.official
    ids = [id for id in campaign.defined_measures if not get(campaign.task, id).descriptive]
    of_assessors = table.filter(pl.col("measure").is_in(ids), compared="assessors")
    of_first = of_assessors.filter(measure=ids[0])
    of_measures = table.filter(pl.col("a").is_in(ids), pl.col("b").is_in(ids), compared="measures")
    sentences, tables = [], []
    if of_assessors["tau"].count():
        if of_first["tau"].count():
            sentences.append(describe_tau(of_first, f"by {ids[0]} under two assessors"))
        pairs = of_assessors.select(pl.format("{} – {}", "a", "b"), "measure", "tau").rows()
        rows = [*dict.fromkeys(pair for pair, _, _ in pairs)][:MOST]
        values = {(pair, measure): value for pair, measure, value in pairs}
        tables.append(tabulate_matrix("assessors", rows, ids, values, OF_ASSESSORS))
        if (against := compare_with_official(of_assessors, official)).height:
            caption = f"Rankings under each assessor against those of {short(official)}."
            tables.append(
                tabulate(caption, against, AGAINST, {"mean_tau": 3}, csv="against_official")
            )
    if of_measures["tau"].count():
        sentences.append(describe_tau(of_measures, "by two measures"))
        values = {(a, b): value for a, b, value in of_measures.select("a", "b", "tau").rows()}
        values |= {(b, a): value for (a, b), value in values.items()}
        tables.append(tabulate_matrix("measure", ids, ids, values, OF_MEASURES))
    if not tables:
        return None
    tab = "assessors" if campaign.settings.get("official") else "reliability"
    return Section("Agreement of rankings", sentences, tab, tables=tables)


def describe_tau(rankings: pl.DataFrame, which: str) -> str:
    """Return the lowest and the highest tau of rankings, each with the two that it is of."""
    ends = rankings.drop_nulls("tau").sort("tau", maintain_order=True)[[0, -1]].rows(named=True)
    both = {tau(row["tau"]): f" ({short(row['a'])} and {short(row['b'])})" for row in ends}
    if len(both) == 1 and rankings.height > 1:
        return f"Kendall's tau of the rankings {which} is always {next(iter(both))}."
    values = [f"{value}{names}" for value, names in both.items()]
    return f"Kendall's tau of the rankings {which} is {' to '.join(values)}."
