"""When to answer: which run is best as mistakes get dearer, and what runs gain if they answer where they are sure."""

from nonresponse.pages.report.blocks import Block
from nonresponse.pages.report.sections import views
from nonresponse.pages.sections import Campaign


def blocks(campaign: Campaign) -> list[Block]:
    """The views of this section, with their figures."""
    return views.blocks(campaign, "answering")
