"""Views on the page: a section for each that has something to show."""

import polars as pl

from nonresponse.figures.page import write_svg
from nonresponse.pages.blocks import Table, Topic, shown
from nonresponse.views import Material, View

MOST = 40  # rows of a table, on paper


def of_view(view: View, table: pl.DataFrame, material: Material, title: str) -> Topic:
    """Its sentences, its figure if it has one, and the first rows of its table, which has some.

    The title is that of the campaign.
    """
    said = view.finding(table, material)
    figures = []
    if view.figure:
        figures.append(f"views/{view.id}.svg")
        write_svg(view.figure(table, f"{title}: {view.heading.lower()}", said[0]), material.folder / figures[0])
    findings = [("", sentence) for sentence in said]
    return Topic(view.heading, findings, figures, [of_table(view, table)])


def of_table(view: View, table: pl.DataFrame) -> Table:
    """Its first rows; columns without any value are left out."""
    kept, folded = table.drop(view.not_shown), f"{view.heading}: the table"
    return shown(view.caption, kept, about=view.columns, folded=folded, csv=view.id, paper=MOST)
