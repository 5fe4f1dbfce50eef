"""What other questions would do to a comparison of runs: swap rates, error rates by size, errors against ties.

None where there is nothing to draw: no two runs could be compared, or they do not differ measurably.
"""

from functools import cache

import polars as pl

from nonresponse.figures import page as paper
from nonresponse.figures import series
from nonresponse.figures.page import HEIGHT, SIZE, WIDTH, extremes, label, level_line, note, outlined, page, share_axis
from nonresponse.figures.vega_lite import Spec, layers, mark, quantity
from nonresponse.statistics import SMALLEST_SIZE
from nonresponse.wording import difference

DIFFERENCE = "difference between two runs (lower bound of the bin; the last bin has no upper bound)"
LOWER_BOUND = "lower bound of the difference"
SWAP_RATE = "swap rate: comparisons that other questions contradict"
POINTS = 60  # sizes that are drawn as points: more would hide the curves
TOP = 0.5  # the top of the axis, unless a rate is higher: the rate expected by chance
SIZE_OF_SET = "number of questions in each of the two sets"
CONTRADICTED = "error rate: comparisons that other questions contradict"
TIES = "ties: share of the comparisons in which two runs differ by less than the fuzziness"
WRONG = "error rate: share of the comparisons that are wrong"


def swap_rates(curves: dict[str, pl.DataFrame], title: str, subtitle: str, level: float) -> Spec | None:
    """Swap rate by bin of the difference, from swap tables, with the required difference of each measure encircled.

    It is the lower bound of the first bin whose swap rate is within the level.
    """
    frame = series.stacked(curves, "lower", "swap_rate")
    if frame.is_empty():
        return None
    names = frame["series"].unique(maintain_order=True).to_list()
    last = max(extremes(table["lower"])[1] for table in curves.values())
    top = max(0.5, extremes(frame["swap_rate"])[1])
    axis = {"title": DIFFERENCE, "format": ".2f" if last >= 0.1 else "~g"}  # for about ten ticks
    x = quantity("lower", title=LOWER_BOUND, scale={"domain": [0, last], "padding": 10}, axis=axis)
    y = quantity("swap_rate", scale={"domain": [0, top]}, axis=share_axis(SWAP_RATE))
    place, style = {"x": x, "y": y}, series.styles(names)
    required = frame.filter(pl.col("swap_rate") <= level).group_by("series", maintain_order=True).first()
    highest = required.group_by("lower").agg(pl.col("swap_rate").max()).sort("lower")
    # The measures with their required differences, the smallest first, those without one last.
    named = pl.DataFrame({"series": names}).join(required, on="series", how="left", maintain_order="left")
    named = named.sort("lower", nulls_last=True, maintain_order=True)
    texts = [f"{label(id)}: {'none' if lower is None else difference(lower)}" for id, lower, _ in named.iter_rows()]
    height = pl.int_range(1, pl.len() + 1) * series.LINE + 8
    drop = mark("rule", {"y2": {"datum": 0}}, color=paper.FAINT, strokeDash=[2, 2])
    parts = [
        level_line(level, top, "right"),
        layers(highest, place, drop),
        series.curves(frame, style, x, y),
        layers(required, place, mark("point", size=110, stroke=paper.INK, strokeWidth=1.2, opacity=1)),
        note("difference required (circles)", series.START, 8),
        series.column(named.with_columns(text=pl.Series(texts), height=height), style),
    ]
    return page({"layer": parts, **SIZE}, title, subtitle)


def error_rates(table: pl.DataFrame, expected: pl.DataFrame, title: str, level: float) -> Spec | None:
    """Measured error rates as points, rates expected by draws of the true scores as curves; a colour per difference.

    From the error_curves and expected_swaps tables of one measure.
    """
    curves = expected.with_columns(series=names("difference"))
    if curves.is_empty() or table.is_empty():
        return None
    n = table.select(pl.max("size")).item()  # all questions
    measured = table.filter(pl.col("size") > SMALLEST_SIZE).drop_nulls("error_rate").with_columns(series=names("lower"))
    measured = thinned(measured.join(curves, on="series", how="semi")).select("size", "error_rate", "series")
    top = max(TOP, extremes(measured["error_rate"])[1] if measured.height else 0)
    ends = curves.filter(pl.col("size") == n).with_columns(
        text="series", end_x=pl.lit(WIDTH), end_y=(1 - pl.col("swap_rate") / top) * HEIGHT
    )
    ends = series.beside(ends, 2 * series.LINE)
    x = quantity("size", scale={"domain": [0, n]}, axis={"title": SIZE_OF_SET, "format": ",d"})
    y = quantity("error_rate", scale={"domain": [0, top]}, axis=share_axis(CONTRADICTED))
    named = curves["series"].unique(maintain_order=True).to_list()
    place, (line, point) = {"x": x, "y": y}, series.styles(named, "difference")
    line = {"color": line["color"]}  # without dashes: the shapes of the points tell the curves apart
    lines = curves.select("size", "series", error_rate="swap_rate")
    parts = [
        level_line(level, top, "left"),
        *half(table, n, x),
        layers(measured, place, mark("point", point, size=14, strokeWidth=0.8, opacity=0.45)),
        layers(lines, place, mark("line", line, strokeWidth=1.6)),
        series.leaders(ends),
        note("difference", series.NAME, extremes(ends["height"])[0] - 1.2 * series.LINE),
        series.column(ends, (line, point)),
    ]
    return page({"layer": parts, **SIZE}, title, "")


def half(table: pl.DataFrame, n: int, x: Spec) -> list[Spec]:
    """A line at the largest size that can be measured: each of two sets holds half of the questions."""
    largest = table.drop_nulls("comparisons").select(pl.max("size")).item()
    if largest is None:
        return []
    rule = layers(pl.DataFrame({"size": [largest]}), {"x": x}, mark("rule", color=paper.FAINT, strokeWidth=0.8))
    return [rule, note(f"measured up to {largest:,}", WIDTH * largest / n + 6, 8)]


def names(column: str) -> pl.Expr:
    """The differences in a column, as texts."""
    return pl.col(column).map_elements(cache(difference), return_dtype=pl.String)


def thinned(measured: pl.DataFrame) -> pl.DataFrame:
    """The rows of at most POINTS sizes, evenly spaced."""
    sizes = measured["size"].unique().sort()
    return measured.filter(pl.col("size").is_in(sizes[:: -(-len(sizes) // POINTS) or 1].implode()))


def errors_and_ties(curves: dict[str, pl.DataFrame], title: str, subtitle: str) -> Spec | None:
    """Error rate against ties, a point per fuzziness (Peñas & Rodrigo 2011, figure 2), from stability tables."""
    frame = series.stacked(curves, "fuzziness", "ties", "error_rate")
    if frame.is_empty():
        return None
    names = frame["series"].unique(maintain_order=True).to_list()
    (left, right), top = extremes(frame["ties"]), 1.1 * extremes(frame["error_rate"])[1] or 0.01
    margin = 0.05 * (right - left) or 0.01
    left, right = max(0, left - margin), right + margin
    end_x, end_y = (pl.col("ties") - left) / (right - left) * WIDTH, (1 - pl.col("error_rate") / top) * HEIGHT
    ends = series.beside(frame.group_by("series", maintain_order=True).last(), end_x=end_x, end_y=end_y)
    least, most = (difference(end) for end in extremes(frame["fuzziness"]))
    marked = frame.filter(pl.col("series") == names[0])[[0, -1]].with_columns(text=pl.Series([least, most]))
    along = f"(along each curve the fuzziness grows from {least}, left, to {most}, right)"
    x = quantity("ties", scale={"domain": [left, right]}, axis=share_axis([TIES, along], tickCount=10))
    y = quantity("error_rate", scale={"domain": [0, top]}, axis=share_axis(WRONG, tickCount=8))
    style = series.styles(names)
    parts = [
        series.leaders(ends),
        series.curves(frame, style, x, y),
        outlined(marked, {"x": x, "y": y}, dy=-11),
        series.column(ends, style),
    ]
    return page({"layer": parts, **SIZE}, title, subtitle)
