"""Questions needed to show that two runs differ, from shares of correct and unanswered ones."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from math import ceil, isnan, log2, sqrt
from statistics import NormalDist

import numpy as np

from nonresponse import measures
from nonresponse.measures import Measure
from nonresponse.statistics.distributions import fair_tails
from nonresponse.statistics.intervals import STEP, differentiate
from nonresponse.statistics.outcomes import evaluate
from nonresponse.statistics.pairs import estimate_difference, find_p, scale_moments
from nonresponse.statistics.power import MAX_QUESTIONS, compute_power, fewest_questions
from nonresponse.statistics.subsets import stream
from nonresponse.wording import format_level, format_rounded, format_signed, minus

STATES = ("n_ac", "n_u", "n_aw")  # correct, unanswered, wrong
ABSENT = ("n_aw_partial", "n_x_partial", "n_rightful")  # totals of which a plan has none
DRAWS = 2000  # campaigns: the Monte Carlo error of a power of .8 is .009
SIMULATED = 10_000  # questions
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
        return influence(self.record, vector(self.a)), influence(self.record, vector(self.b))

    @cached_property
    def variance(self) -> float:
        """The variance over questions of the difference of influence values."""
        a, b = self.influence
        return float((joint(self.a, self.b, self.agreement) * (b[None, :] - a[:, None]) ** 2).sum())

    @cached_property
    def is_right(self) -> np.ndarray | None:
        """Which states have the higher value, if all that occur have the same two for both runs.

        The test is then McNemar's.
        """
        runs = zip(self.scores, self.influence, (self.a, self.b), strict=True)
        worths = [
            np.where(vector(shares) > 0, score + values, np.nan).round(6)
            for score, values, shares in runs
        ]
        values = np.unique(np.array(worths)[np.isfinite(worths)])
        return np.fmax(*worths) == values[1] if len(values) == 2 else None

    def power_at(self, questions: int) -> float:
        """Return the power of the test with so many questions, by DRAWS campaigns. Beyond SIMULATED
        questions, by normal approximation."""
        if questions > SIMULATED:
            spread = sqrt(self.variance / questions)
            critical = NormalDist().inv_cdf(1 - self.level / 2)
            return compute_power(abs(self.difference), critical * spread, spread)
        a_shares, b_shares = sorted((self.a, self.b))
        states = joint(a_shares, b_shares, self.agreement).ravel()
        counts = stream(0, "plan", questions).multinomial(questions, states, DRAWS)
        return float((self.test(counts.reshape(-1, *[len(STATES)] * 2)) <= self.level).mean())

    def test(self, counts: np.ndarray) -> np.ndarray:
        """Return p of `compare` (draws,) for numbers of questions by the states of a and of b,
        (draws, states, states)."""
        n = int(counts[0].sum())
        systems, eye = (counts.sum(axis=2), counts.sum(axis=1)), np.eye(len(STATES))
        scores = [evaluate(self.record, sum_states(system)) for system in systems]
        units = np.maximum(
            np.min([count_units(self.record, system) for system in systems], axis=0), 2
        )
        if self.is_right is not None:
            right, only_a = self.is_right, counts[:, self.is_right][:, :, ~self.is_right]
            only_b = counts[:, ~right][:, :, right]
            only_a, only_b = (part.sum(axis=(1, 2)) for part in (only_a, only_b))
            p = fair_tails(only_a, only_a + only_b)
        else:
            reduced = [sum_states(system[:, None] - eye) for system in systems]
            remainders = [evaluate(self.record, totals) for totals in reduced]
            a, b = (n * scores[run][:, None] - (n - 1) * remainders[run] for run in (0, 1))
            differences = np.where(counts > 0, b[:, None] - a[:, :, None], 0)
            squares = (counts * differences**2).sum(axis=(1, 2))
            squares -= (counts * differences).sum(axis=(1, 2)) ** 2 / n
            moves = [np.ptp(influence(self.record, system / n), axis=1) for system in systems]
            moments = scale_moments(squares, np.maximum(*moves), n, units)
            p = find_p(*estimate_difference(np.subtract(*scores), *moments, units), units)
            p = np.where(np.isfinite(squares), p, 1)  # runs that are not compared
        return np.maximum(p, np.exp2(1.0 - units))

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

    >>> plan((0.60, 0.20), (0.65, 0.20)).questions
    934
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
    if abs(result.difference) < 1e-9:
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
    return record.kind == "counts" and {*record.totals} <= totals


def vector(shares: Shares) -> np.ndarray:
    """Return the shares of STATES."""
    right, unanswered = shares
    return np.array([right, unanswered, max(1 - right - unanswered, 0.0)])


def sum_states(states: np.ndarray) -> dict[str, np.ndarray]:
    """Return the totals with these shares or numbers (..., states) of STATES."""
    absent = dict.fromkeys(ABSENT, np.zeros(states.shape[:-1]))
    return {
        "n": states.sum(axis=-1),
        **absent,
        **dict(zip(STATES, np.moveaxis(states, -1, 0), strict=True)),
    }


def score(record: Measure, shares: Shares) -> float:
    """Return the score of a run with these shares. ValueError if undefined."""
    value = float(evaluate(record, sum_states(vector(shares))))
    if isnan(value):
        raise ValueError(f"{record.id} is not defined where {record.undefined}")
    return value


def influence(record: Measure, states: np.ndarray) -> np.ndarray:
    """Return the influence value of each of STATES, the derivative of the score by its share."""
    eye, shares = np.eye(len(STATES)), states[..., None, :]
    return differentiate(lambda step: evaluate(record, sum_states(shares + step * eye)), STEP)


def count_units(record: Measure, states: np.ndarray) -> np.ndarray:
    """Return how many questions the score rests on."""
    totals = sum_states(states)
    return record.divisor(totals) if record.divides_by else totals["n"]


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
    return np.maximum((1 - weight) * np.outer(x, y) + weight * agreeing, 0)


def format_percent(share: float) -> str:
    """Return a share in percent with one decimal."""
    return f"{format_rounded(100 * share, 1)} %"


def format_questions(questions: int | None) -> str:
    """Return a number of questions as text."""
    return f"{questions:,} questions" if questions else f"more than {MAX_QUESTIONS:,} questions"
