"""Which runs differ, by flipping signs of the differences between their influence values.

If two runs are equally good, a question is as likely to favour one as the other, by the same
difference. A counter takes signed sums (runs, flips), and how often each flip was drawn (flips,),
None = once. It gives counts, int64.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from nonresponse.statistics.extremes import Extremes
from nonresponse.statistics.outcomes import TOLERANCE
from nonresponse.statistics.pairs import Pairs, pair_index

RARE = 1e-4  # flips with a smaller probability than this need not be counted
HELD = 2**17  # statistics of pairs at once: they stay in the processor's cache
# pairs; with no more, all flips of a block at once are faster than skipping pairs that cannot count
TOGETHER = 10_000

FlipCounter = Callable[[np.ndarray, np.ndarray | None], np.ndarray]


def count_flips(
    runs: Pairs,
    counters: Sequence[Callable[[Pairs], FlipCounter]],
    seed: int,
    campaign: str,
    flips: int,
) -> list[np.ndarray]:
    """Return what each counter counts in so many flips of the runs' influence values."""
    counting = [counter(runs) for counter in counters]
    counts = [count(np.empty((len(runs.score), 0)), None) for count in counting]
    if len(runs.score) < 2 or not flips:
        return counts
    blocks = runs.influence.signed_sums(seed, campaign, flips, runs.cache)
    # Flips of few questions are the same again and again
    few = runs.questions < np.log2(flips)
    for sums, times in [merge_flips(blocks)] if few else ((block, None) for block in blocks):
        for total, count in zip(counts, counting, strict=True):
            total += count(sums, times)
    return counts


def merge_flips(blocks: Iterable[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Return the distinct flips of all blocks, (runs, flips), and how often each was drawn."""
    times = Counter(flip.tobytes() for block in blocks for flip in block.T)
    return np.stack([np.frombuffer(flip) for flip in times], axis=1), np.array([*times.values()])


def count_exceeding(compared: Pairs) -> FlipCounter:
    """Count for each pair (pairs,) the flips that the step-down maximum counts (Romano & Wolf
    2005). In these, the largest statistic, among the pairs whose observed statistic is no larger
    than its own, is at least as large as its own."""
    x, y = compared.rows
    order = np.argsort(compared.statistic, kind="stable")[: np.isfinite(compared.statistic).sum()]
    seen = compared.statistic[order]
    first, second, reached = x[order], y[order], seen * (1 - TOLERANCE)
    last_equal = np.searchsorted(seen, seen * (1 + TOLERANCE), "right") - 1
    scale = 1 / np.sqrt(compared.squares[order])
    extremes = (
        Extremes(compared, first, second, scale, reached, last_equal)
        if len(order) > TOGETHER
        else None
    )
    at_once = max(HELD // max(len(order), 1), 1)

    def count_all(of_flips: np.ndarray, times: np.ndarray) -> np.ndarray:
        """Count the flips for each pair, looking at all pairs."""
        counts = np.zeros(len(order), np.int64)
        for at in range(0, of_flips.shape[1] if len(order) else 0, at_once):
            some = of_flips[:, at : at + at_once]
            largest = np.abs(some[first] - some[second])
            largest *= scale[:, None]
            np.maximum.accumulate(largest, axis=0, out=largest)
            counts += (largest[last_equal] >= reached[:, None]) @ times[at : at + at_once]
        return counts

    def count(of_flips: np.ndarray, times: np.ndarray | None) -> np.ndarray:
        of_pairs = np.zeros(len(compared.statistic), np.int64)
        counts = extremes.count(of_flips) if extremes and times is None else None
        if counts is None:
            once = np.ones(of_flips.shape[1], np.int64)
            counts = count_all(of_flips, once if times is None else times)
        of_pairs[order] = counts
        return of_pairs

    return count


def step_down(compared: Pairs, counts: np.ndarray, flips: int) -> np.ndarray:
    """p_maxt of every pair, from the counts of all flips; it controls the family-wise error of all
    pairs together.

    Where the differences are constant there is nothing to flip: 1 for equal scores, else the
    smallest p that there is.
    """
    seen, least = (
        compared.statistic,
        np.exp2(1.0 - compared.units),
    )  # so few questions have no rarer flip
    p = np.maximum((1 + counts) / (1 + flips), least)
    order = np.argsort(-seen, kind="stable")[: np.isfinite(seen).sum()]
    p[order] = np.maximum.accumulate(p[order])
    constant = np.where(
        np.abs(compared.difference) <= TOLERANCE, 1.0, np.maximum(1 / (1 + flips), least)
    )
    return np.where(np.isnan(seen), constant, p)


def count_behind(compared: Pairs, sign: int = 1) -> FlipCounter:
    """Count for each run (runs,) the flips in which some run leads it by as much as its observed
    farthest leader.

    One-sided; sign is -1 for a measure of which less is better. For the best run, these are all
    flips; 0 is returned if the probability is below RARE: by Hoeffding's inequality a flip of one
    pair reaches u with a probability of exp(-u² / 2) at most.
    """
    runs, (x, y) = len(compared.score), compared.rows
    with np.errstate(divide="ignore"):
        scale = np.where(compared.squares > 0, 1 / np.sqrt(compared.squares), 0)
    lead = np.nan_to_num(compared.statistic) * np.sign(compared.score[y] - compared.score[x]) * sign
    farthest, largest_scale = np.zeros((2, runs))  # 0: a run that nobody leads
    for of_runs, of_x, of_y in ((farthest, lead, -lead), (largest_scale, scale, scale)):
        np.maximum.at(of_runs, x, of_x)
        np.maximum.at(of_runs, y, of_y)
    reached = farthest * (1 - TOLERANCE)
    tested = np.flatnonzero((runs - 1) * np.exp(-(reached**2) / 2) > RARE)
    beside = {}  # the scales of a run's pairs with all runs, 0 with itself
    for run in tested:
        other = np.delete(np.arange(runs), run)
        low, high = np.minimum(other, run), np.maximum(other, run)
        beside[run] = np.insert(scale[pair_index(low, high, runs)], run, 0)

    def count(of_flips: np.ndarray, times: np.ndarray | None) -> np.ndarray:
        counts, sums = np.zeros(runs, np.int64), sign * of_flips
        # No lead over a run exceeds the difference between the highest sum and its own, times its
        # largest scale.
        widest = (sums.max(axis=0, initial=-np.inf) - sums) * largest_scale[:, None]
        for run in tested:
            near = np.flatnonzero(widest[run] >= reached[run])
            leads = sums[:, near]
            leads -= leads[run].copy()
            leads *= beside[run][:, None]
            leading = leads.max(axis=0, initial=0) >= reached[run]
            counts[run] = leading.sum() if times is None else times[near][leading].sum()
        return counts

    return count
