"""A campaign's part of the report, as JSON: equal results make equal bytes."""

import json
from importlib import import_module

import polars as pl

from nonresponse import legible, tasks
from nonresponse.measures import get
from nonresponse.pages.blocks import read
from nonresponse.pages.report import Section, sections_of, topics
from nonresponse.pages.report.blocks import Block
from nonresponse.pages.sections import Campaign

FAULTS = 20  # of a campaign, on its card
UNFINISHED = (
    "no fault in its files: one of its jobs failed, or did not run; the terminal and results/logs/{}/ say which"
)


def part(campaign: Campaign) -> dict:
    """The card of the campaign, and its sections."""
    settings = campaign.settings
    shown = [
        {
            "id": section.id,
            "title": section.title,
            "blocks": blocks_of(section, campaign),
        }
        for section in sections_of(settings)
    ]
    return {"card": card(campaign), "sections": [section for section in shown if section["blocks"]]}


def blocks_of(section: Section, campaign: Campaign) -> list[Block]:
    """What a section shows: what it makes itself stands below the first sentences of topics."""
    shown = topics.blocks(campaign, section) if section.shows else []
    own = import_module(f"nonresponse.pages.report.sections.{section.id}").blocks(campaign) if section.own else []
    return [*shown[:1], *own, *shown[1:]]


def card(campaign: Campaign) -> dict:
    """What the overview says: task, runs, questions, the best runs, the first finding, and whether it is simulated."""
    board = pl.read_parquet(campaign.folder / "leaderboard.parquet")
    first = campaign.measures[0]
    ranked = board.filter(pl.col("rank").is_not_null())
    best = ranked.filter(pl.col("rank") == 1)
    questions = board["n"].max() if campaign.settings["source"] != "counts" else None
    finding = None
    if campaign.settings["analyses"]:
        found = [one for topic in read(campaign.folder / "reliability/blocks.json").values() for one in topic.findings]
        finding = next((sentence for measure, sentence in found if measure == first), None)
    together = 0
    if "groups" in board.columns:
        together = ranked.filter(pl.col("groups").fill_null("").str.contains("^a([^']|$)")).height
    return {
        "name": campaign.name,
        "title": legible.short(campaign.settings.get("title") or campaign.name, legible.LONGEST_TITLE),
        "task": tasks.get(campaign.task).title,
        "simulated": campaign.settings.get("simulated", False),
        "source": campaign.settings["source"],
        "runs": board.height,
        "questions": questions,
        "measure": first,
        "better": get(campaign.task, first).direction,
        "best": [legible.short(run) for run in best["run"]],
        "score": best[first].first(),
        "together": together,
        "finding": finding,
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
