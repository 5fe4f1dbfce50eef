"""Influence values of runs: what single questions, or clusters of them, add to each score.

Tests need their products between runs and their sums with random signs. Where a question is in one
of a few cells (right, wrong, unanswered), these follow from numbers of questions, which are exact,
and which are brought up to date where a judgment changes; elsewhere from the values themselves.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from nonresponse.statistics import PER_STREAM
from nonresponse.statistics.cache import MOST, NOTHING, Cache
from nonresponse.statistics.outcomes import TOLERANCE
from nonresponse.statistics.subsets import split_blocks, stream

AT_ONCE = 2048  # questions in a product, a multiple of 8: their signs stay in the processor's cache
FLIPS = 1000  # in a product
# More than AT_ONCE; sums of up to AT_ONCE steps and ones are exact in float32
STEP = np.float32(4096)
CELLS = 6  # with more, products of values are faster than those of cells


def draw_flips(seed: int, campaign: str, questions: int, flips: int) -> Iterator[np.ndarray]:
    """Yield which questions' signs each flip turns, as bits: bytes (up to PER_STREAM flips,
    questions / 8)."""
    for block, drawn in split_blocks(flips):
        bits = stream(seed, campaign, "signs", questions, block).bytes(
            drawn * ((questions + 7) // 8)
        )
        yield np.frombuffer(bits, np.uint8).reshape(drawn, -1)


def unpack_bits(packed: np.ndarray, questions: int) -> np.ndarray:
    """Return bits of flips as zeros and ones, (flips, questions)."""
    return np.unpackbits(packed, axis=1, count=questions)


@dataclass(frozen=True, eq=False)
class Dense:
    """Any values, (runs, questions); a row that is not defined has NaN."""

    dense: np.ndarray

    @property
    def content(self) -> tuple[np.ndarray, ...]:
        """What all else follows from, a row for each run."""
        return (self.dense,)

    @property
    def questions(self) -> int:
        """The number of questions, or of clusters of them."""
        return self.dense.shape[1]

    @cached_property
    def defined(self) -> np.ndarray:
        """Whether all values of a run are defined, bool (runs,)."""
        return np.isfinite(self.dense).all(axis=1)

    @cached_property
    def binary_values(self) -> tuple[float, float] | None:
        """The lower and the higher value, if all runs have the same two; else None."""
        return find_binary_values(self.dense)

    @property
    def right(self) -> np.ndarray:
        """How many values of each run are the higher one of `binary_values`, (runs,)."""
        return np.count_nonzero(self.dense > sum(self.binary_values or ()) / 2, axis=1)

    @property
    def squares(self) -> np.ndarray:
        """Sums of squares of deviations from each run's mean (runs,)."""
        return self.dense.var(axis=1) * self.questions

    def select_rows(self, rows: np.ndarray) -> Dense:
        """Return those of some runs, bool (runs,)."""
        return Dense(self.dense[rows])

    def products(self) -> np.ndarray:
        """Return sums over questions of products of deviations from each run's mean, (runs,
        runs)."""
        values = self.dense - self.dense.mean(axis=1, keepdims=True)
        deviations = round_values(values, (52 - np.log2(self.questions + 1)) / 2)
        return deviations @ deviations.T

    def signed_sums(
        self, seed: int, campaign: str, flips: int, cache: Cache = NOTHING
    ) -> Iterator[np.ndarray]:
        """Yield sums over questions of deviations with random signs: (runs, up to PER_STREAM flips)
        at a time."""
        # Twice the sum of what is turned is subtracted from the whole, without rounding.
        values = round_values(
            self.dense - self.dense.mean(axis=1, keepdims=True), 54 - np.log2(self.questions + 1)
        )
        whole = values.sum(axis=1, keepdims=True)
        drawn = partial(draw_flips, seed, campaign, self.questions, flips)

        def sums(packed: np.ndarray, some: np.ndarray | slice = slice(None)) -> np.ndarray:
            return values[some] @ unpack_bits(packed, self.questions).T.astype(np.float64)

        if cache is NOTHING or len(values) * flips * 8 > MOST:
            yield from (whole - 2 * sums(packed) for packed in drawn())
            return
        kept = cache.rows(
            f"turned {flips}",
            values,
            lambda some: np.concatenate([sums(packed, some) for packed in drawn()], axis=1),
            (flips,),
            np.float64,
        )
        yield from (
            whole - 2 * kept[:, PER_STREAM * block :][:, :number]
            for block, number in split_blocks(flips)
        )


def find_binary_values(values: np.ndarray) -> tuple[float, float] | None:
    """Return the lowest and the highest of some values, if all are one of the two and these differ;
    else None."""
    low, high = float(values.min(initial=np.inf)), float(values.max(initial=-np.inf))
    near = TOLERANCE * max(abs(low), abs(high), 1)
    two = (
        high - low > near and ((np.abs(values - low) < near) | (np.abs(values - high) < near)).all()
    )
    return (low, high) if two else None


def round_values(values: np.ndarray, digits: float) -> np.ndarray:
    """Return values, rounded run by run to so many binary digits that sums over questions are exact
    in any order."""
    largest = np.abs(values).max(axis=1, initial=0, keepdims=True)
    unit = np.exp2(np.ceil(np.log2(np.where(largest > 0, largest, 1))) - np.floor(digits) + 2)
    values = values / unit
    np.round(values, out=values)
    values *= unit
    return values


@dataclass(frozen=True, eq=False)
class CellValues:
    """Values that follow from the cell of a question: cells (runs, questions), uint8, and values
    (runs, cells).

    It has what `Dense` has.
    names: what the cells are, so that earlier numbers of questions in them are known again.
    """

    cells: np.ndarray
    values: np.ndarray
    names: tuple[int, ...]

    @property
    def content(self) -> tuple[np.ndarray, ...]:
        return self.cells, self.values, np.tile(self.names, (len(self.cells), 1))

    @property
    def questions(self) -> int:
        return self.cells.shape[1]

    @cached_property
    def numbers(self) -> np.ndarray:
        """The number of questions in each cell, (runs, cells)."""
        cells = range(self.values.shape[1])
        return np.stack([np.count_nonzero(self.cells == cell, axis=1) for cell in cells], axis=1)

    @cached_property
    def defined(self) -> np.ndarray:
        return (np.isfinite(self.values) | (self.numbers == 0)).all(axis=1)

    @cached_property
    def dense(self) -> np.ndarray:
        values = np.where(self.defined[:, None], self.values, np.nan)
        return np.take_along_axis(values, self.cells.astype(np.intp), 1)

    @cached_property
    def binary_values(self) -> tuple[float, float] | None:
        return find_binary_values(self.values[self.numbers > 0])

    @property
    def right(self) -> np.ndarray:
        return (
            (np.nan_to_num(self.values) > sum(self.binary_values or ()) / 2) * self.numbers
        ).sum(axis=1)

    def select_rows(self, rows: np.ndarray) -> CellValues:
        return self if rows.all() else CellValues(self.cells[rows], self.values[rows], self.names)

    @cached_property
    def deviations(self) -> np.ndarray:
        """The value of each cell less the mean of its run, (runs, cells); 0 where a run has no
        question in it."""
        there = np.where(self.numbers > 0, self.values, 0)
        mean = (there * self.numbers).sum(axis=1, keepdims=True) / max(self.questions, 1)
        return np.where(self.numbers > 0, self.values - mean, 0)

    @property
    def squares(self) -> np.ndarray:
        return (self.deviations**2 * self.numbers).sum(axis=1)

    def products(self) -> np.ndarray:
        deviations, cells = self.deviations, range(1, self.values.shape[1])
        # What is not in the other cells is in the first one.
        numbers = self.numbers.astype(np.float64)
        first = deviations[:, :1]
        products = self.questions * first * first.T
        more = {a: deviations[:, a : a + 1] - first for a in cells}
        for a in cells:
            alone = more[a] * numbers[:, a : a + 1]
            products += alone * first.T + first * alone.T
            there = (self.cells == a).astype(np.float32)
            products += more[a] * more[a].T * (there @ there.T)
            for b in cells[a:]:
                mixed = more[a] * more[b].T * (there @ (self.cells == b).astype(np.float32).T)
                products += mixed + mixed.T
        return products

    def signed_sums(
        self, seed: int, campaign: str, flips: int, cache: Cache = NOTHING
    ) -> Iterator[np.ndarray]:
        drawn = partial(draw_flips, seed, campaign, self.questions, flips)
        number = self.values.shape[1] - 1
        dtype = np.dtype(np.min_scalar_type(self.questions))

        def of_rows(some: np.ndarray) -> np.ndarray:
            return turned_counts(self.cells[some], number, np.concatenate([*drawn()]))

        if cache is NOTHING or len(self.cells) * number * flips * dtype.itemsize > MOST:
            blocks = (turned_counts(self.cells, number, packed) for packed in drawn())
        else:  # all flips at once, those of equal rows from an earlier run
            name, shape = f"cells {self.names} {flips}", (number, flips)
            kept = cache.rows(name, self.cells, of_rows, shape, dtype)
            blocks = (
                kept[:, :, PER_STREAM * block :][:, :, :size] for block, size in split_blocks(flips)
            )
        whole = (self.deviations * self.numbers).sum(axis=1, keepdims=True)
        first, more = self.deviations[:, :1], self.deviations[:, 1:] - self.deviations[:, :1]
        for packed, counts in zip(drawn(), blocks, strict=True):
            beyond = packed[:, -1] & ((1 << -self.questions % 8) - 1)  # bits that are no questions
            of_all = np.bitwise_count(packed).sum(axis=1, dtype=np.int64) - np.bitwise_count(beyond)
            sums = first * of_all
            for cell in range(number):
                sums += more[:, cell : cell + 1] * counts[:, cell]
            yield whole - 2 * sums


def turned_counts(cells: np.ndarray, number: int, packed: np.ndarray) -> np.ndarray:
    """Return how many questions of each run each flip turned that are in each cell from 1 on,
    (runs, number, flips).

    A product counts two at a time, one in ones, the other in steps: two cells, or two flips of a
    cell that is left.
    """
    flips = len(packed)
    counts = np.zeros((len(cells), number, flips), np.float32)
    for start in range(0, cells.shape[1], AT_ONCE):
        some = cells[:, start : start + AT_ONCE]
        values = [
            cell_factors(number, cell, (1, float(STEP)))[some] for cell in range(0, number, 2)
        ]
        for at in range(0, flips, FLIPS):
            own = packed[at : at + FLIPS, start // 8 : (start + AT_ONCE) // 8]
            bits = unpack_bits(own, some.shape[1]).T.astype(np.float32)
            for cell, of_cells in zip(range(0, number - 1, 2), values, strict=False):
                ones, steps = split(of_cells @ bits)
                counts[:, cell, at : at + FLIPS] += ones
                counts[:, cell + 1, at : at + FLIPS] += steps
            if number % 2:
                half = (len(own) + 1) // 2
                bits[:, : len(own) - half] += STEP * bits[:, half:]
                ones, steps = split(values[-1] @ bits[:, :half])
                counts[:, -1, at : at + half] += ones
                counts[:, -1, at + half : at + FLIPS] += steps[:, : len(own) - half]
    return counts


def cell_factors(number: int, cell: int, values: tuple[float, float]) -> np.ndarray:
    """Return what this cell and the next one count in a product, and all others 0."""
    found = np.zeros(number + 1, np.float32)
    found[cell + 1 : cell + 3] = values[: number - cell]
    return found


def split(product: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return how many ones and how many steps a product counted."""
    steps = np.floor(product / STEP)
    return product - STEP * steps, steps


Influence = Dense | CellValues
