"""How near the years of runs come: curves of the share within e years, and heat maps of decades (DEFT 2011, task A).

None where there are no fragments.
"""

from typing import Any

import polars as pl

from nonresponse.figures import page as paper
from nonresponse.figures import series
from nonresponse.figures.page import extremes, label, names_axis, note, outlined, page, places, share_axis
from nonresponse.figures.series import NAMED, OTHERS
from nonresponse.figures.vega_lite import PERCENT, Spec, category, layers, mark, place, quantity
from nonresponse.wording import number, rounded

MOST = 60  # decades, unless the run has more
DECADES = ["decade", "predicted"]
NONE = "none"
SAID = "reference: {}s · predicted: {} · {} of {} fragments"  # of a cell
SHADE, FRAME = "#cfe0ef", series.COLOURS[1]
YEARS = "years between the predicted year and the reference, at most"
SHARE = "share of the fragments within so many years"
REFERENCE = "decade of the reference (number of fragments)"
PREDICTED = f"predicted decade ({NONE}: no prediction)"
SHARE_OF_DECADE = ["share of the", "fragments of", "that decade"]


def every_run(table: pl.DataFrame, areas: dict[str, float], title: str) -> Spec | None:
    """A curve per run, 12 of them named, from `within` of one assessor; `areas`: auc@E by run, the best first."""
    table = table.select("run", "years", "share").drop_nulls()
    if table.is_empty():
        return None
    names = list(areas)[:NAMED]
    farthest, top = table.select(pl.max("years")).item(), extremes(table["share"])[1] or 1
    better = f"The best {NAMED} of {len(areas):,} runs by auc@{farthest} are named, the others grey."
    table, remark = series.drawn(table, list(areas))
    named = table.filter(pl.col("run").is_in(names)).with_columns(series="run")
    ends = pl.DataFrame({"series": names, "text": [f"{label(run)}: {rounded(areas[run], 4)}" for run in names]})
    last = named.filter(pl.col("years") == farthest).select("series", end_y=(1 - pl.col("share") / top) * paper.HEIGHT)
    ends = ends.join(last, on="series", maintain_order="left").with_columns(end_x=pl.lit(paper.WIDTH))
    ends = series.beside(ends, 2 * series.LINE)
    x, y = axes(farthest, top)
    style = series.styles(names)
    parts = [
        behind(table.filter(~pl.col("run").is_in(names)), x, y),
        series.leaders(ends),
        series.curves(named, style, x, y),
        note(f"run: auc@{farthest}", series.NAME, extremes(ends["height"])[0] - 1.2 * series.LINE),
        series.column(ends, style),
    ]
    return page({"layer": parts, **paper.SIZE}, title, better * (len(areas) > NAMED) + remark)


def one_run(table: pl.DataFrame, run: str, area: float | None, title: str, subtitle: str) -> Spec | None:
    """The curve of a run on top of all others, from `within`; its auc@E is the share of the plot that is shaded."""
    table = table.select("run", "years", "share").drop_nulls()
    of_run = table.filter(pl.col("run") == run)
    if of_run.is_empty():
        return None
    farthest = of_run.select(pl.max("years")).item()
    x, y = axes(farthest, 1)
    bars = of_run.filter(pl.col("years") < farthest).with_columns(end=pl.col("years") + 1)
    bar = {"x": x, "x2": {"field": "end"}, "y": y, "y2": {"datum": 0}}
    area_text = pl.DataFrame({"text": [f"auc@{farthest} = {number(area, 4)}, the shaded part of the plot"]})
    colour = series.COLOURS[0]
    parts = [
        layers(bars, bar, mark("rect", fill=SHADE, stroke="white")),
        behind(table.filter(pl.col("run") != run), x, y, interpolate="step-after"),
        layers(
            of_run,
            {"x": x, "y": y},
            mark("line", color=colour, strokeWidth=1.6, interpolate="step-after"),
            mark("point", size=32, color=colour, fill=colour, opacity=1),
        ),
        outlined(area_text, paper.at_pixels(paper.WIDTH - 8, paper.HEIGHT - 12), align="right"),
    ]
    return page({"layer": parts, **paper.SIZE}, title, subtitle)


def axes(farthest: int, top: float) -> tuple[Spec, Spec]:
    """The channels of years, from 0 to the farthest, and of shares, from 0 to the top."""
    years: Spec = {"title": YEARS, "format": "d", "grid": False}
    if farthest <= 20:  # by default, an axis of few years has ticks between whole years
        years["values"] = list(range(farthest + 1))
    return (
        quantity("years", scale={"domain": [0, farthest]}, axis=years),
        quantity("share", scale={"domain": [0, top]}, axis=share_axis(SHARE)),
    )


def behind(table: pl.DataFrame, x: Spec, y: Spec, **style: Any) -> Spec:
    line = mark("line", color=OTHERS, strokeWidth=0.8, **style)
    return layers(table, {"x": x, "y": y, "detail": category("run")}, line)


def decades(table: pl.DataFrame, bounds: tuple[int, int], title: str) -> Spec | None:
    """A heat map of one run: a row per decade of the reference, a column per predicted decade, and one for none."""
    if table.is_empty():
        return None
    lowest, highest = table.select(low=pl.min_horizontal(DECADES).min(), high=pl.max_horizontal(DECADES).max()).row(0)
    first, last, said = min(bounds[0] // 10 * 10, lowest), max(bounds[1] // 10 * 10, highest), ""
    if last - first > 10 * MOST:
        first, last, said = lowest, highest, "Only the decades from the first to the last that occur are shown. "
    number = (last - first) // 10 + 1
    of_row = pl.col("fragments").sum().over("decade")
    cells = table.select(
        x=((pl.col("predicted") - first) // 10).fill_null(number),
        y=(pl.col("decade") - first) // 10,
        share=pl.col("fragments") / of_row,
        of_row=of_row,
        text=pl.col("fragments").map_elements("{:,}".format, pl.String),
        said=pl.format(SAID, "decade", pl.format("{}s", "predicted").fill_null(NONE), "fragments", of_row),
    ).with_columns(colour=pl.when(pl.col("share") > 0.55).then(pl.lit("white")).otherwise(pl.lit(paper.INK)))
    width, height = min(36, paper.WIDTH / (number + 1)), min(22, paper.HEIGHT / number)
    totals = dict(cells.select("y", "of_row").iter_rows())
    names = [f"{first + 10 * place}s" for place in range(number)]
    rows = [f"{name} ({totals.get(place, 0):,})" for place, name in enumerate(names)]
    columns = [*thinned(names, 32 / width), NONE]
    columns[:-1] = [name if (number - place) * width >= 32 else "" for place, name in enumerate(columns[:-1])]
    x = place("x", scale=places(columns), axis=names_axis(columns, title=PREDICTED, orient="top", labelAngle=0))
    y = place("y", scale=places(rows), axis=names_axis(thinned(rows, 13 / height), title=REFERENCE))
    percent = {"labelExpr": PERCENT, "values": [0, 0.25, 0.5, 0.75, 1]}
    legend = {
        "title": SHARE_OF_DECADE,
        "titleFontWeight": "normal",
        "titleColor": paper.INK,
        "labelColor": paper.INK,
        **percent,
    }
    scale = {"domain": [0, 1], "range": ["white", paper.DARKEST], "interpolate": "lab"}
    marks = [mark("rect", {"color": quantity("share", scale=scale, legend=legend)})]
    right = pl.DataFrame({"x": range(number), "y": range(number)})
    marks.append(layers(right, {}, mark("rect", filled=False, stroke=FRAME, strokeWidth=1)))
    if 6 * extremes(cells["text"].str.len_chars())[1] < width and height >= 12:
        said += "In each cell the number of fragments; framed, the right decade."
        marks.append(mark("text", {"text": category("text"), "color": category("colour", scale=None)}, fontSize=10))
    plot = layers(cells, {"x": x, "y": y}, *marks)
    look = {"resolve": {"scale": {"color": "independent"}}, "view": {"stroke": paper.GRID}}
    size = {"width": {"step": width}, "height": {"step": height}}
    return page({**plot, **look, **size}, title, said)


def thinned(names: list[str], places: float) -> list[str]:
    """The names with most of them left empty, at even steps, so that each one shown has room for this many places."""
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000) if step >= places)
    return [name if place % step == 0 else "" for place, name in enumerate(names)]
