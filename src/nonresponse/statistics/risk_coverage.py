"""Risk against coverage of answers, the surest first, and thresholds that keep a risk on other questions, too.

Coverage is a share of all questions, so that a curve ends where the run abstains (El-Yaniv & Wiener 2010). The mean of
risk over all answers is aurc. All questions count the same: one of k samples of a question is 1/k of an answer.

Thresholds are tried in turn, from one that only the surest answers exceed to lower ones, until one fails
(fixed-sequence testing, as in Learn then Test: Angelopoulos et al. 2021). A threshold holds if, were the true share of
wrong answers above it larger than the risk, as few wrong ones as observed would be seen with a probability of at most
`level` (Clopper & Pearson 1934). Since the first failure ends the search, all that hold do so together with that
confidence. Which thresholds are tried depends on the confidences alone, never on which answers are right. The test is
of independent answers: none is made of a run with several answers to a question, or to those of a cluster.
"""

from dataclasses import dataclass

import numpy as np
import polars as pl

from nonresponse import measures, tables
from nonresponse.judging.store import SURE, read_verdicts
from nonresponse.measures.orderings import Order
from nonresponse.scoring.tally import resolved
from nonresponse.settings import Settings
from nonresponse.statistics.analyses import Inputs
from nonresponse.statistics.cost import ranked_counts
from nonresponse.statistics.distributions import beta_quantile
from nonresponse.statistics.outcomes import clusters_in, samples_of
from nonresponse.tasks import NOT_ASKED

POINTS = 100  # of a curve, at most
RISKS = (0.05, 0.1, 0.2)
TRIED = 50  # thresholds, at most
NONE = (None,) * 3  # no threshold

RISK_COVERAGE = {
    "run": pl.String,
    "answers": pl.Float64,  # the surest ones, up to POINTS numbers of them; of several to a question, each is a part
    "coverage": pl.Float64,  # answers / n
    "risk": pl.Float64,  # the share of them that is wrong, of ties the expectation over all their orders
    "down_to": pl.Float64,  # the confidence or raw score of the least sure of them, or its position with a minus
    "whole": pl.Boolean,  # whether these are all answers of the run
}
RISK_CONTROL = {
    "run": pl.String,
    "category": pl.String,  # of the questions; null = all of them
    "risk": pl.Float64,  # the share of wrong answers that is kept
    "threshold": pl.Float64,  # that an answer's standing must exceed; null = all answers may be given, or no `answers`
    "answers": pl.Int64,  # how many exceed it; null = no threshold was found
    "wrong": pl.Int64,  # of these
    "at_most": pl.Float64,  # upper end of the share of wrong ones (Clopper & Pearson's, one-sided), of this alone
    "alike": pl.Boolean,  # whether the run has several answers to a question, or to those of a cluster: not tested
}


@dataclass(frozen=True)
class Ordered:
    """The answers of the runs that say how sure they are, each in its order, those abstained last.

    questions: their names and categories, sorted; the numbers in an Order are its rows. weights: of runs that were
    asked questions several times, one over the samples of each row's question.
    """

    questions: pl.DataFrame
    orders: dict[str, Order]
    weights: dict[str, np.ndarray]


def summarise(given: Inputs, task: str, settings: Settings) -> list[pl.DataFrame]:
    """Return RISK_COVERAGE and RISK_CONTROL, the runs best first by the first measure.

    A run without confidences has a single row of RISK_COVERAGE; if no run has any, there are no rows.
    """
    counts, ordered = ranked_counts(given, task, settings), ordered_answers(given, task, settings)
    if not ordered.orders:
        return [tables.empty(RISK_COVERAGE), tables.empty(RISK_CONTROL)]
    ordered = Ordered(
        ordered.questions, {run: ordered.orders[run] for run in counts["run"] if run in ordered.orders}, ordered.weights
    )
    return [curves(counts, ordered), control(ordered, clusters_in(given.clusters), settings["level"])]


def ordered_answers(given: Inputs, task: str, settings: Settings) -> Ordered:
    """Read the order of each run's answers from the verdicts."""
    store = read_verdicts(given.verdicts[0])
    official = store.official(settings.get("official"))
    assessor, nobody = store.assessors.index(official), Ordered(pl.DataFrame(), {}, {})
    if not {*SURE} & store.planes.keys():
        return nobody
    [counted] = store.table(["TRUE"], resolved(settings["policy"], task, "cases")) > 0
    questions = store.items.filter(store.have(assessor, counted))
    questions = questions.group_by("question").agg(pl.col("category").min()).sort("question")
    numbers = store.items.join(questions.with_row_index("number"), on="question", how="left", maintain_order="left")
    number = numbers["number"].cast(pl.Int64).fill_null(-1).to_numpy()
    every = measures.get(task, "coverage@0.1")  # which reads the order of all questions
    found = samples_of(store, official).orders_by_place(every, settings["policy"], number)
    orders = {
        store.runs[row]: order
        for row, order in found.items()
        if order.ordered and order.abstained < len(order.question)
    }
    weights = {}
    if store.repeated:
        [asked] = store.table([f"verdict <> '{NOT_ASKED}'"]) > 0
        for run, order in orders.items():
            own = asked[store.codes[assessor, store.runs.index(run)]] & (number >= 0)
            weights[run] = 1 / np.bincount(number[own], minlength=questions.height)[order.question]
    return Ordered(questions, orders, weights)


def curves(counts: pl.DataFrame, ordered: Ordered) -> pl.DataFrame:
    """Return RISK_COVERAGE, a row per run and number of answers."""
    parts = []
    answered = counts.filter(pl.col("n_ac") + pl.col("n_aw") > 0)
    for run, n, n_ac, n_aw in answered.select("run", "n", "n_ac", "n_aw").iter_rows():
        k, risk, down_to = np.array([n_ac + n_aw]), np.array([n_aw / (n_ac + n_aw)]), np.array([np.nan])
        if order := ordered.orders.get(run):  # the last of the points is all answers in the order
            answers, ends, wrong = curve(order, ordered.weights.get(run))
            rows = np.unique(np.ceil(np.arange(1, POINTS + 1) * (len(answers) - 1) / POINTS).astype(np.int64))
            k, down_to = answers[rows], order.standing[rows - 1]
            risk = np.interp(k, ends, wrong) / k
        of_run = {"answers": k, "coverage": k / n, "risk": risk, "down_to": down_to}
        frame = pl.DataFrame(of_run, nan_to_null=True).with_columns(
            run=pl.lit(run), whole=pl.int_range(pl.len()) == pl.len() - 1
        )
        parts.append(tables.typed(frame, RISK_COVERAGE))
    return pl.concat([tables.empty(RISK_COVERAGE), *parts])


def curve(order: Order, weights: np.ndarray | None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return how many answers the k surest rows are, k from 0 on; and at each end of a block of ties, the number of
    answers and of wrong ones, between which the expectation over all orders of ties is linear.
    """
    rows = len(order.question) - order.abstained
    weight = np.ones(rows) if weights is None else weights[:rows]
    ends = np.append(order.starts[order.starts < rows], rows)
    answers, wrong = (np.append(0, np.cumsum(its).round(9)) for its in (weight, weight * ~order.right[:rows]))
    return answers, answers[ends], wrong[ends]


def control(ordered: Ordered, clusters: dict[str, str], level: float) -> pl.DataFrame:
    """Return RISK_CONTROL: a row per risk and run, and one for each category of questions that has a threshold."""
    category = ordered.questions["category"].fill_null("").to_numpy()
    rows: list[tuple] = []
    alike = runs_with_alike_answers(ordered, clusters)
    most = max(len(order.question) for order in ordered.orders.values())
    allowed = [most_wrong(risk, level, most) for risk in RISKS]
    for run, order in ordered.orders.items():
        if run in alike:
            rows += [(run, None, risk, *NONE, True) for risk in RISKS]
            continue
        answers = len(order.question) - order.abstained
        right, standing, of = order.right[:answers], order.standing[:answers], category[order.question[:answers]]
        some = {None: np.ones(answers, bool), **{name: of == name for name in sorted({*category.tolist()} - {""})}}
        for risk, own in zip(RISKS, allowed, strict=True):
            for name, chosen in some.items():
                found = threshold(right[chosen], standing[chosen], risk, own)
                rows += [(run, name, risk, *found, False)] if name is None or found != NONE else []
    names = [name for name in RISK_CONTROL if name != "at_most"]
    table = pl.DataFrame(rows, {name: RISK_CONTROL[name] for name in names}, orient="row")
    given, wrong = (table[name].fill_null(1).to_numpy() for name in ("answers", "wrong"))
    ends = np.where(wrong < given, beta_quantile(1 - level, wrong + 1, np.maximum(given - wrong, 1)), 1)
    at_most = pl.when(pl.col("answers").is_not_null()).then(pl.Series(ends))
    return tables.typed(table.with_columns(at_most=at_most), RISK_CONTROL)


def runs_with_alike_answers(ordered: Ordered, clusters: dict[str, str]) -> set[str]:
    """Return the runs with several answers to a question, or to the questions of a cluster."""
    # Pairs, since a cluster may have the name of a question that is in no cluster.
    units = [(clusters.get(name, ""), "" if name in clusters else name) for name in ordered.questions["question"]]
    number = {unit: index for index, unit in enumerate(units)}
    unit = np.array([number[one] for one in units], np.int64)
    answered = {run: unit[it.question[: len(it.question) - it.abstained]] for run, it in ordered.orders.items()}
    return {run for run, its in answered.items() if (np.bincount(its) > 1).any()}


def threshold(right: np.ndarray, standing: np.ndarray, risk: float, allowed: np.ndarray) -> tuple:
    """Return threshold, answers and wrong of RISK_CONTROL, all null if no threshold holds.

    right, standing: of each answer, the surest first. allowed: what `most_wrong` returns for the risk. Of a run with
    fewer answers than a first threshold has, all answers are the only one that is tried.
    """
    ends = np.flatnonzero(np.diff(standing, append=-np.inf)) + 1  # of blocks of equal standing
    ends = ends[ends >= min(fewest(risk, allowed), len(standing))]
    ends = ends[::-1][:: max(-(-len(ends) // TRIED), 1)][::-1]  # at most TRIED, including the end of all answers
    wrong = np.cumsum(~right)[ends - 1]
    held = np.cumprod(wrong <= allowed[ends]).sum()
    if not held:
        return NONE
    k = int(ends[held - 1])
    return float(standing[k]) if k < len(standing) else None, k, int(wrong[held - 1])


def fewest(risk: float, allowed: np.ndarray) -> int:
    """Return the number of answers above the first threshold that is tried: the smallest with which it holds if the
    share of wrong ones is half the risk.
    """
    enough = allowed >= (np.arange(len(allowed)) * risk / 2).astype(np.int64)
    return int(enough.argmax()) if enough.any() else len(allowed)


def most_wrong(risk: float, level: float, most: int) -> np.ndarray:
    """Return how many of n answers may be wrong, for n from 0 to `most`, -1 = not even none: were the true share the
    risk, so few would be seen with a probability of at most `level`.

    By recurrences of the binomial distribution: one more answer allows at most one more wrong one.
    """
    found, wrong = np.full(most + 1, -1), -1
    none, at, up_to = 1.0, 0.0, 0.0  # probabilities of no wrong answer, of `wrong`, and of `wrong` or fewer
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
