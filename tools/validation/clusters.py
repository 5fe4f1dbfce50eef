"""Simulate clusters of unlike sizes, some of them all right or all wrong: levels and coverage."""

from collections.abc import Iterator
from statistics import NormalDist

import numpy as np
from nonresponse import measures
from nonresponse.statistics import PASS, intervals
from nonresponse.statistics.comparison import count_flips, split_difference, test_pairs
from nonresponse.statistics.gates import Gate, compare_with_bound, score_run
from nonresponse.statistics.outcomes import Outcomes, full_scores, select_rows, sum_units
from nonresponse.statistics.pairs import pair_index, select_runs
from validation import page

LEVEL = 0.05
RUNS = 10  # that are tested together
FLIPS = {"level": LEVEL, "seed": 1, "flips": 499}
SIZES = {
    "20, two of them with thirty questions": np.where(np.arange(20) < 2, 30, 1),
    "50, five of them with thirty questions": np.where(np.arange(50) < 5, 30, 1),
    "200, twenty of them with thirty questions": np.where(np.arange(200) < 20, 30, 1),
    "20 of two, five and eight questions": np.resize([2, 5, 8], 20),
    "200, of sizes that are lognormal": np.ceil(
        np.exp(np.random.default_rng(0).normal(1.5, 1.5, 200))
    ).astype(int),
}
CORRELATIONS = (0.1, 0.5, 0.9)  # of the latent skill at two questions of a cluster
SKILLS = (0.6, 0.9)
CORRECT, UNANSWERED = (0.63, 0.39), (0.1, 0.3)  # shares of two runs


def draw_latent(
    sizes: np.ndarray, correlation: float, campaigns: int, draw: np.random.Generator, runs: int
) -> np.ndarray:
    """Draw normal numbers (runs of all campaigns, questions), of runs that meet easy clusters
    together."""
    unit, shape = np.repeat(np.arange(len(sizes)), sizes), (campaigns, runs, len(sizes))
    ease = draw.normal(size=(campaigns, 1, len(sizes))) + draw.normal(size=shape)
    latent = np.sqrt(correlation / 2) * ease[:, :, unit]
    latent += np.sqrt(1 - correlation) * draw.normal(size=latent.shape)
    return latent.reshape(-1, len(unit))


def make_outcomes(id: str, sizes: np.ndarray, **cells: np.ndarray) -> Outcomes:
    """Return the outcomes of clusters, from whether questions count (runs, questions)."""
    matrices = {name: cell.astype(float) for name, cell in cells.items()}
    runs, number = next(iter(matrices.values())).shape
    questions = [f"{question:05}" for question in range(number)]
    matrices |= {"n": np.ones((1, number))}
    names = [f"{run:05}" for run in range(runs)], questions
    outcomes = Outcomes(measures.get("qa", id), *names, matrices)
    unit = np.repeat(np.arange(len(sizes)), sizes)
    clusters = dict(zip(questions, (f"c{cluster:05}" for cluster in unit), strict=True))
    return sum_units(outcomes, questions, clusters)


def draw_outcomes(
    sizes: np.ndarray,
    correlation: float,
    skill: float,
    campaigns: int,
    draw: np.random.Generator,
    runs: int = 2,
) -> Outcomes:
    """Draw equal runs for each campaign."""
    latent = draw_latent(sizes, correlation, campaigns, draw, runs)
    return make_outcomes("accuracy", sizes, n_ac=latent < NormalDist().inv_cdf(skill))


def hold_parts(
    sizes: np.ndarray, correlation: float, campaigns: int, draw: np.random.Generator
) -> list[float]:
    """Return how often the intervals of both parts of a difference in c@1 hold the truth."""
    correct, unanswered = np.array(CORRECT), np.array(UNANSWERED)
    quantile = np.vectorize(NormalDist().inv_cdf)
    skill, abstention = (
        np.tile(quantile(share), campaigns)[:, None]
        for share in (correct / (1 - unanswered), unanswered)
    )
    is_open, is_right = (
        draw_latent(sizes, correlation, campaigns, draw, 2) < end for end in (abstention, skill)
    )
    outcomes = make_outcomes("c@1", sizes, n_ac=~is_open & is_right, n_u=is_open)
    true = (
        np.subtract(*correct) * (1 + unanswered.mean()),
        correct.mean() * np.subtract(*unanswered),
    )
    hits = []
    for run in range(0, 2 * campaigns, 2):
        _, *right, _, low, high = split_difference(outcomes, run, run + 1, LEVEL)
        hits.append((right[0] <= true[0] <= right[1], low <= true[1] <= high))
    return np.mean(hits, axis=0).tolist()


def simulate(outcomes: Outcomes, skill: float) -> tuple[float, float, float]:
    """Return how often a score's interval holds the truth, a run at a gate's bound passes, and two
    equal runs differ."""
    low, high = intervals.student(outcomes, full_scores(outcomes), LEVEL).T
    gates = Gate("accuracy", at_least=skill), Gate("accuracy", at_most=skill)
    tests = [
        [compare_with_bound(gate, score_run(outcomes, run), LEVEL, LEVEL) for gate in gates]
        for run in outcomes.runs
    ]
    rates = np.mean([[test.decision.state == PASS for test in row] for row in tests], axis=0)
    runs = np.arange(0, len(outcomes.runs), 2)
    pairs = pair_index(runs, runs + 1, len(outcomes.runs))
    differing = select_runs(outcomes).pairs.p[pairs] <= LEVEL
    hits = (low <= skill) & (skill <= high)
    return float(hits.mean()), float(rates.max()), float(differing.mean())


def differ(outcomes: Outcomes) -> float:
    """Return how often some of RUNS equal runs differ significantly over all pairs together."""
    found = []
    for start in range(0, len(outcomes.runs), RUNS):
        runs = select_runs(select_rows(outcomes, [*range(start, start + RUNS)]))
        exceeding, _ = count_flips(runs, f"c{start}", FLIPS)
        found.append((test_pairs(runs, exceeding, FLIPS)["p_maxt"] <= LEVEL).any())
    return float(np.mean(found))


def rows(campaigns: int) -> Iterator[page.Row]:
    """Simulate a row for each kind of clusters and skill, over all correlations."""
    for name, sizes in SIZES.items():
        for skill in SKILLS:
            results, family, parts = [], [], []
            for share in CORRELATIONS:
                draw = np.random.default_rng(12)
                outcomes = draw_outcomes(sizes, share, skill, campaigns, draw)
                results.append(simulate(outcomes, skill))
                family.append(differ(draw_outcomes(sizes, share, skill, campaigns, draw, RUNS)))
                if skill == SKILLS[0]:
                    parts += hold_parts(sizes, share, campaigns, draw)
            hits, passing, differing = zip(*results, strict=True)
            yield [
                name,
                f"{skill:g}",
                page.coverage(*hits),
                *(page.level(*shares) for shares in (passing, differing, family)),
                page.coverage(*parts),
            ]


SECTION = page.Section(
    "Clusters of unlike sizes",
    "How often intervals of accuracy and of parts of c@1 hold the truth, a run at the bound of a gate passes it, and "
    "equal runs differ, in pairs (p) and some of ten (p_maxt), at worst over clusters whose questions hardly, half or "
    "nearly all go together.",
    ("clusters", "accuracy", "interval of the score", "gate passed", "p", "p_maxt", "parts of c@1"),
    rows,
    300,
    why=(
        (
            r"^\| 200.*0\.6 ",
            "By chance: in 1,000 campaigns of each of its three worlds, p was .038 to .059.",
        ),
        (
            "",
            "Half a cluster is added, which is many questions where clusters are few and large.",
        ),
    ),
)
