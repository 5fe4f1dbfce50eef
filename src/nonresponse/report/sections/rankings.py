"""Rankings: how far they agree under other judgments and by other measures."""

from collections.abc import Callable

import polars as pl

from nonresponse.legible import short
from nonresponse.measures import get
from nonresponse.report.campaign import Campaign
from nonresponse.report.model import Section, matrix, shown
from nonresponse.statistics.rankings import against_official
from nonresponse.wording import agree, tau, word

MOST = 100  # pairs of assessors in a table
AGAINST = ("measure", "mean_tau", "swaps", "swaps_005", "swaps_007", "largest_difference")
OF_ASSESSORS = "Kendall's tau of the rankings under two assessors, by measure."
OF_MEASURES = "Kendall's tau of the rankings by two measures."


def section(campaign: Campaign) -> Section | None:
    """Return tau between assessors and between measures that rank, and swaps against the official
    ranking."""
    table, official = campaign.summary("rankings"), campaign.official
    ids = [id for id in campaign.defined if not get(campaign.task, id).descriptive]
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
            said += between_assessors(against.filter(measure=ids[0]), ids[0])
            caption = f"Rankings under each assessor against those of {short(official)}."
            tables.append(shown(caption, against, AGAINST, {"mean_tau": 3}, csv="against_official"))
    if of_measures["tau"].count():
        said.append(between_measures(of_measures))
        values = {(a, b): value for a, b, value in of_measures.select("a", "b", "tau").rows()}
        values |= {(b, a): value for (a, b), value in values.items()}
        tables.append(matrix("measure", ids, ids, values, OF_MEASURES))
    if not said:
        return None
    every = pl.concat([of_assessors, of_measures])
    tables.append(shown("Every two rankings.", every, csv="rankings", paper=0))
    tab = "assessors" if campaign.settings.get("official") else "reliability"
    return Section("Agreement of rankings", said, tab, tables=tables)


def between_assessors(against: pl.DataFrame, measure: str) -> list[str]:
    """Return how far assessors change the official ranking by one measure; against: its row."""
    known = against.drop_nulls("mean_tau")
    if known.is_empty():
        return []
    row = known.row(0, named=True)
    swapped = f"{row['swaps'] or 'none'} of their pairs of runs"
    far = f", {row['swaps_005'] or 'none'} of them by 5 points or more" * (row["swaps"] > 0)
    which = f"Rankings by {measure} under other assessors and the official one"
    return [f"{which} {agree(row['mean_tau'], 'mean ')}; {swapped} are swapped{far}."]


def between_any(rankings: pl.DataFrame, measure: str) -> str:
    """Return how far apart the rankings by one measure under any two assessors are."""
    known = rankings.filter(measure=measure).drop_nulls("tau")
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


def between_measures(rankings: pl.DataFrame) -> str:
    """Return how far rankings by different measures agree."""
    known = rankings.drop_nulls("tau")
    if known.is_empty():
        return "There are no two measures whose rankings could be compared."
    if rankings.height == 1:
        [row] = known.rows(named=True)
        return f"The rankings by {row['a']} and {row['b']} {agree(row['tau'])}."
    mean = agree(known["tau"].sort().mean(), "mean ")  # type: ignore[arg-type]
    number = word(len({*rankings["a"], *rankings["b"]}))
    return f"The rankings by {number} measures {mean}, {span(known)}."
