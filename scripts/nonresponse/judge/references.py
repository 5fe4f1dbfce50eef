"""Weighted hypotheses meet the reference; how near they come is the similarity of the task."""

from duckdb import DuckDBPyConnection

from nonresponse.database import sql
from nonresponse.judge import Rules, asked, names_as_types, sorted_by_key
from nonresponse.tasks import NOT_ASKED, Task


def verdicts(connection: DuckDBPyConnection, task: Task, rules: Rules, graded: bool) -> str:
    """The query for the verdicts, from the views of the tables."""
    for name in (f"similarity_{task.id}", "verdicts_hypotheses", f"verdicts_{task.id}"):
        connection.execute(sql(name, absent=asked.state(rules.missing)))
    connection.execute(f"CREATE VIEW asked_rows AS SELECT *, verdict <> '{NOT_ASKED}' AS asked FROM judged")
    among = asked.compared(connection, "asked_rows", "question", rules)
    connection.execute(f"CREATE VIEW compared AS SELECT *, {among} AS compared FROM verdicts")
    names_as_types(connection, "judgments", "responses")
    return sorted_by_key("compared")
