"""How far the scores of a campaign can be trusted: the sections of its analyses."""

from importlib import import_module

from nonresponse.report.campaign import Campaign
from nonresponse.report.model import Section
from nonresponse.report.undefined_measures import describe_undefined
from nonresponse.statistics.analyses import ANALYSES


def make(campaign: Campaign) -> None:
    """Write the sections of the campaign's analyses, and which of them found nothing to show."""
    names = ["questions"]
    for analysis in ANALYSES.values():
        if analysis.id in campaign.settings["analyses"]:
            names.append(analysis.section or analysis.id)
    sections, empty, sentences = {}, [], []
    for name in dict.fromkeys(names):
        section = import_module(f"nonresponse.report.sections.{name}").make_section(campaign)
        if section:
            sections[name] = section
        elif name in ANALYSES:
            empty.append(name.replace("_", " "))
    if empty:
        sentences.append(
            f"These analyses have nothing to show for this campaign: {', '.join(empty)}."
        )
    sentences += describe_undefined(campaign.undefined_measures, campaign.task)
    if sentences:
        sections["left_out"] = Section("Left out", sentences, "data")
    campaign.write_page("reliability", sections)
