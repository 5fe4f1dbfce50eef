"""A campaign's part of the report, as JSON: equal results make equal bytes."""

import json
from importlib import import_module

import polars as pl

from nonresponse import boards, legible, tasks
from nonresponse.measures import get
from nonresponse.pages.answer import LEVEL
from nonresponse.pages.blocks import Block, Topic, figure, of_table, read_topics, sentences
from nonresponse.pages.report import OF_VIEWS, TRUST, Section, Topics, sections_of, topics_of
from nonresponse.pages.report.drawing import inlined
from nonresponse.pages.report.sections import leaderboard
from nonresponse.pages.sections import Campaign

SHOWING = (TRUST, OF_VIEWS)  # whose topics say little without a table or a figure
FAULTS = 20  # of a campaign, on its card
UNFINISHED = (
    "no fault in its files: one of its jobs failed, or did not run; the terminal and results/logs/{}/ say which"
)


def part(campaign: Campaign) -> dict:
    """The card of the campaign, and its sections that have blocks."""
    shown_card = card(campaign)
    sections = [
        {
            "id": section.id,
            "title": section.of_one if section.of_one and shown_card["runs"] == 1 else section.title,
            "blocks": blocks_of(section, campaign),
        }
        for section in sections_of(campaign.settings)
    ]
    return {"card": shown_card, "sections": [section for section in sections if section["blocks"]]}


def blocks_of(section: Section, campaign: Campaign) -> list[Block]:
    """What a section shows: its module's blocks come first, or below the sentences of the topic that leads them."""
    blocks: list[Block] = []
    below = 0
    for place, topics in enumerate(topics_of(section, campaign.settings)):
        known = read_topics(campaign.folder / topics.file)
        for name in chosen(topics, known, campaign):
            if topics.file in SHOWING and not known[name].figures and not any(it.rows for it in known[name].tables):
                continue  # it says that there is nothing to say
            of_this = of_topic(campaign, section, topics, known[name], f"{section.id}{place}{name}_")
            if name == section.led_by and known[name].sentences:
                below = len(blocks) + 1
            blocks += of_this
    own = section.own and section.applies(campaign.settings)
    made = import_module(f"nonresponse.pages.report.sections.{section.id}").blocks(campaign) if own else []
    return [*blocks[:below], *made, *blocks[below:]]


def chosen(topics: Topics, known: dict[str, Topic], campaign: Campaign) -> list[str]:
    """The names of the topics to show; where `topics` names none, all that no section names."""
    if topics.names:
        return [name for name in topics.names if name in known]
    others = {
        name
        for section in sections_of(campaign.settings)
        for other in topics_of(section, campaign.settings)
        if other.file == topics.file
        for name in other.names
    }
    return [name for name in known if name not in others]


def of_topic(campaign: Campaign, section: Section, topics: Topics, topic: Topic, prefix: str) -> list[Block]:
    """The sentences of a topic under its heading, its figures, and its tables that have rows.

    The first sentence of the topic describes a figure to those who cannot see it. If `topics.only` is "tables", there
    are no figures.
    """
    heading = topic.heading if topic.heading != section.title and section.id != "leaderboard" else ""
    blocks = [sentences(topic.sentences, heading)] if topic.sentences else []
    for path in topic.figures if topics.only != "tables" else ():
        text = (campaign.folder / path).read_text(encoding="utf-8")
        svg = inlined(text, f"{campaign.name}:{prefix}{len(blocks)}_")
        blocks.append(figure(svg, topic.sentences[0] if topic.sentences else topic.heading))
    blocks += [of_table(table) for table in topic.tables if table.rows]
    return [block | {"folded": topic.folded} for block in blocks] if topic.folded else blocks


def card(campaign: Campaign) -> dict:
    """What the overview shows: task, runs, questions, the first runs, and of each ranked run its score and its ranks.

    Trivial runs are not counted. `pairs`: how many are judged, None where questions are; `tied`: how many runs do not
    differ significantly from the first, None where nothing was tested; `open`: the share of questions (or pairs) left
    open, over all runs; `unscored`: how many responses are unscored; both None where counts do not tell.
    """
    board = pl.read_parquet(campaign.folder / "leaderboard.parquet")
    first, best = campaign.measures[0], board.filter(pl.col("rank") == 1)
    ends = boards.all_of(first, boards.INTERVAL)
    own, task = board.filter(~pl.col("trivial")), tasks.get(campaign.task)
    silent = own.select("n", pl.col([name for name in task.outcomes["unanswered"] if name in board])).drop_nulls()
    n, *left_open = silent.sum().row(0) if silent.height else (0,)
    unscored = own["n_unscored"].drop_nulls() if "n_unscored" in board else pl.Series()
    counted, of_questions = campaign.settings["source"] != "counts", "n_questions" if task.pairs else "n"
    columns = [name for name in ("rank", "rank_low", "rank_high") if name in board.columns]
    ranked = board.filter(pl.col("rank").is_not_null())
    pairs = leaderboard.pairs_of(campaign, first) if best.height else None
    tied = leaderboard.undecided(best["run"][0], pairs, campaign.settings.get("level", LEVEL)) if best.height else ()
    return {
        "name": campaign.name,
        "title": legible.short(campaign.settings.get("title") or campaign.name, legible.LONGEST_TITLE),
        "task": task.title,
        "simulated": campaign.settings.get("simulated", False),
        "source": campaign.settings["source"],
        "runs": own.height,
        "questions": own[of_questions].max() if counted else None,
        "pairs": own["n"].max() if counted and task.pairs else None,
        "measure": first,
        "better": get(campaign.task, first).direction,
        "best": [legible.short(run) for run in best["run"]],
        "score": best[first].first(),
        "interval": [best[end].first() for end in ends] if {*ends} <= {*board.columns} else [None, None],
        "tied": len(tied) if pairs is not None and own.height > 1 else None,
        "open": float(sum(left_open)) / float(n) if left_open and n else None,
        "unscored": unscored.sum() if unscored.len() else None,
        "scores": {run: [score, *rest] for run, score, *rest in ranked.select("run", first, *columns).iter_rows()},
        "faults": [],
    }


def faulty(found: str, faults: list[str], last: str, name: str, task: str, title: str, simulated: bool) -> dict:
    """The part of a campaign whose files have faults: a card that shows what was found, and says at last what to do."""
    more = [f"And {len(faults) - FAULTS:,} more lines: {name}/faults.txt has all."] if len(faults) > FAULTS else []
    shown = {
        "name": name,
        "title": legible.short(title or name, legible.LONGEST_TITLE),
        "task": tasks.get(task).title,
        "simulated": simulated,
        "found": found,
        "faults": faults[:FAULTS],
        "last": [*more, last],
    }
    return {"card": shown, "sections": [], "article": ""}


def unfinished(name: str, task: str, title: str, simulated: bool) -> dict:
    """The part of a campaign that has no page, though its files are sound: a card that says so."""
    why, last = UNFINISHED.format(name), "Run snakemake again once the cause is fixed."
    return faulty(f"{name}: not evaluated yet", [why], last, name, task, title, simulated)


def as_json(content: dict) -> str:
    """JSON on one line, ASCII, without white space; <, > and & as code points, so that it can stand within a page."""
    text = json.dumps(content, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
