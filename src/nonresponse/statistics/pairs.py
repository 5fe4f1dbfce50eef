"""The runs whose pairs are tested, and what all tests of them start from."""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from nonresponse.statistics import PRIOR
from nonresponse.statistics.cache import NOTHING, Cache
from nonresponse.statistics.influence import Influence
from nonresponse.statistics.intervals import largest_difference
from nonresponse.statistics.outcomes import Outcomes, only
from nonresponse.statistics.pseudo_values import (
    influence_values,
    rarer_class,
    without_idle_questions,
)

# Runs that are compared with one another (2 million pairs); if there are more, only the best ones
# are
PAIRED = 2000
# answers; with fewer, tests of measures that divide by them may find differences too often
FEW = 20
LEADING = 4  # the best run is compared with the next ones up to this rank
# Of the rarer of two classes; with fewer, a measure that compares them hardly tells any runs apart
FEWEST = 20


@dataclass(frozen=True, eq=False)
class Pairs:
    """All pairs of some runs whose scores are defined, x before y in their order, as
    np.triu_indices has them.

    score (runs,) are the measure's own values, which the means of influence values approximate but
    need not equal (orderings). Where questions come in clusters, what is said of a question holds
    for a cluster.

    doubt (pairs,) is added to the sum of squares of the observed differences, not to those of
    flips: a run whose twenty answers are all right does not vary, and would differ significantly
    from any other, though it might err on others.
    """

    score: np.ndarray
    influence: Influence
    doubt: np.ndarray | float = 0.0
    cache: Cache = NOTHING

    @property
    def questions(self) -> int:
        """The number of questions, or of clusters of them."""
        return self.influence.questions

    @cached_property
    def rows(self) -> tuple[np.ndarray, np.ndarray]:
        """The rows of both runs of each pair, (pairs,) each."""
        x, y = np.triu_indices(len(self.score), 1)
        return x, y

    @cached_property
    def products(self) -> np.ndarray:
        """Sums over questions of products of the runs' deviations from their means, (runs,
        runs)."""
        return self.influence.products(self.cache)

    @cached_property
    def squares(self) -> np.ndarray:
        """The sum of squares of c_q = d_q - mean d for each pair (pairs,); 0 where the differences
        are constant."""
        (x, y), own = self.rows, self.products.diagonal()
        squares = own[x] + own[y] - 2 * self.products[x, y]
        # Rounding can leave a tiny variance of constant differences.
        return np.where(squares > 1e-9 * np.maximum(own[x] + own[y], 1e-9), squares, 0)

    @property
    def variance(self) -> np.ndarray:
        """The variance over questions of the differences d_q of each pair (pairs,); 0 where they
        are constant."""
        return self.squares / max(self.questions - 1, 1)

    @cached_property
    def seen(self) -> np.ndarray:
        """u = t sqrt(n) / sqrt(t² + n - 1) of each pair, for t = |D| sqrt(n) / sd(d); it grows with
        t.

        For a flip it is |S| / sqrt(sum c²), S being the signed sum of the c_q: flips change the
        mean of the c_q, but not the sum of their squares. NaN where the differences are constant.
        """
        (x, y), n = self.rows, self.questions
        with np.errstate(invalid="ignore", divide="ignore"):
            t2 = (self.score[x] - self.score[y]) ** 2 * n * (n - 1) / (self.squares + self.doubt)
            return np.where(self.squares > 0, np.sqrt(n * t2 / (t2 + n - 1)), np.nan)


@dataclass(frozen=True, eq=False)
class Selection:
    """The runs of a campaign, and which of them are compared by a measure.

    outcomes: without the questions that count for no run; `score` and `influence` are those of all
    runs. smooth: whose scores no single question makes undefined, by a measure that is tested.
    paired: all, or the PAIRED best of more. compared: both. tested: the outcomes of the compared
    runs, and `pairs` their pairs. (runs,) each.
    """

    outcomes: Outcomes
    score: np.ndarray
    influence: Influence
    smooth: np.ndarray
    paired: np.ndarray
    compared: np.ndarray
    tested: Outcomes
    pairs: Pairs


@lru_cache(maxsize=1)
def select_runs(outcomes: Outcomes, cache: Cache = NOTHING) -> Selection:
    """Select the runs that are compared.

    As intervals do, tests add half a question with the largest possible difference in either
    direction to the sum of squared differences.
    """
    counting = without_idle_questions(outcomes)
    score, influence = influence_values(counting)
    smooth, paired = has_influence(counting, influence), np.full(len(score), len(score) <= PAIRED)
    paired[best_first(score, outcomes.measure.higher_is_better)[:PAIRED]] = True
    some = smooth & paired
    tested = counting if some.all() else only(counting, np.flatnonzero(some).tolist())
    doubt = 2 * PRIOR * largest_difference(tested) ** 2
    pairs = Pairs(score[some], influence.only(some), doubt, cache)
    return Selection(counting, score, influence, smooth, paired, some, tested, pairs)


def has_influence(outcomes: Outcomes, influence: Influence) -> np.ndarray:
    """Return whose scores no single question makes undefined, bool (runs,).

    No run by a measure that noise moves in one direction, or that is no smooth function of shares
    of the questions. And no run with fewer than FEWEST in the rarer of two classes, if the measure
    compares two.
    """
    measure = outcomes.measure
    known = influence.defined & measure.smooth & (not measure.biased)
    return known & (rarer_class(outcomes) >= FEWEST) if measure.classes else known


def pair_index(x: Any, y: Any, runs: int) -> Any:
    """Return the index of the pairs of rows x and y, x before y, among all pairs of so many
    runs."""
    return x * (2 * runs - x - 1) // 2 + y - x - 1


def best_first(score: np.ndarray, higher_is_better: bool) -> np.ndarray:
    """Return the runs that have a score, by their index, best first; score (runs,), NaN = none."""
    return np.argsort(-score if higher_is_better else score, kind="stable")[
        : np.isfinite(score).sum()
    ]


def leading_pairs(score: np.ndarray, higher_is_better: bool) -> list[tuple[int, int]]:
    """Return the indexes of the best run and each of the next ones, up to rank LEADING."""
    best = best_first(score, higher_is_better)[:LEADING].tolist()
    return [(best[0], other) for other in best[1:]]
