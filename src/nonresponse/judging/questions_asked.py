"""Finds what each run was asked, and on which questions runs are compared: those that all compared
runs were asked.

A question that was never put to a run is neither unanswered nor wrong.
"""

import numpy as np
import polars as pl


def find_asked(questions: pl.DataFrame, names: pl.Series, runs: list[str]) -> np.ndarray | None:
    """Return which runs were asked which questions by their column `runs`: bool (runs, names).

    None where no question says so.
    """
    questions = questions.filter(pl.col("runs").is_not_null())
    if questions.is_empty():
        return None
    rows, columns = ({name: i for i, name in enumerate(keys)} for keys in (runs, names))
    asked = np.ones((len(runs), len(names)), bool)
    asked[:, [columns[name] for name in questions["question"] if name in columns]] = False
    for question, run in questions.explode("runs").select("question", "runs").iter_rows():
        if question in columns and run in rows:
            asked[rows[run], columns[question]] = True
    return asked


def select_shared(asked: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return which runs to compare, and on which questions: bool (runs,) and (questions,), from
    asked, bool (runs, questions).

    All runs, if all share a question. Otherwise runs asked the fewest questions are dropped first,
    runs asked the same set together, until pairs of runs x shared questions is largest. If runs
    left in this way never share a question: the two runs that share the most, and all others that
    were asked these questions. No run and no question if no two runs share one.
    """
    common = np.logical_and.reduce(asked)
    if common.any():
        return np.ones(len(asked), bool), common
    sets, set_of_run, sizes = np.unique(asked, axis=0, return_inverse=True, return_counts=True)
    order = np.argsort(-sets.sum(axis=1), kind="stable")
    common = np.logical_and.accumulate(sets[order], axis=0)
    runs = np.cumsum(sizes[order])
    worth = runs * (runs - 1) // 2 * common.sum(axis=1)
    best = len(worth) - 1 - int(np.argmax(worth[::-1]))
    if worth[best]:
        return np.isin(set_of_run.ravel(), order[: best + 1]), common[best]
    overlap = sets.astype(np.float32) @ sets.T.astype(np.float32)
    np.fill_diagonal(overlap, overlap.diagonal() * (sizes > 1))
    a, b = np.unravel_index(np.argmax(overlap), overlap.shape)
    questions = sets[a] & sets[b] & (overlap[a, b] > 0)
    return asked[:, questions].all(axis=1) & questions.any(), questions
