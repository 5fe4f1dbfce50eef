"""The reliability diagram: how far confidences are off, and in which direction."""

import polars as pl

from nonresponse.legible import short
from nonresponse.report.campaign import Campaign
from nonresponse.report.model import Figure, Section, make_curves, tabulate
from nonresponse.scoring.leaderboard import TIE
from nonresponse.statistics.reliability_diagram import BINS
from nonresponse.wording import capital, describe_part, percent, summarise_names

LABELS = ("mean confidence of the answers in a bin", "share of them that is correct")
TITLE = (
    "Reliability diagram: below the dashed line a run is correct less often than it says; large"
    " marks: many"
)
CAPTION = f"Answers by their confidence, in {BINS} bins of equal width, which hold their upper end."


def make_section(campaign: Campaign) -> Section | None:
    """Return a sentence, the diagram and its bins."""
    table = campaign.read_summary("reliability_diagram")
    if table.is_empty():
        return None
    weighted = table.with_columns(share=pl.col("answers") / pl.col("answers").sum().over("run"))
    curves = make_curves(weighted, "confidence", "right_share", weight="share")
    figure = Figure("reliability-diagram", TITLE, LABELS, curves, ((0, 1), (0, 1)), diagonal=True)
    rows = tabulate(CAPTION, table, csv="reliability_diagram")
    return Section("Calibration", [describe_calibration(table)], "reliability", [figure], [rows])


def describe_calibration(table: pl.DataFrame) -> str:
    """Return how far the confidences are off, and in which direction, over all answers with one."""
    errors = {"over": pl.col("over"), "distance": pl.col("over").abs()}
    # Sorted, since threads would add parts of a group in any order.
    means = {
        name: (error * pl.col("answers")).sort().sum() / pl.sum("answers")
        for name, error in errors.items()
    }
    runs = table.group_by("run", maintain_order=True).agg(**means)
    nearest, over = runs.select(pl.min("distance"), (pl.col("over") > TIE).sum()).row(0)
    best = runs.filter(pl.col("distance") < nearest + TIE)
    names, is_one = summarise_names([short(run) for run in best["run"]]), best.height == 1
    error = f"an expected calibration error (ECE) of {percent(nearest)}"
    subject = f"{names} {'has' if is_one else 'have'}"
    if runs.height > 1:
        subject = f"{names} {'is' if is_one else 'are'} best calibrated, with"
    part = capital(describe_part(over, runs.height))
    return f"{subject} {error}. {part} {'is' if over < 2 else 'are'} overconfident."
