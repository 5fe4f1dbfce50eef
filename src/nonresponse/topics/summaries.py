"""The tables that an analysis makes of a whole campaign, such as those with a row per measure."""

from pathlib import Path

from nonresponse import tables
from nonresponse.pages.sections import Campaign
from nonresponse.reliability.analyses import ANALYSES
from nonresponse.reliability.jobs import functions


def make(campaign: Campaign, files: list[Path]) -> None:
    """Writes the tables of the analysis that the settings name to reliability/, each as CSV and as Parquet."""
    id = campaign.settings["analysis"]
    summary = ANALYSES[id].summary
    assert summary, f"{id} makes no tables of a whole campaign"
    frames = functions(id).summarise(files, campaign.task, campaign.settings)
    made = dict(zip(summary.tables, frames, strict=True))
    campaign.write_tables("reliability", made)
    for name, table in made.items():
        tables.write(table, campaign.folder / f"reliability/{name}.parquet")
