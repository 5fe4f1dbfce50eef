"""penalty@t against t: a curve per run, which bends down the sooner the more of its answers are wrong."""

import polars as pl

from nonresponse.figures import series
from nonresponse.figures.page import FAINT, HEIGHT, SIZE, note, nothing, page, short
from nonresponse.figures.vega_lite import Spec, layers, mark, quantity

LAST, STEPS = 0.95, 95  # of t: at 1 a mistake would cost beyond all bounds
LOWEST = -1.0  # of the axis
TARGET = "t: how sure a run must be for an answer to pay"
WORTH = "penalty@t: what the answers are worth for a question"


def penalties(table: pl.DataFrame, title: str, caption: str = "") -> Spec:
    """From the view `penalties`: the runs that are best somewhere are named, then those first in the leaderboard."""
    if table.is_empty():
        return nothing(title, "", caption, "There is nothing to draw, since no run has questions.")
    order = table.with_columns(others=pl.col("best_from").is_null()).sort("others", maintain_order=True)
    names = order["run"].to_list()[: max(series.NAMED, order["best_from"].count())]
    subtitle = "The dashed line is silence."
    if len(order) > len(names):
        subtitle += f" {len(names)} of {len(order):,} runs are named, with all that are best somewhere."
    table, remark = series.drawn(table, order["run"].to_list())
    named = pl.col("series").is_in(names)
    at_last = table.select(worth(LAST, "right", "wrong").min()).item()
    low, high = min(0.0, max(LOWEST, at_last)), max(0.1, table.select(pl.max("right")).item())
    points = curves(table, low)
    ends = by_value_at_zero(table, names, low, high)
    x = quantity("t", scale={"domain": [0, LAST]}, axis={"title": TARGET, "format": "~g", "tickCount": 10})
    y = quantity("value", scale={"domain": [low, high]}, axis={"title": WORTH, "format": "~g"})
    style = series.styles(names)
    fifths = (pl.col("t") * 100).round().cast(pl.Int64) % 20 == 0
    marked = points.filter(named, fifths, pl.col("value") > low)
    parts = [
        series.others(points.filter(~named), {"x": x, "y": y}),
        layers(pl.DataFrame({"value": [0.0]}), {"y": y}, mark("rule", color=FAINT, strokeDash=[4, 3])),
        layers(points.filter(named), {"x": x, "y": y}, mark("line", style[0], strokeWidth=1.4)),
        layers(marked, {"x": x, "y": y}, mark("point", style[1], size=32, strokeWidth=1.2, opacity=1)),
        note("from the most right answers to the fewest", series.START, -6),
        series.column(ends, style),
    ]
    return page({"layer": parts, **SIZE}, title, subtitle + remark, caption)


def worth(t: float | pl.Expr, right: str, wrong: str) -> pl.Expr:
    """penalty@t."""
    return pl.col(right) - pl.col(wrong) * t / (1 - t)


def curves(table: pl.DataFrame, low: float) -> pl.DataFrame:
    """series, t and value of each run, down to `low`, where a curve leaves the plot."""
    target = pl.DataFrame({"t": [step / 100 for step in range(STEPS + 1)]})
    steps = table.join(target, how="cross").with_columns(value=worth(pl.col("t"), "right", "wrong"))
    leaves = (pl.col("right") - low) / (pl.col("right") - low + pl.col("wrong"))
    ends = table.with_columns(t=leaves, value=pl.lit(low)).filter(pl.col("t") < LAST)
    own = [frame.select("t", "value", series="run") for frame in (steps.filter(pl.col("value") >= low), ends)]
    return pl.concat(own).sort("series", "t", maintain_order=True)


def by_value_at_zero(table: pl.DataFrame, names: list[str], low: float, high: float) -> pl.DataFrame:
    """The names as the curves begin, each beside that place as far as there is room."""
    own = table.filter(pl.col("run").is_in(names)).sort("right", descending=True, maintain_order=True)
    texts = pl.Series([short(run) for run in own["run"]])
    place = (high - pl.col("right")) / ((high - low) or 1) * HEIGHT
    return series.beside(own.select(series="run", text=texts, end_y=place), series.LINE)
