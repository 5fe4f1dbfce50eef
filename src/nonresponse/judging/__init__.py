"""From responses and judgments, or from graded responses, to verdicts; each way to judge has a
module.

DuckDB is loaded where votes are counted, several answers to a question ranked, or hypotheses
compared.

`judge` writes the verdict store (store.py). Shards of responses are judged one after the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from nonresponse import tasks
from nonresponse.database import add_macros, connect, fetched
from nonresponse.judging import votes
from nonresponse.judging.cells import Run
from nonresponse.judging.memo import restore
from nonresponse.judging.store import write_verdicts
from nonresponse.memo import Memo
from nonresponse.tables import GRADED, spelt, typed

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

VERDICT_TYPE = (
    "CREATE TYPE verdict AS ENUM ("
    + ", ".join(f"'{v}'" for v in (*tasks.VERDICTS, tasks.NOT_ASKED))
    + ");"
)
# The verdict that a label stands for; the variables correct and partial are lists of labels.
CALLED = (
    "CREATE MACRO called(label) AS CASE WHEN list_contains(getvariable('correct'), label) THEN "
    "'correct'"
    " WHEN list_contains(getvariable('partial'), label) THEN 'partial' ELSE 'wrong' END"
)


def source_tables(folder: Path, shards: list[int], graded: bool) -> dict[str, list[Path]]:
    """Return the files in the campaign's folder that verdicts are made from, by name of their
    table."""
    parts = [f"{shard}.parquet" for shard in shards]
    questions = {"questions": [folder / "questions.parquet"]}
    if graded:
        return questions | {"graded_responses": [folder / "graded" / part for part in parts]}
    responses = [folder / "responses" / part for part in parts]
    return questions | {"responses": responses, "judgments": [folder / "judgments.parquet"]}


@dataclass(frozen=True)
class Judging:
    """How responses are judged: options of the configuration, with their defaults.

    vote: from config.votes.vote_of, if the official judgments are a vote of the assessors. by_rule:
    whether the campaign's rules on the text of answers count. missing: what a question without a
    response counts as; if empty, the default of the source. judged: whether anybody judged graded
    responses. trivial: whether the verdicts include the task's trivial runs.
    """

    correct: Sequence[str] = ("R",)
    partial: Sequence[str] = ()
    closed: bool = False
    vote: dict | None = None
    by_rule: bool = True
    missing: str = ""
    compare_on: str = "shared"
    judged: bool = True
    trivial: bool = True


@dataclass(frozen=True)
class Sources:
    """The tables that verdicts are made from, as Parquet files by name."""

    tables: dict[str, list[Path]]
    judging: Judging

    @property
    def graded(self) -> bool:
        """Whether responses come with their verdicts."""
        return "graded_responses" in self.tables

    @cached_property
    def connection(self) -> DuckDBPyConnection:
        """A database with a view of each table."""
        return open_tables(self.tables, self.judging)

    def judgments(self) -> pl.LazyFrame:
        """Return the judgments, those by vote among them."""
        if self.judging.vote:
            return fetched(self.connection.table("judgments")).lazy()
        return spelt(pl.scan_parquet(self.tables["judgments"]))

    def show(self, name: str, files: list[Path]) -> None:
        """Let a table have these files only."""
        self.connection.read_parquet([str(file) for file in files]).create_view(name, replace=True)


def open_tables(tables: dict[str, list[Path]], judging: Judging) -> DuckDBPyConnection:
    """Return a database with a view of each table, given as name and Parquet files; the judgments
    include those by vote.

    The table of all judgments is called judgments, graded_responses or, if `judgments` is to be
    made from it, everybody.
    """
    connection = connect()
    add_macros(connection)
    for statement in (VERDICT_TYPE, CALLED):
        connection.execute(statement)
    for name, paths in tables.items():
        connection.read_parquet([str(path) for path in paths]).create_view(name)
    table = next(name for name in ("graded_responses", "everybody", "judgments") if name in tables)
    if judging.vote and votes.held_in(connection, table, judging.vote):
        votes.add(connection, table, judging.vote, list(judging.correct), list(judging.partial))
    return connection


def judge(
    task: str,
    tables: dict[str, list[Path]],
    output: Path,
    memo: Path | None = None,
    code: str = "",
    **options: Any,
) -> None:
    """Judge (from the tables responses, judgments, questions) or grade (from graded_responses,
    questions).

    Writes the verdict store, verdicts.npz. The options are those of Judging. `memo` is a file that
    may hold what an earlier call judged, by the same `code`.
    """
    record, graded, judging = tasks.get(task), "graded_responses" in tables, Judging(**options)
    judging = replace(
        judging, missing=judging.missing or tasks.MISSING_BY_SOURCE["graded" if graded else "runs"]
    )
    way, source = (
        import_module(f"nonresponse.judging.{record.judge}"),
        "graded_responses" if graded else "responses",
    )
    vote = judging.vote if graded and votes.held(judging.vote, tables[source]) else None
    sources = Sources(tables, replace(judging, vote=None) if graded else judging)
    elected = [vote["name"]] if vote else []
    found = [read_runs(file) for file in tables[source]]
    cells = way.prepare(sources, record, list_runs(found), elected)
    patch = None
    if memo and not graded and record.judge == "answers":
        names = [runs["run"].unique().sort().to_list() for runs in found]
        patch = restore(cells, Memo(memo, code), tables[source], names, *tables["questions"])
    # All responses to a question are in one file, but hypotheses are also asked for where there are
    # none.
    files_at_once = [tables[source]] if record.references else [[file] for file in tables[source]]
    for number, files in enumerate(files_at_once):
        rows = pl.scan_parquet(files)
        if vote or record.references:
            sources.show(source, files)
        if vote:
            connection = sources.connection
            votes.add(connection, source, vote, list(judging.correct), list(judging.partial))
            rows = typed(fetched(connection.table(source)), GRADED).lazy()
        changed = patch.rows(number, rows) if patch else rows
        if changed is not None:
            way.judge(sources, cells, changed)
    if patch:
        patch.keep()
    write_verdicts(output, way.finish(cells))


def read_runs(file: Path) -> pl.DataFrame:
    """Return run, epoch and rank of the responses in a file, without most of those that are as in
    the row before."""
    key = ("run", "epoch", "rank")
    differs = pl.any_horizontal(pl.col(name).ne_missing(pl.col(name).shift(1)) for name in key)
    first = pl.int_range(pl.len()) == 0
    return spelt(pl.scan_parquet(file).select(key).filter(differs | first).collect())


def list_runs(found: list[pl.DataFrame]) -> list[Run]:
    """Return the runs that have responses, by name, from what `read_runs` found in each file."""
    epochs = pl.col("epoch").filter(pl.col("rank") == 1).unique().sort()
    runs = pl.concat(found).group_by("run").agg(epochs, (pl.col("rank") > 1).any()).sort("run")
    return [Run(*row) for row in runs.iter_rows()]
