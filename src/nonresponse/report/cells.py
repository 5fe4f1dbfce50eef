"""Sections as the page draws them: each cell of a table is a text, or a value with its text."""

from typing import Any

from nonresponse.report import model
from nonresponse.report.model import Column, Section, Table
from nonresponse.wording import minus

Cell = None | str | list[Any]  # null; text; a value and its text, or the numbers that are drawn


def section(one: Section) -> dict[str, Any]:
    """Return a section with its sentences, figures and tables."""
    tables = [table(it) for it in one.tables if it.rows]
    named = {"heading": one.heading, "sentences": one.sentences}
    return {**named, "figures": one.figures, "tables": tables}


def column(
    id: str, label: str, kind: str, about: str = "", better: str = "", shown: bool = True
) -> dict[str, Any]:
    """Return a column as the page draws it; kind: rank, run, number, shade, text, interval or
    bar."""
    named = {"id": id, "label": label, "kind": kind}
    return {**named, "about": about, "better": better, "shown": shown}


def table(one: Table) -> dict[str, Any]:
    """Return a table with its columns, rows, notes and name."""
    rows = [dict(zip(one.names, row, strict=True)) for row in one.rows]
    return {
        "caption": one.caption,
        "columns": [described(it) for it in one.columns],
        "rows": [[cell(row, it) for it in one.columns] for row in rows],
        "notes": one.below(),
        "file": one.csv,
    }


def described(shown: Column) -> dict[str, Any]:
    """Return what the page needs to know of a column of a table."""
    kind = "run" if shown.run else shown.kind if shown.kind in ("text", "shade") else "number"
    return column(shown.name, shown.header, kind, shown.about, shown.better)


def cell(row: dict[str, Any], shown: Column) -> Cell:
    """Return a cell of a column."""
    value = row[shown.name]
    if value is None or shown.run:
        return value
    text = model.cell(row, shown)
    return text if shown.left else [value, minus(text)]
