"""Turns tables with a row for each metric of a response into tables with a row for each response
(`pivot:`)."""

from collections.abc import Collection

import polars as pl

from nonresponse.faults import listed
from nonresponse.formats.text import Faults


def pivoted(
    frame: pl.DataFrame, pivot: dict[str, str], kept: Collection[str], faults: Faults, most: float
) -> pl.DataFrame:
    """One row for all rows with the same values in the columns `kept`; a column for each metric,
    and the first `line`.

    `pivot` maps the column of the metrics' names to that of their values. All other columns are
    dropped. A metric is null where a response has no row for it. No columns, and faults, where a
    row has no metric, a response has a second row for one, or the table would have more than `most`
    fields.
    """
    [(name, value)] = pivot.items()
    if lacking := [one for one in (name, value) if one not in frame.columns or one == "line"]:
        faults.add_missing(lacking, frame.columns, "both columns of `pivot`")
        return pl.DataFrame()
    key = [one for one in frame.columns if one in kept and one not in (name, value, "line")]
    faults.add_rows(frame.filter(pl.col(name).is_null()), f"no {name}", f"a {name} on every line")
    again = frame.filter(pl.col(name).is_not_null(), ~pl.struct(*key, name).is_first_distinct())
    faults.add_rows(again, "a second {} of a response", "one row for each", name)
    if taken := sorted({*frame[name].drop_nulls().unique()} & {*key, "line"}):
        faults.add(1, f"{listed(taken)} in {name}, which are columns of their own", "other names")
    faults.add_unfit_columns(names := frame[name].drop_nulls().unique().to_list())
    responses = frame.select(pl.struct(key).n_unique()).item() if key else 1
    if faults.add_excess(responses, len(names), most) or faults:
        return pl.DataFrame()
    first = pl.col("line").first().over(key) if key else pl.col("line").first()
    return frame.with_columns(first).pivot(name, index=["line", *key], values=value)
