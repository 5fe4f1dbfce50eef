"""Which runs differ, by flipping signs of the differences between their influence values.

If two runs are equally good, a question is as likely to favour one as the other, by the same
difference. A counter takes signed sums (runs, flips), of at most PER_STREAM flips, and gives
counts, int64.
"""

from collections.abc import Callable, Sequence
from itertools import combinations_with_replacement, product

import numpy as np

from nonresponse.statistics.influence import SAME
from nonresponse.statistics.pairs import Pairs, pair_index

RARE = 1e-4  # flips with a smaller probability than this need not be counted
FLIPS = 100  # at once, where pairs are skipped: what is left of them stays in the processor's cache
CLASSES = 3  # of runs that vary alike: the more there are, the fewer pairs are looked at
MANY = 8  # if one pair in so many matters in a flip, looking at all pairs is faster
HELD = 2**17  # statistics of pairs at once: they stay in the processor's cache
# pairs; with no more, all flips of a block at once are faster than skipping pairs that cannot count
TOGETHER = 10_000

Counter = Callable[[np.ndarray], np.ndarray]


def count_flips(
    runs: Pairs,
    counters: Sequence[Callable[[Pairs], Counter]],
    seed: int,
    campaign: str,
    flips: int,
) -> list[np.ndarray]:
    """Return what each counter counts in so many flips of the runs' influence values."""
    counting = [counter(runs) for counter in counters]
    counts = [count(np.empty((len(runs.score), 0))) for count in counting]
    for sums in (
        runs.influence.signed_sums(seed, campaign, flips, runs.cache)
        if len(runs.score) > 1 and flips
        else ()
    ):
        for total, count in zip(counts, counting, strict=True):
            total += count(sums)
    return counts


def exceeding(compared: Pairs) -> Counter:
    """Count for each pair (pairs,) the flips that the step-down maximum counts (Romano & Wolf
    2005). In these, the largest statistic, among the pairs whose observed statistic is no larger
    than its own, is at least as large as its own."""
    x, y = compared.rows
    order = np.argsort(compared.seen, kind="stable")[: np.isfinite(compared.seen).sum()]
    seen = compared.seen[order]
    first, second, reached = x[order], y[order], seen * (1 - SAME)
    last_equal = np.searchsorted(seen, seen * (1 + SAME), "right") - 1
    scale = 1 / np.sqrt(compared.squares[order])
    spread = compared.products.diagonal()
    extremes = (
        Extremes(spread, first, second, scale, reached, last_equal)
        if len(order) > TOGETHER
        else None
    )
    at_once = max(HELD // max(len(order), 1), 1)

    def count_all(of_flips: np.ndarray) -> np.ndarray:
        """Count the flips for each pair, looking at all pairs."""
        counts = np.zeros(len(order), np.int64)
        for at in range(0, of_flips.shape[1] if len(order) else 0, at_once):
            some = of_flips[:, at : at + at_once]
            largest = np.abs(some[first] - some[second])
            largest *= scale[:, None]
            np.maximum.accumulate(largest, axis=0, out=largest)
            counts += (largest[last_equal] >= reached[:, None]).sum(axis=1)
        return counts

    def count(of_flips: np.ndarray) -> np.ndarray:
        of_pairs = np.zeros(len(compared.seen), np.int64)
        counts = extremes.count(of_flips) if extremes else None
        of_pairs[order] = count_all(of_flips) if counts is None else counts
        return of_pairs

    return count


class Extremes:
    """Counts for `exceeding` without looking at all pairs in each flip; where most matter, as of
    few questions, none.

    Pairs stand in ascending order of their observed statistic. A pair counts in a flip if the
    statistic of a pair that begins no later reaches it. The first pairs are evaluated in all flips.
    Of the others only those whose statistic is larger than all of these can make more pairs count:
    those of the highest and the lowest sums.
    """

    def __init__(
        self,
        spread: np.ndarray,
        first: np.ndarray,
        second: np.ndarray,
        scale: np.ndarray,
        reached: np.ndarray,
        last_equal: np.ndarray,
    ) -> None:
        """`spread` (runs,) is how much each run varies: runs that vary alike are looked at
        together."""
        self.runs, self.reached, self.last_equal = len(spread), reached, last_equal
        number = min(len(scale), 2 * self.runs)
        while last_equal[number - 1] >= number:
            number = int(last_equal[number - 1]) + 1
        self.base = first[:number], second[:number], scale[:number, None]
        self.most = len(scale) // MANY  # pairs to look at in a flip
        # The first pair that each makes count
        start = np.searchsorted(last_equal, np.arange(len(scale)))
        # With less, it makes none count
        least = np.where(np.arange(len(scale)) < number, np.inf, reached[start])
        shape = (self.runs,) * 2
        self.scales, self.least, self.starts = (
            np.full(shape, none) for none in (0.0, np.inf, np.int32(0))
        )
        for matrix, own in ((self.scales, scale), (self.least, least), (self.starts, start)):
            matrix[first, second] = matrix[second, first] = own
        self.classes = np.array_split(np.argsort(spread, kind="stable"), CLASSES)
        place = np.empty(self.runs, np.int64)
        for number, members in enumerate(self.classes):
            place[members] = number
        # The few pairs with an unusually large scale, which vary least, are evaluated in all flips,
        # too.
        both, self.usual = place[first] * CLASSES + place[second], np.ones((CLASSES,) * 2)
        close = np.zeros(len(scale), bool)
        for a, b in combinations_with_replacement(range(CLASSES), 2):
            of_both = np.flatnonzero((both == a * CLASSES + b) | (both == b * CLASSES + a))
            if len(of_both):
                self.usual[a, b] = self.usual[b, a] = np.quantile(scale[of_both], 0.99)
                close[of_both] = scale[of_both] > self.usual[a, b]
        self.close = (
            first[close],
            second[close],
            scale[close, None],
            least[close, None],
            start[close],
        )

    def count(self, of_flips: np.ndarray) -> np.ndarray | None:
        """Count the flips for each pair (pairs,), none if too many matter; of_flips is (runs,
        flips)."""
        first, second, scale = self.base
        number, pairs = len(first), len(self.reached)
        if number > self.most:
            return None
        largest = np.abs(of_flips[first] - of_flips[second])
        largest *= scale
        np.maximum.accumulate(largest, axis=0, out=largest)
        counts = np.zeros(pairs, np.int64)
        counts[:number] = (largest[self.last_equal[:number]] >= self.reached[:number, None]).sum(
            axis=1
        )
        flips = np.arange(of_flips.shape[1])
        covers = [(flips, np.full(len(flips), number), largest[-1]), self.of_close(of_flips)]
        for at in flips[::FLIPS]:
            if (found := self.beyond(of_flips, largest[-1], flips[at : at + FLIPS])) is None:
                return None
            covers.append(found)
        flip, start, value = map(np.concatenate, zip(*covers, strict=True))
        stop = np.searchsorted(self.reached, value, "right")
        # In each flip, a pair adds what lies beyond all that begin no later.
        order = np.lexsort((start, flip))
        start, offset = start[order], flip[order] * (pairs + 1)
        stop = stop[order] + offset
        start = np.maximum(start + offset, np.append(0, np.maximum.accumulate(stop)[:-1]))
        more = stop > start
        ends = (np.bincount((place - offset)[more], minlength=pairs + 1) for place in (start, stop))
        counts += np.cumsum(np.subtract(*ends))[:-1]
        return counts

    def of_close(self, of_flips: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return what `beyond` does, of the pairs that are evaluated in all flips."""
        first, second, scale, least, start = self.close
        value = np.abs(of_flips[first] - of_flips[second])
        value *= scale
        pair, flip = np.nonzero(value >= least)
        return flip, start[pair], value[pair, flip]

    def beyond(
        self, of_flips: np.ndarray, least: np.ndarray, flips: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
        """Return the flip, the first pair that counts, and the statistic, where it is larger than
        `least` (flips,).

        None if there are too many such pairs.
        """
        found, looked_at = [], 0
        ordered = []
        for members in self.classes:
            sums = np.ascontiguousarray(of_flips[np.ix_(members, flips)].T)
            order = np.argsort(sums, axis=1)
            ordered.append((members[order], np.take_along_axis(sums, order, 1)))
        for (a, (low_runs, lows)), (b, (high_runs, highs)) in product(enumerate(ordered), repeat=2):
            apart = least[flips, None] / self.usual[a, b] * (1 - SAME)
            flip, low = np.nonzero(lows <= highs[:, -1:] - apart)
            reaching, number = lows + apart * (1 - SAME), np.bincount(flip, minlength=len(flips))
            upper = [
                highs[row].searchsorted(reaching[row, :some]) for row, some in enumerate(number)
            ]
            upper = np.concatenate(upper) + flip * highs.shape[1]
            number = (flip + 1) * highs.shape[1] - upper
            looked_at += number.sum()
            if looked_at > self.most * len(flips):
                return None
            high = np.arange(number.sum()) + np.repeat(upper - (np.cumsum(number) - number), number)
            low = np.repeat(low + flip * lows.shape[1], number)
            place = low_runs.ravel()[low] * self.runs + high_runs.ravel()[high]
            value = (highs.ravel()[high] - lows.ravel()[low]) * self.scales.ravel()[place]
            some = value >= self.least.ravel()[place]
            found.append(
                (flips[low[some] // lows.shape[1]], self.starts.ravel()[place[some]], value[some])
            )
        flip, start, value = map(np.concatenate, zip(*found, strict=True))
        return flip, start, value


def step_down(compared: Pairs, counts: np.ndarray, flips: int) -> np.ndarray:
    """p_maxt of every pair, from the counts of all flips; it controls the family-wise error of all
    pairs together.

    Where the differences are constant there is nothing to flip: 1 for equal scores, else the
    smallest p that there is.
    """
    seen, least = (
        compared.seen,
        np.exp2(1.0 - compared.units),
    )  # so few questions have no rarer flip
    p = np.maximum((1 + counts) / (1 + flips), least)
    order = np.argsort(-seen, kind="stable")[: np.isfinite(seen).sum()]
    p[order] = np.maximum.accumulate(p[order])
    constant = np.where(
        np.abs(compared.difference) <= SAME, 1.0, np.maximum(1 / (1 + flips), least)
    )
    return np.where(np.isnan(seen), constant, p)


def behind(compared: Pairs, sign: int = 1) -> Counter:
    """Count for each run (runs,) the flips in which some run leads it by as much as its observed
    farthest leader.

    One-sided; sign is -1 for a measure of which less is better. For the best run, these are all
    flips; 0 is returned if the probability is below RARE: by Hoeffding's inequality a flip of one
    pair reaches u with a probability of exp(-u² / 2) at most.
    """
    runs, (x, y) = len(compared.score), compared.rows
    with np.errstate(divide="ignore"):
        scale = np.where(compared.squares > 0, 1 / np.sqrt(compared.squares), 0)
    lead = np.nan_to_num(compared.seen) * np.sign(compared.score[y] - compared.score[x]) * sign
    farthest, largest_scale = np.zeros((2, runs))  # 0: a run that nobody leads
    for of_runs, of_x, of_y in ((farthest, lead, -lead), (largest_scale, scale, scale)):
        np.maximum.at(of_runs, x, of_x)
        np.maximum.at(of_runs, y, of_y)
    reached = farthest * (1 - SAME)
    tested = np.flatnonzero((runs - 1) * np.exp(-(reached**2) / 2) > RARE)
    beside = {}  # the scales of a run's pairs with all runs, 0 with itself
    for run in tested:
        other = np.delete(np.arange(runs), run)
        low, high = np.minimum(other, run), np.maximum(other, run)
        beside[run] = np.insert(scale[pair_index(low, high, runs)], run, 0)

    def count(of_flips: np.ndarray) -> np.ndarray:
        counts, sums = np.zeros(runs, np.int64), sign * of_flips
        # No lead over a run exceeds the difference between the highest sum and its own, times its
        # largest scale.
        widest = (sums.max(axis=0, initial=-np.inf) - sums) * largest_scale[:, None]
        for run in tested:
            near = np.flatnonzero(widest[run] >= reached[run])
            leads = sums[:, near]
            leads -= leads[run].copy()
            leads *= beside[run][:, None]
            counts[run] = (leads.max(axis=0, initial=0) >= reached[run]).sum()
        return counts

    return count
