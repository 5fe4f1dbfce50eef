"""How far rankings agree: under different judgments, and by different measures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nonresponse import measures, tasks
from nonresponse.reliability.analyses import Analysis, Summary, by_measure

if TYPE_CHECKING:
    from pathlib import Path

    import polars as pl


def summarise(files: list[Path], task: str, settings: dict, published: list[Path]) -> list[pl.DataFrame]:
    """Kendall's tau between rankings: of every two assessors, and of every two measures.

    The first file is counts.parquet: numbers of questions are ranked as shares of the questions, and no assessor ranks
    a run of which it judged nothing.
    """
    import polars as pl

    from nonresponse import tables
    from nonresponse.reliability import kendall

    counts, *files = files
    n, chosen = pl.read_parquet(counts), {id: measures.get(task, id) for id in settings["measures"]}
    found = by_measure(files, "scores")
    judged = {id: kendall.judged(table, n, settings["policy"]) for id, table in found.items()}
    scores = {id: kendall.comparable(judged[id], measure, n) for id, measure in chosen.items()}
    higher = {id: measure.higher_is_better for id, measure in chosen.items()}
    official = tables.official(settings.get("official"), next(iter(scores.values())))
    named = [settings[key] for key in ("accept_all", "reject_all") if key in settings]  # in a table of counts
    return [kendall.rankings(scores, higher, official, [*tasks.get(task).trivial, *named])]


ANALYSIS = Analysis(
    "rankings",
    summary=Summary(
        rule="rankings",
        tables={"rankings": "kendall.RANKINGS"},
        reads=("scores",),
        settings=("measures", "official", "policy", "accept_all", "reject_all"),
        make=summarise,
    ),
)
