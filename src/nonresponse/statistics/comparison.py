"""Which runs differ significantly: intervals, p-values and ranks, and what abstention did to a
difference."""

from functools import partial

import numpy as np
import polars as pl

from nonresponse import tasks
from nonresponse.settings import Settings
from nonresponse.statistics import PRIOR, intervals, sign_flips
from nonresponse.statistics.analyses import Inputs, stack_tables
from nonresponse.statistics.cache import NOTHING, Cache
from nonresponse.statistics.distributions import fair_tails, student_quantile
from nonresponse.statistics.outcomes import Outcomes
from nonresponse.statistics.pairs import Pairs, Selection, leading_pairs, select_runs
from nonresponse.statistics.pseudo_values import DESCRIBED, describe_units
from nonresponse.tables import typed

POWER = {
    "measure": pl.String,
    "pairs": pl.Int64,
    "maxt": pl.Float64,  # the share that differs, all tested together
    "p": pl.Float64,  # and each by itself,
}
RANK_RANGE = {"rank_low": pl.Int64, "rank_high": pl.Int64, "may_be_best": pl.Boolean}
INTERVALS = {
    "assessor": pl.String,
    "run": pl.String,
    **dict.fromkeys(("value", "lower", "upper"), pl.Float64),
    "compared": pl.Boolean,  # with the other runs
    # The ranks that the run may have, and whether it may be the best; null = not compared
    **RANK_RANGE,
    "method": pl.String,  # of the interval; null = none
    # Questions, or clusters, with something that the measure divides by, or those of the rarer of
    # two classes; null = it divides by all questions
    "answers": pl.Int64,
    **DESCRIBED,
}
COMPARISONS = {
    "a": pl.String,
    "b": pl.String,
    **dict.fromkeys(("difference", "lower", "upper"), pl.Float64),  # a less b
    "p_maxt": pl.Float64,  # holds for all pairs together; null = not compared, like `p`
    "p": pl.Float64,  # of the pair by itself
}
PARTS = {
    "a": pl.String,
    "b": pl.String,  # scores no higher than a
    "difference": pl.Float64,  # of c@1, a less b
    # Two parts that add up to it, each with the ends of its interval.
    **{
        f"by_{part}{end}": pl.Float64
        for part in ("right", "abstention")
        for end in ("", "_lower", "_upper")
    },
}
# The largest possible parts: by all correct against all unanswered, and by a half correct and a
# half unanswered.
FARTHEST = (1.5, 0.5)


def make(
    outcomes: Outcomes, assessor: str, campaign: str, settings: Settings, cache: Cache = NOTHING
) -> list[pl.DataFrame]:
    """Return INTERVALS, a row per run; COMPARISONS, a row per pair of the best PAIRED runs; and
    PARTS.

    docs/statistics.md says how they are made.
    """
    runs, measure = select_runs(outcomes, cache), outcomes.measure
    score = runs.score
    exceeding, behind = count_flips(runs, campaign, settings)
    tests = test_pairs(runs, exceeding, settings)
    rank_range: dict[str, np.ndarray] = dict.fromkeys(RANK_RANGE, np.full(len(score), np.nan))
    if not measure.descriptive:
        rank_range = rank_runs(
            score if measure.higher_is_better else -score, runs, tests, behind, settings
        )
    # Measures that count questions were computed as shares of them; the tables have counts.
    unit = outcomes.question_count if measure.is_number else 1
    divided = any(it.divides_by or it.classes for it in (measure, *measure.parts))
    ends, method = intervals.score_intervals(outcomes, score, settings, campaign)
    of_runs = pl.DataFrame(
        {
            "assessor": [assessor] * len(score),
            "run": outcomes.runs,
            "value": score * unit,
            **dict(zip(("lower", "upper"), (ends * unit).T, strict=True)),
            "compared": runs.compared,
            **rank_range,
            "method": [name or None for name in method],
            "answers": intervals.count_units(outcomes) if divided else None,
            **describe_units(outcomes),
        }
    )
    x, y = (np.flatnonzero(runs.paired)[row] for row in np.triu_indices(runs.paired.sum(), 1))
    names = np.array(outcomes.runs, dtype=object)
    of_pairs = {
        **dict(zip(("a", "b"), (names[x].tolist(), names[y].tolist()), strict=True)),
        "difference": (score[x] - score[y]) * unit,
        **dict(zip(("lower", "upper"), (tests["interval"] * unit).T, strict=True)),
        **{name: tests[name] for name in ("p_maxt", "p")},
    }
    known = pl.selectors.float().fill_nan(None)
    return [
        typed(of_runs.with_columns(known), INTERVALS),
        pl.DataFrame(of_pairs, COMPARISONS).with_columns(known),
        split_differences(outcomes, np.where(runs.smooth, score, np.nan), settings["level"]),
    ]


def summarise(given: Inputs, task: str, settings: Settings) -> list[pl.DataFrame]:
    """Return POWER, the shares of pairs that differ, a row per measure; and PARTS by measure."""
    rows = [
        {"measure": id, **discriminative_power(table, settings["level"])}
        for id, table in given.tables("comparisons").items()
    ]
    return [pl.DataFrame(rows, POWER), stack_tables(given.tables("abstention"))]


def count_flips(runs: Selection, campaign: str, settings: Settings) -> list[np.ndarray]:
    """Return `exceeding` (pairs,) and `behind` (runs,) of the compared runs, from the flips of
    signs.

    With two runs there is a single pair, whose own p says all, so that nothing is flipped.
    """
    behind = partial(
        sign_flips.count_behind, sign=1 if runs.tested.measure.higher_is_better else -1
    )
    flips = settings["flips"] if len(runs.pairs.score) > 2 else 0
    return sign_flips.count_flips(
        runs.pairs, (sign_flips.count_exceeding, behind), settings["seed"], campaign, flips
    )


def test_pairs(runs: Selection, exceeding: np.ndarray, settings: Settings) -> dict[str, np.ndarray]:
    """Return the interval (pairs, 2) of the difference, `p_maxt` and `p` (pairs,) of all pairs of
    the paired runs.

    NaN where one of the two is not compared. p is the smallest level at which the pair's own
    interval leaves out 0; where a question is, and can only be, right or wrong, it is McNemar's.
    p_maxt holds for all pairs together.
    """
    pairs, level = runs.pairs, settings["level"]
    interval, p, two = pairs.interval(level), pairs.p, pairs.influence.binary_values
    if two and np.allclose(pairs.largest, two[1] - two[0], rtol=1e-6, atol=0):
        p = mcnemar(pairs)
    p = np.maximum(p, np.exp2(1.0 - pairs.units))  # so few questions have no rarer flip
    # Student's t may leave out 0 where the exact test of few questions finds no difference (5
    # against 0). The wider interval holds the truth no less often, and does not contradict the
    # test.
    zero = np.stack([np.fmin(interval[:, 0], 0), np.fmax(interval[:, 1], 0)], axis=1)
    interval = np.where((p > level)[:, None], zero, interval)
    # A pair must not be more significant among all pairs than by itself.
    p_maxt = (
        np.maximum(sign_flips.step_down(pairs, exceeding, settings["flips"]), p)
        if len(p) > 1
        else p
    )
    x, y = np.triu_indices(runs.paired.sum(), 1)
    both = runs.compared[runs.paired][x] & runs.compared[runs.paired][y]
    found = {
        "interval": np.full((len(x), 2), np.nan),
        "p_maxt": np.full(len(x), np.nan),
        "p": np.full(len(x), np.nan),
    }
    for name, values in (("interval", interval), ("p_maxt", p_maxt), ("p", p)):
        found[name][both] = values
    return found


def mcnemar(pairs: Pairs) -> np.ndarray:
    """Return p (pairs,) of McNemar's exact test (1947) for every pair of runs whose influence
    values are two."""
    (x, y), (low, high) = pairs.rows, pairs.influence.binary_values or (0, 1)
    right = pairs.influence.right
    both = np.rint(pairs.products[x, y] / (high - low) ** 2 + right[x] * right[y] / pairs.questions)
    only_x, only_y = (right[run] - both.astype(np.int64) for run in (x, y))
    return fair_tails(only_x, only_x + only_y)


def rank_runs(
    score: np.ndarray,
    runs: Selection,
    tests: dict[str, np.ndarray],
    behind: np.ndarray,
    settings: Settings,
) -> dict[str, np.ndarray]:
    """Return RANK_RANGE (runs,), NaN where a run is not compared; score (runs,) is oriented so that
    more is better.

    A run ranks behind every run that is significantly better by p_maxt, which holds for all pairs
    together, and ahead of every one that is significantly worse (Mogstad et al. 2024). Whether a
    run may be the best is a separate one-sided test (Hsu 1984): it compares the largest lead of
    another run over it with that in each flip.
    """
    level, number, among = settings["level"], len(score), runs.compared
    x, y = (np.flatnonzero(runs.paired)[row] for row in np.triu_indices(runs.paired.sum(), 1))
    apart = tests["p_maxt"] <= level
    ahead, second = np.where(score[x] >= score[y], (x, y), (y, x))
    better, worse = (np.bincount(one[apart], minlength=number) for one in (second, ahead))
    p = np.zeros(number)
    p[among] = (1 + behind) / (1 + settings["flips"])
    # As with p_maxt: being behind any run cannot be more significant than being behind the run that
    # leads most clearly.
    by_itself = np.ones(number)
    np.minimum.at(by_itself, second, np.nan_to_num(tests["p"] / 2, nan=1.0))
    may = (better == 0) & (np.maximum(p, by_itself) > level)
    found = {
        "rank_low": better + 1,
        "rank_high": np.isfinite(score).sum() - worse,
        "may_be_best": may,
    }
    return {name: np.where(among, values, np.nan) for name, values in found.items()}


def discriminative_power(comparisons: pl.DataFrame, level: float) -> dict[str, float | None]:
    """Return the number of compared pairs, and the shares that differ (Sakai 2006); null without
    pairs."""
    known = comparisons.drop_nulls("p_maxt")
    shares = known.select(maxt=(pl.col("p_maxt") <= level).mean(), p=(pl.col("p") <= level).mean())
    return {"pairs": known.height} | shares.row(0, named=True)


def split_differences(outcomes: Outcomes, score: np.ndarray, level: float) -> pl.DataFrame:
    """Return PARTS, the best run against each of the next; empty for measures other than c@1.

    score (runs,), NaN = not compared. There are no p-values: pairs that were chosen by their
    difference are not tested.
    """
    pairs = leading_pairs(score, higher_is_better=True) if outcomes.measure.id == "c@1" else []
    rows = [
        (
            outcomes.runs[a],
            outcomes.runs[b],
            score[a] - score[b],
            *split_difference(outcomes, a, b, level),
        )
        for a, b in pairs
    ]
    return pl.DataFrame(rows, PARTS, orient="row")


def split_difference(outcomes: Outcomes, a: int, b: int, level: float) -> list[float]:
    """Return the parts of a difference in c@1 by correct answers and by abstention, each with the
    ends of its interval.

    With a the share of correct answers and u that of unanswered questions, c@1 = a (1 + u), and a
    difference is the sum of delta a (1 + mean u) and mean a delta u. Student's t on influence
    values of questions or clusters, with half a question more in either direction. Unlike
    intervals.Differences, the interval is centred on the part itself, not moved towards 0, and on
    these halves the part moves by its gradient at these shares, not by the limits of c@1.
    """
    right, unanswered, _ = tasks.get(outcomes.measure.task).outcomes.values()
    n = np.broadcast_to(outcomes.matrices["n"], (len(outcomes.runs), outcomes.n))[[a, b]].astype(
        np.float64
    )
    units = outcomes.n

    def share(names: tuple[str, ...]) -> tuple[np.ndarray, np.ndarray]:
        """Return the share of these counts of both runs (2,), and what each question adds to it,
        (2, questions)."""
        matrices = [outcomes.matrices[name] for name in names if name in outcomes.matrices]
        number = sum(
            np.broadcast_to(matrix, (len(outcomes.runs), units))[[a, b]].astype(np.float64)
            for matrix in matrices
        )
        mean = np.sum(number, axis=1) / n.sum(axis=1)
        return mean, units * (number - mean[:, None] * n) / n.sum(axis=1, keepdims=True)

    (correct, of_correct), (abstained, of_abstained) = share(right), share(unanswered)
    apart, apart_abstained = correct[0] - correct[1], abstained[0] - abstained[1]
    by_right, by_abstention = apart * (1 + abstained.mean()), correct.mean() * apart_abstained
    influence = (
        (of_correct[0] - of_correct[1]) * (1 + abstained.mean())
        + apart * of_abstained.mean(axis=0),
        of_correct.mean(axis=0) * apart_abstained
        + correct.mean() * (of_abstained[0] - of_abstained[1]),
    )
    # Not 0, so that an interval has a width
    some = (correct.mean() * units + PRIOR) / (units + 2 * PRIOR)
    most = (1 + abstained.mean() + abs(apart) / 2, some + abs(apart_abstained) / 2)
    found = []
    for part, values, largest, end in zip(
        (by_right, by_abstention), influence, most, FARTHEST, strict=True
    ):
        error = np.sqrt((np.sum(values**2) + 2 * PRIOR * largest**2) / units / (units + 2 * PRIOR))
        half = student_quantile(1 - level / 2, max(units - 1, 1)) * error
        found += [part, max(part - half, -end), min(part + half, end)]
    return found
