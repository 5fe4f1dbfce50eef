"""Judges decisions on pairs of a question and an answer, by the truth of the pairs."""

from duckdb import DuckDBPyConnection

from nonresponse.database import sql
from nonresponse.judge import Judging, asked, names_as_types, sorted_by_key
from nonresponse.tasks import NOT_ASKED, Task
from nonresponse.tasks.validation import ACCEPT_ALL, REJECT_ALL, RIGHT, WRONG

ITEM = "row(question, candidate)"


def prepare(connection: DuckDBPyConnection, task: Task, judging: Judging, graded: bool) -> None:
    """Makes the view `decisions`; those of graded responses follow from the outcome (tp, fp, fn, tn, u_p, u_n)."""
    decisions = (
        "SELECT assessor, run, question, candidate, verdict = 'error' AS failed, confidence, score,"
        " CASE verdict WHEN 'correct' THEN positive WHEN 'wrong' THEN NOT positive END AS accepted, FALSE AS selected"
        " FROM graded_responses WHERE NOT missing"
        if graded
        else "SELECT a.assessor, r.run, r.question, r.candidate, r.failed, r.confidence, r.score,"
        " CASE WHEN r.answered THEN r.answer IN ('VALIDATED', 'SELECTED') END AS accepted,"
        " coalesce(r.answer = 'SELECTED', FALSE) AS selected"
        " FROM responses AS r CROSS JOIN (SELECT DISTINCT assessor FROM judgments) AS a"
    )
    connection.execute(f"CREATE VIEW decisions AS {decisions}")


def gather(connection: DuckDBPyConnection, graded: bool) -> None:
    """Makes the table `gathered`: the pairs, by assessor, whether each is right, and whether any run selects answers.

    The pairs are those of the gold standard, or of the graded responses.
    """
    pairs = (
        "SELECT g.assessor, g.question, g.candidate, any_value(coalesce(q.category, g.category)) AS category,"
        " any_value(g.positive) AS positive, any_value(q.runs) AS runs"
        " FROM graded_responses AS g LEFT JOIN questions AS q USING (question) GROUP BY ALL"
        if graded
        else "SELECT DISTINCT assessor, question, candidate, q.category, q.runs,"
        f" CASE label WHEN '{RIGHT}' THEN TRUE WHEN '{WRONG}' THEN FALSE END AS positive"
        " FROM judgments LEFT JOIN questions AS q USING (question)"
    )
    selects = "(SELECT coalesce(bool_or(selected), FALSE) FROM decisions)"
    connection.execute(f"CREATE TABLE gathered AS SELECT *, {selects} AS selects FROM ({pairs})")


def meet(connection: DuckDBPyConnection, judging: Judging, graded: bool) -> None:
    """Makes the views `met` and `asked_rows` from the decisions and the pairs."""
    table = "graded_responses" if graded else "responses"
    scored = f"SELECT run, bool_or(score IS NOT NULL) AS scored FROM {table} GROUP BY run"
    connection.execute(f"CREATE TABLE runs AS {scored}")
    connection.execute(sql("met", absent=asked.state(judging.missing)))
    connection.execute(f"CREATE VIEW asked_rows AS SELECT *, absent IS DISTINCT FROM '{NOT_ASKED}' AS asked FROM met")


def verdicts(connection: DuckDBPyConnection, task: Task, judging: Judging, graded: bool, compared: str) -> str:
    """The query for the verdicts, from the views of the tables."""
    trivial = f"(VALUES ('{ACCEPT_ALL}', TRUE), ('{REJECT_ALL}', FALSE)) AS t (run, accepted) WHERE {judging.trivial}"
    connection.execute(f"CREATE VIEW trivial_runs AS SELECT * FROM {trivial}")
    connection.execute("CREATE VIEW all_runs AS SELECT run FROM runs UNION ALL SELECT run FROM trivial_runs")
    connection.execute(sql("verdicts_validation", compared=compared))
    names_as_types(connection, "gathered", "all_runs")
    return sorted_by_key("verdicts")
