"""What was judged the last time, so that only what changed is judged again: a cache, never a
source.

A memo holds the cells as responses filled them, before what depends on all runs together. Judged
again are the files whose content changed and, of the others, the questions whose judgments changed.
"""

from __future__ import annotations

import hashlib
import io
import json
from dataclasses import asdict, dataclass
from itertools import chain
from pathlib import Path

import numpy as np
import polars as pl

from nonresponse.judging.cells import Cells
from nonresponse.judging.store import VALUES_SUFFIX, Coded, shrink
from nonresponse.memo import Memo
from nonresponse.tables import NAME

FACTS = ("has_answer", "unanswerable", "known_answers")  # of each question


@dataclass
class Patch:
    """Cells that are filled as far as a memo goes, and what is still to be judged."""

    cells: Cells
    memo: Memo
    digests: list[str]  # of the content of each file
    runs: list[list[str]]  # in each file
    # Whether the cells of a file are filled, but for those of the changed questions
    filled: list[bool]
    questions: pl.Series  # the changed ones

    def rows(self, number: int, rows: pl.LazyFrame) -> pl.LazyFrame | None:
        """Return the rows of a file that are to be judged; null where there is none."""
        if not self.filled[number]:
            return rows
        return (
            rows.filter(pl.col("question").is_in(self.questions.implode()))
            if len(self.questions)
            else None
        )

    def keep(self) -> None:
        """Keep the cells for the next time; their planes are settled then."""
        cells = self.cells
        if runs_overlap(self.runs):
            return
        cells.settled |= {name: shrink(plane) for name, plane in cells.planes.items()}
        cells.planes = {}
        planes = {
            f" {name}": it.index if isinstance(it, Coded) else it
            for name, it in cells.settled.items()
        }
        values = {
            f"{name}{VALUES_SUFFIX}": it.values
            for name, it in cells.settled.items()
            if isinstance(it, Coded)
        }
        judgments = io.BytesIO()
        cells.known["judged"].write_parquet(judgments, compression="lz4", statistics=False)
        self.memo.keep(
            names=np.frombuffer(
                json.dumps([cells.runs, dict(zip(self.digests, self.runs, strict=True))]).encode(),
                np.uint8,
            ),
            cases=np.array([*cells.numbers], np.int64),
            codes=cells.codes.astype(np.min_scalar_type(len(cells.numbers))),
            known=stack_facts(cells),
            judgments=np.frombuffer(judgments.getvalue(), np.uint8),
            **planes,
            **values,
        )


def restore(
    cells: Cells, memo: Memo, files: list[Path], runs: list[list[str]], questions: Path
) -> Patch:
    """Fill the cells of answers from a memo, if it is one of the same options, questions and
    assessors.

    `files` hold the responses, `runs` are those of each file.
    """
    *digests, asked = (digest_of(file) for file in (*files, questions))
    items = cells.items.select("question", "epoch").to_dict(as_series=False)
    memo.add_key(
        cells.task,
        cells.assessors,
        cells.columns,
        cells.known["romip"],
        items,
        asked,
        asdict(cells.judging),
    )
    patch = Patch(cells, memo, digests, runs, [False] * len(files), pl.Series())
    found = memo.recall()
    if not found or runs_overlap(runs):
        return patch
    before, earlier = json.loads(found["names"].tobytes())
    patch.filled = [digest in earlier for digest in digests]
    patch.questions = changed_questions(cells, found)
    position = {run: number for number, run in enumerate(before)}
    filled = {run for digest in earlier.keys() & {*digests} for run in earlier[digest]}
    new = [number for number, run in enumerate(cells.runs) if run in filled]
    old = [position[cells.runs[number]] for number in new]
    cells.numbers = {packed: code for code, packed in enumerate(found["cases"].tolist(), 1)}
    cells.codes[:, new] = found["codes"][:, old]
    cells.codes[:, :, cells.items["question"].is_in(patch.questions.implode()).to_numpy()] = 0
    planes = {name[1:]: found[name] for name in found if name.startswith(" ")}
    for name, plane in planes.items():
        values = found.get(f"{name}{VALUES_SUFFIX}")
        own = plane if values is None else Coded(plane, values)
        if all(patch.filled) and before == cells.runs:
            cells.settled[name] = own
        else:
            whole = np.broadcast_to(own[:], (len(cells.assessors), len(before), cells.items.height))
            cells.plane(name)[:, new] = whole[:, old]
    return patch


def digest_of(file: Path) -> str:
    """Return a digest of a file's content."""
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def changed_questions(cells: Cells, found: dict[str, np.ndarray]) -> pl.Series:
    """Return the questions whose judgments, or what is known of them, are others than those of a
    memo."""
    known = cells.known["names"].filter((stack_facts(cells) != found["known"]).any(axis=(0, 2)))
    before, now = pl.read_parquet(io.BytesIO(found["judgments"].tobytes())), cells.known["judged"]
    # As where one was turned: comparing row by row takes a twentieth of the time
    if before.height == now.height:
        differs = before.select(
            pl.any_horizontal(pl.col(name).ne_missing(now[name]) for name in now.columns)
        ).to_series()
        differ = pl.concat([before["question"].filter(differs), now["question"].filter(differs)])
    else:
        both = pl.concat([before, now])
        differ = both.filter(both.is_unique())["question"]
    return pl.concat([known.cast(NAME), differ]).unique().sort()


def stack_facts(cells: Cells) -> np.ndarray:
    """Return what is known of each question: float64 (assessors, questions, KNOWN)."""
    known = cells.known["known"].select(pl.col(*FACTS).cast(pl.Float64)).to_numpy()
    return known.reshape(len(cells.assessors), -1, len(FACTS))


def runs_overlap(runs: list[list[str]]) -> bool:
    """Return whether a run has responses in several files, so that one file does not tell all of
    its cells."""
    names = [*chain.from_iterable(runs)]
    return len({*names}) < len(names)
