"""Influence values of runs: what alone questions, or clusters of them, add to each score.

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
from nonresponse.statistics.cache import MAX_BYTES, NOTHING, Cache
from nonresponse.statistics.outcomes import TOLERANCE
from nonresponse.statistics.subsets import split_blocks, stream

BLOCK = 2048  # questions in a product, a multiple of 8: their signs stay in the processor's cache
FLIPS = 1000  # in a product
# More than BLOCK; sums of up to BLOCK steps and ones are exact in float32
STEP = np.float32(4096)
CELLS = 6  # with more, products of values are faster than those of cells


def draw_flips(seed: int, campaign: str, questions: int, flips: int) -> Iterator[np.ndarray]:
    """Yield the signs that flips turn, as bits: bytes (up to PER_STREAM flips, questions / 8)."""
    for block, number in split_blocks(flips):
        draw = stream(seed, campaign, "signs", questions, block)
        bits = draw.bytes(number * ((questions + 7) // 8))
        yield np.frombuffer(bits, np.uint8).reshape(number, -1)


def unpack_bits(packed: np.ndarray, questions: int) -> np.ndarray:
    """Return bits of flips as zeros and ones, (flips, questions)."""
    return np.unpackbits(packed, axis=1, count=questions)


@dataclass(frozen=True, eq=False)
class Dense:
    """Any values, (runs, questions); a row that is not defined has NaN."""

    dense: np.ndarray

    @property
    def content(self) -> tuple[np.ndarray, ...]:
        """The arrays that all else follows from, a row for each run."""
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
        """The lower and the higher value, if all runs have the same two."""
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
        """Return the values of these runs, bool (runs,)."""
        return Dense(self.dense[rows])

    def products(self) -> np.ndarray:
        """Return sums over questions of products of deviations from runs' means, (runs, runs)."""
        values = self.dense - self.dense.mean(axis=1, keepdims=True)
        deviations = round_values(values, (52 - np.log2(self.questions + 1)) / 2)
        return deviations @ deviations.T

    def signed_sums(
        self, seed: int, campaign: str, flips: int, cache: Cache = NOTHING
    ) -> Iterator[np.ndarray]:
        """Yield sums of deviations with random signs: (runs, up to PER_STREAM flips) at a time."""
        # Twice the sum of the turned values is subtracted from the total, without rounding.
        values = round_values(
            self.dense - self.dense.mean(axis=1, keepdims=True), 54 - np.log2(self.questions + 1)
        )
        total = values.sum(axis=1, keepdims=True)
        blocks = partial(draw_flips, seed, campaign, self.questions, flips)

        def sum_turned(packed: np.ndarray, rows: np.ndarray | slice = slice(None)) -> np.ndarray:
            return values[rows] @ unpack_bits(packed, self.questions).T.astype(np.float64)

        if cache is NOTHING or len(values) * flips * 8 > MAX_BYTES:
            yield from (total - 2 * sum_turned(packed) for packed in blocks())
            return
        turned = cache.fill_rows(
            f"turned {flips}",
            values,
            lambda rows: np.concatenate([sum_turned(packed, rows) for packed in blocks()], axis=1),
            (flips,),
            np.float64,
        )
        for start in range(0, flips, PER_STREAM):
            yield total - 2 * turned[:, start : start + PER_STREAM]


def find_binary_values(values: np.ndarray) -> tuple[float, float] | None:
    """Return the lowest and the highest value, if they differ and there are no others."""
    low, high = float(values.min(initial=np.inf)), float(values.max(initial=-np.inf))
    near = TOLERANCE * max(abs(low), abs(high), 1)
    binary = (np.abs(values - low) < near) | (np.abs(values - high) < near)
    return (low, high) if high - low > near and binary.all() else None


def round_values(values: np.ndarray, digits: float) -> np.ndarray:
    """Return values, rounded by run to so few binary digits that sums are exact in any order."""
    largest = np.abs(values).max(axis=1, initial=0, keepdims=True)
    unit = np.exp2(np.ceil(np.log2(np.where(largest > 0, largest, 1))) - np.floor(digits) + 2)
    values = values / unit
    np.round(values, out=values)
    values *= unit
    return values


@dataclass(frozen=True, eq=False)
class CellValues:
    """Values that follow from the cell of a question: cells (runs, questions), uint8, and values
    (runs, cells). It has what `Dense` has.

    names: what the cells are, so that a cache finds earlier numbers of questions in them.
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
        """The value of each cell less the mean of its run, 0 without questions, (runs, cells)."""
        values = np.where(self.numbers > 0, self.values, 0)
        mean = (values * self.numbers).sum(axis=1, keepdims=True) / max(self.questions, 1)
        return np.where(self.numbers > 0, self.values - mean, 0)

    @property
    def squares(self) -> np.ndarray:
        return (self.deviations**2 * self.numbers).sum(axis=1)

    def products(self) -> np.ndarray:
        cells = range(1, self.values.shape[1])
        # A question that is not in the other cells is in the base.
        numbers = self.numbers.astype(np.float64)
        base = self.deviations[:, :1]
        products = self.questions * base * base.T
        extra = self.deviations - base
        for a in cells:
            alone = extra[:, a : a + 1] * numbers[:, a : a + 1]
            products += alone * base.T + base * alone.T
            members_a = (self.cells == a).astype(np.float32)
            products += extra[:, a : a + 1] * extra[:, a] * (members_a @ members_a.T)
            for b in cells[a:]:
                members_b = (self.cells == b).astype(np.float32)
                product = extra[:, a : a + 1] * extra[:, b] * (members_a @ members_b.T)
                products += product + product.T
        return products

    def signed_sums(
        self, seed: int, campaign: str, flips: int, cache: Cache = NOTHING
    ) -> Iterator[np.ndarray]:
        flip_blocks = partial(draw_flips, seed, campaign, self.questions, flips)
        number = self.values.shape[1] - 1
        dtype = np.dtype(np.min_scalar_type(self.questions))

        def count_rows(rows: np.ndarray) -> np.ndarray:
            return count_turned(self.cells[rows], number, np.concatenate([*flip_blocks()]))

        if cache is NOTHING or len(self.cells) * number * flips * dtype.itemsize > MAX_BYTES:
            blocks = (count_turned(self.cells, number, packed) for packed in flip_blocks())
        else:  # all flips at once, those of equal rows from an earlier run
            name, shape = f"cells {self.names} {flips}", (number, flips)
            turned = cache.fill_rows(name, self.cells, count_rows, shape, dtype)
            starts = range(0, flips, PER_STREAM)
            blocks = (turned[:, :, start : start + PER_STREAM] for start in starts)
        total = (self.deviations * self.numbers).sum(axis=1, keepdims=True)
        base, extra = self.deviations[:, :1], self.deviations[:, 1:] - self.deviations[:, :1]
        for packed, counts in zip(flip_blocks(), blocks, strict=True):
            padding = packed[:, -1] & ((1 << -self.questions % 8) - 1)  # bits that are no questions
            turned_questions = np.bitwise_count(packed).sum(axis=1, dtype=np.int64)
            sums = base * (turned_questions - np.bitwise_count(padding))
            for cell in range(number):
                sums += extra[:, cell : cell + 1] * counts[:, cell]
            yield total - 2 * sums


def count_turned(cells: np.ndarray, number: int, packed: np.ndarray) -> np.ndarray:
    """Return how many questions of each run each flip turned that are in each cell from 1 on,
    (runs, number, flips).

    A product counts two at a time, one in ones, the other in steps: two cells, or two flips of a
    cell that is left.
    """
    flips = len(packed)
    counts = np.zeros((len(cells), number, flips), np.float32)
    for start in range(0, cells.shape[1], BLOCK):
        block = cells[:, start : start + BLOCK]
        factors = []  # what a question counts in the product of a cell and the next one
        for cell in range(0, number, 2):
            values = np.zeros(number + 1, np.float32)
            values[cell + 1 : cell + 3] = (1, STEP)[: number - cell]
            factors.append(values[block])
        for begin in range(0, flips, FLIPS):
            batch = packed[begin : begin + FLIPS, start // 8 : (start + BLOCK) // 8]
            bits = unpack_bits(batch, block.shape[1]).T.astype(np.float32)
            for cell, factor in zip(range(0, number - 1, 2), factors, strict=False):
                units, steps = split_product(factor @ bits)
                counts[:, cell, begin : begin + FLIPS] += units
                counts[:, cell + 1, begin : begin + FLIPS] += steps
            if number % 2:
                half = (len(batch) + 1) // 2
                bits[:, : len(batch) - half] += STEP * bits[:, half:]
                units, steps = split_product(factors[-1] @ bits[:, :half])
                counts[:, -1, begin : begin + half] += units
                counts[:, -1, begin + half : begin + FLIPS] += steps[:, : len(batch) - half]
    return counts


def split_product(product: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return how many ones and how many steps a product counted."""
    steps = np.floor(product / STEP)
    return product - STEP * steps, steps


Influence = Dense | CellValues
