"""Which pairs of runs exceed in each flip of signs what was observed, without looking at all pairs.

Pairs stand in ascending order of their observed statistic. A pair counts in a flip if the statistic
of a pair that begins no later reaches it. The first pairs are evaluated in all flips. Of the others
only those whose statistic is larger than all of these can make more pairs count: those of the
highest and the lowest sums.
"""

from itertools import combinations_with_replacement, product

import numpy as np

from nonresponse.statistics.outcomes import TOLERANCE
from nonresponse.statistics.pairs import Pairs

CLASSES = 3  # of runs that vary alike: the more there are, the fewer pairs are looked at
PAIR_LIMIT = 8  # if one pair in so many matters in a flip, looking at all pairs is faster

# Statistics of pairs in flips, (statistics,) each: the flip, the pair as x * runs + y, the value
Statistics = tuple[np.ndarray, np.ndarray, np.ndarray]


class Extremes:
    """Counts for `count_exceeding` by the most extreme pairs.

    Where most pairs matter, as with few questions, it counts none.
    """

    def __init__(
        self,
        pairs: Pairs,
        x: np.ndarray,
        y: np.ndarray,
        scale: np.ndarray,
        reached: np.ndarray,
        last_equal: np.ndarray,
    ) -> None:
        """`x`, `y` and what follows are of the pairs in their order, (pairs,)."""
        self.runs, self.reached, self.last_equal = len(pairs.score), reached, last_equal
        number = min(len(reached), 2 * self.runs)
        while last_equal[number - 1] >= number:
            number = int(last_equal[number - 1]) + 1
        self.base = x[:number], y[:number], scale[:number, None]
        self.limit = len(scale) // PAIR_LIMIT  # pairs to look at in a flip
        # The first pair that each makes count
        start = np.searchsorted(last_equal, np.arange(len(scale)))
        # With less, it makes none count
        least = np.where(np.arange(len(scale)) < number, np.inf, reached[start])
        shape = (self.runs,) * 2
        self.scales, self.least = np.zeros(shape), np.full(shape, np.inf)
        self.starts = np.zeros(shape, np.int32)
        for matrix, values in ((self.scales, scale), (self.least, least), (self.starts, start)):
            matrix[x, y] = matrix[y, x] = values
        # Runs that vary alike are looked at together.
        spread = pairs.products.diagonal()
        self.classes = np.array_split(np.argsort(spread, kind="stable"), CLASSES)
        place = np.empty(self.runs, np.int64)
        for index, members in enumerate(self.classes):
            place[members] = index
        # The few pairs with an unusually large scale, which vary least, are evaluated in all flips,
        # too.
        self.usual, close = np.ones((CLASSES,) * 2), np.zeros(len(scale), bool)
        low, high = np.sort([place[x], place[y]], axis=0)
        for a, b in combinations_with_replacement(range(CLASSES), 2):
            group = np.flatnonzero((low == a) & (high == b))
            if len(group):
                self.usual[a, b] = self.usual[b, a] = np.quantile(scale[group], 0.99)
                close[group] = scale[group] > self.usual[a, b]
        self.close = x[close], y[close]

    def count(self, sums: np.ndarray) -> np.ndarray | None:
        """Count the flips for each pair, or None if too many matter; sums (runs, flips)."""
        x, y, scale = self.base
        number, pairs, flips = len(x), len(self.reached), np.arange(sums.shape[1])
        if number > self.limit:
            return None
        values = np.abs(sums[x] - sums[y])
        values *= scale
        top = values.argmax(axis=0)
        largest = np.maximum.accumulate(values, axis=0, out=values)
        reaches = largest[self.last_equal[:number]] >= self.reached[:number, None]
        highest = largest[-1]
        if (extremes := self.find_extremes(sums, highest)) is None:
            return None
        base = flips, x[top] * self.runs + y[top], highest
        statistics = base, self.evaluate_close(sums, highest), extremes
        flip, pair, value = map(np.concatenate, zip(*statistics, strict=True))
        start = np.maximum(self.starts.ravel()[pair], number)
        stop = np.searchsorted(self.reached, value, "right")
        # In each flip, a pair adds what lies beyond all that begin no later.
        offset = flip * (pairs + 1)
        order = np.argsort(start + offset)
        start, stop, offset = (start + offset)[order], (stop + offset)[order], offset[order]
        start = np.maximum(start, np.append(0, np.maximum.accumulate(stop)[:-1]))
        adds = stop > start
        ends = (np.bincount((place - offset)[adds], minlength=pairs + 1) for place in (start, stop))
        counts = np.cumsum(np.subtract(*ends))[:-1]
        counts[:number] += reaches.sum(axis=1)
        return counts

    def filter_least(self, statistics: Statistics) -> Statistics:
        """Return those statistics that make a pair count beyond the first ones."""
        flip, pair, value = statistics
        counts = value >= self.least.ravel()[pair]
        return flip[counts], pair[counts], value[counts]

    def evaluate_close(self, sums: np.ndarray, highest: np.ndarray) -> Statistics:
        """Return what `find_extremes` does of the pairs with an unusually large scale."""
        x, y = self.close
        pair = x * self.runs + y
        value = np.abs(sums[x] - sums[y])
        value *= self.scales.ravel()[pair, None]
        index, flip = np.nonzero(value > highest)
        return self.filter_least((flip, pair[index], value[index, flip]))

    def find_extremes(self, sums: np.ndarray, highest: np.ndarray) -> Statistics | None:
        """Return the statistics that are larger than the highest of the first pairs (flips,).

        None if there are too many.
        """
        statistics, looked_at = [], 0
        classes = []  # members and their sums, (flips, members), in ascending order of the sums
        for members in self.classes:
            values = np.ascontiguousarray(sums[members].T)
            order = np.argsort(values, axis=1)
            classes.append((members[order], np.take_along_axis(values, order, 1)))
        for (a, (low_runs, lows)), (b, (high_runs, highs)) in product(enumerate(classes), repeat=2):
            distance = highest[:, None] / self.usual[a, b] * (1 - TOLERANCE)
            flip, low = np.nonzero(lows <= highs[:, -1:] - distance)
            reached = lows + distance * (1 - TOLERANCE)
            number = np.bincount(flip, minlength=len(lows))
            upper = [
                highs[row].searchsorted(reached[row, :stop]) for row, stop in enumerate(number)
            ]
            upper = np.concatenate(upper) + flip * highs.shape[1]
            number = (flip + 1) * highs.shape[1] - upper
            looked_at += number.sum()
            if looked_at > self.limit * len(lows):
                return None
            high = np.arange(number.sum()) + np.repeat(upper - (np.cumsum(number) - number), number)
            low = np.repeat(low + flip * lows.shape[1], number)
            pair = low_runs.ravel()[low] * self.runs + high_runs.ravel()[high]
            value = (highs.ravel()[high] - lows.ravel()[low]) * self.scales.ravel()[pair]
            statistics.append(self.filter_least((low // lows.shape[1], pair, value)))
        flip, pair, value = map(np.concatenate, zip(*statistics, strict=True))
        return flip, pair, value
