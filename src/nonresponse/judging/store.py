"""The verdict store: all verdicts of a campaign in one dense file, verdicts.npz.

A cell is a run's response to an item under an assessor. An item is a question, one of its epochs,
or one of its pairs. All columns with few values are one code per cell, an index into the table of
distinct cases; code 0 is no verdict. A column of numbers is a plane, which is coded, too, where few
of them differ. Names are stored once. Equal verdicts are equal bytes.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, product
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any
from zipfile import ZipFile, ZipInfo

import numpy as np
import polars as pl
from polars.io.plugins import register_io_source

from nonresponse import tables, tasks
from nonresponse.database import exact, query_rows

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

VERDICTS_FILE = "verdicts.npz"
KEY = ("assessor", "run", "question", "epoch", "candidate")
ITEM = (*KEY[2:], "category")
# The columns of numbers, and the text of a hypothesis, of which the plane has the index in `texts`
VALUES: dict[str, Any] = {
    **dict.fromkeys(
        ("confidence", "score", "squared_error", "similarity", "similarity_c"), pl.Float64
    ),
    **dict.fromkeys(("position", "year", "distance"), pl.Int32),
    "answer": pl.String,
    "known_answers": pl.Int64,  # how many correct answers to the question the judgments know
}
# What may tell how sure a run is, in this order of precedence
SURE = ("position", "confidence", "score")
MAY_BE_RIGHT = ("correct", "unscored")
# What follows from the verdict on the first answer (`add_derived`), unless a run gave several
DERIVED = ("decided", "partly", "any_right", "failed", "unscored")
QUESTION_VALUES = (
    *("reciprocal_rank", "reciprocal_rank_best", "average_precision", "average_precision_best"),
    *("k_value", "k_unscored", "k_partial", "k_error"),
)
VALUES |= dict.fromkeys(QUESTION_VALUES, pl.Float64)
# The types of the other columns, the cases; what is not named here is true or false
CASES: dict[str, Any] = {"verdict": pl.String, "candidate_verdict": pl.String, "unscored": pl.Int32}
# Of a row: its index in the order of the key, and those of Weights; 1 if no question was repeated
WEIGHT_COLUMNS = ("cell", "weight", "times")
STATES = {word: number for number, word in enumerate((*tasks.VERDICTS, tasks.NOT_ASKED))}
BATCH_ROWS = 2_000_000  # that are made at a time
MOST_TIMES = 1_000_000  # of the least common multiple of numbers of epochs
VALUES_SUFFIX = " values"  # of the name of a coded plane, for its values
MOST_VALUES = 2**16  # of a coded plane
TABLE_SIZE = 2**24  # of a table by which its values are looked up, at most


@dataclass(frozen=True)
class Weights:
    """What the verdicts of an assessor count where questions were asked several times.

    All questions that a run was asked count the same: their weights add up to `times` (runs,), the
    least common multiple of their numbers of epochs, or MOST if that is less. The first epoch takes
    the remainder. An epoch in which a run was not asked a question counts only where it was never
    asked that question. weight: (runs, items).
    """

    weight: np.ndarray
    times: np.ndarray


@dataclass(frozen=True, eq=False)
class Coded:
    """A plane of numbers of which few differ: the index of each in `values`."""

    index: np.ndarray
    values: np.ndarray

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the plane."""
        return self.index.shape

    def __len__(self) -> int:
        return len(self.index)

    def __getitem__(self, key: Any) -> np.ndarray:
        return np.take(self.values, self.index[key])


@dataclass(frozen=True, eq=False)
class Verdicts:
    """The verdicts of a campaign; assessors, runs and items are sorted.

    items: question, epoch where the task has epochs, candidate, category. cases: a row per code,
    all null for code 0. codes: (assessors, runs, items). planes: by column, (assessors, runs,
    items), NaN where there is no value; 1 in place of assessors or runs that have the same numbers.
    texts: what the plane `answer` refers to.
    """

    task: str
    assessors: list[str]
    runs: list[str]
    items: pl.DataFrame
    cases: pl.DataFrame
    codes: np.ndarray
    planes: Mapping[str, np.ndarray | Coded]
    texts: Sequence[str] = ()

    @property
    def columns(self) -> dict[str, Any]:
        """The stored columns of a row, and their types."""
        columns = {
            "assessor": pl.String,
            "run": pl.String,
            **self.items.schema,
            **self.cases.schema,
        }
        present = (*columns, *DERIVED, *QUESTION_VALUES)
        names = [name for name in tasks.get(self.task).columns if name not in present]
        names = [name for name in (*self.planes, *names) if name in VALUES]
        return columns | {name: VALUES[name] for name in names}

    @property
    def n(self) -> int:
        """The number of items."""
        return self.items.height

    @property
    def repeated(self) -> bool:
        """Whether questions were asked several times."""
        return "epoch" in self.items.columns and self.items["epoch"].n_unique() > 1

    def official(self, name: str | None) -> str:
        """Return the assessor whose judgments are official: the named one, else the first."""
        return name or self.assessors[0]

    @cached_property
    def derived(self) -> pl.DataFrame:
        """The cases with `code` and all columns of rows; what is no part of a case is null."""
        kinds = {name: kind for name, kind in self.columns.items() if name in VALUES}
        kinds |= dict.fromkeys((*KEY[:3], *ITEM[2:]), pl.String) | {"epoch": pl.Int32}
        nulls = [pl.lit(None, kind).alias(name) for name, kind in kinds.items()]
        cases = self.cases.with_row_index("code")[1:].with_columns(nulls)
        return self.add_derived(cases.lazy()).collect()

    def table(self, terms: Sequence[str], query: str = "FROM cases") -> np.ndarray:
        """Return the value of each term in SQL for each case, (terms, cases); 0 where null, and for
        no verdict."""
        if new := [term for term in dict.fromkeys(terms) if (term, query) not in self.term_values]:
            columns = [f"({term})::DOUBLE AS term_{number}" for number, term in enumerate(new)]
            query_of_terms = f"SELECT code, {', '.join(columns)} FROM ({query})"
            rows = query_rows(query_of_terms, cases=self.derived).collect().fill_null(0)
            table = np.zeros((len(new), self.cases.height))
            table[:, rows["code"].to_numpy()] = rows.drop("code").to_numpy().T
            self.term_values.update(zip(((term, query) for term in new), table, strict=True))
        return np.stack([self.term_values[term, query] for term in terms])

    @cached_property
    def term_values(self) -> dict[tuple[str, str], np.ndarray]:
        """The results of `table`: measures share most terms, and a query takes longer than sums."""
        return {}

    def find_items(self, assessor: int, cases: np.ndarray) -> np.ndarray:
        """Return whether some run has one of these cases (cases,) on each item, bool (items,)."""
        has_case = np.zeros(self.n, bool)
        for codes in self.codes[assessor]:
            has_case |= cases[codes]
        return has_case

    def weights(
        self,
        assessor: int,
        runs: Any = slice(None),
        items: Any = slice(None),
        condition: str = "TRUE",
    ) -> Weights:
        """Return the weights of the rows that meet a condition in SQL."""
        codes = self.codes[assessor][runs][:, items]
        terms = [condition, f"({condition}) AND verdict <> '{tasks.NOT_ASKED}'"]
        eligible, asked = (self.table(terms) > 0)[:, codes]
        question = self.items["question"].rle_id().to_numpy()[items].astype(np.int64)
        is_start = np.diff(question, prepend=-1) != 0
        starts, group = np.flatnonzero(is_start), np.cumsum(is_start) - 1
        was_asked = np.logical_or.reduceat(asked, starts, axis=1)[:, group]
        counts = np.where(was_asked, asked, eligible)
        epochs = np.add.reduceat(counts, starts, axis=1, dtype=np.int64)
        times = np.ones(len(codes), np.int64)
        for number in np.unique(epochs[epochs > 0]):
            multiple = np.minimum(np.lcm(times, number), MOST_TIMES)
            times = np.where((epochs == number).any(axis=1), multiple, times)
        earlier = np.cumsum(counts, axis=1) - counts
        is_first = counts & (earlier == earlier[:, starts][:, group])
        share, remainder = np.divmod(times[:, None], np.maximum(epochs, 1))
        return Weights(counts * share[:, group] + is_first * remainder[:, group], times)

    def plane(self, name: str, assessor: int, runs: slice = slice(None)) -> np.ndarray:
        """Return the numbers of an assessor and of some runs, (runs, items)."""
        plane = self.planes[name]
        rows = plane[assessor if len(plane) > 1 else 0, runs if plane.shape[1] > 1 else slice(None)]
        return np.broadcast_to(rows, (len(self.runs[runs]), self.n))

    def get_sort_key(self, assessor: int, run: int, items: np.ndarray) -> np.ndarray | None:
        """Return how sure a run is of some items, by the first of SURE that it fills."""
        for name in SURE:
            if name in self.planes:
                values = self.plane(name, assessor, slice(run, run + 1))[0, items]
                values = values.astype(np.float64)
                if not np.isnan(values).all():
                    return -values if name == "position" else values
        return None

    def add_derived(self, rows: pl.LazyFrame) -> pl.LazyFrame:
        """Return rows with the columns that follow from the verdict on the first answer.

        Where some run gave several answers, those of several answers are stored.
        """
        if not tasks.get(self.task).pooled:
            return rows
        stored = {*self.cases.columns, *self.planes}
        has_known = "known_answers" in stored
        known_answers = pl.col("known_answers") if has_known else pl.lit(None, pl.Int64)
        is_given, answers = pl.col("given"), pl.max_horizontal(known_answers, pl.lit(1, pl.Int64))

        def is_any(*verdicts: str) -> pl.Expr:
            return pl.col("verdict").is_in(verdicts)

        def share(number: pl.Expr) -> pl.Expr:
            return exact(number * pl.col("confidence") / answers)

        right, best = (is_any(*words).cast(pl.Int32) for words in (["correct"], MAY_BE_RIGHT))
        if_known = pl.when(known_answers.is_not_null())
        columns = {
            "decided": is_given & is_any("correct", "wrong"),
            "partly": is_given & is_any("partial"),
            "any_right": is_given & is_any("correct"),
            "failed": is_any("error"),
            "unscored": is_any("unscored").cast(pl.Int32),
            "reciprocal_rank": right.cast(pl.Float64),
            "reciprocal_rank_best": best.cast(pl.Float64),
            "average_precision": if_known.then(exact(right / answers)),
            "average_precision_best": if_known.then(exact(best / answers)),
            "k_value": if_known.then(share(right - is_any("wrong").cast(pl.Int32))),
            **{
                f"k_{word}": share(is_any(word).cast(pl.Int32))
                for word in ("unscored", "partial", "error")
            },
        }
        columns |= {
            name: pl.coalesce(pl.col(name), columns[name]) for name in columns.keys() & stored
        }
        return rows.with_columns(**columns, rightful=pl.col("rightful").fill_null(False))

    def scan_derived(self, assessor: str | None = None, runs: slice = slice(None)) -> pl.LazyFrame:
        """Return the rows with all columns of the task and WEIGHT_COLUMNS, sorted by their key."""
        return self.add_derived(self.scan(assessor, runs, [*self.columns, *WEIGHT_COLUMNS]))

    def batches(self, assessor: str | None = None) -> Iterator[pl.LazyFrame]:
        """Yield what `scan_derived` returns: all at once if few, else a few runs of an assessor."""
        if assessor is None and self.codes.size <= BATCH_ROWS:
            yield self.scan_derived()
            return
        for name in self.assessors if assessor is None else [assessor]:
            for runs in self.split_runs(slice(None)):
                yield self.scan_derived(name, runs)

    def split_runs(self, runs: slice) -> list[slice]:
        """Return slices of one run each, or of at most BATCH_ROWS rows of an assessor."""
        positions, size = range(len(self.runs))[runs], max(1, BATCH_ROWS // max(self.n, 1))
        return [slice(start, min(start + size, positions.stop)) for start in positions[::size]]

    def add_rows(
        self, connection: DuckDBPyConnection, columns: Sequence[str], assessor: str
    ) -> None:
        """Make a table `verdicts` of the rows of an assessor, a few runs at a time."""
        for number, rows in enumerate(self.batches(assessor)):
            connection.register("batch", Stream(rows.select(columns).collect()))
            statement = "INSERT INTO verdicts" if number else "CREATE TABLE verdicts AS"
            connection.execute(f"{statement} FROM batch")

    def rows(self, assessor: str | None = None) -> pl.DataFrame:
        """Return the rows, sorted by their key, with all columns of the task."""
        return self.scan_derived(assessor).select(tasks.get(self.task).columns).collect()

    def scan(
        self,
        assessor: str | None = None,
        runs: slice = slice(None),
        columns: Sequence[str] | None = None,
    ) -> pl.LazyFrame:
        """Return the rows of all assessors or of one, and of some runs, sorted by their key.

        columns: of the stored ones, and of WEIGHT_COLUMNS; only those that are read are made.
        """
        assessors = [index for index, name in enumerate(self.assessors) if assessor in (None, name)]
        names = [*self.columns] if columns is None else [*columns]
        kinds = self.columns | dict.fromkeys(WEIGHT_COLUMNS, pl.Int64)

        def read_batches(
            columns: list[str] | None, predicate: pl.Expr | None, limit: int | None, _: int | None
        ) -> Iterator[pl.DataFrame]:
            for index, batch in product(assessors, self.split_runs(runs)):
                frame = self.frame(columns or names, index, batch)
                if limit is not None:
                    frame = frame.head(limit)
                    limit -= frame.height
                yield frame if predicate is None else frame.filter(predicate)

        return register_io_source(read_batches, schema={name: kinds[name] for name in names})

    def frame(self, names: Sequence[str], assessor: int, runs: slice) -> pl.DataFrame:
        """Return stored columns, or WEIGHT_COLUMNS, of the rows of an assessor and of some runs."""
        codes = self.codes[assessor, runs].ravel()
        cell = np.flatnonzero(codes)
        run, item = np.divmod(cell, max(self.n, 1))
        weights = None
        if self.repeated and {"weight", "times"} & {*names}:
            weights = self.weights(assessor, runs)

        def column(name: str) -> pl.Series:
            if name == "cell":
                start = (assessor * len(self.runs) + (runs.start or 0)) * self.n
                return pl.Series(cell + start)
            if weights and name == "weight":
                return pl.Series(weights.weight.ravel()[cell])
            if weights and name == "times":
                return pl.Series(weights.times[run])
            if name in ("weight", "times"):
                return pl.repeat(1, len(cell), dtype=pl.Int64, eager=True)
            if name == "assessor":
                return pl.repeat(self.assessors[assessor], len(cell), eager=True)
            if name == "run":
                return pl.Series(self.runs[runs], dtype=pl.String).gather(run)
            if name in self.items.columns:
                return self.items[name].gather(item)
            if name in self.cases.columns:
                return self.cases[name].gather(codes[cell])
            if name not in self.planes:
                return pl.repeat(None, len(cell), dtype=self.columns[name], eager=True)
            values = pl.Series(self.plane(name, assessor, runs).ravel()[cell]).fill_nan(None)
            if name == "answer":
                return pl.Series(self.texts, dtype=pl.String).gather(values.cast(pl.UInt32))
            return values

        kinds = self.columns | dict.fromkeys(WEIGHT_COLUMNS, pl.Int64)
        return pl.DataFrame([column(name).cast(kinds[name]).alias(name) for name in names])


class Stream:
    """A table that DuckDB reads without PyArrow, which takes a tenth of a second to load."""

    def __init__(self, frame: pl.DataFrame):
        self.frame = frame

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.frame.__arrow_c_stream__(requested_schema)


def count_changed(old: Verdicts, new: Verdicts) -> int:
    """Return how many verdicts of runs that both have differ, or are in one of the two only.

    Where a verdict says what was answered, the answer is part of it.
    """
    stores, total = (old, new), 0
    key = [name for name in KEY[2:] if all(name in store.items.columns for store in stores)]
    keys = pl.concat([store.items.select(key) for store in stores]).unique()
    texts = {text: number for number, text in enumerate(sorted({*old.texts, *new.texts}))}
    indexes, verdicts, answers = [], [], []
    for store in stores:
        items = store.items.select(key).with_row_index("index")
        items = keys.join(items, on=key, how="left", nulls_equal=True, maintain_order="left")
        indexes.append(items["index"].cast(pl.Int64).fill_null(store.n).to_numpy())
        verdicts.append(np.array([STATES.get(word, -1) for word in store.cases["verdict"]]))
        answers.append(np.array([*(texts[text] for text in store.texts), -1]))

    def values(number: int, assessor: int | None, run: int) -> np.ndarray:
        """Return verdict and answer on every item, (2, items), -1 where there is none."""
        store, array = stores[number], np.full((2, stores[number].n + 1), -1)
        if assessor is not None:
            array[0, :-1] = verdicts[number][store.codes[assessor, run]]
            if "answer" in store.planes:
                [plane] = store.plane("answer", assessor, slice(run, run + 1))
                array[1, :-1] = answers[number][np.nan_to_num(plane, nan=-1).astype(np.int64)]
        return array[:, indexes[number]]

    same_codes = not texts and old.items.equals(new.items) and old.cases.equals(new.cases)
    assessors, runs = (
        [{name: index for index, name in enumerate(names)} for names in pair]
        for pair in ((old.assessors, new.assessors), (old.runs, new.runs))
    )
    assessor_pairs = [
        (assessors[0].get(name), assessors[1].get(name)) for name in assessors[0] | assessors[1]
    ]
    run_pairs = [(index, runs[1][run]) for run, index in runs[0].items() if run in runs[1]]
    for (a, b), (x, y) in product(assessor_pairs, run_pairs):
        have_codes = same_codes and a is not None and b is not None
        if have_codes and np.array_equal(old.codes[a, x], new.codes[b, y]):
            continue
        before, after = values(0, a, x), values(1, b, y)
        has_verdict = (before[0] >= 0) | (after[0] >= 0)
        total += int(np.count_nonzero((before != after).any(axis=0) & has_verdict))
    return total


def make_store(rows: pl.DataFrame, task: str) -> Verdicts:
    """Make a store of rows such as `Verdicts.rows` returns; a column that they lack is null."""
    key = [name for name in KEY[2:] if name in rows.columns]
    if "category" not in rows.columns:
        rows = rows.with_columns(category=pl.lit(None, pl.String))
    items = rows.group_by(key).agg(pl.col("category").drop_nulls().first()).sort(key)
    kinds = {
        name: CASES.get(name, pl.Boolean)
        for name in tasks.get(task).columns
        if name not in (*KEY, *ITEM, *VALUES) and (name in rows.columns or name not in DERIVED)
    }
    columns = [pl.col(name) if name in rows.columns else pl.lit(None).alias(name) for name in kinds]
    case_rows = tables.cast_types(rows.select(columns), kinds)
    cases = case_rows.unique(maintain_order=True)

    def find(frame: pl.DataFrame, keys: pl.DataFrame) -> np.ndarray:
        """Return the index in `keys` of each row of a frame."""
        index = frame.join(
            keys.with_row_index("index"),
            on=keys.columns,
            how="left",
            nulls_equal=True,
            maintain_order="left",
        )["index"]
        return index.to_numpy()

    assessors, runs = (rows.select(pl.col(name).unique().sort()) for name in KEY[:2])
    keys = (assessors, runs, items.select(key))
    cell = tuple(find(rows.select(frame.columns), frame) for frame in keys)
    codes = np.zeros([frame.height for frame in keys], np.uint32)
    codes[cell] = find(case_rows, cases) + 1
    planes: dict[str, np.ndarray] = {}
    texts: list[str] = []
    for name in VALUES:
        if name in rows.columns and rows[name].is_not_null().any():
            column = rows[name]
            if name == "answer":
                texts = column.drop_nulls().unique().sort().to_list()
                column = column.cast(pl.Enum(texts)).to_physical()
            planes[name] = np.full(codes.shape, np.nan)
            planes[name][cell] = column.cast(pl.Float64).to_numpy()
    names = (assessors.to_series().to_list(), runs.to_series().to_list())
    return canonicalise(Verdicts(task, *names, items, prepend_null(cases), codes, planes, texts))


def prepend_null(cases: pl.DataFrame) -> pl.DataFrame:
    """Return cases, after the one that is no verdict."""
    return pl.concat([pl.DataFrame({name: [None] for name in cases.columns}, cases.schema), cases])


def canonicalise(verdicts: Verdicts) -> Verdicts:
    """Return the same verdicts with each case once, sorted, and in the smallest types."""
    cases, occurs = verdicts.cases, np.zeros(verdicts.cases.height, bool)
    for codes in chain.from_iterable(verdicts.codes):
        occurs[codes] = True
    occurs[0] = False
    new_cases = cases.filter(occurs).unique().sort(cases.columns)
    number = {case: index for index, case in enumerate(new_cases.rows(), 1)}
    kind = next(
        kind for kind in (np.uint8, np.uint16, np.uint32) if len(number) <= np.iinfo(kind).max
    )
    rows = zip(cases.rows(), occurs, strict=True)
    table = np.array([number[case] if is_present else 0 for case, is_present in rows], kind)
    planes = {
        name: plane if isinstance(plane, Coded) else shrink(plane)
        for name, plane in sorted(verdicts.planes.items())
    }
    codes = table[verdicts.codes]
    return replace(verdicts, cases=prepend_null(new_cases), codes=codes, planes=planes)


def shrink(plane: np.ndarray) -> np.ndarray | Coded:
    """Return a plane once where all assessors or runs have the same, and coded, or in single
    precision if exact."""
    for axis in (0, 1):
        part = plane[(slice(None),) * axis + (slice(1),)]
        if part.shape != plane.shape and is_equal(np.broadcast_to(part, plane.shape), plane):
            plane = part
    if coded := encode_plane(plane):
        return coded
    rows = plane.reshape(-1, plane.shape[-1])
    exact = all(np.array_equal(row.astype(np.float32), row, equal_nan=True) for row in rows)
    return np.ascontiguousarray(plane, np.float32 if exact else np.float64)


@np.errstate(over="ignore")
def encode_plane(plane: np.ndarray) -> Coded | None:
    """Return a plane coded, where that takes less room."""
    cells = plane.reshape(-1)
    if pl.Series(cells[: 4 * MOST_VALUES]).n_unique() > MOST_VALUES:
        return None
    values = pl.Series(cells).unique().sort().to_numpy() + 0.0  # without -0
    kind = np.uint8 if len(values) <= 2**8 else np.uint16
    if len(values) > MOST_VALUES or values.nbytes + cells.size * kind().nbytes >= cells.nbytes:
        return None
    index = np.empty(plane.shape, kind)
    # A number is found by the first bits that tell it from all others, if these are not too many.
    bits, shift = values.astype(np.float32).view(np.uint32), 24
    while shift and len(np.unique(bits >> shift)) < len(values):
        shift -= 1
    size = int(bits.max() >> shift) + 1
    table = None
    if size <= TABLE_SIZE and len(np.unique(bits >> shift)) == len(values):
        table = np.zeros(size, kind)
        table[bits >> shift] = np.arange(len(values))
    rows = (array.reshape(-1, plane.shape[-1]) for array in (plane, index))
    for row, row_index in zip(*rows, strict=True):
        if table is None:
            row_index[:] = np.searchsorted(values, row)
        else:
            row_index[:] = table[(row + 0.0).astype(np.float32).view(np.uint32) >> shift]
    return Coded(index, values)


def is_equal(a: np.ndarray, b: np.ndarray) -> bool:
    """Return whether arrays of one shape are equal, part by part: most that differ do so soon."""
    pairs = zip(a.reshape(-1, a.shape[-1]), b.reshape(-1, a.shape[-1]), strict=True)
    return all(np.array_equal(*pair, equal_nan=True) for pair in pairs)


def write_verdicts(path: Path, verdicts: Verdicts) -> None:
    """Write the store as an uncompressed .npz archive."""
    names = {
        "task": verdicts.task,
        "assessors": verdicts.assessors,
        "runs": verdicts.runs,
        "items": verdicts.items.to_dict(as_series=False),
        "cases": verdicts.cases.to_dict(as_series=False),
        "texts": [*verdicts.texts],
    }
    arrays = {"names": np.frombuffer(json.dumps(names).encode(), np.uint8), "codes": verdicts.codes}
    arrays |= split_planes(verdicts.planes)
    with tables.replacing(path) as part, part.open("wb") as stream:
        np.savez(stream, allow_pickle=False, **arrays)


def split_planes(planes: Mapping[str, np.ndarray | Coded]) -> dict[str, np.ndarray]:
    """Return planes as arrays, coded ones as their index and values; `join_planes` reads them."""
    arrays: dict[str, np.ndarray] = {}
    for name, plane in planes.items():
        if isinstance(plane, Coded):
            arrays |= {name: plane.index, name + VALUES_SUFFIX: plane.values}
        else:
            arrays[name] = plane
    return arrays


def join_planes(arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray | Coded]:
    """Return the planes that `split_planes` made arrays of."""
    planes: dict[str, np.ndarray | Coded] = {}
    for name in [name for name in arrays if not name.endswith(VALUES_SUFFIX)]:
        values = arrays.get(name + VALUES_SUFFIX)
        planes[name] = arrays[name] if values is None else Coded(arrays[name], values)
    return planes


def read_verdicts(path: Path) -> Verdicts:
    """Open the store; its arrays are read where they are used."""
    with ZipFile(path) as archive, path.open("rb") as stream:
        arrays = {
            entry.filename.removesuffix(".npy"): map_array(stream, entry)
            for entry in archive.infolist()
        }
    names, codes = json.loads(arrays.pop("names").tobytes()), arrays.pop("codes")
    item_kinds = {name: pl.Int32 if name == "epoch" else pl.String for name in names["items"]}
    case_kinds = {name: CASES.get(name, pl.Boolean) for name in names["cases"]}
    return Verdicts(
        names["task"],
        names["assessors"],
        names["runs"],
        pl.DataFrame(names["items"], item_kinds),
        pl.DataFrame(names["cases"], case_kinds),
        codes,
        join_planes(arrays),
        names["texts"],
    )


def map_array(stream: IO[bytes], entry: ZipInfo) -> np.ndarray:
    """Return the array that a member of an uncompressed archive holds, mapped into memory."""
    stream.seek(entry.header_offset + 26)
    # The lengths of the name and of the extra field
    stream.seek(sum(struct.unpack("<HH", stream.read(4))), 1)
    np.lib.format.read_magic(stream)
    shape, _, dtype = np.lib.format.read_array_header_1_0(stream)
    if not np.prod(shape):
        return np.zeros(shape, dtype)
    return np.memmap(stream, dtype, "r", stream.tell(), shape)
