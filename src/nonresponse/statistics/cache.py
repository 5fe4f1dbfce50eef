"""The counts of an earlier run of an analysis, found by the content that they follow from.

A row, such as the outcomes of a run or the scores of a trial, is found by a digest of its content.
What follows from equal rows is equal, whatever the rows are called and wherever they stand. Other
settings or other questions find nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import numpy as np

from nonresponse.memo import Memo

MAX_BYTES = 2**27  # of an array that is kept


class Cache:
    """The arrays of a memo by name; without a memo, everything is computed and nothing is kept."""

    def __init__(self, memo: Memo | None = None, *about: object) -> None:
        """`about`: all that values follow from besides the rows: the settings and the questions."""
        self.memo = memo
        if memo:
            memo.add_key(*about)
        self.before = memo.recall() if memo else {}
        self.after: dict[str, np.ndarray] = {}

    def save(self) -> None:
        """Keep what was counted in place of what was kept before."""
        if self.memo:
            self.memo.keep(**self.after)

    def find_rows(self, name: str, *inputs: np.ndarray) -> np.ndarray:
        """Return the earlier place of each row (rows,), -1 = new; inputs have a row for each,
        compared as bytes."""
        if self.memo is None:
            return np.full(len(inputs[0]), -1)
        kinds = " ".join(f"{part.dtype.str} {part.shape[1:]}" for part in inputs).encode()
        rows = (
            b"".join([kinds, *map(np.ndarray.tobytes, row)]) for row in zip(*inputs, strict=True)
        )
        digests = [hashlib.blake2b(row, digest_size=16).digest() for row in rows]
        self.after[f"{name} rows"] = np.frombuffer(b"".join(digests), np.uint8).reshape(-1, 16)
        earlier = self.before.get(f"{name} rows", np.empty((0, 16), np.uint8))
        place = {row.tobytes(): number for number, row in enumerate(earlier)}
        return np.array([place.get(digest, -1) for digest in digests], np.int64)

    def recall(
        self, name: str, number: int, shape: tuple[int, ...], dtype: np.dtype | type
    ) -> np.ndarray | None:
        """Return an array of `number` earlier rows, if it has this type and shape of a row."""
        values = self.before.get(name)
        fits = values is not None and values.dtype == dtype and values.shape == (number, *shape)
        return values if fits else None

    def keep(self, name: str, values: np.ndarray) -> None:
        """Keep an array, unless it is too large."""
        if self.memo and values.nbytes <= MAX_BYTES:
            self.after[name] = values

    def count_earlier(self, name: str) -> int:
        """Return how many rows there were the last time."""
        return len(self.before.get(f"{name} rows", ()))

    def fill_rows(
        self,
        name: str,
        inputs: np.ndarray,
        compute: Callable[[np.ndarray], np.ndarray],
        shape: tuple[int, ...],
        dtype: np.dtype | type,
    ) -> np.ndarray:
        """Return a row of values for each row of the inputs: those kept earlier, and of the others
        what `compute` gives for their indexes."""
        place = self.find_rows(name, inputs)
        values: np.ndarray = np.empty((len(place), *shape), dtype)
        earlier = self.recall(name, self.count_earlier(name), shape, dtype)
        if earlier is None:
            place[:] = -1
        else:
            values[place >= 0] = earlier[place[place >= 0]]
        if (new := np.flatnonzero(place < 0)).size:
            values[new] = compute(new)
        self.keep(name, values)
        return values


NOTHING = Cache()
