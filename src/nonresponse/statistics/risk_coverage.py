"""Risk against coverage of answers, the most confident first, and thresholds that keep a risk.

Coverage is a share of all questions, so that a curve ends where the run abstains (El-Yaniv & Wiener
2010). The mean of risk over all answers is aurc. One of k samples of a question is 1/k answers.

Thresholds are tried in turn, from one that only the most confident answers exceed to lower ones,
until one fails (fixed-sequence testing, as in Learn then Test: Angelopoulos et al. 2021). A
threshold fails unless so few wrong answers have a probability of at most `level` where the true
share is the risk (Clopper & Pearson 1934). All that hold do so together with that confidence, since
the confidences alone say which are tried. The test is of independent answers: a run with several
answers to a question or a cluster is not tested. Of a run whose answers have positions, which are
among these questions, only all answers are tested.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import polars as pl

from nonresponse import measures, tables
from nonresponse.judging.store import SURE, Verdicts, read_verdicts
from nonresponse.settings import Settings
from nonresponse.statistics.analyses import Inputs
from nonresponse.statistics.cost import rank_counts
from nonresponse.statistics.distributions import beta_quantile
from nonresponse.statistics.outcomes import read_clusters, select_samples

POINTS = 100  # of a curve, at most
RISKS = (0.05, 0.1, 0.2)
CANDIDATES = 50  # thresholds, at most
NO_THRESHOLD = (None,) * 3

RISK_COVERAGE = {
    "run": pl.String,
    # Up to POINTS numbers of the most confident ones; of several to a question, each is a part
    "answers": pl.Float64,
    "coverage": pl.Float64,  # answers / n
    # The share of them that is wrong, of ties the expectation over all their orders
    "risk": pl.Float64,
    # The confidence or raw score of the least sure of them, or its position with a minus
    "down_to": pl.Float64,
    "whole": pl.Boolean,  # whether these are all answers of the run
}
RISK_CONTROL = {
    "run": pl.String,
    "risk": pl.Float64,  # the share of wrong answers that is kept
    # That an answer's sort key must exceed; null = all answers may be given, or no `answers`
    "threshold": pl.Float64,
    "answers": pl.Int64,  # how many exceed it; null = no threshold was found
    "wrong": pl.Int64,  # of these
    # Upper end of the share of wrong ones (Clopper & Pearson's, one-sided), of this alone
    "at_most": pl.Float64,
    # Whether the run has several answers to a question, or to those of a cluster: not tested
    "alike": pl.Boolean,
}


@dataclass(frozen=True)
class Answers:
    """The answers of a run, the most confident first (rows,), those without a sort key last.

    unit: the number of its question, or of its cluster. weight: one over the samples of the
    question. ends: of the blocks of ties.
    """

    unit: np.ndarray
    right: np.ndarray
    sort_key: np.ndarray
    weight: np.ndarray

    @cached_property
    def ends(self) -> np.ndarray:
        """How many answers there are up to the end of each block of equal sort keys."""
        keys = np.nan_to_num(self.sort_key, nan=-np.inf)
        return np.append(np.flatnonzero(keys[1:] != keys[:-1]) + 1, len(keys))

    @cached_property
    def wrong(self) -> np.ndarray:
        """How many answers up to each are wrong."""
        return np.cumsum(~self.right)


def summarise(inputs: Inputs, task: str, settings: Settings) -> list[pl.DataFrame]:
    """Return RISK_COVERAGE and RISK_CONTROL, the runs best first by the first measure.

    A run without confidences has a single row of RISK_COVERAGE. If no run has any, there are no
    rows.
    """
    counts, store = rank_counts(inputs, task, settings), read_verdicts(inputs.verdicts[0])
    clusters = read_clusters(inputs.clusters)
    answers = sort_answers(store, clusters, counts["run"].to_list(), task, settings)
    if not answers:
        return [tables.make_empty(RISK_COVERAGE), tables.make_empty(RISK_CONTROL)]
    placed_runs = list_placed(store, store.official(settings.get("official")))
    tested = dict(answers)
    for run in answers.keys() & placed_runs:
        tested[run] = replace(answers[run], sort_key=np.full(len(answers[run].right), np.nan))
    return [compute_curves(counts, answers), control_risk(tested, settings["level"])]


def list_placed(store: Verdicts, assessor: str) -> set[str]:
    """Return the runs whose answers have positions."""
    if "position" not in store.planes:
        return set()
    has_position = ~np.isnan(store.plane("position", store.assessors.index(assessor)))
    rows = zip(store.runs, has_position.any(axis=1), strict=True)
    return {run for run, is_placed in rows if is_placed}


def sort_answers(
    store: Verdicts, clusters: dict[str, str], runs: list[str], task: str, settings: Settings
) -> dict[str, Answers]:
    """Return the answers of each of the runs that has sort keys."""
    if not {*SURE} & store.planes.keys():
        return {}
    samples = select_samples(store, store.official(settings.get("official")))
    names = pl.DataFrame({"question": samples.questions}, {"question": pl.String})
    names = names.with_columns(unit=pl.col("question").replace(clusters))
    question, unit = names.select(pl.all().rank("dense")).to_numpy().T
    rows = samples.order_samples(measures.get(task, "cws"), settings["policy"])
    orders, answers = dict(zip(samples.runs, rows, strict=True)), {}
    for run in [run for run in runs if run in orders]:
        order = orders[run]
        number = len(order.question) - order.abstained
        if not np.isnan(order.sort_key[:number]).all():
            asked = question[order.question]
            weight = 1 / np.bincount(asked)[asked]
            columns = unit[order.question], order.right, order.sort_key, weight
            answers[run] = Answers(*(values[:number] for values in columns))
    return answers


def compute_curves(counts: pl.DataFrame, answers: dict[str, Answers]) -> pl.DataFrame:
    """Return RISK_COVERAGE, a row per run and number of answers."""
    parts = []
    rightful = pl.col("n_rightful") if "n_rightful" in counts.columns else pl.lit(0)
    answered = pl.col("n_ac") - rightful.fill_null(0) + pl.col("n_aw")
    counts = counts.select("run", "n", "n_aw", answered=answered).filter(pl.col("answered") > 0)
    for run, n, n_aw, number_answered in counts.iter_rows():
        k = np.array([number_answered], float)
        risk, down_to = n_aw / k, np.array([np.nan])
        if curve := answers.get(run):  # the last of the points is all answers
            number = np.cumsum(curve.weight).round(9)
            wrong = np.cumsum(curve.weight * ~curve.right).round(9)
            points = np.ceil(np.arange(1, POINTS + 1) * len(number) / POINTS).astype(np.int64)
            rows = np.unique(points) - 1
            k, down_to = number[rows], curve.sort_key[rows]
            # Of ties, the expectation over all orders is linear.
            ends = curve.ends - 1
            risk = np.interp(k, np.append(0, number[ends]), np.append(0, wrong[ends])) / k
        names, is_last = np.full(len(k), run, object), np.arange(len(k)) == len(k) - 1
        parts.append((names, k, k / n, risk, down_to, is_last))
    columns = map(np.concatenate, zip(*parts, strict=True)) if parts else [[]] * 6
    table = pl.DataFrame(dict(zip(RISK_COVERAGE, columns, strict=True)), nan_to_null=True)
    return tables.cast_types(table, RISK_COVERAGE)


def control_risk(answers: dict[str, Answers], level: float) -> pl.DataFrame:
    """Return RISK_CONTROL, a row per run and risk."""
    largest, rows = max((len(part.right) for part in answers.values()), default=0), list[tuple]()
    allowed = {risk: count_allowed(risk, level, largest) for risk in RISKS}
    for run, part in answers.items():
        correlated = bool((np.bincount(part.unit) > 1).any())
        for risk, numbers in allowed.items():
            found = NO_THRESHOLD if correlated else find_threshold(part, risk, numbers)
            rows.append((run, risk, *found, None, correlated))
    table = pl.DataFrame(rows, RISK_CONTROL, orient="row")
    # Where a threshold holds, some answers are right
    number = table["answers"].fill_null(1).to_numpy()
    wrong = table["wrong"].fill_null(0).to_numpy()
    ends = pl.Series(beta_quantile(1 - level, wrong + 1, number - wrong))
    return table.with_columns(at_most=pl.when(pl.col("answers").is_not_null()).then(ends))


def find_threshold(answers: Answers, risk: float, allowed: np.ndarray) -> tuple:
    """Return threshold, answers and wrong of RISK_CONTROL, all null if no threshold holds.

    allowed: how many of some answers may be wrong, by their number, as `count_allowed` returns. The
    first threshold that is tried leaves the smallest number of answers with which it holds if the
    share of wrong ones is half the risk. Of a run with fewer, all answers are the only one tried.
    No threshold lies between answers with and without a sort key.
    """
    ends, number = answers.ends, len(answers.right)
    enough = allowed >= (np.arange(len(allowed)) * risk / 2).astype(np.int64)
    fewest = int(enough.argmax()) if enough.any() else len(allowed)
    ends = ends[np.searchsorted(ends, min(fewest, number)) :]
    ends = ends[~np.isnan(np.append(answers.sort_key, 0)[ends])]
    # At most CANDIDATES, including the end of all answers
    ends = ends[::-1][:: max(-(-len(ends) // CANDIDATES), 1)][::-1]
    wrong = answers.wrong[ends - 1]
    number_held = np.cumprod(wrong <= allowed[ends]).sum()
    if not number_held:
        return NO_THRESHOLD
    k = int(ends[number_held - 1])
    return float(answers.sort_key[k]) if k < number else None, k, int(wrong[number_held - 1])


def count_allowed(risk: float, level: float, largest: int) -> np.ndarray:
    """Return how many of n answers may be wrong, for n from 0 to `largest`, -1 = not even none:
    were the true share the risk, so few would be seen with a probability of at most `level`.

    By recurrences of the binomial distribution: one more answer allows at most one more wrong one.
    """
    allowed, wrong = np.full(largest + 1, -1), -1
    # Probabilities of no wrong answer, of `wrong`, and of `wrong` or fewer
    none_wrong, exactly, up_to = 1.0, 0.0, 0.0
    for n in range(1, largest + 1):
        if wrong < 0:
            none_wrong *= 1 - risk
            following = none_wrong
        else:
            up_to -= risk * exactly
            exactly *= (1 - risk) * n / (n - wrong)
            following = exactly * (n - wrong) * risk / ((wrong + 1) * (1 - risk))
        if up_to + following <= level:
            wrong, exactly, up_to = wrong + 1, following, up_to + following
        allowed[n] = wrong
    return allowed
