"""Intervals of scores: from samples of the questions, or from how often a run was right, wrong or abstained.

The second kind holds near the ends of the range. The percentile interval of a run that was right 50 times out of 50 is
[1, 1], though nobody knows how often it would be wrong. The three shares get a Dirichlet distribution from Jeffreys'
prior and the counts; the score is computed of each draw.
"""

from statistics import NormalDist

import numpy as np

from nonresponse.measures import Measure
from nonresponse.reliability.outcomes import Outcomes, values
from nonresponse.reliability.subsets import blocks_of, bootstrap_samples, stream

CELLS = ("n_ac", "n_aw", "n_u")  # which add up to n
PRIOR = 0.5


def sampled_scores(outcomes: Outcomes, seed: int, campaign: str, samples: range) -> np.ndarray:
    """Scores (runs, samples) on samples of the questions with replacement; NaN where undefined.

    Ranges of samples that begin at a multiple of PER_STREAM follow one another.
    """
    parts = [np.empty((0, len(outcomes.runs)))]
    for block, number in blocks_of(samples):
        parts.append(values(outcomes, bootstrap_samples(seed, campaign, outcomes.n, block, number)))
    return np.ascontiguousarray(np.concatenate(parts).T)


def quantiles(ordered: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """The quantiles of rows in ascending order, NaN last: interpolated between neighbours, NaN for empty rows.

    ordered is (rows, samples); shares is (rows, k) or (k,), in [0, 1]; the result is (rows, k).
    """
    number = ordered.shape[1] - np.isnan(ordered).sum(axis=1, keepdims=True)
    index = np.atleast_2d(shares) * np.maximum(number - 1, 0)
    below = np.floor(np.nan_to_num(index)).astype(np.int64)
    above = np.minimum(below + 1, np.maximum(number - 1, 0))
    low, high = np.take_along_axis(ordered, below, 1), np.take_along_axis(ordered, above, 1)
    return low + (index - below) * (high - low)


def percentile(samples: np.ndarray, level: float) -> np.ndarray:
    """Lower and upper end (rows, 2) of the percentile interval at confidence 1 - level."""
    return quantiles(np.sort(samples, axis=1), np.array([level / 2, 1 - level / 2]))


def bca(samples: np.ndarray, score: np.ndarray, psi: np.ndarray, level: float) -> np.ndarray:
    """The bias-corrected and accelerated interval (Efron 1987), (runs, 2); psi (runs, questions); NaN = undefined.

    Undefined when all samples lie on one side of the score, when no question makes a difference to it, or when it is
    undefined without some question.
    """
    normal = NormalDist()
    ordered = np.sort(samples, axis=1)
    number = (~np.isnan(ordered)).sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        share = ((ordered < score[:, None]).sum(axis=1) + (ordered <= score[:, None]).sum(axis=1)) / (2 * number)
    acceleration = accelerations(psi)
    shares = np.full((len(score), 2), np.nan)
    for run in np.flatnonzero((share > 0) & (share < 1) & np.isfinite(acceleration)):
        bias = normal.inv_cdf(share[run])
        for end, tail in enumerate((level / 2, 1 - level / 2)):
            moved = bias + normal.inv_cdf(tail)
            shares[run, end] = normal.cdf(bias + moved / (1 - acceleration[run] * moved))
    return quantiles(ordered, shares)


def accelerations(psi: np.ndarray) -> np.ndarray:
    """A sixth of the skewness of what single questions do to each score (runs,), by the jackknife; NaN = undefined."""
    influence = psi - psi.mean(axis=1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        return (influence**3).sum(axis=1) / (6 * (influence**2).sum(axis=1) ** 1.5)


def has_cells(measure: Measure) -> bool:
    """Whether the measure follows from n_ac, n_aw, n_u and n alone."""
    return measure.kind == "counts" and {*measure.totals} <= {"n", *CELLS}


def dirichlet(
    measure: Measure, counts: dict[str, np.ndarray], score: np.ndarray, samples: int, level: float, seed: int
) -> np.ndarray:
    """Lower and upper end (runs, 2) at confidence 1 - level, wide enough to hold the score; NaN where the score is.

    counts: n, and those of the cells that the measure takes, (runs,) each; the other cells may be taken together. Runs
    with equal counts have equal intervals, whatever they are called.
    """
    cells = [name for name in CELLS if name in counts]
    prior = np.full(len(cells) + 1, PRIOR)
    prior[-1] *= len(CELLS) - len(cells)
    seen = np.stack([counts[name] for name in cells], axis=1)
    seen = np.column_stack([seen, counts["n"] - seen.sum(axis=1)])
    of_runs = np.full((len(score), 2), np.nan)
    for run in np.flatnonzero(np.isfinite(score)):
        drawn = stream(seed, "dirichlet", *seen[run]).standard_gamma(seen[run] + prior, (samples, len(prior)))
        shares = dict(zip(cells, (drawn / drawn.sum(axis=1, keepdims=True)).T, strict=False)) | {"n": np.ones(samples)}
        values = np.broadcast_to(measure(**{name: shares[name] for name in measure.totals}), samples)
        ends = np.quantile(values, [level / 2, 1 - level / 2])
        of_runs[run] = min(ends[0], score[run]), max(ends[1], score[run])
    return of_runs
