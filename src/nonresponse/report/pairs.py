"""All pairs of runs, for the page: which differ significantly, with the interval of each
difference."""

from typing import Any

import numpy as np
import polars as pl

from nonresponse.measures import get
from nonresponse.report.campaign import Campaign
from nonresponse.report.texts import index_in
from nonresponse.wording import at, nearest

ALL, FIRST = 200, 50  # up to ALL runs, all pairs are shown; of more runs, those of the FIRST
# Up to so many runs, the page has intervals by all measures; of more, by the first measure
FEW = 60
DIFFERENT, ALIKE, UNKNOWN = "1", "0", "-"


def data(campaign: Campaign, board: pl.DataFrame, level: float) -> dict[str, Any] | None:
    """Return runs, and by measure their scores, a character per pair, and the intervals of
    differences.

    Pairs are those above the diagonal, row by row. Intervals are in thousandths, null where there
    is none.
    """
    compared = {
        id: pl.scan_parquet(campaign.of_measure(id) / "comparisons.parquet")
        for id in campaign.defined
        if id in campaign.settings.get("tested", [])
    }
    if campaign.measures[0] not in compared:
        return None
    first = compared[campaign.measures[0]]
    tested = pl.concat([first.select(run=name) for name in ("a", "b")]).unique().collect()
    there = ~pl.col("trivial") | pl.col("run").is_in(tested["run"].implode())
    scored = board.filter(pl.any_horizontal(pl.col([*compared]).is_not_null()), there)
    scored = scored if scored.height <= ALL else scored.head(FIRST)
    runs, measures = scored["run"], []
    if len(runs) < 2:
        return None
    both = pl.all_horizontal(pl.col("a", "b").is_in(runs.implode()))
    for id, table in compared.items():
        rows, measure = table.filter(both).collect(), get(campaign.task, id)
        full = id == campaign.measures[0] or len(runs) <= FEW
        made = {"id": id, "better": measure.direction, "percent": measure.is_share}
        made |= {"scores": scored[id].to_list(), "different": triangle(rows, runs, level)}
        measures.append({**made, "ends": ends(rows, runs) if full else None})
    return {"runs": runs.to_list(), "confidence": at(1 - level), "measures": measures}


def triangle(rows: pl.DataFrame, runs: pl.Series, level: float) -> str:
    """Return a character per pair of runs: DIFFERENT, ALIKE, or UNKNOWN if not compared."""
    words = {True: DIFFERENT, False: ALIKE, None: UNKNOWN}
    a, b = (index_in(rows[name], runs) for name in ("a", "b"))
    grid = np.full((len(runs), len(runs)), UNKNOWN)
    grid[a, b] = grid[b, a] = [words[it] for it in rows["p_maxt"] <= level]
    return "".join(grid[np.triu_indices(len(runs), 1)])


def ends(rows: pl.DataFrame, runs: pl.Series) -> list[list[int] | None]:
    """Return the interval of each difference, in thousandths."""
    known, size = rows.drop_nulls(["lower", "upper"]), len(runs)
    a, b = (index_in(known[name], runs) for name in ("a", "b"))
    found: dict[tuple[int, int], list[int]] = {}
    for one, other, *both in zip(a, b, known["lower"], known["upper"], strict=True):
        low, high = both if one < other else (-both[1], -both[0])
        found[min(one, other), max(one, other)] = [int(nearest(1000 * it, 0)) for it in (low, high)]
    return [found.get((one, other)) for one in range(size) for other in range(one + 1, size)]
