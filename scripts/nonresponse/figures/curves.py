"""Stability and swap rates: a curve per measure."""

import polars as pl

from nonresponse.figures import series
from nonresponse.figures.page import (
    FAINT,
    HEIGHT,
    INK,
    SIZE,
    WIDTH,
    extremes,
    level_line,
    note,
    nothing,
    outlined,
    page,
    share_axis,
    short,
)
from nonresponse.figures.vega_lite import Spec, layers, mark, quantity
from nonresponse.wording import difference

TIES = "ties: share of the comparisons in which two runs differ by less than the fuzziness"
ERROR_RATE = "error rate: share of the comparisons that are wrong"
DIFFERENCE = "difference between two runs (lower bound of the bin; the last bin has no upper bound)"
LOWER_BOUND = "lower bound of the difference"
SWAP_RATE = "swap rate: comparisons that other questions contradict"


def stability(curves: dict[str, pl.DataFrame], title: str, subtitle: str = "", caption: str = "") -> Spec:
    """Error rate against ties, a point per fuzziness (Peñas & Rodrigo 2011, figure 2), from stability tables."""
    frame = stacked(curves, "fuzziness", "ties", "error_rate")
    if frame.is_empty():
        return nothing(title, subtitle, caption, "There is no error rate to draw, since no two runs could be compared.")
    names = frame["series"].unique(maintain_order=True).to_list()
    (left, right), top = extremes(frame["ties"]), 1.1 * extremes(frame["error_rate"])[1] or 0.01
    margin = 0.05 * (right - left) or 0.01
    left, right = max(0, left - margin), right + margin
    ends = frame.group_by("series", maintain_order=True).last()
    ends = ends.with_columns(
        text=pl.Series([short(name) for name in ends["series"]]),
        end_x=(pl.col("ties") - left) / (right - left) * WIDTH,
        end_y=(1 - pl.col("error_rate") / top) * HEIGHT,
    )
    ends = series.beside(ends)
    least, most = (difference(end) for end in extremes(frame["fuzziness"]))
    marked = frame.filter(pl.col("series") == names[0])[[0, -1]].with_columns(text=pl.Series([least, most]))
    along = f"(along each curve the fuzziness grows from {least}, left, to {most}, right)"
    x = quantity("ties", scale={"domain": [left, right]}, axis=share_axis([TIES, along], tickCount=10))
    y = quantity("error_rate", scale={"domain": [0, top]}, axis=share_axis(ERROR_RATE, tickCount=8))
    style = series.styles(names)
    parts = [
        series.leaders(ends),
        series.curves(frame, style, x, y),
        outlined(marked, {"x": x, "y": y}, dy=-11),
        series.column(ends, style),
    ]
    return page({"layer": parts, **SIZE}, title, subtitle, caption)


def swap(
    curves: dict[str, pl.DataFrame], title: str, subtitle: str = "", caption: str = "", level: float = 0.05
) -> Spec:
    """Swap rate by bin of the difference, with what each measure requires encircled, from swap tables.

    Required is the lower bound of the first bin whose swap rate is within the level.
    """
    frame = stacked(curves, "lower", "swap_rate")
    if frame.is_empty():
        return nothing(title, subtitle, caption, "There is no swap rate to draw, since no two runs could be compared.")
    names = frame["series"].unique(maintain_order=True).to_list()
    last = max(extremes(table["lower"])[1] for table in curves.values())
    top = max(0.5, extremes(frame["swap_rate"])[1])
    axis = {"title": DIFFERENCE, "format": ".2f" if last >= 0.1 else "~g"}  # there are ten ticks or so
    x = quantity("lower", title=LOWER_BOUND, scale={"domain": [0, last], "padding": 10}, axis=axis)
    y = quantity("swap_rate", scale={"domain": [0, top]}, axis=share_axis(SWAP_RATE))
    place, style = {"x": x, "y": y}, series.styles(names)
    required = frame.filter(pl.col("swap_rate") <= level).group_by("series", maintain_order=True).first()
    highest = required.group_by("lower").agg(pl.col("swap_rate").max()).sort("lower")
    drop = mark("rule", {"y2": {"datum": 0}}, color=FAINT, strokeDash=[2, 2])
    parts = [
        level_line(level, top, "right"),
        layers(highest, place, drop),
        series.curves(frame, style, x, y),
        layers(required, place, mark("point", size=110, stroke=INK, strokeWidth=1.2, opacity=1)),
        note("difference required (circles)", series.START, 8),
        series.column(by_requirement(names, required), style),
    ]
    return page({"layer": parts, **SIZE}, title, subtitle, caption)


def by_requirement(names: list[str], required: pl.DataFrame) -> pl.DataFrame:
    """The names with what they require, the least first and what nothing suffices for last, for series.column."""
    named = pl.DataFrame({"series": names}).join(required, on="series", how="left", maintain_order="left")
    named = named.sort("lower", nulls_last=True, maintain_order=True)
    texts = [f"{short(id)}: {'none' if lower is None else difference(lower)}" for id, lower, _ in named.iter_rows()]
    return named.with_columns(text=pl.Series(texts), height=pl.int_range(1, pl.len() + 1) * series.LINE + 8)


def stacked(curves: dict[str, pl.DataFrame], x: str, *values: str) -> pl.DataFrame:
    """The tables stacked, named in the column `series`, sorted along x; rows without a value left out."""
    tables = [table.select(pl.lit(id).alias("series"), x, *values).sort(x) for id, table in curves.items()]
    return pl.concat(tables).drop_nulls() if tables else pl.DataFrame()
