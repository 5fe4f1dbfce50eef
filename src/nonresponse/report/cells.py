"""Tables of the report as the page draws them: each cell a text, or a value with its text."""

from typing import Any

from nonresponse.pages import blocks
from nonresponse.pages.blocks import Column, Table

Cell = None | str | list[Any]  # null; text; a value and its text, or the numbers that are drawn


def text_of(value: Any, digits: blocks.Digits) -> str:
    """Return the text of a value."""
    return blocks.text(value, digits)


def table(table: Table) -> dict[str, Any]:
    """Return a table with its columns, rows, notes and name, as the page draws it."""
    columns = [column for column in table.columns if column.on != "paper"]
    rows = [dict(zip(table.names, row, strict=True)) for row in table.rows]
    return {
        "caption": table.caption,
        "columns": [described(column) for column in columns],
        "rows": [[cell(row, column) for column in columns] for row in rows],
        "notes": table.below(),
        "file": table.csv,
    }


def described(column: Column) -> dict[str, Any]:
    """Return what the page needs to know of a column."""
    kind = "run" if column.run else "text" if column.left else "number"
    return {
        "id": column.name,
        "label": column.header,
        "kind": kind,
        "about": column.about,
        "better": column.better,
        "shown": True,
    }


def cell(row: dict[str, Any], column: Column) -> Cell:
    """Return a cell of a column."""
    value = row[column.name]
    if value is None or column.run:
        return value
    text = blocks.cell(row, column)
    return text if column.left else [value, text]
