"""The reliability diagram: how far confidences are off, and in which direction."""

import polars as pl

from nonresponse.legible import short
from nonresponse.report.campaign import Campaign
from nonresponse.report.model import Figure, Section, curves_of, shown
from nonresponse.scoring.leaderboard import TIE
from nonresponse.statistics.reliability_diagram import BINS
from nonresponse.wording import listed, percent, plural, rounded

LABELS = ("mean confidence of the answers in a bin", "share of them that is correct")
ABOUT = {
    "bin": "1 for the lowest confidences",
    "answers": "how many have such a confidence",
    "confidence": "its mean",
    "right_share": "the share of them that is correct",
    "over": "confidence less right_share; its mean distance from 0, weighted with the "
    f"answers, is ece@{BINS}",
}


TITLE = (
    "Reliability diagram: below the dashed line a run is correct less often than it says; large"
    " marks: many"
)


def section(campaign: Campaign) -> Section:
    """Return a sentence, the diagram and its bins."""
    heading, table = "Calibration", campaign.summary("reliability_diagram")
    if table.is_empty():
        return Section(heading, [])
    weighted = table.with_columns(share=pl.col("answers") / pl.col("answers").sum().over("run"))
    curves = curves_of(weighted, "confidence", "right_share", weight="share")
    figure = Figure(TITLE, LABELS, curves, ((0, 1), (0, 1)), diagonal=True)
    caption = (
        f"Answers by their confidence, in {BINS} bins of equal width, which hold their upper end."
    )
    rows = shown(caption, table, about=ABOUT, csv="reliability_diagram")
    return Section(heading, [sentence(table)], "reliability", [figure], [rows])


def sentence(table: pl.DataFrame) -> str:
    """Return how far the confidences are off, and in which direction, over all answers with one."""
    off = {"over": pl.col("over"), "distance": pl.col("over").abs()}
    # Sorted, since threads would add parts of a group in any order.
    means = {
        name: (by * pl.col("answers")).sort().sum() / pl.sum("answers") for name, by in off.items()
    }
    runs = table.group_by("run", maintain_order=True).agg(**means)
    least, over = runs.select(pl.min("distance"), (pl.col("over") > TIE).sum()).row(0)
    best = runs.filter(pl.col("distance") < least + TIE)
    names, mean = listed([short(run) for run in best["run"]]), percent(least)
    if runs.height == 1:
        by = f"{rounded(abs(best['over'][0]), 2)} {'higher' if over else 'lower'}"
        return (
            f"The confidence of {names} is on average {by} than its share of correct answers, and"
            f" off by {mean} in the bins."
        )
    return (
        f"The confidence of {names} is nearest to the truth, on average off by {mean} in the bins."
        f" {plural(over, 'run')} of {runs.height:,} {'is' if over == 1 else 'are'} too confident."
    )
