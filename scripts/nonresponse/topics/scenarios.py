"""The runs of a campaign under several readings of the same judgments."""

from pathlib import Path

from nonresponse.pages import single
from nonresponse.pages.sections import Campaign
from nonresponse.pages.sections import scenarios as page
from nonresponse.reliability import scenarios


def make(campaign: Campaign, files: list[Path], published: list[Path]) -> None:
    """The tables of scenarios/, and the page."""
    found = scenarios.tables(campaign.folder, campaign.task, campaign.settings, campaign.official)
    single.write_tables(campaign, "scenarios", dict(zip(("scores", "rankings", "swaps"), found, strict=True)))
    single.write(campaign, "scenarios", {"scenarios": page.page(campaign, *found)})
