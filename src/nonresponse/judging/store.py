"""The verdict store: all verdicts of a campaign in one dense file, verdicts.npz.

A cell is a run's response to an item under an assessor; an item is a question, one of its epochs,
or one of its pairs. All columns with few values are one code per cell, an index into the table of
distinct cases; code 0 is no verdict. A column of numbers is a plane beside the codes, coded, too,
where few of them differ. Names are stored once. Equal verdicts are equal bytes.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
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
# The columns of numbers, and the text that a hypothesis is, of which the plane has the index in
# `texts`.
VALUES: dict[str, Any] = {
    **dict.fromkeys(
        ("confidence", "score", "squared_error", "similarity", "similarity_c"), pl.Float64
    ),
    **dict.fromkeys(("position", "year", "distance"), pl.Int32),
    "answer": pl.String,
    "known_answers": pl.Int64,  # how many correct answers to the question the judgments know
}
# By which a run may be sure, in this order of precedence
SURE = ("position", "confidence", "score")
MAY_BE_RIGHT = ("correct", "unscored")
# What follows from the verdict on the first answer (`add_derived`), unless a run gave several
# answers.
DERIVED = ("decided", "partly", "any_right", "failed", "unscored")
QUESTION_VALUES = (
    *("reciprocal_rank", "reciprocal_rank_best", "average_precision", "average_precision_best"),
    *("k_value", "k_unscored", "k_partial", "k_error"),
)
VALUES |= dict.fromkeys(QUESTION_VALUES, pl.Float64)
# The types of the other columns, the cases; what is not named here is true or false.
CASES: dict[str, Any] = {"verdict": pl.String, "candidate_verdict": pl.String, "unscored": pl.Int32}
# Of a row: its index in the order of the key, and those of Weights; 1 where none was repeated
WEIGHT_COLUMNS = ("cell", "weight", "times")
STATES = {word: number for number, word in enumerate((*tasks.VERDICTS, tasks.NOT_ASKED))}
BATCH_ROWS = 2_000_000  # that are made at once
MOST_TIMES = 1_000_000  # of the least common multiple of numbers of epochs
VALUES_SUFFIX = " values"  # what follows the name of a plane that is coded
MOST_VALUES = 2**16  # different numbers of a plane that is coded
DIRECT = 2**24  # entries of a table by which they are found


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
        whole = {"assessor": pl.String, "run": pl.String, **self.items.schema, **self.cases.schema}
        without = (*whole, *DERIVED, *QUESTION_VALUES)
        own = [
            *self.planes,
            *(name for name in tasks.get(self.task).columns if name not in without),
        ]
        return whole | {name: VALUES[name] for name in own if name in VALUES}

    @property
    def n(self) -> int:
        """The number of items."""
        return self.items.height

    @property
    def repeated(self) -> bool:
        """Whether questions were asked several times."""
        return "epoch" in self.items.columns and self.items["epoch"].n_unique() > 1

    def official(self, named: str | None) -> str:
        """Return the assessor whose judgments are official: the one who is named, else the
        first."""
        return named or self.assessors[0]

    @cached_property
    def derived(self) -> pl.DataFrame:
        """The cases with `code` and all columns of rows; what is no part of a case is null."""
        kinds = {name: kind for name, kind in self.columns.items() if name in VALUES}
        kinds |= dict.fromkeys((*KEY[:3], *ITEM[2:]), pl.String) | {"epoch": pl.Int32}
        added = [pl.lit(None, kind).alias(name) for name, kind in kinds.items()]
        rows = self.cases.with_row_index("code")[1:].with_columns(added)
        return self.add_derived(rows.lazy()).collect()

    def table(self, terms: Sequence[str], query: str = "FROM cases") -> np.ndarray:
        """Return the value of each term in SQL for each case, (terms, cases); 0 where null, and for
        no verdict."""
        if new := [term for term in dict.fromkeys(terms) if (term, query) not in self.found]:
            chosen = ", ".join(
                f"({term})::DOUBLE AS term_{number}" for number, term in enumerate(new)
            )
            made = query_rows(f"SELECT code, {chosen} FROM ({query})", cases=self.derived)
            rows = made.collect().fill_null(0)
            table = np.zeros((len(new), self.cases.height))
            table[:, rows["code"].to_numpy()] = rows.drop("code").to_numpy().T
            self.found.update(zip(((term, query) for term in new), table, strict=True))
        return np.stack([self.found[term, query] for term in terms])

    @cached_property
    def found(self) -> dict[tuple[str, str], np.ndarray]:
        """What `table` found: measures share most of their terms, and a query takes longer than the
        sums."""
        return {}

    def find_items(self, assessor: int, cases: np.ndarray) -> np.ndarray:
        """Return whether some run has one of these cases (cases,) on each item, bool (items,)."""
        found = np.zeros(self.n, bool)
        for codes in self.codes[assessor]:
            found |= cases[codes]
        return found

    def weights(
        self, assessor: int, runs: Any = slice(None), items: Any = slice(None), chosen: str = "TRUE"
    ) -> Weights:
        """Return the weights of the rows that meet a condition in SQL."""
        codes = self.codes[assessor][runs][:, items]
        there, asked = (self.table([chosen, f"({chosen}) AND verdict <> '{tasks.NOT_ASKED}'"]) > 0)[
            :, codes
        ]
        new = (
            np.diff(self.items["question"].rle_id().to_numpy()[items].astype(np.int64), prepend=-1)
            != 0
        )
        starts, group = np.flatnonzero(new), np.cumsum(new) - 1
        often = np.add.reduceat(asked, starts, axis=1, dtype=np.int64)
        counted = np.where((often > 0)[:, group], asked, there)
        epochs = np.add.reduceat(counted, starts, axis=1, dtype=np.int64)
        times = np.ones(len(codes), np.int64)
        for number in np.unique(epochs[epochs > 0]):
            times = np.where(
                (epochs == number).any(axis=1), np.minimum(np.lcm(times, number), MOST_TIMES), times
            )
        before = np.cumsum(counted, axis=1) - counted
        first = counted & (before == before[:, starts][:, group])
        share, rest = np.divmod(times[:, None], np.maximum(epochs, 1))
        return Weights(counted * share[:, group] + first * rest[:, group], times)

    def plane(self, name: str, assessor: int, runs: slice = slice(None)) -> np.ndarray:
        """Return the numbers of an assessor and of some runs, (runs, items)."""
        own = self.planes[name]
        some = own[assessor if len(own) > 1 else 0, runs if own.shape[1] > 1 else slice(None)]
        return np.broadcast_to(some, (len(self.runs[runs]), self.n))

    def get_sort_key(self, assessor: int, run: int, items: np.ndarray) -> np.ndarray | None:
        """Return what a run says of some items by the first of SURE that it fills, higher for what
        it is surer of."""
        for name in SURE:
            if name in self.planes:
                values = self.plane(name, assessor, slice(run, run + 1))[0, items].astype(
                    np.float64
                )
                if not np.isnan(values).all():
                    return -values if name == "position" else values
        return None

    def add_derived(self, rows: pl.LazyFrame) -> pl.LazyFrame:
        """Return rows with the columns that follow from the verdict on the first answer.

        Where some run gave several answers, those of several answers are stored.
        """
        if not tasks.get(self.task).pooled:
            return rows
        there = {*self.cases.columns, *self.planes}
        known = pl.col("known_answers") if "known_answers" in there else pl.lit(None, pl.Int64)
        given, answers = pl.col("given"), pl.max_horizontal(known, pl.lit(1, pl.Int64))

        def one_of(*words: str) -> pl.Expr:
            return pl.col("verdict").is_in(words)

        def share(number: pl.Expr) -> pl.Expr:
            return exact(number * pl.col("confidence") / answers)

        right, best = (one_of(*words).cast(pl.Int32) for words in (["correct"], MAY_BE_RIGHT))
        some = pl.when(known.is_not_null())
        made = {
            "decided": given & one_of("correct", "wrong"),
            "partly": given & one_of("partial"),
            "any_right": given & one_of("correct"),
            "failed": one_of("error"),
            "unscored": one_of("unscored").cast(pl.Int32),
            "reciprocal_rank": right.cast(pl.Float64),
            "reciprocal_rank_best": best.cast(pl.Float64),
            "average_precision": some.then(exact(right / answers)),
            "average_precision_best": some.then(exact(best / answers)),
            "k_value": some.then(share(right - one_of("wrong").cast(pl.Int32))),
            **{
                f"k_{word}": share(one_of(word).cast(pl.Int32))
                for word in ("unscored", "partial", "error")
            },
        }
        own = {
            name: pl.coalesce(pl.col(name), value) if name in there else value
            for name, value in made.items()
        }
        return rows.with_columns(**own, rightful=pl.col("rightful").fill_null(False))

    def scan_derived(self, assessor: str | None = None, runs: slice = slice(None)) -> pl.LazyFrame:
        """Return the rows with all columns of the task and with COUNTED, sorted by their key."""
        return self.add_derived(self.scan(assessor, runs, [*self.columns, *WEIGHT_COLUMNS]))

    def batches(self, assessor: str | None = None) -> Iterator[pl.LazyFrame]:
        """Yield what `scan_derived` returns: all at once if few, else a few runs of an assessor."""
        if assessor is None and self.codes.size <= BATCH_ROWS:
            yield self.scan_derived()
            return
        at_once = max(1, BATCH_ROWS // max(self.n, 1))
        for own in self.assessors if assessor is None else [assessor]:
            for first in range(0, len(self.runs), at_once):
                yield self.scan_derived(own, slice(first, first + at_once))

    def add_rows(
        self, connection: DuckDBPyConnection, columns: Sequence[str], assessor: str
    ) -> None:
        """Make a table `verdicts` of the rows of an assessor, a few runs at once."""
        for number, rows in enumerate(self.batches(assessor)):
            connection.register("batch", Stream(rows.select(columns).collect()))
            how = "INSERT INTO verdicts" if number else "CREATE TABLE verdicts AS"
            connection.execute(f"{how} FROM batch")

    def rows(self, assessor: str | None = None) -> pl.DataFrame:
        """Return the rows, sorted by their key, with all columns of the task."""
        return self.scan_derived(assessor).select(tasks.get(self.task).columns).collect()

    def scan(
        self,
        assessor: str | None = None,
        runs: slice = slice(None),
        chosen: Sequence[str] | None = None,
    ) -> pl.LazyFrame:
        """Return the rows of all assessors or of one, and of some runs, sorted by their key.

        chosen: of the stored columns, and of COUNTED; only those that are read are made.
        """
        there = [name for name in self.assessors if assessor in (None, name)]
        every, at_once = range(len(self.runs))[runs], max(1, BATCH_ROWS // max(self.n, 1))

        def batches(
            columns: list[str] | None, predicate: pl.Expr | None, most: int | None, _: int | None
        ) -> Iterator[pl.DataFrame]:
            for own, first in product(there, every[::at_once]):
                some = slice(first, min(first + at_once, every.stop))
                frame = self.frame(columns or names, self.assessors.index(own), some)
                frame = frame if most is None else frame.head(most)
                most = None if most is None else most - frame.height
                yield frame if predicate is None else frame.filter(predicate)

        names = [*self.columns] if chosen is None else [*chosen]
        kinds = self.columns | dict.fromkeys(WEIGHT_COLUMNS, pl.Int64)
        return register_io_source(batches, schema={name: kinds[name] for name in names})

    def frame(self, names: Sequence[str], assessor: int, runs: slice) -> pl.DataFrame:
        """Return stored columns, or COUNTED, of the rows of an assessor and of some runs."""
        codes = self.codes[assessor, runs].ravel()
        there = np.flatnonzero(codes)
        run, item = np.divmod(there, max(self.n, 1))
        columns: list[pl.Series] = []
        weights = None
        if self.repeated and {"weight", "times"} & {*names}:
            weights = self.weights(assessor, runs)
        for name in names:
            kind = self.columns.get(name, pl.Int64)
            if name == "cell":
                start = (assessor * len(self.runs) + (runs.start or 0)) * self.n
                column = pl.Series(there + start)
            elif name in ("weight", "times") and weights is None:
                column = pl.repeat(1, len(there), dtype=kind, eager=True)
            elif weights and name == "weight":
                column = pl.Series(weights.weight.ravel()[there])
            elif weights and name == "times":
                column = pl.Series(weights.times[run])
            elif name == "assessor":
                column = pl.repeat(self.assessors[assessor], len(there), eager=True)
            elif name == "run":
                column = pl.Series(self.runs[runs], dtype=pl.String).gather(run)
            elif name in self.items.columns:
                column = self.items[name].gather(item)
            elif name in self.cases.columns:
                column = self.cases[name].gather(codes[there])
            elif name not in self.planes:
                column = pl.repeat(None, len(there), dtype=kind, eager=True)
            else:
                column = pl.Series(self.plane(name, assessor, runs).ravel()[there]).fill_nan(None)
                if name == "answer":
                    column = pl.Series(self.texts, dtype=pl.String).gather(column.cast(pl.UInt32))
            columns.append(column.cast(kind).alias(name))
        return pl.DataFrame(columns)


class Stream:
    """A table that DuckDB reads without PyArrow, which takes a tenth of a second to load."""

    def __init__(self, frame: pl.DataFrame):
        self.frame = frame

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.frame.__arrow_c_stream__(requested_schema)


def count_changed(one: Verdicts, other: Verdicts) -> int:
    """Return how many verdicts of runs that both have differ, or are in one of the two only.

    Where a verdict says what was answered, the answer is part of it.
    """
    key = [name for name in KEY[2:] if name in one.items.columns and name in other.items.columns]
    both, changed = (one, other), 0
    every = pl.concat([its.items.select(key) for its in both]).unique()
    texts = {text: number for number, text in enumerate(sorted({*one.texts, *other.texts}))}
    indexes, verdicts, answers = [], [], []
    for its in both:
        items = its.items.select(key).with_row_index("index")
        found = every.join(items, on=key, how="left", nulls_equal=True, maintain_order="left")
        indexes.append(found["index"].cast(pl.Int64).fill_null(its.n).to_numpy())
        verdicts.append(np.array([STATES.get(word, -1) for word in its.cases["verdict"]]))
        answers.append(np.array([*(texts[text] for text in its.texts), -1]))

    def seen(number: int, assessor: int | None, run: int) -> np.ndarray:
        """Return verdict and answer on every item, (2, items), -1 where there is none."""
        its, found = both[number], np.full((2, both[number].n + 1), -1)
        if assessor is not None:
            found[0, :-1] = verdicts[number][its.codes[assessor, run]]
            if "answer" in its.planes:
                [plane] = its.plane("answer", assessor, slice(run, run + 1))
                found[1, :-1] = answers[number][np.nan_to_num(plane, nan=-1).astype(np.int64)]
        return found[:, indexes[number]]

    is_equal = not texts and one.items.equals(other.items) and one.cases.equals(other.cases)
    (assessors, other_assessors), (runs, other_runs) = (
        [{name: index for index, name in enumerate(names)} for names in pair]
        for pair in ((one.assessors, other.assessors), (one.runs, other.runs))
    )
    every_assessor = [
        (assessors.get(name), other_assessors.get(name)) for name in assessors | other_assessors
    ]
    shared = [(index, other_runs[run]) for run, index in runs.items() if run in other_runs]
    for (a, b), (x, y) in product(every_assessor, shared):
        both_judged = a is not None and b is not None
        if both_judged and is_equal and np.array_equal(one.codes[a, x], other.codes[b, y]):
            continue
        before, now = seen(0, a, x), seen(1, b, y)
        there = (before[0] >= 0) | (now[0] >= 0)
        changed += int(np.count_nonzero((before != now).any(axis=0) & there))
    return changed


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
    kept = [pl.col(name) if name in rows.columns else pl.lit(None).alias(name) for name in kinds]
    own = tables.cast_types(rows.select(kept), kinds)
    cases = own.unique(maintain_order=True)
    names = [rows.select(pl.col(name).unique().sort()) for name in KEY[:2]]
    cell = tuple(
        rows.select(on)
        .join(
            names.with_row_index("index"),
            on=on,
            how="left",
            nulls_equal=True,
            maintain_order="left",
        )["index"]
        .to_numpy()
        for on, names in (("assessor", names[0]), ("run", names[1]), (key, items.select(key)))
    )
    codes = np.zeros([each.height for each in (*names, items)], np.uint32)
    number = own.join(
        cases.with_row_index("code", 1), on=cases.columns, nulls_equal=True, maintain_order="left"
    )
    codes[cell] = number["code"].to_numpy()
    planes: dict[str, np.ndarray] = {}
    texts: list[str] = []
    for name in VALUES:
        if name in rows.columns and rows[name].is_not_null().any():
            column = rows[name]
            if name == "answer":
                texts = column.drop_nulls().unique().sort().to_list()
                column = column.replace_strict(
                    texts, range(len(texts)), default=None, return_dtype=pl.Float64
                )
            planes[name] = np.full(codes.shape, np.nan)
            planes[name][cell] = column.cast(pl.Float64).to_numpy()
    assessors, runs = (frame.to_series().to_list() for frame in names)
    return canonicalise(
        Verdicts(task, assessors, runs, items, prepend_null(cases), codes, planes, texts)
    )


def prepend_null(cases: pl.DataFrame) -> pl.DataFrame:
    """Return cases, after the one that is no verdict."""
    return pl.concat([pl.DataFrame({name: [None] for name in cases.columns}, cases.schema), cases])


def canonicalise(verdicts: Verdicts) -> Verdicts:
    """Return the same verdicts with each case once, sorted, and in the smallest types."""
    cases, used = verdicts.cases, np.zeros(verdicts.cases.height, bool)
    for of_assessor in verdicts.codes:
        for codes in of_assessor:
            used[codes] = True
    used[0] = False
    chosen = cases.filter(used).unique().sort(cases.columns)
    number = {row: index for index, row in enumerate(chosen.rows(), 1)}
    kind = next(
        kind for kind in (np.uint8, np.uint16, np.uint32) if len(number) <= np.iinfo(kind).max
    )
    table = np.array(
        [number[row] if its else 0 for row, its in zip(cases.rows(), used, strict=True)], kind
    )
    planes = {
        name: plane if isinstance(plane, Coded) else shrink(plane)
        for name, plane in sorted(verdicts.planes.items())
    }
    return replace(verdicts, cases=prepend_null(chosen), codes=table[verdicts.codes], planes=planes)


def shrink(plane: np.ndarray) -> np.ndarray | Coded:
    """Return a plane once where all assessors or runs have the same, and coded, or in single
    precision if exact."""
    for axis in (0, 1):
        first = plane[(slice(None),) * axis + (slice(1),)]
        if first.shape != plane.shape and is_equal(np.broadcast_to(first, plane.shape), plane):
            plane = first
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
    direct = size <= DIRECT and len(np.unique(bits >> shift)) == len(values)
    table = np.zeros(size if direct else 0, kind)
    if direct:
        table[bits >> shift] = np.arange(len(values))
    rows = (array.reshape(-1, plane.shape[-1]) for array in (plane, index))
    for row, of_row in zip(*rows, strict=True):
        first = (row + 0.0).astype(np.float32).view(np.uint32) >> shift
        of_row[:] = table[first] if direct else np.searchsorted(values, row)
    return Coded(index, values)


def is_equal(one: np.ndarray, other: np.ndarray) -> bool:
    """Return whether arrays of one shape are equal, part by part: most that differ do so at
    once."""
    pairs = zip(one.reshape(-1, one.shape[-1]), other.reshape(-1, one.shape[-1]), strict=True)
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
    for name, plane in verdicts.planes.items():
        arrays |= (
            {name: plane.index, name + VALUES_SUFFIX: plane.values}
            if isinstance(plane, Coded)
            else {name: plane}
        )
    with tables.replacing(path) as part, part.open("wb") as opened:
        np.savez(opened, allow_pickle=False, **arrays)


def read_verdicts(path: Path) -> Verdicts:
    """Open the store; its arrays are read where they are used."""
    with ZipFile(path) as archive, path.open("rb") as opened:
        arrays = {
            entry.filename.removesuffix(".npy"): map_array(opened, entry)
            for entry in archive.infolist()
        }
    names, codes = json.loads(arrays.pop("names").tobytes()), arrays.pop("codes")
    of_items = {name: pl.Int32 if name == "epoch" else pl.String for name in names["items"]}
    of_cases = {name: CASES.get(name, pl.Boolean) for name in names["cases"]}
    items, cases = pl.DataFrame(names["items"], of_items), pl.DataFrame(names["cases"], of_cases)
    planes: dict[str, np.ndarray | Coded] = {
        name: Coded(plane, arrays[name + VALUES_SUFFIX])
        if name + VALUES_SUFFIX in arrays
        else plane
        for name, plane in arrays.items()
        if not name.endswith(VALUES_SUFFIX)
    }
    return Verdicts(
        names["task"],
        names["assessors"],
        names["runs"],
        items,
        cases,
        codes,
        planes,
        names["texts"],
    )


def map_array(opened: IO[bytes], entry: ZipInfo) -> np.ndarray:
    """Return the array that a member of an uncompressed archive holds, mapped into memory."""
    opened.seek(entry.header_offset + 26)
    # The lengths of the name and of the extra field
    opened.seek(sum(struct.unpack("<HH", opened.read(4))), 1)
    np.lib.format.read_magic(opened)
    shape, _, dtype = np.lib.format.read_array_header_1_0(opened)
    if not np.prod(shape):
        return np.zeros(shape, dtype)
    return np.memmap(opened, dtype, "r", opened.tell(), shape)
