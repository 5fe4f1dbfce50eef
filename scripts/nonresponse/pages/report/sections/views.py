"""What else the results say: of each view its findings, its figure, and its table folded away."""

import polars as pl

from nonresponse import views
from nonresponse.pages.report.blocks import Block, column, figure, sentences, table
from nonresponse.pages.report.drawing import inlined
from nonresponse.pages.sections import Campaign
from nonresponse.views import View

ROWS = 500  # of each table; the CSV file has all of them


def blocks(campaign: Campaign, section: str = "views") -> list[Block]:
    """The views of this section in the order of their page; nothing of those that have nothing to say."""
    folder = campaign.folder / "views"
    found = pl.read_csv(folder / "findings.csv", infer_schema=False)
    shown: list[Block] = []
    for view in map(views.get, campaign.settings["views"]):
        if view.section != section:
            continue
        said = found.filter(pl.col("section") == view.heading)["finding"].to_list()
        texts = dict.fromkeys(view.words, pl.String)
        frame = pl.read_csv(folder / f"{view.id}.csv", schema_overrides=texts, infer_schema_length=None)
        if said:
            shown.append(sentences(said, view.heading))
        if frame.height and view.figure:
            text = (folder / f"{view.id}.svg").read_text(encoding="utf-8")
            drawn, caption = inlined(text, f"{campaign.name}:{view.id}_")
            shown.append(figure(drawn, caption or view.heading))
        if frame.height:
            shown.append(of_view(view, frame, campaign.name))
    return shown


def of_view(view: View, frame: pl.DataFrame, campaign: str) -> Block:
    """The table of a view, its first rows."""
    names = [name for name in view.columns if name in frame.columns and name not in view.not_shown]
    notes = [f"The first {ROWS} of {frame.height:,} rows; views/{view.id}.csv has all."] if frame.height > ROWS else []
    first = frame.head(ROWS).select(names)
    words = {True: "yes", False: "no"}
    first = first.with_columns(pl.col(pl.Boolean).replace_strict(words, default=None, return_dtype=pl.String))
    columns = [
        column(
            name,
            "text" if first.schema[name] == pl.String else "number",
            digits=4 if first.schema[name].is_float() else None,
            about=view.columns[name],
            run=name == "run",
        )
        for name in names
    ]
    return table(first, columns, view.caption or view.heading, notes, folded=f"{view.heading}: the table", csv=view.id)
