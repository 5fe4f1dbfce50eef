"""From responses and judgments, or from graded responses, to verdicts (DuckDB): a module per way to judge."""

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from duckdb import DuckDBPyConnection

from nonresponse import tasks
from nonresponse.database import connect, copy
from nonresponse.judge import votes
from nonresponse.measures import EXACT

VERDICT_TYPE = "CREATE TYPE verdict AS ENUM (" + ", ".join(f"'{v}'" for v in (*tasks.VERDICTS, tasks.NOT_ASKED)) + ");"
# Per-question reals are rounded to multiples of 2^-32, so that their sums do not depend on their order.
ROUNDING = f"CREATE MACRO exact(x) AS round(x * {EXACT}) / {EXACT}"
NAMES = ("assessor", "run", "question")
KEY = "assessor, run, question, candidate"


def source_tables(folder: Path, shards: list[int], graded: bool) -> dict[str, list[Path]]:
    """What the verdicts of a campaign are made of, in its folder of results: its tables, each with its files."""
    parts = [f"{shard}.parquet" for shard in shards]
    questions = {"questions": [folder / "questions.parquet"]}
    if graded:
        return questions | {"graded_responses": [folder / "graded" / part for part in parts]}
    responses = [folder / "responses" / part for part in parts]
    return questions | {"responses": responses, "judgments": [folder / "judgments.parquet"]}


def open_tables(tables: dict[str, list[Path]]) -> DuckDBPyConnection:
    """A database with a view per table: its name, its Parquet files."""
    connection = connect()
    connection.execute(VERDICT_TYPE)
    connection.execute(ROUNDING)
    for name, paths in tables.items():
        connection.read_parquet([str(path) for path in paths]).create_view(name)
    return connection


def write_verdicts(
    task: str,
    tables: dict[str, list[Path]],
    output: Path,
    correct: Sequence[str] = ("R",),
    partial: Sequence[str] = (),
    closed: bool = False,
    pooled: Sequence[str] = (),
    by_rule: bool = True,
    vote: dict | None = None,
    missing: str | None = None,
    compare_on: str = "shared",
) -> None:
    """Judge (from the tables responses, judgments, questions) or grade (from graded_responses, questions).

    Writes verdicts.parquet, one row per assessor, run, question and candidate. vote: what config.votes.vote_of says,
    where the official judgments are a vote of the assessors. missing: what a question without a response counts as,
    that of the source if left out; compare_on: whether runs are compared on the questions that all of them were asked.
    """
    connection = open_tables(tables)
    record = tasks.get(task)
    rules = {"correct": list(correct), "partial": list(partial), "closed": closed, "pooled": list(pooled)}
    graded = "graded_responses" in tables
    rules |= {"by_rule": by_rule, "compare_on": compare_on}
    rules["missing"] = missing or tasks.MISSING_BY_SOURCE["graded" if graded else "runs"]
    if vote:
        votes.add(connection, "graded_responses" if graded else "judgments", vote, list(correct), list(partial))
    judge = import_module(f"nonresponse.judge.{record.judge}")
    copy(connection, judge.verdicts(connection, record, rules, graded), output)


def names_as_types(connection: DuckDBPyConnection, asked: str, run_table: str) -> None:
    """Types of assessors, runs and questions: sorting by their numbers is much faster than by their names."""
    for name, table in zip(NAMES, (asked, run_table, asked), strict=True):
        connection.execute(f"CREATE TYPE {name}_name AS ENUM (SELECT DISTINCT {name} FROM {table} ORDER BY {name})")


def sorted_by_key(view: str) -> str:
    """The rows of a view in the order of their key, the names as types."""
    typed = ", ".join(f"{name}::{name}_name AS {name}" for name in NAMES)
    return f"SELECT * FROM (SELECT * REPLACE ({typed}) FROM {view}) ORDER BY {KEY}"
