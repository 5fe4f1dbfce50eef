"""Simulate whether ranges of ranks hold the true ranks, and whether the best run may be best."""

from collections.abc import Iterator

import numpy as np
import polars as pl
from nonresponse import measures
from nonresponse.statistics import analyses, comparison
from nonresponse.statistics.outcomes import Outcomes
from scipy.special import ndtri
from validation import page

LEVEL = 0.05
NAMES = [f"run{run:02}" for run in range(40)]
# How often each run is right.
RUNS = {
    "ten equal runs": np.full(10, 0.5),
    "ten runs from .4 to .7": np.linspace(0.4, 0.7, 10),
    "two best among ten": np.array([0.3] * 8 + [0.6, 0.6]),
    "forty runs from .3 to .7": np.linspace(0.3, 0.7, 40),
}


def draw_answers(number: int, rights: np.ndarray, questions: int = 100) -> np.ndarray:
    """Draw which answers are right, bool (runs, questions); runs share hard questions."""
    draw = np.random.default_rng([7, number])
    return np.sqrt(0.5) * (
        draw.normal(size=questions) + draw.normal(size=(len(rights), questions))
    ) < ndtri(rights[:, None])


def rank_intervals(right: np.ndarray, **options: object) -> pl.DataFrame:
    """intervals/accuracy of these answers."""
    runs, questions = right.shape
    names = NAMES[:runs], [f"{question:03}" for question in range(questions)]
    matrices = {"n_ac": right.astype(np.float32), "n": np.ones((1, questions), np.float32)}
    settings = {"seed": 1, "level": LEVEL, "samples": 1, "flips": 250} | options
    outcomes = Outcomes(measures.get("qa", "accuracy"), *names, matrices)
    return analyses.make_tables("comparison", outcomes, "gold", "c", settings)[0]


def hold_ranks(rights: np.ndarray, questions: int, campaigns: int) -> dict[str, np.ndarray]:
    """By campaign: whether all ranges of ranks hold the true ranks, whether the best run may be the
    best; how wide the ranges are, how many runs may be the best.
    """
    low = 1 + (rights[None] > rights[:, None]).sum(axis=1)
    high = len(rights) - (rights[None] < rights[:, None]).sum(axis=1)
    rows = []
    for number in range(campaigns):
        table = rank_intervals(draw_answers(number, rights, questions))
        lowest, highest, may = (table[name].to_numpy() for name in comparison.RANK_RANGE)
        ranks = ((lowest <= high) & (low <= highest)).all()
        rows.append((ranks, may[rights.argmax()], (highest - lowest + 1).mean(), may.sum()))
    return dict(zip(("ranks", "best", "width", "size"), np.array(rows, float).T, strict=True))


def rows(campaigns: int) -> Iterator[page.Row]:
    """Simulate the rows of the table."""
    for name, rights in RUNS.items():
        for questions in (20, 50, 200):
            number = campaigns if len(rights) < 20 else -(-campaigns // 4)
            shares = hold_ranks(rights, questions, number)
            ranks, best, width, size = (values.mean() for values in shares.values())
            row = [name, str(questions), page.format_share(ranks, page.LOWEST), f"{width:.1f}"]
            yield [*row, page.format_share(best, page.LOWEST), f"{size:.1f}"]


SECTION = page.Section(
    "Ranks",
    "How often the ranges of ranks hold the true ranks of all runs together, and how often the best run is among "
    "those that may be the best, by accuracy.",
    (
        *("runs", "questions", "ranges hold", "mean width"),
        *("best run may be best", "runs that may be best"),
    ),
    rows,
    60,
)
