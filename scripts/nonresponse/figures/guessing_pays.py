"""The expected score of a run that answers what it is surer of than a cut, against the cut: a curve per measure."""

import polars as pl

from nonresponse.figures import series
from nonresponse.figures.page import FAINT, HEIGHT, SIZE, note, page
from nonresponse.figures.vega_lite import Spec, layers, mark, quantity

CUT = "cut: the run answers what it is surer of than this"
SCORE = "expected score"
LOW = -1.0


def guessing_pays(table: pl.DataFrame, title: str, caption: str) -> Spec:
    """From series, cut, score, and `best` for the row of the best cut, which is marked."""
    names = table["series"].unique(maintain_order=True).to_list()
    curves, best = table.filter(~pl.col("best")).sort("series", "cut"), table.filter("best")
    texts = [f"{name}: {cut:.2f}" for name, cut in best.select("series", "cut").iter_rows()]
    texts = [text.replace("1.00", "1") for text in texts]
    ends = best.with_columns(text=pl.Series(texts), end_y=(1 - pl.col("score")) / (1 - LOW) * HEIGHT)
    x = quantity("cut", scale={"domain": [0, 1]}, axis={"title": CUT, "format": "~g"})
    y = quantity("score", scale={"domain": [LOW, 1]}, axis={"title": SCORE, "format": "~g"})
    place, (line, point) = {"x": x, "y": y}, series.styles(names)
    parts = [
        layers(pl.DataFrame({"score": [0.0]}), {"y": y}, mark("rule", color=FAINT, strokeDash=[4, 3])),
        layers(curves, place, mark("line", line, strokeWidth=1.4)),
        layers(best, place, mark("point", point, size=60, strokeWidth=1.4, opacity=1)),
        note("measure: its best cut", series.START, -6),
        series.column(series.beside(ends, series.LINE), (line, point)),
    ]
    return page({"layer": parts, **SIZE}, title, "", caption)
