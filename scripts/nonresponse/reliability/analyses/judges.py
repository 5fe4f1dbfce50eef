"""How each judge compares with the official assessor: response by response, and in how it ranks the runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nonresponse import measures, tasks
from nonresponse.reliability.analyses import Analysis, Summary

if TYPE_CHECKING:
    from pathlib import Path

    import polars as pl


def summarise(files: list[Path], task: str, settings: dict, published: list[Path]) -> list[pl.DataFrame]:
    """A row per judge, a row per judge and run, and scores corrected for the errors of a judge.

    The files are the verdicts; the table of the questions, where these come in clusters; and how the runs compare by
    each measure, where that is known.
    """
    from nonresponse.reliability import judge_tables

    verdicts, *others = files
    compared = {path.stem: path for path in others if path.parent.name == "comparisons"}
    clusters = [path for path in others if path.parent.name != "comparisons"]
    ranked = next((id for id in settings["measures"] if not measures.get(task, id).descriptive), None)
    measure = measures.get(task, ranked) if ranked else None
    return judge_tables.tables(verdicts, clusters, compared, tasks.get(task), measure, settings)


def columns() -> tuple[dict, ...]:
    """By judge, by judge and run, and corrected scores."""
    import polars as pl

    from nonresponse.reliability.corrected import CORRECTED, DIFFERS
    from nonresponse.reliability.judge_rankings import RANKED
    from nonresponse.reliability.judges import BY_RUN, COMPARED

    return {"judge": pl.String, **COMPARED, **DIFFERS, **RANKED}, BY_RUN, CORRECTED


ANALYSIS = Analysis(
    "judges",
    summary=Summary(
        rule="judges",
        tables=("judges", "judges_by_run", "corrected"),
        columns=columns,
        reads=("compared",),
        settings=("measures", "official", "policy", "failed_judgments", "level", "seed"),
        make=summarise,
    ),
)
