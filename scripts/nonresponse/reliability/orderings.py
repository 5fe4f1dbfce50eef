"""Measures of an order (cws, auc) on weighted questions: the order of each run is found once, subsets restrict it.

A run's rows are sorted once and cut into blocks of equal standing. On a subset, or on a sample in which a question
occurs several times, a block holds the rows that are left of it, a row of weight w standing for w tied ones; sums
over the blocks before it are running sums. One trial is one column, so that all trials run along together.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from nonresponse.measures import EXACT
from nonresponse.threads import threads

# Trials that go through a run's order at once: few enough for the processor's cache.
AT_ONCE = 128


@dataclass(frozen=True)
class Order:
    """One run's rows, best first: the question of each, whether it is right, and where each block starts."""

    question: np.ndarray  # indexes into the campaign's questions; without excluded and undecidable rows
    right: np.ndarray  # bool: a right answer (cws), a pair that should be accepted (auc)
    starts: np.ndarray  # the first row of each block of ties
    ordered: bool = True  # False: the run gives no order, and has no score


def read(connection, measure, policy: dict, blank) -> list[Order]:
    """The order of each run from the view `verdicts` of one assessor."""
    from nonresponse.tally import resolved

    read_rows = {"cws": confidence_rows, "auc": score_rows}[measure.id]
    frame = connection.sql(read_rows(resolved(policy, measure.task))).pl()
    number = {name: index for index, name in enumerate(blank.questions)}
    frame = frame.with_columns(question=frame["question"].replace_strict(number))
    parts = frame.partition_by("run", as_dict=True, include_key=False)
    return [order_of(parts.get((run,))) for run in blank.runs]


def confidence_rows(rows: str) -> str:
    """cws: an explicit position wins over a confidence, that over a raw score; the unanswered come last."""
    return f"""
        SELECT run, question, verdict = 'correct' AS right, verdict = 'unanswered' AS silent,
            CASE WHEN silent THEN NULL
                WHEN count(position) OVER own > 0 THEN -position
                WHEN count(confidence) OVER own > 0 THEN confidence ELSE score END AS standing,
            greatest(count(position) OVER own, count(confidence) OVER own, count(score) OVER own) > 0 AS ordered
        FROM ({rows}) WINDOW own AS (PARTITION BY run)
        ORDER BY run, silent, standing DESC NULLS LAST, question"""


def score_rows(rows: str) -> str:
    """auc: pairs of known truth with a raw score, the lowest first."""
    return f"""
        SELECT run, question, positive AS right, FALSE AS silent, score AS standing, TRUE AS ordered
        FROM ({rows}) WHERE positive IS NOT NULL AND score IS NOT NULL
        ORDER BY run, standing, question, candidate"""


def order_of(frame) -> Order:
    if frame is None:
        return Order(np.zeros(0, np.int64), np.zeros(0, bool), np.zeros(0, np.int64), False)
    silent, standing = frame["silent"].to_numpy(), frame["standing"].cast(float).to_numpy()
    same = (standing[1:] == standing[:-1]) | (np.isnan(standing[1:]) & np.isnan(standing[:-1]))
    starts = np.flatnonzero(np.concatenate([[True], ~same | (silent[1:] != silent[:-1])]))
    return Order(frame["question"].to_numpy(), frame["right"].to_numpy(), starts, bool(frame["ordered"].any()))


def values(outcomes, weights: np.ndarray) -> np.ndarray:
    """Scores (trials, runs) on weighted questions, as float64; NaN where undefined."""
    kernel = {"cws": confidence_weighted_score, "auc": area_under_curve}[outcomes.measure.id]
    result = np.full((len(weights), len(outcomes.runs)), np.nan)
    per_question = max((np.bincount(order.question).max(initial=0) for order in outcomes.orders), default=0)
    number = np.uint16 if weights.sum(axis=1).max(initial=0) * per_question < 2**16 else np.uint32
    for start in range(0, len(weights), AT_ONCE):
        trials = len(weights[start : start + AT_ONCE])
        block = np.zeros((weights.shape[1], -(-trials // 4) * 4), number)  # whole 64-bit words, see `blocks`
        block[:, :trials] = weights[start : start + AT_ONCE].T

        def of_run(run, start=start, block=block, trials=trials):
            if outcomes.orders[run].ordered:
                result[start : start + trials, run] = kernel(outcomes.orders[run], block)[:trials]

        with ThreadPoolExecutor(threads()) as pool:
            list(pool.map(of_run, range(len(outcomes.runs))))
    return result


def blocks(order: Order, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For each block of ties and trial: how many rows are left in it, and of those before and in it together."""
    rows = weights[order.question]
    # A 64-bit word holds the numbers of several trials; none of the sums outgrows its share of the word.
    total = np.cumsum(rows.view(np.uint64), axis=0).view(rows.dtype)
    if len(order.starts) == len(rows):
        return rows, total
    total = total[np.append(order.starts[1:], len(rows)) - 1]
    return np.diff(total, axis=0, prepend=np.zeros_like(total[:1])), total


def right_in(order: Order, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The blocks that hold a right answer, and for each of them and trial, how many."""
    right = weights[order.question[order.right]]
    block = np.searchsorted(order.starts, np.flatnonzero(order.right), "right") - 1
    some, first = np.unique(block, return_index=True)
    return some, right if len(some) == len(block) else np.add.reduceat(right, first)


def confidence_weighted_score(order: Order, weights: np.ndarray) -> np.ndarray:
    """cws per trial (Peñas & Rodrigo 2011, eq. 9-10), as a sum over right answers.

    A right answer in place p adds 1/p + 1/(p+1) + ... + 1/n = H(n) - H(p-1); in a block of m after a others, the
    mean of that over the places a+1 .. a+m.
    """
    rows, total = blocks(order, weights)
    some, right = right_in(order, weights)
    n = total[-1].astype(np.int64)
    harmonic = np.concatenate([[0], np.cumsum(1 / np.arange(1, n.max() + 1))])
    rows = rows[some]
    before = (total[some] - rows).astype(np.int64)
    lost = harmonic[before]
    if rows.max(initial=0) > 1:
        sums = np.concatenate([[0], np.cumsum(harmonic)])  # of H(0) .. H(i-1)
        tied = rows > 1
        lost[tied] = (sums[before[tied] + rows[tied]] - sums[before[tied]]) / rows[tied]
    lost *= right
    with np.errstate(invalid="ignore"):
        return (right.sum(axis=0) * harmonic[n] - lost.sum(axis=0)) / n


def area_under_curve(order: Order, weights: np.ndarray) -> np.ndarray:
    """auc per trial: the share of (right, wrong) pairs in which the right one has the higher score, ties half."""
    rows, total = blocks(order, weights)
    some, right = right_in(order, weights)
    right = right.astype(np.int64)
    # Rows before the block, less the right ones among them; a wrong row of the same block counts half.
    before, rights = (total[some] - rows[some]).astype(np.int64), np.cumsum(right, axis=0)
    won = (right * (2 * (before - rights + right) + rows[some] - right)).sum(axis=0)
    positive = right.sum(axis=0)
    pairs = positive * (total[-1].astype(np.int64) - positive)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(pairs == 0, np.nan, won / (2 * pairs))


def contributions(outcomes) -> np.ndarray:
    """What each question adds to each run's score, times the number of questions: (runs, questions).

    NaN for a run without a score. cws is a sum over right answers; auc, a mean over (right, wrong) pairs, of which
    either gets half. Rounded, so that sums over questions are exact.
    """
    added = {"cws": of_right_answers, "auc": of_pairs}[outcomes.measure.id]
    result = np.full((len(outcomes.runs), outcomes.n), np.nan)
    for run, order in enumerate(outcomes.orders):
        if order.ordered:
            result[run] = np.bincount(order.question, added(order), outcomes.n) * outcomes.n
    return np.round(result * EXACT) / EXACT


def sizes(order: Order) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For each row: the rows before its block, the rows in it, and the index of the block."""
    size = np.diff(np.append(order.starts, len(order.question)))
    block = np.repeat(np.arange(len(size)), size)
    return order.starts[block], size[block], block


def of_right_answers(order: Order) -> np.ndarray:
    before, size, _ = sizes(order)
    n = len(order.question)
    harmonic = np.concatenate([[0], np.cumsum(1 / np.arange(1, n + 1))])
    sums = np.concatenate([[0], np.cumsum(harmonic)])
    return order.right * (harmonic[n] - (sums[before + size] - sums[before]) / size) / n


def of_pairs(order: Order) -> np.ndarray:
    before, size, block = sizes(order)
    right_of_block = np.add.reduceat(order.right.astype(np.int64), order.starts)
    right_before = (np.cumsum(right_of_block) - right_of_block)[block]
    right_inside = right_of_block[block]
    right = order.right.sum()
    wrong = len(order.right) - right
    won = before - right_before + (size - right_inside) / 2  # a right row: wrong rows below it, ties half
    lost = right - right_before - right_inside + right_inside / 2  # a wrong row: right rows above it
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(order.right, won, lost) / (2 * right * wrong)
