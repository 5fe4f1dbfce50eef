"""What abstention did to a difference in c@1.

With a the share of correct answers and u the share of unanswered questions, c@1 = a (1 + u). The difference of two runs
is the sum of delta a (1 + mean u), due to correct answers, and mean a delta u, due to unanswered questions.
"""

import numpy as np
import polars as pl

from nonresponse import tasks
from nonresponse.statistics import PRIOR
from nonresponse.statistics.distributions import student_quantile
from nonresponse.statistics.outcomes import Outcomes
from nonresponse.statistics.rank_positions import leading_pairs

PARTS = {
    "a": pl.String,
    "b": pl.String,  # scores no higher than a
    "difference": pl.Float64,  # of c@1, a less b
    "by_right": pl.Float64,
    "by_right_lower": pl.Float64,  # of the interval, at the level of the campaign
    "by_right_upper": pl.Float64,
    "by_abstention": pl.Float64,  # the two parts add up to the difference
    "by_abstention_lower": pl.Float64,
    "by_abstention_upper": pl.Float64,
}

# The largest possible parts: by all correct against all unanswered, and by a half correct and a half unanswered.
FARTHEST = (1.5, 0.5)


def parts(outcomes: Outcomes, score: np.ndarray, level: float) -> pl.DataFrame:
    """Return PARTS, the best run against each of the next; empty for measures other than c@1.

    score (runs,), NaN = not compared. There are no p-values: pairs that were chosen by their difference are not tested.
    """
    pairs = leading_pairs(score, higher_is_better=True) if outcomes.measure.id == "c@1" else []
    rows = [
        (outcomes.runs[a], outcomes.runs[b], score[a] - score[b], *of_pair(outcomes, a, b, level)) for a, b in pairs
    ]
    return pl.DataFrame(rows, PARTS, orient="row")


def of_pair(outcomes: Outcomes, a: int, b: int, level: float) -> list[float]:
    """Return both parts of the difference of two runs, each with the ends of its interval.

    Student's t on influence values of questions or clusters; with half a question that moves the part as far as one
    can, in either direction, as intervals of differences have it.
    """
    right, unanswered, _ = tasks.get(outcomes.measure.task).outcomes.values()
    n = np.broadcast_to(outcomes.matrices["n"], (len(outcomes.runs), outcomes.n))[[a, b]].astype(np.float64)
    units = outcomes.n

    def share(names: tuple[str, ...]) -> tuple[np.ndarray, np.ndarray]:
        """Return the share of these counts of both runs (2,), and what each question adds to it, (2, questions)."""
        matrices = [outcomes.matrices[name] for name in names if name in outcomes.matrices]
        number = sum(
            np.broadcast_to(matrix, (len(outcomes.runs), units))[[a, b]].astype(np.float64) for matrix in matrices
        )
        mean = np.sum(number, axis=1) / n.sum(axis=1)
        return mean, units * (number - mean[:, None] * n) / n.sum(axis=1, keepdims=True)

    (correct, of_correct), (silent, of_silent) = share(right), share(unanswered)
    apart, apart_silent = correct[0] - correct[1], silent[0] - silent[1]
    by_right, by_abstention = apart * (1 + silent.mean()), correct.mean() * apart_silent
    influence = (
        (of_correct[0] - of_correct[1]) * (1 + silent.mean()) + apart * of_silent.mean(axis=0),
        of_correct.mean(axis=0) * apart_silent + correct.mean() * (of_silent[0] - of_silent[1]),
    )
    some = (correct.mean() * units + PRIOR) / (units + 2 * PRIOR)  # not 0, so that an interval has a width
    most = (1 + silent.mean() + abs(apart) / 2, some + abs(apart_silent) / 2)
    found = []
    for part, values, largest, end in zip((by_right, by_abstention), influence, most, FARTHEST, strict=True):
        error = np.sqrt((np.sum(values**2) + 2 * PRIOR * largest**2) / units / (units + 2 * PRIOR))
        half = student_quantile(1 - level / 2, max(units - 1, 1)) * error
        found += [part, max(part - half, -end), min(part + half, end)]
    return found
