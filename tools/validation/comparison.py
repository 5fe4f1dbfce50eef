"""Simulate levels of the tests of the comparison, and the coverage of its intervals, in worlds
whose truth is known.

Ten runs have the same true score. Five of them may leave 0.3 of the questions unanswered. Two more
runs are worse, so that pairs of unlike truth have intervals, too. All runs meet easy and hard
questions together. Where questions come in clusters, or were asked several times, the number is
that of clusters or of questions.
"""

from collections.abc import Iterator
from functools import cache
from math import comb
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from nonresponse import measures
from nonresponse.measures import Measure
from nonresponse.measures.orderings import Order
from nonresponse.statistics.comparison import count_flips, split_difference, test_pairs
from nonresponse.statistics.outcomes import Outcomes, full_scores, select_rows, sum_units
from nonresponse.statistics.pairs import pair_leaders, select_runs
from validation import page, scores

LEVEL = 0.05
FLIPS = 499
WORSE = 0.15  # by which the two others are right less often where they answer
UNANSWERED = 0.3
TENTH = "a tenth answered"
ALL_SILENT = "all leave some open"
REFERENCE_QUESTIONS = 400_000  # questions, from which a true score is taken that has no formula
# False differences of single pairs, and among ten runs; coverage of intervals of differences, and
# of both parts in c@1: of pairs that were named beforehand, and of those that the page tells of.
COLUMNS = ("p", "p_maxt", "interval", "right", "abstention", "right, chosen", "abstention, chosen")


class World(NamedTuple):
    """A measure, a number of questions, skill and silence of the runs, and the kind of question."""

    measure: str
    questions: int
    skill: float
    unanswered: float  # by half of the runs
    kind: str = ""  # clusters, epochs, a tenth answered, or all leave some open

    @property
    def record(self) -> Measure:
        return measures.get("qa", self.measure)

    @property
    def equal(self) -> int:
        """The number of runs with the same true score, before two others."""
        return 20 if self.kind == TENTH else 10

    @property
    def runs(self) -> list[tuple[float, float]]:
        """Return for each run the share unanswered, and how often its answers are right."""
        silent = (self.unanswered, self.skill)
        answering = (
            silent
            if self.kind in (TENTH, ALL_SILENT) or not self.unanswered
            else (0.0, match_skill(self))
        )
        worse = [(unanswered, skill - WORSE) for unanswered, skill in (answering, silent)]
        return [answering] * (self.equal // 2) + [silent] * (self.equal // 2) + worse


COUNTS = ("accuracy", "c@1", "precision_answered", "f_simpleqa", "uf")
OTHER_KINDS = (
    *[
        "mrr",
        "brier_confidence",
        "nll",
        "r",
        "aurc",
        "augrc",
        "prr",
        "auroc_confidence",
        "risk@0.8",
        "ece@10",
    ],
    *("mean(accuracy,c@1)", "product(auroc_confidence,c@1)"),
)
SHAPES = [
    *((id, "", UNANSWERED) for id in (*COUNTS, "cws")),
    *((id, "", 0.0) for id in OTHER_KINDS),
    *((id, kind, UNANSWERED) for kind in ("clusters", "epochs") for id in ("accuracy", "c@1")),
    ("mrr", "clusters", 0.0),
]
WORLDS = [
    World(measure, questions, skill, unanswered, kind)
    for measure, kind, silence in SHAPES
    for questions in (20, 50, 200)
    for skill in (0.5, 0.85 if measures.get("qa", measure).classes else 0.95)
    for unanswered in sorted({0.0, silence})
]
WORLDS += [World(id, 50, 0.9, 0.9, TENTH) for id in ("accuracy", "c@1", "f_simpleqa")]
WORLDS += [
    World("rejection_quality", questions, skill, UNANSWERED, ALL_SILENT)
    for questions in (20, 50, 200)
    for skill in (0.5, 0.95)
]


@cache
def true_score(measure: str, unanswered: float, skill: float, questions: int) -> float:
    """Return the true score of a run; of cws, the expected score at this number of questions."""
    right = (1 - unanswered) * skill
    if measure in (*OTHER_KINDS, "rejection_quality"):
        world = World(measure, questions, skill, unanswered)
        draw = np.random.default_rng([2, questions, *map(ord, measure)])
        alone = [(unanswered, skill)] * (REFERENCE_QUESTIONS // questions)
        return float(np.nanmean(full_scores(draw_outcomes(world, alone, draw, common=0.0))))
    if measure == "cws":
        answers = np.arange(questions + 1)
        share = [
            comb(questions, k) * (1 - unanswered) ** k * unanswered ** (questions - k)
            for k in answers.tolist()
        ]
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
    """Return the skill of a run that answers everything and scores as one that does not."""
    target = true_score(world.measure, world.unanswered, world.skill, world.questions)
    low, high = 0.0, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        is_low = true_score(world.measure, 0.0, middle, world.questions) < target
        low, high = (middle, high) if is_low else (low, middle)
    return high


def draw_outcomes(
    world: World, runs: list[tuple[float, float]], draw: np.random.Generator, common: float = 0.5
) -> Outcomes:
    """Draw a campaign; `common` is the part of a question's difficulty that runs share."""
    number = world.questions
    # Questions of a cluster, or samples
    sizes = {"clusters": [2, 5, 8], "epochs": [2, 4]}.get(world.kind, [1])
    unit = np.repeat(np.arange(number), np.resize(sizes, number))
    # What makes a question easy for all, what a run makes of it, and what it makes of a sample: a
    # normal sum.
    common, run_part, sample_part = (0.4, 0.2, 0.4) if len(sizes) > 1 else (common, 1 - common, 0.0)
    latent = np.sqrt(common) * draw.normal(size=number)[unit]
    latent = latent + np.sqrt(run_part) * draw.normal(size=(len(runs), number))[:, unit]
    latent += np.sqrt(sample_part) * draw.normal(size=(len(runs), len(unit)))
    unanswered, skill = np.array(runs).T[:, :, None]
    limits = np.array(
        [[NormalDist().inv_cdf(min(max(share, 1e-9), 1 - 1e-9))] for share in skill.ravel()]
    )
    has_answer = draw.random(latent.shape) >= unanswered
    right = has_answer & (latent < limits)
    cells = {"n_ac": right, "n_aw": has_answer & ~right, "n_u": ~has_answer}
    cells |= {"n_ur": ~has_answer & (latent < limits), "n_uw": ~has_answer & (latent >= limits)}
    orders: list[Order] = []
    if world.measure == "cws":
        orders = [draw_order(*row, draw) for row in zip(has_answer, right, strict=True)]
    elif world.record.kind in ("ordering", "combined"):
        orders = scores.draw_orders(draw, right)
    elif world.record.kind == "sums":
        cells |= scores.draw_sums(draw, right)
    weight = 4 / np.bincount(unit)[unit] if world.kind == "epochs" else 1.0
    cells |= {"n": np.ones((1, len(unit))), "n_rightful": np.zeros((1, len(unit)))}
    cells = {name: values * weight for name, values in cells.items()}
    names = (
        [f"run{run:05}" for run in range(len(runs))],
        [f"{index:04}" for index in range(len(unit))],
    )
    outcomes = scores.make_outcomes(world.record, cells, orders, *names)
    questions = [f"{index:04}" for index in (unit if world.kind == "epochs" else range(len(unit)))]
    clusters = (
        {f"{index:04}": f"c{cluster:04}" for index, cluster in enumerate(unit)}
        if world.kind == "clusters"
        else {}
    )
    return sum_units(outcomes, questions, clusters)


def draw_order(has_answer: np.ndarray, right: np.ndarray, draw: np.random.Generator) -> Order:
    """Order the answers of a run at random, with its unanswered questions tied behind them."""
    order = np.argsort(np.where(has_answer, draw.random(len(right)), 2), kind="stable")
    starts = np.arange(min(has_answer.sum() + 1, len(right)))
    return Order(order, right[order], starts)


def compare(world: World, number: int) -> dict[str, np.ndarray]:
    """Simulate a campaign: which differences are false, and which intervals hold the truth."""
    outcomes = draw_outcomes(
        world, world.runs, np.random.default_rng([1, number, *map(ord, str(world))])
    )
    half, equal = world.equal // 2, world.equal
    equal_pairs = np.triu_indices(equal, 1)
    tested = run_tests(select_rows(outcomes, [*range(equal)]), FLIPS)
    if np.isnan(tested["p"]).all():
        return {}
    false = {name: np.nan_to_num(tested[name], nan=1.0) <= LEVEL for name in ("p", "p_maxt")}
    unlike = (equal_pairs[0] < half) & (equal_pairs[1] >= half)
    results = {"p": false["p"][unlike], "p_maxt": false["p_maxt"].any(keepdims=True)}
    selection = [0, half, equal, equal + 1]
    lower, upper = run_tests(select_rows(outcomes, selection), 0)["interval"].T
    true = np.array(
        [true_score(world.measure, *world.runs[run], world.questions) for run in selection]
    )
    x, y = np.triu_indices(len(selection), 1)
    unequal = np.isfinite(lower) & (np.abs(true[x] - true[y]) > 1e-9)
    results["interval"] = ((lower <= true[x] - true[y]) & (true[x] - true[y] <= upper))[unequal]
    if world.measure == "c@1":
        pairs = [(0, half), (0, equal), (0, equal + 1), (half, equal)]
        results |= hold_parts(world, outcomes, pairs, "")
        score = full_scores(outcomes)
        results |= hold_parts(
            world, outcomes, pair_leaders(score, higher_is_better=True), ", chosen"
        )
    return results


def run_tests(outcomes: Outcomes, flips: int) -> dict[str, np.ndarray]:
    """Return what comparison.test_pairs does, with so many flips."""
    settings, runs = {"level": LEVEL, "flips": flips, "seed": 1}, select_runs(outcomes)
    return test_pairs(runs, count_flips(runs, "simulated", settings)[0], settings)


def hold_parts(world: World, outcomes: Outcomes, pairs: list, suffix: str) -> dict[str, np.ndarray]:
    """Return whether the intervals of both parts of differences in c@1 hold the truth."""
    parts = []
    for a, b in pairs:
        (silent_a, skill_a), (silent_b, skill_b) = world.runs[a], world.runs[b]
        right_a, right_b = (1 - silent_a) * skill_a, (1 - silent_b) * skill_b
        true = (
            (right_a - right_b) * (1 + (silent_a + silent_b) / 2),
            (right_a + right_b) / 2 * (silent_a - silent_b),
        )
        _, *right, _, lower, upper = split_difference(outcomes, a, b, LEVEL)
        parts.append((right[0] <= true[0] <= right[1], lower <= true[1] <= upper))
    shares = dict(zip((f"right{suffix}", f"abstention{suffix}"), np.array(parts).T, strict=True))
    # Abstention is 0 for certain
    return shares if world.unanswered else {f"right{suffix}": shares[f"right{suffix}"]}


def simulate(world: World, campaigns: int) -> dict[str, float]:
    """Return the share of campaigns, or of pairs in them, for each of COLUMNS that there is."""
    results = [compare(world, number) for number in range(campaigns)]
    samples = {
        name: np.concatenate([result.get(name, np.empty(0)) for result in results])
        for name in COLUMNS
    }
    return {name: float(values.mean()) for name, values in samples.items() if len(values)}


def rows(campaigns: int) -> Iterator[page.Row]:
    """Simulate a row for each kind of measure and number of questions, over all their worlds."""
    for measure, kind, questions in dict.fromkeys(
        (world.measure, world.kind, world.questions) for world in WORLDS
    ):
        worlds = [
            world
            for world in WORLDS
            if (world.measure, world.kind, world.questions) == (measure, kind, questions)
        ]
        results = [simulate(world, campaigns) for world in worlds]
        shares = [[result[name] for result in results if name in result] for name in COLUMNS]
        cells = [page.level(*shares[place]) for place in (0, 1)] + [
            page.coverage(*values) for values in shares[2:]
        ]
        compared = sum(map(bool, results))
        if not compared:
            cells[0] = "not compared"
        cells.insert(0, f"{compared} of {len(worlds)}")
        yield [measure + f" ({kind})" * bool(kind), str(questions), *cells]


REASONS = (
    (
        r"^\| precision_answered \| 200",
        "By chance: in 1,000 campaigns of each of its four worlds, it was .032 to .052.",
    ),
    (
        r"^\| f_simpleqa \(a tenth",
        "Five answers of a run are few for the test of all pairs (.083 in 1,000 campaigns). The report warns there.",
    ),
    (
        r"^\| c@1",
        "The half question, where a part hardly varies. Chosen pairs are the best runs, whose scores are near "
        "each other.",
    ),
    (
        r"^\| (cws|aurc|augrc|prr|auroc|product)",
        "A question near the top of an order, or of the rarer class, may move the score far.",
    ),
    (
        r"^\| rejection_quality",
        "It has no largest value, and one withheld candidate may move it far.",
    ),
    (
        "",
        "The half question.",
    ),
)
SECTION = page.Section(
    "Levels of tests, and intervals of differences",
    "How often tests find a difference between runs of the same true score: `p` in pairs, `p_maxt` in campaigns of "
    "ten runs. How often intervals hold the true difference, and its parts by correct answers (right) and by "
    "abstention, also of pairs that the report chooses. In each world .5 or .95 of the answers are correct (.85 for "
    "auroc_confidence), and half of the runs leave nothing or .3 unanswered.",
    ("measure", "questions", "worlds compared", *COLUMNS),
    rows,
    300,
    REASONS,
)
