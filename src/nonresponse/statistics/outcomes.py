"""The outcome of every question for every run, as one measure needs it: matrices whose products
with subsets of the questions are totals.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

import numpy as np
import polars as pl

from nonresponse import measures, tables, tasks
from nonresponse.database import query_rows
from nonresponse.judging.store import BATCH_ROWS, Verdicts, read_verdicts
from nonresponse.measures import EXACT, Measure, orderings
from nonresponse.measures.question_answering import ANSWER_ORDER, ROW_ORDER
from nonresponse.scoring.tally import render_condition, select_resolved, select_with_excluded

# The rows of measures that sort by how sure a run is, and whether those without an answer are among
# them.
BY_SURENESS = {ROW_ORDER: True, ANSWER_ORDER: False}
ANSWERED = "verdict <> 'unanswered' AND NOT rightful"
# Values that differ by no more, relative to values beyond 1, are equal: rounding decides nothing
TOLERANCE = 1e-9
SMALL = 2**24  # whole numbers up to here are exact in float32


class Coded(dict[str, np.ndarray]):
    """Matrices of zeros and ones, and a code for each question (runs, questions), whose bits say
    which of them, sorted by name, are 1.
    """

    codes: np.ndarray


@dataclass(frozen=True, eq=False)
class Outcomes:
    """The runs of a campaign under one assessor, and their outcomes per question for one measure.

    matrices: for each count or sum that the measure takes, (runs, questions), or (1, questions) if
    it is the same for all runs; if questions were asked several times, `weight` has the weight of
    each sample. known: which questions can give the measure a value, in the same shapes, or None
    for all of them. orders: for measures of an order, one per run. parts: for combined measures,
    the outcomes for each part; matrices then has at most `weight`.

    A question that was asked several times, or a cluster of questions, takes the place of a
    question: it is drawn, flipped and left out as a whole. `inside` then has the single samples,
    and `unit` says which of `questions` each of them belongs to.
    """

    measure: Measure
    runs: list[str]
    questions: list[str]
    matrices: dict[str, np.ndarray] = field(default_factory=dict)
    scorable: np.ndarray | None = None
    orders: list[orderings.Order] = field(default_factory=list)
    inside: Outcomes | None = None
    unit: np.ndarray | None = None
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

    def to_questions(self, number: float) -> int:
        """Return a number of clusters as the number of questions in them, on average. Without
        clusters, it is the number itself."""
        return round(number * self.per_unit)


def select_rows(outcomes: Outcomes, rows: list[int]) -> Outcomes:
    """Return the outcomes of some of the runs, given by their rows."""

    def some(matrix: np.ndarray) -> np.ndarray:
        """Return the rows of the runs, or the one that all runs share."""
        return matrix if len(matrix) == 1 else matrix[rows]

    return replace(
        outcomes,
        runs=[outcomes.runs[row] for row in rows],
        matrices={name: some(matrix) for name, matrix in outcomes.matrices.items()},
        scorable=None if outcomes.scorable is None else some(outcomes.scorable),
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
    with np.errstate(all="ignore"):
        score = evaluate(outcomes.measure, sum_totals(outcomes, weights))
    # Where no question of a trial can give a value
    unknown = (
        ~np.isfinite(score) if outcomes.scorable is None else weights @ outcomes.scorable.T == 0
    )
    score = np.where(unknown, np.nan, score)
    return np.broadcast_to(score, (len(weights), len(outcomes.runs)))


def full_scores(outcomes: Outcomes) -> np.ndarray:
    """Return the scores on all questions (runs,), NaN where undefined."""
    return score_weighted(outcomes, np.ones((1, outcomes.n), np.float32))[0]


def evaluate(measure: Measure, totals: Mapping[str, np.ndarray]) -> np.ndarray:
    """Compute the measure from totals. Measures that count questions (ROMIP's official counts)
    become shares of them."""
    if measure.parts:
        return measure([evaluate(part, totals) for part in measure.parts])
    n = totals["n"]
    score = measure(**{name: totals[name] for name in measure.totals})
    return score / n if measure.is_number else score


def encode_totals(outcomes: Outcomes) -> tuple[np.ndarray, list[str]] | None:
    """Return a code for each question (runs, questions), whose bits say which totals it adds 1 to,
    and their names.

    None if questions add values other than 0 and 1.
    """
    names = sorted({*outcomes.matrices} - {"weight"})
    if isinstance(outcomes.matrices, Coded):
        return outcomes.matrices.codes, names
    if not all(((matrix == 0) | (matrix == 1)).all() for matrix in outcomes.matrices.values()):
        return None
    codes = np.zeros((len(outcomes.runs), outcomes.n), np.min_scalar_type((1 << len(names)) - 1))
    for bit, name in enumerate(names):
        codes |= (outcomes.matrices[name] == 1).astype(codes.dtype) << codes.dtype.type(bit)
    return codes, names


def sum_totals(outcomes: Outcomes, weights: np.ndarray) -> dict[str, np.ndarray]:
    """Return sums over the weighted questions, (trials, runs) or (trials, 1). A single number if
    all trials have the same."""
    totals = {}
    for name, matrix in outcomes.matrices.items():
        total = weights.astype(matrix.dtype, copy=False) @ matrix.T
        total = total.astype(np.float64)
        alike = total.shape[1] == 1 and (total == total[0]).all()
        totals[name] = total[0, 0] if alike else total
    return totals


@dataclass(frozen=True, eq=False)
class Samples:
    """What one assessor judged, opened once for all measures: samples of questions, or questions
    that were asked once.

    runs and names: of runs and of samples, sorted. asked: the question of each sample. matrices:
    where questions were asked several times, the `weight` of each sample. rows: the index of each
    run in the store. items: the indexes of the items, by sample; starts: where the items of each
    sample begin.
    """

    verdicts: Verdicts
    assessor: str
    runs: list[str]
    names: list[str]
    asked: list[str]
    matrices: dict[str, np.ndarray]
    rows: np.ndarray
    items: np.ndarray
    starts: np.ndarray

    def seen_by(self, measure: Measure, policy: dict) -> Outcomes:
        """Return the outcomes of the samples as a measure sees them."""
        blank = Outcomes(measure, self.runs, self.names, self.matrices)
        if measure.parts:
            return replace(blank, parts=[self.seen_by(part, policy) for part in measure.parts])
        if measure.kind == "ordering":
            return replace(blank, orders=self.orders(measure, policy))
        return of_totals(self, blank, policy)

    def outcomes(
        self, measure: Measure, policy: dict, clusters: Mapping[str, str] | None = None
    ) -> Outcomes:
        """Return the outcomes of questions. `clusters` has the cluster of each question that is in
        one."""
        return sum_units(self.seen_by(measure, policy), self.asked, clusters or {})

    def codes(self) -> np.ndarray:
        """Return the codes of the cells, (runs, items)."""
        return self.verdicts.codes[self.verdicts.assessors.index(self.assessor)][self.rows][
            :, self.items
        ]

    def batches(self) -> Iterator[pl.LazyFrame]:
        """Yield the compared rows, those of some runs at once."""
        at_once = max(1, BATCH_ROWS // max(self.verdicts.n, 1))
        for start in range(0, len(self.rows), at_once):
            some = self.rows[start : start + at_once].tolist()
            rows = self.verdicts.scan_derived(self.assessor, slice(some[0], some[-1] + 1))
            run = pl.col("cell") // self.verdicts.n % len(self.verdicts.runs)
            yield rows.filter("compared", run.is_in(some))

    def orders(self, measure: Measure, policy: dict) -> list[orderings.Order]:
        """Return the order of each run."""
        number = np.zeros(self.verdicts.n, np.int64)
        number[self.items] = np.repeat(
            np.arange(len(self.starts)), np.diff([*self.starts, len(self.items)])
        )
        found: dict[int, orderings.Order] = {}
        if measure.rows in BY_SURENESS:
            found = self.orders_by_sureness(policy, number, BY_SURENESS[measure.rows])
        else:
            runs, query = len(self.verdicts.runs), select_resolved(policy, measure.task)
            for some in self.batches():
                rows = query_rows(query, verdicts=some)
                found |= orderings.make_orders(measure, rows, runs, number)
        nothing = orderings.Order(
            np.zeros(0, np.int64), np.zeros(0, bool), np.zeros(0, np.int64), False
        )
        return [found.get(row, nothing) for row in self.rows]

    def orders_by_sureness(
        self, policy: dict, number: np.ndarray, abstained: bool
    ) -> dict[int, orderings.Order]:
        """Return what ROW_ORDER says, from the arrays of the store. abstained: with the rows that
        are no answers."""
        store, assessor = self.verdicts, self.verdicts.assessors.index(self.assessor)
        terms = [
            "TRUE" if abstained else ANSWERED,
            "TRUE",
            "verdict = 'correct'",
            f"NOT ({ANSWERED})",
        ]
        chosen, counted, right, unanswered = (
            store.table(terms, select_resolved(policy, store.task, "cases")) > 0
        )
        found: dict[int, orderings.Order] = {}
        for row in self.rows.tolist():
            codes = store.codes[assessor, row]
            items = np.flatnonzero(counted[codes])
            sort_key = store.get_sort_key(assessor, row, items)
            some = chosen[codes[items]]
            items, ordered = items[some], sort_key is not None
            codes = codes[items]
            if not len(items):
                continue
            values = np.where(
                unanswered[codes], np.nan, np.nan if sort_key is None else sort_key[some]
            )
            found[row] = orderings.sort_rows(
                number[items], right[codes], unanswered[codes], values, ordered
            )
        return found


def select_samples(
    verdicts: Path | Verdicts, assessor: str, without: Iterable[str] = ()
) -> Samples:
    """Return the samples of one assessor, from a verdict store.

    `without` are runs to leave out (the two trivial ones). Questions on which runs are not compared
    are left out, and runs that are not compared, too.
    """
    store = verdicts if isinstance(verdicts, Verdicts) else read_verdicts(verdicts)
    left_out, number = {*without}, store.assessors.index(assessor)
    [compared] = store.table(["compared"]) > 0
    there = compared[store.codes[number]]
    there[[run in left_out for run in store.runs]] = False
    rows, items = np.flatnonzero(there.any(axis=1)), np.flatnonzero(there.any(axis=0))
    runs, keys = [store.runs[row] for row in rows], store.items[items]
    questions, matrices = keys["question"].to_list(), {}
    names = questions
    if store.repeated and keys["epoch"].n_unique() > 1:
        names = [
            f"{question} {epoch}"
            for question, epoch in keys.select("question", "epoch").iter_rows()
        ]
        order = np.array(sorted(range(len(names)), key=names.__getitem__), np.int64)
        [asked] = store.table([f"compared AND verdict <> '{tasks.NOT_ASKED}'"])
        weight = (
            store.weights(number, rows, items, "compared").weight
            * asked[store.codes[number][rows][:, items]]
        )
        matrices["weight"] = weight[:, order].astype(np.float64)
        items = items[order]
        names = [names[one] for one in order]
        questions = [questions[one] for one in order]
    starts = np.flatnonzero(
        [one != other for one, other in zip(names, [None, *names][:-1], strict=True)]
    )
    asked_of = [questions[start] for start in starts]
    names = [names[start] for start in starts]
    return Samples(store, assessor, runs, names, asked_of, matrices, rows, items, starts)


def read_clusters(files: list[Path]) -> dict[str, str]:
    """Return the cluster of each question that is in one, under a name that no question has, from
    the table of the questions, if there is any."""
    columns = pl.col("question"), "\0" + pl.col("cluster")
    questions = [
        tables.spelt(pl.read_parquet(file, columns=["question", "cluster"]))
        .drop_nulls("cluster")
        .select(columns)
        for file in files
    ]
    return dict(pl.concat(questions).iter_rows()) if questions else {}


def read_outcomes(
    verdicts: Path,
    task: str,
    measure: str,
    policy: dict,
    official: str | None,
    clusters: Mapping[str, str],
) -> tuple[Outcomes, str]:
    """Read the outcomes for a measure under the official assessor, of all but the trivial runs.
    Return that assessor, too.

    `clusters` has the cluster of each question that is in one: the questions of a cluster count as
    one.
    """
    samples = samples_in(verdicts, verdicts.stat().st_mtime_ns, official, tasks.get(task).trivial)
    return samples.outcomes(measures.get(task, measure), policy, clusters), samples.assessor


@lru_cache(maxsize=1)
def samples_in(
    verdicts: Path, changed: int, official: str | None, trivial: tuple[str, ...]
) -> Samples:
    """Return the samples of the official assessor in a file, last changed at this time: the same
    for all measures."""
    store = read_verdicts(verdicts)
    return select_samples(store, store.official(official), trivial)


def sum_units(samples: Outcomes, asked: list[str], clusters: Mapping[str, str]) -> Outcomes:
    """Add up the samples of each question, and the questions of each cluster.

    asked has the question of each sample. Where there is nothing to add up, the outcomes are
    unchanged.
    """
    units = [clusters.get(name, name) for name in asked]
    names = sorted(set(units))
    parts = [sum_units(part, asked, clusters) for part in samples.parts]
    if len(names) == samples.n:
        return replace(samples, questions=asked, parts=parts)
    number = {name: index for index, name in enumerate(names)}
    unit = np.array([number[name] for name in units], np.int64)
    order = np.argsort(unit, kind="stable")
    starts = np.searchsorted(unit[order], np.arange(len(names)))

    def summed(matrix: np.ndarray) -> np.ndarray:
        return np.add.reduceat(matrix[:, order], starts, axis=1) if names else matrix

    return replace(
        samples,
        questions=names,
        matrices={name: summed(matrix) for name, matrix in samples.matrices.items()},
        scorable=None if samples.scorable is None else summed(samples.scorable),
        orders=[replace(run, question=unit[run.question]) for run in samples.orders],
        parts=parts,
        inside=replace(samples, questions=asked),
        unit=unit,
    )


def of_totals(samples: Samples, blank: Outcomes, policy: dict) -> Outcomes:
    """Return the outcomes with a matrix for each count or sum that the measure takes, and for n.
    Sums are multiples of 2^-32.

    A count follows from the case of a cell; a sum also from numbers. The pairs of a question are
    added up.
    """
    measure, of_counts = blank.measure, blank.measure.kind == "counts"
    grid = counts_of(samples, measure, policy) if of_counts else sums_of(samples, measure, policy)
    codes = grid.pop("codes", None)
    if len(samples.starts) < len(samples.items):
        codes = None
        kind = np.float32 if of_counts else np.float64
        grid = {
            name: np.add.reduceat(matrix, samples.starts, axis=1, dtype=kind)
            for name, matrix in grid.items()
        }
    known = np.minimum(grid.pop("known"), 1)
    if measure.is_number:  # a number of questions is a share of all of them, excluded ones, too
        grid["n"] = np.ones_like(grid["n"]) * (grid["n"] > 0).any(axis=1, keepdims=True)
    if "weight" in blank.matrices:
        grid = {name: matrix * blank.matrices["weight"] for name, matrix in grid.items()}
    grid |= blank.matrices
    small = (
        of_counts and max(int(matrix.max(initial=0)) for matrix in grid.values()) * blank.n < SMALL
    )
    dtype = np.float32 if small else np.float64
    # For all runs
    alike = {name: len(matrix) > 0 and (matrix == matrix[0]).all() for name, matrix in grid.items()}
    matrices = {
        name: (matrix[:1] if alike[name] else matrix).astype(dtype) for name, matrix in grid.items()
    }
    if codes is not None and not measure.is_number and not blank.matrices:
        matrices = Coded(matrices)
        matrices.codes = codes
    # A column that the campaign does not have is missing from every row.
    everywhere = known.any() if of_counts else known.all()
    return replace(
        blank, matrices=matrices, scorable=None if everywhere else known.astype(np.float32)
    )


def counts_of(samples: Samples, measure: Measure, policy: dict) -> dict[str, np.ndarray]:
    """Whether each cell counts, (runs, items), by count of the measure, and for n; `known`, for
    what it has; and the `codes` of Coded.
    """
    counts, store = tasks.get(measure.task).counts, samples.verdicts
    names = sorted({*measure.totals, "n"})
    terms = [
        f"coalesce(compared AND ({render_condition(name, counts[name])}), FALSE)" for name in names
    ]
    present = " AND ".join(
        f"{counts[name].needs} IS NOT NULL" for name in names if counts[name].needs
    )
    table = store.table(
        [*terms, f"compared AND {present or 'TRUE'}"],
        select_with_excluded(policy, measure.task, "cases"),
    )
    table[-1, 0] = not present
    of_cells = (table[:-1] > 0).T @ (1 << np.arange(len(names)))
    codes = samples.codes()
    own = [*(table > 0), of_cells.astype(np.min_scalar_type((1 << len(names)) - 1))]
    return {
        name: look_up(values, codes)
        for name, values in zip([*names, "known", "codes"], own, strict=True)
    }


def look_up(table: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Return what a table has for each code; of bytes for bytes, ten times faster than by an
    index."""
    table = table.astype(np.uint8) if table.dtype == bool else table
    if codes.dtype != np.uint8 or table.dtype != np.uint8:
        return table[codes]
    found = codes.tobytes().translate(np.pad(table, (0, 256 - len(table))).tobytes())
    return np.frombuffer(found, np.uint8).reshape(codes.shape)


def find_codes(codes: np.ndarray) -> np.ndarray:
    """Return the codes that occur in some row, sorted."""
    there = np.zeros(int(codes.max(initial=0)) + 1, bool)
    for row in codes:
        there[row] = True
    return np.flatnonzero(there)


def sums_of(samples: Samples, measure: Measure, policy: dict) -> dict[str, np.ndarray]:
    """Return what each cell adds to the sums of the measure, (runs, items), and to n. `known`:
    whether it has all terms."""
    counted, there = tasks.get(measure.task).counts["n"].condition, pl.col("verdict") != "exclude"
    terms = {
        name: pl.when(there).then(pl.sql_expr(term)) for name, term in measure.exact_sums.items()
    }
    columns = {name: term.fill_null(0) / EXACT for name, term in terms.items()}
    columns["n"] = pl.sql_expr(counted) & there
    columns["known"] = pl.all_horizontal(term.is_not_null() for term in terms.values())
    store = samples.verdicts
    row, column = np.zeros(len(store.runs), np.int64), np.zeros(store.n, np.int64)
    row[samples.rows], column[samples.items] = (
        np.arange(len(samples.rows)),
        np.arange(len(samples.items)),
    )
    grid = {name: np.zeros((len(samples.rows), len(samples.items))) for name in columns}
    for some in samples.batches():
        rows = query_rows(select_with_excluded(policy, measure.task), verdicts=some)
        found = rows.select("cell", **columns).cast(pl.Float64).collect()
        run, item = np.divmod(found["cell"].to_numpy().astype(np.int64), store.n)
        cell = row[run % len(store.runs)], column[item]
        for name, matrix in grid.items():
            matrix[cell] = found[name].to_numpy()
    return grid
