"""The configurations of each system of a campaign against its baseline."""

from pathlib import Path

import polars as pl

from nonresponse import groups
from nonresponse.pages import single
from nonresponse.pages.sections import Campaign
from nonresponse.pages.sections import systems as page
from nonresponse.reliability import systems
from nonresponse.reliability.analyses import by_measure


def make(campaign: Campaign, files: list[Path], published: list[Path]) -> None:
    """The tables of systems/, and the page."""
    task, official = campaign.task, campaign.official
    verdicts, counts, *tables = files
    runs = pl.read_parquet(counts).filter(pl.col("assessor") == official)["run"]
    named = groups.members(campaign.settings["systems"], runs)
    scores, compared = by_measure(tables, "scores"), by_measure(tables, "comparisons")
    found = {
        "gains": systems.gains(verdicts, task, campaign.settings["policy"], official, named),
        "differences": systems.differences(scores, compared, task, official, named),
    }
    single.write_tables(campaign, "systems", found)
    single.write(campaign, "systems", {"systems": page.page(campaign, **found)})
