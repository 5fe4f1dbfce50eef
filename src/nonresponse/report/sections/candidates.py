"""Withheld candidates: how often they are right, and which estimate comes nearest."""

import polars as pl

from nonresponse.report.campaign import Campaign
from nonresponse.report.model import Curve, Figure, Section, curves_of, shown
from nonresponse.statistics.candidates import FEWEST, RATES
from nonresponse.wording import listed, number, percent, plural

NAMES = (
    "estimate",
    "rate_taken",
    "runs",
    "rate",
    "observed",
    "distance",
    "nearest",
    "score",
    "excess",
    "tau",
    "swaps",
)
OWN = ("c@1", "precision_answered", "wrong_rate")  # estimates that differ from run to run
TITLE = (
    "What measures assume of unanswered questions, a mark per run; on the dashed line it "
    "is what was observed"
)
LABELS = (
    "right among the judged candidates of a run",
    "assumed right among the unanswered questions",
)
SAME = ("accuracy", "uf_half", "optimistic")  # estimates that are the same for all runs


def section(campaign: Campaign) -> Section:
    """Return a figure, and tables by estimate and by run; one sentence where no candidates were
    judged."""
    runs, estimates = campaign.summary("candidates"), campaign.summary("estimates")
    if runs.is_empty():
        return Section(
            "Withheld candidates",
            ["No run withheld a candidate that somebody judged."],
            "assessors",
        )
    finding = sentence(runs, estimates)
    curves = [points for id in OWN for points in of_estimate(runs, id)]
    figures = [Figure(TITLE, LABELS, curves, ((0, 1), (0, 1)), diagonal=True)] * bool(curves)
    with_rates = estimates.with_columns(rate_taken=pl.col("estimate").replace_strict(RATES))
    by_estimate = (
        "The share of unanswered questions that each measure assumes would be right, and the "
        "share of judged candidates"
        " that is: means over the runs; the mean distance of the two; the number of runs to "
        "which no estimate is"
        f" nearer, of those with {FEWEST} candidates or more; the mean score, its excess over "
        "that with the observed"
        " rates, and how far the two rankings agree."
    )
    by_run = (
        "Each run's candidates and estimates. Its score is n_ac / n + observed n_u / n, "
        "with the observed rate."
    )
    digits = {"score": 4, "excess": 4, "unanswered": "count", "candidates": "count"}
    own = [name for name in runs.columns if name not in SAME]
    tables = [
        shown(by_estimate, with_rates, NAMES, digits, decimals=3, csv="estimates"),
        shown(by_run, runs, own, digits, decimals=3, csv="candidates"),
    ]
    return Section(
        "Withheld candidates", [finding, effect(runs, estimates)], "assessors", figures, tables
    )


def of_estimate(runs: pl.DataFrame, id: str) -> list[Curve]:
    """Return the points of an estimate that differs from run to run."""
    return curves_of(
        runs.with_columns(estimate=pl.lit(id)), "observed", id, by="estimate", line=False
    )


def sentence(runs: pl.DataFrame, estimates: pl.DataFrame) -> str:
    """Return how often candidates are right, and which estimates come nearest."""
    who = (
        "the one run that has any"
        if runs.height == 1
        else f"the {runs.height:,} runs that have any"
    )
    right = (
        f"On average {percent(runs['observed'].to_numpy().mean())} of the judged "
        f"candidates of {who} are right;"
    )
    if runs["candidates"].to_numpy().mean() < FEWEST:
        return (
            f"{right} with fewer than {FEWEST} of a run, on average, it cannot be told "
            "which estimate is the nearest."
        )
    least = estimates.drop_nulls("distance")["distance"].to_numpy().min()
    nearest = [
        name
        for name, distance in estimates.select("estimate", "distance").iter_rows()
        if distance == least
    ]
    taken = listed([f"{RATES[name]} ({name})" for name in nearest])
    return f"{right} the nearest estimate is {taken}, on average {percent(least)} off."


def effect(runs: pl.DataFrame, estimates: pl.DataFrame) -> str:
    """Return how its estimate changes c@1, against the observed rates."""
    row = estimates.row(by_predicate=pl.col("estimate") == "c@1", named=True)
    pairs = row["runs"] * (row["runs"] - 1) // 2
    way = "higher" if row["excess"] >= 0 else "lower"
    order = (
        f", and orders {row['swaps'] or 'none'} of {plural(pairs, 'pair')} of runs the other way"
        * (pairs > 0)
    )
    return (
        "c@1 assumes that unanswered questions would be right at the rate n_ac / n, on "
        f"average {percent(row['rate'])}:"
        f" it is on average {number(abs(row['excess']), 3)} {way} than with the observed "
        f"rates{order}."
    )
