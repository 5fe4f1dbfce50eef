"""A campaign's part of the report, as JSON: equal results make equal bytes."""

import json
import platform
from collections.abc import Collection, Iterable
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import polars as pl

from nonresponse import __version__, boards, legible, tasks
from nonresponse.measures import get
from nonresponse.report import cells, pairs, questions
from nonresponse.report.campaign import Campaign
from nonresponse.report.findings import LEVEL
from nonresponse.report.model import Section, read_sections, tabulate_texts
from nonresponse.report.page import dump_json, pack_text
from nonresponse.tables import read_parquet
from nonresponse.wording import capital, describe_policy, format_level, plural

LIBRARIES = ("polars", "duckdb", "numpy")  # those that compute the results
SOURCES = {
    "runs": "raw runs, judged here",
    "graded": "graded responses",
    "counts": "published counts",
}
# The files of the sections of each page, in the order in which a tab shows them
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
DOCUMENTS = ("leaderboard", "reliability", "scenarios", "systems", "gates")  # in Markdown
TABS = {
    "ranking": "Ranking",
    "compare": "Compare",
    "questions": "Questions",
    "assessors": "Assessors",
    "reliability": "Reliability",
    "data": "Data and method",
}
# Of the ranking that is shown without JavaScript
ROWS = 100
STATIC_KINDS = ("rank", "run", "number")


def make_part(campaign: Campaign) -> dict[str, Any]:
    """Return the part: what shows without JavaScript and, packed, what the page's script draws."""
    board, settings = read_parquet(campaign.folder / "leaderboard.parquet"), campaign.settings
    pages = read_pages(campaign.folder, settings["pages"])
    leaderboard = pages["leaderboard"]
    notes = read_sections(campaign.folder / "check.json")["notes"].sentences
    ranking = cells.encode_table(leaderboard.tables[0])
    content, texts = questions.collect_questions(campaign, board)
    comparisons = pairs.collect_pairs(campaign, board, settings.get("level", LEVEL))
    sections = sort_sections(campaign, pages.values())
    full = {"ranking": True, "compare": comparisons or board.height > 1, "questions": content}
    card = make_card(campaign, board, leaderboard.findings)
    data = {
        "card": card,
        "ranking": ranking,
        "costs": encode_costs(leaderboard, pages.get("cost")),
        "pairs": comparisons,
        "questions": content,
        "tabs": [
            {"id": id, "title": title, "sections": [*map(cells.encode_section, sections[id])]}
            for id, title in TABS.items()
            if sections[id] or full.get(id)
        ],
    }
    return {
        "card": card,
        "findings": leaderboard.findings,
        "notes": notes,
        "documents": [f"{id}.md" for id in DOCUMENTS if id in settings["pages"]],
        **collect_first_rows(ranking),
        "packed": pack_text(dump_json(data)),
        "texts": texts,
    }


def collect_first_rows(ranking: dict[str, Any]) -> dict[str, Any]:
    """Return what of the ranking shows without JavaScript, and how many rows do not."""
    columns, rows = ranking["columns"], ranking["rows"]
    static = [
        index
        for index, column in enumerate(columns)
        if column["shown"] and column["kind"] in STATIC_KINDS
    ]
    return {
        "columns": [{name: columns[index][name] for name in ("label", "kind")} for index in static],
        "rows": [[cells.format_cell(row[index]) for index in static] for row in rows[:ROWS]],
        "more": max(len(rows) - ROWS, 0),
    }


def encode_costs(leaderboard: Section, cost: Section | None) -> dict[str, Any] | None:
    """Return the figure of the costs of a wrong answer, and the section on them, if there is."""
    sections = [cells.encode_section(replace(cost, heading=""))] if cost else []
    for figure in cells.encode_section(leaderboard)["figures"]:
        return {"figure": figure, "sections": sections}
    return None


def read_pages(folder: Path, pages: Collection[str]) -> dict[str, Section]:
    """Return the sections of these pages, in the order of FILES, from the folder of a campaign."""
    sections: dict[str, Section] = {}
    for page in FILES:
        if page in pages:
            for file in FILES[page]:
                sections |= read_sections(folder / file)
    return sections


def sort_sections(campaign: Campaign, pages: Iterable[Section]) -> dict[str, list[Section]]:
    """Return the sections of each tab, from those of pages."""
    check, notes = read_sections(campaign.folder / "check.json").values()
    facts = [f"{capital(fact)}." for fact in check.sentences]
    tabs: dict[str, list[Section]] = {id: [] for id in TABS}
    tabs["data"] = [describe_measures(campaign), Section(check.heading, [*facts, *notes.sentences])]
    for section in pages:
        if section.tab and (section.sentences or section.filled_tables):
            tabs[section.tab].append(section)
    tabs["data"].append(describe_provenance(campaign))
    return tabs


def describe_measures(campaign: Campaign) -> Section:
    """Return the meaning and the source of each measure."""
    rows = []
    for measure in (get(campaign.task, id) for id in campaign.measures):
        meaning = " ".join(measure.description.split("\n\n")[0].split())
        rows.append([measure.id, meaning, measure.source])
    table = tabulate_texts(("measure", "meaning", "source"), rows, text_columns=(0, 1, 2))
    return Section("Measures", [], tables=[table])


def describe_provenance(campaign: Campaign) -> Section:
    """Return versions, seed and configuration, and the digests of all files."""
    facts = {"nonresponse": __version__, "Python": platform.python_version()}
    facts |= {library: version(library) for library in LIBRARIES}
    facts |= {"seed": campaign.settings["seed"], **campaign.settings["configuration"]}
    rows = [
        [
            key,
            legible.short(fact) if isinstance(fact, str) else json.dumps(fact, ensure_ascii=False),
        ]
        for key, fact in facts.items()
    ]
    files = [[legible.visible(path), digest] for path, digest in campaign.settings["files"]]
    tables = [
        tabulate_texts(("key", "value"), rows, "Configuration", text_columns=(0, 1)),
        tabulate_texts(("file", "sha256"), files, "Files", text_columns=(0, 1)),
    ]
    return Section("Provenance", [], tables=tables)


def make_card(
    campaign: Campaign, board: pl.DataFrame, findings: list[dict[str, Any]]
) -> dict[str, Any]:
    """Return what the head of the part and the overview show. Trivial runs are not counted.

    `tied` is how many runs do not differ significantly from the leader, null if nothing was tested.
    `unanswered` is a share over all runs, `unscored` a number of responses. Both are null where
    counts do not tell.
    """
    id, settings, task = campaign.measures[0], campaign.settings, tasks.get(campaign.task)
    runs, best = board.filter(~pl.col("trivial")), board.filter(pl.col("rank") == 1)
    names = [name for name in task.outcomes["unanswered"] if name in board.columns]
    n, *unanswered = runs.select("n", *names).drop_nulls().sum().row(0)
    scored = runs["n_unscored"].drop_nulls() if "n_unscored" in board.columns else pl.Series()
    unscored = scored.sum() if scored.len() else None
    facts, questions = [plural(runs.height, "run")], None
    if settings["source"] != "counts" and runs.height:
        questions = runs["n_questions" if task.pairs else "n"].max()
        facts.append(plural(int(questions or 0), "question"))  # type: ignore[arg-type]
        if task.pairs:
            facts.append(plural(int(runs["n"].max() or 0), "pair"))  # type: ignore[arg-type]
    facts += [task.title, SOURCES[settings["source"]]]
    if settings.get("official"):
        facts.append(f"judged by {legible.short(settings['official'], 40)}")
    policy = settings["policy"].get("unscored")
    if policy and unscored and settings.get("judged", True):
        facts.append(f"unscored answers {describe_policy(policy)}")
    ends = boards.name_columns(id, boards.INTERVAL)
    values = {finding["code"]: finding["values"] for finding in findings}
    return {
        "name": campaign.name,
        "title": campaign.title,
        "facts": facts,
        "unit": task.unit,
        "runs": runs.height,
        "questions": questions,
        "measure": id,
        "percent": get(campaign.task, id).is_share,
        "best": [legible.short(run) for run in best["run"]],
        "score": best[id].first(),
        "interval": [best[end].first() if end in board.columns else None for end in ends],
        "confidence": format_level(1 - settings.get("level", LEVEL)),
        "tied": len(values["leader"]["tied"]) if "order" in values else None,
        "unanswered": float(sum(unanswered)) / float(n) if unanswered and n else None,
        "unscored": unscored,
    }
