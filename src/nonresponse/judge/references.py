"""Judges weighted hypotheses by their similarity to the reference, as the task defines it."""

from duckdb import DuckDBPyConnection

from nonresponse.database import sql
from nonresponse.judge import Judging, asked, names_as_types, sorted_by_key
from nonresponse.tasks import NOT_ASKED, Task

ITEM = "question"


def prepare(connection: DuckDBPyConnection, task: Task, judging: Judging, graded: bool) -> None:
    """Makes the views `judged` and `verdicts`."""
    for name in (f"similarity_{task.id}", "verdicts_hypotheses", f"verdicts_{task.id}"):
        connection.execute(sql(name, absent=asked.state(judging.missing)))


def gather(connection: DuckDBPyConnection, graded: bool) -> None:
    """Makes the table `gathered`: the questions."""
    connection.execute("CREATE TABLE gathered AS SELECT DISTINCT question FROM judgments")


def meet(connection: DuckDBPyConnection, judging: Judging, graded: bool) -> None:
    """Makes the view `asked_rows`."""
    connection.execute(f"CREATE VIEW asked_rows AS SELECT *, verdict <> '{NOT_ASKED}' AS asked FROM judged")


def verdicts(connection: DuckDBPyConnection, task: Task, judging: Judging, graded: bool, compared: str) -> str:
    """The query for the verdicts, from the views of the tables."""
    connection.execute(f"CREATE VIEW compared AS SELECT *, {compared} AS compared FROM verdicts")
    names_as_types(connection, "judgments", "responses")
    return sorted_by_key("compared")
