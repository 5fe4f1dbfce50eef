"""Rankings: how far they agree under other judgments and by other measures."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

import polars as pl

from nonresponse.legible import short
from nonresponse.measures import get
from nonresponse.report.campaign import Campaign
from nonresponse.report.model import Section, matrix, shown
from nonresponse.statistics.rankings import MARGINS, against_official
from nonresponse.wording import agree, no_tau, swapped_pairs, tau, word

MOST = 100  # pairs of assessors in a table
AGAINST = ("measure", "mean_tau", "swaps", "swaps_005", "swaps_007", "largest_difference")
OF_ASSESSORS = "Kendall's tau of the rankings under two assessors, by measure."
OF_MEASURES = "Kendall's tau of the rankings by two measures."


def section(campaign: Campaign) -> Section | None:
    """Return tau between assessors and between measures that rank, and swaps against the official
    ranking."""
    table, official = campaign.summary("rankings"), campaign.official
    ids = [id for id in campaign.defined if not get(campaign.task, id).descriptive]
    scales = {id: get(campaign.task, id).scale for id in ids}
    of_assessors = table.filter(pl.col("measure").is_in(ids), compared="assessors")
    of_measures = table.filter(pl.col("a").is_in(ids), pl.col("b").is_in(ids), compared="measures")
    said, tables = [], []
    if of_assessors["tau"].count():
        said.append(between_any(of_assessors, ids[0]))
        pairs = of_assessors.select(pl.format("{} – {}", "a", "b"), "measure", "tau").rows()
        rows = [*dict.fromkeys(pair for pair, _, _ in pairs)][:MOST]
        values = {(pair, measure): value for pair, measure, value in pairs}
        tables.append(matrix("assessors", rows, ids, values, OF_ASSESSORS))
        if (against := against_official(of_assessors, official)).height:
            said.append(between_assessors(of_assessors, ids[0], official, scales[ids[0]]))
            caption = f"Rankings under each assessor against those of {short(official)}."
            tables.append(shown(caption, against, AGAINST, {"mean_tau": 3}, csv="against_official"))
    if of_measures["tau"].count():
        said.append(between_measures(of_measures, scales))
        values = {(a, b): value for a, b, value in of_measures.select("a", "b", "tau").rows()}
        values |= {(b, a): value for (a, b), value in values.items()}
        tables.append(matrix("measure", ids, ids, values, OF_MEASURES))
    if not said:
        return None
    every = pl.concat([of_assessors, of_measures])
    tables.append(shown("Every two rankings.", every, csv="rankings", paper=0))
    tab = "assessors" if campaign.settings.get("official") else "reliability"
    return Section("Agreement of rankings", said, tab, tables=tables)


def between_assessors(rankings: pl.DataFrame, measure: str, official: str, scale: int = 1) -> str:
    """Return how far single assessors change the official ranking by one measure."""
    others = against_official(rankings, official).filter(measure=measure)
    if others.is_empty():
        return f"Only one assessor judged, so that there is no other ranking by {measure}."
    row = others.row(0, named=True)
    number = row["others"]
    if row["mean_tau"] is None:
        return no_tau(measure, "assessors")
    under = "single assessors" if number > 1 else short(row["assessors"][0])
    how = agree(row["mean_tau"], "mean " * (number > 1))
    both = f"Rankings by {measure} under {under} and the official one {how}"
    return f"{both}; {swaps(row, number, scale)}."


def between_any(rankings: pl.DataFrame, measure: str) -> str:
    """Return how far apart the rankings by one measure under any two assessors are."""
    known = rankings.filter(compared="assessors", measure=measure).drop_nulls("tau")
    if known.is_empty():
        return f"There are no two assessors whose rankings by {measure} could be compared."
    said = f"Kendall's tau between the rankings by {measure} under two assessors"
    return f"{said} is {span(known, short)}."


def span(known: pl.DataFrame, name: Callable[[str], str] = str) -> str:
    """Return the lowest and the highest tau, each with the two rankings; or the only one."""
    ends = known.sort("tau", maintain_order=True)[[0, -1]].rows(named=True)
    both = [f"{tau(row['tau'])} ({name(row['a'])} and {name(row['b'])})" for row in ends]
    if known.height > 1 and tau(ends[0]["tau"]) == tau(ends[1]["tau"]):
        return f"{tau(ends[0]['tau'])} for each pair"
    return f"from {' to '.join(both)}" if known.height > 1 else both[0]


def swaps(row: dict, assessors: int = 1, scale: int = 1) -> str:
    """Return how many pairs of runs are swapped, and how many of them far apart."""
    five, seven = (f"by {share * scale:g} or more" for share in MARGINS.values())
    under = f" under {word(assessors)} assessors" * (assessors > 1)
    said = swapped_pairs(row["swaps"], row["swaps_005"], five, under)
    larger = f"{row['swaps_007'] or 'none'} {seven}"
    return f"{said} and {larger}" if row["swaps"] > 1 and row["swaps_005"] else said


def between_measures(
    rankings: pl.DataFrame, scales: Mapping[str, int] = MappingProxyType({})
) -> str:
    """Return how far rankings by different measures, of these scales, agree."""
    pairs = rankings.filter(compared="measures")
    known = pairs.drop_nulls("tau")
    if known.is_empty():
        return "There are no two measures whose rankings could be compared."
    if pairs.height == 1:
        [row] = known.rows(named=True)
        how = f"{agree(row['tau'])}; {swaps(row, scale=scales.get(row['a'], 1))}"
        return f"The rankings by {row['a']} and {row['b']} {how}."
    mean = agree(known["tau"].sort().mean(), "mean ")  # type: ignore[arg-type]
    number = word(len({*pairs["a"], *pairs["b"]}))
    return f"The rankings by {number} measures {mean}, {span(known)}."
