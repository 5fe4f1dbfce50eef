"""The runs whose pairs are tested, and what all tests of them start from."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from nonresponse.reliability.cache import NOTHING, Cache
from nonresponse.reliability.pseudo_values import summable, variances

PAIRED = 5000  # runs that are compared with one another (12 million pairs); if there are more, only the best ones are
FEW = 20  # answers; with fewer, tests of measures that divide by them may find differences too often
FEWEST = 20  # of the rarer of two classes; with fewer, a measure that compares them hardly tells any runs apart
SAME = 1e-9  # relative; statistics closer than this are equal: discrete scores tie often, and rounding must not decide


@dataclass(frozen=True, eq=False)
class Compared:
    """Runs whose scores are defined. Pairs are x before y in their order, as np.triu_indices has them.

    score (runs,) are the measure's own values, which the means of psi approximate but need not equal (orderings). psi
    (runs, questions) are their pseudo-values; where questions come in clusters, a column is a cluster.

    doubt (pairs,) is added to the sum of squares of the observed differences, not to those of flips: a run whose twenty
    answers are all right does not vary, and would differ significantly from any other, though it might err on others.
    """

    score: np.ndarray
    psi: np.ndarray
    doubt: np.ndarray | float = 0.0
    cache: Cache = NOTHING

    @property
    def questions(self) -> int:
        """The number of questions, or of clusters of them."""
        return self.psi.shape[1]

    @cached_property
    def pairs(self) -> tuple[np.ndarray, np.ndarray]:
        """The rows of both runs of each pair, (pairs,) each."""
        x, y = np.triu_indices(len(self.score), 1)
        return x, y

    @cached_property
    def centred(self) -> np.ndarray:
        """psi less the mean of each run, summable."""
        return summable(self.psi - self.psi.mean(axis=1, keepdims=True))

    @cached_property
    def variance(self) -> np.ndarray:
        """The variance over questions of the differences d_q of each pair (pairs,); 0 where they are constant."""
        return variances(self.psi, *self.cache.pairs("products", self.place, "runs", np.float64), self.cache)

    @cached_property
    def place(self) -> np.ndarray:
        """Where each run stood in the cache (runs,), -1 = nowhere."""
        return self.cache.find_rows("runs", self.psi, self.score)

    @cached_property
    def squares(self) -> np.ndarray:
        """The sum of squares of c_q = d_q - mean d for each pair."""
        return self.variance * (self.questions - 1)

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

    @cached_property
    def two_valued(self) -> bool:
        """Whether a question is right or wrong and nothing else, as in accuracy."""
        low, high = self.psi.min(initial=np.inf), self.psi.max(initial=-np.inf)
        return bool(high > low and np.all((np.abs(self.psi - low) < SAME) | (np.abs(self.psi - high) < SAME)))
