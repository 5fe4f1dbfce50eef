"""Agreement of the assessors on single answers."""

from pathlib import Path

import polars as pl

from nonresponse import tables, tasks
from nonresponse.reliability import assessors


def summarise(files: list[Path], task: str, settings: dict, published: list[Path]) -> list[pl.DataFrame]:
    """Statistics and patterns of the labels in judgments.parquet or, of responses that came graded, verdicts.parquet.

    Of references there are as many patterns as answers: none are counted.
    """
    kind, table, correct = tasks.get(task), pl.read_parquet(files[0]), settings.get("correct", [])
    if kind.references:
        labels = assessors.labels_of_references(table)
    elif correct:
        labels = assessors.read_labels(table)
    else:
        labels, correct = assessors.labels_of_verdicts(table, kind.trivial), ["correct"]
    found, official = assessors.distinct(labels), settings.get("official", "")
    patterns = tables.empty(assessors.PATTERNS) if kind.references else assessors.patterns(found, official)
    return [assessors.agreement(found, official, correct), patterns]
