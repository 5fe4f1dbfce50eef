"""Intervals of scores and of their differences from published counts, without outcomes by question.

They are made as in `intervals`. That of a difference is MOVER's of independent scores (Zou & Donner
2008). Runs find the same questions hard, so it is wider than one that compares question by
question.
"""

import numpy as np
import polars as pl

from nonresponse import boards, tasks
from nonresponse.measures import Measure
from nonresponse.statistics.intervals import combine_shares

CellCounts = tuple[list[frozenset[str]], np.ndarray]  # cells; numbers of questions, (runs, cells)


def count_cells(board: pl.DataFrame, parts: list[str], measure: Measure) -> CellCounts | None:
    """Return what intervals.count_cells does, from counts that add up to n.

    None if some are not whole numbers, or if the measure needs other totals.
    """
    numbers = board.select(pl.col(parts).fill_null(0)).to_numpy().astype(float)
    # Published counts have none of these
    absent = {name for name, count in tasks.get(measure.task).counts.items() if count.none_without}
    if measure.kind != "counts" or not {*measure.totals} <= {*parts, *absent, "n"}:
        return None
    if not (numbers == np.floor(numbers)).all() or not numbers.any(axis=1).all():
        return None
    return [frozenset({name, "n"}) for name in parts], numbers


def add_intervals(
    board: pl.DataFrame, parts: list[str], measures: list[Measure], level: float
) -> pl.DataFrame:
    """Return the leaderboard of counts with "<id> lower" and "<id> upper" for each measure."""
    for measure in measures if parts else ():  # ROMIP published counts that do not add up to n
        if counts := count_cells(board, parts, measure):
            score = board[measure.id].cast(pl.Float64).to_numpy()
            ends = combine_shares(measure, *counts, score, level).T
            place = board.columns.index(measure.id) + 1
            names = boards.name_columns(measure.id, boards.INTERVAL)
            for index, (name, end) in enumerate(zip(names, ends, strict=True), place):
                board = board.insert_column(index, pl.Series(name, end, nan_to_null=True))
    return board


def compare_leaders(
    board: pl.DataFrame, parts: list[str], measure: Measure, level: float
) -> pl.DataFrame | None:
    """Return the difference of the two best runs as a row of `comparisons` without a test."""
    two = board.filter(pl.col("rank").is_not_null()).head(2)
    if two.height < 2 or not parts or not (counts := count_cells(two, parts, measure)):
        return None
    (a, b), score = two["run"].to_list(), two[measure.id].to_numpy()
    down, up = np.abs(combine_shares(measure, *counts, score, level).T - score)
    difference = score[0] - score[1]
    ends = difference - np.hypot(down[0], up[1]), difference + np.hypot(up[0], down[1])
    row = (a, b, difference, *ends, None)
    schema = ("a", "b", "difference", "lower", "upper", "p_maxt")
    return pl.DataFrame([row], schema, orient="row").cast({"p_maxt": pl.Float64})
