"""Runs' orders, and the scores by measures of an order (cws, auc, aurc) on weighted questions.

Two fields of a measure's record give all scores. `rows`, SQL on the verdicts, says which rows take
part, which are right, and the sort key of each. The function is the kernel: it returns numerators
and denominators of the score, from an order and weights of its questions. `leave_one_out`, a faster
way to the scores without each question, is optional.

A run's rows are sorted once and cut into blocks of equal sort keys. A row of weight w stands for w
tied rows. What comes before a block is a running sum. Each trial is a column of weights, so that
one pass computes all trials. The full score has all weights 1.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import polars as pl

from nonresponse.database import query_rows
from nonresponse.measures import EXACT, Measure, load_function

# Trials that go through a run's order at once, and their answers: few enough for the processor's
# cache.
TRIALS = 256
# Runs that are taken through all trials before the next ones: bounds the memory of cached
# properties
RUNS = 64
CELLS = 2**19
# Numerators and denominators of a score, (trials,)
Ratio = tuple[np.ndarray, np.ndarray]
EDGE = 1e-9  # a confidence, or a share of questions, this close to the edge of a bin is on it


@dataclass(frozen=True)
class Order:
    """One run's rows in the order of their sort keys."""

    question: np.ndarray  # indexes into the weights; without excluded and undecidable rows
    right: np.ndarray  # bool: a correct answer (cws), a pair that should be accepted (auc)
    starts: np.ndarray  # the first row of each block of ties
    has_order: bool = True  # False: the run gives no order, and has no score
    abstained: int = 0  # how many rows, the last ones, are no answers
    # Of each row, if a measure reads it
    sort_key: np.ndarray = field(default_factory=lambda: np.zeros(0))

    @cached_property
    def right_rows(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """For the blocks with a right row: the number of rows before each, with and without its own
        rows, and where its right rows begin among all right rows; and the questions of all right
        rows.
        """
        right = np.flatnonzero(self.right)
        block = np.searchsorted(self.starts, right, "right") - 1
        blocks, begins = np.unique(block, return_index=True)
        ends = np.append(self.starts[1:], len(self.question))
        return self.starts[blocks], ends[blocks], begins, self.question[right]


def collect_rows(measure: Measure, rows: pl.LazyFrame, *keys: pl.Expr) -> pl.DataFrame:
    """Return the rows of all orders, unsorted, with these keys."""
    ordering = query_rows(measure.rows.format(rows="rows"), rows=rows)
    columns = ("right", "abstained", pl.col("sort_key").cast(pl.Float64), "has_order")
    return ordering.select(*keys, *columns).collect()


def make_orders(
    measure: Measure, rows: pl.LazyFrame, runs: int, number: np.ndarray
) -> dict[int, Order]:
    """Return orders by the run's index in a store; number: that of each item's question."""
    run, question = pl.col("cell") // len(number) % runs, pl.col("cell") % len(number)
    frame = collect_rows(measure, rows, run.alias("run"), question.alias("question"))
    frame = frame.with_columns(question=number[frame["question"].to_numpy()])
    groups, orders = cut_into_orders(frame, ["run"])
    return dict(zip(groups["run"], orders, strict=True))


def cut_into_orders(frame: pl.DataFrame, keys: list[str]) -> tuple[pl.DataFrame, list[Order]]:
    """Return the keys, sorted, and the orders of rows whose questions are numbers."""
    lists = ("question", "right", "abstained", "sort_key")
    groups = frame.group_by(keys).agg(*lists, pl.col("has_order").any()).sort(keys)
    rows = zip(*(groups[name] for name in (*lists, "has_order")), strict=True)
    orders = [
        sort_rows(q.to_numpy(), r.to_numpy(), a.to_numpy(), s.to_numpy(), has_order)
        for q, r, a, s, has_order in rows
    ]
    return groups.select(keys), orders


def sort_rows(
    question: np.ndarray,
    right: np.ndarray,
    abstained: np.ndarray,
    sort_key: np.ndarray,
    has_order: bool,
) -> Order:
    """Sort a run's rows: by sort key, the highest first, then those without, then abstentions.

    Ties are sorted by question, so that the order of the input does not matter.
    """
    indices = np.arange(len(question))
    if (question[1:] <= question[:-1]).any():
        indices = np.lexsort((right, question))
    indices = indices[sort_stably(-sort_key[indices])]
    indices = indices[np.argsort(abstained[indices], kind="stable")]
    sort_key, abstained = sort_key[indices], abstained[indices]
    starts, number = find_blocks(sort_key, abstained), int(abstained.sum())
    return Order(question[indices], right[indices], starts, has_order, number, sort_key)


def sort_stably(values: np.ndarray) -> np.ndarray:
    """Return a stable argsort of reals, in a third of the time; NaN comes last."""
    is_nan = np.isnan(values)
    numbers = np.flatnonzero(~is_nan)
    indices = numbers[np.argsort(values[numbers])]
    ranked = values[indices]
    block = np.zeros(len(indices), np.int64)  # of ties, times the number of values
    np.cumsum(ranked[1:] != ranked[:-1], out=block[1:])
    block *= len(values)
    return np.append(np.sort(block + indices) - block, np.flatnonzero(is_nan))


def find_blocks(sort_key: np.ndarray, abstained: np.ndarray) -> np.ndarray:
    """Return the first row of each block of ties. An abstention and an answer are never tied."""
    tied = (sort_key[1:] == sort_key[:-1]) | (np.isnan(sort_key[1:]) & np.isnan(sort_key[:-1]))
    return np.flatnonzero(np.append(True, ~tied | (abstained[1:] != abstained[:-1])))


def compute_scores(measure: Measure, rows: pl.LazyFrame, keys: list[str]) -> pl.DataFrame:
    """Return keys and value of each order, of sums rounded to 2^-32; null = undefined."""
    zero = pl.lit(0).alias("question")
    groups, orders = cut_into_orders(collect_rows(measure, rows, *map(pl.col, keys), zero), keys)
    weights = np.ones((1, 1), np.int64)
    value = np.full(len(orders), np.nan)
    for number, order in enumerate(orders):
        if order.has_order:
            [numerator], [denominator] = measure(order, weights)
            if denominator:
                value[number] = round(float(numerator) * EXACT) / EXACT / denominator
    return groups.with_columns(value=pl.Series(value, dtype=pl.Float64).fill_nan(None))


def score_trials(measure: Measure, orders: list[Order], weights: np.ndarray) -> np.ndarray:
    """Return scores (trials, runs) for weights (trials, questions); NaN where undefined."""
    result = np.full((len(weights), len(orders)), np.nan)
    questions = weights.shape[1]
    per_question = max((np.bincount(order.question).max(initial=0) for order in orders), default=0)
    number = np.uint16 if weights.sum(axis=1).max(initial=0) * per_question < 2**16 else np.uint32
    step = max(4, min(TRIALS, CELLS // max(questions * max(per_question, 1), 1)))
    for begin in range(0, len(orders), RUNS):
        # Copies: frees cached properties
        batch = [replace(order) for order in orders[begin : begin + RUNS]]
        for start in range(0, len(weights), step):
            trials = weights[start : start + step]
            # Padded to 64-bit words for `count_right`
            block = np.zeros((questions, -(-len(trials) // 4) * 4), number)
            block[:, : len(trials)] = trials.T
            for run, order in enumerate(batch, begin):
                if order.has_order:
                    with np.errstate(invalid="ignore", divide="ignore"):
                        numerator, denominator = measure(order, block)
                        score = (numerator / denominator)[: len(trials)]
                    result[start : start + step, run] = score
    return result


def leave_one_out(measure: Measure, orders: list[Order], questions: int) -> np.ndarray:
    """Return the scores (runs, questions) without each question, NaN where undefined."""
    result = np.full((len(orders), questions), np.nan)
    # Kernels take a single row per question
    repeated = any(np.bincount(order.question).max(initial=0) > 1 for order in orders)
    if repeated or not measure.leave_one_out:
        for start in range(0, questions, TRIALS):
            omitted = np.arange(start, min(start + TRIALS, questions))
            weights = (np.arange(questions) != omitted[:, None]).astype(np.int64)
            result[:, omitted] = score_trials(measure, orders, weights).T
        return result
    kernel = load_function(measure.leave_one_out)
    for run, order in enumerate(orders):
        if order.has_order:
            with np.errstate(invalid="ignore", divide="ignore"):
                result[run] = kernel(order, questions)
    return result


# Helpers of the kernels.


def count_ties(order: Order, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows, and the correct ones, in each block and trial: (blocks, trials), int64."""
    rows = weights[order.question].astype(np.int64)
    right = rows * order.right[:, None]
    return np.add.reduceat(rows, order.starts), np.add.reduceat(right, order.starts)


def count_answers(order: Order, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return `count_ties` of the answered blocks, and the number of all rows, (trials,)."""
    rows, right = count_ties(order, weights)
    is_answer = order.starts < len(order.question) - order.abstained
    return rows[is_answer], right[is_answer], rows.sum(axis=0)


def count_right(
    order: Order, weights: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return, for each block with a right row and each trial, the numbers of right rows, of rows
    before the block, and of rows up to its end; and for each trial the number of all rows, int64.

    `weights` is (questions, trials), whole numbers. A row of it fills whole 64-bit words.
    """
    starts, ends, begins, questions = order.right_rows
    right = weights.take(questions, axis=0)
    total = np.zeros((len(order.question) + 1, weights.shape[1]), weights.dtype)
    weights.take(order.question, axis=0, out=total[1:], mode="clip")
    # A 64-bit word holds the numbers of several trials; no sum overflows its part of the word.
    words = total.view(np.uint64)
    np.cumsum(words, axis=0, out=words)
    if len(begins) < len(right):
        right = np.add.reduceat(right.view(np.uint64), begins).view(right.dtype)
    return right, total.take(starts, axis=0), total.take(ends, axis=0), total[-1].astype(np.int64)


def sum_rows(rows: np.ndarray) -> np.ndarray:
    """Return the sum of rows (blocks, trials), which fill whole 64-bit words: int64 (trials,)."""
    return rows.view(np.uint64).sum(axis=0).view(rows.dtype).astype(np.int64)


def locate_rows(order: Order) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return for each row how many precede its block, how many are in it, and the block's index."""
    size = np.diff(np.append(order.starts, len(order.question)))
    block = np.repeat(np.arange(len(size)), size)
    return order.starts[block], size[block], block
