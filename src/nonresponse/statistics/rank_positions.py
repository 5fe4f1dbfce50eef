"""Who is ahead of whom, and by how much, in one trial: from scores to positions in the order of all runs.

Comparing all pairs of runs is then comparing small integers: run x is ahead of run y by some margin when the position
of y (the number of runs with a lower score) is below the reach of x (the number of runs that x leaves behind by
that margin). Scores that differ by TOLERANCE or less, relative to scores beyond 1, are equal: rounding decides nothing.
"""

import numpy as np

TOLERANCE = 1e-9
FEW = 16  # runs; for no more, comparing all with all is faster than a binary search
LEADING = 4  # the best run is compared with the next ones up to this rank


def best_first(score: np.ndarray, higher_is_better: bool) -> np.ndarray:
    """The runs that have a score, by their index, best first; score (runs,), NaN = none."""
    return np.argsort(-score if higher_is_better else score, kind="stable")[: np.isfinite(score).sum()]


def leading_pairs(score: np.ndarray, higher_is_better: bool) -> list[tuple[int, int]]:
    """The indexes of the best run and each of the next ones, up to rank LEADING."""
    best = best_first(score, higher_is_better)[:LEADING].tolist()
    return [(best[0], other) for other in best[1:]]


def rank_positions(scores: np.ndarray, margins: dict) -> tuple[np.ndarray, np.ndarray]:
    """Position (trials, runs) of every run, and its reach (trials, margins, runs) for each margin.

    `margins` is {"fuzziness": [...]}, shares of the larger one of two scores, or {"difference": [...]}, absolute.
    A run without a score has the position `runs`, which nobody reaches, and reaches nobody.
    """
    runs = scores.shape[1]
    number = np.uint16 if runs < 2**16 else np.uint32
    order = np.argsort(scores, axis=1)  # NaN comes last
    keys, ahead = np.take_along_axis(scores, order, 1), limits_of(scores, margins)
    known = ~np.isnan(keys)
    new = np.column_stack([np.ones(len(keys), bool), keys[:, 1:] != keys[:, :-1]])  # not a tie with the run before
    position = np.maximum.accumulate(np.where(new, np.arange(runs), 0), axis=1).astype(number)
    ahead = np.take_along_axis(ahead, order[:, None], 2)
    reach = np.empty(ahead.shape, number)
    if runs <= FEW:
        np.sum(keys[:, None, None] <= ahead[..., None], axis=3, where=known[:, None, None], out=reach)
    else:  # looked for in ascending order, which is several times faster
        for its_reach, limits, ordered, scored in zip(reach, ahead, keys, known.sum(axis=1), strict=True):
            its_reach.flat = np.searchsorted(ordered[:scored], limits.ravel(), "right")
    position[~known] = runs
    reach *= known[:, None]
    back = np.argsort(order, axis=1)
    return np.take_along_axis(position, back, 1), np.take_along_axis(reach, back[:, None], 2)


def limits_of(scores: np.ndarray, margins: dict) -> np.ndarray:
    """The highest score that each run leaves behind by each margin, (trials, margins, runs)."""
    [(kind, values)] = margins.items()
    size = np.abs(scores)
    equal, less = TOLERANCE * np.maximum(size, 1), size if kind == "fuzziness" else 1
    return np.stack([np.minimum(scores - margin * less + equal, scores - equal) for margin in values], axis=-2)
