"""How far the scores of a campaign can be trusted: the sections of its analyses."""

from importlib import import_module

from nonresponse.report.campaign import Campaign
from nonresponse.report.measure_columns import reasons
from nonresponse.report.model import Section
from nonresponse.statistics.analyses import ANALYSES


def make(campaign: Campaign) -> None:
    """Write the sections of the campaign's analyses."""
    chosen = [
        analysis for analysis in ANALYSES.values() if analysis.id in campaign.settings["analyses"]
    ]
    names = dict.fromkeys(["questions", *(analysis.section or analysis.id for analysis in chosen)])
    found = {
        name: import_module(f"nonresponse.report.sections.{name}").section(campaign)
        for name in names
    }
    found = {name: one for name, one in found.items() if one.sentences or one.figures or one.tables}
    if campaign.undefined:
        said = f"Undefined for all runs: {reasons(campaign.undefined, campaign.task)}."
        found["left_out"] = Section("Measures left out", [said], "data")
    campaign.write_page("reliability", found)
