"""Sections and tables as the page's script draws them.

A column has an id, a label, a kind, its meaning, whether higher or lower is better, and whether it
is shown at once. A cell is null; a text; a value and its text; or the numbers that are drawn.
"""

from typing import Any

from nonresponse import legible
from nonresponse.report import model
from nonresponse.report.model import Column, Section, Table
from nonresponse.wording import NOTHING, minus

Cell = None | str | list[Any]
DRAWN = ("interval", "bar", "rank", "run", "text", "shade")  # all others are numbers


def encode_section(of: Section) -> dict[str, Any]:
    """Return a section with its sentences, figures and tables."""
    named = {"heading": of.heading, "sentences": of.sentences, "figures": of.figures}
    return {**named, "tables": [encode_table(it) for it in of.filled]}


def encode_table(of: Table) -> dict[str, Any]:
    """Return a table with its columns, rows, notes and name; of a leaderboard also the marks of
    rows."""
    rows, columns = of.named(), [column for column in of.columns if column.only != "files"]
    made: dict[str, Any] = {"caption": of.caption, "notes": of.below(), "file": of.csv}
    made["columns"] = [*map(encode_column, columns)]
    made["rows"] = [[encode_cell(row, column) for column in columns] for row in rows]
    if "trivial" in of.names:
        made["marks"] = [model.list_marks(row).strip() for row in rows]
        made["trivial"] = [row["trivial"] for row in rows]
    return made


def encode_column(column: Column) -> dict[str, Any]:
    """Return a column without its values."""
    kind, name = column.kind, column.name
    return {
        "id": kind if kind in ("interval", "bar") else name,
        "label": column.header + " %" * bool(column.on_page and column.on_page[0]),
        "kind": kind if kind in DRAWN else "number",
        "about": column.about,
        "better": column.better,
        "shown": column.shown,
    }


def encode_cell(row: dict[str, Any], column: Column) -> Cell:
    """Return a cell of a column."""
    if column.kind in ("interval", "bar"):
        middle = [column.name] * (column.kind == "interval")
        values = [row.get(name) for name in (*middle, *column.ends)]
        return None if None in values else values
    value = row[column.name]
    if value is None or column.kind == "run":
        return value
    shown = model.format_cell(row, column, page=True)
    return shown if column.left else [value, minus(shown) if column.kind != "rank" else shown]


def format_cell(of: Cell) -> str:
    """Return the text of a cell, for the ranking that is shown without JavaScript."""
    if of is None:
        return NOTHING
    return legible.visible(str(of[-1])) if isinstance(of, list) else legible.short(of)
