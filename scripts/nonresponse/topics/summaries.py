"""The tables of an analysis that are of a whole campaign, such as those with a row per measure."""

from pathlib import Path

from nonresponse.pages import single
from nonresponse.pages.sections import Campaign
from nonresponse.reliability import analyses


def make(campaign: Campaign, files: list[Path], published: list[Path]) -> None:
    """Those of the analysis that the settings name, in reliability/."""
    summary = analyses.get(campaign.settings["analysis"]).summary
    assert summary, f"{campaign.settings['analysis']} makes no tables of a whole campaign"
    found = summary.make(files, campaign.task, campaign.settings, published)
    single.write_tables(campaign, "reliability", dict(zip(summary.tables, found, strict=True)))
