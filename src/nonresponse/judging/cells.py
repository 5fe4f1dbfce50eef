"""Fills the verdict store: every response goes into its cell, in any order.

A table gives a row per response: `cell`, its index, columns with few values, and columns of
numbers. Those with few values are packed into one number, for each response or for each of the
distinct cases.
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
# Of cells, but not of the store: whether the run was asked
ASKED_COLUMN = "asked"


class Run(NamedTuple):
    """A run: its epochs with first answers, and whether it ranks several answers."""

    name: str
    epochs: list[int]
    is_ranked: bool


@dataclass
class Cells:
    """The cells that the verdicts of a task are put into.

    items: as in the store, sorted. columns: those with few values; of them only `unscored`, the
    last, may have more than seven. asked: which runs were asked which items (or questions), (runs,
    items), None where nobody says so. context: what else a way to judge has to remember. planes:
    columns of numbers, settled ones are complete. case_codes: the code of each packed case.
    known_cases: the code of each case that `put_cases` met.
    """

    task: str
    judging: Any
    assessors: list[str]
    runs: list[str]
    items: pl.DataFrame
    columns: Sequence[str]
    asked: np.ndarray | None
    texts: Sequence[str] = ()
    context: dict[str, Any] = field(default_factory=dict)
    planes: dict[str, np.ndarray] = field(default_factory=dict)
    settled: dict[str, np.ndarray | Coded] = field(default_factory=dict)
    case_codes: dict[int, int] = field(default_factory=dict)
    known_cases: dict[tuple, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.codes = np.zeros((len(self.assessors), len(self.runs), self.items.height), np.uint32)

    def index(self) -> pl.Expr:
        """Return the index of a row's cell, from its columns assessor, run and item."""
        assessor, run = (
            pl.col(name).cast(pl.Enum(names)).to_physical().cast(pl.Int64)
            for name, names in (("assessor", self.assessors), ("run", self.runs))
        )
        return (assessor * len(self.runs) + run) * self.items.height + pl.col("item")

    def pack(self, columns: Sequence[str]) -> pl.Expr:
        """Return the first columns with few values as one number, in which 0 stands for null."""
        total, unit = pl.lit(0, pl.Int64), 1
        for name in columns:
            value = pl.col(name).to_physical() if CASES.get(name) == pl.String else pl.col(name)
            total += (value.cast(pl.Int64) + 1).fill_null(0) * unit
            unit *= self.base(name)
        return total.alias("packed")

    def base(self, name: str) -> int:
        """Return how many values a column may have, null among them."""
        return len(STATES) + 1 if CASES.get(name) == pl.String else 3

    def encode(self, **values: Any) -> int:
        """Return the code of a case; columns that are not named are null."""
        case, unit = 0, 1
        for name in self.columns:
            value = values.get(name)
            if value is not None:
                case += unit * (1 + int(STATES.index(value) if isinstance(value, str) else value))
            unit *= self.base(name)
        return self.case_codes.setdefault(case, len(self.case_codes) + 1)

    def put(self, rows: pl.DataFrame, values: Sequence[str]) -> None:
        """Put rows into their cells; `values` are their columns of numbers."""
        packed = rows.select(self.pack(self.columns)).to_series()
        cases = packed.unique().sort()
        codes = self.encode_packed(cases)[cases.search_sorted(packed)]
        self.fill(rows.select("cell", *values), codes)

    def put_cases(
        self, rows: pl.DataFrame, values: Sequence[str], pack: Callable[[pl.DataFrame], pl.Series]
    ) -> None:
        """Put rows into their cells; `values` are their columns of numbers.

        pack: returns the number (as `pack` here) of each of their distinct cases.
        """
        if rows.is_empty():
            return
        cases, number = find_cases(rows.drop("cell", *values))
        new = cases.filter([case not in self.known_cases for case in cases.iter_rows()])
        if new.height:
            codes = self.encode_packed(pack(new))
            self.known_cases |= dict(zip(new.iter_rows(), codes, strict=True))
        codes = np.array([self.known_cases[case] for case in cases.iter_rows()])
        self.fill(rows.select("cell", *values), codes[number])

    def encode_packed(self, packed: pl.Series) -> np.ndarray:
        """Return the codes of packed cases."""
        codes = [self.case_codes.setdefault(case, len(self.case_codes) + 1) for case in packed]
        return np.array(codes, np.uint32)

    def fill(self, rows: pl.DataFrame, codes: np.ndarray) -> None:
        """Put codes, and columns of numbers, into cells."""
        cell = rows["cell"].to_numpy()
        self.codes.reshape(-1)[cell] = codes
        for name in rows.columns[1:]:
            if name not in self.settled and rows[name].is_not_null().any():
                self.plane(name).reshape(-1)[cell] = rows[name].cast(pl.Float64).to_numpy()

    def plane(self, name: str) -> np.ndarray:
        """Return the plane of a column of numbers."""
        if name not in self.planes:
            self.planes[name] = np.full(self.codes.shape, np.nan)
        return self.planes[name]

    @property
    def cases(self) -> pl.DataFrame:
        """The cases so far, a row per code."""
        columns: dict[str, pl.Series] = {}
        kinds = {name: CASES.get(name, pl.Boolean) for name in self.columns}
        packed = np.array([*self.case_codes], np.int64)
        for name, kind in kinds.items():
            value = packed
            if name != "unscored":
                packed, value = np.divmod(packed, self.base(name))
            if kind == pl.String:
                columns[name] = pl.Series([None, *STATES], dtype=pl.String).gather(value)
            else:
                column = pl.Series(value - 1).set(pl.Series(value == 0), None)
                columns[name] = column.cast(kind)
        return prepend_null(pl.DataFrame(columns, kinds))

    def call_right(self, unanswerable: np.ndarray) -> np.ndarray:
        """Make abstentions correct where there is no answer, bool (assessors or 1, 1, items);
        return which cells are.

        A response that gives an answer at a lower rank is no abstention.
        """
        if not unanswerable.any():
            return unanswerable
        is_abstention = (pl.col("verdict") == "unanswered") & ~pl.col("given")
        rightful = unanswerable & self.evaluate(is_abstention)
        # The verdict is the first column
        difference = STATES.index("correct") - STATES.index("unanswered")
        table = np.zeros(len(self.case_codes) + 1, np.uint32)
        for case, code in [*self.case_codes.items()]:
            if case % self.base("verdict") == STATES.index("unanswered") + 1:
                new_code = len(self.case_codes) + 1
                table[code] = self.case_codes.setdefault(case + difference, new_code)
        self.codes[rightful] = table[self.codes[rightful]]
        return rightful

    def evaluate(self, condition: pl.Expr) -> np.ndarray:
        """Return whether a condition holds of each cell; not where there is no verdict."""
        table = self.cases.select(condition.fill_null(False)).to_series().to_numpy().copy()
        table[0] = False
        return table[self.codes]

    def compare(self, asked: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return which runs are compared, and on which items (or questions): bool.

        asked: who was asked what, bool (runs, items).
        """
        may_differ = self.asked is not None or MISSING[self.judging.missing] == NOT_ASKED
        if self.judging.compare_on == "all" or not may_differ or asked.all():
            return np.ones(asked.shape[0], bool), np.ones(asked.shape[1], bool)
        return select_shared(asked)

    def store(self, flags: dict[str, np.ndarray]) -> Verdicts:
        """Return the store, with these columns of true and false added, whose shape is that of the
        cells or broadcasts."""
        cases, codes = self.cases.drop(ASKED_COLUMN), self.codes
        present = {*KEY, *ITEM, *VALUES, *DERIVED, *flags, *cases.columns}
        null = pl.lit(None, pl.Boolean)
        cases = cases.with_columns(
            null.alias(name) for name in tasks.get(self.task).columns if name not in present
        )
        for name, flag in flags.items():
            if flag.all() or not flag.any():
                cases = cases.with_columns(pl.lit(bool(flag.any())).alias(name))
                continue
            codes = codes + np.where(codes > 0, flag * np.uint32(cases.height), np.uint32(0))
            cases = pl.concat(
                cases.with_columns(pl.lit(value).alias(name)) for value in (False, True)
            )
        planes = {**self.planes, **self.settled}
        names = (self.task, self.assessors, self.runs, self.items)
        return canonicalise(Verdicts(*names, cases, codes, planes, self.texts))


def choose_state(*cases: tuple[pl.Expr, pl.Expr | str], default: pl.Expr | str) -> pl.Expr:
    """Return the state of the first case whose condition holds, else the default."""
    choice = pl.lit(default) if isinstance(default, str) else default
    for condition, state in reversed(cases):
        value = pl.lit(state) if isinstance(state, str) else state
        choice = pl.when(condition).then(value).otherwise(choice)
    return choice


def find_cases(rows: pl.DataFrame) -> tuple[pl.DataFrame, np.ndarray]:
    """Return the distinct rows of a table of Booleans and Enums, and which of them each row is."""
    number, size = pl.lit(0, pl.UInt32), 1
    for column in rows:
        nulls, is_flag = column.null_count(), column.dtype == pl.Boolean
        is_constant = is_flag and not nulls and column.sum() in (0, rows.height)
        if nulls < rows.height and not is_constant:
            values = len(column.dtype.categories) if isinstance(column.dtype, pl.Enum) else 2
            number += pl.col(column.name).to_physical().cast(pl.UInt32).fill_null(values) * size
            size *= values + 1
    numbers = rows.select(number).to_series().to_numpy()
    table = np.full(size, -1)
    table[numbers] = np.arange(rows.height)
    present = np.flatnonzero(table >= 0)
    cases = rows[table[present]]
    table[present] = np.arange(len(present))
    return cases, table[numbers]
