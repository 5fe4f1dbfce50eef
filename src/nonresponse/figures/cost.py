"""The run that is worth most at each cost of a wrong answer."""

import polars as pl

from nonresponse.figures.page import INK, WIDTH, label, names_axis, page, places, share_axis
from nonresponse.figures.vega_lite import Spec, layers, mark, place, quantity

DRAWN, LINE = 40, 18  # runs, and pixels for each
NEVER, SURE = "(never answering)", "how sure a run must be for an answer to pay: cost / (1 + cost)"


def best_runs(table: pl.DataFrame, title: str) -> Spec:
    """A bar for each run where it is best, over the confidences from which on an answer pays, from table COST."""
    stretches = table.select("best", start="threshold_from", end="threshold_to").explode("best")
    every = stretches.select("best").unique(maintain_order=True)  # null: never answering
    drawn = every.tail(DRAWN).with_row_index("place")
    remark = f" {DRAWN} of {every.height:,} are drawn." * (every.height > DRAWN)
    names = [NEVER if run is None else label(run) for run in drawn["best"]]
    x = quantity("start", scale={"domain": [0, 1]}, axis=share_axis(SURE, tickCount=10))
    y = place("place", scale=places(names), axis=names_axis(names, title=None))
    rows = stretches.join(drawn, on="best", nulls_equal=True, maintain_order="left").drop("best")
    layer = layers(rows, {"x": x, "x2": {"field": "end"}, "y": y}, mark("rect", color=INK, height={"band": 0.45}))
    plot = {"layer": [layer], "width": WIDTH, "height": max(3, len(names)) * LINE}
    return page(plot, title, f"The run that is worth most at each cost.{remark}")
