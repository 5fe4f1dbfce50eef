"""The previous results of a campaign, kept by the pipeline itself, so that changes.md can say what a change did.

A campaign's folder has numbered folders for the last two results: those that the page is about, and those before them.
"""

import json
import os
import shutil
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path

import polars as pl

from nonresponse import tables, tasks
from nonresponse.database import VERDICTS_KEY
from nonresponse.measures import get

KEYS = {"judgments": tables.JUDGMENTS_KEY, "verdicts": [*VERDICTS_KEY]}
VALUES = {"judgments": "label", "verdicts": "verdict"}
# Where judgments are reference answers, the answer is the value of a judgment, and part of that of a verdict, since a
# wrong answer may come nearer to the reference.
OF_REFERENCES = {
    "judgments": {"label": pl.col("answer"), "answer": pl.lit(None)},
    "verdicts": {"verdict": pl.concat_str("verdict", "answer", separator=" ", ignore_nulls=True)},
}
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
    board: run, rank, groups if any, a column per measure and count. parts: the files of the verdicts and of
    the judgments, if the campaign has them. scales: of the measures; they are not kept. references: whether judgments
    are reference answers.
    """

    settings: dict
    board: pl.DataFrame
    parts: dict[str, list[Path]]
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

    def rows(self, name: str, file: Path) -> pl.LazyFrame:
        """Key and value of a file of judgments or verdicts, as text; without epochs, the epoch is 0."""
        columns = [*KEYS[name], VALUES[name]]
        rows = tables.spelt(pl.scan_parquet(file)).with_columns(**OF_REFERENCES[name] if self.references else {})
        if "epoch" in columns and "epoch" not in rows.collect_schema():
            rows = rows.with_columns(epoch=pl.lit("0"))
        return rows.select(pl.col(columns).cast(pl.String))

    def names(self, name: str, key: str) -> set[str]:
        """All values in one column of the key."""
        return {
            value
            for file in self.parts.get(name, [])
            for value in self.rows(name, file).select(pl.col(key).unique()).collect(engine="streaming")[key]
        }


def unlike(name: str, before: Results, now: Results, *some: pl.Expr) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The rows of judgments or verdicts before and now, filtered by `some`, without rows that are equal in one place.

    Nearly all rows are in their old places, so that few are held in memory. A file that is still the same is not read.
    """
    columns = [*KEYS[name], VALUES[name]]
    frames = [pl.DataFrame(schema=dict.fromkeys(["before", "now"], pl.Struct(dict.fromkeys(columns, pl.String))))]
    for files in zip_longest(before.parts[name], now.parts[name]):
        if None not in files and files[0].samefile(files[1]):
            continue
        sides = [
            of.rows(name, file).filter(*some).select(pl.struct(columns).alias(side))
            if file
            else frames[0].lazy().select(side)
            for side, of, file in zip(("before", "now"), (before, now), files, strict=True)
        ]
        beside = pl.concat(sides, how="horizontal_extend").filter(pl.col("before").ne_missing(pl.col("now")))
        frames.append(beside.collect(engine="streaming"))
    rows = pl.concat(frames)
    old, new = (rows.select(pl.col(side).drop_nulls()).unnest(side) for side in ("before", "now"))
    return old, new


def results_in(folder: Path, files: list[Path], task: str, measures: list[str], official: str | None) -> Results:
    """The Results in the folder of a campaign; files: its verdicts and judgments, if it has them."""
    of_task = tasks.get(task)
    board = pl.read_parquet(folder / "leaderboard.parquet")
    counts = [name for name in of_task.counts if name in board.columns]
    numbers = pl.col(*sorted(measures), *counts).cast(pl.Float64)
    board = board.select("run", pl.col("rank").cast(pl.Int64), "^groups$", numbers).sort("run")
    settings = {"official": official, "first": measures[0], "measures": sorted(measures), "counts": counts}
    parts = {name: [file for file in files if file.stem == name] for name in KEYS}
    parts = {name: of_name for name, of_name in parts.items() if of_name}
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
    for name, files in results.parts.items():
        for number, file in enumerate(files):
            tables.keep(file, part / f"{name}-{number}.parquet")
    numbers = {name: len(files) for name, files in results.parts.items()}
    tables.write_text(json.dumps({**results.settings, "parts": numbers}), part / "settings.json")
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
        settings, numbers = {key: known[key] for key in SETTINGS}, known["parts"]
        columns = pl.col(*settings["measures"], *settings["counts"]).cast(pl.Float64)
        name = "leaderboard.parquet"
        types = {"run": pl.String, "rank": pl.Int64, "^groups$": pl.String}
        board = pl.read_parquet(folder / name).select(*(pl.col(one).cast(kind) for one, kind in types.items()), columns)
        found = Results(settings, board, {}, references=references)
        for table, number in numbers.items():
            found.parts[table] = [folder / f"{table}-{part}.parquet" for part in range(number)]
            for file in found.parts[table]:
                name = file.name
                found.rows(table, file).collect_schema()
        return found
    except (OSError, ValueError, TypeError, LookupError, pl.exceptions.PolarsError, pl.exceptions.PanicException):
        return LOST.format(name=name)
