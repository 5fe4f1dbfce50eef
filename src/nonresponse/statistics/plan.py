"""Questions needed to show that two runs differ, from shares of correct and unanswered ones."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from math import ceil, log2, sqrt
from statistics import NormalDist

import numpy as np

from nonresponse import measures
from nonresponse.measures import Measure
from nonresponse.statistics import PRIOR
from nonresponse.statistics.distributions import approximate_student
from nonresponse.statistics.power import MAX_QUESTIONS, compute_power, fewest_questions
from nonresponse.wording import format_level, format_rounded, format_signed, minus

STATES = ("n_ac", "n_u", "n_aw")  # correct, unanswered, wrong
ABSENT = ("n_aw_partial", "n_x_partial", "n_rightful")  # totals of which a plan has none
STEP = 1e-4  # of a share, in a derivative
Shares = tuple[float, float]  # correct and unanswered; the rest is wrong


@dataclass(frozen=True)
class Plan:
    """The number of questions at which the test of `compare` finds a difference of two runs with
    this power.

    a, b: shares correct and unanswered of either run. agreement: the share of questions on which
    both are in the same state (correct, unanswered or wrong). questions: None if more than 100
    million are needed.
    """

    measure: str
    a: Shares
    b: Shares
    agreement: float
    level: float
    power: float

    @cached_property
    def record(self) -> Measure:
        return measures.get("qa", self.measure)

    @cached_property
    def scores(self) -> tuple[float, float]:
        """The scores of a and b."""
        return score(self.record, self.a), score(self.record, self.b)

    @property
    def difference(self) -> float:
        """The score of b less that of a."""
        return self.scores[1] - self.scores[0]

    @cached_property
    def influence(self) -> tuple[np.ndarray, np.ndarray]:
        """Influence values of the states on the score of a, and of b."""
        return influence(self.record, self.a), influence(self.record, self.b)

    @cached_property
    def variance(self) -> float:
        """The variance over questions of the difference of influence values."""
        a, b = self.influence
        return float((joint(self.a, self.b, self.agreement) * (b[None, :] - a[:, None]) ** 2).sum())

    @cached_property
    def largest(self) -> float:
        """The largest difference of two influence values of one run."""
        return max(float(np.ptp(values)) for values in self.influence)

    @cached_property
    def share(self) -> float:
        """The share of the questions that the score of either run rests on: the smaller one."""
        if not self.record.divides_by:
            return 1.0
        return min(self.record.divisor(sum_states(vector(run))) for run in (self.a, self.b))

    @cached_property
    def is_two_valued(self) -> bool:
        """Whether scores of a question are the same two values for both runs: McNemar's test."""
        runs = zip(self.scores, self.influence, (self.a, self.b), strict=True)
        worths = {
            round(float(score + value) / self.record.scale, 6)
            for score, values, shares in runs
            for value, share in zip(values, vector(shares), strict=True)
            if share > 0
        }
        return len(worths) <= 2

    def power_at(self, questions: int) -> float:
        """Return the power of the test with so many questions, by normal approximation."""
        units = max(questions * self.share, 2.0)  # on average, as Pairs.units
        if 2.0 ** (1 - units) > self.level:
            return 0.0
        difference, squares = abs(self.difference), self.variance + self.difference**2
        critical = NormalDist().inv_cdf(1 - self.level / 2)
        if self.is_two_valued:  # McNemar's test, by its continuity correction
            shrink = 1.0
            error = sqrt(squares / questions)
            difference = difference - self.largest / questions
        else:  # Student's t with half a question in either direction, as in Pairs.estimate
            critical = approximate_student(critical, units - 1)
            shrink = units / (units + 2 * PRIOR)
            squares = self.variance * (units - 1) ** 2 / (questions - 1)
            squares += units * (difference * (1 - shrink)) ** 2
            largest = self.largest * units / questions
            squares += 2 * PRIOR * (largest**2 + (difference * shrink) ** 2)
            error = sqrt(squares / units / (units + 2 * PRIOR))
        spread = sqrt(self.variance / questions) * shrink
        return compute_power(difference * shrink, critical * error, spread)

    @cached_property
    def questions(self) -> int | None:
        """The smallest number of questions with the wanted power."""
        return fewest_questions(self.power_at, self.power, 2 + ceil(log2(1 / self.level)))

    @property
    def alternatives(self) -> list[Plan]:
        """The plans from independent runs to runs that agree as often as they can."""
        low, high = possible_agreement(self.a, self.b)
        return [replace(self, agreement=low + (high - low) * part / 4) for part in range(5)]

    @property
    def sentences(self) -> list[str]:
        """The plan in words."""
        low, high = map(format_percent, possible_agreement(self.a, self.b))
        a, b = (format_rounded(value, 3) for value in self.scores)
        return [
            f"{self.measure}: {minus(a)} for A and {minus(b)} for B, a difference of"
            f" {minus(format_signed(self.difference, 3))}.",
            f"Both are taken to be in the same state on {format_percent(self.agreement)} of the"
            f" questions (independent runs: {low}; at most: {high}).",
            f"To find the difference at the {format_level(self.level)} level with a power of"
            f" {format_level(self.power)}, {format_questions(self.questions)} are needed.",
        ]

    def __repr__(self) -> str:
        rows = [
            f"{format_percent(plan.agreement):>9}  {format_questions(plan.questions)}"
            for plan in self.alternatives
        ]
        return "\n".join([*self.sentences, "", "agreement  needed", *rows])

    def data(self) -> dict:
        """Return the plan as values for JSON."""
        return asdict(self) | {
            "scores": self.scores,
            "difference": self.difference,
            "questions": self.questions,
            "by_agreement": [[plan.agreement, plan.questions] for plan in self.alternatives],
        }

    def json(self) -> str:
        """Return the plan as JSON."""
        return json.dumps(self.data(), indent=1)


def plan(
    a: Shares,
    b: Shares,
    measure: str = "c@1",
    agreement: float | None = None,
    level: float = 0.05,
    power: float = 0.8,
) -> Plan:
    """Return how many questions a test needs to find the difference of two systems.

    a, b: shares of the questions that each answers correctly, and that it leaves unanswered.
    measure: one that counts answers. agreement: the share of questions on which both are in the
    same state (correct, unanswered, wrong). If left out, it is that of independent runs, which need
    the most questions. level: of the two-sided test. power: the probability that the test finds the
    difference. ValueError if a value is impossible.

    The joint distribution of both states mixes independent runs with runs in the same state as
    often as possible. The power is that of the test of `compare`, on influence values.

    >>> plan((0.60, 0.20), (0.65, 0.20)).questions
    926
    """
    low, high = possible_agreement(check_shares(a, "a"), check_shares(b, "b"))
    agreement = low if agreement is None else agreement
    if not low - 1e-9 <= agreement <= high + 1e-9:
        raise ValueError(
            f"An agreement of {agreement:g} is not possible: give one from {low:.4g} "
            f"(independent runs) to {high:.4g}"
        )
    for name, value in (("level", level), ("power", power)):
        if not 0 < value < 1:
            raise ValueError(f"The {name} is {value:g}: give a number between 0 and 1")
    result = Plan(check_measure(measure), a, b, agreement, level, power)
    if abs(result.difference) < 1e-9 * result.record.scale:
        raise ValueError(
            f"Both have the same {measure}, {result.scores[0]:.4g}: no number of questions "
            "shows a difference"
        )
    return result


def check_shares(shares: Shares, name: str) -> Shares:
    """Return shares correct and unanswered. ValueError if they are invalid."""
    if isinstance(shares, str | int | float):
        raise ValueError(f"{name} is {shares!r}: give two shares, correct and unanswered")
    if len(shares) != 2 or not all(0 <= share <= 1 for share in shares) or sum(shares) > 1 + 1e-9:
        text = ", ".join(f"{share:g}" for share in shares)
        raise ValueError(
            f"{name} is {text}: give the shares correct and unanswered, which add up to at most 1"
        )
    return shares


def check_measure(id: str) -> str:
    """Return the id of a measure that counts answers by state. ValueError for any other."""
    try:
        record = measures.get("qa", id)
    except KeyError as error:
        raise ValueError(error.args[0]) from None
    if not counts_states(record):
        records = measures.load_measures("qa").values()
        fitting = [candidate.id for candidate in records if counts_states(candidate)]
        raise ValueError(
            f"{id} needs more than numbers of answers: choose one of {', '.join(fitting)}"
        )
    return record.id


def counts_states(record: Measure) -> bool:
    """Return whether a measure needs only the shares correct, unanswered and wrong."""
    totals = {"n", *STATES, *ABSENT}
    return record.kind == "counts" and not record.is_number and {*record.totals} <= totals


def vector(shares: Shares) -> np.ndarray:
    """Return the shares of STATES."""
    right, unanswered = shares
    return np.array([right, unanswered, max(1 - right - unanswered, 0.0)])


def sum_states(states: np.ndarray) -> dict[str, float]:
    """Return the totals with these shares of STATES, of any sum."""
    return {
        "n": float(states.sum()),
        **dict.fromkeys(ABSENT, 0.0),
        **dict(zip(STATES, states.tolist(), strict=True)),
    }


def evaluate(record: Measure, states: np.ndarray) -> float:
    """Return the score with these shares of STATES, of any sum. ValueError if undefined."""
    totals = sum_states(states)
    try:
        return float(record(**{name: totals[name] for name in record.totals}))
    except ZeroDivisionError:
        raise ValueError(f"{record.id} is not defined where {record.undefined}") from None


def score(record: Measure, shares: Shares) -> float:
    """Return the score of a run with these shares."""
    return evaluate(record, vector(shares))


def influence(record: Measure, shares: Shares) -> np.ndarray:
    """Return the influence value of each of STATES, the derivative of the score by its share."""
    states, base = vector(shares), score(record, shares)
    values = []
    for step in np.eye(3) * STEP:
        once, twice = evaluate(record, states + step), evaluate(record, states + 2 * step)
        values.append((4 * once - twice - 3 * base) / (2 * STEP))
    return np.array(values)


def possible_agreement(a: Shares, b: Shares) -> tuple[float, float]:
    """Return the agreement of independent runs with these shares, and the highest possible one."""
    x, y = vector(a), vector(b)
    return float(x @ y), float(np.minimum(x, y).sum())


def joint(a: Shares, b: Shares, agreement: float) -> np.ndarray:
    """Return the joint distribution (states of a, of b) with these margins and this agreement."""
    x, y = vector(a), vector(b)
    diagonal = np.minimum(x, y)
    agreeing, remainder = np.diag(diagonal), 1 - diagonal.sum()
    if remainder > 1e-12:
        agreeing = agreeing + np.outer(x - diagonal, y - diagonal) / remainder
    low, high = possible_agreement(a, b)
    weight = (agreement - low) / (high - low) if high - low > 1e-12 else 0.0
    return (1 - weight) * np.outer(x, y) + weight * agreeing


def format_percent(share: float) -> str:
    """Return a share in percent with one decimal."""
    return f"{format_rounded(100 * share, 1)} %"


def format_questions(questions: int | None) -> str:
    """Return a number of questions as text."""
    return f"{questions:,} questions" if questions else f"more than {MAX_QUESTIONS:,} questions"
