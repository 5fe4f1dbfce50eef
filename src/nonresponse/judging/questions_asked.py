"""What each run was asked, and on which questions runs are compared: those that all compared runs
were asked.

A question that was never put to a run is neither unanswered nor wrong. Where no question was put to
all runs, some runs are not compared, so that the others share questions (`most_shared`).
"""

import numpy as np
import polars as pl


def find_asked(questions: pl.DataFrame, names: pl.Series, runs: list[str]) -> np.ndarray | None:
    """Return which runs were asked which questions, bool (runs, questions); None where no question
    says so.

    The column `runs` of the questions says it.
    """
    known = questions.filter(pl.col("runs").is_not_null())
    if known.is_empty():
        return None
    row, column = ({name: index for index, name in enumerate(each)} for each in (runs, names))
    asked = np.ones((len(runs), len(names)), bool)
    asked[:, [column[name] for name in known["question"] if name in column]] = False
    for question, run in known.explode("runs").select("question", "runs").iter_rows():
        if question in column and run in row:
            asked[row[run], column[question]] = True
    return asked


def select_shared(asked: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return which runs to compare, and on which questions: bool (runs,) and (questions,), from
    asked, bool (runs, questions).

    All runs, if all share a question. Otherwise runs asked the fewest questions are dropped first,
    runs asked the same set together, until pairs of runs x shared questions is largest. If runs
    left in this way never share a question: the two runs that share the most, and all others that
    were asked these questions. No run and no question if no two runs share one.
    """
    by_all = np.logical_and.reduce(asked)
    if by_all.any():
        return np.ones(len(asked), bool), by_all
    sets, which, number = np.unique(asked, axis=0, return_inverse=True, return_counts=True)
    order = np.argsort(-sets.sum(axis=1), kind="stable")
    shared = np.logical_and.accumulate(sets[order], axis=0)
    runs = np.cumsum(number[order])
    worth = runs * (runs - 1) // 2 * shared.sum(axis=1)
    best = len(worth) - 1 - int(np.argmax(worth[::-1]))
    if worth[best]:
        return np.isin(which.ravel(), order[: best + 1]), shared[best]
    overlap = sets.astype(np.float32) @ sets.T.astype(np.float32)
    np.fill_diagonal(overlap, overlap.diagonal() * (number > 1))
    one, other = np.unravel_index(np.argmax(overlap), overlap.shape)
    items = sets[one] & sets[other] & (overlap[one, other] > 0)
    return asked[:, items].all(axis=1) & items.any(), items
