"""Weighted hypotheses meet the reference; how near they come is the similarity of the task."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nonresponse.database import sql
from nonresponse.judge import names_as_types, sorted_by_key

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from nonresponse.tasks import Task


def verdicts(connection: DuckDBPyConnection, task: Task, rules: dict, graded: bool) -> str:
    """The query for the verdicts, from the views of the tables."""
    for name in task.sql:
        connection.execute(sql(name))
    names_as_types(connection, "judgments", "responses")
    return sorted_by_key("verdicts")
