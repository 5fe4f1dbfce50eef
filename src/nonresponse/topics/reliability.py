"""The page on a campaign's reliability, as Markdown and LaTeX."""

from importlib import import_module
from pathlib import Path

from nonresponse import tables
from nonresponse.pages import document
from nonresponse.pages.blocks import Topic
from nonresponse.pages.sections import Campaign
from nonresponse.pages.shown_measures import reasons
from nonresponse.statistics.analyses import ANALYSES


def make(campaign: Campaign, files: list[Path]) -> None:
    """Writes figures/*.svg, reliability/findings.csv and blocks.json, reliability.md and .tex of the campaign."""
    (campaign.folder / "figures").mkdir(parents=True, exist_ok=True)
    chosen = [analysis for analysis in ANALYSES.values() if analysis.id in campaign.settings["analyses"]]
    names = dict.fromkeys(["questions", *(analysis.section or analysis.id for analysis in chosen)])
    sections = {name: import_module(f"nonresponse.pages.sections.{name}") for name in names}
    topics = {name: section.topic(campaign) for name, section in sections.items()}
    if not topics["questions"].tables:
        del topics["questions"]
    topics = {name: topic for name, topic in topics.items() if topic.sentences or topic.tables}
    if campaign.undefined:
        said = f"Undefined for all runs: {reasons(campaign.undefined, campaign.task)}."
        topics["left_out"] = Topic("Measures left out", [said])
    campaign.write_blocks(topics, "analysis", [*topics], "reliability")
    title = f"{campaign.title}: how far the scores can be trusted"
    tables.write_text(document.markdown(title, topics.values()), campaign.folder / "reliability.md")
    latex = [
        document.latex(campaign.title, table, f"{campaign.name}-{analysis}-{number}")
        for analysis, topic in topics.items()
        for number, table in enumerate(topic.printed, 1)
    ] or ["% No analysis of this campaign has a table.\n"]
    tables.write_text("\n".join(latex), campaign.folder / "reliability.tex")
