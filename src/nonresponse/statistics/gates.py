"""Gates: tests that a run has to pass, beside a baseline or a bound, before a build goes on.

What is unscored, and failures of the system, are counted under every policy variant of the task;
the worst decides. Tests are one-sided, by Student's t on pseudo-values. Their variance is no
smaller than it would be for a value at the bound: a system that fails one question in fifty often
fails none of a hundred, whose variance is 0, and would pass.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import sqrt
from pathlib import Path
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
import polars as pl

from nonresponse import measures, tasks
from nonresponse.judging.store import read_verdicts
from nonresponse.measures import Measure
from nonresponse.statistics import FAIL, INCONCLUSIVE, PASS, SHARES, TARGET_POWER
from nonresponse.statistics.distributions import near_student, student_quantile
from nonresponse.statistics.intervals import (
    PAIRS,
    compute_moves,
    count_units,
    effective_units,
)
from nonresponse.statistics.outcomes import Outcomes, select_samples
from nonresponse.statistics.power import fewest_questions, power_of
from nonresponse.statistics.pseudo_values import influence_values
from nonresponse.tasks import NOT_ASKED
from nonresponse.wording import plural

WORST = (FAIL, INCONCLUSIVE, PASS)
ENDLESS = "{} has no largest value, so that nobody can tell how much a question may change it"
RESULTS = {
    "run": pl.String,
    "gate": pl.String,  # in words
    "state": pl.String,  # pass, fail or inconclusive
    # The run's score, or its difference to the baseline's, under the policy variant that decided;
    # null = undefined.
    "value": pl.Float64,
    # Questions that decide it with a power of 0.8 if the value is true; null = decided, or none do
    "needed": pl.Int64,
    "why": pl.String,
}


class LackingError(ValueError):
    """That the verdicts lack what the measure of a gate needs."""


@dataclass(frozen=True)
class Gate:
    """A gate as the configuration has it: a measure or one of SHARES, with a margin to the baseline
    or a bound."""

    measure: str
    margin: float | None = None
    at_most: float | None = None
    at_least: float | None = None

    @property
    def bound(self) -> float:
        """The margin, at_most or at_least, whichever is given."""
        return next(one for one in (self.margin, self.at_most, self.at_least) if one is not None)

    @property
    def way(self) -> int:
        """1 where more than the bound passes, -1 where less does."""
        return 1 if self.at_most is None else -1

    def said(self, descriptive: bool = False) -> str:
        """Return the gate in words. descriptive: neither more nor less of the measure is better."""
        what = self.measure
        if what in SHARES:
            what = f"share of questions {what[2:].replace('_', ' ')}"
        if self.margin is not None:
            worse = "not different from" if descriptive else "no worse than"
            return f"{what}: {worse} the baseline by {self.margin:g}"
        return f"{what}: at {'most' if self.at_least is None else 'least'} {self.bound:g}"


class Decision(NamedTuple):
    """What a test decides."""

    state: str
    # Lower confidence bound of the value, at the level of passing; higher is better here
    least: float | None
    # How many psi decide it with the wanted power if this value is true; None = decided, or unknown
    needed: int | None


# The value; the value so oriented that higher is better; the decision
Found = tuple[float, float, Decision]


class Scored(NamedTuple):
    """A run under one policy variant: its score and pseudo-values, how far one question moves it
    down and up, the share of the questions that it rests on, and of how many units of equal size
    the questions tell as much."""

    measure: Measure
    score: float
    psi: np.ndarray
    moves: tuple[float, float]
    share: float
    units: float


def results(
    verdicts: Path,
    task: str,
    policy: dict,
    official: str,
    written: Sequence[dict],
    baseline: str | None,
    level: float,
    clusters: dict[str, str],
    judged: bool = True,
) -> pl.DataFrame:
    """Return RESULTS: a row for each run except the baseline, sorted by name, and for each gate, in
    their order.

    written are the gates as the configuration has them; judged: whether anybody judged the answers.
    With a baseline, there is also a gate that a run was asked all questions asked of the baseline.
    A run at the bound of a gate passes it with probability `level` at most; a gate fails at level
    over the number of gates, so that a run as good as its baseline seldom fails any. Raises
    LackingError where the verdicts lack what a measure needs.
    """
    gates, record = [Gate(**one) for one in written], tasks.get(task)
    if any(it.margin for it in gates) and not any(it.measure == "n_not_asked" for it in gates):
        gates.append(Gate("n_not_asked", at_most=0.0))
    trivial = [run for run in record.trivial if run != baseline]
    rows = (
        read_verdicts(verdicts)
        .scan()
        .filter(pl.col("assessor") == official, ~pl.col("run").is_in(trivial))
    )
    states = rows.select("run", "question", "candidate", "verdict", "compared").collect()
    policies = policies_of(policy, record, {*states.filter("compared")["verdict"]}, judged)
    runs = sorted({*states["run"]} - {baseline})
    samples, of_gates = select_samples(verdicts, official, tuple(trivial)), []
    for gate in gates:
        if gate.measure in SHARES:
            of_gates.append([row_of_count(gate, run, baseline, states) for run in runs])
            continue
        measure = measures.get(task, gate.measure)
        variants = (
            [samples.outcomes(measure, one, clusters) for one in policies] if samples.runs else []
        )
        said, of_gate = gate.said(measure.descriptive), []
        for run in runs:
            needed = [run, *([baseline] if gate.margin is not None else [])]
            if alone := next((one for one in needed if one not in samples.runs), None):
                why = shares_too_few(alone, run, states)
                of_gate.append((run, said, INCONCLUSIVE, None, None, why))
            else:
                arguments = gate, run, baseline, variants, level, level / len(gates)
                of_gate.append(row_of_measure(*arguments))
        of_gates.append(of_gate)
    return pl.DataFrame(
        [row for of_run in zip(*of_gates, strict=True) for row in of_run], RESULTS, orient="row"
    )


def policies_of(policy: dict, task: tasks.Task, verdicts: set[str], judged: bool) -> list[dict]:
    """Return the policy, and its variants for what is unscored or failed among these verdicts, each
    once.

    Where nobody judged the answers, all are unscored, and no variant makes them anything but
    answers.
    """
    variants = task.policy_variants if {"unscored", "error"} & verdicts else ()
    policies = [
        policy,
        *(policy | one | ({} if judged else {"unscored": policy["unscored"]}) for one in variants),
    ]
    return [one for index, one in enumerate(policies) if one not in policies[:index]]


def shares_too_few(alone: str, run: str, states: pl.DataFrame) -> str:
    """Say why a run cannot be tested: `alone`, itself or its baseline, is not compared with the
    others."""
    asked = states.filter(pl.col("verdict") != NOT_ASKED)
    is_own = pl.col("run") == alone
    own, others = ({*asked.filter(some)["question"]} for some in (is_own, ~is_own))
    some = own & others
    few = "too few questions with the other runs" if some else "no question with any other run"
    return f"{'it' if alone == run else 'the baseline'} shares {few}"


def row_of_measure(
    gate: Gate,
    run: str,
    baseline: str | None,
    variants: list[Outcomes],
    level: float,
    of_fail: float,
) -> tuple:
    """Return a row of RESULTS, the worst over the policy variants, from the outcomes under each.

    Raises LackingError where the verdicts lack what the measure needs.
    """
    measure = variants[0].measure
    if None in measure.share_range:  # no variance would be large enough
        return run, gate.said(), INCONCLUSIVE, None, None, ENDLESS.format(measure.id)
    new = [score_of_run(outcomes, run) for outcomes in variants]
    if gate.margin is not None:
        assert baseline is not None
        old = [score_of_run(outcomes, baseline) for outcomes in variants]
        found = [
            one
            for pair in product(old, new)
            for one in compare_with_baseline(gate.margin, *pair, level, of_fail)
        ]
    else:
        found = [compare_with_bound(gate, one, level, of_fail) for one in new]
    value, _, decision = min(found, key=lambda one: (WORST.index(one[2].state), one[1]))
    if measure.lacking and all(np.isnan(one) for one, *_ in found):
        raise LackingError(
            f"{measure.id} cannot be had of these responses, since {measure.lacking}"
        )
    why = "" if np.isfinite(value) else f"{measure.id} is undefined: {measure.undefined}"
    if len(np.unique([one for one, *_ in found])) > 1 and decision.state != PASS:
        why = why or "by the worst policy variant for what is unscored or failed"
    if decision.state == INCONCLUSIVE and not can_pass(gate, measure, variants[0].n, level):
        few = plural(variants[0].n, "cluster" if variants[0].per_unit > 1 else "question")
        why = f"{few} are too few to pass, whatever the answers" + f"; {why}" * bool(why)
    known = float(value) if np.isfinite(value) else None
    needed = None if decision.needed is None else variants[0].to_questions(decision.needed)
    return run, gate.said(measure.descriptive), decision.state, known, needed, why


def can_pass(gate: Gate, measure: Measure, units: int, level: float) -> bool:
    """Return whether some answers to so many questions, or clusters of them, pass the gate.

    True also where no number of them would do.
    """
    low, high = ends_of(measure)
    if gate.margin is not None:
        bound, best = -gate.margin, 0.0 if measure.descriptive else high - low
        floor = floor_of_loss(np.full(units, best), gate.margin, high - low)
    else:
        bound, best = gate.way * gate.bound, max(gate.way * low, gate.way * high)
        floor = times_counted(measure) ** 2 * floor_of_bound(gate.bound, low, high, 1.0)
    return (
        best <= bound
        or decide(best, np.full(units, best), bound, floor, level, level).state == PASS
    )


def score_of_run(outcomes: Outcomes, run: str) -> Scored:
    """Return a run under one policy variant; without a closer limit, a question moves it to the
    ends of the range."""
    scores, influence = influence_values(outcomes)
    row = outcomes.runs.index(run)
    score, share = float(scores[row]), max(count_units(outcomes)[row] / outcomes.n, 1e-9)
    if (known := compute_moves(outcomes)) is not None:
        moves = float(known[row, 0]), float(known[row, 1])
    else:
        low, high = ends_of(outcomes.measure)
        times = times_counted(outcomes.measure)
        moves = times * (low - score) / share, times * (high - score) / share
    units = float(effective_units(outcomes)[row]) if outcomes.inside else np.inf
    return Scored(outcomes.measure, score, influence.dense[row], moves, share, units)


def ends_of(measure: Measure) -> tuple[float, float]:
    """Return the lowest and the highest value of a measure that has both."""
    low, high = measure.share_range
    assert low is not None and high is not None
    return low, high


def times_counted(measure: Measure) -> int:
    """Return how often a question counts: in a mean over pairs of questions, twice."""
    return PAIRS if measure.ends == "pairs" else 1


def compare_with_baseline(
    margin: float, old: Scored, new: Scored, level: float, of_fail: float
) -> Iterator[Found]:
    """Yield decisions on the difference to the baseline; both ways for a measure that only
    describes."""
    measure, width = old.measure, max(up - down for down, up in (old.moves, new.moves))
    ways = (1, -1) if measure.descriptive else (1,) if measure.higher_is_better else (-1,)
    power = 1 - (1 - TARGET_POWER) / len(ways)  # both tests have to pass
    units = min(old.units, new.units)
    for way in ways:
        gain, psi = way * (new.score - old.score), way * (new.psi - old.psi)
        floor = floor_of_loss(psi, margin, width)
        decision = decide(gain, psi, -margin, floor, level, of_fail, power, units)
        yield new.score - old.score, gain, decision


def compare_with_bound(gate: Gate, one: Scored, level: float, of_fail: float) -> Found:
    """Return the decision on a score and a bound."""
    floor = max(
        times_counted(one.measure) ** 2
        * floor_of_bound(gate.bound, *ends_of(one.measure), one.share),
        floor_of_more(gate.bound, one.score, one.psi, *one.moves),
    )
    value, psi, bound = gate.way * one.score, gate.way * one.psi, gate.way * gate.bound
    return one.score, value, decide(value, psi, bound, floor, level, of_fail, units=one.units)


def row_of_count(gate: Gate, run: str, baseline: str | None, states: pl.DataFrame) -> tuple:
    """Return a row of RESULTS on a share of the questions that the run was, or for not_asked should
    have been, asked.

    The share is known exactly and needs no test. A run should have been asked what the baseline was
    asked; without a baseline, what any run was asked. Of a question that was asked several times,
    the share of these times counts.
    """
    asked = states.filter(pl.col("verdict") != NOT_ASKED)
    own = asked.filter(pl.col("run") == run)
    if gate.measure == "n_not_asked":
        others = asked.filter(pl.col("run") == baseline) if baseline else asked
        of = others.select("question").unique()
        number = Fraction(of.join(own, on="question", how="anti").height)
    else:
        of = own.group_by("question", "candidate").agg(
            times=pl.len(), found=(pl.col("verdict") == gate.measure[2:]).sum()
        )
        sums = of.group_by("times").agg(pl.col("found").sum())
        number = sum((Fraction(found, times) for times, found in sums.iter_rows()), Fraction())
    share = float(number / max(of.height, 1))  # exact until here: a share may be the bound itself
    return run, gate.said(), PASS if share <= gate.bound else FAIL, share, None, ""


def state_of(found: pl.DataFrame) -> str:
    """Return the worst state of the rows of RESULTS; without rows, nothing is decided."""
    return min(found["state"], key=WORST.index, default=INCONCLUSIVE)


def decide(
    value: float,
    psi: np.ndarray,
    bound: float,
    floor: float,
    level: float,
    level_of_fail: float,
    power: float = TARGET_POWER,
    units: float = np.inf,
) -> Decision:
    """Decide whether a value is above a bound; inconclusive where the value or some of its psi
    (questions,) is NaN.

    floor: the smallest variance of psi to assume. A value at the bound passes with probability
    `level` at most; one above it fails with probability `level_of_fail` at most. power: the
    probability with which `needed` psi decide. units: that give degrees of freedom, if fewer than
    the questions.
    """
    questions = len(psi)
    if questions < 2 or not np.isfinite(value) or not np.isfinite(psi).all():
        return Decision(INCONCLUSIVE, None, None)
    variance = max(float(psi.var(ddof=1)), floor)
    error = sqrt(variance / questions)
    df = max(min(units, questions) - 1, 1)
    to_pass, to_fail = (student_quantile(1 - one, df) for one in (level, level_of_fail))
    least = value - to_pass * error
    if least > bound:
        return Decision(PASS, least, None)
    if value + to_fail * error < bound:
        return Decision(FAIL, least, None)
    of_test = level if value > bound else level_of_fail
    needed = number_needed(abs(value - bound), float(psi.var(ddof=1)), variance, of_test, power)
    return Decision(INCONCLUSIVE, least, None if needed is None else max(needed, questions + 1))


def number_needed(
    far: float, variance: float, assumed: float, level: float, power: float
) -> int | None:
    """Return how many psi show with this power that the value is `far` from its bound; None if it
    is at the bound, or farther than anybody can ask.

    variance: that of psi; assumed: the larger one that the test takes.
    """
    if far <= 1e-9:
        return None
    normal = NormalDist().inv_cdf(1 - level)

    def power_at(number: int) -> float:
        threshold = near_student(normal, number - 1) * sqrt(assumed / number)
        return power_of(far, threshold, sqrt(variance / number))

    return fewest_questions(power_at, power, 2)


def floor_of_loss(psi: np.ndarray, margin: float, width: float) -> float:
    """Return the variance of psi if the difference were minus the margin, each question won or lost
    as a whole.

    As much is won as in psi (questions,), and enough is lost to reach minus the margin. width: how
    much one question can move the difference.
    """
    won = float(np.maximum(psi, 0).mean())
    return max(width * (margin + 2 * won) - margin**2, 0)


def floor_of_bound(bound: float, lowest: float, highest: float, share: float) -> float:
    """Return the variance of psi at the bound, if each question is at one end of the measure's
    range.

    share: the share of the questions that the measure divides by.
    """
    return max((bound - lowest) * (highest - bound), 0) / max(share, 1e-9)


def floor_of_more(bound: float, value: float, psi: np.ndarray, down: float, up: float) -> float:
    """Return the variance of psi if enough other questions moved the value down, or up, to bring it
    to the bound.

    down (below 0) and up: how far a question can move it. The others vary as in psi (questions,).
    """
    most = down if value > bound else up
    to_bound = bound - value
    kept = 1 - to_bound / most if most else 0  # share of the questions that are as they are
    return max(kept * (float(psi.var()) + to_bound * most), 0)
