"""Simulate how often two runs differ significantly at the number of questions of a plan."""

from collections.abc import Iterator

import numpy as np
from nonresponse.statistics import comparison
from nonresponse.statistics.outcomes import Outcomes
from nonresponse.statistics.pairs import select_runs
from nonresponse.statistics.plan import ABSENT, STATES, Plan, joint, plan
from validation import page

PLANS = [
    plan((0.60, 0.20), (0.65, 0.20)),
    plan((0.60, 0.20), (0.70, 0.10), agreement=0.8),
    plan((0.90, 0.05), (0.95, 0.02)),
    plan((0.30, 0.50), (0.45, 0.30), agreement=0.7, power=0.9),
    plan((0.60, 0.00), (0.65, 0.00), "accuracy", 0.8),
    plan((0.60, 0.20), (0.70, 0.10), "accuracy", 0.8, power=0.9),
    plan((0.60, 0.20), (0.60, 0.35), "precision_answered", 0.7),
    plan((0.40, 0.30), (0.70, 0.10), "f_simpleqa"),
    plan((0.40, 0.30), (0.60, 0.10), "omniscience", 0.5),
    plan((0.50, 0.40), (0.55, 0.40), "hallucination_rate", 0.8),
    plan((0.50, 0.40), (0.65, 0.20), "penalty@0.5", 0.6, level=0.01),
    plan((0.15, 0.80), (0.08, 0.80), "precision_answered"),
    plan((0.90, 0.03), (0.90, 0.07), "hallucination_rate"),
]


def draw_outcomes(planned: Plan, questions: int, draw: np.random.Generator) -> Outcomes:
    """Draw the states of both runs of a plan on so many questions."""
    share = joint(planned.a, planned.b, planned.agreement).ravel()
    joint_state = draw.choice(share.size, questions, p=share / share.sum())
    states = np.stack([joint_state // len(STATES), joint_state % len(STATES)])
    cells = {name: (states == place).astype(np.int64) for place, name in enumerate(STATES)}
    cells |= {"n": np.ones((1, questions), np.int64)} | dict.fromkeys(
        ABSENT, np.zeros((1, questions), np.int64)
    )
    totals = {name: cells[name] for name in sorted({*planned.record.totals, "n"})}
    return Outcomes(
        planned.record, ["a", "b"], [f"{question:06}" for question in range(questions)], totals
    )


def simulate(planned: Plan, campaigns: int) -> float:
    """Return the share of campaigns in which the difference is significant."""
    draw, significant = np.random.default_rng(2026), 0
    settings = {"level": planned.level, "flips": 0}
    for _ in range(campaigns):
        outcomes = draw_outcomes(planned, planned.questions or 0, draw)
        tests = comparison.test_pairs(select_runs(outcomes), np.zeros(0), settings)
        significant += bool(tests["p"][0] <= planned.level)
    return significant / campaigns


def rows(campaigns: int) -> Iterator[page.Row]:
    """Simulate the rows of the table."""
    for planned in PLANS:
        shares = (" ".join(f"{share:.2f}" for share in run) for run in (planned.a, planned.b))
        share = page.format_share(simulate(planned, campaigns), planned.power - 0.05)
        row = [planned.measure, *shares, f"{planned.agreement:.2f}", f"{planned.level:g}"]
        yield [*row, f"{planned.questions:,}", f"{planned.power:g}", share]


SECTION = page.Section(
    "Questions that a plan asks for",
    "How often the test of `compare` finds a difference with the number of questions that "
    "`nonresponse plan` asks for.",
    ("measure", "A", "B", "agreement", "level", "questions", "power", "found"),
    rows,
    1000,
)
