"""What else a campaign's results say: a table per view, its figure if it has one, and a page of those with rows."""

from pathlib import Path

import polars as pl

from nonresponse import tables, tasks, views
from nonresponse.figures.page import write_svg
from nonresponse.pages import single
from nonresponse.pages.blocks import Table, Topic, shown
from nonresponse.pages.sections import Campaign
from nonresponse.views import Material, View

MOST = 40  # rows of a table, on paper


def make(campaign: Campaign, files: list[Path], published: list[Path]) -> None:
    """The tables and figures of views/, and the page."""
    tables.emptied(campaign.folder / "views")
    settings = campaign.settings
    material = Material(tasks.get(campaign.task), campaign.folder, settings["policy"], settings)
    found = {id: views.get(id).make(material) for id in settings["views"]}
    single.write_tables(campaign, "views", found)
    shown = {id: of_view(views.get(id), table, material, campaign.title) for id, table in found.items() if table.height}
    single.write(campaign, "views", shown)


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
