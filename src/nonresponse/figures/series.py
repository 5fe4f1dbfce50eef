"""Curves that are told apart without colour, and their names in a column at the right of the plot."""

import polars as pl

from nonresponse.figures.page import HEIGHT, INK, WIDTH, label
from nonresponse.figures.vega_lite import Spec, category, layers, mark, quantity

COLOURS = ["#0072b2", "#d55e00", "#00795a", "#8a3d8f", "#1a1a1a", "#8c6d1f", "#2a8fbd"]
SHAPES = ["circle", "square", "triangle-up", "diamond", "triangle-down", "cross", "triangle-right", "triangle-left"]
DASHES = [[1, 0], [7, 3], [2, 2], [9, 3, 2, 3], [14, 4]]

NAMED = 12  # runs whose curves are told apart, if there may be many
DRAWN = 100  # most runs to draw: more cannot be told apart, and a thousand curves take 5 s
OTHERS = "#c4c4c4"  # the curves of all others
LEADER = "#8c8c8c"
LINE = 14  # pixels from a name to the next
START, END, NAME = WIDTH + 30, WIDTH + 56, WIDTH + 64  # of a name's piece of curve, and of the name

Style = tuple[Spec, Spec]  # the channels of lines, and those of points


def drawn(table: pl.DataFrame, runs: list[str]) -> tuple[pl.DataFrame, str]:
    """The rows of the first DRAWN of these runs, and a remark if others are left out."""
    if len(runs) <= DRAWN:
        return table, ""
    return table.filter(pl.col("run").is_in(runs[:DRAWN])), f" Only {DRAWN:,} runs are drawn."


def styles(names: list[str], kind: str = "") -> Style:
    """The look of lines and points by `series`, different for up to 80 names; `kind` is a word for what is named."""
    places = range(len(names))
    colours = [COLOURS[place % len(COLOURS)] for place in places]
    hollow = [place // len(SHAPES) % 2 == 1 for place in places]

    def channel(values: list) -> Spec:
        return category("series", title=kind, scale={"domain": names, "range": values}, legend=None)

    line = {"color": channel(colours), "strokeDash": channel([DASHES[place % len(DASHES)] for place in places])}
    point = {
        "stroke": channel(colours),
        "fill": channel(["white" if hollow[place] else colours[place] for place in places]),
        "shape": channel([SHAPES[place % len(SHAPES)] for place in places]),
    }
    return line, point


def curves(table: pl.DataFrame, style: Style, x: Spec, y: Spec) -> Spec:
    """Lines with points, from a table with the column `series` and those of x and y; the lines run along x."""
    line, point = style
    return layers(
        table,
        {"x": x, "y": y},
        mark("line", line, strokeWidth=1.4),
        mark("point", point, size=32, strokeWidth=1.2, opacity=1),
    )


def others(table: pl.DataFrame, place: Spec) -> Spec:
    """Grey lines without names, one per `series`; `place` are the channels of x and y."""
    return layers(table, place, mark("line", {"detail": {"field": "series"}}, color=OTHERS, strokeWidth=1.2))


def column(table: pl.DataFrame, style: Style) -> Spec:
    """A piece of curve and the `text` of each `series`, to the right of the plot at its `height` in pixels."""
    line, point = style
    middle = {"value": (START + END) / 2}
    text = {"x": {"value": NAME}, "text": category("text")}
    return layers(
        table,
        {"y": pixels("height")},
        mark("rule", {"x": {"value": START}, "x2": {"value": END}, **line}, strokeWidth=1.4),
        mark("point", {"x": middle, **point}, size=32, strokeWidth=1.2, opacity=1),
        mark("text", text, align="left", fontSize=11, color=INK),
    )


def first_named(table: pl.DataFrame) -> tuple[list[str], pl.DataFrame, str]:
    """The first NAMED runs, the rows that are drawn (`drawn`), and a remark on the other runs."""
    runs = table["run"].unique(maintain_order=True).to_list()
    others = f" The first {NAMED} of {len(runs):,} runs are named, the others grey." * (len(runs) > NAMED)
    table, remark = drawn(table, runs)
    return runs[:NAMED], table, others + remark


def beside(ends: pl.DataFrame, highest: float = 0, **places: pl.Expr) -> pl.DataFrame:
    """The ends of curves with the columns of `places`, and `height`, where their names go: moved apart, not above
    `highest`, in pixels.
    """
    names = pl.Series("text", [label(name) for name in ends["series"]], pl.String)
    ends = ends.with_columns(*[names] * ("text" not in ends.columns), **places)
    return ends.with_columns(height=pl.Series(spread(ends["end_y"].to_list(), LINE, highest, HEIGHT), dtype=pl.Float64))


def leaders(table: pl.DataFrame) -> Spec:
    """Thin lines from curves to their names, horizontal up to the edge of the plot, so that no two of them cross."""
    style = {"color": LEADER, "strokeWidth": 0.6}
    return layers(
        table,
        {"y": pixels("end_y")},
        mark("rule", {"x": pixels("end_x"), "x2": {"value": WIDTH}}, **style),
        mark("rule", {"x": {"value": WIDTH}, "x2": {"value": START - 3}, "y2": {"field": "height"}}, **style),
    )


def pixels(name: str) -> Spec:
    """A channel whose values are pixels, independent of the scales of other layers."""
    return quantity(name, scale=None, axis=None)


def spread(places: list[float], gap: float, low: float, high: float) -> list[float]:
    """The places moved apart to at least `gap`, in the same order and as near as that allows, from `low` to `high`.

    By least squares: places minus `gap` times their rank must not decrease; those that would are replaced by their
    mean. If there is no room for all, the last ones are beyond `high`.
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


def stacked(curves: dict[str, pl.DataFrame], x: str, *values: str) -> pl.DataFrame:
    """The tables stacked, with their names in column `series`, each sorted by x; without rows that have a null."""
    tables = [table.select(pl.lit(id).alias("series"), x, *values).sort(x) for id, table in curves.items()]
    return pl.concat(tables).drop_nulls() if tables else pl.DataFrame()
