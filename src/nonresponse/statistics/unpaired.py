"""Published counts: intervals of scores and of their differences, where outcomes on single
questions are not known.

The shares of the questions that a run got right, wrong or left unanswered have a Dirichlet
distribution from Jeffreys' prior and its counts, as in `intervals`. The draws of two runs are
independent. Runs that were asked the same questions find the same ones hard, so that such an
interval of a difference is wider than one that compares question by question.
"""

import numpy as np
import polars as pl

from nonresponse import boards, tasks
from nonresponse.measures import Measure
from nonresponse.statistics.intervals import priors, score_of_cells
from nonresponse.statistics.subsets import stream

SAMPLES = 10_000


def sampled(
    counts: dict[str, float], measure: Measure, seed: int, *whose: str
) -> np.ndarray | None:
    """Return scores of a run (SAMPLES,) drawn from its counts, which add up to n.

    None if these are not whole numbers (but shares of an unknown number, say), or if the measure
    needs other totals.
    """
    numbers = np.array([*counts.values()], dtype=float)
    # published: none
    apart = {name for name, count in tasks.get(measure.task).counts.items() if count.none_without}
    if measure.kind != "counts" or not {*measure.totals} <= {*counts, *apart, "n"}:
        return None
    if not (numbers == np.floor(numbers)).all() or not numbers.any():
        return None
    cells = [frozenset({name, "n"}) for name in counts]
    [prior] = priors(measure, cells, numbers[None])
    drawn = stream(seed, "dirichlet", *numbers, *whose).standard_gamma(
        numbers + prior, (SAMPLES, len(cells))
    )
    return score_of_cells(measure, cells, drawn / drawn.sum(axis=1, keepdims=True))


def interval(
    draws: np.ndarray | None, value: float | None, level: float
) -> tuple[float | None, float | None]:
    """Return both ends at confidence 1 - level, wide enough to hold the value; null where there is
    no score."""
    if draws is None or value is None or np.isnan(draws).all():
        return None, None
    low, high = np.nanquantile(draws, [level / 2, 1 - level / 2])
    return min(float(low), value), max(float(high), value)


def add_intervals(
    board: pl.DataFrame, parts: list[str], measures: list[Measure], level: float, seed: int
) -> pl.DataFrame:
    """Return the leaderboard of a table of counts with "<id> lower" and "<id> upper" for each
    measure that has any."""
    rows = board.select(parts).fill_null(0).to_dicts()
    for measure in measures if parts else ():  # ROMIP published counts that do not add up to n
        values = board[measure.id].to_list()
        ends = [
            interval(sampled(row, measure, seed), value, level)
            for row, value in zip(rows, values, strict=True)
        ]
        if any(low is not None for low, _ in ends):
            at = board.columns.index(measure.id) + 1
            for name, column in zip(
                boards.all_of(measure.id, boards.INTERVAL), zip(*ends, strict=True), strict=True
            ):
                board = board.insert_column(at, pl.Series(name, column, pl.Float64))
                at += 1
    return board


def compare_leaders(
    board: pl.DataFrame, parts: list[str], measure: Measure, level: float, seed: int
) -> pl.DataFrame | None:
    """Return the difference of the two best runs, as a row of `comparisons` without a test; None
    where counts do not tell.
    """
    two = board.filter(pl.col("rank").is_not_null()).head(2)
    if two.height < 2 or not parts:
        return None
    (a, b), (one, other) = two["run"].to_list(), two[measure.id].to_list()
    draws = [
        sampled(row, measure, seed, run)
        for row, run in zip(two.select(parts).fill_null(0).to_dicts(), (a, b), strict=True)
    ]
    if draws[0] is None or draws[1] is None:
        return None
    low, high = interval(draws[0] - draws[1], one - other, level)
    row = {"a": a, "b": b, "difference": one - other, "lower": low, "upper": high, "p_maxt": None}
    return pl.DataFrame([row], schema_overrides={"p_maxt": pl.Float64})
