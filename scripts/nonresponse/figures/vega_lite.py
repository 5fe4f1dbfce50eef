"""The words in which a specification is written: rows, channels, marks, layers. Vega-Lite 6, as plain dictionaries."""

from collections import ChainMap
from typing import Any

import polars as pl

from nonresponse.figures import values

Spec = dict[str, Any]  # a specification, or a part of one


def quantity(name: str, **options: object) -> Spec:
    """A channel that shows a column of numbers."""
    return {"field": name, "type": "quantitative", **options}


def category(name: str, **options: object) -> Spec:
    """A channel that shows a column of texts."""
    return {"field": name, "type": "nominal", **options}


def place(name: str, **options: object) -> Spec:
    """A channel that shows a column of whole numbers as places in a row or column."""
    return {"field": name, "type": "ordinal", **options}


def mark(type: str, channels: Spec | None = None, **style: object) -> Spec:
    """A layer such as a line: these channels come on top of those of the `layers` that it is a part of."""
    return {"mark": {"type": type, **style}, "encoding": channels or {}}


def layers(table: pl.DataFrame, channels: Spec, *parts: Spec) -> Spec:
    """Layers on top of each other that share these channels and the rows of a table, which stand here once.

    Points, bars and cells say what they stand for: the column `said`, or what `values.worded` makes of the channels.
    """
    telling = [part["encoding"] for part in parts if values.tells(part)]
    rows = values.worded(table, dict(ChainMap(*telling, channels))) if telling else table
    told = [values.telling(part) if values.tells(part) and "said" in rows.columns else part for part in parts]
    return {"data": {"values": rows.to_dicts()}, "encoding": channels, "layer": told}
