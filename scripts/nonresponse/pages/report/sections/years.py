"""Where answers are years: how near they come, which decades are confused."""

from nonresponse.pages.report.blocks import Block
from nonresponse.pages.report.sections.trust import drawings
from nonresponse.pages.sections import Campaign


def blocks(campaign: Campaign) -> list[Block]:
    """The figures of the page on years."""
    return drawings(campaign.folder / "years", campaign.name)
