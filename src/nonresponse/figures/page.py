"""What all figures share: the page around a plot, text that fits on it, and the SVG file."""

import json
import sys
import textwrap
from pathlib import Path
from xml.etree import ElementTree

import polars as pl

from nonresponse import legible, tables
from nonresponse.figures.vega_lite import PERCENT, Spec, category, layers, mark, titled
from nonresponse.wording import at

# Liberation Sans comes with vl-convert, so that text has the same width everywhere; the next four are as wide.
FONT = "Liberation Sans, Arimo, Arial, Nimbus Sans, Helvetica, sans-serif"
MARGINS = {"top": 14, "bottom": 14, "left": 24, "right": 44}  # room for names in a wider font
INK, FAINT, GRID = "#1a1a1a", "#595959", "#dddddd"
DARKEST = "#08306b"  # of the cells of heat maps
WIDTH, HEIGHT = 600, 380  # of a plot, in pixels
SIZE = {"width": WIDTH, "height": HEIGHT}
TEXT_WIDTH = 680  # pixels of the text above a plot
LONGEST = 30  # characters of a name
MOST = 300_000  # rows of data in a figure: a curve of each of a thousand runs has about a hundred

STYLE = {
    "font": FONT,
    "background": "white",
    "aria": True,
    "mark": {"aria": False},  # except for the marks of `vega_lite.telling`
    "view": {"stroke": None},
    "title": {"color": INK, "anchor": "start"},
    "axis": {
        **{"labelColor": INK, "titleColor": INK, "titleFontWeight": "normal", "titlePadding": 10},
        **{"labelFontSize": 11, "titleFontSize": 12, "labelLimit": 0, "titleLimit": 0, "labelFlush": False},
        **{"gridColor": GRID, "gridWidth": 0.6, "domainColor": FAINT, "tickColor": FAINT},
    },
}
ABOVE = {
    **{"fontSize": 16, "lineHeight": 20, "offset": 14},
    **{"subtitleFontSize": 12, "subtitleLineHeight": 16, "subtitleColor": FAINT, "subtitlePadding": 6},
}


def page(plot: Spec, title: str, subtitle: str) -> Spec:
    """The plot with its title and subtitle above."""
    above = {"text": wrapped(title, 16) or [""], **ABOVE}
    if subtitle:
        above["subtitle"] = wrapped(subtitle, 12)
    return {"title": above, "vconcat": [plot, spacer()], "spacing": 0, "padding": MARGINS, "config": STYLE}


def spacer() -> Spec:
    """An invisible plot that makes the page as wide as its text, in any font."""
    return {"data": {"values": [{}]}, **mark("point", size=0), "width": TEXT_WIDTH, "height": 1}


def wrapped(text: str, size: int) -> list[str]:
    """The text in lines that fit on the page at this font size; a number stays with its percent sign."""
    kept_together = legible.visible(text).replace(" %", "\u00a0%")
    return textwrap.wrap(kept_together, int(TEXT_WIDTH / (0.5 * size)))  # letters are at most half as wide as high


def label(name: str, longest: int = LONGEST) -> str:
    return legible.short(name, longest)


def share_axis(title: str | list[str], **options: object) -> Spec:
    """An axis of shares, in percent."""
    return {"title": title, "labelExpr": PERCENT, **options}


def extremes(numbers: pl.Series) -> tuple[float, float]:
    """The lowest and the highest number, typed: `min` and `max` of a series may be of any type."""
    low, high = numbers.to_frame("number").select(low=pl.min("number"), high=pl.max("number")).row(0)
    return low, high


def places(names: list[str]) -> Spec:
    """A scale of numbered places, one for each name, since two names may be equal once they are cut short."""
    return {"domain": list(range(len(names)))}


def names_axis(names: list[str], **options: object) -> Spec:
    """An axis with the names at their places, all of them."""
    bare = {"ticks": False, "domain": False, "grid": False, "labelOverlap": False}
    return {"labelExpr": f"{json.dumps(names)}[datum.value]", **bare, **options}


def at_pixels(x: float, y: float) -> Spec:
    """The channels of a fixed place, in pixels from the left and the top of the plot."""
    return {"x": {"value": x}, "y": {"value": y}}


def note(text: str, x: float, y: float) -> Spec:
    """A line of text, at x and y in pixels."""
    style = {"align": "left", "baseline": "middle", "color": FAINT, "fontSize": 11}
    table = pl.DataFrame({"text": [text]})
    return layers(table, at_pixels(x, y), mark("text", {"text": category("text")}, **style))


def outlined(table: pl.DataFrame, channels: Spec, **style: object) -> Spec:
    """The column `text` where the channels put it, on a white outline, so that it can be read on top of curves."""
    style = {"fontSize": 11, "color": INK, **style}
    outline = {"stroke": "white", "strokeWidth": 3, "strokeJoin": "round"}
    text = {"text": category("text")}
    return layers(table, channels, mark("text", text, **style, **outline), mark("text", text, **style))


def level_line(level: float, top: float, align: str) -> Spec:
    """A line across a plot of shares from 0 to `top`, with its share written at the end that `align` names."""
    x, y = 4 if align == "left" else WIDTH - 4, HEIGHT * (1 - level / top)
    table = pl.DataFrame({"text": [at(level)]})
    text = outlined(table, at_pixels(x, y), dy=-8, align=align)
    return layers(table, {"y": {"value": y}}, mark("rule", color=INK, strokeWidth=1), text)


def write_svg(figure: Spec | None, path: Path) -> bool:
    """Writes the figure as an SVG file; returns whether it did. If a figure cannot be drawn, the log says why."""
    import vl_convert

    if figure is None:
        return False
    if (number := rows(figure)) > MOST:
        print(f"{path}: left out, since it would show {number:,} values", file=sys.stderr)
        return False
    try:
        text = titled(vl_convert.vegalite_to_svg(figure))
    except (ValueError, ElementTree.ParseError) as error:
        print(f"{path}: left out, since it could not be drawn: {error}", file=sys.stderr)
        return False
    tables.write_text(f"{text}\n", path)
    return True


def rows(figure: object) -> int:
    """How many rows of data a specification has."""
    if isinstance(figure, list):
        return sum(map(rows, figure))
    if not isinstance(figure, dict):
        return 0
    return sum(len(part["values"]) if name == "data" else rows(part) for name, part in figure.items())
