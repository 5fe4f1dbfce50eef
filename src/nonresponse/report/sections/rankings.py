"""Rankings: how far they agree under other judgments and by other measures."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

import polars as pl

from nonresponse.legible import short
from nonresponse.measures import get
from nonresponse.report.campaign import Campaign
from nonresponse.report.model import Section, matrix, shown
from nonresponse.statistics.rankings import MARGINS, against_official
from nonresponse.wording import agree, no_tau, swapped_pairs, tau, word

MOST = 100  # pairs of assessors in a table
HEADING = "Agreement of rankings"
AGAINST = ("measure", "mean_tau", "swaps", "swaps_005", "swaps_007", "largest_difference")


def section(campaign: Campaign) -> Section:
    """Return tau between assessors and between measures that rank, and swaps against the official
    ranking."""
    table, official = campaign.summary("rankings"), campaign.official
    tab = "assessors" if campaign.settings.get("official") else "reliability"
    ranking = [id for id in campaign.defined if not get(campaign.task, id).descriptive]
    scales = {id: get(campaign.task, id).scale for id in ranking}
    a, b, measure = map(pl.col, ("a", "b", "measure"))
    of_measures = table.filter(a.is_in(ranking) & b.is_in(ranking), compared="measures")
    of_assessors = table.filter(measure.is_in(ranking), compared="assessors")
    said, tables = [], []
    if of_assessors["tau"].count():
        said.append(between_any(of_assessors, ranking[0]))
        pairs = of_assessors.with_columns(pair=pl.format("{} – {}", "a", "b"))
        values = pairs.select("pair", "measure", "tau").rows()
        rows = [*dict.fromkeys(pair for pair, _, _ in values)][:MOST]
        caption = "Kendall's tau of the rankings under two assessors, by measure."
        tables.append(matrix("assessors", rows, ranking, by_pair(values), caption))
        if (against := against_official(of_assessors, official)).height:
            scale = scales[ranking[0]]
            said.append(between_assessors(of_assessors, ranking[0], official, scale))
            caption = f"Rankings under each assessor against those of {short(official)}."
            tables.append(shown(caption, against, AGAINST, {"mean_tau": 3}, csv="against_official"))
    if of_measures["tau"].count():
        said.append(between_measures(of_measures, scales))
        values = of_measures.select("a", "b", "tau").rows()
        both = by_pair(values) | by_pair((b, a, tau) for a, b, tau in values)
        caption = "Kendall's tau of the rankings by two measures."
        tables.append(matrix("measure", ranking, ranking, both, caption))
    if not said:
        return Section(HEADING, ["There are no two rankings that could be compared."], tab)
    every = pl.concat([of_assessors, of_measures])
    tables.append(shown("Every two rankings.", every, csv="rankings", paper=0))
    return Section(HEADING, said, tab, tables=tables)


def by_pair(rows: Iterable[tuple]) -> dict[tuple[str, str], float | None]:
    """Return rows of two names and a coefficient as a mapping."""
    return {(one, other): value for one, other, value in rows}


def between_assessors(rankings: pl.DataFrame, measure: str, official: str, scale: int = 1) -> str:
    """Return how far single assessors change the official ranking by one measure."""
    others = against_official(rankings, official).filter(pl.col("measure") == measure)
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
    ends = [
        f"{tau(row['tau'])} ({short(row['a'])} and {short(row['b'])})"
        for row in known.sort("tau", maintain_order=True)[[0, -1]].rows(named=True)
    ]
    span = f"from {' to '.join(ends)}" if known.height > 1 else ends[0]
    return f"Kendall's tau between the rankings by {measure} under two assessors is {span}."


def swaps(row: dict, assessors: int = 1, scale: int = 1) -> str:
    """Return how many pairs of runs are swapped, and how many of them far apart."""
    five, seven = (f"by {share * scale:g} or more" for share in MARGINS.values())
    under = f" under {word(assessors)} assessors" if assessors > 1 else ""
    said = swapped_pairs(row["swaps"], row["swaps_005"], five, under)
    larger = f"{row['swaps_007'] or 'none'} {seven}"
    return f"{said} and {larger}" if row["swaps"] > 1 and row["swaps_005"] else said


def between_measures(
    rankings: pl.DataFrame, scales: Mapping[str, int] = MappingProxyType({})
) -> str:
    """Return how far rankings by different measures, of these scales, agree."""
    pairs = rankings.filter(pl.col("compared") == "measures")
    known = pairs.drop_nulls("tau").sort("tau", maintain_order=True)
    if known.is_empty():
        return "There are no two measures whose rankings could be compared."
    low, high = known[[0, -1]].rows(named=True)
    if pairs.height == 1:
        how = f"{agree(low['tau'])}; {swaps(low, scale=scales.get(low['a'], 1))}"
        return f"The rankings by {low['a']} and {low['b']} {how}."
    number = word(len({*pairs["a"], *pairs["b"]}))
    mean = agree(known.select(pl.mean("tau")).item(), "mean ")
    ends = (f"{tau(row['tau'])} ({row['a']} and {row['b']})" for row in (low, high))
    return f"The rankings by {number} measures {mean}, from {' to '.join(ends)}."
