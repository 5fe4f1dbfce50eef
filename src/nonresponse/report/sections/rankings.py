"""Rankings: how far they agree under other judgments and by other measures."""

import polars as pl

from nonresponse.legible import short
from nonresponse.measures import get
from nonresponse.report.campaign import Campaign
from nonresponse.report.model import Section, tabulate, tabulate_matrix
from nonresponse.statistics.rankings import compare_with_official
from nonresponse.wording import tau

MAX_PAIRS = 100  # of assessors in a table
NAMES = ("measure", "mean_tau", "swaps", "swaps_005", "swaps_007", "largest_difference")
ASSESSORS_CAPTION = "Kendall's tau of the rankings under two assessors, by measure."
MEASURES_CAPTION = "Kendall's tau of the rankings by two measures."


def make_section(campaign: Campaign) -> Section | None:
    """Return tau between assessors and between measures, and swaps against the official ranking."""
    table, official = campaign.read_summary("rankings"), campaign.official
    ids = [id for id in campaign.defined_measures if not get(campaign.task, id).descriptive]
    assessors = table.filter(pl.col("measure").is_in(ids), compared="assessors")
    measures = table.filter(pl.col("a").is_in(ids), pl.col("b").is_in(ids), compared="measures")
    sentences, tables = [], []
    if assessors["tau"].count():
        first = assessors.filter(measure=ids[0])
        if first["tau"].count():
            sentences.append(describe_tau(first, f"by {ids[0]} under two assessors"))
        pairs = assessors.select(pl.format("{} – {}", "a", "b"), "measure", "tau").rows()
        rows = [*dict.fromkeys(pair for pair, _, _ in pairs)][:MAX_PAIRS]
        values = {(pair, measure): value for pair, measure, value in pairs}
        matrix = "assessors", rows, ids, values, ASSESSORS_CAPTION, "tau-assessors"
        tables.append(tabulate_matrix(*matrix))
        if (swaps := compare_with_official(assessors, official)).height:
            caption = f"Rankings under each assessor against those of {short(official)}."
            tables.append(tabulate(caption, swaps, NAMES, {"mean_tau": 3}, csv="against_official"))
    if measures["tau"].count():
        sentences.append(describe_tau(measures, "by two measures"))
        values = {(a, b): value for a, b, value in measures.select("a", "b", "tau").rows()}
        values |= {(b, a): value for (a, b), value in values.items()}
        matrix = "measure", ids, ids, values, MEASURES_CAPTION, "tau-measures"
        tables.append(tabulate_matrix(*matrix))
    if not tables:
        return None
    tab = "assessors" if campaign.settings.get("official") else "reliability"
    return Section("Agreement of rankings", sentences, tab, tables=tables)


def describe_tau(rankings: pl.DataFrame, clause: str) -> str:
    """Return the lowest and the highest tau of rankings, each with the two that it is of."""
    ends = rankings.drop_nulls("tau").sort("tau", maintain_order=True)[[0, -1]].rows(named=True)
    pairs = {tau(row["tau"]): f" ({short(row['a'])} and {short(row['b'])})" for row in ends}
    if len(pairs) == 1 and rankings.height > 1:
        return f"Kendall's tau of the rankings {clause} is always {next(iter(pairs))}."
    values = [f"{value}{names}" for value, names in pairs.items()]
    return f"Kendall's tau of the rankings {clause} is {' to '.join(values)}."
