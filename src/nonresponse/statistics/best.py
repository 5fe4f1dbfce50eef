"""Where each run may stand: its range of ranks, whether it may be the best, and its score shrunken towards the mean.

Ranges follow from p_maxt, which holds for all pairs together: a run ranks behind every run that is significantly
better, and ahead of every one that is significantly worse. Whether a run may be the best is a separate one-sided test
(Hsu 1984): it compares the largest lead of another run over it with the largest such lead in each flip.
"""

import numpy as np
import polars as pl

from nonresponse.settings import Settings
from nonresponse.statistics import sign_flips
from nonresponse.statistics.compared import Compared
from nonresponse.statistics.influence import SAME

FEWEST = 3  # runs; the scores of fewer do not tell how much runs differ
STANDINGS = {"rank_low": pl.Int64, "rank_high": pl.Int64, "may_be_best": pl.Boolean}


def standings(
    score: np.ndarray,
    known: np.ndarray,
    rows: np.ndarray,
    pairs: dict,
    behind: np.ndarray,
    units: int,
    settings: Settings,
) -> dict[str, list]:
    """STANDINGS of all runs, lists of (runs,) each; None where a run is not compared.

    score (runs,) is oriented so that more is better, NaN = undefined; known (runs,) says which runs are compared.
    `pairs` has the comparison.tests of the runs in `rows`, `behind` the counts of sign_flips.behind for the compared
    ones among them; units is the number of questions, or of clusters.
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
    # As with p_maxt: being behind any run cannot be more significant than being behind the run that leads most clearly.
    by_itself = np.ones(number)
    np.minimum.at(by_itself, second, np.nan_to_num(pairs["p"] / 2, nan=1.0))
    may = (better == 0) & (np.maximum(p, by_itself) > level)
    found = {"rank_low": better + 1, "rank_high": np.isfinite(score).sum() - worse, "may_be_best": may}
    return {
        name: [value if its else None for value, its in zip(of_runs.tolist(), among, strict=True)]
        for name, of_runs in found.items()
    }


def shrunken(runs: Compared) -> np.ndarray:
    """Shrink the scores (runs,) towards their mean, each by its own error variance: empirical Bayes.

    NaN for all runs if fewer than FEWEST are compared.
    """
    if len(runs.score) < FEWEST or runs.questions < 2:
        return np.full(len(runs.score), np.nan)
    error = errors(runs.products, runs.questions)
    true = true_variance(runs.score, error)
    weight = 1 / (true + error)
    mean = weight @ runs.score / weight.sum()
    return mean + true * weight * (runs.score - mean)


def errors(products: np.ndarray, questions: int) -> np.ndarray:
    """Return the error variances of the scores (runs,) from products of deviations on questions (runs, runs).

    The mean of all runs on each question is subtracted, since easy questions raise all scores alike. This takes a part
    of a run's own error and brings in a part of the others', for which the result is corrected. A run whose outcomes
    are all alike does not show its error and has the mean of all.
    """
    runs, own = len(products), products.diagonal()
    found = (own - 2 * products.mean(axis=1) + products.mean()) / ((questions - 1) * questions)
    mean = found.sum() / (runs - 1)
    found = (found - mean / runs) * runs / (runs - 2)
    return np.maximum(np.where(own < SAME, mean, found), SAME**2)


def true_variance(score: np.ndarray, error: np.ndarray) -> float:
    """Return the variance of the true scores (Paule and Mandel 1982), 0 where errors explain all differences."""

    def excess(true: float) -> float:
        weight = 1 / (true + error)
        return float(weight @ (score - weight @ score / weight.sum()) ** 2) - (len(score) - 1)

    low, high = 0.0, float(np.ptp(score)) ** 2
    if excess(low) <= 0:
        return low
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle) > 0 else (low, middle)
    return low
