"""The counts of an earlier run of an analysis, found by the content that they follow from.

A row, such as the outcomes of a run, is found by a digest of its content. What follows from equal
rows is equal, whatever the rows are called and wherever they stand. Other settings or other
questions find nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import numpy as np

from nonresponse.memo import Memo


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

    def fill_rows(
        self, name: str, inputs: np.ndarray, compute: Callable[[np.ndarray], np.ndarray]
    ) -> np.ndarray:
        """Return a row of values for each row of the inputs: those kept earlier, and of the others
        what `compute` gives for them."""
        if self.memo is None:
            return compute(inputs)
        digests = [hashlib.blake2b(row.tobytes(), digest_size=16).digest() for row in inputs]
        earlier = self.before.get(f"{name} rows", np.empty((0, 16), np.uint8))
        place = {row.tobytes(): number for number, row in enumerate(earlier)}
        places = np.array([place.get(digest, -1) for digest in digests], np.int64)
        is_new = places < 0
        values = compute(inputs[is_new]) if is_new.any() else self.before[name][:0]
        if not is_new.all():
            filled = self.before[name][places]
            filled[is_new] = values
            values = filled
        rows = np.frombuffer(b"".join(digests), np.uint8).reshape(-1, 16)
        self.after |= {name: values, f"{name} rows": rows}
        return values


NOTHING = Cache()
