"""Figures of the report as SVG for papers, by Altair: a function for each kind of drawing.

A figure has curves. A table is drawn if it has an interval, bars or shades. Names from files are
values of the data: they become text.
"""

import re
import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import altair as alt
import vl_convert

from nonresponse import legible
from nonresponse.atomic import write_text
from nonresponse.report.model import PAPER, Column, Figure, Section, Table, format_cell, mark_run
from nonresponse.wording import minus

Drawing = alt.LayerChart | alt.FacetChart

INCH = 96  # pixels
# The first is in vl-convert, so that every machine measures alike. Who draws the SVG without one of
# these may take a wider font, which needs as much more room.
FONT, WIDER = "Liberation Sans, Arial, Helvetica, sans-serif", 1.1
SIZE, LETTER = 10, 5.5  # pixels: of the font, and the mean width of its letters
NAME, NUMBER = 13, 26  # pixels of the width for a character of names; of a number in a cell
ROW, HEIGHT = 15, 220  # pixels: of a run, and of a figure with curves
INK, FAINT, GREY = "#1a1c20", "#dfe2e6", "#9aa0a8"
# The colours of report/page.css. In grey, dashes and shapes distinguish curves.
COLOURS = ["#0072b2", "#b84f00", "#00795a", "#8a3d8f", "#7a6000", "#555555"]
DASHES = [[], [6, 3], [2, 2], [9, 3, 2, 3]]
SHAPES = ["circle", "square", "diamond", "triangle-up", "cross", "triangle-down"]
SHAPES += SHAPES[1:] + SHAPES[:1]  # a colour that comes again has another shape
MAX_NAMED = 12  # curves; the others are grey
STATES = {"correct": "#14508f", "unanswered": "#c9ced6", "wrong": "#d9783a"}
TEXT_COLOURS = {"correct": "#ffffff", "unanswered": INK, "wrong": "#000000"}


def write_figures(sections: Iterable[Section], folder: Path, inches: float) -> list[Path]:
    """Write each figure of the sections into a folder, so many inches wide; return the paths."""
    paths = []
    for name, chart in draw_sections(sections, INCH * inches):
        paths.append(folder / f"{name}.svg")
        write_text(render_svg(chart), paths[-1])
    return paths


def draw_sections(sections: Iterable[Section], width: float) -> Iterator[tuple[str, Drawing]]:
    """Return the drawings of sections, each with the name of its file."""
    for section in sections:
        for figure in section.figures:
            yield figure.name, draw_curves(figure, width)
        for table in section.filled_tables:
            columns = {column.kind: column for column in table.columns}
            if "interval" in columns:
                yield "intervals", draw_intervals(table, columns["interval"], width)
            if "bar" in columns:
                yield "verdicts", draw_bars(table, columns["bar"], width)
            if "shade" in columns:
                yield table.csv, draw_shades(table, width)


def draw_curves(figure: Figure, width: float) -> Drawing:
    """Draw curves and marks, the first with looks of their own, and what is best on top."""
    labels = label_names([curve.name for curve in figure.curves], width)
    own_labels = [*labels.values()][:MAX_NAMED]
    looks = {name: label if label in own_labels else "" for name, label in labels.items()}
    points = [
        {"curve": index, "look": looks[curve.name], "place": place, "x": x, "y": y}
        | {"size": 20 + 200 * weight[0] if weight else 35, "line": curve.line}
        | {"mark": curve.marks or (looks[curve.name] and place == len(curve.points) - 1)}
        for index, curve in reversed([*enumerate(figure.curves)])
        for place, (x, y, *weight) in enumerate(curve.points)
    ]
    line = int(find_room(width, []) // (WIDER * LETTER))
    lines = [textwrap.wrap(label, line) for label in figure.labels]
    spans = [alt.Scale(domain=span, nice=False, zero=False) for span in figure.spans]
    title_options: dict[str, Any] = {
        "titleAngle": 0,
        "titleAlign": "left",
        "titleAnchor": "start",
        "titleX": 0,
    }
    title_options |= {"titleBaseline": "bottom", "titleY": -20 if figure.bands else -6}
    axes = [make_axis(figure.percent[0]), make_axis(figure.percent[1], **title_options)]
    x = alt.X("x:Q", title=lines[0], scale=spans[0], axis=axes[0])
    y = alt.Y("y:Q", title=lines[1], scale=spans[1], axis=axes[1])
    columns = max(1, int(width // (WIDER * LETTER * max(map(len, own_labels)) + 30)))
    # Dashes would fray the symbols
    legend = alt.Legend(columns=columns, values=own_labels, title=None, symbolStrokeWidth=0)

    def choose_look(channel: Any, values: list) -> Any:
        """Return a channel that gives each curve its look, the last value to those without."""
        looks = [values[index % (len(values) - 1)] for index in range(len(own_labels))]
        return channel("look:N", legend=legend, title=None).scale(
            domain=[*own_labels, ""], range=[*looks, values[-1]]
        )

    colour = choose_look(alt.Color, [*COLOURS, GREY])
    thin = alt.condition(alt.datum.look == "", alt.value(0.5), alt.value(1.6))
    layers = [
        chart_rows([point for point in points if point["line"]])
        .mark_line()
        .encode(strokeDash=choose_look(alt.StrokeDash, [*DASHES, []]), strokeWidth=thin)
        .encode(x=x, y=y, detail="curve:N", order="place:Q"),
        chart_rows([point for point in points if point["mark"]])
        .mark_point(filled=True, opacity=1)
        .encode(x=x, y=y, shape=choose_look(alt.Shape, [*SHAPES, "circle"]))
        .encode(size=alt.Size("size:Q", scale=None)),
    ]
    layers = [layer.encode(color=colour) for layer in layers if layer.data["values"]]
    if figure.bands:
        layers += draw_bands(figure, labels, width)
    dashed: dict[str, Any] = {"strokeDash": [4, 3], "color": INK, "strokeWidth": 0.8}
    if figure.level is not None:
        level = chart_rows([{"y": figure.level, "name": figure.level_name}]).encode(y="y:Q")
        text = level.mark_text(align="right", dy=-5).encode(x=alt.value("width"), text="name:N")
        layers += [level.mark_rule(**dashed), text]
    if figure.diagonal:
        layers.append(
            chart_rows([{"x": 0, "y": 0}, {"x": 1, "y": 1}])
            .mark_line(**dashed, clip=True)
            .encode(x, y)
        )
    rows = -(-len(own_labels) // columns) + sum(map(len, lines))
    return style(layers, width, HEIGHT + (SIZE + 4) * rows)


def draw_bands(figure: Figure, labels: dict[str, str], width: float) -> list[alt.Chart]:
    """Draw what is best where, above the curves, with the names that have room."""
    colours = [
        COLOURS[index % len(COLOURS)] if index < MAX_NAMED else GREY for index in range(len(labels))
    ]
    looks = dict(zip(labels, colours, strict=True))
    low, high = figure.spans[0]
    bands = []
    for start, end, best in figure.bands:
        run = next((name for name in best if name in labels), best[0])
        name, share = labels.get(run, run), (end - start) / (high - low)
        fits = len(name) * WIDER * LETTER < share * find_room(width, [])
        row = {"x": start, "x2": end, "middle": (start + end) / 2, "name": name * fits}
        bands.append(row | {"colour": looks.get(run, GREY)})
    chart = chart_rows(bands)
    colour = alt.Color("colour:N", scale=None)
    return [
        chart.mark_rect().encode(
            x="x:Q", x2="x2:Q", color=colour, y=alt.value(-6), y2=alt.value(-2)
        ),
        chart.mark_text(dy=-12).encode(x="middle:Q", y=alt.value(0), text="name:N"),
    ]


def draw_intervals(table: Table, column: Column, width: float) -> Drawing:
    """Draw the score of each run and its interval."""
    score = next(column for column in table.columns if column.kind == "score")
    rows = [row for row in table.list_rows(PAPER) if row[column.name] is not None]
    runs, y = order_runs(rows, width)
    data = [
        {"run": run, "x": row[column.name], "low": row[column.ends[0]], "high": row[column.ends[1]]}
        for run, row in zip(runs, rows, strict=True)
    ]
    title = f"{column.name}, {column.label}"
    axis = make_axis(bool(score.on_page and score.on_page[0]))
    x = alt.X("x:Q", title=title, axis=axis).scale(zero=False)
    intervals = chart_rows([row for row in data if row["low"] is not None])
    rule = intervals.mark_rule(color=INK, strokeWidth=1.4).encode(y, x="low:Q", x2="high:Q")
    dots = (
        chart_rows(data).mark_point(filled=True, color=COLOURS[0], size=40, opacity=1).encode(x, y)
    )
    return style([rule, dots], width, ROW * len(data) + 50, runs)


def draw_bars(table: Table, column: Column, width: float) -> Drawing:
    """Draw the shares of each run's correct, unanswered and wrong responses."""
    rows = [row for row in table.list_rows(PAPER) if any(row[end] for end in column.ends)]
    runs, y = order_runs(rows, width)
    data = []
    for run, row in zip(runs, rows, strict=True):
        start, total = 0.0, sum(row[end] for end in column.ends)
        for state, end in zip(STATES, column.ends, strict=True):
            share = row[end] / total
            data.append({"run": run, "state": state, "share": share})
            data[-1] |= {"x": start, "x2": start + share, "middle": start + share / 2}
            start += share
    room = find_room(width, runs)
    legend = alt.Legend(columns=3 if room > 200 else 1, title=None)
    fill = alt.Color("state:N", legend=legend).scale(domain=[*STATES], range=[*STATES.values()])
    x = alt.X("x:Q", title="responses", axis=make_axis(True)).scale(domain=[0, 1])
    bars = chart_rows(data).mark_bar(height=ROW - 3).encode(x, y, x2="x2:Q", color=fill)
    layers = [bars]
    for state, ink in TEXT_COLOURS.items():
        wide = [row for row in data if row["state"] == state and row["share"] * room > NUMBER]
        text = chart_rows(wide).mark_text(color=ink).encode(y, x="middle:Q")
        layers.append(text.encode(text=alt.Text("share:Q", format=".0%")))
    return style(layers, width, ROW * len(rows) + 80, runs)


def draw_shades(table: Table, width: float) -> Drawing:
    """Draw coefficients as a heat map, darker where they are higher."""
    head, *columns = table.columns
    rows = table.list_rows(PAPER)
    lines = label_names([row[head.name] for row in rows], width)
    labels = label_names([column.header for column in columns], width)
    cells = [
        {"line": lines[row[head.name]], "column": labels[column.header], "value": row[column.name]}
        | {"text": minus(format_cell(row, column)), "dark": row[column.name] > 0.75}
        for row in rows
        for column in columns
        if row[column.name] is not None
    ]
    y = alt.Y("line:N", title=None).scale(domain=[*lines.values()])
    angle = -90 if LETTER * sum(map(len, labels.values())) > width / 2 else 0
    x = alt.X("column:N", title=None, axis=alt.Axis(labelAngle=angle, orient="top"))
    x = x.scale(domain=[*labels.values()])
    shade = alt.Color("value:Q", legend=None).scale(
        domain=[0, 1], range=["#ffffff", STATES["correct"]], clamp=True, interpolate="rgb"
    )
    ink = alt.condition(alt.datum.dark, alt.value("#ffffff"), alt.value(INK))
    layers = [chart_rows(cells).mark_rect(stroke=FAINT).encode(x, y, color=shade)]
    if find_room(width, lines.values()) > NUMBER * len(columns):
        layers.append(chart_rows(cells).mark_text().encode(x, y, text="text:N", color=ink))
    names = [*lines.values(), *labels.values()]
    head_room = 30 + LETTER * max(map(len, labels.values())) * bool(angle)
    return style(layers, width, 1.5 * ROW * len(rows) + head_room, names)


def label_names(names: Iterable[str], width: float) -> dict[str, str]:
    """Return a text for each distinct name, no two the same."""
    labels: dict[str, str] = {}
    for name in dict.fromkeys(names):
        text, texts = legible.short(name, int(width // NAME)), [*labels.values()]
        labels[name] = f"{text} ({len(labels) + 1})" if text in texts else text
    return labels


def order_runs(rows: list[dict[str, Any]], width: float) -> tuple[list[str], alt.Y]:
    """Return the names of the runs of these rows, with their marks, and the axis that has them."""
    labels = label_names([row["run"] for row in rows], width)
    runs = [labels[row["run"]] + mark_run(row) for row in rows]
    return runs, alt.Y("run:N", title=None).scale(domain=runs)


def find_room(width: float, names: Iterable[str]) -> float:
    """Return how wide a drawing is that has names on its left."""
    return width - WIDER * LETTER * max(map(len, names), default=0) - 30


def make_axis(is_share: bool, **options: Any) -> alt.Axis:
    """Return an axis of numbers, in percent if they are shares."""
    return alt.Axis(format="~%" if is_share else "~g", tickCount=4, labelSeparation=8, **options)


def chart_rows(rows: list[dict[str, Any]]) -> alt.Chart:
    """Return a chart of rows."""
    return alt.Chart({"values": rows})


def style(
    layers: list[alt.Chart], width: float, height: float, names: Iterable[str] = ()
) -> Drawing:
    """Return the layers and all around them in this width, with room for these names."""
    padding = 5 + (WIDER - 1) * LETTER * max(map(len, names), default=0)
    text: dict[str, Any] = {
        "labelFontSize": SIZE,
        "titleFontSize": SIZE,
        "titleFontWeight": "normal",
    }
    text |= {"labelColor": INK, "titleColor": INK, "labelLimit": 0, "titleLimit": 0}
    fit = alt.AutoSizeParams(type="fit", contains="padding")
    chart = alt.layer(*layers).properties(width=width, height=height, autosize=fit)
    chart = chart.configure(font=FONT, background="white", padding=padding)
    chart = chart.configure_view(stroke=None).configure_text(fontSize=SIZE, color=INK)
    chart = chart.configure_axis(**text, gridColor=FAINT, domainColor=GREY, tickColor=GREY)
    return chart.configure_legend(**text, orient="bottom", direction="vertical")


def render_svg(chart: alt.TopLevelMixin) -> str:
    """Return a chart as SVG, with clips numbered from 1, however many this process has drawn."""
    version, numbers = alt.SCHEMA_VERSION.rpartition(".")[0], dict[str, int]()
    # Validation, which takes longer than drawing, finds mistakes of ours only
    spec = chart.to_dict(validate=False)
    drawing = vl_convert.vegalite_to_svg(spec, vl_version=version, allowed_base_urls=[])
    return re.sub(
        r"(?<=\bclip)\d+",
        lambda number: str(numbers.setdefault(number[0], len(numbers) + 1)),
        drawing,
    )
