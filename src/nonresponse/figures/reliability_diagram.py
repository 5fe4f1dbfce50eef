"""The share of right answers against the confidence, a line per run."""

import polars as pl

from nonresponse.figures import series
from nonresponse.figures.page import FAINT, HEIGHT, SIZE, WIDTH, note, page, share_axis
from nonresponse.figures.vega_lite import Spec, layers, mark, quantity

CONFIDENCE, RIGHT = "mean confidence of the answers in a bin", "share of them that is right"
MEANING = "On the dashed line a run is right as often as it says, below it less often. Large marks: many answers."


def diagram(table: pl.DataFrame, title: str) -> Spec:
    """The lines of table DIAGRAM; marks are the larger, the more of the run's answers are in their bin."""
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
