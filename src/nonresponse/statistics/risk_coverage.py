"""Risk against coverage of answers, the surest first, and thresholds that keep a risk on other
questions, too.

Coverage is a share of all questions, so that a curve ends where the run abstains (El-Yaniv & Wiener
2010). The mean of risk over all answers is aurc. All questions count the same: one of k samples of
a question is 1/k of an answer.

Thresholds are tried in turn, from one that only the surest answers exceed to lower ones, until one
fails (fixed-sequence testing, as in Learn then Test: Angelopoulos et al. 2021). A threshold holds
if, were the true share of wrong answers above it larger than the risk, as few wrong ones as
observed would be seen with a probability of at most `level` (Clopper & Pearson 1934). Since the
first failure ends the search, all that hold do so together with that confidence. Which thresholds
are tried depends on the confidences alone, never on which answers are right. The test is of
independent answers: none is made of a run with several answers to a question, or to those of a
cluster.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from nonresponse import tables
from nonresponse.judging.store import SURE, Verdicts, read_verdicts
from nonresponse.scoring.tally import resolved
from nonresponse.settings import Settings
from nonresponse.statistics.analyses import Inputs
from nonresponse.statistics.cost import ranked_counts
from nonresponse.statistics.distributions import beta_quantile
from nonresponse.statistics.outcomes import ANSWERED, read_clusters
from nonresponse.tasks import NOT_ASKED

POINTS = 100  # of a curve, at most
RISKS = (0.05, 0.1, 0.2)
TRIED = 50  # thresholds, at most
NONE = (None,) * 3  # no threshold

RISK_COVERAGE = {
    "run": pl.String,
    # The surest ones, up to POINTS numbers of them; of several to a question, each is a part
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
    """The answers of a run that says how sure it is, the surest first (rows,); those that do not
    say so are the last.

    question: the number of its question. weight: one over the samples of the question. ends: of the
    blocks of ties.
    """

    question: np.ndarray
    right: np.ndarray
    sort_key: np.ndarray
    weight: np.ndarray

    @cached_property
    def ends(self) -> np.ndarray:
        """How many answers there are up to the end of each block of equal sort keys."""
        known = np.nan_to_num(self.sort_key, nan=-np.inf)
        return np.append(np.flatnonzero(known[1:] != known[:-1]) + 1, len(known))

    @cached_property
    def wrong(self) -> np.ndarray:
        """How many answers up to each are wrong."""
        return np.cumsum(~self.right)


def summarise(given: Inputs, task: str, settings: Settings) -> list[pl.DataFrame]:
    """Return RISK_COVERAGE and RISK_CONTROL, the runs best first by the first measure.

    A run without confidences has a single row of RISK_COVERAGE; if no run has any, there are no
    rows.
    """
    counts, store = ranked_counts(given, task, settings), read_verdicts(given.verdicts[0])
    if not {*SURE} & store.planes.keys():
        return [tables.empty(RISK_COVERAGE), tables.empty(RISK_CONTROL)]
    questions = store.items.select(pl.col("question").unique().sort())
    answers = sorted_answers(store, questions, counts["run"].to_list(), task, settings)
    if not answers:
        return [tables.empty(RISK_COVERAGE), tables.empty(RISK_CONTROL)]
    clusters = read_clusters(given.clusters)
    return [curves(counts, answers), control_risk(answers, questions, clusters, settings["level"])]


def sorted_answers(
    store: Verdicts, questions: pl.DataFrame, runs: list[str], task: str, settings: Settings
) -> dict[str, Answers]:
    """Return the answers of each run that says how sure it is of them; `questions` are all, by
    name."""
    assessor = store.assessors.index(store.official(settings.get("official")))
    number = store.items.join(
        questions.with_row_index("number"), on="question", how="left", maintain_order="left"
    )["number"].to_numpy()
    terms = ["TRUE", ANSWERED, "verdict = 'correct'", f"verdict <> '{NOT_ASKED}'"]
    counted, answered, right, asked = (
        store.table(terms, resolved(settings["policy"], task, "cases")) > 0
    )
    found, once, some = {}, np.ones(store.n), counted & answered
    for run in runs:
        row = store.runs.index(run)
        codes = store.codes[assessor, row]
        items = np.flatnonzero(some[codes])
        sort_key = store.get_sort_key(assessor, row, items) if len(items) else None
        if sort_key is not None:
            order = np.argsort(-sort_key)
            items = items[order]
            question, weight = number[items], once[: len(items)]
            if store.repeated:
                weight = 1 / np.bincount(number[asked[codes]])[question]
            found[run] = Answers(question, right[codes[items]], sort_key[order], weight)
    return found


def curves(counts: pl.DataFrame, answers: dict[str, Answers]) -> pl.DataFrame:
    """Return RISK_COVERAGE, a row per run and number of answers."""
    parts = []
    answered = counts.filter(pl.col("n_ac") + pl.col("n_aw") > 0)
    for run, n, n_ac, n_aw in answered.select("run", "n", "n_ac", "n_aw").iter_rows():
        k = np.array([n_ac + n_aw])
        risk = np.array([n_aw / (n_ac + n_aw)])
        down_to = np.array([np.nan])
        if own := answers.get(run):  # the last of the points is all answers
            number, wrong = (np.cumsum(it).round(9) for it in (own.weight, own.weight * ~own.right))
            rows = (
                np.unique(np.ceil(np.arange(1, POINTS + 1) * len(number) / POINTS).astype(np.int64))
                - 1
            )
            k, down_to = number[rows], own.sort_key[rows]
            # Of ties, the expectation over all orders is linear.
            up_to, wrong_up_to = (np.append(0, it[own.ends - 1]) for it in (number, wrong))
            risk = np.interp(k, up_to, wrong_up_to) / k
        parts.append((run, k, k / n, risk, down_to))
    names, *columns = zip(*parts, strict=True) if parts else ((),) * 5
    sizes = [len(k) for k in columns[0]]
    made = dict(
        zip(
            [*RISK_COVERAGE][1:5],
            (np.concatenate([[], *column]) for column in columns),
            strict=True,
        )
    )
    whole = np.zeros(sum(sizes), bool)
    whole[np.cumsum(sizes, dtype=np.int64) - 1] = True
    frame = pl.DataFrame(made, nan_to_null=True).with_columns(
        run=pl.Series(np.repeat(np.array(names, object), sizes), dtype=pl.String), whole=whole
    )
    return tables.typed(frame, RISK_COVERAGE)


def control_risk(
    answers: dict[str, Answers], questions: pl.DataFrame, clusters: dict[str, str], level: float
) -> pl.DataFrame:
    """Return RISK_CONTROL, a row per run and risk."""
    units = questions["question"].replace(clusters).rank("dense").to_numpy() - 1
    most = max(len(own.question) for own in answers.values())
    allowed = {risk: most_wrong(risk, level, most) for risk in RISKS}
    rows: list[tuple] = []
    for run, own in answers.items():
        alike = bool((np.bincount(units[own.question]) > 1).any())
        for risk, few in allowed.items():
            found: tuple = NONE if alike else threshold(own, risk, few)
            rows.append((run, risk, *found, None, alike))
    table = pl.DataFrame(rows, RISK_CONTROL, orient="row")
    number, wrong = (
        table[name].fill_null(fill).to_numpy() for name, fill in (("answers", 1), ("wrong", 0))
    )
    # Where a threshold holds, some answers are right
    ends = pl.Series(beta_quantile(1 - level, wrong + 1, number - wrong))
    return table.with_columns(at_most=pl.when(pl.col("answers").is_not_null()).then(ends))


def threshold(answers: Answers, risk: float, allowed: np.ndarray) -> tuple:
    """Return threshold, answers and wrong of RISK_CONTROL, all null if no threshold holds.

    allowed: how many of some answers may be wrong, by their number, as `most_wrong` returns. The
    first threshold that is tried leaves the smallest number of answers with which it holds if the
    share of wrong ones is half the risk; of a run with fewer, all answers are the only one tried.
    """
    ends, number = answers.ends, len(answers.right)
    enough = allowed >= (np.arange(len(allowed)) * risk / 2).astype(np.int64)
    fewest = int(enough.argmax()) if enough.any() else len(allowed)
    ends = ends[np.searchsorted(ends, min(fewest, number)) :]
    # At most TRIED, including the end of all answers
    ends = ends[::-1][:: max(-(-len(ends) // TRIED), 1)][::-1]
    wrong = answers.wrong[ends - 1]
    held = np.cumprod(wrong <= allowed[ends]).sum()
    if not held:
        return NONE
    k = int(ends[held - 1])
    return float(answers.sort_key[k]) if k < number else None, k, int(wrong[held - 1])


def most_wrong(risk: float, level: float, most: int) -> np.ndarray:
    """Return how many of n answers may be wrong, for n from 0 to `most`, -1 = not even none: were
    the true share the risk, so few would be seen with a probability of at most `level`.

    By recurrences of the binomial distribution: one more answer allows at most one more wrong one.
    """
    found, wrong = np.full(most + 1, -1), -1
    # Probabilities of no wrong answer, of `wrong`, and of `wrong` or fewer
    none, at, up_to = 1.0, 0.0, 0.0
    for n in range(1, most + 1):
        if wrong < 0:
            none *= 1 - risk
            following = none
        else:
            up_to -= risk * at
            at *= (1 - risk) * n / (n - wrong)
            following = at * (n - wrong) * risk / ((wrong + 1) * (1 - risk))
        if up_to + following <= level:
            wrong, at, up_to = wrong + 1, following, up_to + following
        found[n] = wrong
    return found
