"""Judges: how each compares with the official assessor and ranks the runs; corrected scores."""

from typing import Any

import polars as pl

from nonresponse.legible import short
from nonresponse.report.campaign import Campaign
from nonresponse.report.model import Section, Table, shown
from nonresponse.statistics.gold_sample import CHOSEN
from nonresponse.wording import at, extent, listed, percent, plural, tau

CORRECTED_SCORES = "Scores corrected for the errors of each judge."
CORRECTED_PAIRS = (
    "Differences of runs, corrected for the errors of each judge; official p: by the official"
    " assessor's part alone."
)
ABOUT = {
    "judged": "responses judged",
    "failed": "responses that were to be judged and were not",
    "compared": "responses that the official assessor judged, too",
    "agreement": "share of the responses compared with the same verdict",
    "agreement_worst": "agreement if every failed judgment had differed from the official verdict",
    "agreement_best": "agreement if every failed judgment had been the official verdict",
    "kappa": "Cohen's kappa: agreement beyond chance",
    "sensitivity": "share called correct of the responses that officially are",
    "specificity": "share not called correct of the responses that officially are not",
    "leniency": "share of the responses called correct, less the share that officially is",
    "tau": "Kendall's tau-b of the judge's ranking of the runs and the official one",
    "unjudged": "runs of which the judge judged nothing, and which it does not rank",
    "swaps": "pairs of runs that the judge puts the other way round",
    "twice": "responses that the official assessor judged, too",
    "others": "responses that the judge alone judged",
    "sample_p": "p-value of one share called correct where both judged and where one did",
    "chosen_p": "p-value of responses judged by both being disputed no more often than the rest",
    "measure": "by which measure",
    "as_judged": "the measure by the judge",
    "official": "by the official assessor, of what both judged",
    "corrected": "by the judge, corrected by what is true of each of its labels (post-stratified)",
    "swaps_significant": "of these, pairs that differ under the official judgments",
    **{
        f"{name}_{end}": "the ends of its interval"
        for name in ("official", "corrected")
        for end in ("lower", "upper")
    },
}
BETTER = dict.fromkeys(("agreement", "kappa", "sensitivity", "specificity", "tau"), "higher")
BETTER["failed"] = "lower"
P = dict.fromkeys(("sample_p", "chosen_p", "p", "p_maxt", "official_p_maxt"), 4)


def section(campaign: Campaign) -> Section | None:
    """Return a row per judge, a row per judge and run, and corrected scores and differences."""
    table, corrected, pairs = map(campaign.summary, ("judges", "corrected", "corrected_pairs"))
    level, official = campaign.settings["level"], short(campaign.official)
    compared = table.filter(pl.col("compared") > 0)
    if table.height == 1:
        return None
    said = [*elected(table, official), *agreeing(compared, official), *leaning(compared)]
    said += [*ranking(compared), *missing(table), *not_random(table, official, level)]
    said += corrections(table, corrected, official)
    if compared.is_empty():
        return Section("Judges", said, "assessors")
    by_run = campaign.summary("judges_by_run").filter(pl.col("compared") > 0)
    caption = (
        f"Each judge beside {official}, the official assessor. Failed judgments are left out. The "
        "bounds take all of them as agreeing, or all as not."
    )
    tables = [
        of_judges(caption, table.filter(pl.col("judge") != campaign.official), csv="judges"),
        of_judges("The same run by run.", by_run, csv="judges_by_run"),
        of_judges(CORRECTED_SCORES, corrected, csv="corrected"),
        shown(CORRECTED_PAIRS, pairs, (), P, decimals=3, csv="corrected_pairs"),
    ]
    return Section("Judges", said, "assessors", tables=tables)


def of_judges(caption: str, table: pl.DataFrame, **options: Any) -> Table:
    """Return a table with the columns that have a value and are explained in ABOUT."""
    known = [name for name in table.columns if name in ABOUT and table[name].count()]
    names = [name for name in table.columns if name in ("judge", "run", *known)]
    return shown(caption, table, names, P, decimals=3, about=ABOUT, better=BETTER, **options)


def named(judges: pl.DataFrame) -> str:
    """Return the names of judges as a list in words."""
    return listed([short(name) for name in judges["judge"]])


def elected(judges: pl.DataFrame, official: str) -> list[str]:
    """Warn that the official vote was cast by the judges that it is compared with."""
    members = named(judges.filter("votes"))
    return [
        f"{official}, the official assessor, is a vote of {members}. Each of them agrees with it"
        " more than others do, and nothing is corrected by it."
    ] * bool(members)


def agreeing(compared: pl.DataFrame, official: str) -> list[str]:
    """Return how often judges have the official verdict."""
    if compared.is_empty():
        return [f"No other judge judged a response that {official} judged, too."]
    agree = f"{named(compared)} agree{'s' * (compared.height == 1)} with {official}"
    share = extent(compared["agreement"])
    return [f"{agree}, the official assessor, on {share} of the responses that both judged."]


def leaning(compared: pl.DataFrame) -> list[str]:
    """Return which judges call correct what is not, and which the other way round."""
    said = []
    for sign, more in ((1, "more"), (-1, "fewer")):
        judges = compared.filter(pl.col("leniency") * sign > 0)
        if judges.height:
            call = f"call{'s' * (judges.height == 1)} {extent(judges['leniency'].abs())} {more}"
            than = "of the responses correct than the official assessor"
            said.append(f"{named(judges)} {call} {than}.")
    return said


def ranking(compared: pl.DataFrame) -> list[str]:
    """Return how near the judges' rankings are to the official one, and the pairs they swap."""
    ranked = compared.drop_nulls("tau").sort("tau", "judge")
    if ranked.is_empty():
        return []
    span = " to ".join(dict.fromkeys(tau(ranked["tau"][end]) for end in (0, -1)))
    by, which = ranked["measure"][0], "of runs with a significant official difference"
    said = [f"Kendall's tau between the rankings by {by} under a judge and officially is {span}."]
    for row in ranked.filter(pl.col("swaps_significant") > 0).rows(named=True):
        swaps = f"{short(row['judge'])} swaps {plural(row['swaps_significant'], 'pair')} {which}"
        said.append(f"{swaps}: {listed([short(pair) for pair in row['swapped']])}.")
    if len(said) == 1 and ranked["swaps_significant"].count() and ranked["swaps"].sum():
        said.append(f"No judge swaps a pair {which}.")
    return said


def missing(table: pl.DataFrame) -> list[str]:
    """Return what judges failed to judge, and what became of it."""
    some = table.filter(pl.col("failed") > 0).sort("failed", "judge", descending=[True, False])
    rows = [
        f"{short(judge)} on {failed:,} of {failed + judged:,}"
        for judge, failed, judged in some.select("judge", "failed", "judged").rows()
    ]
    lost = f"Judgments of responses are missing: {listed(rows)}. They are left out."
    none = table.filter(pl.col("unjudged") > 0).select("judge", "unjudged").rows()
    return [lost] * bool(rows) + [
        f"{short(judge)} judged nothing of {plural(number, 'run')}, and does not rank"
        f" {'it' if number == 1 else 'them'}."
        for judge, number in none
    ]


def not_random(judges: pl.DataFrame, official: str, level: float) -> list[str]:
    """Warn where the official labels are no random sample of what a judge judged."""
    chosen = pl.col("chosen_p").fill_null(1) <= CHOSEN
    disputed = named(judges.filter(chosen))
    said = [
        f"{official} judged answers that others dispute more often than the rest. Labels that were"
        f" chosen correct nothing, and scores by {disputed} are left as they are. Give chosen"
        " labels to an assessor of another name, and draw those of the official one at random."
    ] * bool(disputed)
    for row in judges.filter(~chosen, pl.col("sample_p") <= level).rows(named=True):
        more = "more" if row["sample_lean"] > 0 else "fewer"
        by = f"by {percent(abs(row['sample_lean']))} (at the {at(level)} level)"
        said.append(
            f"What {official} judged of {short(row['judge'])} is no random sample: that judge calls"
            f" {more} of it correct than of the rest, {by}. Corrections may mislead."
        )
    return said


def corrections(judges: pl.DataFrame, corrected: pl.DataFrame, official: str) -> list[str]:
    """Return what corrected scores assume, and why there are none where responses are alike."""
    part, alike = f"{official} judged a part only of what others judged", judges.filter("alike")
    drawn = "If that part was drawn at random, scores can be corrected for the errors of a judge"
    return [f"{part}. {drawn} (corrected)."] * bool(corrected.height) + [
        f"{part}, but scores by {named(alike)} are not corrected: runs have several responses to a"
        " question or to a cluster, which are alike, so that intervals would be too narrow."
    ] * bool(alike.height)
