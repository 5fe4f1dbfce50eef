"""From responses and judgments, or from graded responses, to verdicts (DuckDB)."""

from nonresponse import tables
from nonresponse.database import connect, copy, sql

VERDICT_TYPE = "CREATE TYPE verdict AS ENUM (" + ", ".join(f"'{v}'" for v in tables.VERDICTS) + ");"
ROMIP_LABELS = ("good", "long", "partial", "bad")
POSITIVE, NEGATIVE = "YES", "NO"  # any other gold label is UNKNOWN
NAMES = ("assessor", "run", "question")
KEY = "assessor, run, question, candidate"

# Runs that leave some question out: only they need a search for what they leave out.
SHORT_RUNS = (
    "CREATE TABLE short_runs AS SELECT assessor, run FROM (SELECT {by} FROM first_ranks GROUP BY {by}"
    " HAVING count(*) < (SELECT count(DISTINCT question) FROM known))"
)


def open_tables(sources: dict[str, list[str]]):
    """A database with a view per source: its name, its Parquet files."""
    connection = connect()
    connection.execute(VERDICT_TYPE)
    for name, paths in sources.items():
        connection.read_parquet([str(path) for path in paths]).create_view(name)
    return connection


def judge_qa(connection, correct: list[str], partial: list[str], closed: bool) -> None:
    """Door one, questions: views `known` and `graded` from responses, judgments, questions."""
    connection.execute("SET VARIABLE correct = $1", [correct])
    connection.execute("SET VARIABLE partial = $1", [partial])
    connection.execute("CREATE TABLE assessors AS SELECT DISTINCT assessor FROM judgments")
    connection.execute(sql("judged"))
    named = connection.sql("SELECT count(run), count(document), count(answer) FROM judgments").fetchall()[0]
    looked_up = {"run": "r.run", "document": "r.document", "answer": "coalesce(r.answer, r.candidate)"}
    match = "".join(
        f"AND j.{column} IS NOT DISTINCT FROM {expression} "
        for (column, expression), count in zip(looked_up.items(), named, strict=True)
        if count
    )
    withheld = "r.candidate IS NOT NULL" + ("" if named[2] else " OR r.document IS NOT NULL")
    what = "coalesce(r.answer, r.document)" if named[2] else "coalesce(r.document, r.answer)"
    unlisted = "wrong" if closed else "unscored"
    connection.execute(sql("match", match=match, what=what, withheld=f"({withheld})", unlisted=unlisted))
    connection.execute("CREATE VIEW several_ranks AS SELECT run, question FROM responses WHERE rank > 1")
    connection.execute("CREATE VIEW first_ranks AS SELECT run, question FROM responses WHERE rank = 1")
    connection.execute(SHORT_RUNS.format(by="run") + " CROSS JOIN assessors")


def grade_qa(connection) -> None:
    """Door two, questions: the same views from graded responses."""
    connection.execute("CREATE TABLE assessors AS SELECT DISTINCT assessor FROM graded_responses")
    connection.execute(sql("graded"))
    connection.execute("CREATE VIEW several_ranks AS SELECT run, question FROM graded_responses WHERE rank > 1")
    connection.execute("CREATE VIEW first_ranks AS SELECT assessor, run, question FROM graded_responses WHERE rank = 1")
    connection.execute(SHORT_RUNS.format(by="assessor, run"))


def judge_validation(connection) -> None:
    """Door one, pairs: `pairs` from the gold standard, `decisions` and `runs` from the responses."""
    connection.execute(
        "CREATE TABLE pairs AS SELECT DISTINCT assessor, question, candidate, q.category,"
        f" CASE label WHEN '{POSITIVE}' THEN TRUE WHEN '{NEGATIVE}' THEN FALSE END AS positive"
        " FROM judgments LEFT JOIN questions AS q USING (question)"
    )
    connection.execute(
        "CREATE VIEW decisions AS SELECT a.assessor, r.run, r.question, r.candidate, r.failed, r.confidence, r.score,"
        " CASE WHEN r.answered THEN r.answer IN ('VALIDATED', 'SELECTED') END AS accepted,"
        " coalesce(r.answer = 'SELECTED', FALSE) AS selected"
        " FROM responses AS r CROSS JOIN (SELECT DISTINCT assessor FROM judgments) AS a"
    )
    connection.execute(
        "CREATE TABLE runs AS SELECT run, bool_or(score IS NOT NULL) AS scored FROM responses GROUP BY run"
    )


def grade_validation(connection) -> None:
    """Door two, pairs: what was decided and what was right follow from the outcome (tp, fp, fn, tn, u_p, u_n)."""
    connection.execute(
        "CREATE TABLE pairs AS SELECT g.assessor, g.question, g.candidate,"
        " any_value(coalesce(q.category, g.category)) AS category, any_value(g.positive) AS positive"
        " FROM graded_responses AS g LEFT JOIN questions AS q USING (question) GROUP BY ALL"
    )
    connection.execute(
        "CREATE VIEW decisions AS SELECT assessor, run, question, candidate, verdict = 'error' AS failed, confidence,"
        " score, CASE verdict WHEN 'correct' THEN positive WHEN 'wrong' THEN NOT positive END AS accepted,"
        " FALSE AS selected FROM graded_responses WHERE NOT missing"
    )
    connection.execute(
        "CREATE TABLE runs AS SELECT run, bool_or(score IS NOT NULL) AS scored FROM graded_responses GROUP BY run"
    )


def write_verdicts(task: str, sources: dict, output, correct=("R",), partial=(), closed=False) -> None:
    """Judge (door one: sources responses, judgments, questions) or grade (door two: graded_responses, questions).

    Writes verdicts.parquet, one row per assessor, run, question and candidate.
    """
    connection = open_tables(sources)
    graded = "graded_responses" in sources
    if task == "qa":
        grade_qa(connection) if graded else judge_qa(connection, list(correct), list(partial), closed)
        names_as_types(connection, "known", "graded_responses" if graded else "responses")
        several = connection.sql("SELECT count(*) FROM several_ranks").fetchall()[0][0]
        source = sql("several_answers" if several else "one_answer")
        same = "AND f.assessor = k.assessor" if graded else ""
        romip = f"label IN {ROMIP_LABELS}"
        labelled = connection.sql(f"SELECT coalesce(bool_or({romip}), FALSE) FROM graded").fetchall()[0][0]
        connection.execute(sql("verdicts_qa", same=same, source=source, romip=str(labelled)))
        query = "SELECT * FROM verdicts"
    else:
        grade_validation(connection) if graded else judge_validation(connection)
        trivial = f"(VALUES ('{tables.ACCEPT_ALL}', TRUE), ('{tables.REJECT_ALL}', FALSE)) AS t (run, accepted)"
        connection.execute(f"CREATE VIEW trivial_runs AS SELECT * FROM {trivial}")
        connection.execute("CREATE VIEW all_runs AS SELECT run FROM runs UNION ALL SELECT run FROM trivial_runs")
        selects = connection.sql("SELECT coalesce(bool_or(selected), FALSE) FROM decisions").fetchall()[0][0]
        connection.execute(sql("verdicts_validation", selects=str(selects)))
        names_as_types(connection, "pairs", "all_runs")
        typed = ", ".join(f"{name}::{name}_name AS {name}" for name in NAMES)
        query = f"SELECT * FROM (SELECT * REPLACE ({typed}) FROM verdicts) ORDER BY {KEY}"
    copy(connection, query, output)


def names_as_types(connection, asked: str, run_table: str) -> None:
    """Types of assessors, runs and questions: sorting by their numbers is much faster than by their names."""
    for name, table in zip(NAMES, (asked, run_table, asked), strict=True):
        connection.execute(f"CREATE TYPE {name}_name AS ENUM (SELECT DISTINCT {name} FROM {table} ORDER BY {name})")
