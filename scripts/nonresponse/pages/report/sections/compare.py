"""Two runs beside each other: whichever a person chooses."""

import polars as pl

from nonresponse.pages.blocks import Block, widget
from nonresponse.pages.sections import Campaign


def blocks(campaign: Campaign) -> list[Block]:
    """Two lists of the runs, where there are two."""
    runs = pl.read_parquet(campaign.folder / "leaderboard.parquet", columns=["run"])["run"].to_list()
    return [widget("compare", {"runs": runs}, "To compare two runs, the page needs JavaScript.")] * (len(runs) > 1)
