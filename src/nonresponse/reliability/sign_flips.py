"""Which runs differ, by flipping signs of the differences between their pseudo-values.

If two runs are equally good, a question is as likely to favour one as the other, by the same difference. A counter
takes signed sums (runs, flips), of at most PER_STREAM flips, and gives counts, int64.
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from scipy.special import bdtr

from nonresponse.reliability.compared import SAME, Compared
from nonresponse.reliability.subsets import blocks_of, stream

AT_ONCE = 2048  # questions in a product, a multiple of 8: their signs stay in the processor's cache
STEP = np.float32(4096)  # more than AT_ONCE; sums of up to AT_ONCE steps and ones are exact in float32
RARE = 1e-4  # flips with a smaller probability than this need not be counted
FEW_RUNS = 4  # runs; with no more, there are few kinds of questions
KINDS = 64  # of questions; with no more, counting how many of each were turned is faster than a product
TOGETHER = 1000  # pairs; with no more, all flips of a block at once are faster than skipping pairs that cannot count

Counter = Callable[[np.ndarray], np.ndarray]


def turned(seed: int, campaign: str, questions: int, flips: int) -> Iterator[np.ndarray]:
    """Which questions' signs each flip turns, as bits: bytes (up to 250 flips, questions / 8), for all pairs alike."""
    for block, drawn in blocks_of(flips):
        bits = stream(seed, campaign, "signs", questions, block).bytes(drawn * ((questions + 7) // 8))
        yield np.frombuffer(bits, np.uint8).reshape(drawn, -1)


def signed_sums(values: np.ndarray, seed: int, campaign: str, flips: int) -> Iterator[np.ndarray]:
    """Sums over questions of values (runs, questions) with random signs: (runs, up to 250 flips) at a time.

    The values must be summable: twice the sum of the turned ones is then subtracted without rounding. If there are few
    runs and few kinds of questions (say, right in one run and wrong in the other), the turned questions of each kind
    are counted. If no run has more than three values (right, wrong, left open), a product in single precision counts
    how often two of them were turned, one in ones, the other in steps of STEP: as exact, at half the cost.
    """
    runs, questions = values.shape
    whole = values.sum(axis=1, keepdims=True)
    kinds, kind_of = np.unique(values, axis=1, return_inverse=True) if runs <= FEW_RUNS else (values, None)
    if kind_of is not None and kinds.shape[1] <= KINDS:
        members = words(np.packbits(kind_of == np.arange(len(kinds.T))[:, None], axis=1))
        for packed in turned(seed, campaign, questions, flips):
            bits = words(packed)
            counts = np.stack([np.bitwise_count(bits & own).sum(axis=1, dtype=np.int64) for own in members])
            yield whole - 2 * (kinds @ counts)
        return
    low, high = values.min(axis=1, keepdims=True), values.max(axis=1, keepdims=True)
    middle = np.where(values < high, values, low).max(axis=1, keepdims=True)
    factor = (values == middle) + STEP * (values == high)
    few = bool(((factor > 0) | (values == low)).all())
    factor = factor if few else values
    for packed in turned(seed, campaign, questions, flips):
        sums = np.zeros((3, runs, len(packed)), factor.dtype)
        for start in range(0, questions, AT_ONCE):
            some = factor[:, start : start + AT_ONCE]
            bits = packed[:, start // 8 : (start + AT_ONCE) // 8]
            minus = np.unpackbits(bits, axis=1, count=some.shape[1]).T.astype(factor.dtype)
            product = some @ minus
            if few:
                steps = np.floor(product / STEP)
                sums[0] += minus.sum(axis=0)
                sums[1] += product - STEP * steps
                sums[2] += steps
            else:
                sums[0] += product
        turned_sums = low * sums[0] + (middle - low) * sums[1] + (high - low) * sums[2] if few else sums[0]
        yield whole - 2 * turned_sums


def words(packed: np.ndarray) -> np.ndarray:
    """Rows of bytes as rows of 64-bit words, padded with zeros."""
    return np.pad(packed, ((0, 0), (0, -packed.shape[1] % 8))).view(np.uint64)


def counted(values: np.ndarray, counters: Sequence[Counter], seed: int, campaign: str, flips: int) -> list[np.ndarray]:
    """What each counter counts in so many flips, of signed sums of values (runs, questions)."""
    counts = [count(np.empty((len(values), 0))) for count in counters]
    for sums in signed_sums(values, seed, campaign, flips) if len(values) > 1 else ():
        for total, count in zip(counts, counters, strict=True):
            total += count(sums)
    return counts


def exceeding(those: Compared) -> Counter:
    """Counts for each pair (pairs,) the flips in which the largest statistic, among the pairs whose observed statistic
    is no larger than its own, is at least as large as its own: the step-down maximum (Romano & Wolf 2005).
    """
    x, y = those.pairs
    order = np.argsort(those.seen, kind="stable")[: np.isfinite(those.seen).sum()]
    seen = those.seen[order]
    first, second, reached = x[order], y[order], seen * (1 - SAME)
    last_equal = np.searchsorted(seen, seen * (1 + SAME), "right") - 1
    scale = 1 / np.sqrt(those.squares[order])
    # All statistics of a flip are bounded by the difference of its largest and smallest sum times the usual scale,
    # except for the few pairs with a larger scale, which vary least. A pair with an observed statistic beyond the bound
    # cannot count.
    usual = np.quantile(scale, 0.99) if len(order) else 0
    close = scale > usual
    close_first, close_second, close_scale = first[close], second[close], scale[close]

    def count(of_flips: np.ndarray) -> np.ndarray:
        of_pairs = np.zeros(len(those.seen), np.int64)
        if len(order) == 0:
            return of_pairs
        if len(order) <= TOGETHER:
            largest = np.abs(of_flips[first] - of_flips[second]) * scale[:, None]
            np.maximum.accumulate(largest, axis=0, out=largest)
            of_pairs[order] = (largest[last_equal] >= reached[:, None]).sum(axis=1)
            return of_pairs
        counts = np.zeros(len(order), np.int64)
        for sums, widest in zip(np.ascontiguousarray(of_flips.T), np.ptp(of_flips, axis=0), strict=True):
            of_close = np.abs(sums[close_first] - sums[close_second]) * close_scale
            within = np.searchsorted(reached, of_close.max(initial=widest * usual), "right")
            rivals = last_equal[within - 1] + 1 if within else 0
            largest = sums.take(first[:rivals])
            largest -= sums.take(second[:rivals])
            np.abs(largest, out=largest)
            largest *= scale[:rivals]
            np.maximum.accumulate(largest, out=largest)
            counts[:within] += largest.take(last_equal[:within]) >= reached[:within]
        of_pairs[order] = counts
        return of_pairs

    return count


def step_down(those: Compared, counts: np.ndarray, flips: int) -> np.ndarray:
    """p_maxt of every pair, from the counts of all flips; it controls the family-wise error of all pairs together.

    Where the differences are constant there is nothing to flip: 1 for equal scores, else the smallest p that there is.
    """
    seen = those.seen
    p = np.maximum((1 + counts) / (1 + flips), smallest(those.questions, flips))
    order = np.argsort(-seen, kind="stable")[: np.isfinite(seen).sum()]
    p[order] = np.maximum.accumulate(p[order])
    return np.where(np.isnan(seen), constant(those, flips), p)


def behind(those: Compared, sign: int = 1) -> Counter:
    """Counts for each run (runs,) the flips in which some run leads it by as much as its observed farthest leader.

    One-sided; sign is -1 for a measure of which less is better. For the best run, these are all flips; 0 is returned if
    the probability is below RARE: by Hoeffding's inequality a flip of one pair reaches u with a probability of
    exp(-u² / 2) at most.
    """
    runs, (x, y) = len(those.score), those.pairs
    with np.errstate(divide="ignore"):
        scale = np.where(those.squares > 0, 1 / np.sqrt(those.squares), 0)
    lead = np.nan_to_num(those.seen) * np.sign(those.score[y] - those.score[x]) * sign
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
        beside[run] = np.insert(scale[low * (2 * runs - low - 1) // 2 + high - low - 1], run, 0)

    def count(of_flips: np.ndarray) -> np.ndarray:
        counts, sums = np.zeros(runs, np.int64), sign * of_flips
        # No lead over a run exceeds the difference between the highest sum and its own, times its largest scale.
        widest = (sums.max(axis=0, initial=-np.inf) - sums) * largest_scale[:, None]
        for run in tested:
            near = np.flatnonzero(widest[run] >= reached[run])
            leads = sums[:, near]
            leads -= leads[run].copy()
            leads *= beside[run][:, None]
            counts[run] = (leads.max(axis=0, initial=0) >= reached[run]).sum()
        return counts

    return count


def constant(those: Compared, flips: int) -> np.ndarray:
    """p of the pairs whose difference is the same for every question."""
    x, y = those.pairs
    equal = np.abs(those.score[x] - those.score[y]) <= SAME
    return np.where(equal, 1.0, smallest(those.questions, flips))


def smallest(questions: int, flips: int) -> float:
    """The smallest possible p: n questions have no more than 2^(n - 1) different flips.

    Flips of centred differences would give less: none of them reaches a difference that is nearly the same on, say, all
    of three questions.
    """
    return max(1 / (1 + flips), 2.0 ** (1 - questions))


def as_large(those: Compared) -> Counter:
    """Counts for each pair by itself (pairs,) the flips whose statistic is at least as large as the observed one.

    Takes the sums of those.flipped.
    """
    runs, (x, y) = len(those.score), those.pairs
    if those.additive:
        reached = those.questions * np.abs(those.score[x] - those.score[y])
        reached -= SAME * np.maximum(reached, 1)
    else:
        reached = those.seen * np.sqrt(those.squares) * (1 - SAME)

    def count(sums: np.ndarray) -> np.ndarray:
        counts = np.zeros(len(reached), np.int64)
        if len(counts) == 0:
            return counts
        # Two sums differ by no more than the sum of their distances from the mean of all runs.
        farthest = np.abs(sums - sums.mean(axis=0)).max(axis=1, initial=0) + SAME * np.abs(sums).max(initial=0)
        start = 0
        for run in range(runs - 1):
            stop = start + runs - 1 - run
            near = np.flatnonzero(reached[start:stop] <= farthest[run] + farthest[run + 1 :])
            apart = sums[run + 1 + near]
            apart -= sums[run]
            np.abs(apart, out=apart)
            # Flips that share a stream (PER_STREAM) are few enough to count in a byte.
            counts[start + near] = (apart >= reached[start + near, None]).sum(axis=1, dtype=np.uint8)
            start = stop
        return counts

    return count


def by_itself(those: Compared, counts: np.ndarray, flips: int) -> np.ndarray:
    """Two-sided p of every pair by itself, from the counts of all flips (`as_large`)."""
    p = np.maximum((1 + counts) / (1 + flips), smallest(those.questions, flips))
    return np.where(those.squares > 0, p, constant(those, flips))


def paired(those: Compared, counts: np.ndarray, flips: int) -> np.ndarray:
    """Two-sided p of every pair by itself: exact (McNemar's) where a question is right or wrong, as in accuracy."""
    if those.two_valued:
        return mcnemar(those.psi > (those.psi.min() + those.psi.max()) / 2)
    return by_itself(those, counts, flips)


def mcnemar(right: np.ndarray) -> np.ndarray:
    """The exact test of McNemar (1947) for every pair; right is bool (runs, questions)."""
    x, y = np.triu_indices(len(right), 1)
    both = right.astype(np.float32) @ right.T.astype(np.float32)
    only_x, only_y = both[x, x] - both[x, y], both[y, y] - both[x, y]
    fewer, either = np.minimum(only_x, only_y).astype(np.int64), (only_x + only_y).astype(np.int64)
    return np.where(either > 0, np.minimum(2 * bdtr(fewer, either, 0.5), 1), 1.0)


def holm(p: np.ndarray) -> np.ndarray:
    """p-values adjusted to hold for all pairs together (Holm 1979); NaN stays NaN, and is not counted."""
    order = np.argsort(p, kind="stable")[: np.isfinite(p).sum()]
    adjusted = np.full(len(p), np.nan)
    adjusted[order] = np.minimum(np.maximum.accumulate(p[order] * np.arange(len(order), 0, -1)), 1)
    return adjusted
