"""What an earlier run of an analysis counted, found by the content of what it follows from.

A row, such as the outcomes of a run or the scores of a trial, is known by a digest of its content.
What follows from equal rows is equal, whatever the rows are called and wherever they stand. After
other settings or other questions, nothing is known.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable
from itertools import combinations_with_replacement

import numpy as np

from nonresponse.memo import Memo

MOST = 2**27  # bytes of an array that is kept
FEW = 8  # if more than one in so many columns changed, sums are computed anew


class Cache:
    """The arrays of a memo by name; without a memo, everything is computed and nothing is kept."""

    def __init__(self, memo: Memo | None = None, *about: object) -> None:
        """`about`: all that values follow from besides the rows, such as the settings and the
        questions."""
        self.memo = memo
        if memo:
            memo.add_key(*about)
        self.before = memo.recall() if memo else {}
        self.after: dict[str, np.ndarray] = {}
        self.found: dict[str, tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]] = {}
        self.digests: dict[int, tuple[np.ndarray, list[bytes]]] = {}  # by the id of the rows

    def save(self) -> None:
        """Keep what was counted in place of what was kept before."""
        if self.memo:
            self.memo.keep(**self.after)

    def find_rows(self, name: str, *inputs: np.ndarray) -> np.ndarray:
        """Return the earlier place of each row (rows,), -1 = new; inputs have a row for each,
        compared as bytes."""
        if self.memo is None:
            return np.full(len(inputs[0]), -1)
        parts = zip(*map(self.row_digests, inputs), strict=True)
        own = [hashlib.blake2b(b"".join(row), digest_size=16).digest() for row in parts]
        self.after[f"{name} rows"] = np.frombuffer(b"".join(own), np.uint8).reshape(-1, 16)
        earlier = self.before.get(f"{name} rows", np.empty((0, 16), np.uint8))
        place = {row.tobytes(): number for number, row in enumerate(earlier)}
        return np.array([place.get(digest, -1) for digest in own], np.int64)

    def row_digests(self, rows: np.ndarray) -> list[bytes]:
        """Return a digest of each row, made once for the same array."""
        if id(rows) not in self.digests:
            part = np.ascontiguousarray(rows).reshape(len(rows), math.prod(rows.shape[1:]))
            kind = f"{part.dtype.str} {part.shape[1]} ".encode()
            own = [hashlib.blake2b(kind + row.tobytes(), digest_size=16).digest() for row in part]
            self.digests[id(rows)] = rows, own  # which keeps the id from being used again
        return self.digests[id(rows)][1]

    def recall(
        self, name: str, number: int, shape: tuple[int, ...], dtype: np.dtype | type
    ) -> np.ndarray | None:
        """Return an array that was kept for `number` earlier rows, if it has this type and a row of
        this shape."""
        found = self.before.get(name)
        if found is None or found.dtype != dtype or found.shape != (number, *shape):
            return None
        return found

    def keep(self, name: str, values: np.ndarray) -> None:
        """Keep an array, unless it is too large."""
        if self.memo and values.nbytes <= MOST:
            self.after[name] = values

    def earlier(self, name: str) -> int:
        """Return how many rows were found the last time."""
        return len(self.before.get(f"{name} rows", ()))

    def rows(
        self,
        name: str,
        place: np.ndarray,
        of: str,
        compute: Callable[[np.ndarray], np.ndarray],
        shape: tuple[int, ...],
        dtype: np.dtype | type,
    ) -> np.ndarray:
        """Return a row of values for each row: those kept earlier, and of the others what `compute`
        gives.

        place: what find_rows gave under the name `of`.
        """
        kept = self.recall(name, self.earlier(of), shape, dtype)
        place = place if kept is not None else np.full(len(place), -1)
        values: np.ndarray = np.empty((len(place), *shape), dtype)
        if kept is not None:
            values[place >= 0] = kept[place[place >= 0]]
        if (new := np.flatnonzero(place < 0)).size:
            values[new] = compute(new)
        self.keep(name, values)
        return values

    def nearest(self, name: str, cells: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the earlier row that is, or nearly is, each row (rows,), -1 = none; the columns
        that changed; and how the rows were before, (rows, those columns).

        cells is (rows, columns), uint8, and is kept under the name.
        """
        known = self.found.get(name)
        if known is None or known[0] is not cells:
            known = self.found[name] = cells, *self.find_nearest(name, cells)
        return known[1:]

    def find_nearest(
        self, name: str, cells: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Find what `nearest` returns."""
        place, number = self.find_rows(name, cells), self.earlier(name)
        before = self.recall(f"{name} cells", number, cells.shape[1:], np.uint8)
        self.keep(f"{name} cells", cells)
        if before is None:
            return (
                np.full(len(cells), -1),
                np.empty(0, np.int64),
                np.empty((len(cells), 0), np.uint8),
            )
        new, old = np.flatnonzero(place < 0), np.setdiff1d(np.arange(number), place)
        new = new[: len(old)]
        changed = np.flatnonzero((cells[new] != before[old[: len(new)]]).any(axis=0))
        if len(changed) > cells.shape[1] / FEW:
            return place, changed[:0], cells[:, :0]
        place[new] = old[: len(new)]
        return place, changed, np.where((place >= 0)[:, None], before[:, changed][place], 0)

    def counts(
        self,
        name: str,
        draws: int,
        cells: np.ndarray,
        compute: Callable[[np.ndarray], np.ndarray],
        weights: Callable[[np.ndarray], np.ndarray],
        number: int,
        dtype: np.dtype,
    ) -> np.ndarray:
        """Return how many columns of each draw are in each cell from 1 on, (rows, number, draws),
        for each row.

        cells is (rows, columns), uint8. Of a row that is nearly an earlier one, what has changed is
        added to what was kept: `weights` says whether a draw has a column, (columns, draws), 0 or
        1. For all other rows, `compute` counts.
        """
        place, changed, before = self.nearest(name, cells)
        kept = self.recall(f"{name} in {draws}", self.earlier(name), (number, draws), dtype)
        place = place if kept is not None else np.full(len(place), -1)
        sums: np.ndarray = np.empty((len(cells), number, draws), dtype)
        if kept is not None:
            found, own = np.flatnonzero(place >= 0), weights(changed).astype(np.float32)
            sums[found] = kept[place[found]]
            some = found[(cells[np.ix_(found, changed)] != before[found]).any(axis=1)]
            for cell in range(number):
                more = (cells[np.ix_(some, changed)] == cell + 1).astype(np.float32) - (
                    before[some] == cell + 1
                )
                sums[some, cell] = sums[some, cell] + (more @ own).astype(np.int64)
        if (new := np.flatnonzero(place < 0)).size:
            sums[new] = compute(new)
        self.keep(f"{name} in {draws}", sums)
        return sums

    def products(self, name: str, cells: np.ndarray, number: int) -> np.ndarray:
        """Return in how many columns two rows are in two cells, from 1 on: (number, number, rows,
        rows).

        cells is (rows, columns), uint8.
        """
        place, changed, before = self.nearest(name, cells)
        rows = len(cells)
        kept = self.recall(
            f"{name} products", number, (number, self.earlier(name), self.earlier(name)), np.float32
        )
        place = place if kept is not None else np.full(rows, -1)
        found, new = np.flatnonzero(place >= 0), np.flatnonzero(place < 0)
        both = np.zeros((number, number, rows, rows), np.float32)
        if kept is not None:
            now, then = cells[np.ix_(found, changed)], before[found]
            earlier = np.ix_(found, found)
            for a, b in combinations_with_replacement(range(number), 2):
                more = (in_both(part, part, a, b) for part in (now, then))
                both[a, b][earlier] = kept[a, b][np.ix_(place[found], place[found])] + np.subtract(
                    *more
                )
        for a, b in combinations_with_replacement(range(number), 2):
            if len(new) == rows:
                both[a, b] = in_both(cells, cells, a, b)
            elif new.size:
                both[a, b][new] = in_both(cells[new], cells, a, b)
                both[a, b][np.ix_(found, new)] = in_both(cells[found], cells[new], a, b)
            both[b, a] = both[a, b].T
        self.keep(f"{name} products", both)
        return both


def in_both(one: np.ndarray, other: np.ndarray, a: int, b: int) -> np.ndarray:
    """Return in how many columns a row of `one` is in cell a + 1 and a row of `other` in cell b +
    1, (rows, rows)."""
    first = (one == a + 1).astype(np.float32)
    # Half the work
    second = first if one is other and a == b else (other == b + 1).astype(np.float32)
    return first @ second.T


NOTHING = Cache()
