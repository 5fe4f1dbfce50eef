"""Withheld candidates: how often they are right, and which estimate comes nearest."""

import polars as pl

from nonresponse.report.campaign import Campaign
from nonresponse.report.model import Figure, Section, make_curves, tabulate
from nonresponse.scoring.leaderboard import TIE
from nonresponse.statistics.candidates import FEWEST, RATES
from nonresponse.wording import least, listed, percent, plural

NAMES = [
    *("estimate", "rate_taken", "runs", "rate", "observed", "distance", "nearest", "score"),
    *("excess", "tau", "swaps"),
]
OWN = ("c@1", "precision_answered", "wrong_rate")  # estimates that differ from run to run
SAME = ("accuracy", "uf_half", "optimistic")  # estimates that are the same for all runs
TITLE = (
    "What measures assume of unanswered questions, a mark per run; on the dashed line it "
    "is what was observed"
)
LABELS = (
    "right among the judged candidates of a run",
    "assumed right among the unanswered questions",
)
BY_ESTIMATE = (
    "What each measure assumes of unanswered questions, beside what is true of the judged"
    " candidates. Means over the runs."
)
BY_RUN = "Each run's candidates and estimates; its score is n_ac / n + observed n_u / n."
DIGITS = {"score": 4, "excess": 4, "unanswered": "count", "candidates": "count"}


def make_section(campaign: Campaign) -> Section | None:
    """Return a figure, and tables by estimate and by run."""
    runs, estimates = campaign.read_summary("candidates"), campaign.read_summary("estimates")
    if runs.is_empty():
        return None
    taken = estimates.with_columns(rate_taken=pl.col("estimate").replace_strict(RATES))
    drawn = pl.concat(
        runs.select(pl.lit(id).alias("estimate"), "observed", assumed=id) for id in OWN
    )
    curves = make_curves(drawn, "observed", "assumed", group="estimate", line=False)
    figures = [Figure(TITLE, LABELS, curves, ((0, 1), (0, 1)), diagonal=True)] * bool(curves)
    own = [name for name in runs.columns if name not in SAME]
    tables = [
        tabulate(BY_ESTIMATE, taken, NAMES, DIGITS, decimals=3, csv="estimates"),
        tabulate(BY_RUN, runs, own, DIGITS, decimals=3, csv="candidates"),
    ]
    sentences = [describe_candidates(runs, estimates), describe_effect(estimates)]
    return Section("Withheld candidates", sentences, "assessors", figures, tables)


def describe_candidates(runs: pl.DataFrame, estimates: pl.DataFrame) -> str:
    """Return how often candidates are correct, and which estimates come nearest."""
    observed, candidates = runs.select(pl.mean("observed", "candidates")).row(0)
    of = f"the judged candidates of {plural(runs.height, 'run')}"
    text = f"{percent(observed)} of {of} are correct, on average."
    if candidates < FEWEST:
        few = f"fewer than {FEWEST} of a run on average"
        return f"{text} With {few}, it is not known which estimate is nearest."
    nearest = (
        estimates.drop_nulls("distance")
        .sort("distance")
        .filter(pl.col("distance") <= pl.min("distance") + TIE)
    )
    taken = listed([f"{RATES[name]} ({name})" for name in nearest["estimate"]])
    return f"{text} The nearest estimate is {taken}, {percent(nearest['distance'][0])} off."


def describe_effect(estimates: pl.DataFrame) -> str:
    """Return how its estimate changes c@1, against the observed rates."""
    row = estimates.row(by_predicate=pl.col("estimate") == "c@1", named=True)
    by = f"{least(abs(row['excess']))} {'higher' if row['excess'] > 0 else 'lower'} than"
    how = "the same as" if abs(row["excess"]) <= TIE else by
    return (
        "c@1 assumes that unanswered questions would be correct at the rate n_ac / n, on average"
        f" {percent(row['rate'])}. It is on average {how} with the observed rates."
    )
