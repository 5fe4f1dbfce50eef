"""Which runs differ significantly: intervals, p-values and groups as tables."""

from functools import lru_cache
from pathlib import Path
from string import ascii_lowercase

import numpy as np
import polars as pl

from nonresponse.reliability import PRIOR, abstention, best, clusters, intervals, pseudo_values, sign_flips
from nonresponse.reliability.cache import NOTHING, Cache
from nonresponse.reliability.compared import FEWEST, PAIRED, Compared
from nonresponse.reliability.outcomes import Outcomes, by_unit, full_scores, only
from nonresponse.reliability.rank_positions import best_first
from nonresponse.reliability.table_files import by_measure
from nonresponse.settings import Settings

TOLD_APART = {"measure": pl.String, "pairs": pl.Int64, **dict.fromkeys(("maxt", "interval", "p", "holm"), pl.Float64)}


def count(outcomes: Outcomes, campaign: str, settings: Settings, cache: Cache = NOTHING) -> dict[str, np.ndarray]:
    """`samples`: scores on samples of the questions (runs, samples). Counts of flips, for the compared runs: `as_large`
    and `exceeding` (pairs,), and `behind` (runs,).
    """
    those, seed = tested(outcomes, cache), settings["seed"]
    known = Known(those, cache)
    own, number = sign_flips.as_large(those, known.pairs), 0 if those.two_valued else flips_by_itself(those, settings)
    exchanges, flips = min(settings["exchanges"], number), settings["flips"]
    counters = [sign_flips.exceeding(those), sign_flips.behind(those, 1 if outcomes.measure.higher_is_better else -1)]
    alike = those.flipped is those.centred and exchanges == flips  # then one pass does for both kinds of counts
    counters += [own] * alike
    exceeding, behind, *more = sign_flips.counted(those.centred, counters, seed, campaign, flips, cache)
    [as_large] = more or sign_flips.counted(those.flipped, [own], seed, campaign, exchanges, cache)
    as_large = known.complete(as_large)
    in_cells = intervals.in_cells(outcomes) is not None
    sampled = intervals.sampled_scores(outcomes, seed, campaign, 0 if in_cells else settings["samples"])
    return {"samples": sampled, "as_large": as_large, "exceeding": exceeding, "behind": behind}


class Known:
    """The counts of `as_large` that are kept: of pairs of runs that are as they were, and must reach the same."""

    def __init__(self, those: Compared, cache: Cache) -> None:
        self.cache, self.runs, self.upper = cache, len(those.score), those.pairs
        self.reached = sign_flips.reached_by(those)
        before, found = (cache.pairs(name, those.place, "runs", np.float64) for name in ("reached", "as_large"))
        self.counts = found[0][self.upper]
        self.pairs = before[1][self.upper] & found[1][self.upper] & (before[0][self.upper] == self.reached)

    def complete(self, counts: np.ndarray) -> np.ndarray:
        """Return the counts (pairs,) with those that are known, and keep them."""
        counts = np.where(self.pairs, self.counts, counts).astype(np.int64)
        for name, values in (("reached", self.reached), ("as_large", counts)):
            both = np.zeros((self.runs,) * 2)
            both[self.upper] = both[self.upper[::-1]] = values
            self.cache.keep(name, both)
        return counts


def flips_by_itself(those: Compared, settings: Settings) -> int:
    """How many flips the test of a single pair takes: `exchanges`, but at most `flips` if there are too many pairs for
    any to be significant after Holm's correction, even with `exchanges`.
    """
    most, pairs = settings["exchanges"], len(those.pairs[0])
    return most if most > pairs / settings["level"] else min(most, settings["flips"])


@lru_cache(maxsize=1)
def tested(outcomes: Outcomes, cache: Cache = NOTHING) -> Compared:
    """The runs whose pairs are tested: those `compared`, or the best PAIRED of them.

    As intervals do, tests add half a question with the largest possible difference in either direction to the sum of
    squared differences; nothing for additive measures, for which flips are exact.
    """
    those = pseudo_values.counting(outcomes)
    score, psi = pseudo_values.scored(those)
    known = compared(those, psi) & paired(score, outcomes.measure.higher_is_better)
    additive = pseudo_values.additive(those, psi)
    largest = 0.0 if additive else intervals.largest_difference(chosen(those, known))
    return Compared(score[known], psi[known], additive, 2 * PRIOR * largest**2, cache)


def chosen(outcomes: Outcomes, some: np.ndarray) -> Outcomes:
    """Return the outcomes of some of the runs, bool (runs,)."""
    return outcomes if some.all() else only(outcomes, np.flatnonzero(some).tolist())


def compared(outcomes: Outcomes, psi: np.ndarray) -> np.ndarray:
    """Which runs are compared, bool (runs,): those whose scores stay defined whichever single question is left out.

    No run by a measure that noise moves in one direction; and no run with fewer than FEWEST in the rarer of two
    classes, if the measure compares two.
    """
    known = np.isfinite(psi).all(axis=1) & (not outcomes.measure.biased)
    return known & (pseudo_values.rarer_class(outcomes) >= FEWEST) if outcomes.measure.classes else known


def paired(score: np.ndarray, higher_is_better: bool) -> np.ndarray:
    """Which runs are paired with one another, bool (runs,): all, or the PAIRED best by score where there are more."""
    those = np.full(len(score), len(score) <= PAIRED)
    those[best_first(score, higher_is_better)[:PAIRED]] = True
    return those


def make(outcomes: Outcomes, assessor: str, campaign: str, settings: Settings, cache: Cache) -> list[pl.DataFrame]:
    """intervals (assessor, run) and comparisons (a, b), as docs/reliability.md describes their columns, and the parts
    of differences in c@1 (abstention.PARTS). Pairs of runs that are not `paired` have no row.
    """
    counted, those = count(outcomes, campaign, settings, cache), pseudo_values.counting(outcomes)
    value, psi = pseudo_values.scored(those)
    score = value if those is outcomes else full_scores(outcomes)
    higher_is_better = outcomes.measure.higher_is_better
    known = compared(those, psi)
    of_known = np.where(known, score, np.nan)
    rows = np.flatnonzero(paired(value, higher_is_better))
    pairs = tests(outcomes, counted, settings, cache)
    letters = np.full(len(score), "", object)
    letters[rows] = groups(of_known[rows], pairs["p_maxt"] <= settings["level"], higher_is_better)
    sign = 1 if higher_is_better else -1
    standing = {name: [None] * len(score) for name in best.STANDINGS}
    if not outcomes.measure.descriptive:
        standing = best.standings(sign * score, known, rows, pairs, counted["behind"], psi.shape[1], settings)
    # Measures that count questions were computed as shares of them; the tables have counts.
    unit = outcomes.asked if outcomes.measure.is_number else 1
    lower_and_upper, method = intervals.score_intervals(outcomes, score, counted["samples"], settings, campaign, cache)
    of_runs = pl.DataFrame(
        {
            "assessor": [assessor] * len(score),
            "run": outcomes.runs,
            "value": score * unit,
            **dict(zip(("lower", "upper"), (lower_and_upper * unit).T, strict=True)),
            "groups": letters.tolist(),
            **standing,
            "shrunken": best.shrunken(of_known, psi) * unit,
            "method": [name or None for name in method],
            "answers": answers(outcomes),
            **clusters.described(outcomes),
        },
        schema_overrides={
            **dict.fromkeys(["assessor", "run", "groups", "method"], pl.String),
            "answers": pl.Int64,
            **best.STANDINGS,
            "shrunken": pl.Float64,
            **clusters.DESCRIBED,
        },
    )
    x, y = (rows[place] for place in np.triu_indices(len(rows), 1))
    runs = np.array(outcomes.runs, dtype=object)
    of_pairs = pl.DataFrame(
        {
            "a": runs[x].tolist(),
            "b": runs[y].tolist(),
            "difference": (score[x] - score[y]) * unit,
            **dict(zip(("lower", "upper"), (pairs.pop("interval") * unit).T, strict=True)),
            **pairs,
        },
        schema_overrides={"a": pl.String, "b": pl.String},
    )
    parts = abstention.parts(outcomes, of_known, (x, y, pairs["p"]), settings["flips"], settings["seed"], campaign)
    return [*(frame.with_columns(pl.selectors.float().fill_nan(None)) for frame in (of_runs, of_pairs)), parts]


def summarise(files: list[Path], task: str, settings: Settings) -> list[pl.DataFrame]:
    """TOLD_APART, the shares of pairs of runs told apart, a row per measure; and abstention.PARTS by measure."""
    pairs, parts = by_measure(files, "comparisons"), by_measure(files, "abstention")
    rows = [{"measure": id, **discriminative_power(table, settings["level"])} for id, table in pairs.items()]
    of_all = pl.concat(table.select(pl.lit(id).alias("measure"), pl.all()) for id, table in parts.items())
    return [pl.DataFrame(rows, TOLD_APART), of_all]


def tests(outcomes: Outcomes, counted: dict, settings: Settings, cache: Cache = NOTHING) -> dict[str, np.ndarray]:
    """interval (pairs, 2) and p-values (pairs,) by name, of all pairs of the runs that are `paired`; NaN where one of
    the two is not compared.
    """
    questions = pseudo_values.counting(outcomes)
    score, psi = pseudo_values.scored(questions)
    known, rows = compared(questions, psi), paired(score, outcomes.measure.higher_is_better)
    x, y = np.triu_indices(rows.sum(), 1)
    both = known[rows][x] & known[rows][y]
    those, of_known = tested(outcomes, cache), chosen(questions, known & rows)
    p = sign_flips.paired(those, counted["as_large"], flips_by_itself(those, settings))
    among_all = p  # with a single pair, all that is said of it rests on one p
    if len(p) > 1:
        among_all = sign_flips.step_down(those, counted["exceeding"], settings["flips"])
    interval = intervals.differences(of_known, those.score, those.variance, settings["level"])
    of_compared = {
        "interval": with_zero(interval, p > settings["level"]),
        # A pair must not be more significant among all pairs than by itself: for runs that differ on five questions,
        # all in favour of one run, flips of centred differences give half the exact p.
        "p_maxt": np.maximum(among_all, p),
        "p": p,
        "p_holm": sign_flips.holm(p),
    }
    of_all = {name: np.full((len(x), *values.shape[1:]), np.nan) for name, values in of_compared.items()}
    for name, values in of_compared.items():
        of_all[name][both] = values
    return of_all


def with_zero(interval: np.ndarray, alike: np.ndarray) -> np.ndarray:
    """The intervals (pairs, 2), those of pairs that are `alike` (pairs,) widened to hold 0.

    Student's t may leave out 0 where the exact test of few questions finds no difference (5 against 0). The wider
    interval holds the truth no less often, and does not contradict the test.
    """
    lower, upper = interval.T
    return np.where(alike[:, None], np.stack([np.fmin(lower, 0), np.fmax(upper, 0)], axis=1), interval)


def totals(outcomes: Outcomes, name: str) -> np.ndarray:
    """A count or sum of each run over all questions, float64 (runs,)."""
    total = outcomes.matrices[name].sum(axis=1, dtype=np.float64)
    return np.broadcast_to(total, len(outcomes.runs))


def answers(outcomes: Outcomes) -> list[int | None]:
    """How many answers of each run the measure divides by, or the size of the rarer of two classes; None where it
    divides by the questions. For a combined measure, the smallest of its parts.

    A question that was asked several times counts with the mean over its epochs.
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


def groups(score: np.ndarray, apart: np.ndarray, higher_is_better: bool) -> list[str]:
    """The letters of each run's groups, "a" for a group that has the best run; "" where the score is undefined.

    Two runs share a letter exactly when they do not differ significantly: apart (pairs,), x before y. Piepho (2004)
    splits groups at every pair that differs; with hundreds of runs, that makes thousands of groups. Here a group is
    added only for a pair that is in no common group yet, which is as correct and makes few groups.
    """
    runs = len(score)
    differ = np.zeros((runs, runs), bool)
    differ[np.triu_indices(runs, 1)] = apart
    differ |= differ.T
    order = best_first(score, higher_is_better)
    letters = [""] * runs
    for number, members in enumerate(covering(~differ[np.ix_(order, order)])):
        for member in members:
            letters[order[member]] += letter(number)
    return letters


def covering(alike: np.ndarray) -> list[np.ndarray]:
    """Groups within which all runs are alike, such that any two alike runs share one; alike is bool (runs, runs)."""
    covered = []
    shared = np.zeros_like(alike)  # [i, j] = whether the two are in a common group already
    for run in range(len(alike)):
        while (waiting := np.flatnonzero(alike[run] & ~shared[run])).size:
            members = {run, waiting[-1] if shared[run, run] else run}
            fitting = np.logical_and.reduce(alike[sorted(members)])
            for candidate in range(len(alike)):
                if fitting[candidate]:
                    members.add(candidate)
                    fitting &= alike[candidate]
            group = np.array(sorted(members))
            shared[np.ix_(group, group)] = True
            covered.append(group)
    return covered


def letter(number: int) -> str:
    """a, b, ..., z, then a', b', ... with a prime for each time round."""
    rounds, place = divmod(number, len(ascii_lowercase))
    return ascii_lowercase[place] + "'" * rounds


def discriminative_power(comparisons: pl.DataFrame, level: float) -> dict[str, float | None]:
    """pairs that could be compared, and the shares of them told apart by each method; null without pairs."""
    known = comparisons.drop_nulls("p_maxt")
    outside = ((pl.col("lower") > 0) | (pl.col("upper") < 0)).fill_null(False)
    told = {"maxt": pl.col("p_maxt") <= level, "interval": outside}
    told |= {"p": pl.col("p") <= level, "holm": pl.col("p_holm") <= level}
    shares = known.select(apart.mean().alias(name) for name, apart in told.items())
    return {"pairs": known.height} | shares.row(0, named=True)
