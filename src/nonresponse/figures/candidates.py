"""How often measures assume unanswered questions right, against withheld candidates; None where no run answered."""

import polars as pl

from nonresponse.figures import series
from nonresponse.figures.page import FAINT, HEIGHT, SIZE, page, share_axis
from nonresponse.figures.vega_lite import Spec, layers, mark, quantity

OWN = ("c@1", "precision_answered", "wrong_rate")  # the estimates that differ from run to run
OBSERVED = "right among the judged candidates of a run (its observed rate; on the diagonal an estimate is right)"
TAKEN = "assumed right among the unanswered questions"


def estimates(runs: pl.DataFrame, title: str) -> Spec | None:
    """A point per run and estimate; an estimate of 0, 1/2 or 1 is a level line of the grid."""
    runs, remark = series.drawn(runs, runs["run"].to_list())
    frame = runs.unpivot(list(OWN), index=["run", "observed"], variable_name="series", value_name="taken").drop_nulls()
    if frame.is_empty():
        return None
    names = frame["series"].unique(maintain_order=True).to_list()
    style = series.styles(names)
    domain = {"domain": [0, 1]}
    x = quantity("observed", scale=domain, axis=share_axis(OBSERVED, values=[0, 0.25, 0.5, 0.75, 1]))
    y = quantity("taken", scale=domain, axis=share_axis(TAKEN, values=[0, 0.25, 0.5, 0.75, 1]))
    mean = pl.col("taken").sort().mean()  # sorted, since threads would add parts of a group in any order
    ends = series.beside(frame.group_by("series", maintain_order=True).agg(end_y=(1 - mean) * HEIGHT))
    diagonal = pl.DataFrame({"observed": [0.0, 1.0], "taken": [0.0, 1.0]})
    parts = [
        layers(diagonal, {"x": x, "y": y}, mark("line", color=FAINT, strokeDash=[4, 3], strokeWidth=1)),
        layers(frame, {"x": x, "y": y}, mark("point", style[1], size=32, strokeWidth=1.2, opacity=1)),
        series.column(ends, style),
    ]
    return page({"layer": parts, **SIZE}, title, remark)
