"""Which runs differ significantly: intervals, p-values and ranks as tables."""

from functools import lru_cache, partial
from pathlib import Path

import numpy as np
import polars as pl

from nonresponse.settings import Settings
from nonresponse.statistics import PRIOR, abstention, best, clusters, intervals, pseudo_values, sign_flips
from nonresponse.statistics.cache import NOTHING, Cache
from nonresponse.statistics.compared import FEWEST, PAIRED, Compared
from nonresponse.statistics.distributions import fair_tails
from nonresponse.statistics.influence import Influence
from nonresponse.statistics.outcomes import Outcomes, by_unit, full_scores, only
from nonresponse.statistics.rank_positions import best_first
from nonresponse.statistics.table_files import by_measure

POWER = {"measure": pl.String, "pairs": pl.Int64, **dict.fromkeys(("maxt", "interval", "p"), pl.Float64)}


def count(outcomes: Outcomes, campaign: str, settings: Settings, cache: Cache = NOTHING) -> dict[str, np.ndarray]:
    """Return `samples`, scores on samples of the questions (runs, samples), and counts of flips for the tested runs:
    `exceeding` (pairs,) and `behind` (runs,).

    With two runs there is a single pair, whose own p says all, so that nothing is flipped.
    """
    runs, seed = tested(outcomes, cache), settings["seed"]
    behind_leader = partial(sign_flips.behind, sign=1 if outcomes.measure.higher_is_better else -1)
    flips = settings["flips"] if len(runs.score) > 2 else 0
    exceeding, behind = sign_flips.count_flips(runs, (sign_flips.exceeding, behind_leader), seed, campaign, flips)
    samples = settings["samples"] if intervals.method_of(outcomes) == "bootstrap" else 0
    sampled = intervals.sampled_scores(outcomes, seed, campaign, samples)
    return {"samples": sampled, "exceeding": exceeding, "behind": behind}


@lru_cache(maxsize=1)
def tested(outcomes: Outcomes, cache: Cache = NOTHING) -> Compared:
    """Return the runs whose pairs are tested: those `compared`, or the best PAIRED of them.

    As intervals do, tests add half a question with the largest possible difference in either direction to the sum of
    squared differences.
    """
    counting = pseudo_values.counting(outcomes)
    score, influence = pseudo_values.influence(counting)
    some = compared(counting, influence) & paired(score, outcomes.measure.higher_is_better)
    largest = intervals.largest_difference(chosen(counting, some))
    return Compared(score[some], influence.only(some), 2 * PRIOR * largest**2, cache)


def chosen(outcomes: Outcomes, some: np.ndarray) -> Outcomes:
    """Return the outcomes of some of the runs, bool (runs,)."""
    return outcomes if some.all() else only(outcomes, np.flatnonzero(some).tolist())


def compared(outcomes: Outcomes, influence: Influence) -> np.ndarray:
    """Return which runs are compared, bool (runs,): those whose scores no single question makes undefined.

    No run by a measure that noise moves in one direction, or that is no smooth function of shares of the questions. And
    no run with fewer than FEWEST in the rarer of two classes, if the measure compares two.
    """
    measure = outcomes.measure
    known = influence.defined & measure.smooth & (not measure.biased)
    return known & (pseudo_values.rarer_class(outcomes) >= FEWEST) if measure.classes else known


def paired(score: np.ndarray, higher_is_better: bool) -> np.ndarray:
    """Return which runs are paired with one another, bool (runs,): all, or the PAIRED best by score of more."""
    some = np.full(len(score), len(score) <= PAIRED)
    some[best_first(score, higher_is_better)[:PAIRED]] = True
    return some


def make(outcomes: Outcomes, assessor: str, campaign: str, settings: Settings, cache: Cache) -> list[pl.DataFrame]:
    """Return intervals (assessor, run), comparisons (a, b) and the parts of differences in c@1 (abstention.PARTS).

    docs/statistics.md says how they are made. Pairs of runs that are not `paired` have no row.
    """
    counts, counting = count(outcomes, campaign, settings, cache), pseudo_values.counting(outcomes)
    value, influence = pseudo_values.influence(counting)
    score = value if counting is outcomes else full_scores(outcomes)
    higher_is_better = outcomes.measure.higher_is_better
    known = compared(counting, influence)
    of_compared = np.where(known, score, np.nan)
    rows = np.flatnonzero(paired(value, higher_is_better))
    pairs = tests(outcomes, counts, settings, cache)
    sign = 1 if higher_is_better else -1
    standing = {name: [None] * len(score) for name in best.STANDINGS}
    if not outcomes.measure.descriptive:
        standing = best.standings(sign * score, known, rows, pairs, counts["behind"], influence.questions, settings)
    runs, shrunken = tested(outcomes, cache), np.full(len(score), np.nan)
    is_compared = known & paired(value, higher_is_better)
    shrunken[is_compared] = best.shrunken(runs)
    # Measures that count questions were computed as shares of them; the tables have counts.
    unit = outcomes.asked if outcomes.measure.is_number else 1
    ends, method = intervals.score_intervals(outcomes, score, counts["samples"], settings, campaign, cache)
    of_runs = pl.DataFrame(
        {
            "assessor": [assessor] * len(score),
            "run": outcomes.runs,
            "value": score * unit,
            **dict(zip(("lower", "upper"), (ends * unit).T, strict=True)),
            "compared": is_compared,
            **standing,
            "shrunken": shrunken * unit,
            "method": [name or None for name in method],
            "answers": answers(outcomes),
            **clusters.described(outcomes),
        },
        schema_overrides={
            **dict.fromkeys(["assessor", "run", "method"], pl.String),
            "answers": pl.Int64,
            **best.STANDINGS,
            "shrunken": pl.Float64,
            **clusters.DESCRIBED,
        },
    )
    x, y = (rows[place] for place in np.triu_indices(len(rows), 1))
    names = np.array(outcomes.runs, dtype=object)
    of_pairs = pl.DataFrame(
        {
            "a": names[x].tolist(),
            "b": names[y].tolist(),
            "difference": (score[x] - score[y]) * unit,
            **dict(zip(("lower", "upper"), (pairs.pop("interval") * unit).T, strict=True)),
            **pairs,
        },
        schema_overrides={"a": pl.String, "b": pl.String},
    )
    parts = abstention.parts(outcomes, of_compared, settings["level"])
    return [*(frame.with_columns(pl.selectors.float().fill_nan(None)) for frame in (of_runs, of_pairs)), parts]


def summarise(files: list[Path], task: str, settings: Settings) -> list[pl.DataFrame]:
    """Return POWER, the shares of pairs that differ, a row per measure; and abstention.PARTS by measure."""
    pairs, parts = by_measure(files, "comparisons"), by_measure(files, "abstention")
    rows = [{"measure": id, **discriminative_power(table, settings["level"])} for id, table in pairs.items()]
    of_all = pl.concat(table.select(pl.lit(id).alias("measure"), pl.all()) for id, table in parts.items())
    return [pl.DataFrame(rows, POWER), of_all]


def tests(outcomes: Outcomes, counts: dict, settings: Settings, cache: Cache = NOTHING) -> dict[str, np.ndarray]:
    """Return the interval (pairs, 2) of the difference, `p_maxt` and `p` (pairs,) of all pairs of the `paired` runs.

    NaN where one of the two is not compared. p is the smallest level at which the pair's own interval leaves out 0;
    where a question is, and can only be, right or wrong, it is McNemar's. p_maxt holds for all pairs together.
    """
    counting = pseudo_values.counting(outcomes)
    score, influence = pseudo_values.influence(counting)
    known, some = compared(counting, influence), paired(score, outcomes.measure.higher_is_better)
    x, y = np.triu_indices(some.sum(), 1)
    both = known[some][x] & known[some][y]
    runs, of_runs = tested(outcomes, cache), chosen(counting, known & some)
    difference = intervals.Differences.of(of_runs, runs.score, runs.variance)
    interval, p = difference.interval(settings["level"]), difference.p
    two = runs.influence.two
    if two and np.allclose(runs.doubt, 2 * PRIOR * (two[1] - two[0]) ** 2, rtol=1e-6, atol=0):
        p = mcnemar(runs.influence.right)
    p = np.maximum(p, 2.0 ** (1 - runs.questions))  # so few questions have no rarer flip
    interval = with_zero(interval, p > settings["level"])
    # A pair must not be more significant among all pairs than by itself.
    p_maxt = np.maximum(sign_flips.step_down(runs, counts["exceeding"], settings["flips"]), p) if len(p) > 1 else p
    found = {"interval": np.full((len(x), 2), np.nan), "p_maxt": np.full(len(x), np.nan), "p": np.full(len(x), np.nan)}
    for name, values in (("interval", interval), ("p_maxt", p_maxt), ("p", p)):
        found[name][both] = values
    return found


def mcnemar(right: np.ndarray) -> np.ndarray:
    """Return p (pairs,) of McNemar's exact test (1947) for every pair; right is bool (runs, questions)."""
    x, y = np.triu_indices(len(right), 1)
    both = right.astype(np.float32) @ right.T.astype(np.float32)
    only_x, only_y = (both.diagonal()[run] - both[x, y] for run in (x, y))
    return fair_tails(only_x.astype(np.int64), (only_x + only_y).astype(np.int64))


def with_zero(interval: np.ndarray, alike: np.ndarray) -> np.ndarray:
    """Return the intervals (pairs, 2), those of pairs that are `alike` (pairs,) widened to hold 0.

    Student's t may leave out 0 where the exact test of few questions finds no difference (5 against 0). The wider
    interval holds the truth no less often, and does not contradict the test.
    """
    lower, upper = interval.T
    return np.where(alike[:, None], np.stack([np.fmin(lower, 0), np.fmax(upper, 0)], axis=1), interval)


def totals(outcomes: Outcomes, name: str) -> np.ndarray:
    """Return a count or sum of each run over all questions, float64 (runs,)."""
    total = outcomes.matrices[name].sum(axis=1, dtype=np.float64)
    return np.broadcast_to(total, len(outcomes.runs))


def answers(outcomes: Outcomes) -> list[int | None]:
    """Return how many answers of each run the measure divides by, or the size of the rarer of two classes.

    None where it divides by the questions. For a combined measure, the smallest of its parts. A question that was asked
    several times counts with the mean over its epochs.
    """
    if outcomes.parts:
        of_runs = zip(*(answers(part) for part in outcomes.parts), strict=True)
        return [min((number for number in its if number is not None), default=None) for its in of_runs]
    if outcomes.measure.classes:
        return pseudo_values.rarer_class(outcomes).tolist()
    if not outcomes.measure.divides_by:
        return [None] * len(outcomes.runs)
    number = np.sum([totals(outcomes, name) for name in outcomes.measure.divides_by], axis=0)
    if (samples := outcomes.inside) and "weight" in samples.matrices:
        of_questions = by_unit(samples, samples.questions, {}).matrices["weight"]
        number = number // np.maximum(of_questions.max(axis=1, initial=0), 1)
    return [int(total) for total in number]


def discriminative_power(comparisons: pl.DataFrame, level: float) -> dict[str, float | None]:
    """Return the number of compared pairs, and the shares that differ by each method; null without pairs."""
    known = comparisons.drop_nulls("p_maxt")
    outside = ((pl.col("lower") > 0) | (pl.col("upper") < 0)).fill_null(False)
    differ = {"maxt": pl.col("p_maxt") <= level, "interval": outside, "p": pl.col("p") <= level}
    shares = known.select(apart.mean().alias(name) for name, apart in differ.items())
    return {"pairs": known.height} | shares.row(0, named=True)
