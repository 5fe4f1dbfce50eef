"""Runs of answer validation as points of ROC space, between the two trivial ones (Peñas & Rodrigo 2011, section 5)."""

import polars as pl

from nonresponse.legible import short
from nonresponse.scoring.leaderboard import TIE
from nonresponse.views.material import Material
from nonresponse.wording import listed, number, plural

HEADING = "ROC points"
CAPTION = (
    "False-positive rate and recall of the pairs that each run decides. Rejecting everything is at (0, 0),"
    " accepting everything at (1, 1); guessing reaches the line between them."
)
COLUMNS = {
    "run": "its name",
    "trivial": "whether it accepts, or rejects, everything",
    "false_positive_rate": "fp / (fp + tn); empty where no wrong pair is decided",
    "recall": "tp / (tp + fn), as the measure; empty where no right pair is decided",
    "above_chance": "recall less false_positive_rate",
}


def table_of(material: Material) -> pl.DataFrame:
    """A row per run, in the order of the leaderboard; rates of the pairs that it decides, null where there are none."""
    right, wrong = pl.col("tp") + pl.col("fn"), pl.col("fp") + pl.col("tn")
    table = material.counts.with_columns(
        false_positive_rate=pl.when(wrong > 0).then(pl.col("fp") / wrong),
        recall=pl.when(right > 0).then(pl.col("tp") / right),
    )
    above = pl.col("recall") - pl.col("false_positive_rate")
    return table.select("run", "trivial", "false_positive_rate", "recall", above_chance=above)


def sentences(table: pl.DataFrame, material: Material) -> list[str]:
    """How many runs are above the line between the two trivial ones, which guessing reaches."""
    known = table.filter(~pl.col("trivial")).drop_nulls("above_chance")
    if known.is_empty():
        return ["No run decides both right and wrong pairs."]
    below = known.filter(pl.col("above_chance") <= TIE)
    best = known.sort("above_chance", descending=True, maintain_order=True).row(0, named=True)
    place = f"recall {number(best['recall'], 3)} at a false-positive rate of {number(best['false_positive_rate'], 3)}"
    text = f"{short(best['run'])} is farthest above the line between the trivial runs: {place}"
    if below.height == known.height:
        return ["No run is above the line between the trivial runs, which guessing reaches."]
    if below.is_empty():
        return [f"{text}; all runs are above it." if known.height > 1 else f"{text}."]
    names = listed([short(run) for run in below["run"]])
    return [f"{text}; {plural(below.height, 'run', 'is', 'are')} not above it: {names}."]
