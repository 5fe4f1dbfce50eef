"""Risk against coverage, a curve per run up to its own coverage."""

import polars as pl

from nonresponse.figures import series
from nonresponse.figures.page import HEIGHT, SIZE, WIDTH, extremes, note, page, share_axis
from nonresponse.figures.vega_lite import Spec, layers, mark, quantity

COVERAGE = "coverage: share of all questions that are answered, the surest first"
RISK = "risk: share of these answers that is wrong"


def curves(table: pl.DataFrame, title: str) -> Spec:
    """The curves of table RISK_COVERAGE; a run that does not say how sure it is has only its mark."""
    names, table, remark = series.first_named(table)
    points = table.select("coverage", "risk", "whole", series="run")
    named = pl.col("series").is_in(names)
    top = min(1.0, 1.1 * extremes(table["risk"])[1] or 0.1)
    of_runs = points.filter("whole", named)
    end_x, end_y = pl.col("coverage") * WIDTH, (1 - pl.col("risk") / top) * HEIGHT
    ends = series.beside(of_runs, series.LINE, end_x=end_x, end_y=end_y)
    x = quantity("coverage", scale={"domain": [0, 1]}, axis=share_axis(COVERAGE, tickCount=10))
    y = quantity("risk", scale={"domain": [0, top]}, axis=share_axis(RISK))
    place, style, grey = {"x": x, "y": y}, series.styles(names), series.OTHERS
    parts = [
        series.others(points.filter(~named), place),
        layers(points.filter(~named, "whole"), place, mark("point", size=24, stroke=grey, fill=grey, opacity=1)),
        series.leaders(ends),
        layers(points.filter(named), place, mark("line", style[0], strokeWidth=1.4)),
        layers(of_runs, place, mark("point", style[1], size=50, strokeWidth=1.4, opacity=1)),
        note("at its own coverage", series.START, 0),
        series.column(ends, style),
    ]
    return page({"layer": parts, **SIZE}, title, f"A mark is the run as it is.{remark}")
