"""The previous results of a campaign, kept by the pipeline itself, so that changes.md can say what a change did.

A campaign's folder has numbered folders for the last two results: those that the page is about, and those before them.
"""

import json
import os
import shutil
import struct
from dataclasses import dataclass, field
from pathlib import Path
from zipfile import BadZipFile

import polars as pl

from nonresponse import tables, tasks
from nonresponse.judging import store
from nonresponse.measures import get

KEYS = {"judgments": tables.JUDGMENTS_KEY, "verdicts": [*store.KEY]}
FILES = {"judgments": "judgments.parquet", "verdicts": store.VERDICTS_FILE}
VALUES = {"judgments": "label", "verdicts": "verdict"}
DAMAGED = (OSError, ValueError, TypeError, LookupError, BadZipFile, struct.error)
SETTINGS = ("official", "first", "measures", "counts")
FIRST = "These are the first results: there is nothing to compare them with."
LOST = (
    "There is nothing to compare with: {name} of the previous results is missing or cannot be read."
    " The next change will be compared."
)


@dataclass
class Results:
    """Results of a campaign, as far as they are compared.

    settings: official (assessor, None = the only one), first (the measure that ranks), measures, counts.
    board: run, rank, a column per measure and count. parts: the files of the verdicts and of the
    judgments, if the campaign has them. scales: of the measures; they are not kept. references: whether judgments
    are reference answers.
    """

    settings: dict
    board: pl.DataFrame
    parts: dict[str, Path]
    scales: dict[str, int] = field(default_factory=dict)
    references: bool = False

    def __eq__(self, other: object) -> bool:
        """Whether all that is compared is the same; data frames cannot be compared with ==."""
        if not isinstance(other, Results) or not self.board.equals(other.board):
            return False
        if (self.settings, self.parts.keys()) != (other.settings, other.parts.keys()):
            return False
        both = [[rows.sort(rows.columns) for rows in unlike(name, self, other)] for name in self.parts]
        return all(old.equals(new) for old, new in both)  # sorted: rows may have changed places

    def names(self, key: str) -> set[str]:
        """All assessors, questions or runs that the verdicts name; none without verdicts."""
        if "verdicts" not in self.parts:
            return set()
        verdicts = store.read_verdicts(self.parts["verdicts"])
        return {*(verdicts.items[key] if key == "question" else getattr(verdicts, f"{key}s"))}


def unlike(name: str, before: Results, now: Results, *some: pl.Expr) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The rows of judgments or verdicts before and now, filtered by `some`, without rows that both have.

    A file that is still the same is not read. Where judgments are reference answers, the answer is the value of a
    judgment, and part of that of a verdict, since a wrong answer may come nearer to the reference.
    """
    both = before.parts[name], now.parts[name]
    if both[0].samefile(both[1]):
        none = pl.DataFrame(schema=dict.fromkeys([*KEYS[name], VALUES[name]], pl.String))
        return none, none
    if name == "verdicts":
        one, other = map(store.read_verdicts, both)
        return store.unlike(one, other).filter(*some), store.unlike(other, one).filter(*some)
    sides = [judgments(file, now.references).filter(*some) for file in both]
    key, pairs = [*KEYS[name], VALUES[name]], (sides, sides[::-1])
    old, new = (one.join(other, on=key, how="anti", nulls_equal=True).collect() for one, other in pairs)
    return old, new


def judgments(file: Path, references: bool) -> pl.LazyFrame:
    """Key and label of judgments, as text; of references the answer in place of the label."""
    rows = tables.spelt(pl.scan_parquet(file))
    rows = rows.with_columns(label="answer", answer=None) if references else rows
    return rows.select(pl.col(*KEYS["judgments"], VALUES["judgments"]).cast(pl.String))


def results_in(folder: Path, files: list[Path], task: str, measures: list[str], official: str | None) -> Results:
    """The Results in the folder of a campaign; files: its verdicts and judgments, if it has them."""
    of_task = tasks.get(task)
    board = pl.read_parquet(folder / "leaderboard.parquet")
    counts = [name for name in of_task.counts if name in board.columns]
    numbers = pl.col(*sorted(measures), *counts).cast(pl.Float64)
    board = board.select("run", pl.col("rank").cast(pl.Int64), numbers).sort("run")
    settings = {"official": official, "first": measures[0], "measures": sorted(measures), "counts": counts}
    parts = {file.stem: file for file in files if file.stem in KEYS}
    return Results(settings, board, parts, {id: get(task, id).scale for id in measures}, of_task.references)


def previous(state: Path, results: Results) -> Results | str:
    """The results before `results`, or a sentence that says why there are none; keeps `results`.

    The same results again get the same answer. New ones are kept by a single renaming: if the job is killed anywhere,
    the next call finds them as a whole or not at all.
    """
    *_, before, last = [None, None, *kept_in(state)]
    latest = kept(last, results.references)
    if latest == results:
        return kept(before, results.references)
    part, new = state / f"part-{os.getpid()}", int(last.name) + 1 if last else 1
    tables.write(results.board, part / "leaderboard.parquet")
    for name, file in results.parts.items():
        tables.keep(file, part / FILES[name])
    tables.write_text(json.dumps({**results.settings, "parts": [*results.parts]}), part / "settings.json")
    part.rename(state / str(new))
    for folder in [*kept_in(state)[:-2], *state.glob("part-*")]:
        shutil.rmtree(folder)
    return latest


def kept_in(state: Path) -> list[Path]:
    """The folders of kept results, the last one at the end."""
    return sorted((it for it in state.glob("*") if it.name.isdecimal()), key=lambda folder: int(folder.name))


def kept(folder: Path | None, references: bool) -> Results | str:
    """The results in a folder; a sentence where there is nothing, or nothing that can be read."""
    if not folder:
        return FIRST
    name = "settings.json"
    try:
        known = json.loads((folder / name).read_text(encoding="utf-8"))
        settings, parts = {key: known[key] for key in SETTINGS}, known["parts"]
        columns = pl.col(*settings["measures"], *settings["counts"]).cast(pl.Float64)
        name = "leaderboard.parquet"
        types = {"run": pl.String, "rank": pl.Int64}
        board = pl.read_parquet(folder / name).select(*(pl.col(one).cast(kind) for one, kind in types.items()), columns)
        found = Results(settings, board, {}, references=references)
        for part in parts:
            name = FILES[part]
            found.parts[part] = folder / name
            if part == "verdicts":
                store.read_verdicts(folder / name)
            else:
                judgments(folder / name, references).collect_schema()
        return found
    except (*DAMAGED, pl.exceptions.PolarsError, pl.exceptions.PanicException):
        return LOST.format(name=name)
