"""The ranks of runs, evaluation by evaluation; None where there are fewer than two evaluations or no run is ranked."""

import polars as pl

from nonresponse.figures import series
from nonresponse.figures.page import HEIGHT, SIZE, WIDTH, page
from nonresponse.figures.vega_lite import Spec, quantity


def so_far(own: pl.DataFrame, id: str, title: str) -> Spec | None:
    """A line per run, up to the last evaluation that has it; `own`: evaluation, run and rank by one measure."""
    ranked = own.drop_nulls("rank").select("evaluation", "run", "rank")
    if ranked["evaluation"].n_unique() < 2:
        return None
    newest_first = ranked.sort("evaluation", "rank", "run", descending=[True, False, False])
    names, table, remark = series.first_named(newest_first)
    table = table.with_columns(series="run")
    first, last, lowest = table.select(
        pl.min("evaluation"), pl.max("evaluation").alias("last"), pl.max("rank").alias("lowest")
    ).row(0)
    named = pl.col("series").is_in(names)
    end_x = (pl.col("evaluation") - first) / (last - first) * WIDTH
    end_y = (pl.col("rank") - 0.5) / lowest * HEIGHT
    latest = table.filter(named).unique("series", keep="first", maintain_order=True)
    ends = series.beside(latest, end_x=end_x, end_y=end_y)
    x = quantity("evaluation", scale={"domain": [first, last]}, axis=axis_of_ranks("evaluation", first, last))
    y = quantity("rank", scale={"domain": [lowest + 0.5, 0.5]}, axis=axis_of_ranks(f"rank by {id}", 1, lowest))
    style = series.styles(names)
    parts = [
        series.others(table.filter(~named), {"x": x, "y": y}),
        series.leaders(ends),
        series.curves(table.filter(named).sort("series", "evaluation"), style, x, y),
        series.column(ends, style),
    ]
    return page({"layer": parts, **SIZE}, title, remark.strip())


def axis_of_ranks(title: str, first: int, last: int) -> Spec:
    """An axis of whole numbers, some twelve of which are named, the last one too."""
    step = -(-(last - first + 1) // 12)
    return {"title": title, "format": "d", "values": [*range(first, last - step // 2, step), last]}
