"""How far the predicted years of a dating campaign are from the reference: tables, figures and a page."""

from pathlib import Path

import polars as pl

from nonresponse import tables
from nonresponse.pages import year_page
from nonresponse.pages.sections import Campaign
from nonresponse.scoring import year_distances


def make(campaign: Campaign, files: list[Path], published: list[Path]) -> None:
    """years/ and the page."""
    settings, [verdicts] = campaign.settings, files
    distances, farthest = year_distances.distances(verdicts, campaign.task, settings["policy"]), settings["farthest"]
    tables.write(year_distances.within(distances, farthest), campaign.folder / "years/within.parquet")
    tables.write(year_distances.decades(distances), campaign.folder / "years/decades.parquet")
    official = tables.official(settings.get("official"), distances)
    of_official = distances.filter(pl.col("assessor") == official)
    year_page.write(campaign.folder, campaign.title, of_official, farthest, (settings["first"], settings["last"]))
