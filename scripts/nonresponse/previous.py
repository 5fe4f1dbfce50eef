"""The results that a campaign had before: kept by the pipeline itself, so that changes.md can say what a change did.

A campaign's folder holds `now`, the results that the page was written for, and `before`, those ahead of them.
"""

import json
import shutil
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from nonresponse import tables, tasks

KEYS = {"judgments": tables.JUDGMENTS_KEY, "verdicts": ["assessor", "run", "question", "candidate"]}
VALUES = {"judgments": "label", "verdicts": "verdict"}
# Where judgments are reference answers: that is what a judgment says, and a wrong answer may come nearer.
OF_REFERENCES = {
    "judgments": {"label": pl.col("answer"), "answer": pl.lit(None)},
    "verdicts": {"verdict": pl.concat_str("verdict", "answer", separator=" ", ignore_nulls=True)},
}
SETTINGS = ("official", "first", "measures", "counts")
FIRST = "These are the first results: there is nothing to compare them with."
LOST = (
    "There is nothing to compare with: {name} of the previous results is missing or cannot be read."
    " The next change will be told."
)


@dataclass
class Results:
    """What is compared.

    settings: official (assessor, null = the only one), first (the measure that ranks), measures, counts.
    tables: leaderboard (run, rank as printed, groups if any, a column per measure and count), verdicts and
    judgments, each with its key and value, as far as the campaign has them.
    """

    settings: dict
    tables: dict[str, pl.DataFrame]

    def __eq__(self, other) -> bool:
        return (
            isinstance(other, Results)
            and (self.settings, self.tables.keys()) == (other.settings, other.tables.keys())
            and all(frame.equals(other.tables[name]) for name, frame in self.tables.items())
        )


def results_in(folder: Path, names: list[str], task: str, measures: list[str], official: str | None) -> Results:
    """What is compared, from the results of the campaign; names: leaderboard, verdicts, judgments."""
    own = tasks.get(task)
    board = pl.read_parquet(folder / "leaderboard.parquet")
    counts = [name for name in own.counts if name in board.columns]
    rank = pl.col("rank").cast(pl.String) + pl.when("tied").then(pl.lit("=")).otherwise(pl.lit(""))
    numbers = pl.col(*sorted(measures), *counts).cast(pl.Float64)
    board = board.select("run", rank, pl.col("^groups$"), numbers).sort("run")
    settings = {"official": official, "first": measures[0], "measures": sorted(measures), "counts": counts}
    said = OF_REFERENCES if own.references else {}
    found = {name: narrowed(folder / f"{name}.parquet", name, said.get(name)) for name in KEYS if name in names}
    return Results(settings, {"leaderboard": board, **found})


def narrowed(file: Path, name: str, said: dict[str, pl.Expr] | None = None) -> pl.DataFrame:
    """Key and value of judgments or verdicts; as categories, or ten million rows would be gigabytes.

    `said` are the columns that stand for something else than in the file.
    """
    columns = [*KEYS[name], VALUES[name]]
    rows = pl.scan_parquet(file).with_columns(**said or {})
    return rows.select(pl.col(columns).cast(pl.Categorical)).collect(engine="streaming")


def previous(state: Path, results: Results) -> Results | str:
    """What the results are to be compared with, or a sentence that says why there is nothing; keeps the results.

    The same results again get the same answer. Killed anywhere, it leaves what the next call puts right.
    """
    put_right(state)
    last = kept(state / "now")
    if last == results:
        return kept(state / "before")
    keep(results, state / "next")
    for old, new in (("before", "old"), ("now", "before"), ("next", "now")):
        if (state / old).exists():
            (state / old).rename(state / new)
    remove(state / "old")
    return last


def put_right(state: Path) -> None:
    """Takes back the steps of a call that was killed among its renamings; clears away what is left of it."""
    for name, moved in (("now", "before"), ("before", "old")):
        if (state / moved).exists() and not (state / name).exists():
            (state / moved).rename(state / name)
    for name in ("next", "old"):
        remove(state / name)


def remove(folder: Path) -> None:
    if folder.exists():
        shutil.rmtree(folder)


def keep(results: Results, folder: Path) -> None:
    for name, frame in results.tables.items():
        tables.write(frame, folder / f"{name}.parquet")
    tables.write_text(json.dumps({**results.settings, "tables": list(results.tables)}), folder / "settings.json")


def kept(folder: Path) -> Results | str:
    """What `keep` wrote; a sentence where there is nothing, or nothing that can be read."""
    if not folder.exists():
        return FIRST
    name = "settings.json"
    try:
        settings = json.loads((folder / name).read_text(encoding="utf-8"))
        names, settings = settings["tables"], {key: settings[key] for key in SETTINGS}
        numbers = pl.col(*settings["measures"], *settings["counts"]).cast(pl.Float64)
        name = "leaderboard.parquet"
        board = pl.read_parquet(folder / name).select(pl.col("run", "rank", "^groups$").cast(pl.String), numbers)
        found = {"leaderboard": board}
        for table in names[1:]:
            name = f"{table}.parquet"
            found[table] = narrowed(folder / name, table)
        return Results(settings, found)
    except (OSError, ValueError, TypeError, LookupError, pl.exceptions.PolarsError, pl.exceptions.PanicException):
        return LOST.format(name=name)
