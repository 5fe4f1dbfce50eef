"""What all figures share: the page around a plot, text that fits on it, and the SVG file."""

import json
import textwrap

import altair as alt
import polars as pl

from nonresponse import legible, tables
from nonresponse.wording import at

# Liberation Sans comes with vl-convert, so that text is measured alike everywhere; the next four are as wide.
FONT = "Liberation Sans, Arimo, Arial, Nimbus Sans, Helvetica, sans-serif"
MARGINS = {"top": 14, "bottom": 14, "left": 24, "right": 44}  # room for names in a wider font
INK, FAINT, GRID = "#1a1a1a", "#595959", "#dddddd"
WIDTH, HEIGHT = 600, 380  # of a plot, in pixels
TEXT_WIDTH = 680  # of what stands above and below it
LONGEST = 30  # characters of a name


def page(plot: alt.LayerChart | alt.Chart, title: str, subtitle: str, caption: str) -> alt.VConcatChart:
    """The plot with its title and subtitle above, and its caption, the finding, below."""
    if caption:
        below = {"orient": "bottom", "anchor": "start", "frame": "bounds", "offset": 16, "lineHeight": 18}
        plot = plot.properties(title=alt.TitleParams(wrapped(caption, 13), fontSize=13, fontWeight="normal", **below))
    above = alt.TitleParams(
        wrapped(title, 16) or [""],
        subtitle=wrapped(subtitle, 12) or alt.Undefined,
        fontSize=16,
        lineHeight=20,
        subtitleFontSize=12,
        subtitleLineHeight=16,
        subtitleColor=FAINT,
        subtitlePadding=6,
        offset=14,
    )
    return (
        alt.vconcat(plot, spacer(), title=above, spacing=0, padding=MARGINS)
        .configure(font=FONT, background="white", aria=False)
        .configure_view(stroke=None)
        .configure_title(color=INK, anchor="start")
        .configure_axis(
            **{"labelColor": INK, "titleColor": INK, "titleFontWeight": "normal", "titlePadding": 10},
            **{"labelFontSize": 11, "titleFontSize": 12, "labelLimit": 0, "titleLimit": 0, "labelFlush": False},
            **{"gridColor": GRID, "gridWidth": 0.6, "domainColor": FAINT, "tickColor": FAINT},
        )
    )


def spacer() -> alt.Chart:
    """Nothing to see, but the page is no narrower than its text, in whatever font."""
    return alt.Chart(pl.DataFrame({"": [0]})).mark_point(size=0).properties(width=TEXT_WIDTH, height=1)


def nothing(title: str, subtitle: str, caption: str, why: str) -> alt.VConcatChart:
    """A page without a plot; the caption, or else `why`, says the reason."""
    return page(spacer(), title, subtitle, caption or why)


def wrapped(text: str, size: int) -> list[str]:
    """The text in lines that fit on the page at this font size; a number stays with its percent sign."""
    kept_together = legible.visible(text).replace(" %", "\u00a0%")
    return textwrap.wrap(kept_together, int(TEXT_WIDTH / (0.5 * size)))  # letters are half as wide as high, or less


def short(name: str, longest: int = LONGEST) -> str:
    """The name as it stands in a figure."""
    return legible.short(name, longest)


def share_axis(title: str | list[str], **options) -> alt.Axis:
    """An axis of shares, in percent."""
    return alt.Axis(title=title, labelExpr="format(datum.value * 100, '~g') + ' %'", **options)


def places(names: list) -> alt.Scale:
    """A place for each name, by number: two names may look alike when cut short."""
    return alt.Scale(domain=list(range(len(names))))


def names_axis(names: list[str], **options) -> alt.Axis:
    """The names at their places, all of them."""
    bare = {"ticks": False, "domain": False, "grid": False, "labelOverlap": False}
    return alt.Axis(labelExpr=f"{json.dumps(names)}[datum.value]", **{**bare, **options})


def note(text: str, x: float, y: float, **style) -> alt.Chart:
    """A line of text, at x and y in pixels."""
    style = {"align": "left", "baseline": "middle", "color": FAINT, "fontSize": 11, **style}
    place = {"x": alt.value(x), "y": alt.value(y)}
    return alt.Chart(pl.DataFrame({"text": [text]})).mark_text(**style).encode(**place, text="text:N")


def outlined(base: alt.Chart, **style) -> alt.LayerChart:
    """The field `text` where the base puts it, on a white outline, so that it can be read on top of curves."""
    style = {"fontSize": 11, "color": INK, **style}
    return alt.layer(
        base.mark_text(**style, stroke="white", strokeWidth=3, strokeJoin="round").encode(text="text:N"),
        base.mark_text(**style).encode(text="text:N"),
    )


def level_line(level: float, top: float, align: str) -> alt.LayerChart:
    """A line across a plot of shares from 0 to `top`, with its figure at the left or right end, as `align` says."""
    x, y = 4 if align == "left" else WIDTH - 4, HEIGHT * (1 - level / top)
    base = alt.Chart(pl.DataFrame({"text": [at(level)]})).encode(y=alt.value(y))
    text = outlined(base.encode(x=alt.value(x)), dy=-8, align=align)
    return alt.layer(base.mark_rule(color=INK, strokeWidth=1), text)


def write_svg(chart: alt.VConcatChart, path) -> None:
    import vl_convert

    tables.write_text(vl_convert.vegalite_to_svg(chart.to_json()) + "\n", path)
