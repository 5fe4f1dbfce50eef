"""Simulate how often the number of questions that an inconclusive gate names decides it, and how
often a system passes whose score is at the bound, or whose loss is the margin.

Each world is two systems, or one system and a bound. A first campaign gives a number where its gate
is inconclusive. Campaigns of that many questions follow: drawn from the questions of the first, so
that what it saw is true, and drawn from the world.
"""

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

import numpy as np
from nonresponse import measures
from nonresponse.statistics import INCONCLUSIVE, PASS
from nonresponse.statistics.gates import (
    Gate,
    compare_with_baseline,
    compare_with_bound,
    find_worst_test,
    score_run,
)
from nonresponse.statistics.outcomes import Outcomes
from validation import page

LATER, MOST_QUESTIONS = 8, 20_000  # campaigns after each first one; questions at most
Shares = tuple[float, float]  # of correct answers, and of unanswered questions


class World(NamedTuple):
    """A gate, the true shares of systems, the share of equal verdicts, and the questions."""

    gate: Gate
    shares: tuple[Shares, ...]  # of the baseline, if any, and of the run
    equal_share: float
    questions: int


def compare_worlds(
    measure: str, margin: float, before: Shares, after: Shares, equal_share: float, questions: int
) -> World:
    return World(Gate(measure, margin=margin), (before, after), equal_share, questions)


WORLDS = [
    *(compare_worlds("accuracy", 0.02, (0.6, 0.0), (0.6, 0.0), 0.8, n) for n in (50, 200, 800)),
    *(compare_worlds("c@1", 0.02, (0.6, 0.2), (0.6, 0.2), 0.5, n) for n in (50, 200, 800)),
    compare_worlds("c@1", 0.05, (0.6, 0.2), (0.5, 0.3), 0.0, 50),
    compare_worlds("accuracy", 0.02, (0.98, 0.0), (0.98, 0.0), 0.9, 100),
    compare_worlds("answered", 0.05, (0.6, 0.2), (0.6, 0.2), 0.5, 100),
    *(
        World(Gate("accuracy", at_least=0.6), ((share, 0.0),), 0.0, n)
        for share in (0.65, 0.55)
        for n in (20, 50, 200)
    ),
    World(Gate("wrong_given_attempted", at_most=0.2), ((0.5, 0.4),), 0.0, 100),
]


def draw_cells(world: World, questions: int, draw: np.random.Generator) -> np.ndarray:
    """Return verdicts (runs, questions): 0 right, 1 unanswered, 2 wrong."""
    point = draw.random((len(world.shares), questions))
    ends = np.cumsum(world.shares, axis=1)[..., None]
    cells = (point > ends[:, 0]).astype(int) + (point > ends[:, 1])
    equal = draw.random(questions) < world.equal_share
    cells[-1, equal] = cells[0, equal]
    return cells


def decide_gate(gate: Gate, cells: np.ndarray) -> tuple[str, int | None]:
    """Return the state of the gate, and the number of questions that it needs."""
    record = measures.get("qa", gate.measure)
    runs, questions = cells.shape
    matrices = {"n_ac": cells == 0, "n_u": cells == 1, "n_aw": cells == 2}
    matrices |= {"n": np.ones((1, questions)), "n_rightful": np.zeros((1, questions))}
    totals = {name: matrices[name].astype(float) for name in sorted({*record.totals, "n"})}
    outcomes = Outcomes(record, [*map(str, range(runs))], [*map(str, range(questions))], totals)
    if gate.margin is not None:
        old, new = (score_run(outcomes, run) for run in "01")
        tests = [*compare_with_baseline(gate.margin, old, new, 0.05, 0.025)]
    else:
        tests = [compare_with_bound(gate, score_run(outcomes, "0"), 0.05, 0.025)]
    decision = find_worst_test(tests).decision
    return decision.state, decision.needed


def describe(world: World) -> list[str]:
    """Return the gate, the shares and the number of questions of a world."""
    shares = " then ".join(f"{right:.3g}/{unanswered:g}" for right, unanswered in world.shares)
    return [world.gate.describe(), shares, f"{world.questions:,}"]


def simulate(world: World, seed: int, campaigns: int) -> page.Row:
    """Return a row: inconclusive first campaigns, the median number, and shares decided later."""
    draw, numbers, repeats, fresh = np.random.default_rng(seed), [], [], []
    undecided, states = 0, 0
    for _ in range(campaigns):
        cells = draw_cells(world, world.questions, draw)
        state, needed = decide_gate(world.gate, cells)
        states += state == INCONCLUSIVE
        if state != INCONCLUSIVE or needed is None or needed > MOST_QUESTIONS:
            undecided += state == INCONCLUSIVE
            continue
        numbers.append(needed)
        for _ in range(LATER):
            repeated = cells[:, draw.integers(0, world.questions, needed)]
            repeats.append(decide_gate(world.gate, repeated)[0] != INCONCLUSIVE)
            cells_anew = draw_cells(world, needed, draw)
            fresh.append(decide_gate(world.gate, cells_anew)[0] != INCONCLUSIVE)
    row = [*describe(world), f"{states / campaigns:.2f}", str(undecided)]
    if not numbers:
        return [*row, "", "", ""]
    decided = page.format_share(float(np.mean(repeats)), 0.75)
    return [*row, f"{np.median(numbers):,.0f}", decided, f"{np.mean(fresh):.3f}"]


def rows(campaigns: int) -> Iterator[page.Row]:
    """Simulate the rows of the table."""
    for number, world in enumerate(WORLDS):
        yield simulate(world, number, campaigns)


SECTION = page.Section(
    "Gates",
    "How often an inconclusive gate is decided by the number of questions that it names (nominal: .80). If they are "
    "drawn from the world, and not from the questions of the first campaign, it is decided less often.",
    (
        *("gate", "correct/unanswered", "questions", "inconclusive", "beyond"),
        *("median number", "decided by questions drawn from the first", "from the world"),
    ),
    rows,
    60,
)


def list_limits() -> Iterator[World]:
    """Yield worlds in which a gate should not pass: a loss of the margin, a score at its bound."""
    for right in (0.6, 0.99):
        yield compare_worlds("accuracy", 0.02, (right, 0), (right - 0.02, 0), 0.0, 50)
    yield compare_worlds("c@1", 0.03, (0.6, 0.1), (0.6, 0.05), 0.0, 50)
    for right, lower in ((0.3, 0.292), (0.392, 0.384)):
        yield compare_worlds("precision_answered", 0.02, (right, 0.6), (lower, 0.6), 0.0, 50)
    costs = {"phi@9": 9, "penalty@0.25": 1 / 3}  # of a wrong answer
    for (id, cost), wrong, unanswered in product(costs.items(), (0.02, 0.2), (0, 0.3)):
        right = 1 - unanswered - wrong
        bound = Gate(id, at_least=right - cost * wrong)
        yield World(bound, ((right, unanswered),), 0.0, 20)
        before, loss = (right + wrong / 2, unanswered), (1 + cost) * wrong / 2
        yield compare_worlds(id, loss, before, (right, unanswered), 0.0, 20)
    for right, unanswered in ((0.1, 0.88), (0.9, 0.05)):
        for id, times in (("c@1", 1 + unanswered), ("f_simpleqa", 2 / (2 - unanswered))):
            score = right * times
            for bound in (Gate(id, at_least=score), Gate(id, at_most=score)):
                yield World(bound, ((right, unanswered),), 0.0, 30)
            after = (right * 5 / 6, unanswered)
            yield compare_worlds(id, score / 6, (right, unanswered), after, 0.0, 30)


def limit_rows(campaigns: int) -> Iterator[page.Row]:
    """Simulate how often the gate of each world passes."""
    for number, world in enumerate(list_limits()):
        draw = np.random.default_rng([7, number])
        cells = (draw_cells(world, world.questions, draw) for _ in range(campaigns))
        passed = sum(decide_gate(world.gate, verdicts)[0] == PASS for verdicts in cells)
        yield [*describe(world), page.level(passed / campaigns)]


LIMITS = page.Section(
    "Gates at their bound",
    "How often a gate passes where the score is exactly at the bound, or the loss exactly the margin (nominal: at most "
    ".05).",
    ("gate", "correct/unanswered", "questions", "passed"),
    limit_rows,
    3000,
)
