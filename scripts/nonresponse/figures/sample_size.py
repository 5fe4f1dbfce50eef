"""Error rate against the number of questions, measured and extrapolated."""

import numpy as np
import polars as pl

from nonresponse.figures import series
from nonresponse.figures.page import FAINT, HEIGHT, SIZE, WIDTH, extremes, level_line, note, nothing, page, share_axis
from nonresponse.figures.vega_lite import Spec, layers, mark, quantity
from nonresponse.reliability.error_curves import SMALLEST_SIZE, fitted
from nonresponse.wording import difference

SHOWN = [0.01, 0.02, 0.03, 0.05, 0.07, 0.10, 0.15]  # differences whose curves lie apart
POINTS = 60  # sizes that are drawn as points: more would hide the curves
STEPS = 100  # of a curve
SIZE_OF_SET = "number of questions in each of the two sets"
ERROR_RATE = "error rate: comparisons that other questions contradict"


def sample_size(
    table: pl.DataFrame, n: int, title: str, subtitle: str = "", caption: str = "", level: float = 0.05
) -> Spec:
    """Measured error rates as points, fitted ones as curves, dashed beyond what was measured (Voorhees 2003, figure 2).

    From the sample_size table of one measure with n questions; each curve is a difference between two runs.
    """
    fits = table.drop_nulls(["a1", "a2"]).unique("lower", keep="first").sort("lower")
    if fits.is_empty():
        return nothing(title, subtitle, caption, "There is no curve to draw, since none could be fitted.")
    chosen = {min(fits["lower"], key=lambda lower: abs(lower - wanted)) for wanted in SHOWN}
    fits = named(fits.filter(pl.col("lower").is_in(chosen)).select("lower", "a1", "a2"))
    measured = table.filter(pl.col("size") > SMALLEST_SIZE).drop_nulls("error_rate")
    measured = thinned(measured.join(fits.select("lower", "series"), on="lower", maintain_order="left"))
    measured = measured.select("size", "error_rate", "series")
    largest = table.drop_nulls("comparisons").select(pl.max("size")).item()
    top = max(0.5, extremes(measured["error_rate"])[1])
    ends = fits.with_columns(text="series", end_x=pl.lit(WIDTH), end_y=(1 - fitted(n) / top) * HEIGHT)
    ends = series.beside(ends, 2 * series.LINE)
    x = quantity("size", scale={"domain": [0, n]}, axis={"title": SIZE_OF_SET, "format": ",d"})
    y = quantity("error_rate", scale={"domain": [0, top]}, axis=share_axis(ERROR_RATE))
    place, (line, point) = {"x": x, "y": y}, series.styles(fits["series"].to_list())
    line = {"color": line["color"]}  # dashes mean something else here
    within, beyond = drawn(fits, SMALLEST_SIZE, largest), drawn(fits, largest, n)
    parts = [
        level_line(level, top, "left"),
        layers(pl.DataFrame({"size": [largest]}), {"x": x}, mark("rule", color=FAINT, strokeWidth=0.8)),
        note(f"extrapolated beyond {largest:,}", WIDTH * largest / n + 6, 8),
        layers(measured, place, mark("point", point, size=14, strokeWidth=0.8, opacity=0.45)),
        layers(within, place, mark("line", line, strokeWidth=1.6)),
        layers(beyond, place, mark("line", line, strokeWidth=1.6, strokeDash=[5, 3])),
        series.leaders(ends),
        note("difference", series.NAME, extremes(ends["height"])[0] - 1.2 * series.LINE),
        series.column(ends, (line, point)),
    ]
    return page({"layer": parts, **SIZE}, title, subtitle, caption)


def named(fits: pl.DataFrame) -> pl.DataFrame:
    """The fits with the lower bound of their bin as text, in the column `series`."""
    return fits.with_columns(series=pl.Series([difference(lower) for lower in fits["lower"]]))


def drawn(fits: pl.DataFrame, start: int, stop: int) -> pl.DataFrame:
    """Points along each fitted curve."""
    sizes = pl.DataFrame({"size": np.linspace(min(start, stop), stop, STEPS)})
    return fits.join(sizes, how="cross").with_columns(error_rate=fitted(pl.col("size")))


def thinned(measured: pl.DataFrame) -> pl.DataFrame:
    """The rows of some sizes, evenly chosen."""
    sizes = measured["size"].unique().sort()
    return measured.filter(pl.col("size").is_in(sizes[:: -(-len(sizes) // POINTS)].implode()))
