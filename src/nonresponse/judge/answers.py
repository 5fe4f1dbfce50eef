"""Judges answers to questions; where a question has several answers, the first one gives the verdict."""

from duckdb import DuckDBPyConnection

from nonresponse.database import sql
from nonresponse.judge import Judging, asked, names_as_types
from nonresponse.tasks import NOT_ASKED, Task
from nonresponse.tasks.qa import ROMIP_LABELS

ITEM = "question::VARCHAR"
# How many first answers and how many further ones each run gave.
ANSWERS = (
    "CREATE TABLE answers AS SELECT {by}, epoch, count(*) FILTER (rank = 1) AS first,"
    " count(*) FILTER (rank > 1) AS further FROM {table} GROUP BY ALL"
)
# Runs that leave some question out: only these are searched for the questions that they leave out.
SHORT_RUNS = (
    "CREATE TABLE short_runs AS SELECT a.assessor, e.run FROM assessors AS a"
    " CROSS JOIN (SELECT run, count(*) AS epochs FROM epochs GROUP BY run) AS e"
    " LEFT JOIN answers AS x ON x.run = e.run {same} GROUP BY a.assessor, e.run, e.epochs"
    " HAVING coalesce(sum(x.first), 0) < (SELECT count(DISTINCT question) FROM known) * e.epochs"
)
KEY = "assessor, run, question, epoch"


def prepare(connection: DuckDBPyConnection, task: Task, judging: Judging, graded: bool) -> None:
    """Makes the table `judged`, the judgments with their verdicts; nothing for graded responses."""
    if not graded:
        labels = {"right_labels": judging.pooled or task.right, "correct": judging.correct, "partial": judging.partial}
        for name, value in labels.items():
            connection.execute(f"SET VARIABLE {name} = $1", [list(value)])
        connection.execute(sql("judged"))


def gather(connection: DuckDBPyConnection, graded: bool) -> None:
    """Makes the table `gathered`: what is known of each question, by assessor."""
    who = "SELECT DISTINCT assessor FROM graded_responses"
    if not graded:
        # Before any judgment there is still a row for the official assessor, who has no name yet.
        judged = connection.sql("SELECT count(*) FROM judgments").fetchall()[0][0]
        who = "SELECT DISTINCT assessor FROM judgments" if judged else "SELECT 'official' AS assessor"
    connection.execute(f"CREATE TABLE assessors AS {who}")
    connection.execute(sql("known_graded" if graded else "known_judged"))


def meet(connection: DuckDBPyConnection, judging: Judging, graded: bool) -> None:
    """Makes the views `graded`, `silent` and `asked_rows` from the answers and from `gathered`."""
    connection.execute("CREATE OR REPLACE TABLE assessors AS SELECT DISTINCT assessor FROM gathered")
    grade(connection, judging) if graded else judge(connection, judging)
    connection.execute("CREATE TABLE epochs AS SELECT DISTINCT run, epoch FROM answers WHERE first > 0")
    connection.execute(SHORT_RUNS.format(same="AND x.assessor = a.assessor" if graded else ""))
    same = "AND f.assessor = k.assessor" if graded else ""
    connection.execute(sql("silent", absent=asked.state(judging.missing), same=same))
    response = "NOT missing" if graded else "TRUE"
    connection.execute(
        f"CREATE VIEW asked_rows AS SELECT run, question, {response} AS asked FROM first_ranks"
        f" UNION ALL SELECT run, question, verdict <> '{NOT_ASKED}' FROM silent"
    )


def verdicts(connection: DuckDBPyConnection, task: Task, judging: Judging, graded: bool, compared: str) -> str:
    """The query for the verdicts, from the views of the tables."""
    several = connection.sql("SELECT * FROM answers WHERE further > 0 LIMIT 1").fetchall()
    of_romip = f"SELECT DISTINCT assessor FROM judged WHERE label IN {ROMIP_LABELS}"
    labelled = [] if graded else connection.sql(of_romip).fetchall()
    connection.execute("SET VARIABLE romip = $1", [[assessor for (assessor,) in labelled]])
    connection.execute(sql("verdicts_qa", compared=compared))
    if several:
        connection.execute(sql("several"))
    return f"FROM ({sql('several_answers') if several else 'FROM verdicts'}) ORDER BY {KEY}"


def graded_answers(connection: DuckDBPyConnection, task: Task, judging: Judging, graded: bool = False) -> None:
    """Makes only the view `graded`, of the answers of all runs, and the tables that it needs."""
    prepare(connection, task, judging, graded)
    gather(connection, graded)
    grade(connection, judging) if graded else judge(connection, judging)


def judge(connection: DuckDBPyConnection, judging: Judging) -> None:
    """Makes the table `known` and the view `graded` from responses and judgments."""
    named = connection.sql("SELECT count(run), count(document), count(answer) FROM judgments").fetchall()[0]
    looked_up = {"run": "r.run", "document": "r.document", "answer": "coalesce(r.answer, r.candidate)"}
    match = "".join(
        f"AND j.{column} IS NOT DISTINCT FROM {expression} "
        for (column, expression), count in zip(looked_up.items(), named, strict=True)
        if count
    )
    withheld = "r.candidate IS NOT NULL" + ("" if named[2] else " OR r.document IS NOT NULL")
    what = "coalesce(r.answer, r.document)" if named[2] else "coalesce(r.document, r.answer)"
    fields = {"match": match, "what": what, "withheld": f"({withheld})"}
    with_ranks(connection, "responses", "run")
    by_rule = "r.by_rule" if judging.by_rule else "NULL::VARCHAR"
    connection.execute(sql("match", **fields, by_rule=by_rule, unlisted="wrong" if judging.closed else "unscored"))


def grade(connection: DuckDBPyConnection, judging: Judging) -> None:
    """Makes the table `known` and the view `graded` from graded responses."""
    with_ranks(connection, "graded_responses", "assessor, run")
    by_rule = "g.by_rule" if judging.by_rule else "NULL::VARCHAR"
    connection.execute(sql("graded", by_rule=by_rule, absent=asked.state(judging.missing)))


def with_ranks(connection: DuckDBPyConnection, table: str, by: str) -> None:
    """Makes views of the first and of further answers in a table; and the table `known`, with names also as types.

    Answers take these types from `known`, which is faster than looking each name up.
    """
    connection.execute(ANSWERS.format(by=by, table=table))
    names_as_types(connection, "gathered", "answers")
    typed = "assessor::assessor_name AS assessor_name, question::question_name AS question_name"
    connection.execute(f"CREATE TABLE known AS SELECT *, {typed} FROM gathered")
    connection.execute(f"CREATE VIEW several_ranks AS SELECT run, question, epoch FROM {table} WHERE rank > 1")
    connection.execute(f"CREATE VIEW first_ranks AS SELECT * FROM {table} WHERE rank = 1")
