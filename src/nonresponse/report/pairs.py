"""All pairs of runs, for the page: which differ significantly, with the interval of each
difference."""

from typing import Any

import numpy as np
import polars as pl

from nonresponse.measures import get
from nonresponse.report.campaign import Campaign
from nonresponse.report.findings import LEVEL
from nonresponse.report.texts import index_in
from nonresponse.wording import at, nearest

ALL, FIRST = 200, 50  # up to ALL runs, all pairs are shown; of more runs, those of the FIRST
# Up to so many runs, the page has intervals by all measures; of more, by the first measure
FEW = 60
DIFFERENT, ALIKE, UNKNOWN = "1", "0", "-"


def table_of(campaign: Campaign, id: str) -> pl.LazyFrame | None:
    """Return the comparison of all pairs by a measure; null where runs are not compared by it."""
    if "comparison" not in campaign.settings["analyses"] or id not in campaign.settings.get(
        "tested", []
    ):
        return None
    return pl.scan_parquet(campaign.folder / f"reliability/comparisons/{id}.parquet")


def tied_with_first(campaign: Campaign, best: pl.Series) -> int | None:
    """Return how many runs do not differ significantly from the leader; null where nothing was
    tested."""
    pairs = table_of(campaign, campaign.measures[0])
    if pairs is None or best.is_empty():
        return None
    own = (pl.col("a") == best[0]) | (pl.col("b") == best[0])
    level = campaign.settings.get("level", LEVEL)
    return pairs.filter(own, pl.col("p_maxt") > level).select(pl.len()).collect().item()


def data(campaign: Campaign, board: pl.DataFrame, level: float) -> dict[str, Any] | None:
    """Return runs, and by measure their scores, a character per pair, and the intervals of
    differences.

    Pairs are those above the diagonal, row by row. Intervals are in thousandths, null where there
    is none.
    """
    first = table_of(campaign, campaign.measures[0])
    if first is None:
        return None
    compared = pl.concat([first.select("a"), first.select(a="b")]).unique().collect().to_series()
    ids = [id for id in campaign.defined if table_of(campaign, id) is not None]
    there = ~pl.col("trivial") | pl.col("run").is_in(compared.implode())
    runs = board.filter(pl.any_horizontal(pl.col(ids).is_not_null()), there)["run"]
    shown = runs if len(runs) <= ALL else runs.head(FIRST)
    if len(shown) < 2:
        return None
    both = pl.all_horizontal(pl.col("a", "b").is_in(shown.implode()))
    scores = board.join(shown.to_frame(), on="run", how="semi", maintain_order="left")
    measures = []
    for id in ids:
        rows = table_of(campaign, id).filter(both).collect()  # type: ignore[union-attr]
        full, measure = id == campaign.measures[0] or len(shown) <= FEW, get(campaign.task, id)
        measures.append(
            {
                "id": id,
                "better": measure.direction,
                "percent": measure.is_share,
                "scores": scores[id].to_list(),
                "different": triangle(rows, shown, level),
                "ends": ends(rows, shown) if full else None,
            }
        )
    return {"runs": shown.to_list(), "confidence": at(1 - level), "measures": measures}


def triangle(rows: pl.DataFrame, runs: pl.Series, level: float) -> str:
    """Return a character per pair of runs: DIFFERENT, ALIKE, or UNKNOWN if not compared."""
    a, b = (index_in(rows[name], runs) for name in ("a", "b"))
    grid = np.full((len(runs), len(runs)), ord(UNKNOWN), dtype=np.uint8)
    words = {True: ord(DIFFERENT), False: ord(ALIKE)}
    codes = (
        (rows["p_maxt"] <= level)
        .replace_strict(words, default=ord(UNKNOWN), return_dtype=pl.UInt8)
        .to_numpy()
    )
    grid[a, b] = grid[b, a] = codes
    return bytes(grid[np.triu_indices(len(runs), 1)]).decode("ascii")


def ends(rows: pl.DataFrame, runs: pl.Series) -> list[list[int] | None]:
    """Return the interval of each difference, in thousandths."""
    known = rows.drop_nulls(["lower", "upper"])
    a, b = (index_in(known[name], runs) for name in ("a", "b"))
    found = {}
    for one, other, low, high in zip(a, b, known["lower"], known["upper"], strict=True):
        found[min(one, other), max(one, other)] = (low, high) if one < other else (-high, -low)
    every = ((one, other) for one in range(len(runs)) for other in range(one + 1, len(runs)))
    pairs = (found.get(pair) for pair in every)
    return [
        None if pair is None else [int(nearest(1000 * end, 0)) for end in pair] for pair in pairs
    ]
