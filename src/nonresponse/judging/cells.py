"""The verdict store while it is being filled: every response goes into its cell, in any order.

A query gives a row per response: `cell`, its index; `packed`, all columns with few values as one number; and columns of
numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import polars as pl

from nonresponse import tasks
from nonresponse.judging.asked import most_shared
from nonresponse.judging.store import CASES, FOLLOWING, ITEM, KEY, VALUES, Verdicts, canonical, with_none
from nonresponse.tasks import MISSING, NOT_ASKED, VERDICTS

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

STATES = (*VERDICTS, NOT_ASKED)
AT_ONCE = 1_000_000  # rows of a query
ASKED = "asked"  # the column of cells that says whether the run was asked; the store does not have it
NEVER_NULL = ("verdict", "missing", "by_rule", "nil", "given", ASKED)


class Run(NamedTuple):
    """A run: its epochs with first answers, the files of its responses, and whether it gives more answers than one."""

    name: str
    epochs: list[int]
    files: list[str]
    several: bool


@dataclass
class Cells:
    """What the verdicts of a task are put into.

    items: as in the store, sorted. columns: those with few values; of them only `unscored`, the last, may have more
    than seven. told: which runs were asked which items, (runs, items), None where nobody says so. The rest of what a
    way to judge has to remember is in `known`. shared: what else the verdicts of all shards depend on.
    """

    task: str
    judging: Any
    assessors: list[str]
    runs: list[str]
    items: pl.DataFrame
    columns: Sequence[str]
    told: np.ndarray | None
    shared: Sequence[object]
    texts: Sequence[str] = ()
    known: dict[str, Any] = field(default_factory=dict)
    planes: dict[str, np.ndarray] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.codes = np.zeros((len(self.assessors), len(self.runs), self.items.height), np.uint32)
        self.numbers: dict[int, int] = {}  # the code of each packed case
        self.flags: dict[str, np.ndarray] = {}

    def add_types(self, connection: DuckDBPyConnection, **names: Sequence[str]) -> None:
        """Make types of names, which also are numbers: assessor_name, run_name, and others."""
        for name, values in {"assessor": self.assessors, "run": self.runs, **names}.items():
            connection.execute("SET VARIABLE names = $1", [[*values]])
            connection.execute(f"CREATE TYPE {name}_name AS ENUM (SELECT unnest(getvariable('names')::VARCHAR[]))")

    def cell(self, item: str, assessor: str = "enum_code(assessor::assessor_name)") -> str:
        """SQL: the index of a cell, from the columns assessor and run, and from an expression for the item's index."""
        assessor = f"{assessor}::BIGINT * {len(self.runs)}" if len(self.assessors) > 1 else "0::BIGINT"
        return f"({assessor} + enum_code(run::run_name)) * {self.items.height} + {item}"

    def packed(self) -> str:
        """SQL: all columns with few values as one number; 0 in each place is null."""
        terms, unit, kind = [], 1, "INTEGER" if len(self.columns) < 8 else "BIGINT"
        for name in self.columns:
            value = f"enum_code({name}::verdict)" if CASES.get(name) == pl.String else name
            number = f"{value}::{kind} + 1"
            terms.append(f"({number if name in NEVER_NULL else f'coalesce({number}, 0)'}) * {unit}")
            unit *= self.base(name)
        return " + ".join(terms)

    def base(self, name: str) -> int:
        """How many values a column may have, null among them."""
        return len(STATES) + 1 if CASES.get(name) == pl.String else 3

    def code(self, **values: Any) -> int:
        """The code of a case; columns that are not named are null."""
        number, unit = 0, 1
        for name in self.columns:
            value = values.get(name)
            if value is not None:
                number += unit * (1 + (STATES.index(value) if isinstance(value, str) else int(value)))
            unit *= self.base(name)
        return self.numbers.setdefault(number, len(self.numbers) + 1)

    def put(self, connection: DuckDBPyConnection, query: str) -> None:
        """Put the rows of a query into their cells."""
        rows = pl.scan_arrow_c_stream(connection.sql(query))
        codes = self.codes.reshape(-1)
        for some in rows.collect_batches(chunk_size=AT_ONCE, maintain_order=False):
            cell, packed = some["cell"].to_numpy(), some["packed"]
            values = packed.unique().sort()
            of_values = [self.numbers.setdefault(value, len(self.numbers) + 1) for value in values.to_list()]
            codes[cell] = np.array(of_values, np.uint32)[np.searchsorted(values.to_numpy(), packed.to_numpy())]
            for name in some.columns[2:]:
                if some[name].is_not_null().any():
                    self.plane(name).reshape(-1)[cell] = some[name].cast(pl.Float64).to_numpy()

    def plane(self, name: str) -> np.ndarray:
        """The plane of a column of numbers."""
        if name not in self.planes:
            self.planes[name] = np.full(self.codes.shape, np.nan)
        return self.planes[name]

    def forget(self, runs: list[str], questions: np.ndarray) -> list[str]:
        """Empty the cells of some runs and questions, bool (questions,); return the names of these questions."""
        number = self.items["question"].rle_id().to_numpy()
        cells = np.ix_(range(len(self.assessors)), [self.runs.index(run) for run in runs], questions[number])
        for array in (self.codes, *self.planes.values()):
            array[cells] = 0 if array is self.codes else np.nan
        return self.items["question"].unique(maintain_order=True).filter(questions).to_list()

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
        return with_none(pl.DataFrame(columns, {name: CASES.get(name, pl.Boolean) for name in self.columns}))

    def call_right(self, unanswerable: np.ndarray) -> np.ndarray:
        """Make abstentions correct where there is no answer, bool (assessors or 1, 1, items); return which cells are.

        A response that gives an answer at a lower rank is no abstention.
        """
        if not unanswerable.any():
            return unanswerable
        rightful = unanswerable & self.where((pl.col("verdict") == "unanswered") & ~pl.col("given"))
        right = STATES.index("correct") - STATES.index("unanswered")  # the verdict is the first column
        table = np.zeros(len(self.numbers) + 1, np.uint32)
        for packed, code in [*self.numbers.items()]:
            if packed % self.base("verdict") == STATES.index("unanswered") + 1:
                table[code] = self.numbers.setdefault(packed + right, len(self.numbers) + 1)
        self.codes[rightful] = table[self.codes[rightful]]
        return rightful

    def where(self, condition: pl.Expr) -> np.ndarray:
        """Whether a condition holds of the case of each cell; not where there is no verdict."""
        table = self.cases.select(condition.fill_null(False)).to_series().to_numpy().copy()
        table[0] = False
        return table[self.codes]

    def compared(self, asked: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Which runs are compared, and on which items (or questions), from who was asked what: bool (runs, items)."""
        differ = self.judging.compare_on != "all" and (
            self.told is not None or MISSING[self.judging.missing] == NOT_ASKED
        )
        if not differ or asked.all():
            return np.ones(asked.shape[0], bool), np.ones(asked.shape[1], bool)
        return most_shared(asked)

    def stored(self, flags: dict[str, np.ndarray]) -> Verdicts:
        """The store, with these columns of true and false added, whose shape is that of the cells or broadcasts."""
        others = [
            name for name in tasks.get(self.task).columns if name not in (*KEY, *ITEM, *VALUES, *FOLLOWING, *flags)
        ]
        cases, codes = self.cases.drop(ASKED), self.codes
        cases = cases.with_columns(pl.lit(None, pl.Boolean).alias(name) for name in others if name not in cases.columns)
        for name, flag in flags.items():
            if flag.all() or not flag.any():
                cases = cases.with_columns(pl.lit(bool(flag.any())).alias(name))
                continue
            sides = [cases.with_columns(pl.lit(value).alias(name)) for value in (False, True)]
            codes = codes + np.where(codes > 0, flag * np.uint32(cases.height), np.uint32(0))
            cases = pl.concat(sides)
        known = (self.task, self.assessors, self.runs, self.items)
        return canonical(Verdicts(*known, cases, codes, self.planes, self.texts))
