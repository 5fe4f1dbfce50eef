"""How far a judge ranks the runs as the official assessor does, and what other questions would make of that."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import polars as pl

from nonresponse.reliability import kendall
from nonresponse.reliability.bootstrap import percentile, sampled_scores
from nonresponse.reliability.judges import BOUNDS
from nonresponse.reliability.outcomes import Outcomes, only, values
from nonresponse.scoring.leaderboard import TIE

SAMPLES = 1000  # of the questions
CELLS = 2**22  # signs of pairs at once

RANKED = {
    "measure": pl.String,  # by which the runs are ranked
    "runs": pl.Int64,  # that both rank
    "unjudged": pl.Int64,  # runs of which the judge judged nothing, and which it therefore does not rank
    "tau": pl.Float64,  # Kendall's tau-b with the official ranking; null where one of the two ranks nothing
    "tau_lower": pl.Float64,  # the ends of its interval
    "tau_upper": pl.Float64,
    "tau_worst": pl.Float64,  # the lowest of three: failed judgments left out, all wrong, all right;
    "tau_best": pl.Float64,  # and the highest; null unless `bounds` is asked for
    "swaps": pl.Int64,  # pairs of runs that are in the other order
    "swaps_told_apart": pl.Int64,  # of these, how many differ under the official judgments; null = not compared
}

# From a judge and what its failed judgments count as (exclude, wrong, correct) to the outcomes of the runs under it and
# under the official assessor, of what both judged.
Seen = Callable[[str, str], tuple[Outcomes, Outcomes]]


def compare(seen: Seen, judge: str, settings: dict, apart: set[tuple[str, str]] | None) -> dict:
    """RANKED but `unjudged`, of one judge beside the official assessor.

    `settings` has failed_judgments, level and seed; `apart` are the pairs of runs that differ, None = not known.
    """
    failed = settings["failed_judgments"]
    usual = "exclude" if failed == BOUNDS else failed
    theirs, ours = common(*seen(judge, usual))
    x, y = score(theirs), score(ours)
    found = kendall.compare(x, y, y)
    row = dict.fromkeys(RANKED) | {"measure": ours.measure.id, "runs": found["runs"], "tau": found["tau"]}
    if found["tau"] is not None:
        samples = [sampled_scores(one, settings["seed"], "judges", range(SAMPLES)) for one in (theirs, ours)]
        row |= dict(
            zip(("tau_lower", "tau_upper"), around(found["tau"], taus(*samples), settings["level"]), strict=True)
        )
    if failed == BOUNDS:
        others = [common(*seen(judge, reading)) for reading in ("wrong", "correct")]
        known = [found["tau"], *[kendall.compare(score(a), score(b), score(b))["tau"] for a, b in others]]
        known = [tau for tau in known if tau is not None]
        row |= {"tau_worst": min(known, default=None), "tau_best": max(known, default=None)}
    swapped = np.argwhere(kendall.swapped(x, y))
    pairs = {frozenset((ours.runs[i], ours.runs[j])) for i, j in swapped}
    row |= {"swaps": len(pairs)}
    return row | ({} if apart is None else {"swaps_told_apart": len(pairs & {frozenset(pair) for pair in apart})})


def common(one: Outcomes, other: Outcomes) -> tuple[Outcomes, Outcomes]:
    """Both, for the runs that are in both."""
    runs = [run for run in one.runs if run in set(other.runs)]
    first, second = (only(each, [each.runs.index(run) for run in runs]) for each in (one, other))
    return first, second


def score(outcomes: Outcomes) -> np.ndarray:
    """The scores (runs,), NaN = undefined."""
    return values(outcomes, np.ones((1, outcomes.n), np.float32))[0]


def taus(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Kendall's tau-b of two tables of scores (runs, samples), sample by sample; NaN where one of them ranks nothing.

    A run without a score in a sample is in no pair of it.
    """
    first, second = np.triu_indices(len(x), 1)
    step = max(1, CELLS // max(len(first), 1))
    found = []
    for start in range(0, x.shape[1], step):
        a, b = (signs(part[:, start : start + step], first, second) for part in (x, y))
        a, b = np.where(np.isnan(b), np.nan, a), np.where(np.isnan(a), np.nan, b)
        untied = np.nansum(np.abs(a), axis=0) * np.nansum(np.abs(b), axis=0)
        with np.errstate(invalid="ignore"):
            found.append(np.where(untied > 0, np.nansum(a * b, axis=0) / np.sqrt(untied), np.nan))
    return np.concatenate(found)


def signs(scores: np.ndarray, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """1, 0 or -1 for each pair of runs (pairs, samples); NaN where one has no score."""
    difference = scores[first] - scores[second]
    return np.where(np.abs(difference) > TIE, np.sign(difference), 0 * difference)


def around(tau: float, sampled: np.ndarray, level: float) -> tuple[float | None, float | None]:
    """The interval of tau at confidence 1 - level: as far to either side as the farther percentile of the samples.

    In a sample chance swaps more pairs of runs than in the campaign, so that the percentiles alone lie too low, and
    may leave out tau itself.
    """
    low, high = percentile(sampled[None, :], level)[0]
    if np.isnan(low):
        return None, None
    reach = float(max(tau - low, high - tau))
    return max(tau - reach, -1.0), min(tau + reach, 1.0)
