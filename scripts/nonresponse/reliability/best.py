"""Where each run may stand: its range of ranks, whether it may be the best, and its score without the luck of the draw.

Ranges follow from p_maxt, which holds for all pairs together: a run stands behind every run that is surely better, and
before every one that is surely worse. Whether a run may be the best is one question by itself (Hsu 1984): the largest
lead over it, of one side, beside that in the flips.
"""

import numpy as np
import polars as pl

from nonresponse.reliability import sign_flips

FEWEST = 3  # runs whose scores tell how much runs differ
STANDINGS = {"rank_low": pl.Int64, "rank_high": pl.Int64, "may_be_best": pl.Boolean}


def standings(
    score: np.ndarray, known: np.ndarray, rows: np.ndarray, pairs: dict, behind: np.ndarray, units: int, settings: dict
) -> dict[str, list]:
    """STANDINGS of all runs, lists of (runs,) each; None where a run is not compared.

    score (runs,) as of a measure of which more is better, NaN = undefined; known (runs,), which are compared. `pairs`
    are comparison.tests of the runs in `rows`, `behind` counts of sign_flips.behind, of the compared ones among them.
    """
    level, flips, number = settings["level"], settings["flips"], len(score)
    x, y = (rows[place] for place in np.triu_indices(len(rows), 1))
    apart = pairs["p_maxt"] <= level
    ahead, second = np.where(score[x] >= score[y], (x, y), (y, x))
    better, worse = (np.bincount(runs[apart], minlength=number) for runs in (second, ahead))
    among = np.zeros(number, bool)
    among[rows] = known[rows]
    p = np.zeros(number)
    p[among] = np.maximum((1 + behind) / (1 + flips), sign_flips.smallest(units, flips))
    # No run is surer behind all others than behind one of them by itself, as with p_maxt.
    by_itself = np.ones(number)
    np.minimum.at(by_itself, second, np.nan_to_num(pairs["p"] / 2, nan=1.0))
    may = (better == 0) & (np.maximum(p, by_itself) > level)
    found = {"rank_low": better + 1, "rank_high": np.isfinite(score).sum() - worse, "may_be_best": may}
    return {
        name: [value if its else None for value, its in zip(of_runs.tolist(), among, strict=True)]
        for name, of_runs in found.items()
    }


def shrunken(score: np.ndarray, psi: np.ndarray) -> np.ndarray:
    """The scores drawn in to their mean as far as chance has spread them (runs,): empirical Bayes.

    Of the variance between scores, the part that a run's questions explain is what each run makes of a question beyond
    what all make of it: the luck of the questions is the same for all. NaN for runs that are not compared (score NaN),
    and for all where they are fewer than FEWEST.
    """
    known = np.isfinite(score)
    number, questions = int(known.sum()), psi.shape[1]
    if number < FEWEST or questions < 2:
        return np.full(len(score), np.nan)
    own = psi[known] - psi[known].mean(axis=0)
    own -= own.mean(axis=1, keepdims=True)
    chance = (own**2).sum() / ((number - 1) * (questions - 1) * questions)
    between = score[known].var(ddof=1)
    kept = max(0.0, 1 - chance / between) if between > 0 else 0.0
    mean = score[known].mean()
    return mean + kept * (score - mean)
