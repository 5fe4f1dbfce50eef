"""What rules on the text of answers decided, beside what the answers would be without them: audit.csv."""

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from nonresponse import tables, tasks
from nonresponse.database import fetched
from nonresponse.judge import answers, open_tables, votes

QUERY = """
    SELECT r.run, r.question, r.epoch, r.rank, r.answer, r.rule, r.phrase, g.verdict::VARCHAR AS before,
        r.by_rule AS after, g.verdict = 'correct' AS called_right
    FROM ruled AS r
    INNER JOIN graded AS g ON g.run = r.run AND g.question = r.question AND g.epoch = r.epoch AND g.rank = r.rank
        AND g.assessor = coalesce(r.assessor, g.assessor)
    WHERE g.assessor = $1
    ORDER BY called_right DESC, r.run, r.question, r.epoch, r.rank"""


def audit(
    task: str,
    sources: dict[str, list[Path]],
    ruled: list[Path],
    official: str | None,
    correct: Sequence[str] = ("R",),
    partial: Sequence[str] = (),
    closed: bool = False,
    pooled: Sequence[str] = (),
    vote: dict | None = None,
) -> pl.DataFrame:
    """A row per answer whose state a rule decided under the official judgments, those first that were called right.

    `sources` are the tables that verdicts are made of, `ruled` those of tables.RULED; the others are as for
    judge.write_verdicts.
    """
    connection = open_tables(sources | {"ruled": ruled})
    graded = "graded_responses" in sources
    if vote:
        votes.add(connection, "graded_responses" if graded else "judgments", vote, list(correct), list(partial))
    if graded:
        answers.grade(connection, by_rule=False)
    else:
        answers.judge(connection, tasks.get(task), list(correct), list(partial), closed, pooled, by_rule=False)
    table = sources["graded_responses" if graded else "judgments"]
    assessor = vote["name"] if vote else tables.official(official, pl.scan_parquet(table))
    return fetched(connection.sql(QUERY, params=[assessor]))
