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


def encode_section(section: Section) -> dict[str, Any]:
    """Return a section with its sentences, figures and tables."""
    return {
        "heading": section.heading,
        "sentences": section.sentences,
        "figures": [vars(figure) | {"ranges": figure.spans} for figure in section.figures],
        "tables": [encode_table(table) for table in section.filled_tables],
    }


def encode_table(table: Table) -> dict[str, Any]:
    """Return a table with its columns, rows, notes and name, and which runs are trivial."""
    rows = table.list_rows()
    columns = [column for column in table.columns if column.only != "files"]
    content = {
        "caption": table.caption,
        "notes": table.list_notes(),
        "file": table.csv,
        "columns": [encode_column(column) for column in columns],
        "rows": [[encode_cell(row, column) for column in columns] for row in rows],
    }
    if "trivial" in table.names:
        content["trivial"] = [row["trivial"] for row in rows]
    return content


def encode_column(column: Column) -> dict[str, Any]:
    """Return a column without its values."""
    kind, name = column.kind, column.name
    return {
        "id": kind if kind in ("interval", "bar") else name,
        "label": column.header + " %" * bool(column.on_page and column.on_page[0]),
        "kind": "number" if kind in ("score", "delta") else kind,
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
    text = model.format_cell(row, column, page=True)
    return text if column.is_left else [value, minus(text) if column.kind != "rank" else text]


def format_cell(cell: Cell) -> str:
    """Return the text of a cell, for the ranking that is shown without JavaScript."""
    if cell is None:
        return NOTHING
    return legible.visible(str(cell[-1])) if isinstance(cell, list) else legible.short(cell)
