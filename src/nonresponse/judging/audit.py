"""What the rules on the text of answers decided, beside the verdicts without these rules:
audit.csv."""

from pathlib import Path
from typing import Any

import polars as pl

from nonresponse import tables, tasks
from nonresponse.judging import Judging, Sources, answers, list_runs, read_runs

KEY = ["run", "question", "epoch", "rank"]


def audit_rules(
    task: str,
    sources: dict[str, list[Path]],
    ruled: list[Path],
    official: str | None,
    **options: Any,
) -> pl.DataFrame:
    """Return a row per answer whose state a rule decided, with its official verdict without rules;
    correct ones come first.

    `sources` are the tables that verdicts are made of, `ruled` those of tables.RULED; the options
    are those of Judging.
    """
    judging = Judging(**options, by_rule=False, missing="exclude")
    opened = Sources(sources, judging)
    found, graded = tables.spell(pl.read_parquet(ruled)), opened.graded
    table = "graded_responses" if graded else "responses"
    assessor = tables.find_official(
        official, pl.scan_parquet(sources[table if graded else "judgments"])
    )
    runs = list_runs([read_runs(file) for file in sources[table]])
    cells = answers.prepare(opened, tasks.get(task), runs)
    responses = opened.responses(sources[table])
    rows = responses.join(pl.scan_parquet(ruled), on=KEY, how="semi").collect()
    before = [answers.list_verdicts(cells, matched) for matched in answers.match(cells, rows)]
    said = pl.concat(before).filter(assessor=assessor).select(*KEY, "before")
    own = found.filter(pl.col("assessor").fill_null(assessor) == assessor)
    audited = own.drop("assessor").rename({"by_rule": "after"}).join(said, on=KEY)
    audited = audited.with_columns(
        pl.col("after").cast(pl.String), called_right=pl.col("before") == "correct"
    )
    columns = (*KEY, "answer", "rule", "phrase", "context", "before", "after", "called_right")
    return audited.select(columns).sort(pl.col("called_right").not_(), *KEY)
