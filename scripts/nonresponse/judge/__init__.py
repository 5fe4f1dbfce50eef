"""From responses and judgments, or from graded responses, to verdicts (DuckDB): a module per way to judge."""

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
# What a label says of an answer, by the variables correct and partial, which are lists of labels.
CALLED = (
    "CREATE MACRO called(label) AS CASE WHEN list_contains(getvariable('correct'), label) THEN 'correct'"
    " WHEN list_contains(getvariable('partial'), label) THEN 'partial' ELSE 'wrong' END"
)
NAMES = ("assessor", "run", "question")
KEY = "assessor, run, question, candidate"


def source_tables(folder: Path, shards: list[int], graded: bool) -> dict[str, list[Path]]:
    """What the verdicts of some shards are made of, in the campaign's folder: its tables, each with its files."""
    parts = [f"{shard}.parquet" for shard in shards]
    questions = {"questions": [folder / "questions.parquet"]}
    if graded:
        return questions | {"graded_responses": [folder / "graded" / part for part in parts]}
    responses = [folder / "responses" / part for part in parts]
    return questions | {"responses": responses, "judgments": [folder / "judgments.parquet"]}


@dataclass(frozen=True)
class Rules:
    """How responses are judged: options of the configuration, with their defaults.

    vote: what config.votes.vote_of says, where the official judgments are a vote of the assessors. by_rule: whether the
    campaign's rules on the text of answers count. missing: what a question without a response counts as, that of the
    source if left out. trivial: whether the trivial runs of the task are among the verdicts.
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


def open_tables(tables: dict[str, list[Path]], rules: Rules) -> DuckDBPyConnection:
    """A database with a view per table: its name, its Parquet files; what the assessors elect is among the judgments.

    All judgments are a table judgments, graded_responses or, where `judgments` shall be others, everybody.
    """
    connection = connect()
    add_macros(connection)
    for statement in (VERDICT_TYPE, CALLED):
        connection.execute(statement)
    for name, paths in tables.items():
        connection.read_parquet([str(path) for path in paths]).create_view(name)
    voting = bool(rules.vote)
    if "known_of_all" in tables:  # where shards hold what no assessor of that name judged, others may
        voting = connection.sql("SELECT bool_or(voted) FROM known_of_all").fetchall()[0][0]
    if rules.vote and voting:
        table = next(name for name in ("graded_responses", "everybody", "judgments") if name in tables)
        voting = votes.add(connection, table, rules.vote, list(rules.correct), list(rules.partial))
    connection.execute("SET VARIABLE voted = $1", [voting])
    return connection


def begun(
    task: str, tables: dict[str, list[Path]], options: dict[str, Any]
) -> tuple[DuckDBPyConnection, Any, Task, Rules, bool]:
    """A database with the tables; the module of the task's way to judge; the task; the rules; whether it is graded."""
    record, graded, rules = tasks.get(task), "graded_responses" in tables, Rules(**options)
    rules = replace(rules, missing=rules.missing or tasks.MISSING_BY_SOURCE["graded" if graded else "runs"])
    connection, way = open_tables(tables, rules), import_module(f"nonresponse.judge.{record.judge}")
    way.prepare(connection, record, rules, graded)
    return connection, way, record, rules, graded


def write_known(task: str, tables: dict[str, list[Path]], output: Path, **options: Any) -> None:
    """What verdicts owe to the responses of all runs together: known_of_all, for `write_verdicts` of each shard.

    The tables and options are those of `write_verdicts`.
    """
    connection, way, record, rules, graded = begun(task, tables, options)
    way.gather(connection, graded)
    among = "TRUE"
    if asked.may_differ(connection, rules):
        way.meet(connection, rules, graded)
        among = asked.compared(connection, way.ITEM, record.trivial)
    noted = asked.noted(connection, way.ITEM, among)
    copy(connection, f"SELECT *, getvariable('voted') AS voted FROM ({noted}) ORDER BY ALL", output)


def write_verdicts(task: str, tables: dict[str, list[Path]], output: Path, **options: Any) -> None:
    """Judge (from the tables responses, judgments, questions) or grade (from graded_responses, questions).

    Writes one row per assessor, run, question and candidate, sorted, for `database.add_verdicts`. Of some runs alone,
    known_of_all is one more table. The options are those of Rules.
    """
    connection, way, record, rules, graded = begun(task, tables, options)
    if "known_of_all" in tables:
        among = asked.read_known(connection, way.ITEM)
        way.meet(connection, rules, graded)
    else:
        way.gather(connection, graded)
        way.meet(connection, rules, graded)
        among = asked.compared(connection, way.ITEM, record.trivial) if asked.may_differ(connection, rules) else "TRUE"
    copy(connection, way.verdicts(connection, record, rules, graded, among), output)


def names_as_types(connection: DuckDBPyConnection, asked: str, run_table: str) -> None:
    """Types of assessors, runs and questions: sorting by their numbers is much faster than by their names."""
    for name, table in zip(NAMES, (asked, run_table, asked), strict=True):
        connection.execute(f"CREATE TYPE {name}_name AS ENUM (SELECT DISTINCT {name} FROM {table} ORDER BY {name})")


def sorted_by_key(view: str) -> str:
    """The rows of a view in the order of their key, the names as types."""
    typed = ", ".join(f"{name}::{name}_name AS {name}" for name in NAMES)
    return f"SELECT * FROM (SELECT * REPLACE ({typed}) FROM {view}) ORDER BY {KEY}"
