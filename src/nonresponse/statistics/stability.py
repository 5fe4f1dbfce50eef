"""Stability and discrimination power (Buckley & Voorhees 2000; Peñas & Rodrigo 2011, section 4.2).

From scores to positions in the order of all runs, comparing all pairs of runs is comparing small
integers: run x is ahead of run y by some margin when the position of y (the number of runs with a
lower score) is below the reach of x (the number of runs that x leaves behind by that margin).
"""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import polars as pl

from nonresponse.database import threads
from nonresponse.settings import Settings
from nonresponse.statistics.cache import NOTHING, Cache
from nonresponse.statistics.outcomes import TOLERANCE, Outcomes, values
from nonresponse.statistics.subsets import at_once, size_for, subsets

CELLS = 2**19  # comparisons at once, a byte each: they stay in the processor's cache
AT_ONCE = 250  # trials at once: they are counted in bytes
FEW = 16  # runs; for no more, comparing all with all is faster than a binary search
STABILITY = {
    "fuzziness": pl.Float64,
    "comparisons": pl.Int64,
    "errors": pl.Int64,  # trials that contradict the majority of the pair's trials
    "equal": pl.Int64,
    "error_rate": pl.Float64,  # eq. 7; null without comparisons, like `ties`
    "ties": pl.Float64,  # eq. 8
    "size": pl.Int64,  # questions per subset
    "questions": pl.Int64,  # of the campaign
}


def make(
    outcomes: Outcomes, assessor: str, campaign: str, settings: Settings, cache: Cache = NOTHING
) -> list[pl.DataFrame]:
    """Return STABILITY, a row per fuzziness."""
    size, fuzziness = size_for(outcomes), settings["fuzziness"]
    wins, compared = count_wins(
        outcomes, settings["seed"], campaign, size, range(settings["trials"]), fuzziness
    )
    comparisons = int((compared.sum(dtype=np.int64) - compared.trace(dtype=np.int64)) // 2)
    errors = [int(np.minimum(ahead, ahead.T).sum(dtype=np.int64) // 2) for ahead in wins]
    equal = (comparisons - wins.sum(axis=(1, 2), dtype=np.int64)).tolist()
    rates = [
        [its / comparisons if comparisons else None for its in both]
        for both in zip(errors, equal, strict=True)
    ]
    numbers = outcomes.in_questions(size), outcomes.asked
    columns = zip(fuzziness, errors, equal, rates, strict=True)
    rows = [
        (step, comparisons, error, same, *both, *numbers) for step, error, same, both in columns
    ]
    return [pl.DataFrame(rows, STABILITY, orient="row")]


def count_wins(
    outcomes: Outcomes, seed: int, campaign: str, size: int, trials: range, fuzziness: list
) -> tuple[np.ndarray, np.ndarray]:
    """Return wins (fuzziness, runs, runs), how often x is ahead of y by the margin, and compared
    (runs, runs), how often both have a score.

    Figure 1 of Peñas & Rodrigo 2011 with one subset per trial for all pairs.
    """
    runs = len(outcomes.runs)
    wins = np.zeros((len(fuzziness), runs, runs), np.int32)
    compared = np.zeros((runs, runs), np.int32)
    step = at_once(outcomes.n, AT_ONCE)
    for start in range(trials.start, trials.stop, step):
        first, _ = subsets(
            seed, campaign, outcomes.n, size, range(start, min(start + step, trials.stop))
        )
        position, reach = rank_positions(values(outcomes, first), fuzziness)
        add_wins(wins, position, reach)
        defined = (position < runs).astype(np.float32)
        compared += (defined.T @ defined).astype(np.int32)
    return wins, compared


def add_wins(wins: np.ndarray, position: np.ndarray, reach: np.ndarray) -> None:
    """Add to wins[f, x, y] the number of trials in which position[y] < reach[f, x]."""
    levels, runs, _ = wins.shape
    step = max(1, CELLS // (levels * runs))

    def some_rows(start: int) -> None:
        """Add the wins of the runs from `start` on, as many as fit into the cache."""
        rows = slice(start, start + step)
        ahead = np.empty((levels, len(range(runs)[rows]), runs), bool)
        total = np.zeros(ahead.shape, np.uint8)
        for trial in range(len(position)):
            np.less(position[trial], reach[trial, :, rows, None], out=ahead)
            total += ahead.view(np.uint8)
        wins[:, rows] += total

    with ThreadPoolExecutor(threads()) as pool:
        list(pool.map(some_rows, range(0, runs, step)))


def rank_positions(scores: np.ndarray, fuzziness: list[float]) -> tuple[np.ndarray, np.ndarray]:
    """Return the position (trials, runs) of every run, and its reach (trials, margins, runs) for
    each margin.

    fuzziness: the margins, as shares of the larger one of two scores. A run without a score has the
    position `runs`, which nobody reaches, and reaches nobody.
    """
    runs = scores.shape[1]
    number = np.uint16 if runs < 2**16 else np.uint32
    order = np.argsort(scores, axis=1)  # NaN comes last
    keys, size = np.take_along_axis(scores, order, 1), np.abs(scores)
    equal = TOLERANCE * np.maximum(size, 1)
    # The highest score that each run leaves behind by each margin, (trials, margins, runs).
    ahead = np.stack(
        [np.minimum(scores - share * size + equal, scores - equal) for share in fuzziness], axis=-2
    )
    known = ~np.isnan(keys)
    # Not a tie with the run before
    new = np.column_stack([np.ones(len(keys), bool), keys[:, 1:] != keys[:, :-1]])
    position = np.maximum.accumulate(np.where(new, np.arange(runs), 0), axis=1).astype(number)
    ahead = np.take_along_axis(ahead, order[:, None], 2)
    reach = np.empty(ahead.shape, number)
    if runs <= FEW:
        np.sum(
            keys[:, None, None] <= ahead[..., None], axis=3, where=known[:, None, None], out=reach
        )
    else:  # looked for in ascending order, which is several times faster
        for its_reach, limits, ordered, scored in zip(
            reach, ahead, keys, known.sum(axis=1), strict=True
        ):
            its_reach.flat = np.searchsorted(ordered[:scored], limits.ravel(), "right")
    position[~known] = runs
    reach *= known[:, None]
    back = np.argsort(order, axis=1)
    return np.take_along_axis(position, back, 1), np.take_along_axis(reach, back[:, None], 2)
