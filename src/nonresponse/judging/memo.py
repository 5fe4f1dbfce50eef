"""Restores what was judged the last time, so that only changes are judged: a cache, never a source.

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
from nonresponse.judging.store import QUESTION_VALUES, join_planes, shrink, split_planes
from nonresponse.memo import Memo
from nonresponse.tables import NAME, read_parquet

FACTS = ("has_answer", "unanswerable", "known_answers")  # of each question


@dataclass
class Patch:
    """Cells that are filled as far as a memo goes, and what is still to be judged."""

    cells: Cells
    memo: Memo
    digests: list[str]  # of the content of each file
    runs: list[list[str]]  # in each file
    filled: list[bool]  # by file, whether its cells are, but for those of changed questions
    questions: pl.Series  # the changed ones

    def rows(self, number: int, rows: pl.LazyFrame) -> pl.LazyFrame | None:
        """Return the rows of a file that are to be judged; null where there is none."""
        if not self.filled[number]:
            return rows
        has_changed = pl.col("question").is_in(self.questions.implode())
        return rows.filter(has_changed) if len(self.questions) else None

    def keep(self) -> None:
        """Keep the cells for the next time; their planes are settled then."""
        cells = self.cells
        if runs_overlap(self.runs):
            return
        cells.settled |= {name: shrink(plane) for name, plane in cells.planes.items()}
        cells.planes = {}
        judgments = io.BytesIO()
        cells.context["judgments"].write_parquet(judgments, compression="lz4", statistics=False)
        names = json.dumps([cells.runs, dict(zip(self.digests, self.runs, strict=True))])
        self.memo.keep(
            names=np.frombuffer(names.encode(), np.uint8),
            cases=np.array([*cells.case_codes], np.int64),
            codes=cells.codes.astype(np.min_scalar_type(len(cells.case_codes))),
            facts=stack_facts(cells),
            judgments=np.frombuffer(judgments.getvalue(), np.uint8),
            **{f" {name}": array for name, array in split_planes(cells.settled).items()},
        )


def restore(
    cells: Cells, memo: Memo, files: list[Path], runs: list[list[str]], questions: Path
) -> Patch:
    """Fill the cells of answers from a memo of the same options, questions and assessors, if any.

    `files` hold the responses, `runs` are those of each file.
    """
    *digests, questions_digest = (hash_file(file) for file in (*files, questions))
    items = cells.items.select("question", "epoch").to_dict(as_series=False)
    memo.add_key(
        cells.task,
        cells.assessors,
        cells.columns,
        cells.context["romip"],
        cells.context["lookup"].columns,
        items,
        questions_digest,
        asdict(cells.judging),
    )
    patch = Patch(cells, memo, digests, runs, [False] * len(files), pl.Series())
    arrays = memo.recall()
    if not arrays or runs_overlap(runs):
        return patch
    old_runs, runs_by_digest = json.loads(arrays["names"].tobytes())
    patch.filled = [digest in runs_by_digest for digest in digests]
    patch.questions = find_changed_questions(cells, arrays)
    same_digests = runs_by_digest.keys() & {*digests}
    filled_runs = {run for digest in same_digests for run in runs_by_digest[digest]}
    old_index = {run: index for index, run in enumerate(old_runs)}
    new = [index for index, run in enumerate(cells.runs) if run in filled_runs]
    old = [old_index[cells.runs[index]] for index in new]
    cells.case_codes = {case: code for code, case in enumerate(arrays["cases"].tolist(), 1)}
    cells.codes[:, new] = arrays["codes"][:, old]
    changed = cells.items["question"].is_in(patch.questions.implode()).to_numpy()
    cells.codes[:, :, changed] = 0
    shape = (len(cells.assessors), len(old_runs), cells.items.height)
    planes = {key[1:]: array for key, array in arrays.items() if key.startswith(" ")}
    for name, plane in join_planes(planes).items():
        rejudged = name in QUESTION_VALUES and changed.any()
        if all(patch.filled) and old_runs == cells.runs and not rejudged:
            cells.settled[name] = plane
        else:
            values = np.broadcast_to(plane[:], shape)[:, old]
            values[:, :, changed] = np.nan
            if not np.isnan(values).all():
                cells.plane(name)[:, new] = values
    return patch


def hash_file(file: Path) -> str:
    """Return a digest of a file's content."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def find_changed_questions(cells: Cells, arrays: dict[str, np.ndarray]) -> pl.Series:
    """Return the questions whose judgments or facts are others than those of a memo."""
    differs = (stack_facts(cells) != arrays["facts"]).any(axis=(0, 2))
    questions = cells.context["questions"].filter(differs)
    old = read_parquet(io.BytesIO(arrays["judgments"].tobytes()))
    new = cells.context["judgments"]
    # As where one was turned: comparing row by row takes a twentieth of the time
    if old.height == new.height:
        values = (pl.col(name).ne_missing(new[name]) for name in new.columns)
        differs = old.select(pl.any_horizontal(values)).to_series()
        rejudged = pl.concat([old["question"].filter(differs), new["question"].filter(differs)])
    else:
        rows = pl.concat([old, new])
        rejudged = rows.filter(rows.is_unique())["question"]
    return pl.concat([questions.cast(NAME), rejudged]).unique().sort()


def stack_facts(cells: Cells) -> np.ndarray:
    """Return what is known of each question: float64 (assessors, questions, FACTS)."""
    facts = cells.context["facts"].select(pl.col(*FACTS).cast(pl.Float64)).to_numpy()
    return facts.reshape(len(cells.assessors), -1, len(FACTS))


def runs_overlap(runs: list[list[str]]) -> bool:
    """Return whether a run has responses in several files: then no file has all of its cells."""
    names = [*chain.from_iterable(runs)]
    return len({*names}) < len(names)
