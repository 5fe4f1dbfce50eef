"""The sections of what topics say: their sentences, figures and tables, as the jobs that found them out wrote them."""

from nonresponse.pages.blocks import Topic, read
from nonresponse.pages.report import Section, sections_of
from nonresponse.pages.report.blocks import Block, figure, of_table, sentences
from nonresponse.pages.report.drawing import inlined
from nonresponse.pages.sections import Campaign
from nonresponse.views import VIEWS
from nonresponse.wording import plural

OF_VIEWS = "views/blocks.json"


def blocks(campaign: Campaign, section: Section) -> list[Block]:
    """The topics of a section, below a heading each where it may have several."""
    topics = read(campaign.folder / section.shows)
    names = chosen(campaign, section, topics)
    shown = [of_topic(campaign, section, topics[name], place, len(names) > 1) for place, name in enumerate(names)]
    return [block for found in shown for block in found]


def chosen(campaign: Campaign, section: Section, topics: dict[str, Topic]) -> list[str]:
    """The names of those that stand in the section; if it names none, all that have no section of their own."""
    if section.shows == OF_VIEWS:
        return [name for name in topics if VIEWS[name].section == section.id]
    if section.topics:
        return [name for name in section.topics if name in topics]
    elsewhere = {name for other in sections_of(campaign.settings) for name in other.topics}
    return [name for name in topics if name not in elsewhere]


def of_topic(campaign: Campaign, section: Section, topic: Topic, place: int, headed: bool) -> list[Block]:
    """What it says; its figures, which are folded away together but for those of views; its tables that have rows.

    What each figure has found is said elsewhere on the page; here it stands for who cannot see the figure.
    """
    heading = topic.heading if section.shows == OF_VIEWS or (headed and topic.heading != section.title) else ""
    folded = "" if section.shows == OF_VIEWS else plural(len(topic.figures), "figure")
    drawn = []
    for number, path in enumerate(topic.figures):
        text = (campaign.folder / path).read_text(encoding="utf-8")
        svg, finding = inlined(text, f"{campaign.name}:{section.id}{place}_{number}_")
        drawn.append(figure(svg, finding or topic.heading, folded))
    said = [sentences(topic.sentences, heading)] if topic.findings else []
    shown = [*said, *drawn, *[of_table(table) for table in topic.tables if table.rows]]
    return [block | {"folded": topic.folded} for block in shown] if topic.folded else shown
