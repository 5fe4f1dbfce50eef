"""Who differs: which runs differ significantly, pair by pair."""

import numpy as np
import polars as pl

from nonresponse.measures import get
from nonresponse.pages.blocks import Block, widget
from nonresponse.pages.sections import Campaign
from nonresponse.wording import at, nearest

ALL, FIRST = 200, 50  # up to ALL runs, all pairs are shown; of more runs, those of the FIRST
FEW = 60  # up to so many runs, the page has intervals by all measures; of more, by the first measure
APART, ALIKE, UNKNOWN = "1", "0", "-"


def blocks(campaign: Campaign) -> list[Block]:
    """The matrix of all pairs of runs or, if there are more than ALL, of the FIRST; no trivial run that has no pair."""
    board = pl.read_parquet(campaign.folder / "leaderboard.parquet")
    files = {id: campaign.folder / f"reliability/comparisons/{id}.parquet" for id in campaign.defined}
    compared = pl.scan_parquet(files[campaign.measures[0]]).select(pl.concat_list("a", "b").explode().unique())
    compares = ~pl.col("trivial") | pl.col("run").is_in(compared.collect()["a"].implode())
    runs = board.filter(pl.any_horizontal(pl.col(campaign.measures).is_not_null()), compares)["run"]
    shown = runs if len(runs) <= ALL else runs.head(FIRST)
    both = pl.all_horizontal(pl.col("a", "b").is_in(shown.implode()))
    pairs = {id: pl.scan_parquet(path).filter(both).collect() for id, path in files.items()}
    level = campaign.settings["level"]
    scores = board.join(shown.to_frame(), on="run", how="semi", maintain_order="left")
    measures = [
        {
            "id": id,
            "better": get(campaign.task, id).direction,
            "scores": scores[id].to_list(),
            "apart": triangle(pairs[id], shown, level),
            "ends": ends(pairs[id], shown) if id == campaign.measures[0] or len(shown) <= FEW else None,
        }
        for id in campaign.defined
    ]
    matrix = {"runs": shown.to_list(), "confidence": at(1 - level), "measures": measures}
    return [widget("matrix", matrix, "The pairs of runs one by one need JavaScript.")] if len(shown) > 1 else []


def triangle(pairs: pl.DataFrame, runs: pl.Series, level: float) -> str:
    """A character per pair of runs, row by row above the diagonal: APART, ALIKE, or UNKNOWN if not compared."""
    place = pl.LazyFrame({"run": runs, "place": range(len(runs))}, {"run": pl.String, "place": pl.Int64})
    both = pairs.lazy().join(place, left_on="a", right_on="run").join(place, left_on="b", right_on="run", suffix="_b")
    cells = both.select("place", "place_b", apart=pl.col("p_maxt") <= level).collect()
    grid = np.full((len(runs), len(runs)), ord(UNKNOWN), dtype=np.uint8)
    code = cells["apart"].replace_strict({True: ord(APART), False: ord(ALIKE)}, default=ord(UNKNOWN))
    grid[cells["place"], cells["place_b"]] = grid[cells["place_b"], cells["place"]] = code
    return bytes(grid[np.triu_indices(len(runs), 1)]).decode("ascii")


def ends(pairs: pl.DataFrame, runs: pl.Series) -> list[list[int] | None]:
    """The interval of each difference, in thousandths, in the order of `triangle`; None where there is none."""
    rows = pairs.select("a", "b", "lower", "upper").drop_nulls().iter_rows()
    known = {(a, b): (low, high) for a, b, low, high in rows}
    found: list[list[int] | None] = []
    for place, a in enumerate(runs):
        for b in runs[place + 1 :]:
            low, high = known.get((a, b)) or tuple(-end for end in reversed(known.get((b, a), ()))) or (None, None)
            found.append(None if low is None else [int(nearest(1000 * end, 0)) for end in (low, high)])
    return found
