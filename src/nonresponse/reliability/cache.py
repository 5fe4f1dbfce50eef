"""What an earlier run of an analysis counted, found by the content of what it follows from.

A row, such as the outcomes of a run or the scores of a trial, is known by a digest of its content, of the settings and
of the questions. What follows from equal rows is equal, whatever the rows are called and wherever they stand.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable

import numpy as np

from nonresponse.memo import Memo

MOST = 2**27  # bytes of an array that is kept
FEW = 8  # if more than one in so many columns changed, sums are computed anew


class Cache:
    """The arrays of a memo by name; without a memo, everything is computed and nothing is kept."""

    def __init__(self, memo: Memo | None = None, *about: object) -> None:
        """`about`: all that values follow from besides the rows, such as the settings and the questions."""
        self.memo = memo
        self.key = hashlib.sha256(json.dumps(about, sort_keys=True).encode()).digest()
        self.before = memo.recall() if memo else {}
        self.after: dict[str, np.ndarray] = {}

    def save(self) -> None:
        """Keep what was counted in place of what was kept before."""
        if self.memo:
            self.memo.keep(**self.after)

    def find_rows(self, name: str, *inputs: np.ndarray) -> np.ndarray:
        """Return the earlier place of each row (rows,), -1 = new; inputs have a row for each, compared as bytes."""
        if self.memo is None:
            return np.full(len(inputs[0]), -1)
        parts = [np.ascontiguousarray(part).reshape(len(part), math.prod(part.shape[1:])) for part in inputs]
        digests = [hashlib.blake2b(key=self.key, digest_size=16) for _ in parts[0]]
        for part in parts:
            for digest, row in zip(digests, part, strict=True):
                digest.update(f"{part.dtype.str} {part.shape[1]} ".encode())
                digest.update(row.data)
        own = [digest.digest() for digest in digests]
        self.after[f"{name} rows"] = np.frombuffer(b"".join(own), np.uint8).reshape(-1, 16)
        earlier = self.before.get(f"{name} rows", np.empty((0, 16), np.uint8))
        place = {row.tobytes(): number for number, row in enumerate(earlier)}
        return np.array([place.get(digest, -1) for digest in own], np.int64)

    def recall(self, name: str, number: int, shape: tuple[int, ...], dtype: np.dtype | type) -> np.ndarray | None:
        """Return an array that was kept for `number` earlier rows, if it has this type and a row of this shape."""
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
        """Return a row of values for each row: those kept earlier, and of the others what `compute` gives.

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

    def counts(
        self,
        name: str,
        kinds: np.ndarray,
        compute: Callable[[np.ndarray], np.ndarray],
        weights: Callable[[np.ndarray], np.ndarray],
        shape: tuple[int, ...],
        dtype: np.dtype,
    ) -> np.ndarray:
        """Return, for each row and each kind from 1 on, the sums of the weights of the columns of this kind.

        kinds is (rows, columns), uint8; the result is (rows, *shape), shape being (kinds, weights of a column). Rows
        that are new get what `compute` gives, but where an earlier row was nearly the same, what has changed of it is
        added: `weights` gives the weights (columns, …) of some columns, 0 or 1.
        """
        place, number = self.find_rows(name, kinds), self.earlier(name)
        before = self.recall(f"{name} kinds", number, kinds.shape[1:], np.uint8)
        kept = self.recall(name, number, shape, dtype)
        self.keep(f"{name} kinds", kinds)
        if before is None or kept is None:
            place[:] = -1
        sums: np.ndarray = np.empty((len(kinds), *shape), dtype)
        new = np.flatnonzero(place < 0)
        if before is not None and kept is not None:
            sums[place >= 0] = kept[place[place >= 0]]
            old = np.setdiff1d(np.arange(number), place)[: len(new)]
            near = new[: len(old)]
            changed = np.flatnonzero((kinds[near] != before[old]).any(axis=0))
            if len(changed) <= kinds.shape[1] / FEW:
                own = weights(changed).astype(np.float32)
                now, then = kinds[np.ix_(near, changed)], before[np.ix_(old, changed)]
                for kind in range(shape[0]):
                    more = (now == kind + 1).astype(np.float32) - (then == kind + 1)
                    sums[near, kind] = kept[old, kind] + (more @ own).astype(np.int64)
                new = new[len(old) :]
        if new.size:
            sums[new] = compute(new)
        self.keep(name, sums)
        return sums

    def pairs(self, name: str, place: np.ndarray, of: str, dtype: type) -> tuple[np.ndarray, np.ndarray]:
        """Return the values kept for every two rows (rows, rows), and whether they are known: both rows were found."""
        number = self.earlier(of)
        kept = self.recall(name, number, (number,), dtype)
        values: np.ndarray = np.zeros((len(place),) * 2, dtype)
        found = np.flatnonzero(place >= 0) if kept is not None else np.empty(0, np.int64)
        if kept is not None:
            values[np.ix_(found, found)] = kept[np.ix_(place[found], place[found])]
        known = np.zeros(len(place), bool)
        known[found] = True
        return values, known[:, None] & known


NOTHING = Cache()
