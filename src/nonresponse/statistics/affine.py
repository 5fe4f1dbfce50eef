"""The tables of a measure that is an affine map of another one, from the tables of that one."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import polars as pl

from nonresponse import measures
from nonresponse.measures import Affine, Measure
from nonresponse.tables import cast_types, read_parquet

SCORES = {"intervals": ("value", "lower", "upper"), "swap": ("highest",)}
DIFFERENCES = {
    "comparisons": ("difference", "lower", "upper"),
    "swap": ("lower",),
    "error_curves": ("lower",),
    "questions_needed": ("difference", "required_difference"),
    "power": ("difference", "deviation", "detectable"),
}
ENDS = {"lower": "upper", "upper": "lower"}


def derive_tables(
    leader: list[Path],
    analysis: str,
    names: Sequence[str],
    measure: Measure,
    matrices: Mapping[str, np.ndarray],
) -> list[pl.DataFrame]:
    """Return the tables of an analysis that follow from those in another measure's folder."""
    if not leader or any(matrices[name].any() for name in measure.follows_without):
        return []
    relation = Affine.between(measure, measures.get(measure.task, leader[0].name))
    if not relation or not follows(analysis, relation):
        return []
    tables = [(name, read_parquet(leader[0] / f"{name}.parquet")) for name in names]
    return [map_table(name, table, relation) for name, table in tables]


def follows(analysis: str, affine: Affine) -> bool:
    """Return whether the tables of an analysis follow from those of the other measure.

    Bins have a width in the measure's scale. The margins of stability are shares of a score.
    """
    if analysis == "stability":
        return affine.factor > 0 and affine.shift == 0
    same_scale = abs(affine.factor) == 1
    return {"comparison": True, "swap": affine.factor == 1}.get(analysis, same_scale)


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
    return cast_types(table.with_columns(**columns), table.schema)
