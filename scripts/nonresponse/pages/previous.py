"""The results that a campaign had before: kept by the pipeline itself, so that changes.md can say what a change did.

A campaign's folder holds a folder for each of the last two results, numbered: those that the page was written for, and
those before them.
"""

import json
import os
import shutil
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from nonresponse import tables, tasks
from nonresponse.measures import get

KEYS = {"judgments": tables.JUDGMENTS_KEY, "verdicts": ["assessor", "run", "question", "epoch", "candidate"]}
PLACES = {"judgments": "judgments.parquet", "verdicts": "verdicts"}
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
    judgments, each with its key and value, as far as the campaign has them. scales: those of measures, which are not
    kept.
    """

    settings: dict
    tables: dict[str, pl.DataFrame]
    scales: dict[str, int] = field(default_factory=dict)

    def __eq__(self, other: object) -> bool:
        """Whether settings and tables are the same; data frames cannot be compared with ==."""
        return (
            isinstance(other, Results)
            and (self.settings, self.tables.keys()) == (other.settings, other.tables.keys())
            and all(frame.equals(other.tables[name]) for name, frame in self.tables.items())
        )


def results_in(folder: Path, names: list[str], task: str, measures: list[str], official: str | None) -> Results:
    """What is compared, from the results of the campaign; names: leaderboard, verdicts, judgments."""
    of_task = tasks.get(task)
    board = pl.read_parquet(folder / "leaderboard.parquet")
    counts = [name for name in of_task.counts if name in board.columns]
    rank = pl.col("rank").cast(pl.String) + pl.when("tied").then(pl.lit("=")).otherwise(pl.lit(""))
    numbers = pl.col(*sorted(measures), *counts).cast(pl.Float64)
    board = board.select("run", rank, pl.col("^groups$"), numbers).sort("run")
    settings = {"official": official, "first": measures[0], "measures": sorted(measures), "counts": counts}
    replaced = OF_REFERENCES if of_task.references else {}
    kept_tables = {name: narrowed(folder / PLACES[name], name, replaced.get(name)) for name in KEYS if name in names}
    scales = {id: get(task, id).scale for id in measures}
    return Results(settings, {"leaderboard": board, **kept_tables}, scales)


def narrowed(file: Path, name: str, replaced: dict[str, pl.Expr] | None = None) -> pl.DataFrame:
    """Key and value of judgments or verdicts; as categories, or ten million rows would be gigabytes.

    The replaced columns are made from others of the file. Some tasks have no epochs, in which questions are asked once.
    """
    columns = [*KEYS[name], VALUES[name]]
    rows = tables.scan(file).with_columns(**replaced or {})
    if "epoch" in columns and "epoch" not in rows.collect_schema():
        rows = rows.with_columns(epoch=pl.lit("0"))
    frame = rows.select(pl.col(columns).cast(pl.String).cast(pl.Categorical)).collect(engine="streaming")
    return frame.sort("assessor", "run", maintain_order=True) if file.is_dir() else frame


def previous(state: Path, results: Results) -> Results | str:
    """What the results are to be compared with, or a sentence that says why there is nothing; keeps the results.

    The same results again get the same answer. New ones are kept by a single renaming: killed anywhere, the next call
    finds them as a whole or not at all.
    """
    *_, before, last = [None, None, *kept_in(state)]
    latest = kept(last)
    if latest == results:
        return kept(before)
    part, number = state / f"part-{os.getpid()}", int(last.name) + 1 if last else 1
    for name, frame in results.tables.items():
        tables.write(frame, part / f"{name}.parquet")
    tables.write_text(json.dumps({**results.settings, "tables": list(results.tables)}), part / "settings.json")
    part.rename(state / str(number))
    for folder in [*kept_in(state)[:-2], *state.glob("part-*")]:
        shutil.rmtree(folder)
    return latest


def kept_in(state: Path) -> list[Path]:
    """The folders of kept results, the last one at the end."""
    return sorted((it for it in state.glob("*") if it.name.isdecimal()), key=lambda folder: int(folder.name))


def kept(folder: Path | None) -> Results | str:
    """The results in a folder; a sentence where there is nothing, or nothing that can be read."""
    if not folder:
        return FIRST
    name = "settings.json"
    try:
        settings = json.loads((folder / name).read_text(encoding="utf-8"))
        names, settings = settings["tables"], {key: settings[key] for key in SETTINGS}
        numbers = pl.col(*settings["measures"], *settings["counts"]).cast(pl.Float64)
        name = "leaderboard.parquet"
        board = pl.read_parquet(folder / name).select(pl.col("run", "rank", "^groups$").cast(pl.String), numbers)
        kept_tables = {"leaderboard": board}
        for table in names[1:]:
            name = f"{table}.parquet"
            kept_tables[table] = narrowed(folder / name, table)
        return Results(settings, kept_tables)
    except (OSError, ValueError, TypeError, LookupError, pl.exceptions.PolarsError, pl.exceptions.PanicException):
        return LOST.format(name=name)
