"""Intervals of scores that rest on how often a run was right, wrong or abstained, near the ends of their range.

A percentile interval of a run that was right 50 times out of 50 is [1, 1]; what is not known is how often it would be
wrong. The three shares get a Dirichlet distribution, Jeffreys' prior and the counts; the score is taken of each draw.
"""

import numpy as np

from nonresponse.measures import Measure
from nonresponse.reliability.subsets import stream

CELLS = ("n_ac", "n_aw", "n_u")  # which add up to n
PRIOR = 0.5


def applies(measure: Measure) -> bool:
    """Whether the measure follows from n_ac, n_aw, n_u and n alone."""
    return measure.kind == "counts" and {*measure.totals} <= {"n", *CELLS}


def intervals(
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
