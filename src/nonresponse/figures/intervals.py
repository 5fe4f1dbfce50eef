"""Scores with their intervals, a row per run."""

import polars as pl

from nonresponse.figures.page import INK, WIDTH, label, names_axis, page, places
from nonresponse.figures.vega_lite import Spec, category, layers, mark, place, quantity
from nonresponse.measures import Measure
from nonresponse.wording import NOTHING, at, rounded

MOST = 60  # runs in one figure
RANKS = "at the right, the ranks that a run may have"
ROW = 13  # pixels from a run to the next


def intervals(table: pl.DataFrame, measure: Measure, official: str, title: str, level: float) -> Spec | None:
    """A row per run under the official judgments, the best on top: score, interval, and the ranks that it may have.

    From the intervals table of one measure. For a descriptive measure, neither end is called better. Runs without a
    score are left out, and so are those beyond the first 60. None where no run has a score.
    """
    runs = table.filter(pl.col("assessor") == official).drop_nulls("value")
    if runs.is_empty():
        return None
    best_first = runs.sort("value", "run", descending=[measure.higher_is_better, False])
    shown = best_first.head(MOST).with_row_index("place")
    subtitle = f"Only the best {MOST} of {runs.height:,} runs are shown." * (runs.height > MOST)
    names = [label(name) for name in shown["run"]]
    way, top = f", {'higher' if measure.higher_is_better else 'lower'} is better,", "best run"
    if measure.descriptive:
        way, top = "", "highest"
    meaning = [f"{label(measure.id)}{way} with its {at(1 - level)} interval; the {top} on top", RANKS]
    x = quantity("value", scale={"zero": False, "padding": 6}, axis={"title": meaning})
    y = place("place", scale=places(names), axis=names_axis(names, title=None, labelFontSize=9, grid=True))
    said = [
        f"{label(run)} · {label(measure.id)}: {rounded(value, 4)}"
        + ("" if None in ends else f" ({' to '.join(rounded(end, 4) for end in ends)})")
        for run, value, *ends in shown.select("run", "value", "lower", "upper").iter_rows()
    ]
    ranks = {"x": {"value": WIDTH + 12}, "text": category("ranks")}
    low, high = pl.col("rank_low"), pl.col("rank_high")
    of_run = pl.when(low == high).then(low.cast(pl.String)).otherwise(pl.format("{}–{}", low, high))
    plot = layers(
        shown.with_columns(ranks=of_run.fill_null(NOTHING), said=pl.Series(said)),
        {"y": y},
        mark("rule", {"x": quantity("lower"), "x2": {"field": "upper"}}, color=INK, strokeWidth=1),
        mark("circle", {"x": x}, color=INK, size=26, opacity=1),
        mark("text", ranks, align="left", fontSize=9, color=INK),
    )
    return page({**plot, "width": WIDTH, "height": {"step": ROW}}, title, subtitle)
