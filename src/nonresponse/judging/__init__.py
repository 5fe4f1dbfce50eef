"""From responses and judgments, or from graded responses, to verdicts (DuckDB); each way to judge has a module.

`judge` writes the verdict store (store.py). Shards of responses are judged one after the other, a run whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from nonresponse import tasks
from nonresponse.database import add_macros, connect
from nonresponse.judging import votes
from nonresponse.judging.cells import Run
from nonresponse.judging.recall import Earlier, digest_of
from nonresponse.judging.store import write_verdicts

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

VERDICT_TYPE = "CREATE TYPE verdict AS ENUM (" + ", ".join(f"'{v}'" for v in (*tasks.VERDICTS, tasks.NOT_ASKED)) + ");"
# The verdict that a label stands for; the variables correct and partial are lists of labels.
CALLED = (
    "CREATE MACRO called(label) AS CASE WHEN list_contains(getvariable('correct'), label) THEN 'correct'"
    " WHEN list_contains(getvariable('partial'), label) THEN 'partial' ELSE 'wrong' END"
)
# Of each run the epochs that have first answers, the files that hold its responses, whether these have more ranks.
RUNS = """
SELECT run, coalesce(list_sort(list(DISTINCT epoch) FILTER (first)), []), list(DISTINCT filename), bool_or(further)
FROM (
    SELECT run, epoch, filename, bool_or(rank = 1) AS first, bool_or(rank > 1) AS further FROM {}
    GROUP BY run, epoch, filename
)
GROUP BY run ORDER BY run"""


def source_tables(folder: Path, shards: list[int], graded: bool) -> dict[str, list[Path]]:
    """The files in the campaign's folder that verdicts are made from, by name of their table."""
    parts = [f"{shard}.parquet" for shard in shards]
    questions = {"questions": [folder / "questions.parquet"]}
    if graded:
        return questions | {"graded_responses": [folder / "graded" / part for part in parts]}
    responses = [folder / "responses" / part for part in parts]
    return questions | {"responses": responses, "judgments": [folder / "judgments.parquet"]}


@dataclass(frozen=True)
class Judging:
    """How responses are judged: options of the configuration, with their defaults.

    vote: from config.votes.vote_of, if the official judgments are a vote of the assessors. by_rule: whether the
    campaign's rules on the text of answers count. missing: what a question without a response counts as; if empty, the
    default of the source. judged: whether anybody judged graded responses. trivial: whether the verdicts include the
    task's trivial runs.
    """

    correct: Sequence[str] = ("R",)
    partial: Sequence[str] = ()
    closed: bool = False
    pooled: Sequence[str] = ()
    vote: dict | None = None
    by_rule: bool = True
    missing: str = ""
    compare_on: str = "shared"
    judged: bool = True
    trivial: bool = True


def open_tables(tables: dict[str, list[Path]], judging: Judging) -> DuckDBPyConnection:
    """A database with a view of each table, given as name and Parquet files; the judgments include those by vote.

    The table of all judgments is called judgments, graded_responses or, if `judgments` is to be made from it,
    everybody.
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
    task: str, tables: dict[str, list[Path]], output: Path, *, memo: Path | None = None, code: str = "", **options: Any
) -> None:
    """Judge (from the tables responses, judgments, questions) or grade (from graded_responses, questions).

    Writes the verdict store, verdicts.npz. The options are those of Judging. A memo, kept under `code`, only saves
    time: what was judged before is not judged again.
    """
    record, graded, judging = tasks.get(task), "graded_responses" in tables, Judging(**options)
    judging = replace(judging, missing=judging.missing or tasks.MISSING_BY_SOURCE["graded" if graded else "runs"])
    way, source = import_module(f"nonresponse.judging.{record.judge}"), "graded_responses" if graded else "responses"
    connection = open_tables(tables, replace(judging, vote=None) if graded else judging)
    vote = judging.vote if graded and judging.vote and votes.held_in(connection, source, judging.vote) else None
    files = [str(path) for path in tables[source]]
    connection.read_parquet(files, filename=True).create_view("every_response")
    found = [Run(*row) for row in connection.sql(RUNS.format("every_response")).fetchall()]
    cells = way.prepare(connection, record, judging, graded, found, [vote["name"]] if vote else [])
    known = way.questions_known(connection, cells)
    earlier = Earlier(memo, cells, known, tables.get("judgments", []), code, digest_of(tables["questions"][0]))
    changed = earlier.changed()
    for runs, own, whole in batches(found, files):
        rows = [run for run in runs if run in cells.runs]
        there = earlier.restore(rows, own)
        if there and not changed.any():
            continue
        again = cells.forget(rows, changed) if there else None
        show_runs(connection, source, own, None if whole else runs, again)
        if vote:
            votes.add(connection, source, vote, list(judging.correct), list(judging.partial))
        right = way.judge(connection, cells)
        if not there:
            earlier.right.append(right)
    earlier.keep()
    right = np.logical_or.reduce(earlier.right) if earlier.right else np.zeros((len(cells.assessors), 1), bool)
    write_verdicts(output, way.finish(connection, cells, right))


def batches(runs: list[Run], files: list[str]) -> Iterator[tuple[list[str], list[str], bool]]:
    """The runs that are judged together, the files that hold them, and whether these hold no others.

    A run is judged with the first file that has it.
    """
    in_files: dict[str, list[Run]] = {file: [run for run in runs if file in run.files] for file in files}
    judged: set[str] = set()
    for file in files:
        own = [run for run in in_files[file] if run.name not in judged]
        judged.update(run.name for run in own)
        used = [each for each in files if any(each in run.files for run in own)]
        whole = sum(len(in_files[each]) for each in used) == sum(len(run.files) for run in own)
        if own:
            yield [run.name for run in own], used, whole


def show_runs(
    connection: DuckDBPyConnection, source: str, files: list[str], runs: list[str] | None, questions: list[str] | None
) -> None:
    """Makes the view of responses show those in these files, of some runs and to some questions; None = of all."""
    some = {"run": runs, "question": questions}
    for name, values in some.items():
        connection.execute(f"SET VARIABLE some_{name} = $1", [values or []])
    connection.read_parquet(files).create_view("in_files", replace=True)
    chosen = [f"list_contains(getvariable('some_{name}'), {name})" for name, values in some.items() if values]
    where = " AND ".join(chosen) or "TRUE"
    connection.execute(f"CREATE OR REPLACE VIEW {source} AS FROM in_files WHERE {where}")
