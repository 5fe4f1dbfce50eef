"""Two runs side by side, chosen by the reader."""

import polars as pl

from nonresponse.pages.blocks import Block, widget
from nonresponse.pages.sections import Campaign


def blocks(campaign: Campaign) -> list[Block]:
    """The widget with two lists of the runs; nothing with a single run."""
    runs = pl.read_parquet(campaign.folder / "leaderboard.parquet", columns=["run"])["run"].to_list()
    return [widget("compare", {"runs": runs}, "To compare two runs, the page needs JavaScript.")] * (len(runs) > 1)
