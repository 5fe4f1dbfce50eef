"""Rankings: how far they agree under other judgments and by other measures."""

from collections.abc import Mapping
from types import MappingProxyType

import polars as pl

from nonresponse.legible import short
from nonresponse.measures import get
from nonresponse.report.campaign import Campaign
from nonresponse.report.model import Section, Table, matrix, shown
from nonresponse.statistics.rankings import MARGINS, against_official
from nonresponse.wording import agree, no_tau, swapped_pairs, tau, word

MOST = 100  # pairs of assessors in a table
HEADING = "Agreement of rankings"
AGAINST = ("measure", "mean_tau", "swaps", "swaps_005", "swaps_007", "largest_difference")


def section(campaign: Campaign) -> Section:
    """Return tau between assessors and between measures that rank, and swaps against the official
    ranking."""
    table, tab = (
        campaign.summary("rankings"),
        "assessors" if campaign.settings.get("official") else "reliability",
    )
    if "judges" in campaign.settings["analyses"]:
        table = told_once(table, campaign.summary("judges"), campaign.official)
    ranking = [id for id in campaign.defined if not get(campaign.task, id).descriptive]
    if not ranking:
        return Section(HEADING, [], tab)
    described = pl.any_horizontal(~pl.col("a", "b").is_in(ranking)) & (
        pl.col("compared") == "measures"
    )
    table = table.filter(~described, pl.col("measure").is_in(ranking) | pl.col("measure").is_null())
    if table["tau"].is_null().all():
        return Section(HEADING, ["There are no two rankings that could be compared."], tab)
    said, tables = [], []
    caption = (
        "Kendall's tau between the rankings under every two assessors, and by every two measures."
    )
    every = shown(caption, table, csv="rankings", paper=0)
    if (table["compared"] == "assessors").any():
        said.append(assessors(table, ranking[0]))
        tables.append(of_assessors(table, ranking))
        if (against := against_official(table, campaign.official)).height:
            scale = get(campaign.task, ranking[0]).scale
            said.append(between_assessors(table, ranking[0], campaign.official, scale))
            official = short(campaign.official)
            caption = (
                f"Rankings under each assessor against those of {official}; swaps of all "
                "of them together."
            )
            tables.append(shown(caption, against, AGAINST, {"mean_tau": 3}, csv="against_official"))
    if len(ranking) > 1:
        said.append(between_measures(table, {id: get(campaign.task, id).scale for id in ranking}))
        tables.append(of_measures(table))
    return Section(HEADING, said, tab, tables=[*tables, every])


def of_assessors(table: pl.DataFrame, measures: list[str]) -> Table:
    """Return tau with a row for each of the first pairs of assessors, and a column per measure."""
    own = table.filter(pl.col("compared") == "assessors", pl.col("measure").is_in(measures))
    of = {
        (f"{a} – {b}", id): value
        for a, b, id, value in own.select("a", "b", "measure", "tau").rows()
    }
    rows = [*dict.fromkeys(pair for pair, _ in of)][:MOST]
    return matrix(
        "assessors",
        rows,
        measures,
        of,
        "Kendall's tau of the rankings under two assessors, by measure.",
    )


def of_measures(table: pl.DataFrame) -> Table:
    """Return tau with a row and a column per measure."""
    own = table.filter(pl.col("compared") == "measures")
    of = {
        key: value for a, b, value in own.select("a", "b", "tau").rows() for key in ((a, b), (b, a))
    }
    ids = pl.concat([own["a"], own["b"]]).unique(maintain_order=True).to_list()
    return matrix("measure", ids, ids, of, "Kendall's tau of the rankings by two measures.")


def told_once(rankings: pl.DataFrame, judges: pl.DataFrame, official: str) -> pl.DataFrame:
    """Return the table without pairs of the official assessor and a judge for whom judges.csv has
    another tau.

    judges.csv compares only responses that both judged, which are not all if the judge failed on
    some.
    """
    own = judges.drop_nulls("tau").select(pl.col("judge", "measure").cast(pl.String), own="tau")
    of_both = rankings.filter(compared="assessors", a=official)
    both = of_both.join(own, left_on=["b", "measure"], right_on=["judge", "measure"])
    otherwise = both.filter((pl.col("tau") - pl.col("own")).abs().fill_null(1) > 1e-9)[
        "b"
    ].to_list()
    told = (pl.col("a") == official) & pl.col("b").is_in(otherwise)
    return rankings.filter((pl.col("compared") != "assessors") | ~told)


def between_assessors(rankings: pl.DataFrame, measure: str, official: str, scale: int = 1) -> str:
    """Return how far single assessors change the official ranking by one measure."""
    others = against_official(rankings, official).filter(pl.col("measure") == measure)
    if others.is_empty():
        return f"Only one assessor judged, so that there is no other ranking by {measure}."
    row = others.row(0, named=True)
    number = row["others"]
    if row["mean_tau"] is None:
        return no_tau(measure, "assessors")
    both = f"The rankings by {measure} under {short(row['assessors'][0])} and the official one"
    if number > 1:
        both = f"Rankings by {measure} under single assessors and the official one"
    how = agree(row["mean_tau"], "mean " * (number > 1))
    return f"{both} {how}; {swaps(row, number, scale)}."


def assessors(rankings: pl.DataFrame, measure: str) -> str:
    """Return how far apart the rankings by one measure under any two assessors are."""
    own = rankings.filter(pl.col("compared") == "assessors", pl.col("measure") == measure)
    known = own.drop_nulls("tau").sort("tau", maintain_order=True)
    if known.is_empty():
        return f"There are no two assessors whose rankings by {measure} could be compared."
    ends = [
        (tau(row["tau"]), f"{short(row['a'])} and {short(row['b'])}")
        for row in known[[0, -1]].rows(named=True)
    ]
    (low, least), (high, most) = ends
    between = f"Kendall's tau between the rankings by {measure} under"
    if low == high:
        return f"{between} {least if known.height == 1 else 'any two assessors'} is {low}."
    return f"{between} two assessors is from {low} ({least}) to {high} ({most})."


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
    if pairs.height == 1:
        row = pairs.row(0, named=True)
        how = f"{agree(row['tau'])}; {swaps(row, scale=scales.get(row['a'], 1))}"
        return f"The rankings by {row['a']} and {row['b']} {how}."
    mean = known.select(pl.mean("tau")).item()
    number = word(len({*pairs["a"], *pairs["b"]}))
    low, high = known.row(0, named=True), known.row(-1, named=True)
    if tau(low["tau"]) == tau(high["tau"]):
        return f"The rankings by any two of {number} measures {agree(low['tau'])}."
    ends = (f"{tau(row['tau'])} ({row['a']} and {row['b']})" for row in (low, high))
    return f"The rankings by {number} measures {agree(mean, 'mean ')}, from {' to '.join(ends)}."
