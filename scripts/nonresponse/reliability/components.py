"""How many questions a campaign needs, and what a test can see, from components of variance.

The scores of two runs differ because the runs differ and because the questions are a sample. The second part shrinks
with the number of questions N, the first does not; what both amount to is estimated from the pseudo-values.
All functions take score (runs,) and psi (runs, questions) of the runs whose scores are defined; where questions come in
clusters, a column of psi is a cluster, and N counts clusters.
"""

import numpy as np

from nonresponse.reliability.pseudo_values import centred, variances, variances_of_sample
from nonresponse.reliability.subsets import stream

WIDTH = 0.01  # of the range of differences that is called d
MIDPOINTS = 8
GROUPS = 40  # of pairs of like variance
SAMPLES = 200  # of the questions, for the range
RUNS = 200  # whose pairs are taken in each sample; of more runs, so many drawn ones
WIDER = 0.05  # by which the range is made wider at either end: the model's own error, found by simulation
ROUGH = 0.002  # relative error of the numbers behind the range
FARTHEST = 1_000_000  # questions
WANTED = 0.8  # power


def between_runs(score: np.ndarray, variance: np.ndarray, questions: int) -> float:
    """T², the mean square of the true differences between runs, over pairs whose scores vary; it may be negative."""
    x, y = np.triu_indices(len(score), 1)
    varies = variance > 0
    if not varies.any():
        return 0.0
    return float(((score[x] - score[y])[varies] ** 2 - variance[varies] / questions).mean())


def grouped(variance: np.ndarray) -> np.ndarray:
    """The variances above 0 in ascending order; of many, GROUPS of their quantiles, which stand for all."""
    varying = np.sort(variance[variance > 0])
    if len(varying) <= GROUPS:
        return varying
    return np.quantile(varying, (np.arange(GROUPS) + 0.5) / GROUPS)


def swap_rate(questions: np.ndarray, difference: float, between: np.ndarray, variance: np.ndarray) -> np.ndarray:
    """The share of pairs that a second set of N questions orders the other way, among those d apart on a first one.

    questions and between (T²) are (models,), variance (models, k) those of pairs, or of groups of pairs of equal size.
    For a pair with e = s² / N, the difference on one set is normal with variance T² + e, and that on another, given
    the first, has the mean kappa d and the variance e (1 + kappa), kappa = T² / (T² + e).
    """
    from scipy.special import ndtr

    d = difference + WIDTH * (np.arange(MIDPOINTS) + 0.5) / MIDPOINTS
    error = (variance / questions[:, None])[:, :, None]
    total = between[:, None, None] + error
    kappa = between[:, None, None] / total
    density = -(d**2) / (2 * total) - np.log(total) / 2  # its logarithm, which no difference makes too small
    weight = np.exp(density - density.max(axis=(1, 2), keepdims=True))
    swapped = weight * ndtr(-kappa * d / np.sqrt(error * (1 + kappa)))
    return swapped.sum(axis=(1, 2)) / weight.sum(axis=(1, 2))


def enough(
    difference: float,
    between: np.ndarray,
    variance: np.ndarray,
    level: float,
    most: np.ndarray | float = FARTHEST,
    tolerance: float = 0,
) -> np.ndarray:
    """The smallest N at which the swap rate is at most the level, for each model; infinite beyond FARTHEST.

    It is known to be at most `most`, and is exact up to a share `tolerance` of it.
    """
    low, high = np.zeros(len(between)), np.minimum(np.broadcast_to(most, len(between)), FARTHEST)
    never = swap_rate(high, difference, between, variance) > level
    while (high - low > np.maximum(tolerance * high, 1)).any():  # the rate is above the level at low, and not at high
        middle = np.maximum((low + high) // 2, 1)
        within = swap_rate(middle, difference, between, variance) <= level
        low, high = np.where(within, low, middle), np.where(within, middle, high)
    return np.where(never, np.inf, high)


def models(score: np.ndarray, psi: np.ndarray, seed: int, campaign: str) -> tuple[np.ndarray, np.ndarray] | None:
    """T² (models,) and variances (models, k): of the campaign, then of bootstrap samples of its questions.

    None where the runs do not differ measurably (T² <= 0).
    """
    runs, number = psi.shape
    variance, of_questions = variances(psi), centred(psi)
    between, spread = [between_runs(score, variance, number)], [grouped(variance)]
    if between[0] <= 0:
        return None
    drawn = np.sort(stream(seed, campaign, "runs", runs).permutation(runs)[:RUNS])
    of_drawn = np.ascontiguousarray(of_questions[:, drawn])
    if not np.ptp(of_drawn, axis=1).any():  # hardly any run is unlike the others
        of_drawn = of_questions
    varies = variance > 0
    x, y = np.triu_indices(runs, 1)
    constant = ((score[x] - score[y])[~varies] ** 2).sum()
    by_question = runs**2 * of_questions.var(axis=1)  # squares of the differences, over all pairs
    for sample in range(SAMPLES):
        places = stream(seed, campaign, "components", number, sample).integers(0, number, number)
        times = np.bincount(places, minlength=number).astype(np.float64)
        sums = times @ of_questions
        moved, of_pairs = score + sums / number, variances_of_sample(of_drawn, times)
        # A sample's differences hold the error of the questions twice: that of the campaign's, and its own.
        if runs <= RUNS:
            between.append(between_runs(moved, 2 * of_pairs, number))
        else:  # over the pairs that vary in the campaign, from sums over runs; those of `drawn` tell the spread
            mean = ((times * by_question).sum() - runs**2 * sums.var() / number) / (number - 1) / varies.sum()
            between.append((runs**2 * moved.var() - constant) / varies.sum() - 2 * mean / number)
            varying = of_pairs[of_pairs > 0]
            of_pairs = varying * mean / varying.mean() if len(varying) else varying
        spread.append(grouped(of_pairs))
    most = max(map(len, spread))
    # A sample may have fewer pairs that vary: its own are then repeated, which changes no mean.
    return np.array(between), np.array([np.resize(of, most) if len(of) else np.full(most, np.inf) for of in spread])


def questions_needed(
    between: np.ndarray, variance: np.ndarray, differences: list[float], level: float
) -> list[tuple[float, float, float]]:
    """The number of questions at which at most `level` of the pairs swap, and its 95 % range, for each difference.

    From `models`; the differences in ascending order. Infinite where it is more than FARTHEST. The range is that of the
    samples, made a little wider.
    """
    possible = (between > 0) & np.isfinite(variance).all(axis=1)
    number, ranges = np.full(len(between), np.inf), []
    for difference in sorted(differences):  # a larger one needs no more
        number[0] = enough(difference, between[:1], variance[:1], level).item()
        sampled = number[1:][possible[1:]]
        sampled = enough(difference, between[1:][possible[1:]], variance[1:][possible[1:]], level, sampled, ROUGH)
        number[1:][possible[1:]] = sampled
        low, high = np.quantile(number[1:], [0.025, 0.975], method="nearest")
        lower, upper = max(np.floor(low * (1 - WIDER)), 1), np.ceil(high * (1 + WIDER))
        ranges.append((number[0], min(lower, number[0]), max(upper, number[0])))
    return ranges


def required_difference(between: np.ndarray, variance: np.ndarray, questions: int, level: float) -> float | None:
    """The smallest hundredth d at which at most `level` of the pairs swap with so many questions; None below 1."""
    for hundredths in range(100):
        rate = swap_rate(np.array([float(questions)]), hundredths / 100, between[:1], variance[:1])
        if rate.item() <= level:
            return hundredths / 100
    return None


def power(difference: float, deviation: float, questions: int, level: float) -> float:
    """The chance that the paired test tells two runs apart whose true difference this is (Card et al. 2020).

    deviation: the standard deviation of psi_x - psi_y over questions.
    """
    from scipy.special import ndtr, ndtri

    return float(ndtr(abs(difference) * np.sqrt(questions) / deviation - ndtri(1 - level / 2)))


def detectable(deviation: float, questions: int, level: float) -> float:
    """The smallest true difference that the paired test tells with a power of WANTED."""
    from scipy.special import ndtri

    return float((ndtri(1 - level / 2) + ndtri(WANTED)) * deviation / np.sqrt(questions))
