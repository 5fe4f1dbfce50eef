"""All pairs of runs, for the page: which differ significantly, with intervals of differences."""

import math
from typing import Any

import numpy as np
import polars as pl

from nonresponse.measures import get
from nonresponse.report.campaign import Campaign
from nonresponse.report.texts import locate_values
from nonresponse.tables import scan_parquet
from nonresponse.wording import format_level, nearest

MAX_RUNS = 200
# With more runs, the page has intervals by the first measure only
MAX_RUNS_WITH_INTERVALS = 60


def collect_pairs(campaign: Campaign, board: pl.DataFrame, level: float) -> dict[str, Any] | None:
    """Return runs, and by measure their scores, verdicts on pairs, and intervals of differences.

    Pairs are those above the diagonal, row by row. Null where the first measure is not tested.
    """
    comparisons = {
        id: scan_parquet(campaign.locate_measure(id) / "comparisons.parquet")
        for id in campaign.defined_measures
        if id in campaign.settings.get("tested", [])
    }
    first = comparisons.get(campaign.measures[0])
    if first is None:
        return None
    tested = pl.concat([first.select(run=name) for name in ("a", "b")]).unique().collect()
    eligible = ~pl.col("trivial") | pl.col("run").is_in(tested["run"].implode())
    scored = board.filter(pl.any_horizontal(pl.col([*comparisons]).is_not_null()), eligible)
    scored = scored.head(MAX_RUNS)
    runs, measures = scored["run"], []
    if len(runs) < 2:
        return None
    is_included = pl.all_horizontal(pl.col("a", "b").is_in(runs.implode()))
    for id, table in comparisons.items():
        measure = get(campaign.task, id)
        full = id == campaign.measures[0] or len(runs) <= MAX_RUNS_WITH_INTERVALS
        scores = {"id": id, "percent": measure.is_share}
        scores["scores"] = scored[id].to_list()
        rows = table.filter(is_included).collect()
        measures.append(scores | encode_pairs(rows, runs, level, full))
    return {"runs": runs.to_list(), "confidence": format_level(1 - level), "measures": measures}


def encode_pairs(rows: pl.DataFrame, runs: pl.Series, level: float, full: bool) -> dict[str, Any]:
    """Return a character per pair: 1 differs significantly, 0 does not, - was not compared.

    If `full`, also the interval of each difference in thousandths, null if none.
    """
    upper_triangle = np.triu_indices(len(runs), 1)
    a, b = (locate_values(rows[name], runs) for name in ("a", "b"))
    p, low, high = np.full((3, len(runs), len(runs)), np.nan)
    p[a, b] = p[b, a] = rows["p_maxt"]
    low[a, b], high[a, b] = rows["lower"], rows["upper"]
    low[b, a], high[b, a] = -rows["upper"], -rows["lower"]
    different = np.where(np.isnan(p), "-", np.where(p <= level, "1", "0"))[upper_triangle]
    intervals = np.stack([low, high], axis=-1)[upper_triangle].tolist() if full else []
    ends = [
        None if math.isnan(interval[0]) else [int(nearest(1000 * end, 0)) for end in interval]
        for interval in intervals
    ]
    return {"different": "".join(different), "ends": ends if full else None}
