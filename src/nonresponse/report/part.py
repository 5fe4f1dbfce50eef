"""A campaign's part of the report, as JSON: equal results make equal bytes."""

import json
import platform
from dataclasses import replace
from importlib.metadata import version
from typing import Any

import polars as pl

from nonresponse import __version__, boards, legible, tasks
from nonresponse.measures import get
from nonresponse.report import cells, pairs, questions
from nonresponse.report.campaign import Campaign
from nonresponse.report.findings import LEVEL
from nonresponse.report.model import Section, read_sections, tabulate_texts
from nonresponse.report.page import dump_json, pack_text
from nonresponse.statistics.cost import share_unanswerable
from nonresponse.wording import capital, counted_as, plural

LIBRARIES = ("polars", "duckdb", "numpy")  # those that compute the results
SOURCES = {
    "runs": "raw runs, judged here",
    "graded": "graded responses",
    "counts": "published counts",
}
# The files of the sections of each page, in the order in which a tab shows them; and the pages in
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


def make_part(campaign: Campaign) -> dict[str, Any]:
    """Return the part: what shows without JavaScript, and, packed, what the page's script draws,
    and all texts."""
    board, settings = pl.read_parquet(campaign.folder / "leaderboard.parquet"), campaign.settings
    known = read_sections(campaign.folder / "leaderboard.json")["leaderboard"]
    notes = read_sections(campaign.folder / "check.json")["notes"].sentences
    level, ranking = settings.get("level", LEVEL), cells.encode_table(known.tables[0])
    asked, written = questions.collect_questions(campaign, board)
    compared, sections = pairs.collect_pairs(campaign, board, level), collect_sections(campaign)
    needs = {"ranking": True, "compare": compared or board.height > 1, "questions": asked}
    made = {
        "card": make_card(campaign, board, known.findings),
        "ranking": ranking,
        "costs": collect_costs(campaign, board),
        "pairs": compared,
        "questions": asked,
        "tabs": [
            {
                "id": id,
                "title": title,
                "sections": [cells.encode_section(one) for one in sections[id]],
            }
            for id, title in TABS.items()
            if sections[id] or needs.get(id)
        ],
    }
    return {
        "card": made["card"],
        "findings": known.findings,
        "notes": notes,
        "documents": [f"{id}.md" for id in DOCUMENTS if id in settings["pages"]],
        **collect_first_rows(ranking),
        "packed": pack_text(dump_json(made)),
        "texts": written,
    }


def collect_first_rows(ranking: dict[str, Any]) -> dict[str, Any]:
    """Return what of the ranking shows without JavaScript, and how many rows do not."""
    columns, rows = ranking["columns"], ranking["rows"]
    own = [index for index, it in enumerate(columns) if it["shown"] and it["kind"] in STATIC]
    return {
        "columns": [{name: columns[index][name] for name in ("label", "kind")} for index in own],
        "rows": [[cells.format_cell(row[index]) for index in own] for row in rows[:ROWS]],
        "more": max(len(rows) - ROWS, 0),
    }


def collect_costs(campaign: Campaign, board: pl.DataFrame) -> dict[str, Any] | None:
    """Return what never answering is worth, from which cost of a wrong answer which runs are best,
    and the section on that, if the analysis was made; null where unanswered questions do not
    count."""
    if not tasks.get(campaign.task).unanswered_counts:
        return None
    made: dict[str, Any] = {"never_answering": share_unanswerable(board), "best": []}
    found = read_pages(campaign, "reliability").get("cost")
    if found:
        made["best"] = [[row["cost_from"], row["best"]] for row in found.tables[0].named()]
    return made | {"sections": [cells.encode_section(replace(found, heading=""))] if found else []}


def read_pages(campaign: Campaign, *pages: str) -> dict[str, Section]:
    """Return the sections of these pages, as far as the campaign has them."""
    files = [file for page in pages if page in campaign.settings["pages"] for file in FILES[page]]
    return {
        name: section
        for file in files
        for name, section in read_sections(campaign.folder / file).items()
    }


def collect_sections(campaign: Campaign) -> dict[str, list[Section]]:
    """Return the sections of each tab."""
    checked, notes = read_sections(campaign.folder / "check.json").values()
    found: dict[str, list[Section]] = {id: [] for id in TABS}
    found["data"] += [
        describe_measures(campaign),
        Section(
            checked.heading, [*(f"{capital(it)}." for it in checked.sentences), *notes.sentences]
        ),
    ]
    for one in read_pages(campaign, *FILES).values():
        if one.tab and (one.sentences or one.filled):
            found[one.tab].append(one)
    found["data"].append(describe_provenance(campaign))
    return found


def describe_measures(campaign: Campaign) -> Section:
    """Return the meaning and the source of each measure."""
    known = [get(campaign.task, id) for id in campaign.measures]
    rows = [
        [one.id, " ".join(one.description.split("\n\n")[0].split()), one.source] for one in known
    ]
    table = tabulate_texts(("measure", "meaning", "source"), rows, left=(0, 1, 2))
    return Section("Measures", [], tables=[table])


def describe_provenance(campaign: Campaign) -> Section:
    """Return versions, seed and configuration, and the digests of all files."""
    known = {"nonresponse": __version__, "Python": platform.python_version()}
    known |= {library: version(library) for library in LIBRARIES}
    known |= {"seed": campaign.settings["seed"], **campaign.settings["configuration"]}
    keys = [
        [key, legible.short(it) if isinstance(it, str) else json.dumps(it, ensure_ascii=False)]
        for key, it in known.items()
    ]
    files = [[legible.visible(path), digest] for path, digest in campaign.settings["files"]]
    tables = [
        tabulate_texts(("key", "value"), keys, "Configuration", left=(0, 1)),
        tabulate_texts(("file", "sha256"), files, "Files", left=(0, 1)),
    ]
    return Section("Provenance", [], tables=tables)


def make_card(
    campaign: Campaign, board: pl.DataFrame, findings: list[dict[str, Any]]
) -> dict[str, Any]:
    """Return what the head of the part and the overview show; trivial runs are not counted.

    tied: how many runs do not differ significantly from the leader, null where nothing was tested.
    unanswered: their share over all runs; unscored: the number of responses; both null where counts
    do not tell.
    """
    first, settings, task = campaign.measures[0], campaign.settings, tasks.get(campaign.task)
    own, best = board.filter(~pl.col("trivial")), board.filter(pl.col("rank") == 1)
    left = [name for name in task.outcomes["unanswered"] if name in board.columns]
    n, *unanswered = own.select("n", *left).drop_nulls().sum().row(0)
    scored = own["n_unscored"].drop_nulls() if "n_unscored" in board.columns else pl.Series()
    unscored = scored.sum() if scored.len() else None
    facts, questions = [plural(own.height, "run")], None
    if settings["source"] != "counts" and own.height:
        judged = int(own["n"].max() or 0)  # type: ignore[arg-type]
        questions = own["n_questions"].max() if task.pairs else own["n"].max()
        facts.append(plural(int(questions or 0), "question"))  # type: ignore[arg-type]
        facts += [plural(judged, "pair")] * task.pairs
    facts += [task.title, SOURCES[settings["source"]]]
    if settings.get("official"):
        facts.append(f"judged by {legible.short(settings['official'], 40)}")
    if (policy := settings["policy"].get("unscored")) and unscored:
        facts.append(f"unscored answers {counted_as(policy)}")
    ends = boards.columns(first, boards.INTERVAL)
    known = {one["code"]: one["values"] for one in findings}
    return {
        "name": campaign.name,
        "title": campaign.title,
        "facts": facts,
        "unit": task.unit,
        "runs": own.height,
        "questions": questions,
        "measure": first,
        "percent": get(campaign.task, first).is_share,
        "best": [legible.short(run) for run in best["run"]],
        "score": best[first].first(),
        "interval": [best[end].first() if end in board.columns else None for end in ends],
        "tied": len(known["leader"]["tied"]) if "order" in known else None,
        "unanswered": float(sum(unanswered)) / float(n) if unanswered and n else None,
        "unscored": unscored,
    }
