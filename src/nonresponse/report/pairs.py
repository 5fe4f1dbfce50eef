"""All pairs of runs, for the page: which differ significantly, with the interval of each
difference."""

import math
from typing import Any

import numpy as np
import polars as pl

from nonresponse.measures import get
from nonresponse.report.campaign import Campaign
from nonresponse.report.texts import locate_values
from nonresponse.wording import at, nearest

MOST = 200  # runs
# Up to so many runs, the page has intervals by all measures; of more, by the first measure
FEW = 60
DIFFERENT, ALIKE, UNKNOWN = "1", "0", "-"


def collect_pairs(campaign: Campaign, board: pl.DataFrame, level: float) -> dict[str, Any] | None:
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
    scored = scored.head(MOST)
    runs, measures = scored["run"], []
    if len(runs) < 2:
        return None
    both = pl.all_horizontal(pl.col("a", "b").is_in(runs.implode()))
    for id, table in compared.items():
        measure = get(campaign.task, id)
        full = id == campaign.measures[0] or len(runs) <= FEW
        made = {"id": id, "better": measure.direction, "percent": measure.is_share}
        made["scores"] = scored[id].to_list()
        measures.append(made | encode_pairs(table.filter(both).collect(), runs, level, full))
    return {"runs": runs.to_list(), "confidence": at(1 - level), "measures": measures}


def encode_pairs(rows: pl.DataFrame, runs: pl.Series, level: float, full: bool) -> dict[str, Any]:
    """Return a character per pair of runs, DIFFERENT, ALIKE, or UNKNOWN if not compared; and, if
    `full`, the interval of each difference, in thousandths."""
    above = np.triu_indices(len(runs), 1)
    a, b = (locate_values(rows[name], runs) for name in ("a", "b"))
    p, low, high = np.full((3, len(runs), len(runs)), np.nan)
    p[a, b] = p[b, a] = rows["p_maxt"]
    low[a, b], high[a, b] = rows["lower"], rows["upper"]
    low[b, a], high[b, a] = -rows["upper"], -rows["lower"]
    words = np.where(np.isnan(p), UNKNOWN, np.where(p <= level, DIFFERENT, ALIKE))
    ends = [
        None if math.isnan(both[0]) else [int(nearest(1000 * end, 0)) for end in both]
        for both in (zip(low[above].tolist(), high[above].tolist(), strict=True) if full else ())
    ]
    return {"different": "".join(words[above]), "ends": ends if full else None}
