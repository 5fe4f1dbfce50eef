"""How far rankings agree: Kendall's tau of every two assessors, and of every two measures; None without a tau."""

import polars as pl

from nonresponse.figures.page import DARKEST, INK, extremes, label, names_axis, page, places
from nonresponse.figures.vega_lite import Spec, category, layers, mark, place, quantity
from nonresponse.wording import NOTHING, tau

MOST = 100  # pairs of assessors: with more the figure would be longer than a page
LIGHTEST = "#e3ebf4"


def between_assessors(rankings: pl.DataFrame, measures: list[str], title: str) -> Spec | None:
    """Tau with a row for every two assessors and a column per measure."""
    rows_of_pairs = rankings.filter((pl.col("compared") == "assessors") & pl.col("measure").is_in(measures))
    if rows_of_pairs["tau"].is_null().all():
        return None
    pairs = rows_of_pairs.select("a", "b").unique(maintain_order=True)
    some = f"Only the first {MOST} of {pairs.height:,} pairs of assessors are shown." * (pairs.height > MOST)
    pairs = pairs.head(MOST)
    cells = rows_of_pairs.join(pairs.with_row_index("y"), on=["a", "b"]).select(
        "y", x=pl.col("measure").replace_strict(measures, range(len(measures))), tau="tau"
    )
    rows = [f"{label(a, 20)} – {label(b, 20)}" for a, b in pairs.iter_rows()]
    text = "Kendall's tau between the rankings under two assessors, by measure"
    return page(heat_map(cells, [label(id) for id in measures], rows, text), title, some)


def between_measures(rankings: pl.DataFrame, title: str) -> Spec | None:
    """Tau with a row and a column per measure."""
    pairs = rankings.filter(pl.col("compared") == "measures")
    if pairs["tau"].is_null().all():
        return None
    measures = pl.concat([pairs["a"], pairs["b"]]).unique(maintain_order=True).to_list()
    half = pairs.select(pl.col("a", "b").replace_strict(measures, range(len(measures))), "tau")
    cells = pl.concat([half.select(x="a", y="b", tau="tau"), half.select(x="b", y="a", tau="tau")])
    names = [label(id) for id in measures]
    text = "Kendall's tau between the rankings by two measures"
    return page(heat_map(cells, names, names, text), title, "")


def heat_map(cells: pl.DataFrame, columns: list[str], rows: list[str], title: str) -> Spec:
    """Cells at the places x and y, darker for a higher tau, with the tau as text; a dash where it is null."""
    low = min(0.9, extremes(cells["tau"])[0] - 0.05)
    scale = {"domain": [low, 1], "range": [LIGHTEST, DARKEST], "interpolate": "lab"}
    texts = [NOTHING if it is None else tau(it) for it in cells["tau"]]
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
