"""Gates: tests that a run has to pass, beside a baseline or a bound, before a build goes on.

What is unscored, and failures of the system, are counted under every policy variant of the task; the worst decides.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import polars as pl

from nonresponse import measures, tasks
from nonresponse.judging.store import read_verdicts
from nonresponse.measures import Measure
from nonresponse.statistics import FAIL, INCONCLUSIVE, PASS, pseudo_values
from nonresponse.statistics.bounds import Decision, decide, floor_of_bound, floor_of_loss, floor_of_more
from nonresponse.statistics.components import WANTED
from nonresponse.statistics.intervals import influence
from nonresponse.statistics.outcomes import Outcomes, samples_of
from nonresponse.tasks import NOT_ASKED
from nonresponse.wording import plural

WORST = (FAIL, INCONCLUSIVE, PASS)
ENDLESS = "{} has no largest value, so that nobody can tell how much a question may change it"
Found = tuple[float, float, Decision]  # the value; the value so oriented that higher is better; the decision
RESULTS = {
    "run": pl.String,
    "gate": pl.String,  # in words
    "state": pl.String,  # pass, fail or inconclusive
    # The run's score, or its difference to the baseline's, under the policy variant that decided; null = undefined.
    "value": pl.Float64,
    "needed": pl.Int64,  # questions that decide it with a power of 0.8 if the value is true; null = decided, or none do
    "why": pl.String,
}


class Lacking(ValueError):
    """That the verdicts lack what the measure of a gate needs."""


@dataclass(frozen=True)
class Gate:
    """A gate as the configuration has it: of a measure or a count, with a margin to the baseline or a bound."""

    measure: str = ""
    count: str = ""
    against: str = ""
    margin: float | None = None
    at_most: float | None = None
    at_least: float | None = None

    @property
    def bound(self) -> float:
        """The margin, at_most or at_least, whichever is given."""
        return next(one for one in (self.margin, self.at_most, self.at_least) if one is not None)

    def said(self, descriptive: bool = False) -> str:
        """The gate in words; descriptive: neither more nor less of the measure is better."""
        what = self.measure or f"share of questions {self.count.replace('_', ' ')}"
        if self.margin is not None:
            worse = "not different from" if descriptive else "no worse than"
            return f"{what}: {worse} the baseline by {self.margin:g}"
        return f"{what}: at {'most' if self.at_least is None else 'least'} {self.bound:g}"


def gates_of(written: Sequence[dict]) -> list[Gate]:
    """The configured gates; with a baseline, also one that a run was asked all questions asked of the baseline."""
    gates = [Gate(**one) for one in written]
    spared = any(it.against for it in gates) and not any(it.count == NOT_ASKED.replace(" ", "_") for it in gates)
    return gates + [Gate(count="not_asked", at_most=0.0)] * spared


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
    """RESULTS: a row for each run except the baseline, sorted by name, and for each gate, in their order.

    written are the gates as the configuration has them; judged: whether anybody judged the answers. A run at the bound
    of a gate passes it with probability `level` at most; a gate fails at level over the number of gates, so that a run
    as good as its baseline seldom fails any. Raises Lacking where the verdicts lack what a measure needs.
    """
    gates, record = gates_of(written), tasks.get(task)
    trivial = [run for run in record.trivial if run != baseline]
    rows = read_verdicts(verdicts).scan().filter(pl.col("assessor") == official, ~pl.col("run").is_in(trivial))
    states = rows.select("run", "question", "candidate", "verdict", "compared").collect()
    policies = policies_of(policy, record, {*states.filter("compared")["verdict"]}, judged)
    runs = sorted({*states["run"]} - {baseline})
    samples, of_gates = samples_of(verdicts, official, tuple(trivial)), []
    for gate in gates:
        if gate.count:
            of_gates.append([row_of_count(gate, run, baseline, states) for run in runs])
            continue
        measure = measures.get(task, gate.measure)
        variants = [samples.outcomes(measure, one, clusters) for one in policies] if samples.runs else []
        said, beside, of_gate = gate.said(measure.descriptive), [baseline] * (gate.margin is not None), []
        for run in runs:
            if alone := next((one for one in (run, *beside) if one not in samples.runs), None):
                of_gate.append((run, said, INCONCLUSIVE, None, None, shares_too_few(alone, run, states)))
            else:
                of_gate.append(tested(gate, run, baseline, variants, level, level / len(gates)))
        of_gates.append(of_gate)
    return pl.DataFrame([row for of_run in zip(*of_gates, strict=True) for row in of_run], RESULTS, orient="row")


def policies_of(policy: dict, task: tasks.Task, verdicts: set[str], judged: bool) -> list[dict]:
    """The policy, and its variants for what is unscored or failed among these verdicts, each once.

    Where nobody judged the answers, all are unscored, and no variant makes them anything but answers.
    """
    variants = task.policy_variants if {"unscored", "error"} & verdicts else ()
    policies = [policy, *(policy | one | ({} if judged else {"unscored": policy["unscored"]}) for one in variants)]
    return [one for place, one in enumerate(policies) if one not in policies[:place]]


def shares_too_few(alone: str, run: str, states: pl.DataFrame) -> str:
    """Why a run cannot be tested: `alone`, itself or its baseline, is not compared with the others."""
    asked = states.filter(pl.col("verdict") != NOT_ASKED)
    own, others = ({*asked.filter(of)["question"]} for of in (pl.col("run") == alone, pl.col("run") != alone))
    few = "too few questions with the other runs" if own & others else "no question with any other run"
    return f"{'it' if alone == run else 'the baseline'} shares {few}"


def tested(gate: Gate, run: str, baseline: str | None, variants: list[Outcomes], level: float, of_fail: float) -> tuple:
    """A row of RESULTS: the worst over the policy variants; Lacking where the verdicts lack what the measure needs.

    `variants` are the outcomes under each policy variant, here and below.
    """
    measure = variants[0].measure
    if None in measure.share_range:  # no variance would be large enough
        return run, gate.said(), INCONCLUSIVE, None, None, ENDLESS.format(measure.id)
    if gate.margin is not None:
        assert baseline is not None
        found = list(losses(gate.margin, run, baseline, variants, level, of_fail))
    else:
        found = list(levels(gate, run, variants, level, of_fail))
    value, _, decision = min(found, key=lambda one: (WORST.index(one[2].state), one[1]))
    if measure.lacking and all(np.isnan(one) for one, *_ in found):
        raise Lacking(f"{measure.id} cannot be had of these responses, since {measure.lacking}")
    why = "" if np.isfinite(value) else f"{measure.id} is undefined: {measure.undefined}"
    if len(np.unique([one for one, *_ in found])) > 1 and decision.state != PASS:
        why = why or "by the worst policy variant for what is unscored or failed"
    if decision.state == INCONCLUSIVE and not can_pass(gate, measure, variants[0].n, level):
        few = plural(variants[0].n, "cluster" if variants[0].per_unit > 1 else "question")
        why = f"{few} are too few to pass, whatever the answers" + f"; {why}" * bool(why)
    known = float(value) if np.isfinite(value) else None
    needed = None if decision.needed is None else variants[0].in_questions(decision.needed)
    return run, gate.said(measure.descriptive), decision.state, known, needed, why


def can_pass(gate: Gate, measure: Measure, units: int, level: float) -> bool:
    """Whether some answers to so many questions, or clusters of them, pass the gate; true where no number would do."""
    low, high = ends_of(measure)
    way = 1 if gate.at_most is None else -1
    if gate.margin is not None:
        bound, best = -gate.margin, 0.0 if measure.descriptive else high - low
        floor = floor_of_loss(np.full(units, best), gate.margin, high - low)
    else:
        bound, best = way * gate.bound, max(way * low, way * high)
        floor = floor_of_bound(gate.bound, low, high, 1.0)
    return best <= bound or decide(best, np.full(units, best), bound, floor, level, level).state == PASS


def scored(
    variants: list[Outcomes], run: str
) -> Iterator[tuple[Outcomes, int, float, np.ndarray, tuple[float, float]]]:
    """Under each policy variant: outcomes, the place of a run in them, its score, its pseudo-values, and `moves`."""
    for outcomes in variants:
        score, psi = pseudo_values.scored(outcomes)
        place = outcomes.runs.index(run)
        yield outcomes, place, float(score[place]), psi[place], moves(outcomes, place, float(score[place]))


def moves(outcomes: Outcomes, place: int, score: float) -> tuple[float, float]:
    """How far one question can move a run's score down and up; without a closer limit, to the ends of the range."""
    known = influence(outcomes)
    if known is not None:
        return float(known[place, 0]), float(known[place, 1])
    low, high = ends_of(outcomes.measure)
    share = max(divided_by(outcomes, place), 1e-9)
    return (low - score) / share, (high - score) / share


def divided_by(outcomes: Outcomes, place: int) -> float:
    """The share of the units that a run's score is divided by; for a combined measure, the least of its parts."""
    if outcomes.parts:
        return min(divided_by(part, place) for part in outcomes.parts)
    every = (len(outcomes.runs), outcomes.n)
    divisor = [np.broadcast_to(outcomes.matrices[name], every)[place] for name in outcomes.measure.divides_by]
    return float((np.sum(divisor, axis=0) > 0).mean()) if divisor else 1.0


def ends_of(measure: Measure) -> tuple[float, float]:
    """The lowest and the highest value of a measure that has both."""
    low, high = measure.share_range
    assert low is not None and high is not None
    return low, high


def losses(
    margin: float, run: str, baseline: str, variants: list[Outcomes], level: float, of_fail: float
) -> Iterator[Found]:
    """Decisions on the difference to the baseline, for each policy variant of the run with each of the baseline."""
    old, new = (list(scored(variants, name)) for name in (baseline, run))
    for (one, _, before, psi_before, ends), (*_, after, psi_after, other_ends) in product(old, new):
        width = max(up - down for down, up in (ends, other_ends))
        measure = one.measure
        ways = (1, -1) if measure.descriptive else (1,) if measure.higher_is_better else (-1,)
        power = 1 - (1 - WANTED) / len(ways)  # both tests have to pass
        for way in ways:
            gain, psi = way * (after - before), way * (psi_after - psi_before)
            floor = floor_of_loss(psi, margin, width)
            yield after - before, gain, decide(gain, psi, -margin, floor, level, of_fail, power)


def levels(gate: Gate, run: str, variants: list[Outcomes], level: float, of_fail: float) -> Iterator[Found]:
    """Decisions on the score and a bound, under every policy variant."""
    way = 1 if gate.at_most is None else -1
    for outcomes, place, score, psi, ends in scored(variants, run):
        floor = max(
            floor_of_bound(gate.bound, *ends_of(outcomes.measure), divided_by(outcomes, place)),
            floor_of_more(gate.bound, score, psi, *ends),
        )
        yield score, way * score, decide(way * score, way * psi, way * gate.bound, floor, level, of_fail)


def row_of_count(gate: Gate, run: str, baseline: str | None, states: pl.DataFrame) -> tuple:
    """A row of RESULTS on a share of the questions that the run was asked or, for not_asked, should have been asked.

    The share is known exactly and needs no test. A run should have been asked what the baseline was asked; without a
    baseline, what any run was asked. Of a question that was asked several times, the share of these times counts.
    """
    asked = states.filter(pl.col("verdict") != NOT_ASKED)
    own = asked.filter(pl.col("run") == run)
    if gate.count == "not_asked":
        others = asked.filter(pl.col("run") == baseline) if baseline else asked
        of = others.select("question").unique()
        number = Fraction(of.join(own, on="question", how="anti").height)
    else:
        of = own.group_by("question", "candidate").agg(times=pl.len(), found=(pl.col("verdict") == gate.count).sum())
        sums = of.group_by("times").agg(pl.col("found").sum())
        number = sum((Fraction(found, times) for times, found in sums.iter_rows()), Fraction())
    share = float(number / max(of.height, 1))  # exact until here: a share may be the bound itself
    return run, gate.said(), PASS if share <= gate.bound else FAIL, share, None, ""


def state_of(found: pl.DataFrame) -> str:
    """The worst state of the rows of RESULTS; without rows, nothing is decided."""
    return min(found["state"], key=WORST.index, default=INCONCLUSIVE)
