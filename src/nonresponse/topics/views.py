"""What else a campaign's results say: the table and figure, if any, of each view, and a page of the views with rows."""

from pathlib import Path
from traceback import print_exc

import polars as pl

from nonresponse import tables, tasks
from nonresponse.figures.page import write_svg
from nonresponse.pages import blocks
from nonresponse.pages.blocks import Topic
from nonresponse.pages.sections import Campaign
from nonresponse.views.material import Material, module_of

MOST = 40  # rows of a table, on paper


def make(campaign: Campaign, files: list[Path]) -> None:
    """Write the tables and figures of views/ and the page; a view that fails has no rows, and its topic says so."""
    tables.emptied(campaign.folder / "views")
    settings = campaign.settings
    material = Material(tasks.get(campaign.task), campaign.folder, settings["policy"], settings)
    topics: dict[str, Topic] = {}
    for id in settings["views"]:
        try:
            table = module_of(id).table_of(material)
            topic = of_view(id, table, material, campaign.title) if table.height else None
        except Exception as error:
            print_exc()
            view = module_of(id)
            table = pl.DataFrame(schema=dict.fromkeys(view.COLUMNS, pl.String))
            topic = Topic(view.HEADING, [f"This view could not be made: {type(error).__name__}."])
        campaign.write_tables("views", {id: table})
        tables.write(table, campaign.folder / f"views/{id}.parquet")
        topics |= {id: topic} if topic else {}
    campaign.write_page("views", topics)


def of_view(id: str, table: pl.DataFrame, material: Material, title: str) -> Topic:
    """The sentences of a view, its figure, if any, and the first rows of its table; title is the campaign's."""
    view = module_of(id)
    said = view.sentences(table, material)
    figure, path = getattr(view, "figure", None), f"views/{id}.svg"
    drawn = figure and write_svg(figure(table, f"{title}: {view.HEADING.lower()}"), material.folder / path)
    # Columns without any value are left out.
    kept, folded = table.drop(getattr(view, "NOT_SHOWN", ())), f"{view.HEADING}: the table"
    rows = blocks.shown(view.CAPTION, kept, about=view.COLUMNS, folded=folded, csv=id, paper=MOST)
    return Topic(view.HEADING, said, [path] if drawn else [], [rows])
