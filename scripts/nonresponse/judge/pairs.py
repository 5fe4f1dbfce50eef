"""Decisions on pairs of a question and an answer meet the truth of the pairs."""

from duckdb import DuckDBPyConnection

from nonresponse.database import sql
from nonresponse.judge import Rules, asked, names_as_types, sorted_by_key
from nonresponse.tasks import NOT_ASKED, Task
from nonresponse.tasks.validation import ACCEPT_ALL, REJECT_ALL, RIGHT, WRONG


def verdicts(connection: DuckDBPyConnection, task: Task, rules: Rules, graded: bool) -> str:
    """The query for the verdicts, from the views of the tables."""
    grade(connection) if graded else judge(connection)
    table = "graded_responses" if graded else "responses"
    scored = f"SELECT run, bool_or(score IS NOT NULL) AS scored FROM {table} GROUP BY run"
    connection.execute(f"CREATE TABLE runs AS {scored}")
    trivial = f"(VALUES ('{ACCEPT_ALL}', TRUE), ('{REJECT_ALL}', FALSE)) AS t (run, accepted)"
    connection.execute(f"CREATE VIEW trivial_runs AS SELECT * FROM {trivial}")
    connection.execute("CREATE VIEW all_runs AS SELECT run FROM runs UNION ALL SELECT run FROM trivial_runs")
    selects = connection.sql("SELECT coalesce(bool_or(selected), FALSE) FROM decisions").fetchall()[0][0]
    connection.execute(sql("met", absent=asked.state(rules.missing)))
    connection.execute(f"CREATE VIEW asked_rows AS SELECT *, absent IS DISTINCT FROM '{NOT_ASKED}' AS asked FROM met")
    pair = "row(question, candidate)"
    among = asked.compared(connection, "asked_rows", pair, rules, task.trivial)
    connection.execute(sql("verdicts_validation", selects=str(selects), compared=among))
    names_as_types(connection, "pairs", "all_runs")
    return sorted_by_key("verdicts")


def judge(connection: DuckDBPyConnection) -> None:
    """From runs and judgments: `pairs` from the gold standard, `decisions` from the responses."""
    connection.execute(
        "CREATE TABLE pairs AS SELECT DISTINCT assessor, question, candidate, q.category, q.runs,"
        f" CASE label WHEN '{RIGHT}' THEN TRUE WHEN '{WRONG}' THEN FALSE END AS positive"
        " FROM judgments LEFT JOIN questions AS q USING (question)"
    )
    connection.execute(
        "CREATE VIEW decisions AS SELECT a.assessor, r.run, r.question, r.candidate, r.failed, r.confidence, r.score,"
        " CASE WHEN r.answered THEN r.answer IN ('VALIDATED', 'SELECTED') END AS accepted,"
        " coalesce(r.answer = 'SELECTED', FALSE) AS selected"
        " FROM responses AS r CROSS JOIN (SELECT DISTINCT assessor FROM judgments) AS a"
    )


def grade(connection: DuckDBPyConnection) -> None:
    """From graded responses: what was decided and what was right follow from the outcome (tp, fp, fn, tn, u_p, u_n)."""
    connection.execute(
        "CREATE TABLE pairs AS SELECT g.assessor, g.question, g.candidate,"
        " any_value(coalesce(q.category, g.category)) AS category, any_value(g.positive) AS positive,"
        " any_value(q.runs) AS runs"
        " FROM graded_responses AS g LEFT JOIN questions AS q USING (question) GROUP BY ALL"
    )
    connection.execute(
        "CREATE VIEW decisions AS SELECT assessor, run, question, candidate, verdict = 'error' AS failed, confidence,"
        " score, CASE verdict WHEN 'correct' THEN positive WHEN 'wrong' THEN NOT positive END AS accepted,"
        " FALSE AS selected FROM graded_responses WHERE NOT missing"
    )
