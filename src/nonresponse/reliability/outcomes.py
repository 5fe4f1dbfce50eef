"""The outcome of every question for every run, as one measure needs it: matrices whose products with subsets of the
questions are totals.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from nonresponse import measures, tables, tasks
from nonresponse.database import add_verdicts, connect
from nonresponse.measures import EXACT, Measure, orderings
from nonresponse.reliability.ratio import Ratio, Scores
from nonresponse.scoring.tally import condition, repeated, resolved, weighted, with_excluded

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

Totals = TypeVar("Totals", Ratio, np.ndarray)

SMALL = 2**24  # whole numbers up to here are exact in float32
WEIGHTY = 2**20  # the product of three totals up to here fits in 64 bits
# If questions were asked several times, each sample takes the place of a question. A sample that a run lacks, but that
# other runs have, is excluded, and has no weight.
SAMPLES = f"""
    CREATE TABLE verdicts AS
    WITH samples AS (SELECT * REPLACE (question || ' ' || epoch AS question) FROM ({{chosen}}))
    SELECT * REPLACE (
        coalesce(verdict, 'exclude') AS verdict,
        CASE WHEN verdict <> '{tasks.NOT_ASKED}' THEN weight ELSE 0 END AS weight
    )
    FROM (SELECT DISTINCT run FROM samples) CROSS JOIN (SELECT DISTINCT question FROM samples)
    LEFT JOIN samples USING (run, question) ORDER BY run, question"""


@dataclass(frozen=True, eq=False)
class Outcomes:
    """The runs of a campaign under one assessor, and their outcomes per question for one measure.

    matrices: for each count or sum that the measure takes, (runs, questions), or (1, questions) if it is the same for
    all runs; if questions were asked several times, `weight` has the weight of each sample. known: which questions can
    give the measure a value, in the same shapes, or None for all of them. orders: for measures of an order, one per
    run. parts: for combined measures, the outcomes for each part; matrices then has at most `weight`.

    A question that was asked several times, or a cluster of questions, takes the place of a question: it is drawn,
    flipped and left out as a whole. `inside` then has the single samples, and `unit` says which of `questions` each of
    them belongs to.
    """

    measure: Measure
    runs: list[str]
    questions: list[str]
    matrices: dict[str, np.ndarray] = field(default_factory=dict)
    known: np.ndarray | None = None
    orders: list[orderings.Order] = field(default_factory=list)
    inside: Outcomes | None = None
    unit: np.ndarray | None = None
    parts: list[Outcomes] = field(default_factory=list)

    @property
    def n(self) -> int:
        """The number of questions, or of the samples or clusters that take their place."""
        return len(self.questions)

    @property
    def asked(self) -> int:
        """The number of questions themselves."""
        return len(set(self.inside.questions)) if self.inside else self.n

    @property
    def per_unit(self) -> float:
        """How many questions a cluster has, on average; 1 without clusters."""
        return self.asked / self.n if self.n else 1.0

    def in_questions(self, number: float) -> int:
        """A number of clusters as the number of questions in them, on average; without clusters, the number itself."""
        return round(number * self.per_unit)


def only(outcomes: Outcomes, rows: list[int]) -> Outcomes:
    """The outcomes of some of the runs, given by their rows."""

    def some(matrix: np.ndarray) -> np.ndarray:
        """The rows of the runs, or the one that all runs share."""
        return matrix if len(matrix) == 1 else matrix[rows]

    return replace(
        outcomes,
        runs=[outcomes.runs[row] for row in rows],
        matrices={name: some(matrix) for name, matrix in outcomes.matrices.items()},
        known=None if outcomes.known is None else some(outcomes.known),
        orders=[outcomes.orders[row] for row in rows] if outcomes.orders else [],
        inside=only(outcomes.inside, rows) if outcomes.inside else None,
        parts=[only(part, rows) for part in outcomes.parts],
    )


def scores(outcomes: Outcomes, weights: np.ndarray) -> Scores:
    """The scores (trials, runs) on weighted questions: weights is (trials, questions), float32 whole numbers.

    Exact fractions for a measure of counts, else float64. Undefined is a denominator of 0, or NaN.
    """
    if outcomes.measure.kind != "counts":
        return values(outcomes, weights)
    exact = {name: Fraction(str(value)) for name, value in outcomes.measure.extra.items()}
    whole = {name: total.astype(np.int64) for name, total in totals_of(outcomes, weights).items()}
    # With a parameter of many decimals the products outgrow 64 bits, and so they do with large weights; Python's
    # integers do not.
    large = any(max(value.numerator, value.denominator) > 100 for value in exact.values())
    large |= bool(np.max(whole.get("weight", 0), initial=0) > WEIGHTY)
    totals = {name: Ratio(np.asarray(total, object if large else np.int64)) for name, total in whole.items()}
    score = evaluated(replace(outcomes.measure, extra=exact), totals)
    unknown = unknown_in(outcomes, weights)
    den = score.den if unknown is None else np.where(unknown, 0, score.den)
    return Ratio(np.broadcast_to(score.num, (len(weights), len(outcomes.runs))), den)


def values(outcomes: Outcomes, weights: np.ndarray) -> np.ndarray:
    """The scores as float64 (trials, runs), NaN where undefined."""
    if outcomes.parts:
        return outcomes.measure([values(part, weights) for part in outcomes.parts])
    if outcomes.measure.kind == "ordering":
        return orderings.values(outcomes.measure, outcomes.orders, weights)
    with np.errstate(all="ignore"):
        score = evaluated(outcomes.measure, totals_of(outcomes, weights))
    unknown = unknown_in(outcomes, weights)
    score = np.where(np.isfinite(score), score, np.nan) if unknown is None else np.where(unknown, np.nan, score)
    return np.broadcast_to(score, (len(weights), len(outcomes.runs)))


def full_scores(outcomes: Outcomes) -> np.ndarray:
    """The scores on all questions (runs,), NaN where undefined."""
    return values(outcomes, np.ones((1, outcomes.n), np.float32))[0]


def evaluated(measure: Measure, totals: Mapping[str, Totals]) -> Totals:
    """The measure, computed from totals; measures that count questions (ROMIP's official counts) as shares of them."""
    n = totals["n"]
    score = measure(**{name: totals[name] for name in measure.totals})
    return score / n if measure.is_number else score


def totals_of(outcomes: Outcomes, weights: np.ndarray) -> dict[str, np.ndarray]:
    """Sums over the weighted questions, (trials, runs) or (trials, 1); a single number if all trials have the same."""
    totals = {}
    for name, matrix in outcomes.matrices.items():
        total = weights.astype(matrix.dtype, copy=False) @ matrix.T
        total = total.astype(np.float64)
        alike = total.shape[1] == 1 and (total == total[0]).all()
        totals[name] = total[0, 0] if alike else total
    return totals


def unknown_in(outcomes: Outcomes, weights: np.ndarray) -> np.ndarray | None:
    """Whether no question of a trial can give a value: (trials, runs) or (trials, 1); None if some always can."""
    return None if outcomes.known is None else weights @ outcomes.known.T == 0


@dataclass(frozen=True, eq=False)
class Samples:
    """What one assessor judged, opened once for all measures: samples of questions, or questions that were asked once.

    connection: a database with a view or table `verdicts` of them. runs and names: of runs and of samples, sorted.
    asked: the question of each sample. matrices: where questions were asked several times, the `weight` of each.
    """

    connection: DuckDBPyConnection
    runs: list[str]
    names: list[str]
    asked: list[str]
    matrices: dict[str, np.ndarray]

    def seen_by(self, measure: Measure, policy: dict) -> Outcomes:
        """The outcomes of the samples as a measure sees them."""
        blank = Outcomes(measure, self.runs, self.names, self.matrices)
        if measure.parts:
            return replace(blank, parts=[self.seen_by(part, policy) for part in measure.parts])
        if measure.kind == "ordering":
            rows = resolved(policy, measure.task)
            orders = orderings.orders_from_verdicts(self.connection, measure, rows, self.runs, self.names)
            return replace(blank, orders=orders)
        return of_totals(self.connection, blank, policy)

    def outcomes(self, measure: Measure, policy: dict, clusters: Mapping[str, str] | None = None) -> Outcomes:
        """The outcomes of questions; `clusters` has the cluster of each question that is in one."""
        return by_unit(self.seen_by(measure, policy), self.asked, clusters or {})


def samples_of(verdicts: Path, task: str, assessor: str, without: Iterable[str] = ()) -> Samples:
    """The samples of one assessor, from verdicts.

    `without` are runs to leave out (the two trivial ones). Questions on which runs are not compared are left out, and
    runs that are not compared, too.
    """
    connection = connect()
    add_verdicts(connection, verdicts, "everything")
    connection.execute("SET VARIABLE assessor = $1", [assessor])
    connection.execute("SET VARIABLE trivial = $1", [list(without)])
    connection.execute(
        "CREATE VIEW chosen AS SELECT * FROM everything WHERE assessor = getvariable('assessor')"
        " AND compared AND NOT list_contains(getvariable('trivial'), run)"
    )
    several = repeated(connection, task, "chosen")
    chosen = weighted(connection, task, "chosen")
    connection.execute(SAMPLES.format(chosen=chosen) if several else f"CREATE VIEW verdicts AS {chosen}")
    runs, names = (
        [name for (name,) in connection.sql(f"SELECT DISTINCT {key} FROM verdicts ORDER BY {key}").fetchall()]
        for key in ("run", "question")
    )
    if not several:
        return Samples(connection, runs, names, names, {})
    weight = connection.sql("SELECT weight FROM verdicts").fetchnumpy()["weight"]
    asked = [name.rpartition(" ")[0] for name in names]
    matrices = {"weight": weight.reshape(len(runs), -1).astype(np.float64)}
    return Samples(connection, runs, names, asked, matrices)


def read_outcomes(
    verdicts: Path, task: str, measure: str, policy: dict, official: str | None, clusters: Mapping[str, str]
) -> tuple[Outcomes, str]:
    """The outcomes of all but the trivial runs by a measure under the official judgments; and their assessor."""
    assessor = tables.official(official, tables.scan(verdicts))
    samples = samples_of(verdicts, task, assessor, tasks.get(task).trivial)
    return samples.outcomes(measures.get(task, measure), policy, clusters), assessor


def from_verdicts(
    verdicts: Path,
    measure: Measure,
    policy: dict,
    assessor: str,
    without: Iterable[str] = (),
    clusters: Mapping[str, str] | None = None,
) -> Outcomes:
    """The outcomes for one measure (`Samples.outcomes`), runs and questions sorted by name.

    Excluded questions contribute nothing; those that no run is compared on are left out.
    """
    return samples_of(verdicts, measure.task, assessor, without).outcomes(measure, policy, clusters)


def by_unit(samples: Outcomes, asked: list[str], clusters: Mapping[str, str]) -> Outcomes:
    """The outcomes with the samples of each question, and the questions of each cluster, added up.

    asked has the question of each sample. Where there is nothing to add up, the outcomes are unchanged.
    """
    # Pairs, since a cluster may have the name of a question that is in no cluster.
    units = [(clusters.get(question, ""), "" if question in clusters else question) for question in asked]
    names = sorted(set(units))
    parts = [by_unit(part, asked, clusters) for part in samples.parts]
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
        questions=["".join(name) for name in names],
        matrices={name: summed(matrix) for name, matrix in samples.matrices.items()},
        known=None if samples.known is None else summed(samples.known),
        orders=[replace(run, question=unit[run.question]) for run in samples.orders],
        parts=parts,
        inside=replace(samples, questions=asked),
        unit=unit,
    )


def of_totals(connection: DuckDBPyConnection, blank: Outcomes, policy: dict) -> Outcomes:
    """The outcomes with a matrix for each count or sum that the measure takes, and for n; sums are multiples of 2^-32.

    The verdicts have every question of every run, and a shard of them is sorted by both, so that a column already is a
    matrix, except for the order of the runs; the pairs of a question are added up.
    """
    measure, task = blank.measure, tasks.get(blank.measure.task)
    of_counts, counts = measure.kind == "counts", task.counts
    if of_counts:
        names = sorted({*measure.totals, "n"})
        columns = {name: f"coalesce({condition(name, counts[name])}, FALSE)::UTINYINT" for name in names}
        present = [f"{counts[name].needs} IS NOT NULL" for name in names if counts[name].needs]
    else:
        terms = {name: f"CASE WHEN verdict <> 'exclude' THEN {term} END" for name, term in measure.exact_sums.items()}
        columns = {name: f"coalesce({term}, 0) / {EXACT}" for name, term in terms.items()}
        columns["n"] = f"(({counts['n'].where}) AND verdict <> 'exclude')::INTEGER"
        present = [f"({term}) IS NOT NULL" for term in terms.values()]
    if "weight" in blank.matrices:
        columns = {name: f"({text}) * weight" for name, text in columns.items()}
    columns["known"] = f"({' AND '.join(present) or 'TRUE'})::INTEGER"
    query, grouped = ", ".join(f"{text} AS {name}" for name, text in columns.items()), ""
    if task.pairs:
        query = ", ".join(f"sum({text})::DOUBLE AS {name}" for name, text in columns.items())
        grouped = "GROUP BY run, question ORDER BY run, question"
    rows = connection.sql(f"SELECT {query} FROM ({with_excluded(policy, task.id)}) {grouped}").fetchnumpy()
    grid = {name: np.asarray(rows[name]).reshape(len(blank.runs), blank.n) for name in columns}
    if blank.n and not grouped:
        first = connection.sql("SELECT run FROM verdicts WHERE question = $1", params=[blank.questions[0]])
        place = {run: row for row, (run,) in enumerate(first.fetchall())}
        grid = {name: matrix[[place[run] for run in blank.runs]] for name, matrix in grid.items()}
    grid |= blank.matrices
    known = np.minimum(grid.pop("known"), 1).astype(np.float32)
    small = of_counts and max(int(matrix.max(initial=0)) for matrix in grid.values()) * blank.n < SMALL
    dtype = np.float32 if small else np.float64
    alike = {name: len(matrix) > 0 and (matrix == matrix[0]).all() for name, matrix in grid.items()}  # for all runs
    matrices = {name: (matrix[:1] if alike[name] else matrix).astype(dtype) for name, matrix in grid.items()}
    # A column that the campaign does not have is missing from every row.
    everywhere = known.any() if of_counts else known.all()
    return replace(blank, matrices=matrices, known=None if everywhere else known)
