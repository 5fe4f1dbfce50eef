"""Which pairs of runs exceed in each flip of signs what was observed, without looking at all pairs.

Pairs stand in ascending order of their observed statistic. A pair counts in a flip if the statistic
of a pair that begins no later reaches it. The first pairs are evaluated in all flips. Of the others
only those whose statistic is larger than all of these can make more pairs count: those of the
highest and the lowest sums.
"""

from itertools import combinations_with_replacement, product

import numpy as np

from nonresponse.statistics.outcomes import TOLERANCE
from nonresponse.statistics.pairs import Pairs, pair_index

FLIPS = 100  # at once, where pairs are skipped: their sums stay in the processor's cache
CLASSES = 3  # of runs that vary alike: the more there are, the fewer pairs are looked at
PAIR_LIMIT = 8  # if one pair in so many matters in a flip, looking at all pairs is faster
RUN_LIMIT = 16  # if more than one run in so many changed, all flips are looked at anew

# Statistics of pairs in flips, (statistics,) each: the flip, the pair as x * runs + y, the value
Statistics = tuple[np.ndarray, np.ndarray, np.ndarray]


class Decisive:
    """The pairs that decided each flip in an earlier run of the analysis, while these still decide.

    They still do in a flip if none of their runs changed and the observed statistics of all pairs
    of unchanged runs are the same. Beside them, only pairs of changed runs can decide.
    """

    def __init__(self, pairs: Pairs) -> None:
        self.cache, self.runs = pairs.cache, len(pairs.score)
        place = self.cache.find_rows("decisive", *pairs.influence.content)
        self.number = self.cache.count_earlier("decisive")
        self.changed, unchanged = np.flatnonzero(place < 0), np.flatnonzero(place >= 0)
        self.rows = np.full(self.number, -1)  # today's row of each earlier run
        self.rows[place[unchanged]] = unchanged
        earlier_pairs = self.number * (self.number - 1) // 2
        statistic = self.cache.recall("decisive statistic", earlier_pairs, (), float)
        self.cache.keep("decisive statistic", pairs.statistic)
        self.holds = statistic is not None and len(self.changed) * RUN_LIMIT <= self.runs
        if statistic is not None and self.holds:
            x, y = pairs.rows
            a, b = np.sort([place[x], place[y]], axis=0)
            common = (a >= 0) & (a < b)
            earlier = statistic[pair_index(a[common], b[common], self.number)]
            self.holds = np.array_equal(earlier, pairs.statistic[common], equal_nan=True)

    def choose_base(self, reached: np.ndarray) -> int:
        """Return how many of the first pairs are evaluated in all flips: two for each run, and at
        least those of the earlier evaluation."""
        number = min(len(reached), 2 * self.runs)
        base = self.cache.recall("decisive base", 1, (), float) if self.holds else None
        if base is not None:
            earlier = int(np.searchsorted(reached, base[0], "right"))
            self.holds = earlier <= 2 * number
            number = max(number, earlier) if self.holds else number
        return number

    def recall(self, start: int, flips: int) -> tuple[Statistics, np.ndarray]:
        """Return the statistics that decide flips from `start` on, and the undecided flips."""
        earlier = self.cache.before.get(f"decisive {start} {flips}") if self.holds else None
        if earlier is None:
            empty = np.empty(0, np.int64)
            return (empty, empty, np.empty(0)), np.arange(flips)
        flip, pair, value = earlier
        flip, pair = flip.astype(np.int64), pair.astype(np.int64)
        x, y = self.rows[pair // self.number], self.rows[pair % self.number]
        undecided = np.zeros(flips, bool)
        undecided[flip[(x < 0) | (y < 0)]] = True
        decided = ~undecided[flip]
        statistics = flip[decided], (x * self.runs + y)[decided], value[decided]
        return statistics, np.flatnonzero(undecided)

    def keep(self, start: int, flips: int, statistics: Statistics) -> None:
        """Keep the statistics that decided so many flips from `start` on."""
        self.cache.keep(f"decisive {start} {flips}", np.stack(statistics))


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
        self.decisive, self.flips = Decisive(pairs), 0  # counted so far
        number = self.decisive.choose_base(reached)
        while last_equal[number - 1] >= number:
            number = int(last_equal[number - 1]) + 1
        pairs.cache.keep("decisive base", reached[number - 1 : number])
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
        """Count the next flips for each pair, or None if too many matter; sums (runs, flips)."""
        x, y, scale = self.base
        number, pairs, flips = len(x), len(self.reached), np.arange(sums.shape[1])
        first_flip, self.flips = self.flips, self.flips + len(flips)
        if number > self.limit:
            return None
        values = np.abs(sums[x] - sums[y])
        values *= scale
        top = values.argmax(axis=0)
        largest = np.maximum.accumulate(values, axis=0, out=values)
        counts = np.zeros(pairs, np.int64)
        counts[:number] = (largest[self.last_equal[:number]] >= self.reached[:number, None]).sum(
            axis=1
        )
        highest = largest[-1]
        recalled, undecided = self.decisive.recall(first_flip, len(flips))
        statistics = [(flips, x[top] * self.runs + y[top], highest), self.filter_least(recalled)]
        changed_runs = self.decisive.changed if self.decisive.holds else ()
        statistics += [self.compare_run(sums, highest, run) for run in changed_runs]
        statistics.append(self.evaluate_close(sums, highest, undecided))
        for start in range(0, len(undecided), FLIPS):
            extremes = self.find_extremes(sums, highest, undecided[start : start + FLIPS])
            if extremes is None:
                return None
            statistics.append(extremes)
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
        counts += np.cumsum(np.subtract(*ends))[:-1]
        if self.decisive.cache.memo is None:
            return counts
        # Whatever runs may be added: as large as all that begin no later, up to rounding.
        rising = value[order] + flip[order] * (value.max(initial=0) + 1)
        higher = np.append(True, rising[1:] > np.maximum.accumulate(rising)[:-1] - TOLERANCE)
        decided = order[higher | (order < len(flips))]
        self.decisive.keep(first_flip, len(flips), (flip[decided], pair[decided], value[decided]))
        return counts

    def filter_least(self, statistics: Statistics) -> Statistics:
        """Return those statistics that make a pair count beyond the first ones."""
        flip, pair, value = statistics
        counts = value >= self.least.ravel()[pair]
        return flip[counts], pair[counts], value[counts]

    def compare_run(self, sums: np.ndarray, highest: np.ndarray, run: np.integer) -> Statistics:
        """Return what `find_extremes` does of all pairs of a run."""
        value = np.abs(sums - sums[run])
        value *= self.scales[run, :, None]
        opponent, flip = np.nonzero(value > highest)
        return self.filter_least((flip, run * self.runs + opponent, value[opponent, flip]))

    def evaluate_close(
        self, sums: np.ndarray, highest: np.ndarray, flips: np.ndarray
    ) -> Statistics:
        """Return what `find_extremes` does of the pairs with an unusually large scale."""
        x, y = self.close
        pair = x * self.runs + y
        value = np.abs(sums[np.ix_(x, flips)] - sums[np.ix_(y, flips)])
        value *= self.scales.ravel()[pair, None]
        index, flip = np.nonzero(value > highest[flips])
        return self.filter_least((flips[flip], pair[index], value[index, flip]))

    def find_extremes(
        self, sums: np.ndarray, highest: np.ndarray, flips: np.ndarray
    ) -> Statistics | None:
        """Return the statistics that are larger than the highest of the first pairs (all flips,).

        None if there are too many.
        """
        statistics, looked_at = [], 0
        classes = []  # members and their sums, (flips, members), in ascending order of the sums
        for members in self.classes:
            values = np.ascontiguousarray(sums[np.ix_(members, flips)].T)
            order = np.argsort(values, axis=1)
            classes.append((members[order], np.take_along_axis(values, order, 1)))
        for (a, (low_runs, lows)), (b, (high_runs, highs)) in product(enumerate(classes), repeat=2):
            distance = highest[flips, None] / self.usual[a, b] * (1 - TOLERANCE)
            flip, low = np.nonzero(lows <= highs[:, -1:] - distance)
            reached = lows + distance * (1 - TOLERANCE)
            number = np.bincount(flip, minlength=len(flips))
            upper = [
                highs[row].searchsorted(reached[row, :stop]) for row, stop in enumerate(number)
            ]
            upper = np.concatenate(upper) + flip * highs.shape[1]
            number = (flip + 1) * highs.shape[1] - upper
            looked_at += number.sum()
            if looked_at > self.limit * len(flips):
                return None
            high = np.arange(number.sum()) + np.repeat(upper - (np.cumsum(number) - number), number)
            low = np.repeat(low + flip * lows.shape[1], number)
            pair = low_runs.ravel()[low] * self.runs + high_runs.ravel()[high]
            value = (highs.ravel()[high] - lows.ravel()[low]) * self.scales.ravel()[pair]
            statistics.append(self.filter_least((flips[low // lows.shape[1]], pair, value)))
        flip, pair, value = map(np.concatenate, zip(*statistics, strict=True))
        return flip, pair, value
