"""Withheld candidates: how often they are right, and which estimate comes nearest."""

import polars as pl

from nonresponse.report.campaign import Campaign
from nonresponse.report.model import Figure, Section, make_curves, tabulate
from nonresponse.scoring.leaderboard import TIE
from nonresponse.statistics.candidates import FEWEST, RATES
from nonresponse.wording import format_rounded, least, percent, plural, summarise_names

NAMES = [
    *("estimate", "rate_taken", "runs", "rate", "observed", "distance", "nearest", "score"),
    *("excess", "tau", "swaps"),
]
RUN_ESTIMATES = ("c@1", "precision_answered", "wrong_rate")  # differ from run to run
COMMON_ESTIMATES = ("accuracy", "uf_half", "optimistic")  # are the same for all runs
TITLE = (
    "How many unanswered questions each measure assumes to be correct, a mark per run; on the "
    "dashed line that is the observed share"
)
LABELS = (
    "observed: share of a run's judged candidates that is correct",
    "assumed: share of unanswered questions",
)
ESTIMATES_CAPTION = (
    "The share of unanswered questions that each measure assumes to be correct, and the share of"
    " the judged candidates that is correct. Means over the runs."
)
RUNS_CAPTION = (
    "Each run's judged candidates, and the shares that measures assume; its score is n_ac / n +"
    " observed · n_u / n."
)
DIGITS = {"score": 4, "excess": 4, "unanswered": "count", "candidates": "count"}


def make_section(campaign: Campaign) -> Section | None:
    """Return a figure, and tables by estimate and by run."""
    runs, estimates = campaign.read_summary("candidates"), campaign.read_summary("estimates")
    if runs.is_empty():
        return None
    rates = estimates.with_columns(rate_taken=pl.col("estimate").replace_strict(RATES))
    points = pl.concat(
        runs.select(pl.lit(id).alias("estimate"), "observed", assumed=id) for id in RUN_ESTIMATES
    )
    curves = make_curves(points, "observed", "assumed", group="estimate", line=False)
    figure = Figure("candidates", TITLE, LABELS, curves, ((0, 1), (0, 1)), diagonal=True)
    names = [name for name in runs.columns if name not in COMMON_ESTIMATES]
    tables = [
        tabulate(ESTIMATES_CAPTION, rates, NAMES, DIGITS, decimals=3, csv="estimates"),
        tabulate(RUNS_CAPTION, runs, names, DIGITS, decimals=3, csv="candidates"),
    ]
    sentences = [describe_candidates(runs, estimates), describe_effect(estimates)]
    figures = [figure] * bool(curves)
    return Section("Withheld candidates", sentences, "assessors", figures, tables)


def describe_candidates(runs: pl.DataFrame, estimates: pl.DataFrame) -> str:
    """Return how often candidates are correct, and which estimates come nearest."""
    observed, candidates = runs.select(pl.mean("observed", "candidates")).row(0)
    total = f"the judged candidates of {plural(runs.height, 'run')}"
    text = f"On average, {percent(observed)} of {total} are correct."
    if candidates < FEWEST:
        few = f"fewer than {FEWEST} per run"
        return f"{text} They are too few ({few}) to say which measure assumes it best."
    nearest = (
        estimates.drop_nulls("distance")
        .sort("distance")
        .filter(pl.col("distance") <= pl.min("distance") + TIE)
    )
    names = summarise_names([f"{RATES[name]} ({name})" for name in nearest["estimate"]])
    points = format_rounded(100 * nearest["distance"][0], 1)
    return f"{text} The nearest assumption is {names}, {points} points off."


def describe_effect(estimates: pl.DataFrame) -> str:
    """Return how its estimate changes c@1, against the observed rates."""
    row = estimates.row(by_predicate=pl.col("estimate") == "c@1", named=True)
    excess = row["excess"]
    difference = f"{least(abs(excess))} {'higher' if excess > 0 else 'lower'} than"
    difference = "the same as" if abs(excess) <= TIE else difference
    return (
        f"c@1 assumes that {percent(row['rate'])} of the unanswered questions would be correct"
        f" (n_ac / n, the mean over the runs). It is on average {difference} with the observed"
        " shares."
    )
