"""How far rankings agree: under different judgments, and by different measures."""

from pathlib import Path

import polars as pl

from nonresponse import measures, tables, tasks
from nonresponse.reliability import kendall
from nonresponse.reliability.table_files import by_measure


def summarise(files: list[Path], task: str, settings: dict, published: list[Path]) -> list[pl.DataFrame]:
    """Kendall's tau between rankings: of every two assessors, and of every two measures.

    The first file is counts.parquet: numbers of questions are ranked as shares of the questions, and no assessor ranks
    a run of which it judged nothing.
    """
    counts, *files = files
    n, chosen = pl.read_parquet(counts), {id: measures.get(task, id) for id in settings["measures"]}
    found = by_measure(files, "scores")
    judged = {id: kendall.judged(table, n, settings["policy"]) for id, table in found.items()}
    scores = {id: kendall.comparable(judged[id], measure, n) for id, measure in chosen.items()}
    higher = {id: measure.higher_is_better for id, measure in chosen.items()}
    official = tables.official(settings.get("official"), next(iter(scores.values())))
    named = [settings[key] for key in ("accept_all", "reject_all") if key in settings]  # in a table of counts
    return [kendall.rankings(scores, higher, official, [*tasks.get(task).trivial, *named])]
