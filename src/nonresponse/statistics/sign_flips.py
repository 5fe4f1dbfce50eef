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
from nonresponse.statistics.pairs import Pairs

RARE = 1e-4  # flips with a smaller probability than this need not be counted
BATCH = 2**17  # statistics of pairs at once: they stay in the processor's cache
# With no more pairs, all flips of a block at once are faster than skipping pairs that cannot count
MAX_PAIRS = 10_000

FlipCounter = Callable[[np.ndarray, np.ndarray | None], np.ndarray]


def count_flips(
    pairs: Pairs,
    counters: Sequence[Callable[[Pairs], FlipCounter]],
    seed: int,
    campaign: str,
    flips: int,
) -> list[np.ndarray]:
    """Return what each counter counts in so many flips of the runs' influence values."""
    pairs = pairs.null
    counting = [counter(pairs) for counter in counters]
    counts = [count(np.empty((len(pairs.score), 0)), None) for count in counting]
    if len(pairs.score) < 2 or not flips:
        return counts
    blocks = pairs.influence.signed_sums(seed, campaign, flips, pairs.cache)
    repeats = pairs.questions < np.log2(flips)  # flips of few questions occur again and again
    for sums, times in [merge_flips(blocks)] if repeats else ((block, None) for block in blocks):
        for total, count in zip(counts, counting, strict=True):
            total += count(sums, times)
    return counts


def merge_flips(blocks: Iterable[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Return the distinct flips of all blocks, (runs, flips), and how often each was drawn."""
    times = Counter(flip.tobytes() for block in blocks for flip in block.T)
    return np.stack([np.frombuffer(flip) for flip in times], axis=1), np.array([*times.values()])


def count_exceeding(pairs: Pairs) -> FlipCounter:
    """Count for each pair (pairs,) the flips that the step-down maximum counts (Romano & Wolf
    2005).

    In these, the largest statistic, among the pairs whose observed statistic is no larger than its
    own, is at least as large as its own.
    """
    x, y = pairs.rows
    order = np.argsort(pairs.statistic, kind="stable")[: np.isfinite(pairs.statistic).sum()]
    observed = pairs.statistic[order]
    x, y, reached = x[order], y[order], observed * (1 - TOLERANCE)
    last_equal = np.searchsorted(observed, observed * (1 + TOLERANCE), "right") - 1
    scale = 1 / np.sqrt(pairs.squares[order])
    extremes = None
    if len(order) > MAX_PAIRS:
        extremes = Extremes(pairs, x, y, scale, reached, last_equal)
    step = max(BATCH // max(len(order), 1), 1)

    def count_all(sums: np.ndarray, times: np.ndarray) -> np.ndarray:
        """Count the flips for each pair, looking at all pairs."""
        counts = np.zeros(len(order), np.int64)
        for start in range(0, sums.shape[1] if len(order) else 0, step):
            batch = sums[:, start : start + step]
            largest = np.abs(batch[x] - batch[y])
            largest *= scale[:, None]
            np.maximum.accumulate(largest, axis=0, out=largest)
            counts += (largest[last_equal] >= reached[:, None]) @ times[start : start + step]
        return counts

    def count(sums: np.ndarray, times: np.ndarray | None) -> np.ndarray:
        counts = extremes.count(sums) if extremes and times is None else None
        if counts is None:
            counts = count_all(sums, np.ones(sums.shape[1], np.int64) if times is None else times)
        exceeding = np.zeros(len(pairs.statistic), np.int64)
        exceeding[order] = counts
        return exceeding

    return count


def step_down(pairs: Pairs, counts: np.ndarray, flips: int) -> np.ndarray:
    """Return p_maxt of every pair, from the counts of all flips. It controls the family-wise error.

    Where the differences are constant there is nothing to flip: 1 for equal scores, else the
    smallest p that there is.
    """
    pairs = pairs.null
    smallest = np.exp2(1.0 - pairs.units)  # so few questions have no rarer flip
    p = np.maximum((1 + counts) / (1 + flips), smallest)
    order = np.argsort(-pairs.statistic, kind="stable")[: np.isfinite(pairs.statistic).sum()]
    p[order] = np.maximum.accumulate(p[order])
    smallest = np.maximum(1 / (1 + flips), smallest)
    constant = np.where(np.abs(pairs.difference) <= TOLERANCE, 1.0, smallest)
    return np.where(np.isnan(pairs.statistic), constant, p)


def count_behind(pairs: Pairs, sign: int = 1) -> FlipCounter:
    """Count for each run (runs,) the flips in which some run leads it by as much as its observed
    farthest leader.

    One-sided; sign is -1 for a measure of which less is better. For the best run, these are all
    flips. It returns 0 if the probability is below RARE. By Hoeffding's inequality, a flip of one
    pair reaches u with a probability of exp(-u² / 2) at most.
    """
    runs, (x, y) = len(pairs.score), pairs.rows
    scale = np.zeros((runs, runs))
    with np.errstate(divide="ignore"):
        scale[x, y] = np.where(pairs.squares > 0, 1 / np.sqrt(pairs.squares), 0)
    scale += scale.T
    largest_scale = scale.max(axis=1, initial=0)
    lead = np.nan_to_num(pairs.statistic) * np.sign(pairs.score[y] - pairs.score[x]) * sign
    farthest = np.zeros(runs)  # 0: a run that nobody leads
    np.maximum.at(farthest, x, lead)
    np.maximum.at(farthest, y, -lead)
    reached = farthest * (1 - TOLERANCE)
    tested = (runs - 1) * np.exp(-(reached**2) / 2) > RARE

    def count(sums: np.ndarray, times: np.ndarray | None) -> np.ndarray:
        sums = sign * sums
        reached_by_flip = np.zeros(sums.shape, bool)
        run, flip = np.nonzero(np.broadcast_to(tested[:, None], sums.shape))
        # From the highest sum down, until no lead can reach what it has to.
        for leader in np.argsort(-sums, axis=0):
            lead = sums[leader[flip], flip] - sums[run, flip]
            reachable = lead * largest_scale[run] >= reached[run]
            run, flip, lead = run[reachable], flip[reachable], lead[reachable]
            reaches = lead * scale[run, leader[flip]] >= reached[run]
            reached_by_flip[run[reaches], flip[reaches]] = True
            run, flip = run[~reaches], flip[~reaches]
            if not len(run):
                break
        return reached_by_flip @ (np.ones(sums.shape[1], np.int64) if times is None else times)

    return count
