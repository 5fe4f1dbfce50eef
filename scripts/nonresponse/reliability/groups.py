"""Which runs can be told apart: intervals, p-values and groups as tables."""

from string import ascii_lowercase

import numpy as np
import polars as pl

from nonresponse.reliability import bootstrap, randomisation
from nonresponse.reliability.outcomes import Outcomes, values


def compare(
    outcomes: Outcomes, assessor: str, score: np.ndarray, counted: dict, level: float
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """intervals (assessor, run) and comparisons (a, b), as docs/reliability.md describes their columns.

    `score` is NaN for runs that are not compared (bootstrap.comparable): only the score and the difference of these
    are given, if there are any. `counted` has samples (runs, samples), as_large and counted (pairs,), ranges (deals,).
    `level` is 1 minus the confidence of the intervals, and that of the groups.
    """
    full_score = values(outcomes, np.ones((1, outcomes.n), np.float32))[0]
    drawn = counted["samples"]
    percentile = bootstrap.percentile(drawn, level)
    accelerated = bootstrap.bca(outcomes, drawn, score, level)
    between = bootstrap.differences(drawn, level)
    p = randomisation.paired(score, counted["as_large"], counted["counted"])
    p_tukey = randomisation.simultaneous(score, counted["ranges"])
    x, y = np.triu_indices(len(score), 1)
    runs = np.array(outcomes.runs, dtype=object)
    # Numbers of questions are studied as shares, and given as numbers again.
    unit = outcomes.n if outcomes.measure.is_number else 1
    intervals = pl.DataFrame(
        {
            "assessor": [assessor] * len(score),
            "run": outcomes.runs,
            "value": full_score * unit,
            **ends("", percentile * unit, ~np.isnan(score)),
            **ends("bca_", accelerated * unit, ~np.isnan(score)),
            "groups": groups(score, p_tukey, level, outcomes.measure.higher_is_better),
        },
        schema_overrides={"assessor": pl.String, "run": pl.String, "groups": pl.String},
    )
    defined = ~np.isnan(score[x] - score[y])
    comparisons = pl.DataFrame(
        {
            "a": runs[x].tolist(),
            "b": runs[y].tolist(),
            "difference": (full_score[x] - full_score[y]) * unit,
            **ends("", between * unit, defined),
            "p": p,
            "p_holm": randomisation.holm(p),
            "p_tukey": p_tukey,
        },
        schema_overrides={"a": pl.String, "b": pl.String},
    )
    return without_nan(intervals), without_nan(comparisons)


def ends(prefix: str, interval: np.ndarray, defined: np.ndarray) -> dict:
    """The two ends of intervals as columns, undefined where the score itself is."""
    names = (f"{prefix}lower", f"{prefix}upper")
    return {name: np.where(defined, interval[:, end], np.nan) for end, name in enumerate(names)}


def without_nan(frame: pl.DataFrame) -> pl.DataFrame:
    """Null in place of NaN."""
    return frame.with_columns(pl.selectors.float().fill_nan(None))


def groups(score: np.ndarray, p: np.ndarray, level: float, higher_is_better: bool) -> list[str]:
    """Letters for each run: runs that share a letter cannot be told apart, a being the best group; "" if undefined.

    p is that of a test by the size of the difference alone (randomised Tukey HSD), so that a group is a stretch of
    the ranking: from each run down to the last that it cannot be told apart from.
    """
    runs = len(score)
    apart = np.zeros((runs, runs), bool)
    apart[np.triu_indices(runs, 1)] = p <= level
    apart |= apart.T
    best_first = np.argsort(-score if higher_is_better else score, kind="stable")[: np.isfinite(score).sum()]
    letters = [""] * runs
    reached = number = 0
    for start, run in enumerate(best_first):
        alike = np.flatnonzero(~apart[run, best_first[start:]])
        end = start + alike[-1] + 1
        if end > reached:
            for member in best_first[start:end]:
                letters[member] += letter(number)
            reached, number = end, number + 1
    return letters


def letter(number: int) -> str:
    """a, b, ..., z, then a', b', ... with a prime for each time round."""
    rounds, place = divmod(number, len(ascii_lowercase))
    return ascii_lowercase[place] + "'" * rounds


def discriminative_power(comparisons: pl.DataFrame, level: float) -> dict:
    """pairs that could be compared, and the shares of them told apart by each method; null without pairs."""
    known = comparisons.drop_nulls("p_tukey")
    outside = (pl.col("lower") > 0) | (pl.col("upper") < 0)
    tests = {"interval": outside, "p": pl.col("p") <= level, "holm": pl.col("p_holm") <= level}
    tests["tukey"] = pl.col("p_tukey") <= level
    return {"pairs": known.height} | known.select(test.mean().alias(name) for name, test in tests.items()).row(
        0, named=True
    )
