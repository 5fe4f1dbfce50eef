"""The page on a campaign's reliability, as Markdown and LaTeX."""

from importlib import import_module
from pathlib import Path

from nonresponse import tables
from nonresponse.pages import beside_source, document, single
from nonresponse.pages.blocks import Topic
from nonresponse.pages.sections import Campaign
from nonresponse.pages.shown_measures import reasons
from nonresponse.reliability.analyses import ANALYSES


def make(campaign: Campaign, files: list[Path], published: list[Path]) -> None:
    """figures/*.svg, reliability/findings.csv and blocks.json, reliability.md and .tex in the campaign's folder."""
    tables.emptied(campaign.folder / "figures")
    chosen = [analysis for analysis in ANALYSES if analysis in campaign.settings["analyses"]]
    topics = {analysis: topic_of(analysis, campaign) for analysis in chosen}
    single.write_blocks(topics, "analysis", chosen, campaign.folder / "reliability")
    title = f"{campaign.title}: how far the scores can be trusted"
    shown = [*topics.values(), *left_out(campaign)]
    introduction = beside_source.introduction(campaign.name, campaign.folder, campaign.settings.get("published"))
    tables.write_text(document.markdown(title, shown, introduction), campaign.folder / "reliability.md")
    tables.write_text(latex(campaign, topics), campaign.folder / "reliability.tex")


def left_out(campaign: Campaign) -> list[Topic]:
    """The measures that the other sections pass over."""
    if not campaign.undefined:
        return []
    said = f"Undefined for all runs: {reasons(campaign.undefined, campaign.task)}."
    return [Topic("Measures left out", [("", said)])]


def topic_of(analysis: str, campaign: Campaign) -> Topic:
    """What the module of the analysis in sections says."""
    return import_module(f"nonresponse.pages.sections.{analysis}").topic(campaign)


def latex(campaign: Campaign, topics: dict[str, Topic]) -> str:
    """All tables, one after the other; the topics by analysis."""
    parts = [
        document.latex(campaign.title, table, f"{campaign.name}-{analysis}-{number}")
        for analysis, topic in topics.items()
        for number, table in enumerate(topic.printed, 1)
    ]
    return "\n".join(parts) or "% No analysis of this campaign has a table.\n"
