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

FLIPS = 100  # at once, where pairs are skipped: what is left of them stays in the processor's cache
CLASSES = 3  # of runs that vary alike: the more there are, the fewer pairs are looked at
MANY = 8  # if one pair in so many matters in a flip, looking at all pairs is faster
FEW = 16  # if more than one run in so many changed, all flips are looked at anew

# Statistics of pairs in flips, (statistics,) each: the flip, the pair as x * runs + y, the value
Found = tuple[np.ndarray, np.ndarray, np.ndarray]


class Decisive:
    """The pairs that decided each flip in an earlier run of the analysis, while these still decide.

    They still do in a flip if none of their runs changed and the observed statistics of all pairs
    of unchanged runs are the same. Beside them, only pairs of changed runs can decide.
    """

    def __init__(self, compared: Pairs) -> None:
        self.cache, self.runs = compared.cache, len(compared.score)
        place = self.cache.find_rows("decisive", *compared.influence.content)
        self.number = self.cache.earlier("decisive")
        self.changed, same = np.flatnonzero(place < 0), np.flatnonzero(place >= 0)
        self.now = np.full(self.number, -1)
        self.now[place[same]] = same
        kept = self.cache.recall(
            "decisive statistic", self.number * (self.number - 1) // 2, (), float
        )
        self.cache.keep("decisive statistic", compared.statistic)
        self.holds = kept is not None and len(self.changed) * FEW <= self.runs
        if kept is not None and self.holds:
            x, y = compared.rows
            a, b = np.sort([place[x], place[y]], axis=0)
            both = (a >= 0) & (a < b)
            earlier = kept[pair_index(a[both], b[both], self.number)]
            self.holds = np.array_equal(earlier, compared.statistic[both], equal_nan=True)

    def base(self, reached: np.ndarray) -> int:
        """Return how many of the first pairs are evaluated in all flips: two for each run, and at
        least those of the earlier evaluation."""
        number = min(len(reached), 2 * self.runs)
        if self.holds and (last := self.cache.recall("decisive base", 1, (), float)) is not None:
            earlier = int(np.searchsorted(reached, last[0], "right"))
            self.holds = earlier <= 2 * number
            number = max(number, earlier) if self.holds else number
        return number

    def new(self) -> np.ndarray:
        """Return the runs that changed, none where nothing of the earlier run holds."""
        return self.changed if self.holds else self.changed[:0]

    def recall(self, at: int, flips: int) -> tuple[Found, np.ndarray]:
        """Return the statistics that decided the flips from `at` on where they still do, and the
        flips, from 0, that are to be looked at anew."""
        kept = self.cache.before.get(f"decisive {at} {flips}") if self.holds else None
        if kept is None:
            none = np.empty(0, np.int64)
            return (none, none, np.empty(0)), np.arange(flips)
        flip, pair, value = kept
        flip, pair = flip.astype(np.int64), pair.astype(np.int64)
        x, y = self.now[pair // self.number], self.now[pair % self.number]
        anew = np.zeros(flips, bool)
        anew[flip[(x < 0) | (y < 0)]] = True
        some = ~anew[flip]
        return (flip[some], (x * self.runs + y)[some], value[some]), np.flatnonzero(anew)

    def keep(self, at: int, flips: int, found: Found) -> None:
        """Keep the statistics that decided so many flips from `at` on."""
        self.cache.keep(f"decisive {at} {flips}", np.stack(found))


class Extremes:
    """Counts for `exceeding` by the most extreme pairs; where most pairs matter, as of few
    questions, it counts none."""

    def __init__(
        self,
        compared: Pairs,
        first: np.ndarray,
        second: np.ndarray,
        scale: np.ndarray,
        reached: np.ndarray,
        last_equal: np.ndarray,
    ) -> None:
        """`first`, `second` and what follows are of the pairs in their order, (pairs,)."""
        self.runs, self.reached, self.last_equal = len(compared.score), reached, last_equal
        self.decisive, self.flips = Decisive(compared), 0  # counted so far
        number = self.decisive.base(reached)
        while last_equal[number - 1] >= number:
            number = int(last_equal[number - 1]) + 1
        compared.cache.keep("decisive base", reached[number - 1 : number])
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
        # Runs that vary alike are looked at together.
        spread = compared.products.diagonal()
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
        self.close = first[close], second[close]

    def count(self, of_flips: np.ndarray) -> np.ndarray | None:
        """Count the next flips for each pair (pairs,), none if too many matter; of_flips is (runs,
        flips)."""
        first, second, scale = self.base
        number, pairs, flips = len(first), len(self.reached), np.arange(of_flips.shape[1])
        at, self.flips = self.flips, self.flips + len(flips)
        if number > self.most:
            return None
        values = np.abs(of_flips[first] - of_flips[second])
        values *= scale
        top = values.argmax(axis=0)
        largest = np.maximum.accumulate(values, axis=0, out=values)
        counts = np.zeros(pairs, np.int64)
        counts[:number] = (largest[self.last_equal[:number]] >= self.reached[:number, None]).sum(
            axis=1
        )
        highest = largest[-1]
        kept, anew = self.decisive.recall(at, len(flips))
        found = [(flips, first[top] * self.runs + second[top], highest), self.of_least(kept)]
        found += [self.of_run(of_flips, highest, run) for run in self.decisive.new()]
        found.append(self.of_pairs(of_flips, anew, *self.close))
        for some in range(0, len(anew), FLIPS):
            if (more := self.beyond(of_flips, highest, anew[some : some + FLIPS])) is None:
                return None
            found.append(more)
        flip, pair, value = map(np.concatenate, zip(*found, strict=True))
        start = np.maximum(self.starts.ravel()[pair], number)
        stop = np.searchsorted(self.reached, value, "right")
        # In each flip, a pair adds what lies beyond all that begin no later.
        order = np.lexsort((start, flip))
        start, offset = start[order], flip[order] * (pairs + 1)
        stop = stop[order] + offset
        start = np.maximum(start + offset, np.append(0, np.maximum.accumulate(stop)[:-1]))
        more = stop > start
        ends = (np.bincount((place - offset)[more], minlength=pairs + 1) for place in (start, stop))
        counts += np.cumsum(np.subtract(*ends))[:-1]
        # Whatever runs may be added: larger than all that begin no later.
        rank = np.unique(value, return_inverse=True)[1][order] + flip[order] * len(value)
        higher = np.append(True, rank[1:] > np.maximum.accumulate(rank)[:-1])
        decided = order[higher | (order < len(flips))]
        self.decisive.keep(at, len(flips), (flip[decided], pair[decided], value[decided]))
        return counts

    def of_least(self, found: Found) -> Found:
        """Return those statistics that make a pair count beyond the first ones."""
        some = found[2] >= self.least.ravel()[found[1]]
        return found[0][some], found[1][some], found[2][some]

    def of_run(self, of_flips: np.ndarray, highest: np.ndarray, run: int) -> Found:
        """Return what `beyond` does of all pairs of a run."""
        value = np.abs(of_flips - of_flips[run])
        value *= self.scales[run, :, None]
        other, flip = np.nonzero(value > highest)
        return self.of_least((flip, run * self.runs + other, value[other, flip]))

    def of_pairs(
        self, of_flips: np.ndarray, flips: np.ndarray, first: np.ndarray, second: np.ndarray
    ) -> Found:
        """Return what `beyond` does of these pairs."""
        pair = first * self.runs + second
        value = np.abs(of_flips[np.ix_(first, flips)] - of_flips[np.ix_(second, flips)])
        value *= self.scales.ravel()[pair, None]
        which, flip = np.nonzero(value >= self.least.ravel()[pair, None])
        return flips[flip], pair[which], value[which, flip]

    def beyond(self, of_flips: np.ndarray, highest: np.ndarray, flips: np.ndarray) -> Found | None:
        """Return the statistics that are larger than the highest of the first pairs (all flips,).

        None if there are too many.
        """
        found, looked_at = [], 0
        ordered = []
        for members in self.classes:
            sums = np.ascontiguousarray(of_flips[np.ix_(members, flips)].T)
            order = np.argsort(sums, axis=1)
            ordered.append((members[order], np.take_along_axis(sums, order, 1)))
        for (a, (low_runs, lows)), (b, (high_runs, highs)) in product(enumerate(ordered), repeat=2):
            apart = highest[flips, None] / self.usual[a, b] * (1 - TOLERANCE)
            flip, low = np.nonzero(lows <= highs[:, -1:] - apart)
            reaching, number = (
                lows + apart * (1 - TOLERANCE),
                np.bincount(flip, minlength=len(flips)),
            )
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
            pair = low_runs.ravel()[low] * self.runs + high_runs.ravel()[high]
            value = (highs.ravel()[high] - lows.ravel()[low]) * self.scales.ravel()[pair]
            found.append(self.of_least((flips[low // lows.shape[1]], pair, value)))
        flip, pair, value = map(np.concatenate, zip(*found, strict=True))
        return flip, pair, value
