"""Curves that are told apart without colour, and their names in a column at the right of the plot."""

import altair as alt
import polars as pl

from nonresponse.figures.page import FAINT, INK, short

COLOURS = ["#0072b2", "#d55e00", "#00795a", "#8a3d8f", "#1a1a1a", "#8c6d1f", "#2a8fbd"]
SHAPES = ["circle", "square", "triangle-up", "diamond", "triangle-down", "cross", "triangle-right", "triangle-left"]
DASHES = [[1, 0], [7, 3], [2, 2], [9, 3, 2, 3], [14, 4]]
LINE = 14  # pixels from a name to the next

SWATCH, NAME = (14, 40), 48  # where a name's piece of curve begins and ends, and where the name begins


def styles(names: list[str]) -> dict:
    """Encodings by the column `series`; the first 80 names differ in shape, filling or dashes."""

    def scale(values) -> alt.Scale:
        return alt.Scale(domain=names, range=[values[place % len(values)] for place in range(len(names))])

    repeated = [COLOURS[place % len(COLOURS)] for place in range(len(names))]
    hollow = [place // len(SHAPES) % 2 for place in range(len(names))]
    filling = ["white" if empty else colour for empty, colour in zip(hollow, repeated, strict=True)]
    line = {
        "color": alt.Color("series:N", scale=scale(COLOURS), legend=None),
        "strokeDash": alt.StrokeDash("series:N", scale=scale(DASHES), legend=None),
    }
    point = {
        "stroke": alt.Stroke("series:N", scale=scale(COLOURS), legend=None),
        "fill": alt.Fill("series:N", scale=scale(filling or [""]), legend=None),
        "shape": alt.Shape("series:N", scale=scale(SHAPES), legend=None),
    }
    return {"line": line, "point": point}


def curves(frame: pl.DataFrame, names: list[str], x: alt.X, y: alt.Y, order: str) -> alt.LayerChart:
    """Lines with points from a table with the columns `series`, those of x and y, and `order` along the line."""
    base, style = alt.Chart(frame), styles(names)
    return alt.layer(
        base.mark_line(strokeWidth=1.4).encode(x=x, y=y, order=f"{order}:Q", **style["line"]),
        base.mark_point(size=32, strokeWidth=1.2, opacity=1).encode(x=x, y=y, **style["point"]),
    )


def column(names: list[str], texts: list[str], heights: list[float], width: int) -> alt.LayerChart:
    """Each name's piece of curve and text, at these heights in pixels, to the right of a plot of this width."""
    frame = pl.DataFrame({"series": names, "text": texts, "height": heights})
    base, style = alt.Chart(frame).encode(y=pixels("height")), styles(names)
    start, end = (width + place for place in SWATCH)
    return alt.layer(
        base.mark_rule(strokeWidth=1.4).encode(x=alt.value(start), x2=alt.value(end), **style["line"]),
        base.mark_point(size=32, strokeWidth=1.2, opacity=1).encode(x=alt.value((start + end) / 2), **style["point"]),
        base.mark_text(align="left", fontSize=11, color=INK).encode(x=alt.value(width + NAME), text="text:N"),
    )


def pixels(name: str) -> alt.Y:
    """A height that is given in pixels from the top, whatever the scale of the other layers."""
    return alt.Y(f"{name}:Q", scale=None, axis=None)


def spread(places: list[float], gap: float, low: float, high: float) -> list[float]:
    """The places moved apart to at least `gap`, in the same order and as near as that allows, from low to high.

    Least squares: places less `gap` times their rank need only not fall, and those that do share their mean.
    """
    order = sorted(range(len(places)), key=places.__getitem__)
    blocks: list[tuple[float, int]] = []  # mean and number
    for rank, place in enumerate(order):
        mean, number = places[place] - rank * gap, 1
        while blocks and blocks[-1][0] >= mean:
            other, others = blocks.pop()
            mean, number = (mean * number + other * others) / (number + others), number + others
        blocks.append((mean, number))
    room = max(low, high - gap * (len(places) - 1))
    moved = [min(max(mean, low), room) for mean, number in blocks for _ in range(number)]
    result = dict(zip(order, (start + rank * gap for rank, start in enumerate(moved)), strict=True))
    return [result[place] for place in range(len(places))]
