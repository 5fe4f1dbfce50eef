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
from nonresponse.front.comparison import IMPUTATIONS, MEASURES, MIXTURE, STATES, Comparison, Parts
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

ANSWERED_STATE = "answered"  # the state of a response where nobody judged any
WAS_ASKED = pl.col("verdict") != NOT_ASKED
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
    campaign = choose_measures(responses.campaign, measures)
    rows = read_rows(responses.store, campaign.official, [a, b])
    questions = {run: {*rows.filter(WAS_ASKED, run=run)["question"]} for run in (a, b)}
    common = questions[a] & questions[b]
    if not common:
        examples = (
            f"{len(ids):,}{f' such as {min(ids)!r}' if ids else ''}" for ids in questions.values()
        )
        raise RefusedError(
            f"{a} and {b} share no question ({', '.join(examples)}): compare runs whose questions "
            "have the same names"
        )
    rows = rows.with_columns(compared=pl.col("question").is_in(common))
    scored = exclude(rows, campaign.policy)
    items, scored_items = (
        frame.filter("compared").select("question", "candidate").n_unique()
        for frame in (rows, scored)
    )
    pair = make_pair(campaign, (a, b), scored, rows, responses.clusters)
    crossed, changes = find_changes(rows.filter("compared"), a, b, campaign.judged)
    return Comparison(
        a,
        b,
        (len(common), len(questions[a] - common), len(questions[b] - common)),
        items - scored_items,
        count_verdicts(rows, a, b),
        campaign.policy if campaign.judged else {},
        pl.DataFrame([pair.row(id) for id in campaign.measures], MEASURES, orient="row"),
        crossed,
        changes,
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
    pairs = [
        compare_runs(responses, runs[0], run, measures, pair_warnings)
        for run, pair_warnings in zip(runs[1:], warnings or [()] * len(runs[1:]), strict=True)
    ]
    if len(pairs) < 2:
        return pairs
    tests = test_together(responses, runs, choose_measures(responses.campaign, measures))
    return [
        replace(pair, measures=pair.measures.with_columns(p_maxt=pl.Series(p, dtype=pl.Float64)))
        for pair, p in zip(pairs, tests, strict=True)
    ]


def test_together(
    responses: Responses, runs: Sequence[str], campaign: Campaign
) -> list[list[Value]]:
    """Return p_maxt of each pair with the first run, by measure, on the questions that all were
    asked; as the workflow tests the runs of a campaign."""
    rows = read_rows(responses.store, campaign.official, runs)
    numbers = rows.filter(WAS_ASKED).group_by("question").agg(pl.col("run").n_unique())
    common = numbers.filter(run=len(runs))["question"]
    if common.is_empty():
        raise RefusedError(
            f"No question was asked of all {len(runs)} runs: compare them two at a time"
        )
    rows = rows.with_columns(compared=pl.col("question").is_in(common.implode()))
    samples = make_samples(exclude(rows, campaign.policy), campaign)
    settings, columns = campaign.reliability, []
    for id in campaign.measures:
        outcomes = make_outcomes(samples, campaign, id, runs, responses.clusters)
        selection = select_runs(outcomes)
        exceeding, _ = comparison.count_flips(selection, campaign.name, settings)
        p_maxt = comparison.test_pairs(selection, exceeding, settings)["p_maxt"]
        columns.append([None if np.isnan(p) else float(p) for p in p_maxt[: len(runs) - 1]])
    return [[*row] for row in zip(*columns, strict=True)]


def choose_measures(campaign: Campaign, ids: Sequence[str]) -> Campaign:
    """Return the campaign with these measures or, if none are named, those that a comparison of its
    task shows."""
    task = campaign.task_record
    keeps_own = campaign.options["measures_named"] or not campaign.judged
    keeps_own = keeps_own or [*campaign.measures] == [*task.unanswerable_measures]
    return select_measures(campaign, ids or ([] if keeps_own else task.log_measures))


def read_rows(store: Verdicts, official: str | None, names: Sequence[str]) -> pl.DataFrame:
    """Return the official rows of runs on the questions for which each of them has a row.
    RefusedError where a run is missing, or is named twice."""
    assessor = store.assessors.index(store.official(official))
    runs = [run for number, run in enumerate(store.runs) if store.codes[assessor, number].any()]
    frames = []
    for position, name in enumerate(names):
        if name in names[:position]:
            raise RefusedError(f"{name} is named twice: name two runs")
        if name not in runs:
            raise RefusedError(f"There is no run {name!r}; there are: {', '.join(runs[:20])}")
        index = store.runs.index(name)
        frames.append(store.frame([*store.columns], assessor, slice(index, index + 1)))
    common = set.intersection(*({*frame["question"]} for frame in frames))
    return pl.concat(frames).filter(pl.col("question").is_in(common))


def exclude(rows: pl.DataFrame, policy: Mapping[str, str]) -> pl.DataFrame:
    """Return the rows; a question on which the policy excludes all responses of a run is not
    compared."""
    excluded = [word for word, choice in policy.items() if choice == "exclude"]
    if not excluded:
        return rows
    counts = pl.col("compared") & ~pl.col("verdict").is_in([*excluded, NOT_ASKED])
    counting = pl.col("run").filter(counts).n_unique().over("question", "candidate")
    return rows.with_columns(compared=pl.col("compared") & (counting == rows["run"].n_unique()))


def count_verdicts(rows: pl.DataFrame, a: str, b: str) -> pl.DataFrame:
    """Return run, the number of responses by verdict on what both were asked, and of questions not
    asked."""
    words = [*STATES, *(word for word in VERDICTS if word not in STATES)]
    records = []
    for run in (a, b):
        asked_rows = rows.filter(WAS_ASKED, run=run)
        counts = dict(asked_rows.filter("compared")["verdict"].value_counts().iter_rows())
        numbers = {word: counts.get(word, 0) for word in words}
        not_asked = rows["question"].n_unique() - asked_rows["question"].n_unique()
        records.append({"run": run, **numbers, NOT_ASKED: not_asked})
    return pl.DataFrame(records)


@dataclass
class Pair:
    """Two runs. `samples` are under the campaign's policies, `all_samples` hold what these exclude,
    too. `imputed` are policies that give a verdict to what has none."""

    campaign: Campaign
    names: tuple[str, str]
    samples: Samples
    all_samples: Samples
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
        samples = self.all_samples if policy else self.samples
        return make_outcomes(samples, self.campaign, id, self.names, self.clusters, policy)

    def row(self, id: str) -> tuple[str | Value, ...]:
        """Return a row of MEASURES."""
        outcomes = self.outcomes(id)
        a, b = list_scores(outcomes)
        difference = None if a is None or b is None else b - a + 0.0  # no -0.0
        tested = test_pair(outcomes, self.level)
        return id, a, b, difference, *tested, tested[-1], *self.extremes(id)

    def extremes(self, id: str) -> tuple[Value, ...]:
        """Return the least difference over all imputations, its p, the largest one, and its p;
        nulls without imputations."""
        a: list[tuple[float, Outcomes]] = []
        b: list[tuple[float, Outcomes]] = []
        for outcomes in (self.outcomes(id, policy) for policy in self.imputed):
            for run, score in zip((a, b), list_scores(outcomes), strict=True):
                run += [] if score is None else [(score, outcomes)]
        if not a or not b:
            return (None,) * 4
        values: list[Value] = []
        for pick_a, pick_b in ((max, min), (min, max)):
            score_a, outcomes_a = pick_a(a, key=itemgetter(0))
            score_b, outcomes_b = pick_b(b, key=itemgetter(0))
            joint = join_outcomes(select_rows(outcomes_a, [0]), select_rows(outcomes_b, [1]))
            values += [score_b - score_a, test_pair(joint, self.level)[-1]]
        return tuple(values)

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


def make_pair(
    campaign: Campaign,
    names: tuple[str, str],
    rows: pl.DataFrame,
    all_rows: pl.DataFrame,
    clusters: Mapping[str, str],
) -> Pair:
    """Return a pair of runs, from their rows under the policies, and from all of their rows."""
    words = {*all_rows.filter("compared")["verdict"]} if campaign.judged else set()
    uncertain = [word for word in IMPUTATIONS if word in words]
    choices = product(*(IMPUTATIONS[word] for word in uncertain)) if uncertain else ()
    imputed = [campaign.policy | dict(zip(uncertain, choice, strict=True)) for choice in choices]
    samples = make_samples(rows, campaign)
    all_samples = make_samples(all_rows, campaign) if imputed and all_rows is not rows else samples
    shares = average_shares(rows, campaign.policy, names) if campaign.judged else []
    return Pair(campaign, names, samples, all_samples, imputed, shares, clusters)


def make_samples(rows: pl.DataFrame, campaign: Campaign) -> Samples:
    """Return the samples of questions in rows of one assessor."""
    store = make_store(rows, campaign.task)
    return select_samples(store, store.assessors[0])


def make_outcomes(
    samples: Samples,
    campaign: Campaign,
    id: str,
    runs: Sequence[str],
    clusters: Mapping[str, str],
    policy: dict[str, str] | None = None,
) -> Outcomes:
    """Return the outcomes of runs, in this order, by a measure, under the policies of the campaign
    or under another one."""
    outcomes = samples.outcomes(campaign.measure(id), policy or campaign.policy, clusters)
    return select_rows(outcomes, [outcomes.runs.index(run) for run in runs])


def list_scores(outcomes: Outcomes) -> list[Value]:
    """Return the scores of runs."""
    return [None if np.isnan(value) else float(value) for value in full_scores(outcomes)]


def test_pair(outcomes: Outcomes, level: float) -> tuple[Value, Value, Value]:
    """Return both ends of the interval of the difference of two runs, the second less the first,
    and its p."""
    tests = comparison.test_pairs(select_runs(outcomes), np.zeros(0), {"level": level, "flips": 0})
    upper, lower = (-end + 0.0 for end in tests["interval"][0].tolist())
    values = [lower, upper, float(tests["p"][0])]
    lower, upper, p = (None if np.isnan(value) else value for value in values)
    return lower, upper, p


def join_outcomes(a: Outcomes, b: Outcomes) -> Outcomes:
    """Return the outcomes of a run under one imputation and those of another run under another."""
    scorable = None
    if a.scorable is not None or b.scorable is not None:
        unit_row = np.ones((1, a.n), np.float32)
        scorable = np.concatenate(
            [unit_row if outcomes.scorable is None else outcomes.scorable for outcomes in (a, b)]
        )
    return replace(
        a,
        runs=[*a.runs, *b.runs],
        matrices={
            name: np.concatenate([a.matrices[name], b.matrices[name]]) for name in a.matrices
        },
        scorable=scorable,
        orders=[*a.orders, *b.orders],
        inside=join_outcomes(a.inside, b.inside) if a.inside and b.inside else None,
        parts=[join_outcomes(*pair) for pair in zip(a.parts, b.parts, strict=True)],
    )


def average_shares(
    rows: pl.DataFrame, policy: Mapping[str, str], names: Sequence[str]
) -> list[tuple[float, float, float]]:
    """Return the shares of correct, unanswered and wrong responses of each run, under the
    policies."""
    state = pl.col("verdict").replace(dict(policy))
    compared = rows.filter("compared", WAS_ASKED).with_columns(state=state)
    groups = compared.filter(pl.col("state").is_in(STATES)).group_by("run", "question", "candidate")
    shares = groups.agg((pl.col("state") == word).mean().alias(word) for word in STATES)
    means = shares.group_by("run").agg(pl.col(STATES).mean())
    means_by_run = {run: values for run, *values in means.iter_rows()}
    return [tuple(means_by_run.get(name, (0.0, 0.0, 0.0))) for name in names]


def find_changes(
    rows: pl.DataFrame, a: str, b: str, is_judged: bool = True
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return numbers of questions by the verdicts of a (rows) and b, and the questions with another
    verdict.

    The times that a question was asked have no counterparts in the other run, so that its verdicts
    are taken together. A verdict that is missing, unscored or error, is shown, but changes nothing.
    """
    keys = ["question", "candidate"]
    verdict: pl.Expr = pl.col("verdict")
    states: tuple[str, ...] = STATES
    if not is_judged:
        verdict = verdict.replace("unscored", ANSWERED_STATE)
        states = (ANSWERED_STATE, "unanswered")
    state = pl.when(verdict.n_unique() == 1).then(verdict.first()).otherwise(pl.lit(MIXTURE))
    rows_a, rows_b = (
        rows.filter(WAS_ASKED, run=run).group_by(keys).agg(state.alias(name))
        for run, name in ((a, "a"), (b, "b"))
    )
    pairs = rows_a.join(rows_b, on=keys, nulls_equal=True)
    present = {*pairs["a"], *pairs["b"]} - {*states}
    names = [*states, *(word for word in (*VERDICTS, MIXTURE) if word in present)]
    numbers = {(x, y): count for x, y, count in pairs.group_by("a", "b").len().iter_rows()}
    cells = [(x, *(numbers.get((x, y), 0) for y in names)) for x in names]
    has_none = pl.any_horizontal(pl.col("a", "b").is_in([*IMPUTATIONS]))
    different = pairs.filter(pl.col("a") != pl.col("b"), ~has_none).sort("a", "b", *keys)
    columns = keys if pairs["candidate"].n_unique() > 1 else keys[:1]
    return pl.DataFrame(cells, ["a", *names], orient="row"), different.select(*columns, "a", "b")
