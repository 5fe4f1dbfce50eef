"""Reliability diagram: the share of right answers against the confidence, in the bins of ece@10."""

import numpy as np
import polars as pl

from nonresponse.figures import series
from nonresponse.figures.page import FAINT, HEIGHT, SIZE, WIDTH, note, page, share_axis
from nonresponse.figures.vega_lite import Spec, layers, mark, quantity
from nonresponse.legible import short
from nonresponse.measures import EXACT
from nonresponse.measures.orderings import EDGE
from nonresponse.scoring.leaderboard import TIE
from nonresponse.views.material import Material, schema
from nonresponse.wording import listed, percent, plural, rounded

BINS = 10
CONFIDENCE = "mean confidence of the answers in a bin"
RIGHT = "share of them that is right"
MEANING = "On the dashed line a run is right as often as it says, below it less often. Large marks: many answers."
HEADING = "Confidence and the truth"
CAPTION = f"Answers by their confidence, in {BINS} bins ((j−1)/{BINS}, j/{BINS}], the first of which holds 0, too."
COLUMNS = {
    "run": "its name",
    "bin": "1 for the lowest confidences",
    "answers": "how many have such a confidence",
    "confidence": "its mean",
    "right_share": "the share of them that is right",
    "over": f"confidence less right_share; its mean distance from 0, weighted with the answers, is ece@{BINS}",
}
TYPES = (pl.String, pl.Int64, pl.Int64, *[pl.Float64] * 3)


def table_of(material: Material) -> pl.DataFrame:
    """A row per run and bin with answers, the runs as in the leaderboard; none without confidences from 0 to 1."""
    if "confidence" not in material.store.planes:
        return pl.DataFrame(schema=schema(COLUMNS, *TYPES))
    answered, right = material.cases("verdict IN ('correct', 'wrong') AND NOT rightful", "verdict = 'correct'")
    runs, parts = [], [in_bins(np.zeros(0), np.zeros(0, bool))]
    for run, place in material.places.items():
        codes = material.store.codes[material.official_place, place]
        confidence = material.store.plane("confidence", material.official_place, slice(place, place + 1))[0]
        some = answered[codes] & ~np.isnan(confidence)
        parts.append(in_bins(confidence[some], right[codes[some]]))
        runs += [run] * len(parts[-1][0])
    columns = zip(*parts, strict=True)
    table = pl.DataFrame([runs, *map(np.concatenate, columns)], dict(zip(COLUMNS, TYPES[:-1], strict=False)))
    return table.with_columns(over=pl.col("confidence") - pl.col("right_share"))


def in_bins(confidence: np.ndarray, right: np.ndarray) -> list[np.ndarray]:
    """The bins with answers, their numbers of answers, mean confidences and shares of right answers."""
    bins = np.clip(np.ceil(confidence * BINS - EDGE), 1, BINS).astype(np.int64)
    exact = np.floor(confidence * EXACT + 0.5)  # whole numbers, which add up to the same in any order
    number = np.bincount(2 * bins + right, minlength=2 * BINS + 2).reshape(-1, 2)
    total, answers = np.bincount(bins, exact, BINS + 1), number.sum(axis=1)
    some = np.flatnonzero(answers)
    return [some, answers[some], total[some] / EXACT / answers[some], number[some, 1] / answers[some]]


def sentences(table: pl.DataFrame, material: Material) -> list[str]:
    """How far the confidences are off, and in which direction, over all answers with one."""
    off = {"over": pl.col("over"), "distance": pl.col("over").abs()}
    # Sorted, since threads would add parts of a group in any order.
    means = {name: (by * pl.col("answers")).sort().sum() / pl.sum("answers") for name, by in off.items()}
    runs = table.group_by("run", maintain_order=True).agg(**means)
    least, over = runs.select(pl.min("distance"), (pl.col("over") > TIE).sum()).row(0)
    best = runs.filter(pl.col("distance") < least + TIE)
    names = listed([short(run) for run in best["run"]])
    distance = f"{percent(least)} off in the bins"
    if runs.height == 1:
        way, by = "higher" if over else "lower", rounded(abs(best["over"][0]), 2)
        return [f"The confidence of {names} is on average {by} {way} than its share of right answers; {distance}."]
    nearest = f"The confidence nearest to the truth is that of {names}, on average {distance}"
    return [f"{nearest}. {plural(over, 'run')} of {runs.height:,} {'is' if over == 1 else 'are'} surer than right."]


def figure(table: pl.DataFrame, title: str) -> Spec:
    """The diagram of the view's table; marks are the larger, the more of the run's answers are in their bin."""
    names, table, remark = series.first_named(table)
    share = pl.col("answers") / pl.col("answers").sum().over("run")
    points = table.select("confidence", "right_share", series="run", share=share)
    named = pl.col("series").is_in(names)
    last = points.filter(named).group_by("series", maintain_order=True).last()
    end_x, end_y = pl.col("confidence") * WIDTH, (1 - pl.col("right_share")) * HEIGHT
    ends = series.beside(last, series.LINE, end_x=end_x, end_y=end_y)
    whole = {"scale": {"domain": [0, 1]}}
    x = quantity("confidence", **whole, axis=share_axis(CONFIDENCE, tickCount=10))
    y = quantity("right_share", **whole, axis=share_axis(RIGHT))
    place, (line, point) = {"x": x, "y": y}, series.styles(names)
    size = quantity("share", scale={"type": "linear", "domain": [0, 1], "range": [8, 400]}, legend=None)
    diagonal = pl.DataFrame({"confidence": [0.0, 1.0], "right_share": [0.0, 1.0]})
    parts = [
        series.others(points.filter(~named), place),
        layers(diagonal, place, mark("line", color=FAINT, strokeDash=[4, 3], strokeWidth=1)),
        series.leaders(ends),
        layers(points.filter(named), place, mark("line", line, strokeWidth=1.4)),
        layers(points.filter(named), place, mark("point", {**point, "size": size}, strokeWidth=1.2, opacity=0.85)),
        note("in its highest bin", series.START, 0),
        series.column(ends, (line, point)),
    ]
    return page({"layer": parts, **SIZE}, title, MEANING + remark)
