"""Compare two runs on the questions that both were asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import product
from operator import itemgetter
from typing import Any

import numpy as np
import polars as pl

from nonresponse import measures as records
from nonresponse.front import RefusedError
from nonresponse.front.comparison import IMPUTATIONS, MEASURES, MIXED, STATES, Comparison, Parts
from nonresponse.judging.store import Verdicts, of_rows
from nonresponse.statistics import comparison
from nonresponse.statistics.outcomes import Outcomes, Samples, full_scores, only, samples_of
from nonresponse.statistics.pairs import select_runs
from nonresponse.tasks import NOT_ASKED, VERDICTS
from nonresponse.workflow.campaigns import Campaign

ANSWERED = "answered"  # the state of a response where nobody judged any
# Measures of these alone have by_correct and by_abstention
SHARES = {"n", "n_ac", "n_aw", "n_u", "n_rightful"}


def compare_runs(
    campaign: Campaign,
    store: Verdicts,
    a: str,
    b: str,
    clusters: Mapping[str, str],
    warnings: Sequence[str] = (),
) -> Comparison:
    """Compare two runs of a campaign by its measures and policies, on the questions that both were
    asked.

    clusters: the cluster of each question that is in one. Where a policy excludes verdicts, a
    question on which one of the two has no other is left out of both. RefusedError where a run is
    missing, or no question is shared.
    """
    rows = rows_of(store, campaign.official, a, b)
    asked = {
        run: {*rows.filter(pl.col("run") == run, pl.col("verdict") != NOT_ASKED)["question"]}
        for run in (a, b)
    }
    shared = asked[a] & asked[b]
    if not shared:
        examples = [min(asked[run], default="none") for run in (a, b)]
        raise RefusedError(
            f"{a} and {b} share no question ({len(asked[a]):,} such as {examples[0]!r}, "
            f"{len(asked[b]):,} such as"
            f" {examples[1]!r}): compare runs whose questions have the same names"
        )
    rows = rows.with_columns(compared=pl.col("question").is_in(shared))
    own = without_excluded(rows, campaign.policy)
    pair = Pair(campaign, (a, b), own, rows, clusters)
    crossed, changed = changes(rows.filter("compared"), a, b, campaign.judged)
    number, left = (
        it.filter("compared").select("question", "candidate").n_unique() for it in (rows, own)
    )
    return Comparison(
        a,
        b,
        (len(shared), len(asked[a] - shared), len(asked[b] - shared)),
        number - left,
        verdicts_of(rows, a, b),
        campaign.policy if campaign.judged else {},
        pair.table(),
        crossed,
        changed,
        [(correct, wrong) for correct, _, wrong in pair.shares],
        campaign.reliability["level"],
        pair.units,
        bool(clusters),
        pair.parts,
        warnings,
    )


def rows_of(store: Verdicts, official: str | None, a: str, b: str) -> pl.DataFrame:
    """Return the rows of two runs under the official assessor. RefusedError where one is missing,
    or both are the same."""
    if a == b:
        raise RefusedError(f"{a} is named twice: name two runs")
    assessor = store.assessors.index(store.official(official))
    runs = [run for number, run in enumerate(store.runs) if store.codes[assessor, number].any()]
    for name in (a, b):
        if name not in runs:
            raise RefusedError(f"There is no run {name!r}; there are: {', '.join(runs[:20])}")
    positions = [store.runs.index(name) for name in (a, b)]
    rows = [
        store.frame([*store.columns], assessor, slice(position, position + 1))
        for position in positions
    ]
    both = {*rows[0]["question"]} & {*rows[1]["question"]}
    return pl.concat(rows).filter(pl.col("question").is_in(both))


def without_excluded(rows: pl.DataFrame, policy: Mapping[str, str]) -> pl.DataFrame:
    """Return the rows, not compared on what one run has no verdict for that counts: the policy
    excludes all of them."""
    excluded = [word for word, choice in policy.items() if choice == "exclude"]
    if not excluded:
        return rows
    counted = pl.col("compared") & ~pl.col("verdict").is_in([*excluded, NOT_ASKED])
    both = pl.col("run").filter(counted).n_unique().over("question", "candidate") == 2
    return rows.with_columns(compared=pl.col("compared") & both)


def verdicts_of(rows: pl.DataFrame, a: str, b: str) -> pl.DataFrame:
    """Return run, the number of responses by verdict on what both were asked, and of questions not
    asked."""
    words = [*STATES, *(word for word in VERDICTS if word not in STATES)]
    there = rows.filter("compared", pl.col("verdict") != NOT_ASKED).group_by("run", "verdict").len()
    numbers = {(run, verdict): count for run, verdict, count in there.iter_rows()}
    every = rows["question"].n_unique()
    asked = {
        run: rows.filter(pl.col("run") == run, pl.col("verdict") != NOT_ASKED)[
            "question"
        ].n_unique()
        for run in (a, b)
    }
    return pl.DataFrame(
        [
            {
                "run": run,
                **{word: numbers.get((run, word), 0) for word in words},
                NOT_ASKED: every - asked[run],
            }
            for run in (a, b)
        ]
    )


class Pair:
    """Two runs, tested by each measure of their campaign under its policies, and under other
    imputations of its verdicts.

    own: the rows as the policies have them; every: those of all imputations, with what a policy
    excludes.
    """

    def __init__(
        self,
        campaign: Campaign,
        names: tuple[str, str],
        own: pl.DataFrame,
        every: pl.DataFrame,
        clusters: Mapping[str, str],
    ) -> None:
        self.campaign, self.names, self.clusters = campaign, names, clusters
        self.samples = samples_in(own, campaign)
        words = {*every.filter("compared")["verdict"]} if campaign.judged else set()
        uncertain = [word for word in IMPUTATIONS if word in words]
        choices = product(*(IMPUTATIONS[word] for word in uncertain)) if uncertain else ()
        self.imputed = [
            campaign.policy | dict(zip(uncertain, choice, strict=True)) for choice in choices
        ]
        self.of_imputed = (
            self.samples if every is own or not uncertain else samples_in(every, campaign)
        )
        self.shares = shares_of(own, campaign.policy, names) if campaign.judged else []

    @cached_property
    def units(self) -> int:
        """The number of questions, or of clusters of them."""
        return self.outcomes(self.campaign.measures[0]).n

    def outcomes(self, id: str) -> Outcomes:
        """Return the outcomes by a measure under the policies, of the first run and of the
        second."""
        found = self.samples.outcomes(
            self.campaign.measure(id), self.campaign.policy, self.clusters
        )
        return only(found, [found.runs.index(name) for name in self.names])

    def table(self) -> pl.DataFrame:
        """Return MEASURES."""
        return pl.DataFrame([self.row(id) for id in self.campaign.measures], MEASURES, orient="row")

    def row(self, id: str) -> tuple[Any, ...]:
        """Return a row of MEASURES."""
        level, measure, outcomes = (
            self.campaign.reliability["level"],
            self.campaign.measure(id),
            self.outcomes(id),
        )
        scores = scores_of(outcomes)
        tested = test_pair(outcomes, level)
        by = (
            parts_of(measure, *([right, unanswered] for right, unanswered, _ in self.shares))
            if self.shares and not np.any(outcomes.matrices.get("n_rightful", 0))
            else (None, None)
        )
        return id, *scores, less(*scores), *tested, tested[-1], *by, *self.extremes(measure, level)

    def extremes(self, measure: records.Measure, level: float) -> tuple[float | None, ...]:
        """Return the least difference over all imputations, its p, the largest one, and its p;
        nulls without imputations."""
        if not self.imputed:
            return (None,) * 4
        of_each = [
            self.of_imputed.outcomes(measure, imputed, self.clusters) for imputed in self.imputed
        ]
        a, b = (
            [
                (score, one)
                for one in of_each
                if (score := scores_of(one)[one.runs.index(name)]) is not None
            ]
            for name in self.names
        )
        if not a or not b:
            return (None,) * 4
        found: list[float | None] = []
        for first, second in (
            (max(a, key=itemgetter(0)), min(b, key=itemgetter(0))),
            (min(a, key=itemgetter(0)), max(b, key=itemgetter(0))),
        ):
            both = [
                only(one, [one.runs.index(name)])
                for (_, one), name in zip((first, second), self.names, strict=True)
            ]
            found += [second[0] - first[0], test_pair(joined(*both), level)[-1]]
        return tuple(found)

    @cached_property
    def parts(self) -> Parts | None:
        """The parts of the difference in c@1; None where it is no measure of the campaign, or has
        no test."""
        if "c@1" not in self.campaign.measures or not self.shares:
            return None
        outcomes, level = self.outcomes("c@1"), self.campaign.reliability["level"]
        if test_pair(outcomes, level)[-1] is None:
            return None
        correct, *ends, unanswered, low, high = map(
            float, comparison.split_difference(outcomes, 1, 0, level)
        )
        return Parts((correct, ends[0], ends[1]), (unanswered, low, high))


def samples_in(rows: pl.DataFrame, campaign: Campaign) -> Samples:
    """Return the samples of questions in rows of one assessor."""
    store = of_rows(rows, campaign.task)
    return samples_of(store, store.assessors[0])


def scores_of(outcomes: Outcomes) -> list[float | None]:
    """Return the scores of runs; a number of questions where the measure is one."""
    unit = outcomes.asked if outcomes.measure.is_number else 1
    return [None if np.isnan(value) else float(value) * unit for value in full_scores(outcomes)]


def less(a: float | None, b: float | None) -> float | None:
    """Return b less a."""
    return None if a is None or b is None else b - a + 0.0  # no -0.0


def test_pair(outcomes: Outcomes, level: float) -> tuple[float | None, float | None, float | None]:
    """Return both ends of the interval of the difference of two runs, the second less the first,
    and its p."""
    found = comparison.test_pairs(select_runs(outcomes), np.zeros(0), {"level": level, "flips": 0})
    unit = outcomes.asked if outcomes.measure.is_number else 1
    lower, upper = (-end * unit + 0.0 for end in reversed(found["interval"][0].tolist()))
    values = [lower, upper, float(found["p"][0])]
    lower, upper, p = (None if np.isnan(value) else value for value in values)
    return lower, upper, p


def joined(one: Outcomes, other: Outcomes) -> Outcomes:
    """Return the outcomes of a run under one imputation and those of another run under another."""

    def both(name: str) -> np.ndarray:
        return np.concatenate([one.matrices[name], other.matrices[name]])

    return replace(
        one,
        runs=[*one.runs, *other.runs],
        matrices={name: both(name) for name in one.matrices},
        known=known_of(one, other),
        orders=[*one.orders, *other.orders],
        inside=joined(one.inside, other.inside) if one.inside and other.inside else None,
        parts=[joined(*pair) for pair in zip(one.parts, other.parts, strict=True)],
    )


def known_of(one: Outcomes, other: Outcomes) -> np.ndarray | None:
    """Return which questions can give each of two runs a value; None for all of them."""
    if one.known is None and other.known is None:
        return None
    every = np.ones((1, one.n), np.float32)
    return np.concatenate([every if its.known is None else its.known for its in (one, other)])


def shares_of(
    rows: pl.DataFrame, policy: Mapping[str, str], names: Sequence[str]
) -> list[tuple[float, float, float]]:
    """Return the shares of correct, unanswered and wrong responses of each run, under the
    policies."""
    words = {word: choice for word, choice in policy.items() if word != choice}
    counted = rows.filter("compared", pl.col("verdict") != NOT_ASKED).with_columns(
        pl.col("verdict").replace(words)
    )
    counted = counted.filter(pl.col("verdict").is_in(STATES))
    each = counted.group_by("run", "question", "candidate").agg(
        (pl.col("verdict") == word).mean().alias(word) for word in STATES
    )
    means = {
        run: shares for run, *shares in each.group_by("run").agg(pl.col(STATES).mean()).iter_rows()
    }
    return [tuple(means.get(name, (0.0, 0.0, 0.0))) for name in names]


def parts_of(
    measure: records.Measure, a: Sequence[float], b: Sequence[float]
) -> tuple[float | None, float | None]:
    """Return the parts of a difference due to correct answers and to abstention; (None, None) where
    undefined.

    a and b are shares of correct and of unanswered questions, none of them rightly so. A part is
    the mean effect of changing one share, before and after the other is changed.
    """
    if measure.kind != "counts" or not {*measure.totals} <= SHARES:
        return None, None

    def value(correct: float, unanswered: float) -> float:
        totals = {
            "n": 1.0,
            "n_ac": correct,
            "n_u": unanswered,
            "n_aw": 1 - correct - unanswered,
            "n_rightful": 0.0,
        }
        return float(measure(**{name: totals[name] for name in measure.totals}))

    (correct_a, unanswered_a), (correct_b, unanswered_b) = a, b
    try:
        before, after = value(correct_a, unanswered_a), value(correct_b, unanswered_b)
        correct, unanswered = value(correct_b, unanswered_a), value(correct_a, unanswered_b)
    except ZeroDivisionError:
        return None, None
    return (correct - before + after - unanswered) / 2, (unanswered - before + after - correct) / 2


def changes(
    rows: pl.DataFrame, a: str, b: str, judged: bool = True
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return numbers of questions by the verdicts of a (rows) and b, and the questions with another
    verdict.

    The times that a question was asked have no counterparts in the other run, so that its verdicts
    are taken together. A verdict that is missing, unscored or error, is shown, but changes nothing.
    """
    keys = ["question", "candidate"]
    state = pl.col("verdict") if judged else pl.col("verdict").replace("unscored", ANSWERED)
    alike = pl.when(state.n_unique() == 1).then(state.first()).otherwise(pl.lit(MIXED))
    left, right = (
        rows.filter(pl.col("run") == run, pl.col("verdict") != NOT_ASKED)
        .group_by(keys)
        .agg(alike.alias(name))
        for run, name in ((a, "a"), (b, "b"))
    )
    both = left.join(right, on=keys, nulls_equal=True)
    known = STATES if judged else (ANSWERED, "unanswered")
    seen = {*both["a"], *both["b"]}
    names = [*known, *(word for word in (*VERDICTS, MIXED) if word in seen and word not in known)]
    counted = {(x, y): count for x, y, count in both.group_by("a", "b").len().iter_rows()}
    crossed = pl.DataFrame(
        [(x, *(counted.get((x, y), 0) for y in names)) for x in names], ["a", *names], orient="row"
    )
    judged_both = ~pl.col("a").is_in([*IMPUTATIONS]) & ~pl.col("b").is_in([*IMPUTATIONS])
    changed = both.filter(pl.col("a") != pl.col("b"), judged_both).sort("a", "b", *keys)
    shown = keys if both["candidate"].n_unique() > 1 else keys[:1]
    return crossed, changed.select(*shown, "a", "b")


def corrected(found: list[Comparison]) -> list[Comparison]:
    """Return comparisons of several runs with one, with p_holm corrected for their number, measure
    by measure."""
    if len(found) < 2:
        return found
    every = pl.concat(
        it.measures.select("measure", "p", position=pl.lit(place)) for place, it in enumerate(found)
    )
    of_rank = pl.col("p") * (pl.col("p").count() - pl.col("p").rank("ordinal") + 1)  # Holm 1979
    holm = of_rank.cum_max().clip(upper_bound=1).over("measure")
    every = (
        every.with_row_index("row").sort("p", nulls_last=True).with_columns(p_holm=holm).sort("row")
    )
    tables = [every.filter(position=position)["p_holm"] for position in range(len(found))]
    return [
        replace(it, measures=it.measures.with_columns(table))
        for it, table in zip(found, tables, strict=True)
    ]
