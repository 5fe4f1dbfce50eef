"""How many questions a campaign needs, and what a test can see, from components of variance.

The scores of two runs differ because the runs differ and because the questions are a sample. The second part shrinks
with the number of questions N, the first does not; what both amount to is estimated from the pseudo-values.
All functions take score (runs,) and psi (runs, questions) of the runs whose scores are defined; where questions come in
clusters, a column of psi is a cluster, and N counts clusters.
"""

import numpy as np

from nonresponse.reliability.subsets import stream

WIDTH = 0.01  # of the range of differences that is called d
MIDPOINTS = 8
MOST_VARIANCES = 500  # pairs of like variance go together beyond so many
SAMPLES = 200  # of the questions, for the range
WIDER = 0.05  # by which the range is made wider at either end: the model's own error, found by simulation
FARTHEST = 1_000_000  # questions


def variances(psi: np.ndarray, times: np.ndarray | None = None) -> np.ndarray:
    """The variance of psi_x - psi_y over questions of each pair; `times` says how often each question counts."""
    times = np.ones(psi.shape[1]) if times is None else times
    number = times.sum()
    centred = psi - (psi @ times)[:, None] / number
    product = (centred * times) @ centred.T
    own = product.diagonal()
    x, y = np.triu_indices(len(psi), 1)
    found = (own[x] + own[y] - 2 * product[x, y]) / (number - 1)
    return np.where(found > 1e-9 * np.maximum(own[x] + own[y], 1e-9) / number, found, 0)


def between_runs(score: np.ndarray, variance: np.ndarray, questions: int) -> float:
    """T², the mean square of the true differences between runs, over pairs whose scores vary; it may be negative."""
    x, y = np.triu_indices(len(score), 1)
    varies = variance > 0
    if not varies.any():
        return 0.0
    return float(((score[x] - score[y])[varies] ** 2 - variance[varies] / questions).mean())


def swap_rate(questions: float, difference: float, between: float, variance: np.ndarray) -> float:
    """The share of pairs that a second set of N questions orders the other way, among those d apart on a first one.

    variance (k,) are those of pairs, or of groups of pairs of equal size. For a pair with e = s² / N, the difference
    on one set is normal with variance T² + e, and that on another, given the first, has the mean kappa d and the
    variance e (1 + kappa), kappa = T² / (T² + e).
    """
    from scipy.special import ndtr

    d = difference + WIDTH * (np.arange(MIDPOINTS) + 0.5) / MIDPOINTS
    error = variance[:, None] / questions
    total = between + error
    kappa = between / total
    weight = np.exp(-(d**2) / (2 * total)) / np.sqrt(total)
    swapped = weight * ndtr(-kappa * d / np.sqrt(error * (1 + kappa)))
    return float(swapped.sum() / weight.sum()) if weight.sum() > 0 else 0.0


def enough(difference: float, between: float, variance: np.ndarray, level: float) -> float:
    """The smallest N at which the swap rate is at most the level; infinite where FARTHEST does not do."""
    if swap_rate(FARTHEST, difference, between, variance) > level:
        return np.inf
    low, high = 0, FARTHEST  # the rate is above the level at low, and not at high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if swap_rate(middle, difference, between, variance) <= level else (middle, high)
    return high


def grouped(variance: np.ndarray) -> np.ndarray:
    """The variances above 0 in ascending order; of many, the means of groups of neighbours."""
    ordered = np.sort(variance[variance > 0])
    if len(ordered) <= MOST_VARIANCES:
        return ordered
    return np.array([part.mean() for part in np.array_split(ordered, MOST_VARIANCES)])


def questions_needed(
    score: np.ndarray, psi: np.ndarray, differences: list[float], level: float, seed: int, campaign: str
) -> list[tuple[float, float, float]]:
    """For each difference the number of questions at which at most `level` of the pairs swap, and its 95 % range.

    Infinite where it is more than FARTHEST; an empty list where the runs do not differ measurably (T² <= 0). The range
    is that of bootstrap samples of the questions, made a little wider.
    """
    number = psi.shape[1]
    variance = variances(psi)
    between = between_runs(score, variance, number)
    if between <= 0:
        return []
    sampled = []
    for sample in range(SAMPLES):
        drawn = stream(seed, campaign, "components", number, sample).integers(0, number, number)
        times = np.bincount(drawn, minlength=number).astype(np.float64)
        of_sample = variances(psi, times)
        moved = score + psi @ times / number - psi.mean(axis=1)
        # A sample's differences hold the error of the questions twice: that of the campaign's, and its own.
        sampled.append((between_runs(moved, 2 * of_sample, number), grouped(of_sample)))
    return [
        (enough(difference, between, grouped(variance), level), *interval(difference, sampled, level))
        for difference in differences
    ]


def interval(difference: float, sampled: list, level: float) -> tuple[float, float]:
    found = [enough(difference, between, variance, level) if between > 0 else np.inf for between, variance in sampled]
    low, high = np.quantile(found, [0.025, 0.975], method="nearest")
    return float(np.floor(low * (1 - WIDER))), float(np.ceil(high * (1 + WIDER)))


def power(difference: float, deviation: float, questions: int, level: float) -> float:
    """The chance that the paired test tells two runs apart whose true difference this is (Card et al. 2020).

    deviation: the standard deviation of psi_x - psi_y over questions.
    """
    from scipy.special import ndtr, ndtri

    return float(ndtr(abs(difference) * np.sqrt(questions) / deviation - ndtri(1 - level / 2)))


def detectable(deviation: float, questions: int, level: float, wanted: float = 0.8) -> float:
    """The smallest true difference that the paired test tells with the wanted power."""
    from scipy.special import ndtri

    return float((ndtri(1 - level / 2) + ndtri(wanted)) * deviation / np.sqrt(questions))
