"""Kendall's tau between rankings, as heat maps with the figure in each cell."""

import polars as pl

from nonresponse.figures.page import INK, extremes, names_axis, nothing, page, places, short
from nonresponse.figures.vega_lite import Spec, category, layers, mark, place, quantity

MOST = 100  # pairs of assessors: with more the figure would be longer than a page
DARKEST, LIGHTEST = "#08306b", "#e3ebf4"


def tau_between_assessors(
    rankings: pl.DataFrame, measures: list[str], title: str, subtitle: str = "", caption: str = ""
) -> Spec:
    """A row for every two assessors, a column per measure, from rankings.csv."""
    found = rankings.filter((pl.col("compared") == "assessors") & pl.col("measure").is_in(measures))
    if found["tau"].is_null().all():
        return nothing(title, subtitle, caption, "There is no tau to draw, since no two assessors could be compared.")
    pairs = found.select("a", "b").unique(maintain_order=True)
    if pairs.height > MOST:
        subtitle = f"{subtitle} Only the first {MOST} of {pairs.height:,} pairs of assessors are shown.".strip()
        pairs = pairs.head(MOST)
    cells = found.join(pairs.with_row_index("y"), on=["a", "b"]).select(
        "y", x=pl.col("measure").replace_strict(measures, range(len(measures))), tau="tau"
    )
    rows = [f"{short(a, 20)} – {short(b, 20)}" for a, b in pairs.iter_rows()]
    text = "Kendall's tau between the rankings under two assessors, by measure"
    return page(heat_map(cells, [short(id) for id in measures], rows, text), title, subtitle, caption)


def tau_between_measures(rankings: pl.DataFrame, title: str, subtitle: str = "", caption: str = "") -> Spec:
    """A row and a column per measure, from rankings.csv."""
    pairs = rankings.filter(pl.col("compared") == "measures")
    if pairs["tau"].is_null().all():
        return nothing(title, subtitle, caption, "There is no tau to draw, since no two measures could be compared.")
    measures = pl.concat([pairs["a"], pairs["b"]]).unique(maintain_order=True).to_list()
    half = pairs.select(pl.col("a", "b").replace_strict(measures, range(len(measures))), "tau")
    cells = pl.concat([half.select(x="a", y="b", tau="tau"), half.select(x="b", y="a", tau="tau")])
    names = [short(id) for id in measures]
    text = "Kendall's tau between the rankings by two measures"
    return page(heat_map(cells, names, names, text), title, subtitle, caption)


def heat_map(cells: pl.DataFrame, columns: list[str], rows: list[str], title: str) -> Spec:
    """Cells at the places x and y, darker for a higher tau, with the tau as text; a dash where it is null."""
    low = min(0.9, extremes(cells["tau"])[0] - 0.05)
    scale = {"domain": [low, 1], "range": [LIGHTEST, DARKEST], "interpolate": "lab"}
    texts = ["–" if tau is None else f"{tau:.2f}".replace("-", "−") for tau in cells["tau"]]
    where = cells.select("x", "y").iter_rows()
    said = [f"{rows[y]} · {columns[x]} · Kendall's tau: {text}" for (x, y), text in zip(where, texts, strict=True)]
    dark = (pl.col("tau") > (low + 1) / 2).fill_null(False)
    colour = pl.when(dark).then(pl.lit("white")).otherwise(pl.lit(INK))
    turned = {"orient": "top", "labelAngle": -45, "labelAlign": "left", "labelBaseline": "middle"}
    across = names_axis(columns, title=title, titleAnchor="start", **turned)
    plot = layers(
        cells.with_columns(text=pl.Series(texts), said=pl.Series(said), colour=colour),
        {
            "x": place("x", scale=places(columns), axis=across),
            "y": place("y", scale=places(rows), axis=names_axis(rows, title=None)),
        },
        mark("rect", {"color": quantity("tau", scale=scale, legend=None)}, stroke="white", strokeWidth=1),
        mark("text", {"text": category("text"), "color": category("colour", scale=None)}, fontSize=10),
    )
    separate_colours = {"resolve": {"scale": {"color": "independent"}}}
    return {**plot, **separate_colours, "width": {"step": 32}, "height": {"step": 20}}
