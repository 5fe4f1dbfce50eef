"""From responses and judgments, or from graded responses, to verdicts (DuckDB); each way to judge has a module."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any

from duckdb import DuckDBPyConnection

from nonresponse import tasks
from nonresponse.database import add_macros, connect, copy
from nonresponse.judge import asked, votes
from nonresponse.tasks import Task

VERDICT_TYPE = "CREATE TYPE verdict AS ENUM (" + ", ".join(f"'{v}'" for v in (*tasks.VERDICTS, tasks.NOT_ASKED)) + ");"
# The verdict that a label stands for; the variables correct and partial are lists of labels.
CALLED = (
    "CREATE MACRO called(label) AS CASE WHEN list_contains(getvariable('correct'), label) THEN 'correct'"
    " WHEN list_contains(getvariable('partial'), label) THEN 'partial' ELSE 'wrong' END"
)
NAMES = ("assessor", "run", "question")
KEY = "assessor, run, question, candidate"


def source_tables(folder: Path, shards: list[int], graded: bool) -> dict[str, list[Path]]:
    """The files in the campaign's folder that the verdicts of some shards are made from, by name of their table."""
    parts = [f"{shard}.parquet" for shard in shards]
    questions = {"questions": [folder / "questions.parquet"]}
    if graded:
        return questions | {"graded_responses": [folder / "graded" / part for part in parts]}
    responses = [folder / "responses" / part for part in parts]
    return questions | {"responses": responses, "judgments": [folder / "judgments.parquet"]}


RESPONSES = ("responses", "graded_responses")  # the tables that come in shards


@dataclass(frozen=True)
class Judging:
    """How responses are judged: options of the configuration, with their defaults.

    vote: from config.votes.vote_of, if the official judgments are a vote of the assessors. by_rule: whether the
    campaign's rules on the text of answers count. missing: what a question without a response counts as; if empty, the
    default of the source. trivial: whether the verdicts include the task's trivial runs.
    """

    correct: Sequence[str] = ("R",)
    partial: Sequence[str] = ()
    closed: bool = False
    pooled: Sequence[str] = ()
    vote: dict | None = None
    by_rule: bool = True
    missing: str = ""
    compare_on: str = "shared"
    trivial: bool = True


# A run may be in the files of several shards: it is judged with the first of them. The variable files has the paths of
# the tables of these shards, in their order.
WITH_FIRST = """
SELECT * EXCLUDE filename FROM {source}
WHERE run IN (SELECT run FROM {source} GROUP BY run HAVING min(list_position(getvariable('files'), filename)) = {place})
"""


def open_tables(tables: dict[str, list[Path]], judging: Judging, shard: int | None = None) -> DuckDBPyConnection:
    """A database with a view of each table, given as name and Parquet files; the judgments include those by vote.

    The table of all judgments is called judgments, graded_responses or, if `judgments` is to be made from it,
    everybody. Of the responses in several shards, those of the runs that are judged with `shard`.
    """
    connection = connect()
    add_macros(connection)
    for statement in (VERDICT_TYPE, CALLED):
        connection.execute(statement)
    for name, paths in tables.items():
        several = shard is not None and name in RESPONSES and len(paths) > 1
        files = [str(path) for path in paths]
        connection.read_parquet(files, filename=several).create_view(f"all_{name}" if several else name)
        if several:
            connection.execute("SET VARIABLE files = $1", [files])
            place = [path.stem for path in paths].index(str(shard)) + 1
            connection.execute(f"CREATE VIEW {name} AS {WITH_FIRST.format(source=f'all_{name}', place=place)}")
    voting = bool(judging.vote)
    if "known_of_all" in tables:  # another shard may hold judgments by an assessor who has the vote's name
        voting = connection.sql("SELECT bool_or(voted) FROM known_of_all").fetchall()[0][0]
    if judging.vote and voting:
        table = next(name for name in ("graded_responses", "everybody", "judgments") if name in tables)
        voting = votes.add(connection, table, judging.vote, list(judging.correct), list(judging.partial))
    connection.execute("SET VARIABLE voted = $1", [voting])
    return connection


def begun(
    task: str, tables: dict[str, list[Path]], options: dict[str, Any], shard: int | None = None
) -> tuple[DuckDBPyConnection, Any, Task, Judging, bool]:
    """A database with the tables; the module that judges the task; the task; how it is judged; whether it is graded."""
    record, graded, judging = tasks.get(task), "graded_responses" in tables, Judging(**options)
    judging = replace(judging, missing=judging.missing or tasks.MISSING_BY_SOURCE["graded" if graded else "runs"])
    connection, way = open_tables(tables, judging, shard), import_module(f"nonresponse.judge.{record.judge}")
    way.prepare(connection, record, judging, graded)
    return connection, way, record, judging, graded


def write_known(task: str, tables: dict[str, list[Path]], output: Path, **options: Any) -> None:
    """Writes known_of_all, what verdicts need from the responses of all runs, for `write_verdicts` of each shard.

    The tables and options are those of `write_verdicts`.
    """
    connection, way, record, judging, graded = begun(task, tables, options)
    way.gather(connection, graded)
    among = "TRUE"
    if asked.may_differ(connection, judging.missing, judging.compare_on):
        way.meet(connection, judging, graded)
        among = asked.compared(connection, way.ITEM, record.trivial)
    noted = asked.noted(connection, way.ITEM, among)
    copy(connection, f"SELECT *, getvariable('voted') AS voted FROM ({noted}) ORDER BY ALL", output)


def sharing(tables: dict[str, list[Path]]) -> dict[str, list[int]]:
    """By shard, the shards that have responses of the same runs, and itself."""
    [paths] = (paths for name, paths in tables.items() if name in RESPONSES)
    rows = connect().read_parquet([str(path) for path in paths], filename=True)
    of_runs = [
        {int(Path(file).stem) for file in files}
        for (files,) in rows.aggregate("list(DISTINCT filename)", "run").fetchall()
    ]
    return {
        path.stem: sorted({int(path.stem)}.union(*(its for its in of_runs if int(path.stem) in its))) for path in paths
    }


def write_verdicts(
    task: str, tables: dict[str, list[Path]], output: Path, shard: int | None = None, **options: Any
) -> None:
    """Judge (from the tables responses, judgments, questions) or grade (from graded_responses, questions).

    Writes one row per assessor, run, question and candidate, sorted, for `database.add_verdicts`. For the runs of one
    `shard` of several, `tables` also has known_of_all, and the responses of all shards that have the same runs
    (`sharing`). The options are those of Judging.
    """
    connection, way, record, judging, graded = begun(task, tables, options, shard)
    if "known_of_all" in tables:
        among = asked.read_known(connection, way.ITEM)
        way.meet(connection, judging, graded)
    else:
        way.gather(connection, graded)
        way.meet(connection, judging, graded)
        among = "TRUE"
        if asked.may_differ(connection, judging.missing, judging.compare_on):
            among = asked.compared(connection, way.ITEM, record.trivial)
    copy(connection, way.verdicts(connection, record, judging, graded, among), output)


def names_as_types(connection: DuckDBPyConnection, asked: str, run_table: str) -> None:
    """Types of assessors, runs and questions: sorting by their numbers is much faster than by their names."""
    for name, table in zip(NAMES, (asked, run_table, asked), strict=True):
        connection.execute(f"CREATE TYPE {name}_name AS ENUM (SELECT DISTINCT {name} FROM {table} ORDER BY {name})")


def sorted_by_key(view: str) -> str:
    """A query for the rows of a view, sorted by their key, with names in the types of `names_as_types`."""
    typed = ", ".join(f"{name}::{name}_name AS {name}" for name in NAMES)
    return f"SELECT * FROM (SELECT * REPLACE ({typed}) FROM {view}) ORDER BY {KEY}"
