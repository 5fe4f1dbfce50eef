"""The runs whose pairs are tested, and what all tests of them start from."""

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from nonresponse.statistics import PRIOR
from nonresponse.statistics.cache import NOTHING, Cache
from nonresponse.statistics.distributions import student_quantile, student_tails
from nonresponse.statistics.influence import Dense, Influence
from nonresponse.statistics.intervals import (
    count_per_unit,
    effective_units,
    include_score,
    largest_difference,
)
from nonresponse.statistics.outcomes import Outcomes, full_scores, select_rows
from nonresponse.statistics.pseudo_values import count_rarer_class, influence_values

MAX_RUNS = 2000  # compared with one another, 2 million pairs; of more runs, only the best are
# With fewer, tests of measures that divide by answers may find differences too often, and find the
# detectable ones too seldom, as another set of questions may have fewer answers
MIN_ANSWERS = 20
LAST_RANK = 4  # the best run is compared with the next ones up to this rank
MIN_CLASS = 20  # with fewer of the rarer class, a measure that compares two hardly has any power


@dataclass(frozen=True, eq=False)
class Pairs:
    """All pairs of runs whose scores are defined, x before y, in the order of np.triu_indices.

    score (runs,) are the measure's own values, which the means of influence values approximate but
    need not equal (orderings). Where questions come in clusters, a question stands for a cluster.

    largest (pairs,) is the largest possible difference of influence values on one question. Tests
    and intervals add half a question with it in either direction. A run whose twenty answers are
    all correct does not vary, though it might err on others. rests_on (runs,) is the number of
    questions that each score rests on, None = all. The others add nothing to it. score_range is
    the largest possible difference of two scores. sizes are those of clusters, (runs, questions) or
    (1, questions), None = all are alike.
    """

    score: np.ndarray
    influence: Influence
    largest: np.ndarray | float = 0.0
    rests_on: np.ndarray | None = None
    score_range: float = np.inf
    cache: Cache = NOTHING
    sizes: np.ndarray | None = None

    @property
    def questions(self) -> int:
        """The number of questions, or of clusters of them."""
        return self.influence.questions

    @cached_property
    def null(self) -> "Pairs":
        """The pairs whose signs are flipped: clusters of unlike sizes add what they would if all
        runs had the same score (Cameron, Gelbach & Miller 2008)."""
        if self.sizes is None or not np.ptp(self.sizes, axis=1).any():
            return self
        gaps = (self.score - self.score.mean())[:, None]
        shares = self.sizes / self.sizes.mean(axis=1, keepdims=True)
        influence = Dense(self.influence.dense + (shares - 1) * gaps)
        return replace(self, influence=influence, rests_on=None, sizes=None)

    @cached_property
    def rows(self) -> tuple[np.ndarray, np.ndarray]:
        """The rows of both runs of each pair, (pairs,) each."""
        return np.triu_indices(len(self.score), 1)

    @cached_property
    def products(self) -> np.ndarray:
        """Sums over questions of products of deviations from the runs' means, (runs, runs)."""
        return self.influence.products()

    @cached_property
    def squares(self) -> np.ndarray:
        """The sum of squares of c_q = d_q - mean d for each pair (pairs,), 0 if d is constant."""
        (x, y), squares = self.rows, self.products.diagonal()
        total = squares[x] + squares[y]
        squares = total - 2 * self.products[x, y]
        # Rounding can leave a tiny variance of constant differences.
        return np.where(squares > 1e-9 * np.maximum(total, 1e-9), squares, 0)

    @property
    def variance(self) -> np.ndarray:
        """The variance over questions of the differences d_q of each pair (pairs,)."""
        return self.squares / max(self.questions - 1, 1)

    @cached_property
    def difference(self) -> np.ndarray:
        """The score of x less that of y, (pairs,)."""
        x, y = self.rows
        return self.score[x] - self.score[y]

    @cached_property
    def units(self) -> np.ndarray | int:
        """The number of questions, at least 2, that both scores of each pair rest on, (pairs,)."""
        if self.rests_on is None or (self.rests_on == self.questions).all():
            return max(self.questions, 2)
        return np.maximum(np.minimum(*(self.rests_on[run] for run in self.rows)), 2)

    @property
    def has_enough(self) -> np.ndarray:
        """Whether each score rests on at least MIN_ANSWERS questions, and on half of the most,
        (runs,). The scores of other runs vary more, so that no statement on all runs holds for
        them."""
        units = np.full(len(self.score), self.questions) if self.rests_on is None else self.rests_on
        return units >= max(min(self.questions, MIN_ANSWERS), units.max(initial=0) / 2)

    @cached_property
    def moments(self) -> tuple[np.ndarray, np.ndarray | float]:
        """The sum of squares and the largest difference, as if only these `units` were asked."""
        return scale_moments(self.squares, self.largest, self.questions, self.units)

    @cached_property
    def statistic(self) -> np.ndarray:
        """U = t sqrt(m) / sqrt(t² + m - 1) of each pair, for t = |D| sqrt(m) / sd(d) and m `units`.
        It grows with t.

        For a flip it is |S| / sqrt(sum c²), S being the signed sum of the c_q: flips change the
        mean of the c_q, but not the sum of their squares. NaN where the differences are constant.
        """
        (squares, largest), m = self.moments, self.units
        with np.errstate(invalid="ignore", divide="ignore"):
            t2 = self.difference**2 * m * (m - 1) / (squares + 2 * PRIOR * largest**2)
            return np.where(self.squares > 0, np.sqrt(m * t2 / (t2 + m - 1)), np.nan)

    def interval(self, level: float, never: np.ndarray | int = 0) -> np.ndarray:
        """Return lower and upper end (pairs, 2) at confidence 1 - level, around the difference.

        never: in how many directions no question distinguishes the runs, (pairs,). A whole question
        is added there, as for scores.
        """
        added = PRIOR * (2 + never)
        centre, error = estimate_difference(self.difference, *self.moments, self.units, added)
        freedoms, index = np.unique(round_freedom(self.units), return_inverse=True)
        quantiles = np.array([student_quantile(1 - level / 2, df) for df in freedoms.tolist()])
        half = quantiles[index] * error
        return include_score(
            np.clip([centre - half, centre + half], -self.score_range, self.score_range),
            self.difference,
        )

    @cached_property
    def p(self) -> np.ndarray:
        """The smallest level at which the interval leaves out 0, with half a question added in
        either direction, (pairs,)."""
        estimate = estimate_difference(self.difference, *self.moments, self.units)
        return find_p(*estimate, self.units)


def scale_moments(
    squares: np.ndarray, largest: np.ndarray | float, questions: int, units: np.ndarray | int
) -> tuple[np.ndarray, np.ndarray | float]:
    """Return the sum of squares of differences over questions and the largest one, as if only these
    `units` were asked."""
    n = max(questions, 2)
    return squares * ((units - 1) / (n - 1)) ** 2, largest * units / n


def estimate_difference(
    difference: np.ndarray,
    squares: np.ndarray,
    largest: np.ndarray | float,
    units: np.ndarray | int,
    added: np.ndarray | float = 2 * PRIOR,
) -> tuple[np.ndarray, np.ndarray]:
    """Return the centre and the standard error of differences, with so many questions added, half
    of them in either direction."""
    centre = difference * units / (units + added)
    squares = squares + units * (difference - centre) ** 2
    squares = squares + added * (largest**2 + centre**2)
    return centre, np.sqrt(squares / units / (units + added))


def find_p(centre: np.ndarray, error: np.ndarray, units: np.ndarray | int) -> np.ndarray:
    """Return the smallest level at which an interval by Student's t leaves out 0."""
    freedom = np.broadcast_to(round_freedom(units), len(centre))
    with np.errstate(invalid="ignore", divide="ignore"):
        t = np.where(centre == 0, 0, np.abs(centre) / error)
    tails = np.ones(len(t))
    for df in np.unique(freedom).tolist():
        tails[freedom == df] = student_tails(t[freedom == df], df)
    return tails


def round_freedom(units: np.ndarray | int) -> np.ndarray:
    """Return the degrees of freedom of so many questions, rounded down to two digits.

    Many pairs then share a quantile.
    """
    df = np.asarray(units) - 1
    unit = 10 ** np.maximum(np.floor(np.log10(df)) - 1, 0)
    return np.floor(df / unit) * unit


@dataclass(frozen=True, eq=False)
class Selection:
    """The runs of a campaign, and which of them are compared by a measure, (runs,) each.

    smooth: whose scores no single question makes undefined, by a measure that is tested. paired:
    all, or the MAX_RUNS best of more. compared: both. tested and pairs: the outcomes and the pairs
    of the compared runs.
    """

    score: np.ndarray
    smooth: np.ndarray
    paired: np.ndarray
    compared: np.ndarray
    tested: Outcomes
    pairs: Pairs


@lru_cache(maxsize=1)
def select_runs(outcomes: Outcomes, cache: Cache = NOTHING) -> Selection:
    """Select the runs that are compared.

    A measure that noise moves in one direction, or that is no smooth function of shares of the
    questions, compares none. One that compares two classes needs MIN_CLASS of the rarer one.
    """
    (score, influence), measure = influence_values(outcomes), outcomes.measure
    smooth = influence.defined & measure.smooth & (not measure.biased)
    if measure.classes:
        smooth &= count_rarer_class(outcomes) >= MIN_CLASS
    paired = np.full(len(score), len(score) <= MAX_RUNS)
    paired[order_runs(score, measure.higher_is_better)[:MAX_RUNS]] = True
    compared = smooth & paired
    rows = np.flatnonzero(compared).tolist()
    tested = outcomes if compared.all() else select_rows(outcomes, rows)
    low, high = measure.range
    pairs = Pairs(
        score[compared],
        influence.select_rows(compared),
        largest_difference(tested),
        effective_units(tested),
        np.inf if low is None or high is None else high - low,
        cache,
        count_per_unit(tested).astype(np.float64) if tested.inside else None,
    )
    return Selection(score, smooth, paired, compared, tested, pairs)


def pair_index(x: Any, y: Any, runs: int) -> Any:
    """Return the index of the pairs of rows x and y, x before y, among all pairs of the runs."""
    return x * (2 * runs - x - 1) // 2 + y - x - 1


def order_runs(score: np.ndarray, higher_is_better: bool) -> np.ndarray:
    """Return the runs that have a score, by their index, best first; score (runs,), NaN = none."""
    order = np.argsort(-score if higher_is_better else score, kind="stable")
    return order[: np.isfinite(score).sum()]


def select_best(outcomes: Outcomes) -> Outcomes:
    """Return the outcomes of the MAX_RUNS best runs; of all, if there are no more."""
    if len(outcomes.runs) <= MAX_RUNS:
        return outcomes
    best = order_runs(full_scores(outcomes), outcomes.measure.higher_is_better)[:MAX_RUNS]
    return select_rows(outcomes, sorted(best.tolist()))


def pair_leaders(score: np.ndarray, higher_is_better: bool) -> list[tuple[int, int]]:
    """Return the indexes of the best run and each of the next ones, up to rank LAST_RANK."""
    order = order_runs(score, higher_is_better)[:LAST_RANK].tolist()
    return [(order[0], run) for run in order[1:]]
