"""The verdict store while it is being filled: every response goes into its cell, in any order.

A table gives a row per response: `cell`, its index, columns with few values, and columns of
numbers. Those with few values become one number, for each response or for each of the distinct
cases.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from nonresponse import tasks
from nonresponse.judging.questions_asked import select_shared
from nonresponse.judging.store import (
    CASES,
    DERIVED,
    ITEM,
    KEY,
    VALUES,
    Coded,
    Verdicts,
    canonicalise,
    prepend_null,
)
from nonresponse.tasks import MISSING, NOT_ASKED, VERDICTS

STATES = (*VERDICTS, NOT_ASKED)
STATE = pl.Enum(STATES)
SLICE = 2**17  # rows: of these, what is computed stays in the caches of the processor
# The column of cells that says whether the run was asked; the store does not have it
ASKED_COLUMN = "asked"


class Run(NamedTuple):
    """A run: its epochs with first answers, and whether it gives more answers than one."""

    name: str
    epochs: list[int]
    several: bool


@dataclass
class Cells:
    """What the verdicts of a task are put into.

    items: as in the store, sorted. columns: those with few values; of them only `unscored`, the
    last, may have more than seven. asked: which runs were asked which items (or questions), (runs,
    items), None where nobody says so. The rest of what a way to judge has to remember is in
    `known`.
    """

    task: str
    judging: Any
    assessors: list[str]
    runs: list[str]
    items: pl.DataFrame
    columns: Sequence[str]
    asked: np.ndarray | None
    texts: Sequence[str] = ()
    known: dict[str, Any] = field(default_factory=dict)
    planes: dict[str, np.ndarray] = field(default_factory=dict)
    settled: dict[str, np.ndarray | Coded] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.codes = np.zeros((len(self.assessors), len(self.runs), self.items.height), np.uint32)
        self.numbers: dict[int, int] = {}  # the code of each packed case
        self.seen: dict[tuple, int] = {}  # the code of each case of `put_cases`

    def index(self) -> pl.Expr:
        """Return the index of a row's cell, from its columns assessor, run and item."""
        names = {"assessor": self.assessors, "run": self.runs}
        assessor, run = (
            pl.col(name).cast(pl.Enum([*known])).to_physical() for name, known in names.items()
        )
        number = assessor.cast(pl.Int64) * len(self.runs) + run
        return number * self.items.height + pl.col("item")

    def packed_value(self, columns: Sequence[str]) -> pl.Expr:
        """Return these columns, the first ones of those with few values, as one number, in which 0
        stands for null."""
        total, unit = pl.lit(0, pl.Int64), 1
        for name in columns:
            value = pl.col(name).to_physical() if CASES.get(name) == pl.String else pl.col(name)
            total += (value.cast(pl.Int64) + 1).fill_null(0) * unit
            unit *= self.base(name)
        return total.alias("packed")

    def base(self, name: str) -> int:
        """Return how many values a column may have, null among them."""
        return len(STATES) + 1 if CASES.get(name) == pl.String else 3

    def code(self, **values: Any) -> int:
        """Return the code of a case; columns that are not named are null."""
        number, unit = 0, 1
        for name in self.columns:
            value = values.get(name)
            if value is not None:
                number += unit * (
                    1 + (STATES.index(value) if isinstance(value, str) else int(value))
                )
            unit *= self.base(name)
        return self.numbers.setdefault(number, len(self.numbers) + 1)

    def put(self, rows: pl.DataFrame, values: Sequence[str]) -> None:
        """Put rows into their cells; `values` are their columns of numbers."""
        packed = rows.select(self.packed_value(self.columns)).to_series()
        find_cases = packed.unique().sort()
        codes = self.codes_of(find_cases)[find_cases.search_sorted(packed)]
        self.fill(rows.select("cell", *values), codes)

    def put_cases(
        self,
        rows: pl.DataFrame,
        values: Sequence[str],
        packed: Callable[[pl.DataFrame], pl.Series],
    ) -> None:
        """Put rows into their cells; `values` are their columns of numbers.

        packed: returns the number (`packed_value`) of each of their distinct cases.
        """
        if rows.is_empty():
            return
        cases, number = find_cases(rows.drop("cell", *values))
        new = cases.filter([case not in self.seen for case in cases.iter_rows()])
        if new.height:
            self.seen |= dict(zip(new.iter_rows(), self.codes_of(packed(new)), strict=True))
        codes = np.array([self.seen[case] for case in cases.iter_rows()])
        self.fill(rows.select("cell", *values), codes[number])

    def codes_of(self, packed: pl.Series) -> np.ndarray:
        """Return the codes of cases."""
        return np.array(
            [self.numbers.setdefault(each, len(self.numbers) + 1) for each in packed], np.uint32
        )

    def fill(self, rows: pl.DataFrame, codes: np.ndarray) -> None:
        """Put codes, and columns of numbers, into cells."""
        cell = rows["cell"].to_numpy()
        self.codes.reshape(-1)[cell] = codes
        for name in rows.columns[1:]:
            if name not in self.settled and rows[name].is_not_null().any():
                self.plane(name).reshape(-1)[cell] = rows[name].cast(pl.Float64).to_numpy()

    def names(self, cell: pl.Series) -> pl.DataFrame:
        """Return the assessor, run, question and epoch of cells."""
        row, item = np.divmod(cell.to_numpy(), self.items.height)
        assessor, run = np.divmod(row, len(self.runs))
        of_cells = pl.DataFrame({"assessor": pl.Series(self.assessors).gather(assessor)})
        of_items = self.items.select("question", "epoch")[item]
        return of_cells.with_columns(of_items, run=pl.Series(self.runs).gather(run))

    def plane(self, name: str) -> np.ndarray:
        """Return the plane of a column of numbers."""
        if name not in self.planes:
            self.planes[name] = np.full(self.codes.shape, np.nan)
        return self.planes[name]

    @property
    def cases(self) -> pl.DataFrame:
        """The cases so far, a row per code."""
        columns: dict[str, pl.Series] = {}
        rest = np.array([*self.numbers], np.int64)
        for name in self.columns:
            rest, value = (rest, rest) if name == "unscored" else np.divmod(rest, self.base(name))
            if CASES.get(name) == pl.String:
                columns[name] = pl.Series([None, *STATES], dtype=pl.String).gather(value)
            else:
                some = pl.Series(value - 1).set(pl.Series(value == 0), None)
                columns[name] = some.cast(CASES.get(name, pl.Boolean))
        return prepend_null(
            pl.DataFrame(columns, {name: CASES.get(name, pl.Boolean) for name in self.columns})
        )

    def call_right(self, unanswerable: np.ndarray) -> np.ndarray:
        """Make abstentions correct where there is no answer, bool (assessors or 1, 1, items);
        return which cells are.

        A response that gives an answer at a lower rank is no abstention.
        """
        if not unanswerable.any():
            return unanswerable
        rightful = unanswerable & self.where((pl.col("verdict") == "unanswered") & ~pl.col("given"))
        # The verdict is the first column
        right = STATES.index("correct") - STATES.index("unanswered")
        table = np.zeros(len(self.numbers) + 1, np.uint32)
        for packed, code in [*self.numbers.items()]:
            if packed % self.base("verdict") == STATES.index("unanswered") + 1:
                table[code] = self.numbers.setdefault(packed + right, len(self.numbers) + 1)
        self.codes[rightful] = table[self.codes[rightful]]
        return rightful

    def where(self, condition: pl.Expr) -> np.ndarray:
        """Return whether a condition holds of the case of each cell; not where there is no
        verdict."""
        table = self.cases.select(condition.fill_null(False)).to_series().to_numpy().copy()
        table[0] = False
        return table[self.codes]

    def compared(self, asked: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return which runs are compared, and on which items (or questions), from who was asked
        what: bool (runs, items)."""
        differ = self.judging.compare_on != "all" and (
            self.asked is not None or MISSING[self.judging.missing] == NOT_ASKED
        )
        if not differ or asked.all():
            return np.ones(asked.shape[0], bool), np.ones(asked.shape[1], bool)
        return select_shared(asked)

    def stored(self, flags: dict[str, np.ndarray]) -> Verdicts:
        """Return the store, with these columns of true and false added, whose shape is that of the
        cells or broadcasts."""
        others = [
            name
            for name in tasks.get(self.task).columns
            if name not in (*KEY, *ITEM, *VALUES, *DERIVED, *flags)
        ]
        cases, codes = self.cases.drop(ASKED_COLUMN), self.codes
        cases = cases.with_columns(
            pl.lit(None, pl.Boolean).alias(name) for name in others if name not in cases.columns
        )
        for name, flag in flags.items():
            if flag.all() or not flag.any():
                cases = cases.with_columns(pl.lit(bool(flag.any())).alias(name))
                continue
            halves = [cases.with_columns(pl.lit(value).alias(name)) for value in (False, True)]
            codes = codes + np.where(codes > 0, flag * np.uint32(cases.height), np.uint32(0))
            cases = pl.concat(halves)
        known = (self.task, self.assessors, self.runs, self.items)
        return canonicalise(
            Verdicts(*known, cases, codes, {**self.planes, **self.settled}, self.texts)
        )


def find_cases(rows: pl.DataFrame) -> tuple[pl.DataFrame, np.ndarray]:
    """Return the distinct rows of a table whose columns are Booleans or Enums, and the number of
    each row's own."""
    number, size = pl.lit(0, pl.UInt32), 1
    for column in rows:
        nulls, flag = column.null_count(), column.dtype == pl.Boolean
        if nulls < rows.height and not (flag and not nulls and column.sum() in (0, rows.height)):
            values = len(column.dtype.categories) if isinstance(column.dtype, pl.Enum) else 2
            number += pl.col(column.name).to_physical().cast(pl.UInt32).fill_null(values) * size
            size *= values + 1
    numbers = rows.select(number).to_series().to_numpy()
    row = np.full(size, -1)
    row[numbers] = np.arange(rows.height)
    used = np.flatnonzero(row >= 0)
    row[used], cases = np.arange(len(used)), rows[row[used]]
    return cases, row[numbers]
