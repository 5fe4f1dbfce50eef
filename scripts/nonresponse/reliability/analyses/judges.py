"""How each judge compares with the official assessor: response by response, and in how it ranks the runs."""

from pathlib import Path

import polars as pl

from nonresponse import measures, tasks
from nonresponse.reliability import judge_tables


def summarise(files: list[Path], task: str, settings: dict, published: list[Path]) -> list[pl.DataFrame]:
    """A row per judge, a row per judge and run, and scores corrected for the errors of a judge.

    The files are the verdicts; the table of the questions, where these come in clusters; and how the runs compare by
    each measure, where that is known.
    """
    verdicts, *others = files
    clusters = [path for path in others if path.name == "questions.parquet"]
    compared = {path.stem: path for path in others if path not in clusters}
    ranked = next((id for id in settings["measures"] if not measures.get(task, id).descriptive), None)
    measure = measures.get(task, ranked) if ranked else None
    return judge_tables.tables(verdicts, clusters, compared, tasks.get(task), measure, settings)
