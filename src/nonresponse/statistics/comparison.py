"""Which runs differ significantly: intervals, p-values, ranks, and the effect of abstention."""

from collections.abc import Iterable
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
from nonresponse.statistics.pairs import Pairs, Selection, pair_leaders, select_runs
from nonresponse.tables import cast_types

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
    "questions": pl.Int64,
    "clusters": pl.Int64,  # of questions; null where each question stands by itself
    # That the run was asked, of all questions together; null where no question was asked again
    "samples": pl.Int64,
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
    """Return INTERVALS, a row per run; COMPARISONS, a row per pair of the best MAX_RUNS runs; and
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
    divided = any(part.divides_by or part.classes for part in (measure, *measure.parts))
    ends, method = intervals.score_intervals(outcomes, score, settings, campaign)
    run_rows = pl.DataFrame(
        {
            "assessor": [assessor] * len(score),
            "run": outcomes.runs,
            "value": score,
            **dict(zip(("lower", "upper"), ends.T, strict=True)),
            "compared": runs.compared,
            **rank_range,
            "method": [name or None for name in method],
            "answers": intervals.count_units(outcomes) if divided else None,
            "questions": outcomes.question_count,
            "clusters": outcomes.n if outcomes.n < outcomes.question_count else None,
            "samples": count_samples(outcomes),
        }
    )
    x, y = pair_rows(runs)
    names = np.array(outcomes.runs, dtype=object)
    pair_columns = {
        "a": names[x].tolist(),
        "b": names[y].tolist(),
        "difference": score[x] - score[y],
        **dict(zip(("lower", "upper"), tests["interval"].T, strict=True)),
        **{name: tests[name] for name in ("p_maxt", "p")},
    }
    nan_to_null = pl.selectors.float().fill_nan(None)
    return [
        cast_types(run_rows.with_columns(nan_to_null), INTERVALS),
        pl.DataFrame(pair_columns, COMPARISONS).with_columns(nan_to_null),
        split_differences(outcomes, np.where(runs.smooth, score, np.nan), settings["level"]),
    ]


def count_samples(outcomes: Outcomes) -> np.ndarray | None:
    """Return how many samples each run was asked (runs,), None where no question was repeated."""
    weight = outcomes.inside.matrices.get("weight") if outcomes.inside else None
    if weight is None:
        return None
    return np.broadcast_to((weight > 0).sum(axis=1), len(outcomes.runs))


def summarise(inputs: Inputs, task: str, settings: Settings) -> list[pl.DataFrame]:
    """Return POWER, the shares of pairs that differ, a row per measure; and PARTS by measure."""
    rows = [
        {"measure": id, **discriminative_power(table, settings["level"])}
        for id, table in inputs.tables("comparisons").items()
    ]
    return [pl.DataFrame(rows, POWER), stack_tables(inputs.tables("abstention"))]


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
    interval leaves out 0. Where a question can only be correct or wrong, it is McNemar's exact one
    (1947). p_maxt holds for all pairs together.
    """
    pairs, level = runs.pairs, settings["level"]
    p, values = pairs.p, pairs.influence.binary_values
    never = 2 * ((pairs.squares == 0) & (pairs.difference == 0))
    if values and np.allclose(pairs.largest, values[1] - values[0], rtol=1e-6, atol=0):
        only_x, only_y = count_discordant(pairs)
        p, never = fair_tails(only_x, only_x + only_y), (only_x == 0) + 1 * (only_y == 0)
    interval = pairs.interval(level, never)
    p = np.maximum(p, np.exp2(1.0 - pairs.units))  # so few questions have no rarer flip
    # Student's t may leave out 0 where the exact test of few questions finds no difference (5
    # against 0). The wider interval does not contradict it.
    zero = np.stack([np.fmin(interval[:, 0], 0), np.fmax(interval[:, 1], 0)], axis=1)
    interval = np.where((p > level)[:, None], zero, interval)
    p_maxt = p
    if len(p) > 1:  # a pair must not be more significant among all pairs than by itself
        p_maxt = np.maximum(sign_flips.step_down(pairs, exceeding, settings["flips"]), p)
    x, y = pair_rows(runs)
    compared = runs.compared[x] & runs.compared[y]
    tests = {}
    for name, results in (("interval", interval), ("p_maxt", p_maxt), ("p", p)):
        tests[name] = np.full((len(x), *results.shape[1:]), np.nan)
        tests[name][compared] = results
    return tests


def pair_rows(runs: Selection) -> np.ndarray:
    """Return the rows of both runs of each pair of the paired runs, (2, pairs)."""
    return np.flatnonzero(runs.paired)[np.stack(np.triu_indices(runs.paired.sum(), 1))]


def count_discordant(pairs: Pairs) -> tuple[np.ndarray, np.ndarray]:
    """Return on how many questions only x is right, and only y, (pairs,) each, where influence
    values are two."""
    (x, y), (low, high) = pairs.rows, pairs.influence.binary_values or (0, 1)
    right = pairs.influence.right
    common = pairs.products[x, y] / (high - low) ** 2 + right[x] * right[y] / pairs.questions
    number = np.rint(common).astype(np.int64)
    return right[x] - number, right[y] - number


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
    level, number = settings["level"], len(score)
    x, y = pair_rows(runs)
    differs = tests["p_maxt"] <= level
    leader, trailer = np.where(score[x] >= score[y], (x, y), (y, x))
    better = np.bincount(trailer[differs], minlength=number)
    worse = np.bincount(leader[differs], minlength=number)
    p = np.zeros(number)
    p[runs.compared] = (1 + behind) / (1 + settings["flips"])
    # As with p_maxt: no more significant than being behind the run that leads most clearly
    pair_p = np.ones(number)
    np.minimum.at(pair_p, trailer, np.nan_to_num(tests["p"] / 2, nan=1.0))
    ranks = {
        "rank_low": better + 1,
        "rank_high": np.isfinite(score).sum() - worse,
        "may_be_best": (better == 0) & (np.maximum(p, pair_p) > level),
    }
    return {name: np.where(runs.compared, values, np.nan) for name, values in ranks.items()}


def discriminative_power(comparisons: pl.DataFrame, level: float) -> dict[str, float | None]:
    """Return the number of compared pairs, and the shares that differ (Sakai 2006)."""
    tested = comparisons.drop_nulls("p_maxt")
    shares = tested.select(maxt=(pl.col("p_maxt") <= level).mean(), p=(pl.col("p") <= level).mean())
    return {"pairs": tested.height} | shares.row(0, named=True)


def split_differences(outcomes: Outcomes, score: np.ndarray, level: float) -> pl.DataFrame:
    """Return PARTS, the best run against each of the next; empty for measures other than c@1.

    score (runs,), NaN = not compared. There are no p-values: pairs that were chosen by their
    difference are not tested.
    """
    pairs = pair_leaders(score, higher_is_better=True) if outcomes.measure.id == "c@1" else []
    names = outcomes.runs
    rows = [
        (names[a], names[b], score[a] - score[b], *split_difference(outcomes, a, b, level))
        for a, b in pairs
    ]
    return pl.DataFrame(rows, PARTS, orient="row")


def split_difference(outcomes: Outcomes, a: int, b: int, level: float) -> list[float]:
    """Return the parts of a difference in c@1 by correct answers and by abstention, each with the
    ends of its interval.

    With a the share of correct answers and u that of unanswered questions, c@1 = a (1 + u), and a
    difference is the sum of delta a (1 + mean u) and mean a delta u. Student's t on influence
    values, with half a question, or equal cluster, more in either direction. It moves a part by its
    gradient at these shares. The interval is centred on the part itself.
    """
    correct_counts, unanswered_counts, _ = tasks.get(outcomes.measure.task).outcomes.values()
    units = outcomes.n
    equal = min(intervals.effective_units(outcomes)[[a, b]]) if outcomes.inside else units

    def add_counts(names: Iterable[str]) -> np.ndarray:
        """Return the sum of these counts on each question for both runs, (2, questions)."""
        matrices = [outcomes.matrices[name] for name in names if name in outcomes.matrices]
        rows = [matrix[[a, b] if len(matrix) > 1 else [0, 0]] for matrix in matrices]
        return np.stack(rows).sum(axis=0, dtype=np.float64)

    n = add_counts(["n"])

    def share(names: Iterable[str]) -> tuple[np.ndarray, np.ndarray]:
        """Return the share of these counts of both runs (2,), and its influence values."""
        number = add_counts(names)
        mean = np.sum(number, axis=1) / n.sum(axis=1)
        return mean, units * (number - mean[:, None] * n) / n.sum(axis=1, keepdims=True)

    (correct, d_correct), (abstained, d_abstained) = share(correct_counts), share(unanswered_counts)
    gap, abstention_gap = correct[0] - correct[1], abstained[0] - abstained[1]
    parts = gap * (1 + abstained.mean()), correct.mean() * abstention_gap
    influence = (
        (d_correct[0] - d_correct[1]) * (1 + abstained.mean()) + gap * d_abstained.mean(axis=0),
        d_correct.mean(axis=0) * abstention_gap
        + correct.mean() * (d_abstained[0] - d_abstained[1]),
    )
    # Not 0, so that an interval has a width
    smoothed = (correct.mean() * units + PRIOR) / (units + 2 * PRIOR)
    largest = (1 + abstained.mean() + abs(gap) / 2, smoothed + abs(abstention_gap) / 2)
    columns = []
    for part, values, step, end in zip(parts, influence, largest, FARTHEST, strict=True):
        squares = np.sum(values**2) + 2 * PRIOR * (units / equal * step) ** 2
        error = np.sqrt(squares / units / (units + 2 * PRIOR))
        half = student_quantile(1 - level / 2, max(equal - 1, 1)) * error
        columns += [part, max(part - half, -end), min(part + half, end)]
    return columns
