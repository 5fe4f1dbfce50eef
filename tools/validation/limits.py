"""Simulate intervals of differences between two runs that are nearly always right."""

from collections.abc import Iterator

import numpy as np
from nonresponse import measures
from nonresponse.statistics.comparison import test_pairs
from nonresponse.statistics.pairs import pair_index, select_runs
from scipy.special import ndtri
from validation import comparison, page, scores

SETTINGS = {"level": 0.05, "flips": 0}
SKILLS = ((0.999, 0.989), (0.999, 0.979), (0.995, 0.975), (0.99, 0.95), (0.97, 0.9))
UNANSWERED = (0.0, 0.02)
MEASURES = ("accuracy", "c@1", "precision_answered", "f_simpleqa", "uf")


def hold_difference(
    id: str, skills: tuple[float, float], unanswered: float, questions: int, campaigns: int
) -> float:
    """Return how often the interval of the difference holds the truth."""
    draw, shape = np.random.default_rng([13, questions]), (campaigns, 2, questions)
    latent = np.sqrt(0.5) * (draw.normal(size=(campaigns, 1, questions)) + draw.normal(size=shape))
    has_answer = draw.random(shape) >= unanswered
    right = has_answer & (latent < ndtri(skills)[:, None])
    cells = {"n_ac": right, "n_aw": has_answer & ~right, "n_u": ~has_answer}
    cells = {name: matrix.reshape(-1, questions) for name, matrix in cells.items()}
    cells |= {"n": np.ones((1, questions)), "n_rightful": np.zeros((1, questions))}
    names = [f"{run:05}" for run in range(2 * campaigns)], [f"{n:04}" for n in range(questions)]
    runs = select_runs(scores.make_outcomes(measures.get("qa", id), cells, [], *names))
    number = len(runs.pairs.score)
    tests = test_pairs(runs, np.zeros(number * (number - 1) // 2), SETTINGS)
    first = np.arange(0, 2 * campaigns, 2)
    low, high = tests["interval"][pair_index(first, first + 1, 2 * campaigns)].T
    true = [comparison.true_score(id, unanswered, skill, questions) for skill in skills]
    hits = (low - 1e-9 <= true[0] - true[1]) & (true[0] - true[1] <= high + 1e-9)
    return float(hits[np.isfinite(low)].mean())


def rows(campaigns: int) -> Iterator[page.Row]:
    """Simulate a row for each measure, share of unanswered questions, and number of questions."""
    for id in MEASURES:
        for unanswered in UNANSWERED:
            for questions in (20, 50, 100, 200):
                shares = [
                    hold_difference(id, skills, unanswered, questions, campaigns)
                    for skills in SKILLS
                ]
                yield [id, f"{unanswered:g}", str(questions), page.coverage(*shares)]


SECTION = page.Section(
    "Differences near the limit",
    "How often the interval of a difference holds the truth where two runs are right in .90 to .999 of their answers, "
    "at worst over five pairs of them.",
    ("measure", "unanswered", "questions", "interval"),
    rows,
    500,
    why=(
        (
            "",
            "Hardly any question distinguishes such runs, and their number is whole.",
        ),
    ),
)
