"""Judges: how each compares with the official assessor and ranks the runs; corrected scores."""

from typing import Any

import polars as pl

from nonresponse.legible import short
from nonresponse.report.campaign import Campaign
from nonresponse.report.model import Section, Table, shown
from nonresponse.statistics.corrections import unequal
from nonresponse.statistics.gold_sample import CHOSEN
from nonresponse.wording import at, extent, listed, percent, plural, rounded, tau, word

ROWS = 60  # of the tables by run, on paper
READ_AS = {
    "exclude": "are left out",
    "wrong": "count as wrong",
    "bounds": "are left out; the table bounds the agreement and has tau with all of them wrong "
    "and all correct",
}

CORRECTED = ("official", "corrected")
TWICE = "responses that the official assessor judged, too"
ABOUT = {
    **{
        f"{name}_{end}": "the ends of its interval"
        for name in CORRECTED
        for end in ("lower", "upper")
    },
    "judged": "responses judged",
    "failed": "responses that were to be judged and were not",
    "compared": TWICE,
    "agreement": "share of the responses compared with the same verdict",
    "agreement_worst": "agreement if every failed judgment had differed from the official verdict",
    "agreement_best": "agreement if every failed judgment had been the official verdict",
    "kappa": "Cohen's kappa: agreement beyond chance",
    "sensitivity": "share called correct of the responses that officially are",
    "specificity": "share not called correct of the responses that officially are not",
    "leniency": "share of the responses called correct, less the share that officially is",
    "tau": "Kendall's tau-b of the judge's ranking of the runs and the official one",
    "tau_if_wrong": "tau if every failed judgment were wrong; others may give a lower tau or a "
    "higher one",
    "tau_if_correct": "tau if every failed judgment were correct; likewise no bound",
    "unjudged": "runs of which the judge judged nothing, and which it does not rank",
    "swaps": "pairs of runs that the judge puts the other way round",
    "sensitivity_p": "p-value of one sensitivity on all runs: where it is small, errors differ "
    "between runs",
    "specificity_p": "the same of its specificity",
    "twice": TWICE,
    "others": "responses that the judge alone judged",
    "sample_p": "p-value of the hypothesis that the judge calls the same share right among "
    "responses judged by both and"
    " among the rest",
    "chosen_p": "p-value of the hypothesis that responses judged by both are disputed no more "
    "often than the rest",
    "measure": "by which measure",
    "as_judged": "the measure by the judge",
    "official": "by the official assessor, of what both judged",
    "corrected": "by the judge, corrected by what is true of each of its labels (post-stratified)",
    "swaps_significant": "of these, pairs that differ under the official judgments",
}
BETTER = dict.fromkeys(("agreement", "kappa", "sensitivity", "specificity", "tau"), "higher") | {
    "failed": "lower"
}
P = dict.fromkeys(
    ("sensitivity_p", "specificity_p", "sample_p", "chosen_p", "p", "p_maxt", "official_p_maxt"), 4
)


def section(campaign: Campaign) -> Section:
    """Return a row per judge, a row per judge and run, and corrected scores and differences where
    there are any."""
    table, by_run = campaign.summary("judges"), campaign.summary("judges_by_run")
    corrected, pairs = campaign.summary("corrected"), campaign.summary("corrected_pairs")
    failed = campaign.settings.get("failed_judgments", "exclude")
    level, official = campaign.settings["level"], short(campaign.official)
    said = [*elected(table), *sentences(table, failed)]
    if "agreement" in campaign.settings["analyses"]:
        said += unlabelled(table, campaign.summary("agreement"))
    said += [
        *differing(table, level),
        *not_random(table, official, level),
        *corrections(table, corrected, official),
        *told_apart(pairs, official, level),
    ]
    if not (table["compared"] > 0).any():
        return Section("Judges", said, "assessors")
    caption = (
        f"Each judge beside {official}, the official assessor; failed judgments {READ_AS[failed]}."
    )
    tables = [
        of_judges(caption, table, csv="judges"),
        of_judges(
            "The same run by run.",
            by_run.filter(pl.col("compared") > 0),
            csv="judges_by_run",
            paper=ROWS,
        ),
    ]
    if corrected.height:
        about = "Scores corrected for the errors of each judge."
        tables.append(of_judges(about, corrected, csv="corrected", paper=ROWS))
    if pairs.height:
        about = (
            "Differences of runs, corrected for the errors of each judge; official_p_maxt is "
            "p_maxt by the official"
            " assessor's part alone."
        )
        tables.append(
            shown(about, pairs, pairs.columns, P, decimals=3, csv="corrected_pairs", paper=ROWS)
        )
    return Section("Judges", said, "assessors", tables=tables)


def of_judges(caption: str, table: pl.DataFrame, **options: Any) -> Table:
    """Return a table with the columns that have a value and are explained in ABOUT."""
    names = [name for name in table.columns if name in ABOUT and table[name].is_not_null().any()]
    names = [name for name in ("judge", "run") if name in table.columns] + names
    return shown(caption, table, names, P, decimals=3, about=ABOUT, better=BETTER, **options)


def named(judges: pl.DataFrame) -> str:
    """Return the names of judges as a list in words."""
    return listed([short(name) for name in judges["judge"]]) if judges.height else ""


def elected(judges: pl.DataFrame) -> list[str]:
    """Warn that the official vote was cast by the judges that it is compared with, and so agrees
    with them."""
    members = judges.filter("votes")
    return [
        f"{short(judges['judge'][0])}, the official assessor, is a vote of {named(members)}: "
        "each of them agrees with"
        " it more than with people who have no vote in it, and nothing is corrected by it."
    ] * bool(members.height)


def unlabelled(judges: pl.DataFrame, agreement: pl.DataFrame) -> list[str]:
    """Name judges whose verdicts are compared although no answer was labelled by both, as
    agreement.csv says.

    So it is with NIL, which says that a question has no answer: nobody labels it. It is right or
    wrong by the right answers that an assessor knows.
    """
    official, pairs = (
        judges["judge"][0],
        agreement.filter(pl.col("items") == 0, scale="label", statistic="cohen_kappa"),
    )
    none = [{*pair} for pair in pairs["assessors"]]
    return [
        f"No answer was labelled by both {short(official)} and {short(judge)}: the verdicts "
        "compared follow without a"
        " label of both, as that on NIL does from the right answers that an assessor knows."
        for judge in judges.filter(pl.col("compared") > 0)["judge"]
        if {official, judge} in none
    ]


def not_random(judges: pl.DataFrame, official: str, level: float) -> list[str]:
    """Warn where the official labels are no random sample of what a judge judged."""
    chosen = pl.col("chosen_p").fill_null(1) <= CHOSEN
    disputed = judges.filter(chosen)
    said = [
        f"{official} judged answers that others dispute more often than the rest: labels that "
        "were chosen, such as"
        f" those to adjudicate, correct nothing, and scores by {named(disputed)} are left as "
        "they are. Give them to an"
        " assessor of another name, and draw those of the official one at random."
    ] * bool(disputed.height)
    for row in judges.filter(~chosen, pl.col("sample_p") <= level).rows(named=True):
        more = "more" if row["sample_lean"] > 0 else "fewer"
        said.append(
            f"What {official} judged of {short(row['judge'])} is no random sample: that calls "
            f"{more} of it correct than"
            f" of the rest, by {percent(abs(row['sample_lean']))} (at the {at(level)} level). "
            "Corrections may mislead."
        )
    return said


def told_apart(pairs: pl.DataFrame, official: str, level: float) -> list[str]:
    """Return how many pairs differ significantly with the help of each judge."""
    said = []
    for (judge, measure), rows in pairs.group_by("judge", "measure", maintain_order=True):
        with_judge, alone = (
            (rows[name] <= level).sum() or "none" for name in ("p_maxt", "official_p_maxt")
        )
        said.append(
            f"Of {plural(rows.height, 'pair')} of runs {with_judge} differ significantly by "
            f"{measure} with what"
            f" {short(judge)} judged, corrected (weight {rounded(rows['weight'][0], 2)}), and "
            f"{alone} by what"
            f" {official} judged alone."
        )
    return said


def differing(judges: pl.DataFrame, level: float) -> list[str]:
    """Warn of judges whose errors differ between runs."""
    names = [short(name) for name in unequal(judges, level)]
    if not names:
        return []
    return [
        f"How often {listed(names)} {'errs' if len(names) == 1 else 'err'} differs between "
        "runs beyond chance"
        f" (sensitivity or specificity, at the {at(level)} level): scores of runs by that "
        "judge alone favour some of"
        " them."
    ]


def corrections(judges: pl.DataFrame, corrected: pl.DataFrame, official: str) -> list[str]:
    """Return what corrected.csv assumes, and why scores are not corrected where responses are
    alike."""
    part, alike = f"{official} judged a part only of what others judged", judges.filter("alike")
    said = [
        f"{part}. If that part was drawn at random, scores can be corrected for the errors of "
        "a judge, by what is true"
        " of each of its labels (corrected)."
    ] * bool(corrected.height)
    return said + [
        f"{part}, but scores by {named(alike)} are not corrected: runs have several responses "
        "to a question, or to the"
        " questions of a cluster, and these are alike, so that intervals would be too narrow."
    ] * bool(alike.height)


def sentences(table: pl.DataFrame, failed: str) -> list[str]:
    """Return how judges agree with the official assessor; `failed` is what becomes of failed
    judgments."""
    official, others = short(table["judge"][0]), table.filter(pl.col("compared") > 0)
    said = [f"Only {official} judged, so that there is no other judge to compare."]
    if others.height:
        said = [agreeing(others, official), *leaning(others), *ranking(others)]
    elif table.height > 1:
        said = [
            f"No other judge judged a response that {official}, the official assessor, judged, too."
        ]
    return said + missing(table, failed)


def agreeing(others: pl.DataFrame, official: str) -> str:
    """Return how often judges have the official verdict."""
    low, high = others.sort("agreement", "judge")[[0, -1]].rows(named=True)
    least, most = (percent(row["agreement"]) for row in (low, high))
    with_it = f"with {official}, the official assessor, on"
    if others.height == 1:
        kappa = "" if low["kappa"] is None else f" (kappa {tau(low['kappa'])})"
        return (
            f"{short(low['judge'])} agrees {with_it} {least} of "
            f"{plural(low['compared'], 'response')}{kappa}."
        )
    how = (
        least
        if least == most
        else f"{least} ({short(low['judge'])}) to {most} ({short(high['judge'])})"
    )
    return (
        f"{word(others.height).capitalize()} judges agree {with_it} {how} of the responses "
        "that both judged."
    )


def leaning(others: pl.DataFrame) -> list[str]:
    """Return which judges call correct what is not, and which the other way round."""
    said = []
    for sign, more in ((1, "more"), (-1, "fewer")):
        judges = others.filter(pl.col("leniency") * sign > 0)
        if judges.height:
            points, verb = (
                extent(judges["leniency"].abs()),
                "calls" if judges.height == 1 else "call",
            )
            said.append(
                f"{named(judges)} {verb} {points} {more} of the responses correct than the "
                "official assessor"
            )
    return [f"{'; '.join(said)}."] if said else []


def ranking(others: pl.DataFrame) -> list[str]:
    """Return how near the judges' rankings are to the official one, and whether swapped runs differ
    significantly."""
    ranked = others.drop_nulls("tau").sort("tau", "judge")
    if ranked.is_empty():
        return []
    low, high = (
        f"{tau(row['tau'])} ({short(row['judge'])})" for row in ranked[[0, -1]].rows(named=True)
    )
    under, ends = ("each judge", f"from {low} to {high}") if ranked.height > 1 else ("it", low)
    said = [
        f"Kendall's tau between the ranking by {ranked['measure'][0]} under {under} and the "
        f"official one is {ends}."
    ]
    for row in ranked.filter(pl.col("swaps_significant") > 0).rows(named=True):
        number, one = row["swaps_significant"], row["swaps_significant"] == 1
        said.append(
            f"{short(row['judge'])} swaps {plural(number, 'pair')} of runs that "
            f"{'differs' if one else 'differ'} under"
            f" the official judgments: {listed([short(pair) for pair in row['swapped']])}."
        )
    if len(said) == 1 and ranked["swaps_significant"].is_not_null().any() and ranked["swaps"].sum():
        said.append(
            "No judge swaps a pair of runs that differ significantly under the official judgments."
        )
    return said


def missing(table: pl.DataFrame, failed: str) -> list[str]:
    """Return what judges failed to judge, and what became of it."""
    some = table.filter(pl.col("failed") > 0).sort("failed", "judge", descending=[True, False])
    rows = [
        f"{short(row['judge'])} on {row['failed']:,} of {row['failed'] + row['judged']:,}"
        for row in some.rows(named=True)
    ]
    said = (
        [f"Judgments of responses are missing: {listed(rows)}. They {READ_AS[failed]}."]
        if rows
        else []
    )
    for judge, number in table.filter(pl.col("unjudged") > 0).select("judge", "unjudged").rows():
        said.append(
            f"{short(judge)} judged nothing of {plural(number, 'run')}, and does not rank them."
        )
    return said
