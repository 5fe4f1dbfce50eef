"""Risk against coverage: a curve per run, with a mark at its end, where the run itself stops answering."""

import polars as pl

from nonresponse.figures import series
from nonresponse.figures.page import HEIGHT, SIZE, WIDTH, extremes, note, nothing, page, share_axis, short
from nonresponse.figures.vega_lite import Spec, layers, mark, quantity

COVERAGE = "coverage: share of all questions that are answered, the surest first"
RISK = "risk: share of these answers that is wrong"


def risk_coverage(table: pl.DataFrame, title: str, caption: str = "") -> Spec:
    """From the view `risk`; a run that does not say how sure it is has its mark alone."""
    if table.is_empty():
        return nothing(title, "", caption, "There is nothing to draw, since no run says how sure it is.")
    runs = table["run"].unique(maintain_order=True).to_list()
    names = runs[: series.NAMED]
    subtitle = "A mark is the run as it is."
    if len(runs) > series.NAMED:
        subtitle += f" The first {series.NAMED} of {len(runs):,} runs are named, the others grey."
    table, remark = series.drawn(table, runs)
    points = table.select("coverage", "risk", "own", series="run")
    named = pl.col("series").is_in(names)
    top = min(1.0, 1.1 * extremes(table["risk"])[1] or 0.1)
    ends = points.filter("own", named).with_columns(
        text=pl.col("series").replace_strict(names, [short(name) for name in names]),
        end_x=pl.col("coverage") * WIDTH,
        end_y=(1 - pl.col("risk") / top) * HEIGHT,
    )
    ends = series.beside(ends, series.LINE)
    x = quantity("coverage", scale={"domain": [0, 1]}, axis=share_axis(COVERAGE, tickCount=10))
    y = quantity("risk", scale={"domain": [0, top]}, axis=share_axis(RISK))
    place, style, grey = {"x": x, "y": y}, series.styles(names), series.OTHERS
    parts = [
        series.others(points.filter(~named), place),
        layers(
            points.filter(~named, "own"),
            place,
            mark("point", size=24, stroke=grey, fill=grey, opacity=1),
        ),
        series.leaders(ends),
        layers(points.filter(named), place, mark("line", style[0], strokeWidth=1.4)),
        layers(points.filter("own", named), place, mark("point", style[1], size=50, strokeWidth=1.4, opacity=1)),
        note("at its own coverage", series.START, 0),
        series.column(ends, style),
    ]
    return page({"layer": parts, **SIZE}, title, subtitle + remark, caption)
