"""The tables of a measure that is an affine map of another one, from the tables of that one."""

from collections.abc import Mapping

import polars as pl

from nonresponse.measures import Affine
from nonresponse.tables import typed

SCORES = {"intervals": ("value", "lower", "upper"), "swap": ("highest",)}
DIFFERENCES = {
    "comparisons": ("difference", "lower", "upper"),
    "swap": ("lower",),
    "error_curves": ("lower",),
    "questions_needed": ("difference", "required_difference"),
    "power": ("difference", "deviation", "detectable"),
}
ENDS = {"lower": "upper", "upper": "lower"}


def follows(analysis: str, affine: Affine) -> bool:
    """Return whether the tables of an analysis follow from those of the other measure.

    Bins have a width in the measure's scale. The margins of stability are shares of a score.
    """
    if analysis == "stability":
        return affine.factor > 0 and affine.shift == 0
    whole = abs(affine.factor) == affine.scale
    return {"comparison": True, "swap": whole and affine.factor > 0}.get(analysis, whole)


def follow(tables: Mapping[str, pl.DataFrame], affine: Affine) -> list[pl.DataFrame]:
    """Return the tables of one analysis, by name, for the other measure."""
    return [map_table(name, table, affine) for name, table in tables.items()]


def map_table(name: str, table: pl.DataFrame, affine: Affine) -> pl.DataFrame:
    """Map the columns of one table that are scores or differences of scores.

    A negative factor turns intervals round, and the two runs of a leading pair, best first.
    """
    factor = affine.factor
    turned = ENDS if factor < 0 and name in ("intervals", "comparisons") else {}
    signed = factor if name == "comparisons" else abs(factor)
    columns = {
        column: pl.col(turned.get(column, column)) * factor + affine.shift
        for column in SCORES.get(name, ())
    } | {
        column: pl.col(turned.get(column, column)) * signed + 0.0  # no -0.0
        for column in DIFFERENCES.get(name, ())
    }
    if name == "power" and factor < 0:
        columns |= {"a": pl.col("b"), "b": pl.col("a")}
    return typed(table.with_columns(**columns), table.schema)
