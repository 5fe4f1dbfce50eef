"""Curves that are told apart without colour, and their names in a column at the right of the plot."""

import altair as alt
import polars as pl

from nonresponse.figures.page import HEIGHT, INK, WIDTH

COLOURS = ["#0072b2", "#d55e00", "#00795a", "#8a3d8f", "#1a1a1a", "#8c6d1f", "#2a8fbd"]
SHAPES = ["circle", "square", "triangle-up", "diamond", "triangle-down", "cross", "triangle-right", "triangle-left"]
DASHES = [[1, 0], [7, 3], [2, 2], [9, 3, 2, 3], [14, 4]]

LEADER = "#8c8c8c"
LINE = 14  # pixels from a name to the next
START, END, NAME = WIDTH + 30, WIDTH + 56, WIDTH + 64  # of a name's piece of curve, and of the name


def styles(names: list[str]) -> tuple[dict, dict]:
    """Encodings of lines and of points by the column `series`; 80 names differ in shape, filling or dashes."""
    places = range(len(names))
    colours = [COLOURS[place % len(COLOURS)] for place in places]
    hollow = [place // len(SHAPES) % 2 == 1 for place in places]

    def scale(values: list) -> alt.Scale:
        return alt.Scale(domain=names, range=values)

    line = {
        "color": alt.Color("series:N", scale=scale(colours), legend=None),
        "strokeDash": alt.StrokeDash("series:N", scale=scale([DASHES[p % len(DASHES)] for p in places]), legend=None),
    }
    fills = ["white" if hollow[place] else colours[place] for place in places]
    point = {
        "stroke": alt.Stroke("series:N", scale=scale(colours), legend=None),
        "fill": alt.Fill("series:N", scale=scale(fills), legend=None),
        "shape": alt.Shape("series:N", scale=scale([SHAPES[p % len(SHAPES)] for p in places]), legend=None),
    }
    return line, point


def curves(frame: pl.DataFrame, style: tuple[dict, dict], x: alt.X, y: alt.Y) -> alt.LayerChart:
    """Lines with points, from a table with the column `series` and those of x and y; the lines run along x."""
    base, (line, point) = alt.Chart(frame).encode(x=x, y=y), style
    return alt.layer(
        base.mark_line(strokeWidth=1.4).encode(**line),
        base.mark_point(size=32, strokeWidth=1.2, opacity=1).encode(**point),
    )


def column(frame: pl.DataFrame, style: tuple[dict, dict]) -> alt.LayerChart:
    """A piece of curve and the `text` of each `series`, to the right of the plot at its `height` in pixels."""
    base, (line, point) = alt.Chart(frame).encode(y=pixels("height")), style
    return alt.layer(
        base.mark_rule(strokeWidth=1.4).encode(x=alt.value(START), x2=alt.value(END), **line),
        base.mark_point(size=32, strokeWidth=1.2, opacity=1).encode(x=alt.value((START + END) / 2), **point),
        base.mark_text(align="left", fontSize=11, color=INK).encode(x=alt.value(NAME), text="text:N"),
    )


def beside(ends: pl.DataFrame, highest: float = 0) -> pl.DataFrame:
    """The ends of curves with the `height` of their names: that of `end_y`, but moved apart where names would touch."""
    return ends.with_columns(height=pl.Series(spread(ends["end_y"].to_list(), LINE, highest, HEIGHT), dtype=pl.Float64))


def leaders(frame: pl.DataFrame) -> alt.LayerChart:
    """Thin lines from the end of each curve, at `end_x` and `end_y` in pixels, to its name at `height`.

    They run level to the edge of the plot, and only then up or down, so that no two of them cross.
    """
    base = alt.Chart(frame).mark_rule(color=LEADER, strokeWidth=0.6).encode(y=pixels("end_y"))
    return alt.layer(
        base.encode(x=pixels("end_x", alt.X), x2=alt.value(WIDTH)),
        base.encode(x=alt.value(WIDTH), x2=alt.value(START - 3), y2="height:Q"),
    )


def pixels(name: str, channel: type = alt.Y):
    """A place that is given in pixels, whatever the scales of the other layers."""
    return channel(f"{name}:Q", scale=None, axis=None)


def spread(places: list[float], gap: float, low: float, high: float) -> list[float]:
    """The places moved apart to at least `gap`, in the same order and as near as that allows, from `low` to `high`.

    By least squares: places less `gap` times their rank must not fall, and those that would share their mean.
    Where there is no room for all, the last ones lie beyond `high`.
    """
    order = sorted(range(len(places)), key=places.__getitem__)
    blocks: list[tuple[float, int]] = []  # mean, and number of places that share it
    for rank, place in enumerate(order):
        mean, number = places[place] - rank * gap, 1
        while blocks and blocks[-1][0] >= mean:
            other, others = blocks.pop()
            mean, number = (mean * number + other * others) / (number + others), number + others
        blocks.append((mean, number))
    room = max(low, high - gap * (len(places) - 1))
    shared = [min(max(mean, low), room) for mean, number in blocks for _ in range(number)]
    moved = {place: mean + rank * gap for rank, (place, mean) in enumerate(zip(order, shared, strict=True))}
    return [moved[place] for place in range(len(places))]
