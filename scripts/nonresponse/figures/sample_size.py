"""Error rate against the number of questions: measured on parts of the campaign, and expected."""

import polars as pl

from nonresponse.figures import series
from nonresponse.figures.page import FAINT, HEIGHT, SIZE, WIDTH, extremes, level_line, note, nothing, page, share_axis
from nonresponse.figures.vega_lite import Spec, layers, mark, quantity
from nonresponse.reliability.error_curves import SMALLEST_SIZE
from nonresponse.wording import difference

SHOWN = [0.01, 0.02, 0.03, 0.05, 0.07, 0.10, 0.15]  # differences whose curves lie apart
POINTS = 60  # sizes that are drawn as points: more would hide the curves
TOP = 0.5  # of the axis, where no rate is higher: that of chance
SIZE_OF_SET = "number of questions in each of the two sets"
ERROR_RATE = "error rate: comparisons that other questions contradict"


def sample_size(
    table: pl.DataFrame,
    expected: pl.DataFrame,
    n: int,
    title: str,
    subtitle: str = "",
    caption: str = "",
    level: float = 0.05,
) -> Spec:
    """Measured error rates as points, those expected by components of variance as curves, a colour per difference.

    From the sample_size and expected_swaps tables of one measure with n questions.
    """
    curves = expected.filter(pl.col("difference").is_in(SHOWN)).with_columns(series=names("difference"))
    if curves.is_empty():
        return nothing(title, subtitle, caption, "There is no curve to draw, since the runs do not differ measurably.")
    measured = table.filter(pl.col("size") > SMALLEST_SIZE).drop_nulls("error_rate").with_columns(series=names("lower"))
    measured = thinned(measured.join(curves, on="series", how="semi")).select("size", "error_rate", "series")
    top = max(TOP, extremes(measured["error_rate"])[1] if measured.height else 0)
    ends = curves.filter(pl.col("size") == n).with_columns(
        text="series", end_x=pl.lit(WIDTH), end_y=(1 - pl.col("swap_rate") / top) * HEIGHT
    )
    ends = series.beside(ends, 2 * series.LINE)
    x = quantity("size", scale={"domain": [0, n]}, axis={"title": SIZE_OF_SET, "format": ",d"})
    y = quantity("error_rate", scale={"domain": [0, top]}, axis=share_axis(ERROR_RATE))
    named = curves["series"].unique(maintain_order=True).to_list()
    place, (line, point) = {"x": x, "y": y}, series.styles(named, "difference")
    line = {"color": line["color"]}  # no dashes: the shapes of the points tell the curves apart
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
    return page({"layer": parts, **SIZE}, title, subtitle, caption)


def half(table: pl.DataFrame, n: int, x: Spec) -> list[Spec]:
    """A line where measuring ends: two sets hold half of the questions each."""
    largest = table.drop_nulls("comparisons").select(pl.max("size")).item()
    if largest is None:
        return []
    rule = layers(pl.DataFrame({"size": [largest]}), {"x": x}, mark("rule", color=FAINT, strokeWidth=0.8))
    return [rule, note(f"measured up to {largest:,}", WIDTH * largest / n + 6, 8)]


def names(column: str) -> pl.Expr:
    """Differences as texts."""
    return pl.col(column).map_elements(difference, return_dtype=pl.String)


def thinned(measured: pl.DataFrame) -> pl.DataFrame:
    """The rows of some sizes, evenly chosen."""
    sizes = measured["size"].unique().sort()
    return measured.filter(pl.col("size").is_in(sizes[:: -(-len(sizes) // POINTS) or 1].implode()))
