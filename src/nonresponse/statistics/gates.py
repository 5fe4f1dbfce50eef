"""Gates: tests that a run has to pass, beside a baseline or a bound, before a build goes on.

The worst policy variant decides how unscored and failed responses count. Tests are one-sided, by
Student's t on pseudo-values. Their variance is no smaller than it would be for a value at the
bound. Else a system that fails one question in fifty, and none of the hundred asked, would pass.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, product
from math import sqrt
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl

from nonresponse import measures, tasks
from nonresponse.judging.store import read_verdicts
from nonresponse.measures import Measure
from nonresponse.settings import Settings
from nonresponse.statistics import FAIL, INCONCLUSIVE, PASS, SHARES, TARGET_POWER
from nonresponse.statistics.distributions import student_quantile
from nonresponse.statistics.intervals import (
    PAIR_WEIGHT,
    compute_moves,
    count_units,
    effective_units,
)
from nonresponse.statistics.outcomes import Outcomes, select_samples
from nonresponse.statistics.power import compute_power, fewest_questions
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
    """A gate of the configuration: a measure or one of SHARES, with a margin or a bound."""

    measure: str
    margin: float | None = None
    at_most: float | None = None
    at_least: float | None = None

    @property
    def bound(self) -> float:
        """The margin, at_most or at_least, whichever is given."""
        bounds = (self.margin, self.at_most, self.at_least)
        return next(bound for bound in bounds if bound is not None)

    @property
    def way(self) -> int:
        """1 where more than the bound passes, -1 where less does."""
        return 1 if self.at_most is None else -1

    def describe(self, descriptive: bool = False) -> str:
        """Return the gate in words. descriptive: neither more nor less of the measure is better."""
        name = self.measure
        if name in SHARES:
            name = f"share of questions {name[2:].replace('_', ' ')}"
        if self.margin is not None:
            worse = "not different from" if descriptive else "no worse than"
            return f"{name}: {worse} the baseline by {self.margin:g}"
        return f"{name}: at {'most' if self.at_least is None else 'least'} {self.bound:g}"


class Decision(NamedTuple):
    """What a test decides."""

    state: str
    # How many psi decide it with the wanted power if the value is true; None = decided, or unknown
    needed: int | None = None


class GateTest(NamedTuple):
    """A test of one run under one policy variant."""

    value: float
    gain: float  # the value, so oriented that higher is better
    decision: Decision


class RunScore(NamedTuple):
    """A run under one policy variant: its score and pseudo-values, how far one question moves it
    down and up, and of how many units of equal size the questions tell as much."""

    measure: Measure
    score: float
    psi: np.ndarray
    moves: tuple[float, float]
    units: float


def decide_gates(
    verdicts: Path, task: str, official: str, clusters: dict[str, str], settings: Settings
) -> pl.DataFrame:
    """Return RESULTS: a row for each run but the baseline, sorted by name, and for each gate.

    settings are policy, gates, level and, if there are any, baseline and `judged`: whether anybody
    judged the answers. With a baseline, there is also a gate that a run was asked all that the
    baseline was asked. A run at the bound of a gate passes it with probability `level` at most. A
    gate fails at level over the number of gates, so that a run as good as its baseline seldom fails
    any. Raises LackingError where the verdicts lack what a measure needs.
    """
    gates, record = [Gate(**fields) for fields in settings["gates"]], tasks.get(task)
    baseline, level = settings.get("baseline"), settings["level"]
    if any(gate.margin for gate in gates) and "n_not_asked" not in {gate.measure for gate in gates}:
        gates.append(Gate("n_not_asked", at_most=0.0))
    trivial = tuple(run for run in record.trivial if run != baseline)
    rows = read_verdicts(verdicts).scan()
    rows = rows.filter(pl.col("assessor") == official, ~pl.col("run").is_in(trivial))
    states = rows.select("run", "question", "candidate", "verdict", "compared").collect()
    uncertain = {"unscored", "error"} & {*states.filter("compared")["verdict"]}
    # What nobody judged is an answer under all variants
    uncertain -= set() if settings.get("judged", True) else {"unscored"}
    policies = record.list_policies(settings["policy"], uncertain)
    runs = sorted({*states["run"]} - {baseline})
    samples = select_samples(verdicts, official, trivial)
    columns = []
    for gate in gates:
        if gate.measure in SHARES:
            columns.append([decide_share(gate, run, baseline, states) for run in runs])
            continue
        measure = measures.get(task, gate.measure)
        variants = []
        if samples.runs:
            variants = [samples.outcomes(measure, variant, clusters) for variant in policies]
        column = []
        for run in runs:
            needed = [run, baseline] if baseline and gate.margin is not None else [run]
            if excluded := next((name for name in needed if name not in samples.runs), None):
                text = gate.describe(measure.descriptive)
                reason = explain_exclusion(excluded, run, states)
                column.append((run, text, INCONCLUSIVE, None, None, reason))
            else:
                fail_level = level / len(gates)
                column.append(decide_measure(gate, run, baseline, variants, level, fail_level))
        columns.append(column)
    return pl.DataFrame(list(chain(*zip(*columns, strict=True))), RESULTS, orient="row")


def explain_exclusion(excluded: str, run: str, states: pl.DataFrame) -> str:
    """Say why a run is not tested: `excluded`, itself or its baseline, is not compared."""
    asked = states.filter(pl.col("verdict") != NOT_ASKED)
    is_excluded = pl.col("run") == excluded
    questions = asked.filter(is_excluded)["question"]
    common = {*questions} & {*asked.filter(~is_excluded)["question"]}
    few = "too few questions with the other runs" if common else "no question with any other run"
    return f"{'it' if excluded == run else 'the baseline'} shares {few}"


def decide_measure(
    gate: Gate,
    run: str,
    baseline: str | None,
    variants: list[Outcomes],
    level: float,
    fail_level: float,
) -> tuple:
    """Return a row of RESULTS, the worst over the policy variants, from the outcomes under each.

    Raises LackingError where the verdicts lack what the measure needs.
    """
    measure, units = variants[0].measure, variants[0].n
    if None in measure.range:  # no variance would be large enough
        return run, gate.describe(), INCONCLUSIVE, None, None, ENDLESS.format(measure.id)
    new = [score_run(outcomes, run) for outcomes in variants]
    if gate.margin is not None:
        assert baseline is not None
        old = [score_run(outcomes, baseline) for outcomes in variants]
        tests = [
            test
            for pair in product(old, new)
            for test in compare_with_baseline(gate.margin, *pair, level, fail_level)
        ]
    else:
        tests = [compare_with_bound(gate, score, level, fail_level) for score in new]
    values = [test.value for test in tests]
    if measure.lacking and np.isnan(values).all():
        raise LackingError(
            f"{measure.id} cannot be had of these responses, since {measure.lacking}"
        )
    value, _, (state, needed) = find_worst_test(tests)
    reasons = []
    if state == INCONCLUSIVE and not can_pass(gate, measure, units, level):
        few = plural(units, "cluster" if variants[0].per_unit > 1 else "question")
        reasons.append(f"{few} are too few to pass, whatever the answers")
    if not np.isfinite(value):
        reasons.append(f"{measure.id} is undefined: {measure.undefined}")
    elif len(np.unique(values)) > 1 and state != PASS:
        reasons.append("unscored and failed responses are counted in the worst way")
    defined = float(value) if np.isfinite(value) else None
    questions = None if needed is None else variants[0].count_questions(needed)
    text = gate.describe(measure.descriptive)
    return run, text, state, defined, questions, "; ".join(reasons)


def find_worst_test(tests: Iterable[GateTest]) -> GateTest:
    """Return the test whose state is the worst; of several, the one with the smallest gain."""
    return min(tests, key=lambda test: (WORST.index(test.decision.state), test.gain))


def can_pass(gate: Gate, measure: Measure, units: int, level: float) -> bool:
    """Return whether some answers to so many questions, or clusters of them, pass the gate.

    True also where no number of them would do.
    """
    low, high = range_ends(measure)
    if gate.margin is not None:
        bound, best = -gate.margin, 0.0 if measure.descriptive else high - low
        floor = floor_of_loss(np.full(units, best), gate.margin, high - low)
    else:
        bound, best = gate.way * gate.bound, max(gate.way * low, gate.way * high)
        width = count_times(measure) * (high - low)
        floor = floor_of_more(gate.bound, gate.way * best, np.zeros(units), -width, width)
    decision = decide(best, np.full(units, best), bound, floor, level, level)
    return best <= bound or decision.state == PASS


def score_run(outcomes: Outcomes, run: str) -> RunScore:
    """Return a run's score. Without a closer limit, a question moves it to an end of the range."""
    scores, influence = influence_values(outcomes)
    row = outcomes.runs.index(run)
    units = float(effective_units(outcomes)[row])
    score, share = float(scores[row]), max(units / outcomes.n, 1e-9)
    if (limits := compute_moves(outcomes)) is not None:
        unlike = count_units(outcomes)[row] / max(units, 1)  # a large cluster moves it farther
        moves = float(limits[row, 0] * unlike), float(limits[row, 1] * unlike)
    else:
        low, high = range_ends(outcomes.measure)
        times = count_times(outcomes.measure)
        moves = times * (low - score) / share, times * (high - score) / share
    units = units if outcomes.inside else np.inf
    return RunScore(outcomes.measure, score, influence.dense[row], moves, units)


def range_ends(measure: Measure) -> tuple[float, float]:
    """Return the lowest and the highest value of a measure that has both."""
    low, high = measure.range
    assert low is not None and high is not None
    return low, high


def count_times(measure: Measure) -> int:
    """Return how often a question counts: in a mean over pairs of questions, twice."""
    return PAIR_WEIGHT if measure.ends == "pairs" else 1


def compare_with_baseline(
    margin: float, old: RunScore, new: RunScore, level: float, fail_level: float
) -> Iterator[GateTest]:
    """Yield tests of the difference to the baseline; both ways for a descriptive measure."""
    measure, width = old.measure, max(up - down for down, up in (old.moves, new.moves))
    ways = (1, -1) if measure.descriptive else (1,) if measure.higher_is_better else (-1,)
    power = 1 - (1 - TARGET_POWER) / len(ways)  # both tests have to pass
    units = min(old.units, new.units)
    for way in ways:
        gain, psi = way * (new.score - old.score), way * (new.psi - old.psi)
        floor = floor_of_loss(psi, margin, width)
        decision = decide(gain, psi, -margin, floor, level, fail_level, power, units)
        yield GateTest(new.score - old.score, gain, decision)


def compare_with_bound(gate: Gate, run: RunScore, level: float, fail_level: float) -> GateTest:
    """Return the test of a score and a bound."""
    floor = floor_of_more(gate.bound, run.score, run.psi, *run.moves)
    value, psi, bound = gate.way * run.score, gate.way * run.psi, gate.way * gate.bound
    decision = decide(value, psi, bound, floor, level, fail_level, units=run.units)
    return GateTest(run.score, value, decision)


def decide_share(gate: Gate, run: str, baseline: str | None, states: pl.DataFrame) -> tuple:
    """Return a row of RESULTS on a share of the questions of a run.

    The share is known exactly and needs no test. A run should have been asked what the baseline or,
    without one, any run was asked. Of a question that was asked several times, the share of these
    times counts.
    """
    asked = states.filter(pl.col("verdict") != NOT_ASKED)
    responses = asked.filter(pl.col("run") == run)
    if gate.measure == "n_not_asked":
        reference = asked.filter(pl.col("run") == baseline) if baseline else asked
        questions = reference.select("question").unique()
        number = Fraction(questions.join(responses, on="question", how="anti").height)
    else:
        questions = responses.group_by("question", "candidate").agg(
            times=pl.len(), matches=(pl.col("verdict") == gate.measure[2:]).sum()
        )
        sums = questions.group_by("times").agg(pl.col("matches").sum())
        number = sum((Fraction(matches, times) for times, matches in sums.iter_rows()), Fraction())
    # Exact until here: a share may be the bound itself
    share = float(number / max(questions.height, 1))
    return run, gate.describe(), PASS if share <= gate.bound else FAIL, share, None, ""


def decide(
    value: float,
    psi: np.ndarray,
    bound: float,
    floor: float,
    level: float,
    fail_level: float,
    power: float = TARGET_POWER,
    units: float = np.inf,
) -> Decision:
    """Decide whether a value is above a bound; inconclusive where it or some psi is NaN.

    floor: the smallest variance of psi to assume. A value at the bound passes with probability
    `level` at most. One above it fails with probability `fail_level` at most. power: the
    probability with which `needed` psi decide. units: that give degrees of freedom, if fewer than
    the questions.
    """
    questions = len(psi)
    if questions < 2 or not np.isfinite(value) or not np.isfinite(psi).all():
        return Decision(INCONCLUSIVE)
    variance = max(float(psi.var(ddof=1)), floor)
    error = sqrt(variance / questions)
    df = max(min(units, questions) - 1, 1)
    if value - student_quantile(1 - level, df) * error > bound:
        return Decision(PASS)
    if value + student_quantile(1 - fail_level, df) * error < bound:
        return Decision(FAIL)
    test_level = level if value > bound else fail_level
    needed = compute_needed(abs(value - bound), float(psi.var(ddof=1)), variance, test_level, power)
    return Decision(INCONCLUSIVE, None if needed is None else max(needed, questions + 1))


def compute_needed(
    far: float, variance: float, assumed: float, level: float, power: float
) -> int | None:
    """Return how many psi show with this power that the value is `far` from its bound.

    variance: that of psi; assumed: the larger one that the test takes. None where the value is at
    the bound, or farther than anybody can ask.
    """
    if far <= 1e-9:
        return None

    def power_at(number: int) -> float:
        threshold = student_quantile(1 - level, number - 1) * sqrt(assumed / number)
        return compute_power(far, threshold, sqrt(variance / number))

    return fewest_questions(power_at, power, 2)


def floor_of_loss(psi: np.ndarray, margin: float, width: float) -> float:
    """Return the variance of psi at minus the margin, if each question is wholly won or lost.

    As much is won as in psi (questions,), and enough is lost to reach minus the margin. width: how
    much one question can move the difference.
    """
    won = float(np.maximum(psi, 0).mean())
    return max(width * (margin + 2 * won) - margin**2, 0)


def floor_of_more(bound: float, value: float, psi: np.ndarray, down: float, up: float) -> float:
    """Return the variance of psi if other questions moved the value to the bound.

    down (below 0) and up: how far a question can move it. The others vary as in psi (questions,).
    """
    move = down if value > bound else up
    gap = bound - value
    unmoved = 1 - gap / move if move else 0  # share of the questions
    return max(unmoved * (float(psi.var()) + gap * move), 0)
