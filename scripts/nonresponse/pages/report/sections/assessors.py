"""The assessors: how often they agree, and whether it matters who judged."""

from nonresponse.pages.report.blocks import Block
from nonresponse.pages.report.sections.trust import of_analyses
from nonresponse.pages.sections import Campaign


def blocks(campaign: Campaign) -> list[Block]:
    """Agreement with its patterns of labels, the rankings under each assessor, and where the variance comes from."""
    agreement = of_analyses(campaign, ["agreement"], tables="")
    return agreement + of_analyses(campaign, ["rankings", "generalizability"])
