"""The scores by question category: a row per run, a column per category, a table per measure."""

import polars as pl

from nonresponse import legible
from nonresponse.measures import get
from nonresponse.pages.blocks import Column
from nonresponse.pages.report.blocks import Block, table
from nonresponse.pages.sections import Campaign
from nonresponse.pages.shown_measures import shown


def blocks(campaign: Campaign) -> list[Block]:
    """The table of the first measure, and the others folded away; none where questions have no category."""
    texts = dict.fromkeys(["campaign", "run", "category"], pl.String)
    split = pl.read_csv(campaign.folder / "categories.csv", schema_overrides=texts, infer_schema_length=None)
    if split.is_empty():
        return []
    board = pl.read_parquet(campaign.folder / "leaderboard.parquet", columns=["run"])
    numbers = split.cast(dict.fromkeys(campaign.measures, pl.Float64))
    named = campaign.settings.get("measures_named", True)
    ids, _ = shown(numbers, campaign.measures, campaign.task, named=named)  # the leaderboard's page says which are not
    return [of_measure(campaign, split, board, id) for id in ids]


def of_measure(campaign: Campaign, split: pl.DataFrame, board: pl.DataFrame, id: str) -> Block:
    """One measure's scores, the runs as the leaderboard has them; the categories are c0, c1, ... in the data."""
    categories = split["category"].unique().sort().to_list()
    names = {category: f"c{number}" for number, category in enumerate(categories)}
    wide = board
    for category, name in names.items():
        scores = split.filter(pl.col("category") == category).select("run", pl.col(id).cast(pl.Float64).alias(name))
        wide = wide.join(scores, on="run", how="left", maintain_order="left")
    better = get(campaign.task, id).direction
    columns = [Column("run", run=True)]
    columns += [
        Column(name, "number", label=legible.short(category, 40), digits=3, better=better)
        for category, name in names.items()
    ]
    folded = "" if id == campaign.measures[0] else id
    return table(wide, columns, f"{id} by question category", folded=folded)
