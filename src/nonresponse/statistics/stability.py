"""Stability and discrimination power (Buckley & Voorhees 2000; Peñas & Rodrigo 2011, section 4.2).

From scores to positions in the order of all runs, comparing all pairs of runs is comparing small
integers: run x is ahead of run y by some margin when the position of y (the number of runs with a
lower score) is below the reach of x (the number of runs that x leaves behind by that margin).
"""

import math
from itertools import combinations_with_replacement

import numpy as np
import polars as pl

from nonresponse.settings import Settings
from nonresponse.statistics.cache import NOTHING, Cache
from nonresponse.statistics.outcomes import TOLERANCE, Outcomes, score_weighted
from nonresponse.statistics.pairs import select_best
from nonresponse.statistics.subsets import choose_size, draw_subsets, limit_batch

CELLS = 2**19  # comparisons at once, a byte each: they stay in the processor's cache
BATCH_TRIALS = 250  # at once: they are counted in bytes
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
    outcomes = select_best(outcomes)
    size, fuzziness = choose_size(outcomes), settings["fuzziness"]
    comparisons, wins, errors = count_trials(
        outcomes, settings["seed"], campaign, size, range(settings["trials"]), fuzziness
    )
    rows = [
        {
            "fuzziness": share,
            "comparisons": comparisons,
            "errors": error,
            "equal": comparisons - won,
            "error_rate": error / comparisons if comparisons else None,
            "ties": (comparisons - won) / comparisons if comparisons else None,
            "size": outcomes.count_questions(size),
            "questions": outcomes.question_count,
        }
        for share, won, error in zip(fuzziness, wins.tolist(), errors.tolist(), strict=True)
    ]
    return [pl.DataFrame(rows, STABILITY)]


def count_trials(
    outcomes: Outcomes, seed: int, campaign: str, size: int, trials: range, fuzziness: list[float]
) -> tuple[int, np.ndarray, np.ndarray]:
    """Return how many comparisons of two runs there are, how often one is ahead by each margin,
    and how often against the majority of the pair's trials.

    Figure 1 of Peñas & Rodrigo 2011 with one subset per trial for all pairs.
    """
    positions, reaches = [], []
    step = limit_batch(outcomes.n, BATCH_TRIALS)
    draws = [(size, trial) for trial in trials]
    for start in range(0, len(draws), step):
        subset, _ = draw_subsets(seed, campaign, outcomes.n, draws[start : start + step])
        position, reach = rank_positions(score_weighted(outcomes, subset), fuzziness)
        positions.append(position)
        reaches.append(reach)
    position, reach = np.concatenate(positions), np.concatenate(reaches)
    defined = np.count_nonzero(position < len(outcomes.runs), axis=1)
    wins, errors = count_wins(position, reach)
    return int((defined * (defined - 1) // 2).sum()), wins, errors


def count_wins(position: np.ndarray, reach: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return in how many trials x is ahead of y, position[y] < reach[f, x], over all x and y; and
    the same against the majority of the trials of x and y, (margins,) each.

    position: (trials, runs), reach: (trials, margins, runs).
    """
    _, levels, runs = reach.shape
    edge = max(1, math.isqrt(CELLS // levels))
    tiles = [slice(start, start + edge) for start in range(0, runs, edge)]

    def count_ahead(x: slice, y: slice) -> np.ndarray:
        """Return how often runs x are ahead of runs y, (margins, x, y)."""
        shape = levels, len(range(runs)[x]), len(range(runs)[y])
        total, ahead = np.zeros(shape, np.int32), np.empty(shape, bool)
        for start in range(0, len(position), BATCH_TRIALS):
            batch = slice(start, start + BATCH_TRIALS)
            subtotal = np.zeros(shape, np.uint8)
            for places, limits in zip(position[batch], reach[batch], strict=True):
                np.less(places[y], limits[:, x, None], out=ahead)
                subtotal += ahead.view(np.uint8)
            total += subtotal
        return total

    sums = np.zeros((2, levels), np.int64)  # wins and errors
    for x, y in combinations_with_replacement(tiles, 2):
        forward = count_ahead(x, y)
        backward = (forward if x == y else count_ahead(y, x)).swapaxes(1, 2)
        results = forward + backward, np.minimum(forward, backward)
        # Each pair of one tile stands there twice
        counts = np.stack([result.sum(axis=(1, 2), dtype=np.int64) for result in results])
        sums += counts // 2 if x == y else counts
    return sums[0], sums[1]


def rank_positions(scores: np.ndarray, fuzziness: list[float]) -> tuple[np.ndarray, np.ndarray]:
    """Return the position (trials, runs) of every run, and its reach (trials, margins, runs) for
    each margin.

    fuzziness: the margins, as shares of the larger one of two scores. A run without a score has the
    position `runs`, which nobody reaches, and reaches nobody.
    """
    runs = scores.shape[1]
    dtype = np.uint16 if runs < 2**16 else np.uint32
    order = np.argsort(scores, axis=1)  # NaN comes last
    keys, size = np.take_along_axis(scores, order, 1), np.abs(scores)
    equal = TOLERANCE * np.maximum(size, 1)
    # The highest score that each run leaves behind by each margin, (trials, margins, runs).
    ahead = np.stack(
        [np.minimum(scores - share * size + equal, scores - equal) for share in fuzziness], axis=-2
    )
    defined = ~np.isnan(keys)
    # Not a tie with the run before
    new = np.column_stack([np.ones(len(keys), bool), keys[:, 1:] != keys[:, :-1]])
    position = np.maximum.accumulate(np.where(new, np.arange(runs), 0), axis=1).astype(dtype)
    ahead = np.take_along_axis(ahead, order[:, None], 2)
    reach = np.empty(ahead.shape, dtype)
    # Looked for in ascending order, which is several times faster
    for row, limits, key, number in zip(reach, ahead, keys, defined.sum(axis=1), strict=True):
        row.flat = np.searchsorted(key[:number], limits.ravel(), "right")
    position[~defined] = runs
    reach *= defined[:, None]
    back = np.argsort(order, axis=1)
    return np.take_along_axis(position, back, 1), np.take_along_axis(reach, back[:, None], 2)
