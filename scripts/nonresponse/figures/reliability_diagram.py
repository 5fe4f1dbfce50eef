"""Reliability diagram: the share of right answers against the mean self-score, a curve per run beside the diagonal."""

import polars as pl

from nonresponse.figures import series
from nonresponse.figures.page import FAINT, HEIGHT, SIZE, WIDTH, note, nothing, page, share_axis, short
from nonresponse.figures.vega_lite import Spec, layers, mark, quantity

SELF_SCORE = "mean self-score of the answers in a bin"
RIGHT = "share of them that is right"


def reliability_diagram(table: pl.DataFrame, title: str, caption: str = "") -> Spec:
    """From the view `reliability_diagram`; marks are the larger the more answers their bin has, of all of the run."""
    if table.is_empty():
        return nothing(title, "", caption, "There is nothing to draw, since no answer has a self-score from 0 to 1.")
    runs = table["run"].unique(maintain_order=True).to_list()
    names = runs[: series.NAMED]
    subtitle = (
        "On the dashed line self-scores are right; below it a run is surer than right. Large marks: many answers."
    )
    if len(runs) > series.NAMED:
        subtitle += f" The first {series.NAMED} of {len(runs):,} runs are named, the others grey."
    table, remark = series.drawn(table, runs)
    share = pl.col("answers") / pl.col("answers").sum().over("run")
    points = table.select("self_score", "right_share", series="run", share=share)
    named = pl.col("series").is_in(names)
    ends = points.filter(named).group_by("series", maintain_order=True).last()
    ends = ends.with_columns(
        text=pl.Series([short(name) for name in names]),
        end_x=pl.col("self_score") * WIDTH,
        end_y=(1 - pl.col("right_share")) * HEIGHT,
    )
    ends = series.beside(ends, series.LINE)
    whole = {"scale": {"domain": [0, 1]}}
    x = quantity("self_score", **whole, axis=share_axis(SELF_SCORE, tickCount=10))
    y = quantity("right_share", **whole, axis=share_axis(RIGHT))
    place, (line, point) = {"x": x, "y": y}, series.styles(names)
    size = quantity("share", scale={"type": "linear", "domain": [0, 1], "range": [8, 400]}, legend=None)
    diagonal = pl.DataFrame({"self_score": [0.0, 1.0], "right_share": [0.0, 1.0]})
    parts = [
        series.others(points.filter(~named), place),
        layers(diagonal, place, mark("line", color=FAINT, strokeDash=[4, 3], strokeWidth=1)),
        series.leaders(ends),
        layers(points.filter(named), place, mark("line", line, strokeWidth=1.4)),
        layers(points.filter(named), place, mark("point", {**point, "size": size}, strokeWidth=1.2, opacity=0.85)),
        note("in its highest bin", series.START, 0),
        series.column(ends, (line, point)),
    ]
    return page({"layer": parts, **SIZE}, title, subtitle + remark, caption)
