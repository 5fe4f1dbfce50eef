"""Tables of the report as the page draws them: each cell a text, or a value with its text."""

from typing import Any

from nonresponse.pages import blocks
from nonresponse.pages.blocks import Column, Table

Cell = None | str | list[Any]  # null; text; a value and its text, or the numbers that are drawn


def column(id: str, label: str, kind: str, about: str = "", better: str = "", shown: bool = True) -> dict[str, Any]:
    """Return a column as the page draws it; kind: rank, run, number, text, interval or bar."""
    return {"id": id, "label": label, "kind": kind, "about": about, "better": better, "shown": shown}


def table(table: Table) -> dict[str, Any]:
    """Return a table with its columns, rows, notes and name, as the page draws it."""
    columns = [one for one in table.columns if one.on != "paper"]
    rows = [dict(zip(table.names, row, strict=True)) for row in table.rows]
    return {
        "caption": table.caption,
        "columns": [described(one) for one in columns],
        "rows": [[cell(row, one) for one in columns] for row in rows],
        "notes": table.below(),
        "file": table.csv,
    }


def described(shown: Column) -> dict[str, Any]:
    """Return what the page needs to know of a column of a table."""
    kind = "run" if shown.run else "text" if shown.left else "number"
    return column(shown.name, shown.header, kind, shown.about, shown.better)


def cell(row: dict[str, Any], shown: Column) -> Cell:
    """Return a cell of a column."""
    value = row[shown.name]
    if value is None or shown.run:
        return value
    text = blocks.cell(row, shown)
    return text if shown.left else [value, text]
