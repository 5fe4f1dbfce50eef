"""Simulate how far shrunken scores are from the true ones, where runs were asked unlike numbers of
questions."""

from collections.abc import Iterator

import numpy as np
from nonresponse.statistics.influence import Dense
from nonresponse.statistics.pairs import Pairs
from nonresponse.statistics.shrinkage import shrink
from scipy.special import ndtri
from validation import page, ranks

SHARED = 0.5  # of the variance of how hard a question is
RUNS = 6  # of each of the two numbers of questions
# The mean and the standard deviation of the true scores; questions of the first runs, and of the
# others
WORLDS = [
    (0.6, 0.05, (20, 1000)),
    (0.6, 0.02, (20, 1000)),
    (0.9, 0.05, (20, 1000)),
    (0.97, 0.02, (20, 500)),
    (0.6, 0.05, (3, 200)),
    (0.6, 0.05, (200, 200)),
    (0.97, 0.02, (50, 50)),
]


def simulate(
    mean: float, spread: float, sizes: tuple[int, int], campaigns: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return root mean squared errors of raw and of shrunken scores, (first runs, others) each."""
    asked, most = np.repeat(sizes, RUNS), max(sizes)
    raw, made = [], []
    for number in range(campaigns):
        draw = np.random.default_rng([9, number])
        rights = np.clip(draw.normal(mean, spread, len(asked)), 0.02, 0.995)
        latent = np.sqrt(SHARED) * draw.normal(size=most)
        latent = latent + np.sqrt(1 - SHARED) * draw.normal(size=(len(asked), most))
        right = (latent < ndtri(rights)[:, None]).astype(float)
        known = np.arange(most) < asked[:, None]
        score = (right * known).sum(axis=1) / asked
        psi = score[:, None] + known * (right - score[:, None]) * most / asked[:, None]
        raw.append(score - rights)
        made.append(shrink(Pairs(score, Dense(psi))) - rights)
    first, second = (
        np.sqrt(np.square(found).mean(axis=0).reshape(2, RUNS).mean(axis=1))
        for found in (raw, made)
    )
    return first, second


def luck_of_the_best(runs: int, spread: float, campaigns: int) -> dict[str, np.ndarray]:
    """By campaign, how far the score of the first run is above its true one, as it is and
    shrunken."""
    found: dict[str, list] = {"raw": [], "shrunken": []}
    for number in range(campaigns):
        rights = np.clip(
            0.6 + spread * np.random.default_rng([8, number]).normal(size=runs), 0.05, 0.95
        )
        right = ranks.drawn(number, rights).astype(float)
        score = right.mean(axis=1)
        top = score.argmax()
        found["raw"].append(score[top] - rights[top])
        found["shrunken"].append(shrink(Pairs(score, Dense(right)))[top] - rights[top])
    return {name: np.array(values) for name, values in found.items()}


def rows(campaigns: int) -> Iterator[page.Row]:
    """Simulate the rows of the table."""
    for mean, spread, sizes in WORLDS:
        raw, made = (
            ", ".join(f"{value:.3f}" for value in found)
            for found in simulate(mean, spread, sizes, campaigns)
        )
        yield [f"{mean:g} ± {spread:g}", f"{sizes[0]}, {sizes[1]}", raw, made]


def first_rows(campaigns: int) -> Iterator[page.Row]:
    """Simulate the rows of the first of many runs."""
    for number, spread in ((10, 0.0), (30, 0.0), (10, 0.03)):
        found = luck_of_the_best(number, spread, campaigns)
        yield [
            str(number),
            f"{spread:g}",
            *(f"{found[name].mean():+.3f}" for name in ("raw", "shrunken")),
        ]


SECTION = page.Section(
    "Shrunken scores",
    "The root mean squared error of scores and of shrunken scores of twelve runs, of which six "
    "were asked the first"
    " questions alone. All meet easy and hard questions together.",
    ("true scores", "questions", "scores", "shrunken"),
    rows,
    400,
)
FIRST = page.Section(
    "The first of many runs",
    "How far the highest score is above that run's true score on average, with 100 questions.",
    ("runs", "spread of true scores", "score", "shrunken"),
    first_rows,
    300,
)
