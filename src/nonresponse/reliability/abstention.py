"""What abstention did to a difference in c@1.

With a the share of right answers and u the share of questions left open, c@1 = a (1 + u). The difference of two runs is
the sum of delta a (1 + mean u), due to right answers, and mean a delta u, due to questions left open.
"""

import numpy as np
import polars as pl

from nonresponse import tasks
from nonresponse.reliability import sign_flips
from nonresponse.reliability.compared import SAME, Compared
from nonresponse.reliability.outcomes import Outcomes
from nonresponse.reliability.rank_positions import leading_pairs

PARTS = {
    "a": pl.String,
    "b": pl.String,  # scores no higher than a
    "difference": pl.Float64,  # of c@1, a less b
    "by_right": pl.Float64,
    "p_right": pl.Float64,
    "by_abstention": pl.Float64,  # the two add up to the difference
    "p_abstention": pl.Float64,
}


def parts(
    outcomes: Outcomes, score: np.ndarray, tested: tuple[np.ndarray, ...], flips: int, seed: int, campaign: str
) -> pl.DataFrame:
    """PARTS, the best run against each of the next; empty for measures other than c@1.

    score (runs,), NaN = not compared; tested: both runs of every pair and p of their difference, (pairs,) each.
    """
    pairs = leading_pairs(score, higher_is_better=True) if outcomes.measure.id == "c@1" else []
    if not pairs:
        return pl.DataFrame(schema=PARTS)
    of_pairs = np.concatenate([part for pair in pairs for part in of_pair(outcomes, *pair)])
    without = np.stack([part for pair in pairs for part in of_pair(outcomes, *pair, without_each=True)])
    # Each part is compared with a dummy that is 0 on every question: its two-sided p-value tests whether it is truly 0.
    questions = without.shape[1]
    psi = np.vstack([questions * of_pairs[:, None] - (questions - 1) * without, np.zeros(questions)])
    those = Compared(np.append(of_pairs, 0), psi)
    (counts,) = sign_flips.counted(those.flipped, [sign_flips.as_large(those)], seed, campaign, flips)
    beside_nothing = those.pairs[1] == len(of_pairs)
    p = sign_flips.by_itself(those, counts, flips)[beside_nothing].reshape(-1, 2)
    # A part that makes up the whole difference gets a p-value no smaller than the difference's own, whose test may be
    # exact.
    x, y, p_of_all = tested
    whole = [p_of_all[((x == a) & (y == b)) | ((x == b) & (y == a))].max(initial=0) for a, b in pairs]
    nothing = (np.abs(psi[:-1]) <= SAME).all(axis=1).reshape(-1, 2)
    p = np.where(nothing[:, ::-1], np.maximum(p, np.array(whole)[:, None]), p)
    right_and_open = np.stack([of_pairs, p.ravel()], axis=1).reshape(-1, 4)
    rows = [
        (outcomes.runs[best], outcomes.runs[other], score[best] - score[other], *parts)
        for (best, other), parts in zip(pairs, right_and_open.tolist(), strict=True)
    ]
    return pl.DataFrame(rows, PARTS, orient="row")


def of_pair(outcomes: Outcomes, x: int, y: int, without_each: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Both parts of the difference of runs x and y, (1,) each; without_each question in turn, (questions,) each."""
    right, left_open, _ = tasks.get(outcomes.measure.task).outcomes.values()
    n = np.broadcast_to(outcomes.matrices["n"], (len(outcomes.runs), outcomes.n))

    def share(names: tuple[str, ...], run: int) -> np.ndarray:
        matrices = [outcomes.matrices[name] for name in names if name in outcomes.matrices]
        number = sum(np.broadcast_to(matrix, n.shape)[run].astype(np.float64) for matrix in matrices)
        left = (number, n[run].astype(np.float64)) if without_each else (0, 0)
        return np.atleast_1d((number.sum() - left[0]) / (n[run].sum(dtype=np.float64) - left[1]))

    (a_x, a_y), (u_x, u_y) = ([share(names, run) for run in (x, y)] for names in (right, left_open))
    return (a_x - a_y) * (1 + (u_x + u_y) / 2), (a_x + a_y) / 2 * (u_x - u_y)
