"""A campaign's part of the report, as JSON: equal results make equal bytes."""

import json
from importlib import import_module

import polars as pl

from nonresponse import legible, tasks
from nonresponse.measures import get
from nonresponse.pages.blocks import Block, Topic, figure, of_table, read, sentences
from nonresponse.pages.report import Section, sections_of
from nonresponse.pages.report.drawing import inlined
from nonresponse.pages.sections import Campaign
from nonresponse.views import VIEWS
from nonresponse.wording import plural

FAULTS = 20  # of a campaign, on its card
UNFINISHED = (
    "no fault in its files: one of its jobs failed, or did not run; the terminal and results/logs/{}/ say which"
)
OF_VIEWS = "views/blocks.json"


def part(campaign: Campaign) -> dict:
    """The card of the campaign, and its sections that show anything."""
    sections = [
        {"id": section.id, "title": section.title, "blocks": blocks_of(section, campaign)}
        for section in sections_of(campaign.settings)
    ]
    return {"card": card(campaign), "sections": [section for section in sections if section["blocks"]]}


def blocks_of(section: Section, campaign: Campaign) -> list[Block]:
    """What a section shows: what it makes itself stands below the first sentences of topics."""
    shown = []
    if section.shows:
        topics = read(campaign.folder / section.shows)
        names = chosen(campaign, section, topics)
        for place, name in enumerate(names):
            shown += of_topic(campaign, section, topics[name], place, len(names) > 1)
    own = import_module(f"nonresponse.pages.report.sections.{section.id}").blocks(campaign) if section.own else []
    return [*shown[:1], *own, *shown[1:]]


def chosen(campaign: Campaign, section: Section, topics: dict[str, Topic]) -> list[str]:
    """The names of those that stand in the section; if it names none, all that have no section of their own."""
    if section.shows == OF_VIEWS:
        return [name for name in topics if VIEWS[name].section == section.id]
    if section.topics:
        return [name for name in section.topics if name in topics]
    elsewhere = {name for other in sections_of(campaign.settings) for name in other.topics}
    return [name for name in topics if name not in elsewhere]


def of_topic(campaign: Campaign, section: Section, topic: Topic, place: int, headed: bool) -> list[Block]:
    """What it says, its figures, and its tables that have rows; of several topics each is `headed`.

    The figures are folded away together, but for those of views. What they show is said elsewhere on the page; here it
    is for those who cannot see them.
    """
    of_views = section.shows == OF_VIEWS
    heading = topic.heading if of_views or (headed and topic.heading != section.title) else ""
    folded = "" if of_views else plural(len(topic.figures), "figure")
    shown = [sentences(topic.sentences, heading)] if topic.findings else []
    for number, path in enumerate(topic.figures):
        text = (campaign.folder / path).read_text(encoding="utf-8")
        svg, caption = inlined(text, f"{campaign.name}:{section.id}{place}_{number}_")
        shown.append(figure(svg, caption or topic.heading, folded))
    shown += [of_table(table) for table in topic.tables if table.rows]
    return [block | {"folded": topic.folded} for block in shown] if topic.folded else shown


def card(campaign: Campaign) -> dict:
    """What the overview says: task, runs, questions, the best runs, the first finding, and whether it is simulated."""
    board = pl.read_parquet(campaign.folder / "leaderboard.parquet")
    first, best = campaign.measures[0], board.filter(pl.col("rank") == 1)
    topics = read(campaign.folder / "reliability/blocks.json").values() if campaign.settings["analyses"] else ()
    findings = [sentence for topic in topics for measure, sentence in topic.findings if measure == first]
    together = 0
    if "groups" in board.columns:
        ranked = board.filter(pl.col("rank").is_not_null())
        together = ranked.filter(pl.col("groups").fill_null("").str.contains("^a([^']|$)")).height
    return {
        "name": campaign.name,
        "title": legible.short(campaign.settings.get("title") or campaign.name, legible.LONGEST_TITLE),
        "task": tasks.get(campaign.task).title,
        "simulated": campaign.settings.get("simulated", False),
        "source": campaign.settings["source"],
        "runs": board.height,
        "questions": board["n"].max() if campaign.settings["source"] != "counts" else None,
        "measure": first,
        "better": get(campaign.task, first).direction,
        "best": [legible.short(run) for run in best["run"]],
        "score": best[first].first(),
        "together": together,
        "finding": next(iter(findings), None),
        "faults": [],
    }


def faulty(name: str, task: str, title: str, simulated: bool, report: str) -> dict:
    """The part of a campaign whose files have faults: a card that shows them; `report` is its faults.txt."""
    first, *lines, last = report.splitlines()
    more = [f"And {len(lines) - FAULTS:,} more lines: {name}/faults.txt has all."] if len(lines) > FAULTS else []
    shown = {
        "name": name,
        "title": legible.short(title or name, legible.LONGEST_TITLE),
        "task": tasks.get(task).title,
        "simulated": simulated,
        "found": first,
        "faults": [line.strip() for line in lines[:FAULTS]],
        "last": [*more, last],
    }
    return {"card": shown, "sections": []}


def unfinished(name: str, task: str, title: str, simulated: bool) -> dict:
    """The part of a campaign that has no page, though its files are sound: a card that says so."""
    report = f"{name}: not evaluated yet\n{UNFINISHED.format(name)}\nRun snakemake again once the cause is fixed."
    return faulty(name, task, title, simulated, report)


def as_json(content: dict) -> str:
    """On one line, ASCII, without white space; < and & as code points, so that it may stand within a page."""
    text = json.dumps(content, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
