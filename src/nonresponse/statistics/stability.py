"""Stability and discrimination power (Buckley & Voorhees 2000; Peñas & Rodrigo 2011, section 4.2)."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import polars as pl

from nonresponse.database import threads
from nonresponse.settings import Settings
from nonresponse.statistics.cache import Cache
from nonresponse.statistics.outcomes import Outcomes, values
from nonresponse.statistics.rank_positions import rank_positions
from nonresponse.statistics.subsets import at_once, size_for, subsets

CELLS = 2**19  # comparisons at once, a byte each: they stay in the processor's cache
AT_ONCE = 250  # trials at once: they are counted in bytes


def make(outcomes: Outcomes, assessor: str, campaign: str, settings: Settings, cache: Cache) -> list[pl.DataFrame]:
    """Return the error rates, with the size of a subset and the number of all questions."""
    size, fuzziness = size_for(outcomes, settings["size"]), settings["fuzziness"]
    wins, compared = counters(outcomes, settings["seed"], campaign, size, range(settings["trials"]), fuzziness)
    rates = error_rates(wins, compared, fuzziness)
    questions = pl.lit(outcomes.in_questions(size), pl.Int64)
    return [rates.with_columns(size=questions, questions=pl.lit(outcomes.asked))]


def counters(outcomes: Outcomes, seed: int, campaign: str, size: int, trials: range, fuzziness: list) -> tuple:
    """Figure 1 of Peñas & Rodrigo 2011 with one subset per trial for all pairs.

    Returns wins (fuzziness, runs, runs), how often x is ahead of y by the margin, and compared (runs, runs), how
    often both have a score.
    """
    runs = len(outcomes.runs)
    wins = np.zeros((len(fuzziness), runs, runs), np.int32)
    compared = np.zeros((runs, runs), np.int32)
    step = at_once(outcomes.n, AT_ONCE)
    for start in range(trials.start, trials.stop, step):
        first, _ = subsets(seed, campaign, outcomes.n, size, range(start, min(start + step, trials.stop)))
        position, reach = rank_positions(values(outcomes, first), {"fuzziness": fuzziness})
        add_wins(wins, position, reach)
        defined = (position < runs).astype(np.float32)
        compared += (defined.T @ defined).astype(np.int32)
    return wins, compared


def add_wins(wins: np.ndarray, position: np.ndarray, reach: np.ndarray) -> None:
    """Adds to wins[f, x, y] the number of trials in which position[y] < reach[f, x]."""
    levels, runs, _ = wins.shape
    step = max(1, CELLS // (levels * runs))

    def some_rows(start: int) -> None:
        """Adds the wins of the runs from `start` on, as many as fit into the cache."""
        rows = slice(start, start + step)
        ahead = np.empty((levels, len(range(runs)[rows]), runs), bool)
        total = np.zeros(ahead.shape, np.uint8)
        for trial in range(len(position)):
            np.less(position[trial], reach[trial, :, rows, None], out=ahead)
            total += ahead.view(np.uint8)
        wins[:, rows] += total

    with ThreadPoolExecutor(threads()) as pool:
        list(pool.map(some_rows, range(0, runs, step)))


def error_rates(wins: np.ndarray, compared: np.ndarray, fuzziness: list) -> pl.DataFrame:
    """fuzziness, comparisons, errors, equal, error_rate (eq. 7), ties (eq. 8); rates null without comparisons.

    An error is a trial that contradicts the majority of the pair's trials.
    """
    comparisons = int((compared.sum(dtype=np.int64) - compared.trace(dtype=np.int64)) // 2)
    counted = pl.DataFrame(
        {
            "fuzziness": fuzziness,
            "comparisons": [comparisons] * len(fuzziness),
            "errors": [np.minimum(ahead, ahead.T).sum(dtype=np.int64) // 2 for ahead in wins],
            "equal": comparisons - wins.sum(axis=(1, 2), dtype=np.int64),
        },
        schema={"fuzziness": pl.Float64, "comparisons": pl.Int64, "errors": pl.Int64, "equal": pl.Int64},
    )
    rates = pl.when(pl.col("comparisons") > 0).then(pl.col("errors", "equal") / pl.col("comparisons"))
    return counted.with_columns(rates.name.map(lambda name: {"errors": "error_rate", "equal": "ties"}[name]))
