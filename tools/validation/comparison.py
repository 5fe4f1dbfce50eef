"""Simulate levels of the tests of the comparison, and the coverage of its intervals, in worlds whose truth is known.

Ten runs have the same true score. Five of them may leave 0.3 of the questions unanswered. Two more runs are worse, so
that pairs of unlike truth have intervals, too. All runs meet easy and hard questions together. Where questions come in
clusters, or were asked several times, the number is that of clusters or of questions.
Run from the repository: python tools/validation/comparison.py
"""

import sys
from functools import cache
from math import comb
from pathlib import Path
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "src"))
from nonresponse import measures
from nonresponse.measures.orderings import Order
from nonresponse.reliability import abstention, comparison
from nonresponse.reliability.outcomes import Outcomes, by_unit, full_scores, only
from nonresponse.reliability.rank_positions import leading_pairs

CAMPAIGNS = 400
LEVEL = 0.05
FLIPS = 499
EQUAL = 10  # runs with the same true score, before the two others
WORSE = 0.15  # by which the others are right less often where they answer
UNANSWERED = 0.3
HIGH, LOWEST, HIGHEST = 0.07, 0.93, 0.97  # a level above, and a coverage outside, is marked
# False differences of single pairs, and among ten runs; coverage of intervals of differences, and of both parts in c@1:
# of pairs that were named beforehand, and of those that the page tells of.
COLUMNS = ("p", "p_maxt", "interval", "right", "abstention", "right, chosen", "abstention, chosen")


class World(NamedTuple):
    """A measure, the number of questions, how often runs that answer most are right, and what a question is."""

    measure: str
    questions: int
    skill: float
    unanswered: float  # by half of the runs
    kind: str = ""  # clusters, or epochs

    @property
    def runs(self) -> list[tuple[float, float]]:
        """Return for each run the share that it leaves unanswered, and how often its answers are right."""
        answering, silent = (0.0, match_skill(self)), (self.unanswered, self.skill)
        worse = [(unanswered, skill - WORSE) for unanswered, skill in (answering, silent)]
        return [answering] * (EQUAL // 2) + [silent] * (EQUAL // 2) + worse


WORLDS = [
    World(measure, questions, skill, unanswered, kind)
    for measure, kind in (
        *((id, "") for id in ("accuracy", "c@1", "precision_answered", "f_simpleqa", "uf", "cws")),
        *((id, kind) for kind in ("clusters", "epochs") for id in ("accuracy", "c@1")),
    )
    for questions in (20, 50, 200)
    for skill in (0.5, 0.95)
    for unanswered in (0.0, UNANSWERED)
]


@cache
def true_score(measure: str, unanswered: float, skill: float, questions: int) -> float:
    """Return the true score of a run; of cws, which depends on the number of questions, the expected one."""
    right = (1 - unanswered) * skill
    if measure == "cws":
        answers = np.arange(questions + 1)
        share = [comb(questions, k) * (1 - unanswered) ** k * unanswered ** (questions - k) for k in answers.tolist()]
        harmonic = np.append(0, np.cumsum(1 / np.arange(1, questions + 1)))
        return float(np.dot(share, answers * (1 + harmonic[-1] - harmonic)) * skill / questions)
    return {
        "accuracy": right,
        "c@1": right * (1 + unanswered),
        "precision_answered": skill,
        "f_simpleqa": 2 * right / (2 - unanswered),
        "uf": 2 * right - (1 - unanswered),
    }[measure]


@cache
def match_skill(world: World) -> float:
    """Return how often a run that answers everything is right, if it scores the same as one that does not."""
    wanted = true_score(world.measure, world.unanswered, world.skill, world.questions)
    low, high = 0.0, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        below = true_score(world.measure, 0.0, middle, world.questions) < wanted
        low, high = (middle, high) if below else (low, middle)
    return high


def draw_outcomes(world: World, draw: np.random.Generator) -> Outcomes:
    """Draw a campaign."""
    runs, number = world.runs, world.questions
    sizes = {"": [1], "clusters": [2, 5, 8], "epochs": [2, 4]}[world.kind]  # questions of a cluster, or samples
    unit = np.repeat(np.arange(number), np.resize(sizes, number))
    # What makes a question easy for all, what a run makes of it, and what it makes of a sample: a normal sum.
    shared, own, single = (0.5, 0.5, 0.0) if not world.kind else (0.4, 0.2, 0.4)
    latent = np.sqrt(shared) * draw.normal(size=number)[unit]
    latent = latent + np.sqrt(own) * draw.normal(size=(len(runs), number))[:, unit]
    latent += np.sqrt(single) * draw.normal(size=(len(runs), len(unit)))
    unanswered, skill = np.array(runs).T[:, :, None]
    limits = np.array([[NormalDist().inv_cdf(min(max(share, 1e-9), 1 - 1e-9))] for share in skill.ravel()])
    answered = draw.random(latent.shape) >= unanswered
    right = answered & (latent < limits)
    record = measures.get("qa", world.measure)
    names = [f"run{run:02}" for run in range(len(runs))], [f"{one:04}" for one in range(len(unit))]
    if record.kind == "ordering":
        return Outcomes(record, *names, orders=[draw_order(*row, draw) for row in zip(answered, right, strict=True)])
    cells = {"n_ac": right, "n_aw": answered & ~right, "n_u": ~answered, "n": np.ones((1, len(unit)))}
    weight = 4 / np.bincount(unit)[unit] if world.kind == "epochs" else 1.0
    matrices = {name: cells[name] * weight for name in {*record.totals, "n"}}
    asked = [f"{one:04}" for one in (unit if world.kind == "epochs" else range(len(unit)))]
    clusters = {f"{one:04}": f"c{its:04}" for one, its in enumerate(unit)} if world.kind == "clusters" else {}
    return by_unit(Outcomes(record, *names, dict(sorted(matrices.items()))), asked, clusters)


def draw_order(answered: np.ndarray, right: np.ndarray, draw: np.random.Generator) -> Order:
    """Put the answers of a run into an order by lot, and what it leaves unanswered behind them, tied."""
    order = np.argsort(np.where(answered, draw.random(len(right)), 2), kind="stable")
    starts = np.arange(min(answered.sum() + 1, len(right)))
    return Order(order, right[order], starts)


def compare(world: World, number: int) -> dict[str, np.ndarray]:
    """Simulate a campaign: which pairs, or whether any, differ falsely; and which intervals hold the truth."""
    outcomes = draw_outcomes(world, np.random.default_rng([1, number, *map(ord, str(world))]))
    every, alike = range(EQUAL), np.triu_indices(EQUAL, 1)
    equal, unlike = only(outcomes, [*every]), (alike[0] < EQUAL // 2) & (alike[1] >= EQUAL // 2)
    tested = run_tests(equal, FLIPS)
    false = {name: np.nan_to_num(tested[name], nan=1.0) <= LEVEL for name in ("p", "p_maxt")}
    found = {"p": false["p"][unlike], "p_maxt": false["p_maxt"].any(keepdims=True)}
    some = [0, EQUAL // 2, EQUAL, EQUAL + 1]
    lower, upper = run_tests(only(outcomes, some), 0)["interval"].T
    true = np.array([true_score(world.measure, *world.runs[run], world.questions) for run in some])
    x, y = np.triu_indices(len(some), 1)
    unequal = np.isfinite(lower) & (np.abs(true[x] - true[y]) > 1e-9)
    found["interval"] = ((lower <= true[x] - true[y]) & (true[x] - true[y] <= upper))[unequal]
    if world.measure == "c@1":
        pairs = [(0, EQUAL // 2), (0, EQUAL), (0, EQUAL + 1), (EQUAL // 2, EQUAL)]
        found |= hold_parts(world, outcomes, pairs, "")
        score = full_scores(outcomes)
        found |= hold_parts(world, outcomes, leading_pairs(score, higher_is_better=True), ", chosen")
    return found


def run_tests(outcomes: Outcomes, flips: int) -> dict[str, np.ndarray]:
    """Return what comparison.tests does, with so many flips."""
    settings = {"level": LEVEL, "flips": flips, "samples": 0, "seed": 1}
    return comparison.tests(outcomes, comparison.count(outcomes, "simulated", settings), settings)


def hold_parts(world: World, outcomes: Outcomes, pairs: list, which: str) -> dict[str, np.ndarray]:
    """Return whether the intervals of both parts of differences in c@1 hold the truth."""
    held = []
    for a, b in pairs:
        (silent_a, skill_a), (silent_b, skill_b) = world.runs[a], world.runs[b]
        right_a, right_b = (1 - silent_a) * skill_a, (1 - silent_b) * skill_b
        true = (right_a - right_b) * (1 + (silent_a + silent_b) / 2), (right_a + right_b) / 2 * (silent_a - silent_b)
        _, *right, _, lower, upper = abstention.of_pair(outcomes, a, b, LEVEL)
        held.append((right[0] <= true[0] <= right[1], lower <= true[1] <= upper))
    found = dict(zip((f"right{which}", f"abstention{which}"), np.array(held).T, strict=True))
    return found if world.unanswered else {f"right{which}": found[f"right{which}"]}  # abstention is 0 for certain


def simulate(world: World, campaigns: int) -> dict[str, float]:
    """Return the share of campaigns, or of pairs in them, for each of COLUMNS."""
    rows = [compare(world, number) for number in range(campaigns)]
    found = {name: np.concatenate([row.get(name, []) for row in rows]) for name in COLUMNS}
    return {name: float(values.mean()) for name, values in found.items() if len(values)}


def is_bad(name: str, share: float) -> bool:
    """Return whether a level is too high, or a coverage too low or too high."""
    return share > HIGH if name.startswith("p") else not LOWEST <= share <= HIGHEST


def in_row(cells: list[str]) -> str:
    """Return a row of a table."""
    return f"| {' | '.join(cells)} |"


def span(name: str, shares: list[float]) -> str:
    """Return the highest level, or the lowest and the highest coverage."""
    if not shares:
        return ""
    return f"{max(shares):.3f}" if name.startswith("p") else f"{min(shares):.3f} to {max(shares):.3f}"


def main() -> None:
    """Print a row for each world, with a star where `is_bad`; then one for each measure and number of questions."""
    head = ["measure", "questions", "skill", "unanswered", *COLUMNS]
    print(f"{in_row(head)}\n|{'---|' * len(head)}")
    together: dict[tuple[str, int], list[dict[str, float]]] = {}
    for world in WORLDS:
        found, what = simulate(world, CAMPAIGNS), world.measure + f" ({world.kind})" * bool(world.kind)
        shares = [f"{found[name]:.3f}{'*' * is_bad(name, found[name])}" if name in found else "" for name in COLUMNS]
        print(in_row([what, f"{world.questions}", f"{world.skill:g}", f"{world.unanswered:g}", *shares]), flush=True)
        together.setdefault((what, world.questions), []).append(found)
    print(f"\n{in_row(['measure', 'questions', *COLUMNS])}\n|{'---|' * (2 + len(COLUMNS))}")
    for (what, questions), rows in together.items():
        spans = [span(name, [row[name] for row in rows if name in row]) for name in COLUMNS]
        print(in_row([what, str(questions), *spans]))


if __name__ == "__main__":
    main()
