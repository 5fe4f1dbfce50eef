"""Lists what rules on the text of answers decided, with the verdicts without them: audit.csv."""

from pathlib import Path
from typing import Any

import polars as pl

from nonresponse import tasks
from nonresponse.judging import Judging, Sources, answers, list_runs, read_runs
from nonresponse.tables import find_official, scan_parquet, spell

KEY = ["run", "question", "epoch", "rank"]


def audit_rules(
    task: str,
    tables: dict[str, list[Path]],
    ruled: list[Path],
    official: str | None,
    **options: Any,
) -> pl.DataFrame:
    """Return a row per answer whose state a rule decided, with its official verdict without rules;
    correct ones come first.

    `tables` are those that verdicts are made of, `ruled` are tables.RULED; the options are those of
    Judging.
    """
    sources = Sources(tables, Judging(**options, by_rule=False, missing="exclude"))
    files = tables["graded_responses" if sources.graded else "responses"]
    assessors = files if sources.graded else tables["judgments"]
    assessor = find_official(official, scan_parquet(assessors))
    runs = list_runs([read_runs(file) for file in files])
    cells = answers.prepare(sources, tasks.get(task), runs)
    ruling = scan_parquet(ruled)
    rows = sources.responses(files).join(ruling, on=KEY, how="semi").collect()
    verdicts = pl.concat(answers.list_verdicts(cells, part) for part in answers.match(cells, rows))
    verdicts = verdicts.filter(assessor=assessor).select(*KEY, before="verdict")
    rows = spell(ruling.filter(pl.col("assessor").fill_null(assessor) == assessor)).collect()
    rows = rows.join(verdicts, on=KEY).with_columns(
        after=pl.col("by_rule").cast(pl.String), called_right=pl.col("before") == "correct"
    )
    columns = (*KEY, "answer", "rule", "phrase", "context", "before", "after", "called_right")
    return rows.select(columns).sort(pl.col("called_right").not_(), *KEY)
