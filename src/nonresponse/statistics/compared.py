"""The runs whose pairs are tested, and what all tests of them start from."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from nonresponse.statistics.cache import NOTHING, Cache
from nonresponse.statistics.influence import Influence

PAIRED = 2000  # runs that are compared with one another (2 million pairs); if there are more, only the best ones are
FEW = 20  # answers; with fewer, tests of measures that divide by them may find differences too often
FEWEST = 20  # of the rarer of two classes; with fewer, a measure that compares them hardly tells any runs apart


@dataclass(frozen=True, eq=False)
class Compared:
    """Runs whose scores are defined. Pairs are x before y in their order, as np.triu_indices has them.

    score (runs,) are the measure's own values, which the means of influence values approximate but need not equal
    (orderings). Where questions come in clusters, what is said of a question holds for a cluster.

    doubt (pairs,) is added to the sum of squares of the observed differences, not to those of flips: a run whose twenty
    answers are all right does not vary, and would differ significantly from any other, though it might err on others.
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
    def pairs(self) -> tuple[np.ndarray, np.ndarray]:
        """The rows of both runs of each pair, (pairs,) each."""
        x, y = np.triu_indices(len(self.score), 1)
        return x, y

    @cached_property
    def products(self) -> np.ndarray:
        """Sums over questions of products of the runs' deviations from their means, (runs, runs)."""
        return self.influence.products(self.cache)

    @cached_property
    def squares(self) -> np.ndarray:
        """The sum of squares of c_q = d_q - mean d for each pair (pairs,); 0 where the differences are constant."""
        (x, y), own = self.pairs, self.products.diagonal()
        squares = own[x] + own[y] - 2 * self.products[x, y]
        # Rounding can leave a tiny variance of constant differences.
        return np.where(squares > 1e-9 * np.maximum(own[x] + own[y], 1e-9), squares, 0)

    @property
    def variance(self) -> np.ndarray:
        """The variance over questions of the differences d_q of each pair (pairs,); 0 where they are constant."""
        return self.squares / max(self.questions - 1, 1)

    @cached_property
    def seen(self) -> np.ndarray:
        """u = t sqrt(n) / sqrt(t² + n - 1) of each pair, for t = |D| sqrt(n) / sd(d); it grows with t.

        For a flip it is |S| / sqrt(sum c²), S being the signed sum of the c_q: flips change the mean of the c_q, but
        not the sum of their squares. NaN where the differences are constant.
        """
        (x, y), n = self.pairs, self.questions
        with np.errstate(invalid="ignore", divide="ignore"):
            t2 = (self.score[x] - self.score[y]) ** 2 * n * (n - 1) / (self.squares + self.doubt)
            return np.where(self.squares > 0, np.sqrt(n * t2 / (t2 + n - 1)), np.nan)
