"""Judges: how each agrees with the official assessor and ranks the runs, and corrected scores."""

import polars as pl

from nonresponse.legible import short
from nonresponse.report.campaign import Campaign
from nonresponse.report.model import Section, tabulate
from nonresponse.statistics.gold_sample import LARGEST_P
from nonresponse.wording import format_level, format_rounded, percent, plural, summarise_names, tau

CORRECTED_SCORES = "Scores corrected for the errors of each judge."
CORRECTED_PAIRS = (
    "Differences of runs, corrected for the errors of each judge; official p: by the official"
    " assessor's part alone."
)
BOUNDS = "Failed judgments are left out. The bounds take all of them as agreeing, or all as not."
LEFT_OUT = ("votes", "alike", "swapped", "sample_lean", "runs")
# On the page these wait to be chosen: sentences tell what matters of them
HIDDEN = [
    *("judged", "agreement_worst", "agreement_best", "measure", "unjudged"),
    *("twice", "others", "chosen_p", "sample_p"),
]
P = dict.fromkeys(("sample_p", "chosen_p", "p", "p_maxt", "official_p_maxt"), 4)


def make_section(campaign: Campaign) -> Section | None:
    """Return a row per judge, a row per judge and run, and corrected scores and differences."""
    names = ("judges", "corrected", "corrected_pairs")
    judges, scores, pairs = (campaign.read_summary(name) for name in names)
    level, official = campaign.settings["level"], short(campaign.official)
    compared = judges.filter(pl.col("compared") > 0)
    if judges.is_empty():
        return None
    sentences = [
        *warn_of_vote(judges, official),
        *describe_agreement(compared, official),
        *describe_leniency(compared),
        *describe_rankings(compared),
        *describe_missing(judges),
        *warn_of_sample(judges, official, level),
        *describe_corrections(judges, scores, official),
    ]
    if compared.is_empty():
        return Section("Judges", sentences, "assessors")
    runs = campaign.read_summary("judges_by_run").filter(pl.col("compared") > 0)
    caption = f"Each judge beside {official}, the official assessor."
    if compared["failed"].sum():
        caption += f" {BOUNDS}"
    tables = [
        tabulate(
            caption,
            frame.drop(LEFT_OUT, strict=False),
            digits=P,
            decimals=3,
            hidden=hidden,
            csv=csv,
        )
        for caption, frame, hidden, csv in (
            (caption, judges.filter(pl.col("judge") != campaign.official), HIDDEN, "judges"),
            ("The same run by run.", runs, HIDDEN[:3], "judges_by_run"),
            (CORRECTED_SCORES, scores, (), "corrected"),
            (CORRECTED_PAIRS, pairs, (), "corrected_pairs"),
        )
    ]
    return Section("Judges", sentences, "assessors", tables=tables)


def list_judges(judges: pl.DataFrame) -> str:
    """Return the names of judges as a list in words."""
    return summarise_names([short(name) for name in judges["judge"]])


def warn_of_vote(judges: pl.DataFrame, official: str) -> list[str]:
    """Warn that the official vote was cast by the judges that it is compared with."""
    members = list_judges(judges.filter("votes"))
    return [
        f"{official}, the official assessor, is a vote of {members}. Each of them agrees with it"
        " more than others do, and nothing is corrected by it."
    ] * bool(members)


def describe_agreement(compared: pl.DataFrame, official: str) -> list[str]:
    """Return how often judges have the official verdict."""
    if compared.is_empty():
        return [f"No other judge judged a response that {official} judged, too."]
    rows = compared.sort("agreement", "judge")
    shares, names = rows["agreement"], [short(name) for name in rows["judge"]]
    subject = f"{len(names):,} judges agree"
    share = f"{percent(shares[0])} ({names[0]}) to {percent(shares[-1])} ({names[-1]})"
    if len(names) == 1:
        subject, share = f"{names[0]} agrees", percent(shares[0])
    responses = "the responses that both judged"
    return [f"{subject} with {official}, the official assessor, on {share} of {responses}."]


def describe_leniency(compared: pl.DataFrame) -> list[str]:
    """Return which judges call correct what is not, and which the other way round."""
    sentences = []
    for sign, degree in ((1, "more"), (-1, "fewer")):
        judges = compared.filter(pl.col("leniency") * sign > 0)
        if judges.height:
            verb = f"call{'s' * (judges.height == 1)}"
            sizes = (100 * judges["leniency"].abs()).sort()[[0, -1]]
            points = " to ".join(dict.fromkeys(format_rounded(size, 1) for size in sizes))
            sentences.append(
                f"{list_judges(judges)} {verb} {degree} of the responses correct than the official"
                f" assessor, by {points} points."
            )
    return sentences


def describe_rankings(compared: pl.DataFrame) -> list[str]:
    """Return how near the judges' rankings are to the official one, and the pairs they swap."""
    ranked = compared.drop_nulls("tau").sort("tau", "judge")
    if ranked.is_empty():
        return []
    span = " to ".join(dict.fromkeys(tau(ranked["tau"][end]) for end in (0, -1)))
    id, runs = ranked["measure"][0], "of runs with a significant official difference"
    sentences = [
        f"Kendall's tau between the rankings by {id} under a judge and officially is {span}."
    ]
    for row in ranked.filter(pl.col("swaps_significant") > 0).rows(named=True):
        swaps = f"{short(row['judge'])} swaps {plural(row['swaps_significant'], 'pair')} {runs}"
        sentences.append(f"{swaps}: {summarise_names([short(pair) for pair in row['swapped']])}.")
    if len(sentences) == 1 and ranked["swaps_significant"].count() and ranked["swaps"].sum():
        sentences.append(f"No judge swaps a pair {runs}.")
    return sentences


def describe_missing(judges: pl.DataFrame) -> list[str]:
    """Return what judges failed to judge, and what became of it."""
    failing = judges.filter(pl.col("failed") > 0).sort("failed", "judge", descending=[True, False])
    parts = [
        f"{short(row['judge'])} on {row['failed']:,} of {row['failed'] + row['judged']:,}"
        for row in failing.rows(named=True)
    ]
    missing = f"Judgments of responses are missing: {summarise_names(parts)}. They are left out."
    idle = judges.filter(pl.col("unjudged") > 0).select("judge", "unjudged").rows()
    return [missing] * bool(parts) + [
        f"{short(judge)} judged nothing of {plural(number, 'run')}, and does not rank"
        f" {'it' if number == 1 else 'them'}."
        for judge, number in idle
    ]


def warn_of_sample(judges: pl.DataFrame, official: str, level: float) -> list[str]:
    """Warn where the official labels are no random sample of what a judge judged."""
    is_selected = pl.col("chosen_p").fill_null(1) <= LARGEST_P
    names = list_judges(judges.filter(is_selected))
    sentences = [
        f"{official} judged answers that others dispute more often than the rest. Such a choice"
        f" cannot correct a judge, so scores by {names} stay as they are. Give chosen labels to"
        " another assessor, and draw those of the official one at random."
    ] * bool(names)
    for row in judges.filter(~is_selected, pl.col("sample_p") <= level).rows(named=True):
        degree = "more" if row["sample_lean"] > 0 else "fewer"
        size = f"{percent(abs(row['sample_lean']))} (at the {format_level(level)} level)"
        sentences.append(
            f"What {official} judged of {short(row['judge'])} is no random sample: that judge calls"
            f" {degree} of it correct than of the rest, by {size}. Corrections may mislead."
        )
    return sentences


def describe_corrections(judges: pl.DataFrame, scores: pl.DataFrame, official: str) -> list[str]:
    """Return what corrected scores assume, and why there are none where responses are alike."""
    part, sentences = f"{official} judged only a part of what others judged", []
    if scores.height:
        sentences.append(
            f"{part}. If that part was drawn at random, the corrected scores allow for the errors"
            " of a judge."
        )
    if names := list_judges(judges.filter("alike")):
        sentences.append(
            f"{part}, but scores by {names} are not corrected: runs have several responses to a"
            " question or to a cluster, which are alike, so that intervals would be too narrow."
        )
    return sentences
