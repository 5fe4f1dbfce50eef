"""What all figures share: the page around a plot, text that fits on it, and the SVG file."""

import textwrap

import altair as alt
import polars as pl

from nonresponse import tables

# Liberation Sans comes with vl-convert, so that text is as wide on every computer; Arial is as wide as that.
FONT = "Liberation Sans, Arial, Helvetica, sans-serif"
INK, FAINT, GRID = "#1a1a1a", "#595959", "#dddddd"
WIDTH, HEIGHT = 600, 380  # of a plot, in pixels
TEXT_WIDTH = 740  # of what stands above and below it
LONGEST = 30  # characters of a name


def page(plot: alt.LayerChart, title: str, subtitle: str, caption: str) -> alt.VConcatChart:
    """The plot with its title and subtitle above, and its caption, the finding, below."""
    if caption:
        below = {"orient": "bottom", "anchor": "start", "frame": "bounds", "offset": 16, "lineHeight": 18}
        plot = plot.properties(title=alt.TitleParams(wrapped(caption, 13), fontSize=13, fontWeight="normal", **below))
    above = alt.TitleParams(
        wrapped(title, 16) or [""],
        subtitle=wrapped(subtitle, 12),
        fontSize=16,
        lineHeight=20,
        subtitleFontSize=12,
        subtitleLineHeight=16,
        subtitleColor=FAINT,
        subtitlePadding=6,
        offset=14,
    )
    return (
        alt.vconcat(plot, title=above, padding=14)
        .configure(font=FONT, background="white", aria=False)
        .configure_view(stroke=None)
        .configure_title(color=INK, anchor="start")
        .configure_axis(
            **{"labelColor": INK, "titleColor": INK, "titleFontWeight": "normal", "titlePadding": 10},
            **{"labelFontSize": 11, "titleFontSize": 12, "labelLimit": 0, "titleLimit": 0},
            **{"gridColor": GRID, "gridWidth": 0.6, "domainColor": FAINT, "tickColor": FAINT},
        )
    )


def nothing(title: str, subtitle: str, caption: str, why: str) -> alt.VConcatChart:
    """A page without a plot; the caption, or else `why`, says the reason."""
    no_plot = alt.Chart(pl.DataFrame({"nothing": [0]})).mark_point(size=0, opacity=0)
    return page(alt.layer(no_plot).properties(width=WIDTH, height=1), title, subtitle, caption or why)


def wrapped(text: str, size: int) -> list[str]:
    """The text in lines that fit on the page at this font size; a number stays with its percent sign."""
    kept_together = printable(text).replace(" %", "\u00a0%")
    return textwrap.wrap(kept_together, int(TEXT_WIDTH / (0.5 * size)))  # a letter is half as wide as high, on average


def printable(text: str) -> str:
    """The text without the control characters that XML forbids."""
    return "".join(character if character.isprintable() else " " for character in text)


def short(name: str, longest: int = LONGEST) -> str:
    """The name as it stands in a figure: a long one loses its middle."""
    name = printable(name)
    if len(name) <= longest:
        return name
    kept = longest - 1
    return f"{name[: kept - kept // 2]}…{name[len(name) - kept // 2 :]}"


def share_axis(title: str, **options) -> alt.Axis:
    """An axis of shares, in percent."""
    return alt.Axis(title=title, labelExpr="format(datum.value * 100, '~g') + ' %'", **options)


def label(text: str, x: float, y, **options) -> alt.Chart:
    """One line of text in the plot; x and y as Altair channels."""
    style = {"align": "left", "color": FAINT, "fontSize": 11, **options}
    return alt.Chart(pl.DataFrame({"text": [text]})).mark_text(**style).encode(x=x, y=y, text="text:N")


def write_svg(chart: alt.VConcatChart, path) -> None:
    import vl_convert

    tables.write_text(vl_convert.vegalite_to_svg(chart.to_json()) + "\n", path)
