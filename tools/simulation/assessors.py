"""Three assessors judge the pooled pairs; the adjudicated set is derived from them.

An assessor decides three things: once per answer of a question whether it holds a correct answer, and
whether it is exact; once per document whether it supports the answer. Each is yes with the chance

    logistic(mean_class + spread_class * z),

where z is normal and belongs to the answer or document. It is what the assessors see alike: the
closer the sum is to 0, the more they differ. The label is W where the answer is not right, else U
where the document does not support it, else X where it is not exact, else R. Then in a few pairs
one assessor makes a slip.

Adjudicated is the middle one of the three labels in the order W, U, X, R: the majority's, wherever
two agree.
"""

from typing import NamedTuple

import numpy as np

from simulation.model import stream

W, U, X, R = range(4)  # in the order of adjudication
NUMERIC = np.array([-1, 2, 3, 1])  # as TREC writes them
SLIPS = 0.014

# mean and spread of the chance of "yes", on the logit scale
RIGHT_ANSWER = {"plain": (7, 2), "variant": (5, 2), "inexact": (3, 2), "wrong": (-8, 2.5)}
EXACT_ANSWER = {"plain": (5, 2.5), "variant": (0.7, 1.5), "inexact": (-1.4, 1.7), "wrong": (-1, 2)}
SUPPORTING_DOCUMENT = {"first": (5, 2), "supporting": (2.5, 1.8), "not": (-2, 2), "other": (1, 2)}


class Pool(NamedTuple):
    """The pairs to be judged; classes are positions in the tables above."""

    answer: np.ndarray  # which answer of which question, as one number
    answer_class: np.ndarray
    document: np.ndarray  # which document of which question, as one number
    document_class: np.ndarray
    unsupported: np.ndarray  # no document answers the question


def decisions(
    seed: int, purpose: str, unit: np.ndarray, kind: np.ndarray, chances: dict
) -> np.ndarray:
    """Draw yes or no of three assessors on each pair, the same for the same answer or document."""
    units, first_index, unit_index = np.unique(unit, return_index=True, return_inverse=True)
    mean, spread = np.array(list(chances.values())).T
    rng = stream(seed, "judge", purpose)
    logit = mean[kind[first_index]] + spread[kind[first_index]] * rng.standard_normal(len(units))
    agreed = rng.random((3, len(units))) < 1 / (1 + np.exp(-logit))
    return agreed[:, unit_index]


def judge(pool: Pool, seed: int) -> dict[str, np.ndarray]:
    """TREC's numeric labels of every pair, per assessor."""
    right = decisions(seed, "right", pool.answer, pool.answer_class, RIGHT_ANSWER)
    exact = decisions(seed, "exact", pool.answer, pool.answer_class, EXACT_ANSWER)
    supported = decisions(
        seed, "supporting", pool.document, pool.document_class, SUPPORTING_DOCUMENT
    )
    supported &= ~pool.unsupported
    labels = np.where(~right, W, np.where(~supported, U, np.where(~exact, X, R)))
    n = len(pool.answer)
    rng = stream(seed, "slips")
    pairs = np.flatnonzero(rng.random(n) < SLIPS)
    assessor, label = (rng.random((2, n)) * [[3], [4]]).astype(int)
    labels[assessor[pairs], pairs] = label[pairs]
    middle = np.sort(labels, axis=0)[1]
    return {f"assessor{j + 1}": NUMERIC[labels[j]] for j in range(3)} | {
        "adjudicated": NUMERIC[middle]
    }
