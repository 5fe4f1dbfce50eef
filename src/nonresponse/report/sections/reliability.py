"""How far the scores of a campaign can be trusted: the sections of its analyses."""

from importlib import import_module

from nonresponse.report.campaign import Campaign
from nonresponse.report.measure_columns import list_reasons
from nonresponse.report.model import Section
from nonresponse.statistics.analyses import ANALYSES


def make(campaign: Campaign) -> None:
    """Write the sections of the campaign's analyses, and which of them found nothing to show."""
    chosen = [it for it in ANALYSES.values() if it.id in campaign.settings["analyses"]]
    found, empty = {}, []
    for name in dict.fromkeys(["questions", *(it.section or it.id for it in chosen)]):
        section = import_module(f"nonresponse.report.sections.{name}").make_section(campaign)
        if section:
            found[name] = section
        elif name in ANALYSES:
            empty.append(name)
    sentences = [
        f"Analyses with nothing to show here: {', '.join(empty).replace('_', ' ')}."
    ] * bool(empty)
    if campaign.undefined_measures:
        sentences.append(
            f"Undefined for all runs: {list_reasons(campaign.undefined_measures, campaign.task)}."
        )
    if sentences:
        found["left_out"] = Section("Left out", sentences, "data")
    campaign.write_page("reliability", found)
