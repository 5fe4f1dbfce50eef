"""The comparison of runs as the workflow makes it; what its tests share."""

import numpy as np
from nonresponse import measures
from nonresponse.statistics import analyses, sign_flips
from nonresponse.statistics.outcomes import Outcomes
from nonresponse.statistics.pairs import Pairs
from nonresponse.statistics.pseudo_values import influence_values
from nonresponse.statistics.subsets import draw_subsets

OPTIONS = {"seed": 1, "samples": 300, "flips": 300}


def make_comparison(outcomes, level: float = 0.1, **options):
    """intervals and comparisons as the workflow makes them, seed 1."""
    options = OPTIONS | {"level": level} | options
    return analyses.make_tables("comparison", outcomes, "gold", "c", options)[:2]


def count_outcomes(id: str, task: str = "qa", **counts) -> Outcomes:
    """Return outcomes of run0, run1, … on q000, q001, … from counts (runs, questions).

    Counts that the measure does not have are left out, and those that are not given are 0.
    """
    measure = measures.get(task, id)
    counts = {name: np.atleast_2d(np.asarray(rows, np.float32)) for name, rows in counts.items()}
    runs, n = (max(matrix.shape[axis] for matrix in counts.values()) for axis in (0, 1))
    zeros = {name: np.zeros((1, n), np.float32) for name in measure.totals}
    matrices = zeros | {"n": np.ones((1, n), np.float32)}
    matrices |= {name: counts[name] for name in counts if name in (*matrices, "weight")}
    names = [f"run{run}" for run in range(runs)], [f"q{question:03}" for question in range(n)]
    return Outcomes(measure, *names, matrices)


def score_runs(outcomes: Outcomes) -> tuple[np.ndarray, np.ndarray]:
    """Scores and pseudo-values."""
    score, influence = influence_values(outcomes)
    return score, influence.dense


def count_flips(counter, pairs: Pairs, seed: int, campaign: str, flips: int):
    """What one counter of sign_flips counts."""
    [counts] = sign_flips.count_flips(pairs, [counter], seed, campaign, flips)
    return counts


def draw_halves(questions: int, size: int, trials: int) -> list[tuple[tuple, tuple]]:
    """Return the numbers of the questions of both subsets of each trial."""
    halves = draw_subsets(1, "c", questions, [(size, trial) for trial in range(trials)])
    subsets = [[tuple(np.flatnonzero(row).tolist()) for row in half] for half in halves]
    return list(zip(*subsets, strict=True))
