"""The outcome of every question for every run, as one measure needs it: matrices whose products
with subsets of the questions are totals.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import polars as pl

from nonresponse import measures, tables, tasks
from nonresponse.database import query_rows
from nonresponse.judging.store import Verdicts, read_verdicts
from nonresponse.measures import EXACT, Measure, orderings
from nonresponse.measures.question_answering import ANSWER_ORDER, ROW_ORDER
from nonresponse.scoring.tally import render_condition, select_resolved, select_with_excluded

# Rows of measures that sort by confidence, and whether those without an answer are among them
CONFIDENCE_ORDERS = {ROW_ORDER: True, ANSWER_ORDER: False}
IS_ANSWER = "verdict <> 'unanswered' AND NOT rightful"
# Values that differ by no more, relative to values beyond 1, are equal: rounding decides nothing
TOLERANCE = 1e-9
SMALL = 2**24  # whole numbers up to here are exact in float32


@dataclass(frozen=True, eq=False)
class Outcomes:
    """The runs of a campaign under one assessor, and their outcomes per question for one measure.

    matrices: for each count or sum that the measure takes, (runs, questions), or (1, questions) if
    it is the same for all runs; if questions were asked several times, `weight` has the weight of
    each sample. scorable: which questions can give the measure a value, in the same shapes, or None
    for all of them. orders: for measures of an order, one per run. parts: for combined measures,
    the outcomes for each part; matrices then has at most `weight`.

    A question that was asked several times, or a cluster of questions, takes the place of a
    question: it is drawn, flipped and left out as a whole. `inside` then has the single samples.
    """

    measure: Measure
    runs: list[str]
    questions: list[str]
    matrices: dict[str, np.ndarray] = field(default_factory=dict)
    scorable: np.ndarray | None = None
    orders: list[orderings.Order] = field(default_factory=list)
    inside: Outcomes | None = None
    parts: list[Outcomes] = field(default_factory=list)

    @property
    def n(self) -> int:
        """The number of questions, or of the samples or clusters that take their place."""
        return len(self.questions)

    @property
    def question_count(self) -> int:
        """The number of questions themselves."""
        return len(set(self.inside.questions)) if self.inside else self.n

    @property
    def per_unit(self) -> float:
        """How many questions a cluster has, on average; 1 without clusters."""
        return self.question_count / self.n if self.n else 1.0

    def count_questions(self, number: float) -> int:
        """Return a number of clusters as the number of questions in them, on average."""
        return round(number * self.per_unit)


def select_rows(outcomes: Outcomes, rows: list[int]) -> Outcomes:
    """Return the outcomes of some of the runs, given by their rows."""

    def select(matrix: np.ndarray) -> np.ndarray:
        """Return the rows of the runs, or the one that all runs share."""
        return matrix if len(matrix) == 1 else matrix[rows]

    return replace(
        outcomes,
        runs=[outcomes.runs[row] for row in rows],
        matrices={name: select(matrix) for name, matrix in outcomes.matrices.items()},
        scorable=None if outcomes.scorable is None else select(outcomes.scorable),
        orders=[outcomes.orders[row] for row in rows] if outcomes.orders else [],
        inside=select_rows(outcomes.inside, rows) if outcomes.inside else None,
        parts=[select_rows(part, rows) for part in outcomes.parts],
    )


def score_weighted(outcomes: Outcomes, weights: np.ndarray) -> np.ndarray:
    """Return the scores (trials, runs) on weighted questions, NaN where undefined.

    weights: (trials, questions), float32 whole numbers.
    """
    if outcomes.parts:
        return outcomes.measure([score_weighted(part, weights) for part in outcomes.parts])
    if outcomes.measure.kind == "ordering":
        return orderings.score_trials(outcomes.measure, outcomes.orders, weights)
    score = evaluate(outcomes.measure, sum_totals(outcomes, weights))
    if outcomes.scorable is not None:  # no question of a trial may give a value
        score = np.where(weights @ outcomes.scorable.T == 0, np.nan, score)
    return np.broadcast_to(score, (len(weights), len(outcomes.runs)))


def full_scores(outcomes: Outcomes) -> np.ndarray:
    """Return the scores on all questions (runs,), NaN where undefined."""
    return score_weighted(outcomes, np.ones((1, outcomes.n), np.float32))[0]


def evaluate(measure: Measure, totals: Mapping[str, np.ndarray]) -> np.ndarray:
    """Compute the measure from totals, NaN where it is undefined or infinite."""
    if measure.parts:
        return measure([evaluate(part, totals) for part in measure.parts])
    with np.errstate(all="ignore"):
        score = measure(**{name: totals[name] for name in measure.totals})
    finite = np.isfinite(score)
    return score if finite.all() else np.where(finite, score, np.nan)


def encode_totals(outcomes: Outcomes) -> tuple[np.ndarray, list[str]] | None:
    """Return a code for each question (runs, questions), whose bits say which totals it adds 1 to,
    and the names of these. None if questions add values other than 0 and 1."""
    names = sorted({*outcomes.matrices} - {"weight"})
    if not all(((matrix == 0) | (matrix == 1)).all() for matrix in outcomes.matrices.values()):
        return None
    codes = np.zeros((len(outcomes.runs), outcomes.n), np.min_scalar_type((1 << len(names)) - 1))
    for bit, name in enumerate(names):
        codes |= (outcomes.matrices[name] == 1).astype(codes.dtype) << codes.dtype.type(bit)
    return codes, names


@np.errstate(invalid="ignore")  # which products of matrices may set where all is finite
def sum_totals(outcomes: Outcomes, weights: np.ndarray) -> dict[str, np.ndarray]:
    """Return sums over weighted questions, (trials, runs) or (trials, 1)."""
    totals = {}
    for name, matrix in outcomes.matrices.items():
        total = weights.astype(matrix.dtype, copy=False) @ matrix.T
        totals[name] = total.astype(np.float64)
    return totals


@dataclass(frozen=True, eq=False)
class Samples:
    """The judgments of one assessor, read once for all measures: of questions, or of epochs if
    these were asked several times.

    runs and names: of runs and of samples, sorted. questions: the question of each sample.
    matrices: the `weight` of each sample, if there are epochs. rows: the index of each run in the
    store. items: the indexes of the items, by sample; starts: where the items of each sample begin.
    """

    verdicts: Verdicts
    assessor: str
    runs: list[str]
    names: list[str]
    questions: list[str]
    matrices: dict[str, np.ndarray]
    rows: np.ndarray
    items: np.ndarray
    starts: np.ndarray

    def measure_samples(self, measure: Measure, policy: dict) -> Outcomes:
        """Return the outcomes of the samples for a measure."""
        blank = Outcomes(measure, self.runs, self.names, self.matrices)
        if measure.parts:
            parts = [self.measure_samples(part, policy) for part in measure.parts]
            return replace(blank, parts=parts)
        if measure.kind == "ordering":
            return replace(blank, orders=self.order_samples(measure, policy))
        return build_matrices(self, blank, policy)

    def outcomes(
        self, measure: Measure, policy: dict, clusters: Mapping[str, str] | None = None
    ) -> Outcomes:
        """Return the outcomes of questions; `clusters` has the cluster of each that is in one."""
        return sum_units(self.measure_samples(measure, policy), self.questions, clusters or {})

    def codes(self) -> np.ndarray:
        """Return the codes of the cells, (runs, items)."""
        codes = self.verdicts.codes[self.verdicts.assessors.index(self.assessor)]
        return codes[self.rows][:, self.items]

    def batches(self) -> Iterator[pl.LazyFrame]:
        """Yield the compared rows, those of some runs at once."""
        run = pl.col("cell") // self.verdicts.n % len(self.verdicts.runs)
        for rows in self.verdicts.batches(self.assessor):
            yield rows.filter("compared", run.is_in(self.rows.tolist()))

    def order_samples(self, measure: Measure, policy: dict) -> list[orderings.Order]:
        """Return the order of each run."""
        sample = np.zeros(self.verdicts.n, np.int64)  # of each item
        sizes = np.diff([*self.starts, len(self.items)])
        sample[self.items] = np.repeat(np.arange(len(self.starts)), sizes)
        orders: dict[int, orderings.Order] = {}
        if measure.rows in CONFIDENCE_ORDERS:
            orders = self.order_by_confidence(policy, sample, CONFIDENCE_ORDERS[measure.rows])
        else:
            runs, query = len(self.verdicts.runs), select_resolved(policy, measure.task)
            for batch in self.batches():
                rows = query_rows(query, verdicts=batch)
                orders |= orderings.make_orders(measure, rows, runs, sample)
        empty = np.zeros(0, np.int64)
        default = orderings.Order(empty, empty.astype(bool), empty, False)
        return [orders.get(row, default) for row in self.rows]

    def order_by_confidence(
        self, policy: dict, sample: np.ndarray, abstained: bool
    ) -> dict[int, orderings.Order]:
        """Return ROW_ORDER from arrays of the store. abstained: with rows that are no answers."""
        store, assessor = self.verdicts, self.verdicts.assessors.index(self.assessor)
        selection = "compared" if abstained else f"compared AND {IS_ANSWER}"
        terms = [selection, "compared", "verdict = 'correct'", f"NOT ({IS_ANSWER})"]
        table = store.table(terms, select_resolved(policy, store.task, "cases")) > 0
        selected, counts, right, unanswered = table
        orders: dict[int, orderings.Order] = {}
        for row in self.rows.tolist():
            codes = store.codes[assessor, row]
            items = np.flatnonzero(counts[codes])
            sort_key = store.get_sort_key(assessor, row, items)
            positions = selected[codes[items]]
            items = items[positions]
            codes = codes[items]
            if not len(items):
                continue
            key = np.nan if sort_key is None else sort_key[positions]
            orders[row] = orderings.sort_rows(
                sample[items],
                right[codes],
                unanswered[codes],
                np.where(unanswered[codes], np.nan, key),
                sort_key is not None,
            )
        return orders


def select_samples(
    verdicts: Path | Verdicts, assessor: str, excluded_runs: Iterable[str] = ()
) -> Samples:
    """Return the samples of one assessor, from a verdict store.

    They leave out excluded runs (the two trivial ones), runs that are not compared, and questions
    on which no runs are compared.
    """
    store = verdicts if isinstance(verdicts, Verdicts) else read_verdicts(verdicts)
    excluded, number = {*excluded_runs}, store.assessors.index(assessor)
    [is_compared] = store.table(["compared"]) > 0
    compared = is_compared[store.codes[number]]
    compared[[run in excluded for run in store.runs]] = False
    rows, items = np.flatnonzero(compared.any(axis=1)), np.flatnonzero(compared.any(axis=0))
    runs, keys = [store.runs[row] for row in rows], store.items[items]
    questions, matrices = keys["question"].to_list(), {}
    names = questions
    if store.repeated and keys["epoch"].n_unique() > 1:
        epochs = keys.select("question", "epoch").iter_rows()
        names = [f"{question} {epoch}" for question, epoch in epochs]
        order = np.array(sorted(range(len(names)), key=names.__getitem__), np.int64)
        [is_asked] = store.table([f"compared AND verdict <> '{tasks.NOT_ASKED}'"])
        weight = store.weights(number, rows, items, "compared").weight
        weight = weight * is_asked[store.codes[number][rows][:, items]]
        matrices["weight"] = weight[:, order].astype(np.float64)
        items = items[order]
        names, questions = ([values[index] for index in order] for values in (names, questions))
    is_first = [names[index - 1 : index] != [name] for index, name in enumerate(names)]
    starts = np.flatnonzero(is_first)
    questions, names = ([values[start] for start in starts] for values in (questions, names))
    return Samples(store, assessor, runs, names, questions, matrices, rows, items, starts)


def mark_unscored(store: Verdicts, cells: np.ndarray) -> Verdicts:
    """Return the verdicts, unscored in cells (assessors, runs, items), or of all assessors."""
    number = store.cases.height
    unscored = pl.when(pl.col("verdict").is_not_null()).then(pl.lit("unscored"))
    cases = [store.cases, store.cases.with_columns(verdict=unscored)]
    codes = store.codes.astype(np.min_scalar_type(2 * number))
    codes[cells & (codes > 0)] += number
    return replace(store, cases=pl.concat(cases, how="vertical_relaxed"), codes=codes)


def read_clusters(files: list[Path]) -> dict[str, str]:
    """Return the cluster of each question that is in one, from the table of the questions, if there
    is any. No question has the name of a cluster."""
    clusters: dict[str, str] = {}
    for file in files:
        table = tables.spell(tables.read_parquet(file, columns=["question", "cluster"]))
        columns = pl.col("question"), "\0" + pl.col("cluster")
        clusters |= table.drop_nulls("cluster").select(columns).iter_rows()
    return clusters


def read_outcomes(
    verdicts: Path,
    task: str,
    measure: str,
    policy: dict,
    official: str | None,
    clusters: Mapping[str, str],
) -> tuple[Outcomes, str]:
    """Return the outcomes for a measure under the official assessor, without the trivial runs, and
    that assessor.

    `clusters` has the cluster of each question that is in one. The questions of a cluster count as
    one.
    """
    store = read_verdicts(verdicts)
    samples = select_samples(store, store.official(official), tasks.get(task).trivial)
    return samples.outcomes(measures.get(task, measure), policy, clusters), samples.assessor


def sum_units(samples: Outcomes, questions: list[str], clusters: Mapping[str, str]) -> Outcomes:
    """Add up the samples of each question, and the questions of each cluster.

    questions: that of each sample. Where there is nothing to add up, the outcomes are unchanged.
    """
    units = [clusters.get(name, name) for name in questions]
    names = sorted(set(units))
    parts = [sum_units(part, questions, clusters) for part in samples.parts]
    if len(names) == samples.n:
        return replace(samples, questions=questions, parts=parts)
    numbers = {name: number for number, name in enumerate(names)}  # an array would pad long names
    unit = np.array([numbers[name] for name in units], np.int64)
    order = np.argsort(unit, kind="stable")
    starts = np.searchsorted(unit[order], np.arange(len(names)))

    def add_up(matrix: np.ndarray) -> np.ndarray:
        return np.add.reduceat(matrix[:, order], starts, axis=1) if names else matrix

    return replace(
        samples,
        questions=names,
        matrices={name: add_up(matrix) for name, matrix in samples.matrices.items()},
        scorable=None if samples.scorable is None else add_up(samples.scorable),
        orders=[replace(run, question=unit[run.question]) for run in samples.orders],
        parts=parts,
        inside=replace(samples, questions=questions),
    )


def build_matrices(samples: Samples, blank: Outcomes, policy: dict) -> Outcomes:
    """Return the outcomes with a matrix for each count or sum that the measure takes, and for n.
    Sums are multiples of 2^-32.

    A count follows from the case of a cell, a sum also from numbers. The pairs of a question are
    added up.
    """
    measure, is_count = blank.measure, blank.measure.kind == "counts"
    grid = (read_counts if is_count else read_sums)(samples, measure, policy)
    if len(samples.starts) < len(samples.items):
        kind = np.float32 if is_count else np.float64
        grid = {
            name: np.add.reduceat(matrix, samples.starts, axis=1, dtype=kind)
            for name, matrix in grid.items()
        }
    scorable = np.minimum(grid.pop("scorable"), 1)
    if "weight" in blank.matrices:
        grid = {name: matrix * blank.matrices["weight"] for name, matrix in grid.items()}
    grid |= blank.matrices
    largest = max(int(matrix.max(initial=0)) for matrix in grid.values()) if is_count else SMALL
    dtype = np.float32 if largest * blank.n < SMALL else np.float64
    matrices = {}
    for name, matrix in grid.items():
        is_shared = len(matrix) > 0 and (matrix == matrix[0]).all()  # by all runs
        matrices[name] = (matrix[:1] if is_shared else matrix).astype(dtype)
    # A column that the campaign does not have is missing from every row.
    everywhere = scorable.any() if is_count else scorable.all()
    return replace(
        blank, matrices=matrices, scorable=None if everywhere else scorable.astype(np.float32)
    )


def read_counts(samples: Samples, measure: Measure, policy: dict) -> dict[str, np.ndarray]:
    """Return whether each cell counts, (runs, items), by count of the measure, and for n.
    `scorable` says whether it has all terms."""
    counts, store = tasks.get(measure.task).counts, samples.verdicts
    names = sorted({*measure.totals, "n"})
    terms = [
        f"coalesce(compared AND ({render_condition(name, counts[name])}), FALSE)" for name in names
    ]
    present = " AND ".join(
        f"{counts[name].needs} IS NOT NULL" for name in names if counts[name].needs
    )
    terms.append(f"compared AND {present or 'TRUE'}")
    table = store.table(terms, select_with_excluded(policy, measure.task, "cases")) > 0
    table[-1, 0] = not present
    codes, rows = samples.codes(), zip((*names, "scorable"), table.astype(np.uint8), strict=True)
    return {name: values[codes] for name, values in rows}


def read_sums(samples: Samples, measure: Measure, policy: dict) -> dict[str, np.ndarray]:
    """Return what each cell adds to the sums of the measure, (runs, items), and to n. `scorable`
    says whether it has all terms."""
    included = pl.col("verdict") != "exclude"
    terms = {
        name: pl.when(included).then(pl.sql_expr(term)) for name, term in measure.exact_sums.items()
    }
    columns = {name: term.fill_null(0) / EXACT for name, term in terms.items()}
    columns["n"] = pl.sql_expr(tasks.get(measure.task).counts["n"].condition) & included
    columns["scorable"] = pl.all_horizontal(term.is_not_null() for term in terms.values())
    store, shape = samples.verdicts, (len(samples.rows), len(samples.items))
    row, column = np.zeros(len(store.runs), np.int64), np.zeros(store.n, np.int64)
    row[samples.rows] = np.arange(shape[0])
    column[samples.items] = np.arange(shape[1])
    grid = {name: np.zeros(shape) for name in columns}
    for batch in samples.batches():
        query = query_rows(select_with_excluded(policy, measure.task), verdicts=batch)
        values = query.select("cell", **columns).cast(pl.Float64).collect()
        run, item = np.divmod(values["cell"].to_numpy().astype(np.int64), store.n)
        cell = row[run % len(store.runs)], column[item]
        for name, matrix in grid.items():
            matrix[cell] = values[name].to_numpy()
    return grid
