"""Weighted hypotheses meet the reference; how near they come is the task's own similarity."""

from nonresponse.database import sql
from nonresponse.judge import names_as_types, sorted_by_key


def verdicts(connection, task, rules: dict, graded: bool) -> str:
    """The query for the verdicts, from the views of the tables."""
    for name in task.sql:
        connection.execute(sql(name))
    names_as_types(connection, "judgments", "responses")
    return sorted_by_key("verdicts")
