"""Views on the page: a section for each that has something to show."""

import polars as pl

from nonresponse.figures.page import write_svg
from nonresponse.legible import short
from nonresponse.pages.document import Section, Table
from nonresponse.pages.sections import Digits, section, shown
from nonresponse.views import Material, View

MOST = 40  # rows of a table on the page


def of_view(view: View, table: pl.DataFrame, material: Material, title: str) -> Section:
    """Its sentences, its figure if it has one, and the first rows of its table, which has some.

    The title is that of the campaign.
    """
    said = view.finding(table, material)
    more = f" The first {MOST} of {table.height:,} rows." if table.height > MOST else ""
    figures = []
    if view.figure:
        figures.append(f"views/{view.id}.svg")
        write_svg(view.figure(table, f"{title}: {view.heading.lower()}", said[0]), material.folder / figures[0])
    findings = [("", sentence) for sentence in said]
    return section(view.heading, findings, figures, [of_table(view, table.head(MOST), view.caption + more)])


def of_table(view: View, table: pl.DataFrame, caption: str) -> Table:
    """Real numbers with four decimals, yes and no in words; columns without any value are left out."""
    columns: dict[str, Digits] = {}
    for name, dtype in table.schema.items():
        if name in view.not_shown or table[name].is_null().all():
            continue
        if dtype == pl.Boolean:
            columns[name] = lambda value: "yes" if value else "no"
        elif dtype.is_float():
            columns[name] = 4
        else:
            columns[name] = short if name in view.words else None
    return shown(caption, table, columns, [*view.words])
