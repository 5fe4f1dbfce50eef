"""Compare two runs on the questions that both were asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from operator import itemgetter

import numpy as np
import polars as pl

from nonresponse.front import RefusedError
from nonresponse.front.campaign import select_measures
from nonresponse.front.comparison import IMPUTATIONS, MEASURES, MIXED, STATES, Comparison, Parts
from nonresponse.front.responses import Responses
from nonresponse.judging.store import Verdicts, make_store
from nonresponse.statistics import comparison
from nonresponse.statistics.outcomes import (
    Outcomes,
    Samples,
    full_scores,
    select_rows,
    select_samples,
)
from nonresponse.statistics.pairs import select_runs
from nonresponse.tasks import NOT_ASKED, VERDICTS
from nonresponse.workflow.campaigns import Campaign

ANSWERED = "answered"  # the state of a response where nobody judged any
ASKED = pl.col("verdict") != NOT_ASKED
Value = float | None


def compare_runs(
    responses: Responses,
    a: str,
    b: str,
    measures: Sequence[str] = (),
    warnings: Sequence[str] = (),
) -> Comparison:
    """Compare two runs by measures and by the campaign's policies, on the questions that both were
    asked.

    Where a policy excludes verdicts, a question on which one of the two has no other is left out of
    both. RefusedError where a run is missing, or no question is shared.
    """
    campaign = to_compare(responses.campaign, measures)
    every = rows_of(responses.store, campaign.official, [a, b])
    asked = {run: {*every.filter(ASKED, run=run)["question"]} for run in (a, b)}
    shared = asked[a] & asked[b]
    if not shared:
        examples = (f"{len(own):,} such as {min(own, default='none')!r}" for own in asked.values())
        raise RefusedError(
            f"{a} and {b} share no question ({', '.join(examples)}): compare runs whose questions "
            "have the same names"
        )
    every = every.with_columns(compared=pl.col("question").is_in(shared))
    own = without_excluded(every, campaign.policy)
    items = [rows.filter("compared").select("question", "candidate") for rows in (every, own)]
    pair = pair_of(campaign, (a, b), own, every, responses.clusters)
    crossed, changed = changes(every.filter("compared"), a, b, campaign.judged)
    return Comparison(
        a,
        b,
        (len(shared), len(asked[a] - shared), len(asked[b] - shared)),
        items[0].n_unique() - items[1].n_unique(),
        verdicts_of(every, a, b),
        campaign.policy if campaign.judged else {},
        pl.DataFrame([pair.row(id) for id in campaign.measures], MEASURES, orient="row"),
        crossed,
        changed,
        [(correct, wrong) for correct, _, wrong in pair.shares],
        pair.level,
        pair.outcomes(campaign.measures[0]).n,
        bool(responses.clusters),
        pair.parts,
        warnings,
    )


def compare_with_first(
    responses: Responses,
    runs: Sequence[str],
    measures: Sequence[str] = (),
    warnings: Sequence[Sequence[str]] = (),
) -> list[Comparison]:
    """Compare each of the other runs with the first, with p_maxt over all pairs of them.

    warnings: of each comparison. RefusedError as of compare_runs, and where no question was asked
    of all.
    """
    first, *others = runs
    found = [
        compare_runs(responses, first, run, measures, of_pair)
        for run, of_pair in zip(others, warnings or [()] * len(others), strict=True)
    ]
    if len(found) < 2:
        return found
    campaign = to_compare(responses.campaign, measures)
    together = test_together(responses, runs, campaign)
    return [
        replace(
            pair, measures=pair.measures.with_columns(p_maxt=pl.Series(p_values, dtype=pl.Float64))
        )
        for pair, p_values in zip(found, together, strict=True)
    ]


def test_together(
    responses: Responses, runs: Sequence[str], campaign: Campaign
) -> list[list[Value]]:
    """Return p_maxt of each pair with the first run, by measure, on the questions that all were
    asked; as the workflow tests the runs of a campaign."""
    every = rows_of(responses.store, campaign.official, runs)
    asked = every.filter(ASKED).group_by("question").agg(pl.col("run").n_unique())
    shared = asked.filter(run=len(runs))["question"]
    if shared.is_empty():
        raise RefusedError(
            f"No question was asked of all {len(runs)} runs: compare them two at a time"
        )
    every = every.with_columns(compared=pl.col("question").is_in(shared.implode()))
    samples = samples_in(without_excluded(every, campaign.policy), campaign)
    settings, found = campaign.reliability, []
    for id in campaign.measures:
        outcomes = outcomes_of(samples, campaign, id, runs, responses.clusters)
        selection = select_runs(outcomes)
        exceeding, _ = comparison.count_flips(selection, campaign.name, settings)
        p_maxt = comparison.test_pairs(selection, exceeding, settings)["p_maxt"]
        found.append([None if np.isnan(p) else float(p) for p in p_maxt[: len(runs) - 1]])
    return [[*of_pair] for of_pair in zip(*found, strict=True)]


def to_compare(campaign: Campaign, ids: Sequence[str]) -> Campaign:
    """Return the campaign with these measures or, if none are named, those that a comparison of its
    task shows."""
    task = campaign.task_record
    own = campaign.options["measures_named"] or not campaign.judged
    own = own or [*campaign.measures] == [*task.unanswerable_measures]
    return select_measures(campaign, ids or ([] if own else task.log_measures))


def rows_of(store: Verdicts, official: str | None, names: Sequence[str]) -> pl.DataFrame:
    """Return the rows of runs on what all of them have a row for, under the official assessor.
    RefusedError where one is missing, or is named twice."""
    assessor = store.assessors.index(store.official(official))
    runs = [run for number, run in enumerate(store.runs) if store.codes[assessor, number].any()]
    rows = []
    for position, name in enumerate(names):
        if name in names[:position]:
            raise RefusedError(f"{name} is named twice: name two runs")
        if name not in runs:
            raise RefusedError(f"There is no run {name!r}; there are: {', '.join(runs[:20])}")
        index = store.runs.index(name)
        rows.append(store.frame([*store.columns], assessor, slice(index, index + 1)))
    shared = set.intersection(*({*own["question"]} for own in rows))
    return pl.concat(rows).filter(pl.col("question").is_in(shared))


def without_excluded(rows: pl.DataFrame, policy: Mapping[str, str]) -> pl.DataFrame:
    """Return the rows, not compared on what a run has no verdict for that counts: the policy
    excludes all of them."""
    excluded = [word for word, choice in policy.items() if choice == "exclude"]
    if not excluded:
        return rows
    counted = pl.col("compared") & ~pl.col("verdict").is_in([*excluded, NOT_ASKED])
    counting = pl.col("run").filter(counted).n_unique().over("question", "candidate")
    return rows.with_columns(compared=pl.col("compared") & (counting == rows["run"].n_unique()))


def verdicts_of(rows: pl.DataFrame, a: str, b: str) -> pl.DataFrame:
    """Return run, the number of responses by verdict on what both were asked, and of questions not
    asked."""
    words = [*STATES, *(word for word in VERDICTS if word not in STATES)]
    questions, seen = rows["question"].n_unique(), []
    for run in (a, b):
        own = rows.filter(ASKED, run=run)
        counts = dict(own.filter("compared")["verdict"].value_counts().iter_rows())
        numbers = {word: counts.get(word, 0) for word in words}
        seen.append({"run": run, **numbers, NOT_ASKED: questions - own["question"].n_unique()})
    return pl.DataFrame(seen)


@dataclass
class Pair:
    """Two runs with their samples as the policies have them, and as `imputed` policies have them,
    which impute what has no verdict; `every` has what a policy excludes, too."""

    campaign: Campaign
    names: tuple[str, str]
    samples: Samples
    every: Samples
    imputed: list[dict[str, str]]
    shares: list[tuple[float, float, float]]  # correct, unanswered and wrong, of both
    clusters: Mapping[str, str]

    @property
    def level(self) -> float:
        """The level of the tests."""
        level: float = self.campaign.reliability["level"]
        return level

    def outcomes(self, id: str, policy: dict[str, str] | None = None) -> Outcomes:
        """Return the outcomes of both by a measure, under the policies or one of `imputed`."""
        samples = self.every if policy else self.samples
        return outcomes_of(samples, self.campaign, id, self.names, self.clusters, policy)

    def row(self, id: str) -> tuple[str | Value, ...]:
        """Return a row of MEASURES."""
        outcomes = self.outcomes(id)
        a, b = scores_of(outcomes)
        difference = None if a is None or b is None else b - a + 0.0  # no -0.0
        tested = test_pair(outcomes, self.level)
        return id, a, b, difference, *tested, tested[-1], *self.extremes(id)

    def extremes(self, id: str) -> tuple[Value, ...]:
        """Return the least difference over all imputations, its p, the largest one, and its p;
        nulls without imputations."""
        a: list[tuple[float, Outcomes]] = []
        b: list[tuple[float, Outcomes]] = []
        for outcomes in (self.outcomes(id, policy) for policy in self.imputed):
            for run, score in zip((a, b), scores_of(outcomes), strict=True):
                run += [] if score is None else [(score, outcomes)]
        if not a or not b:
            return (None,) * 4
        found: list[Value] = []
        for of_a, of_b in ((max, min), (min, max)):
            (first, under), (second, other) = of_a(a, key=itemgetter(0)), of_b(b, key=itemgetter(0))
            both = joined(select_rows(under, [0]), select_rows(other, [1]))
            found += [second - first, test_pair(both, self.level)[-1]]
        return tuple(found)

    @property
    def parts(self) -> Parts | None:
        """The parts of the difference in c@1; None where it is no measure of the campaign, or has
        no test."""
        if "c@1" not in self.campaign.measures or not self.shares:
            return None
        outcomes = self.outcomes("c@1")
        if test_pair(outcomes, self.level)[-1] is None:
            return None
        correct, low, high, unanswered, *ends = map(
            float, comparison.split_difference(outcomes, 1, 0, self.level)
        )
        return Parts((correct, low, high), (unanswered, ends[0], ends[1]))


def pair_of(
    campaign: Campaign,
    names: tuple[str, str],
    own: pl.DataFrame,
    every: pl.DataFrame,
    clusters: Mapping[str, str],
) -> Pair:
    """Return a pair of runs by their rows as the policies have them, and by those of all
    imputations."""
    words = {*every.filter("compared")["verdict"]} if campaign.judged else set()
    uncertain = [word for word in IMPUTATIONS if word in words]
    choices = product(*(IMPUTATIONS[word] for word in uncertain)) if uncertain else ()
    imputed = [campaign.policy | dict(zip(uncertain, choice, strict=True)) for choice in choices]
    samples = samples_in(own, campaign)
    of_all = samples_in(every, campaign) if imputed and every is not own else samples
    shares = shares_of(own, campaign.policy, names) if campaign.judged else []
    return Pair(campaign, names, samples, of_all, imputed, shares, clusters)


def samples_in(rows: pl.DataFrame, campaign: Campaign) -> Samples:
    """Return the samples of questions in rows of one assessor."""
    store = make_store(rows, campaign.task)
    return select_samples(store, store.assessors[0])


def outcomes_of(
    samples: Samples,
    campaign: Campaign,
    id: str,
    runs: Sequence[str],
    clusters: Mapping[str, str],
    policy: dict[str, str] | None = None,
) -> Outcomes:
    """Return the outcomes of runs, in this order, by a measure, under the policies of the campaign
    or under another one."""
    found = samples.outcomes(campaign.measure(id), policy or campaign.policy, clusters)
    return select_rows(found, [found.runs.index(run) for run in runs])


def scores_of(outcomes: Outcomes) -> list[Value]:
    """Return the scores of runs; a number of questions where the measure is one."""
    unit = outcomes.question_count if outcomes.measure.is_number else 1
    return [None if np.isnan(value) else float(value) * unit for value in full_scores(outcomes)]


def test_pair(outcomes: Outcomes, level: float) -> tuple[Value, Value, Value]:
    """Return both ends of the interval of the difference of two runs, the second less the first,
    and its p."""
    found = comparison.test_pairs(select_runs(outcomes), np.zeros(0), {"level": level, "flips": 0})
    unit = outcomes.question_count if outcomes.measure.is_number else 1
    upper, lower = (-end * unit + 0.0 for end in found["interval"][0].tolist())
    values = [lower, upper, float(found["p"][0])]
    lower, upper, p = (None if np.isnan(value) else value for value in values)
    return lower, upper, p


def joined(first: Outcomes, other: Outcomes) -> Outcomes:
    """Return the outcomes of a run under one imputation and those of another run under another."""
    scorable = None
    if first.scorable is not None or other.scorable is not None:
        every = np.ones((1, first.n), np.float32)
        scorable = np.concatenate(
            [
                every if outcomes.scorable is None else outcomes.scorable
                for outcomes in (first, other)
            ]
        )
    return replace(
        first,
        runs=[*first.runs, *other.runs],
        matrices={
            name: np.concatenate([first.matrices[name], other.matrices[name]])
            for name in first.matrices
        },
        scorable=scorable,
        orders=[*first.orders, *other.orders],
        inside=joined(first.inside, other.inside) if first.inside and other.inside else None,
        parts=[joined(*pair) for pair in zip(first.parts, other.parts, strict=True)],
    )


def shares_of(
    rows: pl.DataFrame, policy: Mapping[str, str], names: Sequence[str]
) -> list[tuple[float, float, float]]:
    """Return the shares of correct, unanswered and wrong responses of each run, under the
    policies."""
    state = pl.col("verdict").replace(dict(policy))
    counted = rows.filter("compared", ASKED).with_columns(state=state)
    each = counted.filter(pl.col("state").is_in(STATES)).group_by("run", "question", "candidate")
    shares = each.agg((pl.col("state") == word).mean().alias(word) for word in STATES)
    means = shares.group_by("run").agg(pl.col(STATES).mean())
    of_run = {run: own for run, *own in means.iter_rows()}
    return [tuple(of_run.get(name, (0.0, 0.0, 0.0))) for name in names]


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
        rows.filter(ASKED, run=run).group_by(keys).agg(alike.alias(name))
        for run, name in ((a, "a"), (b, "b"))
    )
    both = left.join(right, on=keys, nulls_equal=True)
    known, seen = STATES if judged else (ANSWERED, "unanswered"), {*both["a"], *both["b"]}
    names = [*known, *(word for word in (*VERDICTS, MIXED) if word in seen and word not in known)]
    counted = {(x, y): count for x, y, count in both.group_by("a", "b").len().iter_rows()}
    cells = [(x, *(counted.get((x, y), 0) for y in names)) for x in names]
    has_none = pl.any_horizontal(pl.col("a", "b").is_in([*IMPUTATIONS]))
    changed = both.filter(pl.col("a") != pl.col("b"), ~has_none).sort("a", "b", *keys)
    shown = keys if both["candidate"].n_unique() > 1 else keys[:1]
    return pl.DataFrame(cells, ["a", *names], orient="row"), changed.select(*shown, "a", "b")
