"""What earlier judging found, shard by shard: only what changed is judged again, with the same verdicts as anew.

A shard is judged again if its files or its runs changed. Otherwise only its questions with other judgments are.
"""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl

from nonresponse.judging.cells import Cells
from nonresponse.memo import Memo


def digest_of(path: str | Path) -> str:
    """Return the digest of a file."""
    with Path(path).open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


class Earlier:
    """The cells as an earlier run filled them, with the same names, options, and all else that shards share."""

    def __init__(self, path: Path | None, cells: Cells, known: np.ndarray, judgments: Sequence[Path], *key: object):
        """known: what the verdicts on each question depend on beside the responses and the judgments, by question."""
        names = [cells.assessors, cells.items.to_dict(as_series=False), [*cells.texts], [*cells.columns]]
        self.memo = Memo(path, cells.task, vars(cells.judging), names, cells.shared, *key)
        self.cells, self.known, self.again = cells, known, False
        content = b"".join(file.read_bytes() for file in judgments) if path else b""  # of one file, or of none
        self.judgments = np.frombuffer(content, np.uint8)
        self.stamps: list[str] = []  # of the shards, and whether each found a right answer, by assessor and question
        self.right: list[np.ndarray] = []
        self.held = self.memo.recall()
        told = json.loads(self.held.pop("told").tobytes()) if self.held else {"stamps": [], "runs": [], "packed": []}
        self.before = {stamp: place for place, stamp in enumerate(told["stamps"])}
        self.row = {run: row for row, run in enumerate(told["runs"])}
        numbers = [cells.numbers.setdefault(packed, len(cells.numbers) + 1) for packed in told["packed"]]
        self.numbers = np.array([0, *numbers], np.uint32)

    def changed(self) -> np.ndarray:
        """Return which questions have other judgments than before: bool (questions,)."""
        names = self.cells.items["question"].unique(maintain_order=True)
        if not self.held or self.held["known"].shape != self.known.shape:
            return np.ones(len(names), bool)
        differ = (self.held["known"] != self.known).any(axis=1)
        if not np.array_equal(self.held["judgments"], self.judgments):
            before, now = (pl.read_parquet(side.tobytes()) for side in (self.held["judgments"], self.judgments))
            pairs = ((before, now), (now, before))
            rows = [one.join(other, on=one.columns, how="anti", nulls_equal=True)["question"] for one, other in pairs]
            differ |= names.is_in(pl.concat(rows).implode()).to_numpy()
        self.again = bool(differ.any())
        return differ

    def restore(self, runs: Sequence[str], files: Sequence[str]) -> bool:
        """Put what is known of a shard, given by its runs and files, into its cells; return whether that is known."""
        if self.memo.path is None:
            return False
        stamp = hashlib.sha256(json.dumps([[*map(digest_of, files)], [*runs]]).encode()).hexdigest()
        self.stamps.append(stamp)
        if stamp not in self.before:
            self.again = True
            return False
        now, was = [self.cells.runs.index(run) for run in runs], [self.row[run] for run in runs]
        self.cells.codes[:, now] = self.numbers[self.held["codes"][:, was]]
        for name in self.held:
            if name.startswith("plane "):
                self.cells.plane(name.removeprefix("plane "))[:, now] = self.held[name][:, was]
        self.right.append(self.held["right"][self.before[stamp]])
        return True

    def keep(self) -> None:
        """Keep the cells for the next time."""
        if self.memo.path is None or not (self.again or len(self.stamps) < len(self.before)):
            return
        told = {"stamps": self.stamps, "runs": self.cells.runs, "packed": [*self.cells.numbers]}
        arrays = {f"plane {name}": plane for name, plane in self.cells.planes.items()}
        arrays["codes"] = self.cells.codes.astype(np.uint8 if len(self.cells.numbers) < 2**8 else np.uint32)
        arrays["told"] = np.frombuffer(json.dumps(told).encode(), np.uint8)
        self.memo.keep(right=np.array(self.right), known=self.known, judgments=self.judgments, **arrays)
