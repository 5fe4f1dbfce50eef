"""A campaign's part of the report, as JSON: equal results make equal bytes."""

import json
import platform
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import polars as pl

from nonresponse import __version__, boards, legible, tasks
from nonresponse.measures import get
from nonresponse.pages.blocks import Topic, read_topics
from nonresponse.pages.findings import LEVEL
from nonresponse.pages.sections import Campaign
from nonresponse.report import cells, pairs, questions, ranking
from nonresponse.report.drawing import inlined
from nonresponse.statistics.cost import never_answering
from nonresponse.wording import counted_as, plural

LIBRARIES = ("polars", "duckdb", "numpy")  # those that compute the results
FAULTS = 20  # of a campaign, on the page
SOURCES = {
    "runs": "raw runs, judged here",
    "graded": "graded responses",
    "counts": "published counts",
}
TRUST = "reliability/blocks.json"
DOCUMENTS = ("leaderboard", "reliability", "scenarios", "systems", "gates")  # pages that are written in Markdown, too
Applies = Callable[[dict[str, Any]], bool]


@dataclass(frozen=True)
class Topics:
    """Topics of a file that a tab shows: those named, or all that no tab names."""

    page: str  # the page that writes the file
    file: str
    names: tuple[str, ...] = ()
    applies: Applies = lambda settings: True
    figures: bool = True  # whether the page shows them; they are files, too


def single(settings: dict[str, Any]) -> bool:
    """Whether verdicts on single questions are known."""
    return settings["source"] != "counts"


ASSESSED = ("agreement", "judges", "generalizability", "pooling", "candidates")
TABS: dict[str, tuple[str, tuple[Topics, ...]]] = {
    "ranking": ("Ranking", (Topics("gates", "gates/blocks.json"),)),
    "compare": (
        "Compare",
        (
            Topics("reliability", TRUST, ("comparison",), figures=False),
            Topics("systems", "systems/blocks.json"),
            Topics("reliability", TRUST, ("cost",)),
        ),
    ),
    "questions": ("Questions", (Topics("leaderboard", "leaderboard.json", ("categories",)),)),
    "assessors": (
        "Assessors",
        (
            Topics("reliability", TRUST, ASSESSED, single),
            Topics("reliability", TRUST, ("rankings",), lambda settings: bool(settings.get("official"))),
            Topics("adjudication", "adjudication.json"),
            Topics("audit", "audit.json"),
        ),
    ),
    "reliability": (
        "Reliability",
        (
            Topics("reliability", TRUST, ("questions", "risk_coverage", "reliability_diagram")),
            Topics("reliability", TRUST),
            Topics("scenarios", "scenarios/blocks.json"),
        ),
    ),
    "data": (
        "Data and method",
        (Topics("leaderboard", "changes.json"), Topics("imports", "imports.json")),
    ),
}


def part(campaign: Campaign) -> dict[str, Any]:
    """Return the campaign's card for the overview, its findings, ranking, pairs, questions and tabs."""
    board, settings = pl.read_parquet(campaign.folder / "leaderboard.parquet"), campaign.settings
    known = read_topics(campaign.folder / "leaderboard.json")["leaderboard"]
    level = settings.get("level", LEVEL)
    made = {
        "card": card(campaign, board),
        "findings": known.findings,
        "ranking": ranking_of(campaign, board, known, level),
        "documents": [f"{id}.md" for id in DOCUMENTS if id in settings["topics"]],
        "never_answering": never_answering(board) if tasks.get(campaign.task).silent else None,
        "pairs": pairs.data(campaign, board, level),
        "questions": questions.data(campaign, board),
    }
    sections = {id: sections_of(campaign, id) for id in TABS}
    sections["data"] += provenance(campaign)
    needs = {"ranking": True, "compare": made["pairs"] or board.height > 1, "questions": made["questions"]}
    shown = [id for id in TABS if sections[id] or needs.get(id)]
    made["tabs"] = [{"id": id, "title": TABS[id][0], "sections": sections[id]} for id in shown]
    return made


def ranking_of(campaign: Campaign, board: pl.DataFrame, known: Topic, level: float) -> dict[str, Any]:
    """Return the ranking, with the columns that the leaderboard shows, and its notes."""
    [table] = known.tables
    ids = [column.name for column in table.columns if column.measure and column.kind == "score"]
    first = campaign.measures[0]
    own = ("rank", "run", "rank_low", *ids)
    others = [column for column in table.columns if column.name not in own and column.kind in ("number", "text")]
    made = ranking.table(board, campaign.task, [first, *(id for id in ids if id != first)], level, others)
    return {**made, "notes": [note.text for note in table.notes if note.about != "delta"]}


def sections_of(campaign: Campaign, tab: str) -> list[dict[str, Any]]:
    """Return the sections of a tab: heading, sentences, drawings and tables of each topic."""
    settings, made = campaign.settings, list[dict[str, Any]]()
    named = {(it.file, name) for _, shown in TABS.values() for it in shown for name in it.names if it.applies(settings)}
    for topics in TABS[tab][1]:
        if topics.page not in settings["topics"] or not topics.applies(settings):
            continue
        known = read_topics(campaign.folder / topics.file)
        names = topics.names or [name for name in known if (topics.file, name) not in named]
        for name in names:
            if name in known and name != "leaderboard":
                topic = known[name] if topics.figures else replace(known[name], figures=[])
                made.append(section(campaign, topic, f"{campaign.name}:{tab}{len(made)}_"))
    # An analysis without a table says that it has nothing to say, as where there is a single assessor.
    parts = ("figures", "tables") if tab in ("assessors", "reliability") else ("sentences", "figures", "tables")
    return [one for one in made if any(one[part] for part in parts)]


def section(campaign: Campaign, topic: Topic, prefix: str) -> dict[str, Any]:
    """Return a section as the page draws it."""
    drawings = [(campaign.folder / path).read_text(encoding="utf-8") for path in topic.figures]
    return {
        "heading": topic.heading,
        "sentences": topic.sentences,
        "figures": [inlined(text, f"{prefix}{number}_") for number, text in enumerate(drawings)],
        "tables": [cells.table(table) for table in topic.tables if table.rows],
    }


def provenance(campaign: Campaign) -> list[dict[str, Any]]:
    """Return what the check found, versions, seed and configuration, and the digests of all files."""
    versions = {"nonresponse": __version__, "Python": platform.python_version()}
    versions |= {library: version(library) for library in LIBRARIES}
    known = {**versions, "seed": campaign.settings["seed"], **campaign.settings["configuration"]}
    keys = [
        [key, legible.short(value) if isinstance(value, str) else json.dumps(value, ensure_ascii=False)]
        for key, value in known.items()
    ]
    files = [[legible.visible(path), digest] for path, digest in campaign.settings["files"]]
    found, notes = read_topics(campaign.folder / "check.json").values()
    return [
        {"heading": found.heading, "sentences": [*found.sentences, *notes.sentences], "figures": [], "tables": []},
        listing("Configuration", ("key", "value"), keys),
        listing("Files", ("file", "sha256"), files),
    ]


def listing(heading: str, names: tuple[str, str], rows: list[list[str]]) -> dict[str, Any]:
    """Return a section with a table of two columns of text."""
    columns = [cells.column(name, name, "text") for name in names]
    table = {"caption": heading, "columns": columns, "rows": rows, "notes": [], "file": heading.lower()}
    return {"heading": heading, "sentences": [], "figures": [], "tables": [table]}


def card(campaign: Campaign, board: pl.DataFrame) -> dict[str, Any]:
    """Return what the head of the part and the overview show; trivial runs are not counted.

    tied: how many runs do not differ significantly from the leader, null where nothing was tested. unanswered: their
    share over all runs; unscored: the number of responses; both null where counts do not tell.
    """
    first, settings, task = campaign.measures[0], campaign.settings, tasks.get(campaign.task)
    own, best = board.filter(~pl.col("trivial")), board.filter(pl.col("rank") == 1)
    silent = own.select("n", pl.col([name for name in task.outcomes["unanswered"] if name in board])).drop_nulls()
    n, *left = silent.sum().row(0) if silent.height else (0,)
    unscored = own["n_unscored"].drop_nulls() if "n_unscored" in board else pl.Series()
    counted, of_questions = single(settings), "n_questions" if task.pairs else "n"
    ends = boards.all_of(first, boards.INTERVAL)
    questions, judged = (
        own.select(questions=of_questions, judged="n").max().row(0) if counted and own.height else (None, None)
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
        "interval": [best[end].first() for end in ends] if {*ends} <= {*best.columns} else [None, None],
        "tied": pairs.tied_with_first(campaign, best["run"]),
        "unanswered": float(sum(left)) / float(n) if left and n else None,
        "unscored": unscored.sum() if unscored.len() else None,
    }


def faulty(found: str, faults: list[str], last: str, name: str, title: str, simulated: bool) -> dict[str, Any]:
    """Return the part of a campaign whose files have faults: a card with what was found, and what to do."""
    more = [f"And {len(faults) - FAULTS:,} more lines: {name}/faults.txt has all."] if len(faults) > FAULTS else []
    shown = {"name": name, "title": legible.short(title or name, legible.LONGEST_TITLE), "simulated": simulated}
    return {"card": {**shown, "found": found, "faults": faults[:FAULTS], "last": [*more, last]}}


def unfinished(name: str, title: str, simulated: bool) -> dict[str, Any]:
    """Return the part of a campaign that has no page, though its files are sound."""
    why = (
        "no fault in its files: one of its jobs failed, or did not run; the terminal and"
        f" results/logs/{name}/ say which"
    )
    last = "Run snakemake again once the cause is fixed."
    return faulty(f"{name}: not evaluated yet", [why], last, name, title, simulated)


def as_json(content: Any) -> str:
    """Return JSON on one line, ASCII; <, > and & as code points, so that it can stand within a page."""
    text = json.dumps(content, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def read(path: Path) -> dict[str, Any]:
    """Return a part that was written as JSON."""
    return json.loads(path.read_text(encoding="utf-8"))
