"""Confidence intervals of scores that also hold at the ends of the range.

The percentile interval of a run that was correct 50 times out of 50 is [1, 1], though nobody knows
how often it would be wrong. Where each question is in one of a few cells (correct, wrong,
unanswered), the shares of the cells have Jeffreys' intervals, which MOVER-J combines. Elsewhere,
half a question is added at either end of the range, to Student's t on influence values. For a few
measures, it is added to samples of the questions with replacement. A correlation has Fisher's z.
"""

from collections import ChainMap
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from itertools import product

import numpy as np

from nonresponse import tasks
from nonresponse.measures import Measure
from nonresponse.settings import Settings
from nonresponse.statistics import PRIOR
from nonresponse.statistics.distributions import beta_quantile, normal_cdf, student_quantile
from nonresponse.statistics.outcomes import (
    Outcomes,
    encode_totals,
    evaluate,
    full_scores,
    score_weighted,
)
from nonresponse.statistics.pseudo_values import (
    count_rarer_class,
    influence_values,
    scores_without_each,
)
from nonresponse.statistics.subsets import draw_bootstrap, split_blocks, stream

# What a question may move scores to, down and up: of all runs, or of each (runs,)
Ends = tuple[np.ndarray | float, np.ndarray | float]
# Weight of a question near the top of an order, relative to the others: ln 20, after the first
# twentieth
TOP_WEIGHT = 3
PAIR_WEIGHT = 2  # of a question in a mean over pairs of questions
STEP = 1e-4  # of a question, in a derivative
ROUNDS = 2  # in which the worth of cells is found: one is enough but for rare classes


def score_samples(outcomes: Outcomes, seed: int, campaign: str, samples: int) -> np.ndarray:
    """Return scores (runs, samples) on samples with replacement, NaN where undefined."""
    blocks = [
        score_weighted(outcomes, draw_bootstrap(seed, campaign, outcomes.n, block, number))
        for block, number in split_blocks(samples)
    ]
    return np.ascontiguousarray(np.concatenate(blocks).T)


def score_intervals(
    outcomes: Outcomes, score: np.ndarray, settings: Settings, campaign: str
) -> tuple[np.ndarray, np.ndarray]:
    """Return lower and upper end (runs, 2) of the interval of each score, NaN = none, and the name
    of its method, "" = none.

    A measure that noise moves in one direction has none.
    """
    level, measure = settings["level"], outcomes.measure
    if measure.biased:
        method, ends = "", np.full((len(score), 2), np.nan)
    elif counts := count_cells(outcomes):
        method, ends = "MOVER-J", combine_shares(measure, *counts, score, level)
    elif measure.ends == "correlation":
        method, ends = "Fisher's z", fisher(outcomes, score, level)
    elif measure.classes or not measure.smooth:
        method, ends = "bootstrap", bootstrap(outcomes, score, settings, campaign)
    else:
        method, ends = "Student's t", student(outcomes, score, level)
    return ends, np.where(np.isnan(ends[:, 0]), "", method)


def include_score(ends: np.ndarray, score: np.ndarray) -> np.ndarray:
    """Return intervals (runs, 2) from ends (2, runs), around the score; NaN where either is NaN."""
    intervals = np.stack([np.minimum(ends[0], score), np.maximum(ends[1], score)], axis=1)
    return np.where(np.isnan(intervals).any(axis=1, keepdims=True), np.nan, intervals)


def student(outcomes: Outcomes, score: np.ndarray, level: float) -> np.ndarray:
    """Return lower and upper end (runs, 2) by Student's t on influence values; NaN where some are
    not defined.

    Half a question is added at either end of what one can move the score, so that an interval has a
    width at the ends of the range, too.
    """
    _, values = influence_values(outcomes)
    number, (low, high) = np.maximum(effective_units(outcomes), 1), widen_range(outcomes)
    variance = np.where(values.defined, values.squares, np.nan) / max(outcomes.n - 1, 1)
    middle = (number * score + PRIOR * (low + high)) / (number + 2 * PRIOR)
    squares = variance * number / outcomes.n * (number - 1) + number * (score - middle) ** 2
    squares += PRIOR * ((low - middle) ** 2 + (high - middle) ** 2)
    df = np.maximum(number - 1, 1).tolist()
    quantile = np.array([student_quantile(1 - level / 2, freedom) for freedom in df])
    half = quantile * np.sqrt(squares / number / (number + 2 * PRIOR))
    return include_score(np.clip([middle - half, middle + half], *outcomes.measure.range), score)


def fisher(outcomes: Outcomes, score: np.ndarray, level: float) -> np.ndarray:
    """Return lower and upper end (runs, 2) of a correlation of confidence and correctness: Fisher's
    z with its variance by the jackknife, and Student's t with the rarer of correct and wrong
    answers. NaN where the correlation without some question is undefined, or 1 or -1.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        z, z_without = np.arctanh(score), np.arctanh(scores_without_each(outcomes))
        error = np.sqrt((outcomes.n - 1) * z_without.var(axis=1))
    c, m = (outcomes.matrices[name] for name in ("c", "m"))
    rarer = np.minimum(np.count_nonzero(c, axis=1), np.count_nonzero(m - c, axis=1))
    quantile = [student_quantile(1 - level / 2, max(number - 1, 1)) for number in rarer.tolist()]
    return include_score(np.tanh([z - quantile * error, z + quantile * error]), score)


@lru_cache(maxsize=2)
def count_cells(outcomes: Outcomes) -> tuple[list[frozenset[str]], np.ndarray] | None:
    """Return the cells that a question can be in, and how many questions of each run are in each
    cell, (runs, cells). A cell is the set of totals to which its questions add 1. None if questions
    add values other than 0 and 1, as clusters do.

    There is a cell for each total of the measure, together with the totals that contain it, a cell
    for questions that no other total counts, unless correct, wrong and unanswered ones are counted,
    and a cell for each other combination that occurs.
    """
    measure, task = outcomes.measure, tasks.get(outcomes.measure.task)
    if any(part.kind != "counts" for part in measure.parts or [measure]) or outcomes.inside:
        return None
    if (encoded := encode_totals(merge_parts(outcomes))) is None:
        return None
    question_codes, names = encoded
    bits = {name: 1 << bit for bit, name in enumerate(names)}
    possible = {
        sum(bits[total] for total in {name, *task.find_containing(name)} if total in bits)
        for name in bits
        if not task.counts[name].none_without
    }
    states = {name for names in task.outcomes.values() for name in names}
    if "n" in measure.totals and states <= {*bits}:
        possible.discard(bits["n"])
    codes = sorted(possible | {int(code) for code in np.unique(question_codes) if code})
    cells = [frozenset(name for name in bits if code & bits[name]) for code in codes]
    numbers = [np.count_nonzero(question_codes == code, axis=1) for code in codes]
    return cells, np.stack(numbers, axis=1).astype(np.float64)


def merge_parts(outcomes: Outcomes) -> Outcomes:
    """Return the outcomes with the matrices of its parts, if the measure is combined."""
    matrices = [part.matrices for part in outcomes.parts]
    return replace(outcomes, matrices=dict(ChainMap(*matrices))) if matrices else outcomes


def score_cells(measure: Measure, cells: list[frozenset[str]], counts: np.ndarray) -> np.ndarray:
    """Return the score (...) from numbers of questions, or shares, in cells, (..., cells)."""
    totals = {
        name: counts[..., [name in cell for cell in cells]].sum(axis=-1)
        for name in {"n", *measure.totals}
    }
    return np.broadcast_to(evaluate(measure, totals), counts.shape[:-1])


def combine_shares(
    measure: Measure,
    cells: list[frozenset[str]],
    numbers: np.ndarray,
    score: np.ndarray,
    level: float,
) -> np.ndarray:
    """Return lower and upper end (runs, 2) at confidence 1 - level, NaN where the score is NaN,
    from the numbers of questions in cells (runs, cells).

    Cells are sorted by their worth, which is what one more question in them adds to the score. A
    score is then, linearised, a weighted sum of shares: of the questions in the best cell, in the
    two best, and so on. A weight is the difference in worth to the next cell. The shares have
    Jeffreys' intervals, which MOVER-J combines by weights and correlations (Zou & Donner 2008, Laud
    2017). An end is the score at the shares that this gives, with the worth that cells have there.
    Cells that never change the score are left out: precision is about answers.
    """
    eye = np.eye(len(cells))

    def find_worth(counts: np.ndarray) -> np.ndarray:
        """Return what one more question of each cell adds to the score, (..., cells)."""
        return differentiate(
            lambda step: score_cells(measure, cells, counts[..., None, :] + step * eye), STEP
        )

    relevant = np.abs(find_worth(np.sqrt(np.arange(2, len(cells) + 2)))) > STEP**2
    added, ends = 1 / len(cells), []  # so that no score is undefined
    for way in (-1, 1):
        moved = numbers.copy()
        for _ in range(min(ROUNDS, relevant.sum() - 1)):
            worth = way * find_worth(moved + added)[:, relevant]
            moved[:, relevant] = move_shares(numbers[:, relevant], worth, level)
        ends.append(score_cells(measure, cells, moved))
    return include_score(np.array(ends), score)


def move_shares(numbers: np.ndarray, worth: np.ndarray, level: float) -> np.ndarray:
    """Return the numbers of questions in cells (runs, cells) at the upper end of the interval of
    their worth."""
    order = np.argsort(-worth, axis=1)
    steps = -np.diff(np.take_along_axis(worth, order, 1), axis=1)
    higher = np.cumsum(np.take_along_axis(numbers, order, 1), axis=1)
    higher, total = higher[:, :-1], higher[:, -1:]
    # Modified Jeffreys (Brown, Cai & DasGupta 2001): a whole question is added where there is none,
    # and a single one may be none
    shapes = (part + PRIOR * (1 + (part == 0)) for part in (higher, total - higher))
    with np.errstate(invalid="ignore", divide="ignore"):
        share, root = higher / total, np.sqrt(higher / (total - higher))
        ratio = root[:, None] / root[:, :, None]
        correlation = np.nan_to_num(np.fmin(ratio, 1 / ratio))  # of nested shares
    correlation[higher[:, None] == higher[:, :, None]] = 1
    end = np.where(total - higher <= 1, 1, beta_quantile(1 - level / 2, *shapes))
    far = np.maximum(end - share, 0)
    reach = np.einsum("rij,rj->ri", correlation, steps * far)
    length = np.sqrt((steps * far * reach).sum(axis=1, keepdims=True))
    share = np.minimum(share + far * reach / np.where(length > 0, length, 1), 1)
    ends, moved = np.maximum.accumulate(share, axis=1), np.empty(worth.shape)
    np.put_along_axis(moved, order, np.diff(ends, axis=1, prepend=0, append=1) * total, 1)
    return moved


def bootstrap(
    outcomes: Outcomes, score: np.ndarray, settings: Settings, campaign: str
) -> np.ndarray:
    """Return lower and upper end (runs, 2) from samples of the questions with replacement, with
    half a question added at either end of the range.

    Samples of few questions vary too little. So the percentiles are moved outwards by as much as
    Student's t, with the variance by n - 1, is wider than the normal distribution (Hesterberg
    2015). NaN for a score that is undefined on more than a share `level` of the samples.
    """
    level, seed = settings["level"], settings["seed"]
    samples = score_samples(outcomes, seed, campaign, settings["samples"])
    units = np.maximum(count_units(outcomes), 2)
    ends = np.broadcast_arrays(*widen_range(outcomes), samples[:, 0])[:2]
    percentiles = np.full((len(samples), 2), np.nan)
    undefined = np.isnan(samples).mean(axis=1)
    for number in np.unique(units):
        runs = (units == number) & (undefined <= level) & (undefined < 1)
        if not runs.any():
            continue
        draw = stream(seed, campaign, "ends", number)
        low, high, base = draw.standard_gamma([[PRIOR], [PRIOR], [number]], (3, samples.shape[1]))
        lowest, highest = (end[runs, None] for end in ends)
        scores = (low * lowest + high * highest + base * samples[runs]) / (low + high + base)
        widened = student_quantile(level / 2, number - 1) * np.sqrt(number / (number - 1))
        tail = normal_cdf(widened).item()
        percentiles[runs] = np.nanquantile(scores, [tail, 1 - tail], axis=1).T
    return include_score(np.clip(percentiles.T, *outcomes.measure.range), score)


def widen_range(outcomes: Outcomes) -> Ends:
    """Return how far a question may move the score of each run down and up: to the ends of the
    range, or beyond them if a question may count more than others.
    """
    if outcomes.parts:
        return combine_ends(outcomes, widen_range)
    low, high = find_range(outcomes)
    if outcomes.measure.ends == "pairs":
        score = full_scores(outcomes)
        return score + PAIR_WEIGHT * (low - score), score + PAIR_WEIGHT * (high - score)
    margin = (TOP_WEIGHT - 1) * (high - low) if outcomes.measure.ends == "places" else 0
    return low - margin, high + margin


def find_range(outcomes: Outcomes) -> Ends:
    """Return the lowest and the highest possible score. If the range has no ends, or they are never
    reached, return the lowest and the highest score of any single question of any run."""
    if outcomes.parts:
        return combine_ends(outcomes, find_range)
    low, high = outcomes.measure.range
    if low is not None and high is not None and outcomes.measure.ends != "seen":
        return low, high
    # A single question has no order: the scores of the runs, and 0
    if outcomes.measure.kind == "ordering":
        scores = np.append(full_scores(outcomes), 0)
    else:
        totals = {name: m.astype(np.float64) for name, m in outcomes.matrices.items()}
        scores = evaluate(outcomes.measure, totals)
    scores = scores[np.isfinite(scores)]
    if outcomes.measure.ends != "seen" or np.ptp(scores) == 0:
        scores = np.append(scores, [end for end in (low, high) if end is not None])
    return (scores.min(), scores.max()) if scores.size else (np.zeros(()), np.zeros(()))


def combine_ends(outcomes: Outcomes, ends: Callable[[Outcomes], Ends]) -> Ends:
    """Return the ends of a combined measure's values over all combinations of its parts' ends."""
    corners = np.broadcast_arrays(
        *map(outcomes.measure, product(*(ends(part) for part in outcomes.parts)))
    )
    return np.min(corners, axis=0), np.max(corners, axis=0)


def count_units(outcomes: Outcomes) -> np.ndarray:
    """Return how many questions, or clusters of them, the score of each run rests on, (runs,).

    Where a measure compares two classes, it is the size of the rarer one. For a combined measure,
    it is the smallest number of its parts.
    """
    if outcomes.parts:
        return np.min([count_units(part) for part in outcomes.parts], axis=0)
    if outcomes.measure.classes:
        return count_rarer_class(outcomes)
    number = np.count_nonzero(count_per_unit(outcomes), axis=1)
    return np.broadcast_to(number, len(outcomes.runs))


def count_per_unit(outcomes: Outcomes) -> np.ndarray:
    """Return how many questions each question or cluster adds to what a score rests on, (runs,
    questions) or (1, questions); for a combined measure, the sum over its parts."""
    measure, matrices = outcomes.measure, outcomes.matrices
    if outcomes.parts:
        return sum(map(count_per_unit, outcomes.parts), np.zeros(()))
    if measure.kind == "ordering":
        rows = [np.bincount(order.question, minlength=outcomes.n) for order in outcomes.orders]
        return np.reshape(rows, (-1, outcomes.n))
    if measure.divides_by:
        return measure.divisor(matrices)
    return matrices["m" if "m" in matrices else "n"]


def effective_units(outcomes: Outcomes) -> np.ndarray:
    """Return how many clusters of equal size would give a variance as many degrees of freedom as
    those that a score rests on (Kish 1965), (runs,); without clusters, `count_units`."""
    number = count_units(outcomes)
    if not outcomes.inside:
        return number
    if outcomes.parts:
        return np.min([effective_units(part) for part in outcomes.parts], axis=0)
    sizes = count_per_unit(outcomes).astype(np.float64)
    equal = sizes.sum(axis=1) ** 2 / np.maximum((sizes**2).sum(axis=1), 1)
    return np.minimum(number, np.maximum(equal.round(1), 1))


@lru_cache(maxsize=1)
def compute_moves(outcomes: Outcomes) -> np.ndarray | None:
    """Return how far one question can move the score of each run down and up, (runs, 2), as
    pseudo-values have it.

    It is what a little more of any cell would change. In c@1, a correct answer adds the more, the
    more questions are unanswered. None where questions are in no cells.
    """
    questions = outcomes.inside or outcomes
    if (counts := count_cells(questions)) is None:
        return None
    totals = {
        name: m.sum(axis=1, keepdims=True, dtype=np.float64)
        for name, m in merge_parts(questions).matrices.items()
    }
    cells = {name: np.array([name in cell for cell in counts[0]]) for name in totals}

    def score(step: float) -> np.ndarray:
        """Return the score with so much more of each cell, (runs, cells)."""
        return evaluate(
            questions.measure, {name: total + step * cells[name] for name, total in totals.items()}
        )

    slope = differentiate(score, STEP)
    change = np.broadcast_to(slope * questions.n, (len(outcomes.runs), len(counts[0])))
    return np.stack([change.min(axis=1), change.max(axis=1)], axis=1)


def differentiate(function: Callable[[float], np.ndarray], step: float) -> np.ndarray:
    """Return the derivative of a function at 0, from the right; exact for a parabola."""
    return (4 * function(step) - function(2 * step) - 3 * function(0)) / (2 * step)


def largest_difference(outcomes: Outcomes) -> np.ndarray:
    """Return the largest possible difference of two runs' pseudo-values on one question (pairs,).

    It is larger the fewer questions a score rests on. In c@1 it is larger the more are unanswered,
    and in an order near the top.
    """
    x, y = np.triu_indices(len(outcomes.runs), 1)
    if (moves := compute_moves(outcomes)) is not None:
        width = moves[:, 1] - moves[:, 0]
        return np.maximum(width[x], width[y])
    low, high = find_range(outcomes)
    weight = {"places": TOP_WEIGHT, "pairs": PAIR_WEIGHT}.get(outcomes.measure.ends, 1)
    units = count_units(outcomes)
    return weight * (high - low) * outcomes.n / np.maximum(np.minimum(units[x], units[y]), 1)
