"""What the rules on the text of answers decided, beside the verdicts without these rules: audit.csv."""

from pathlib import Path
from typing import Any

import polars as pl

from nonresponse import tables, tasks
from nonresponse.database import fetched
from nonresponse.judging import Judging, answers, open_tables

QUERY = """
    SELECT r.run, r.question, r.epoch, r.rank, r.answer, r.rule, r.phrase, r.context, g.verdict::VARCHAR AS before,
        r.by_rule AS after, g.verdict = 'correct' AS called_right
    FROM ruled AS r
    INNER JOIN graded AS g ON g.run = r.run AND g.question = r.question AND g.epoch = r.epoch AND g.rank = r.rank
        AND g.assessor = coalesce(r.assessor, g.assessor)
    WHERE g.assessor = $1
    ORDER BY called_right DESC, r.run, r.question, r.epoch, r.rank"""


def audit(
    task: str, sources: dict[str, list[Path]], ruled: list[Path], official: str | None, **options: Any
) -> pl.DataFrame:
    """A row per answer whose state a rule decided, with its official verdict without rules; correct ones come first.

    `sources` are the tables that verdicts are made of, `ruled` those of tables.RULED; the options are those of Judging.
    """
    judging = Judging(**options, by_rule=False, missing="exclude")
    connection, graded = open_tables(sources | {"ruled": ruled}, judging), "graded_responses" in sources
    answers.graded_answers(connection, tasks.get(task), judging, graded)
    table = sources["graded_responses" if graded else "judgments"]
    return fetched(connection.sql(QUERY, params=[tables.official(official, pl.scan_parquet(table))]))
