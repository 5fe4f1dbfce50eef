"""A campaign's part of the report, as JSON: equal results make equal bytes."""

import json
import platform
from importlib.metadata import version
from typing import Any

import polars as pl

from nonresponse import __version__, boards, legible, tasks
from nonresponse.measures import get
from nonresponse.report import cells, pairs, questions, ranking
from nonresponse.report.campaign import Campaign
from nonresponse.report.findings import LEVEL
from nonresponse.report.model import Section, read_sections
from nonresponse.report.page import as_json, packed
from nonresponse.statistics.cost import never_answering
from nonresponse.wording import counted_as, plural

LIBRARIES = ("polars", "duckdb", "numpy")  # those that compute the results
SOURCES = {
    "runs": "raw runs, judged here",
    "graded": "graded responses",
    "counts": "published counts",
}
# The file of the sections of each page, in the order in which a tab shows them; and the pages in
# Markdown.
FILES = {
    "gates": ["gates/sections.json"],
    "leaderboard": ["leaderboard.json", "changes.json"],
    "imports": ["imports.json"],
    "reliability": ["reliability/sections.json"],
    "systems": ["systems/sections.json"],
    "adjudication": ["adjudication.json"],
    "audit": ["audit.json"],
    "scenarios": ["scenarios/sections.json"],
}
DOCUMENTS = ("leaderboard", "reliability", "scenarios", "systems", "gates")
TABS = {
    "ranking": "Ranking",
    "compare": "Compare",
    "questions": "Questions",
    "assessors": "Assessors",
    "reliability": "Reliability",
    "data": "Data and method",
}
ROWS = 100  # of the ranking that is shown without JavaScript
STATIC = ("rank", "run", "number")  # kinds of its columns


def part(campaign: Campaign) -> dict[str, Any]:
    """Return the part: what shows without JavaScript, and, packed, what the page's script draws,
    and all texts."""
    board, settings = pl.read_parquet(campaign.folder / "leaderboard.parquet"), campaign.settings
    known = read_sections(campaign.folder / "leaderboard.json")["leaderboard"]
    level = settings.get("level", LEVEL)
    shown = ranking_of(campaign, board, known, level)
    asked, written = questions.data(campaign, board)
    made: dict[str, Any] = {
        "card": card(campaign, board),
        "ranking": shown,
        "never_answering": never_answering(board) if tasks.get(campaign.task).silent else None,
        "pairs": pairs.data(campaign, board, level),
        "questions": asked,
    }
    sections = {
        id: [cells.section(one) for one in own] for id, own in sections_of(campaign).items()
    }
    sections["data"] += provenance(campaign)
    needs = {"ranking": True, "compare": made["pairs"] or board.height > 1, "questions": asked}
    there = [id for id in TABS if sections[id] or needs.get(id)]
    made["tabs"] = [{"id": id, "title": TABS[id], "sections": sections[id]} for id in there]
    _, notes = read_sections(campaign.folder / "check.json").values()
    return {
        "card": made["card"],
        "findings": known.findings,
        "notes": notes.sentences,
        "documents": [f"{id}.md" for id in DOCUMENTS if id in settings["pages"]],
        **first_rows(shown),
        "packed": packed(as_json(made)),
        "texts": written,
    }


def ranking_of(
    campaign: Campaign, board: pl.DataFrame, known: Section, level: float
) -> dict[str, Any]:
    """Return the ranking, with the columns that the leaderboard shows, and its notes."""
    [table] = known.tables
    ids = [column.name for column in table.columns if column.measure and column.kind == "score"]
    first = campaign.measures[0]
    own = ("rank", "run", "rank_low", *ids)
    others = [
        column
        for column in table.columns
        if column.name not in own and column.kind in ("number", "text")
    ]
    made = ranking.table(
        board, campaign.task, [first, *(id for id in ids if id != first)], level, others
    )
    return {**made, "notes": table.notes}


def first_rows(shown: dict[str, Any]) -> dict[str, Any]:
    """Return the columns and first rows of the ranking that show without JavaScript, and how many
    rows do not."""
    columns, rows = shown["columns"], shown["rows"]
    own = [
        index
        for index, column in enumerate(columns)
        if column["shown"] and column["kind"] in STATIC
    ]
    return {
        "columns": [{name: columns[index][name] for name in ("label", "kind")} for index in own],
        "rows": [[ranking.as_text(row[index]) for index in own] for row in rows[:ROWS]],
        "more": max(len(rows) - ROWS, 0),
    }


def sections_of(campaign: Campaign) -> dict[str, list[Section]]:
    """Return the sections of each tab.

    Of assessors and reliability, without those that have a sentence only: it says that there is
    nothing to say.
    """
    found: dict[str, list[Section]] = {id: [] for id in TABS}
    for page in [page for page in FILES if page in campaign.settings["pages"]]:
        for file in FILES[page]:
            for one in read_sections(campaign.folder / file).values():
                bare = one.tab in ("assessors", "reliability") and not (one.figures or one.tables)
                if one.tab and not bare and (one.sentences or one.tables):
                    found[one.tab].append(one)
    return found


def provenance(campaign: Campaign) -> list[dict[str, Any]]:
    """Return what the check found, versions, seed and configuration, and the digests of all
    files."""
    versions = {"nonresponse": __version__, "Python": platform.python_version()}
    versions |= {library: version(library) for library in LIBRARIES}
    known = {**versions, "seed": campaign.settings["seed"], **campaign.settings["configuration"]}
    keys = [
        [
            key,
            legible.short(value)
            if isinstance(value, str)
            else json.dumps(value, ensure_ascii=False),
        ]
        for key, value in known.items()
    ]
    files = [[legible.visible(path), digest] for path, digest in campaign.settings["files"]]
    found, notes = read_sections(campaign.folder / "check.json").values()
    return [
        cells.section(Section(found.heading, [*found.sentences, *notes.sentences])),
        cells.listing("Configuration", ("key", "value"), keys),
        cells.listing("Files", ("file", "sha256"), files),
    ]


def card(campaign: Campaign, board: pl.DataFrame) -> dict[str, Any]:
    """Return what the head of the part and the overview show; trivial runs are not counted.

    tied: how many runs do not differ significantly from the leader, null where nothing was tested.
    unanswered: their share over all runs; unscored: the number of responses; both null where counts
    do not tell.
    """
    first, settings, task = campaign.measures[0], campaign.settings, tasks.get(campaign.task)
    own, best = board.filter(~pl.col("trivial")), board.filter(pl.col("rank") == 1)
    silent = own.select(
        "n", pl.col([name for name in task.outcomes["unanswered"] if name in board])
    ).drop_nulls()
    n, *left = silent.sum().row(0) if silent.height else (0,)
    unscored = own["n_unscored"].drop_nulls() if "n_unscored" in board else pl.Series()
    counted, of_questions = settings["source"] != "counts", "n_questions" if task.pairs else "n"
    ends = boards.all_of(first, boards.INTERVAL)
    questions, judged = (
        own.select(questions=of_questions, judged="n").max().row(0)
        if counted and own.height
        else (None, None)
    )
    facts = [plural(own.height, "run")]
    facts += [plural(int(questions or 0), "question")] * (questions is not None)
    facts += [plural(int(judged or 0), "pair")] * (task.pairs and counted)
    facts += [task.title, SOURCES[settings["source"]]]
    if settings.get("official"):
        facts.append(f"judged by {legible.short(settings['official'], 40)}")
    if (policy := settings["policy"].get("unscored")) and unscored.len() and unscored.sum():
        facts.append(f"unscored answers {counted_as(policy)}")
    return {
        "name": campaign.name,
        "title": legible.short(settings.get("title") or campaign.name, legible.LONGEST_TITLE),
        "simulated": settings.get("simulated", False),
        "facts": facts,
        "unit": task.unit,
        "runs": own.height,
        "questions": questions,
        "measure": first,
        "percent": get(campaign.task, first).is_share,
        "best": [legible.short(run) for run in best["run"]],
        "score": best[first].first(),
        "interval": [best[end].first() for end in ends]
        if {*ends} <= {*best.columns}
        else [None, None],
        "tied": pairs.tied_with_first(campaign, best["run"]),
        "unanswered": float(sum(left)) / float(n) if left and n else None,
        "unscored": unscored.sum() if unscored.len() else None,
    }
