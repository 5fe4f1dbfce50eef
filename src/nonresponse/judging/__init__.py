"""Judges responses: by judgments, or by their own grades. Each way to judge has a module.

`judge` writes the verdict store (store.py). Shards of responses are judged one after the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import polars as pl

from nonresponse import tasks
from nonresponse.judging import votes
from nonresponse.judging.cells import Run
from nonresponse.judging.memo import restore
from nonresponse.judging.store import write_verdicts
from nonresponse.memo import Memo
from nonresponse.tables import scan_parquet, spell


@dataclass(frozen=True)
class Judging:
    """How responses are judged: options of the configuration, with their defaults.

    vote: from campaign.votes.parse_vote, if the official judgments are a vote of the assessors.
    by_rule: whether rules on the text of answers count. missing: what a question without a response
    counts as; if empty, the default of the source. judged: whether anybody judged graded responses.
    """

    correct: Sequence[str] = ("R",)
    partial: Sequence[str] = ()
    closed: bool = False
    vote: dict | None = None
    by_rule: bool = True
    missing: str = ""
    compare_on: str = "shared"
    judged: bool = True


@dataclass(frozen=True)
class Sources:
    """The tables that verdicts are made from, as Parquet files by name."""

    tables: dict[str, list[Path]]
    judging: Judging

    @property
    def graded(self) -> bool:
        """Whether responses come with their verdicts."""
        return "graded_responses" in self.tables

    def judgments(self) -> pl.DataFrame:
        """Return the judgments, including those by vote, with names as text."""
        rows = spell(scan_parquet(self.tables["judgments"])).collect()
        verdict = verdict_of(pl.col("label"), self.judging)
        return votes.add_judgments(rows, verdict, self.judging.vote) if self.judging.vote else rows

    def responses(self, files: list[Path]) -> pl.LazyFrame:
        """Return the responses in some files, including those graded by vote."""
        rows = scan_parquet(files)
        if self.graded and self.judging.vote:
            return votes.add_graded(rows.collect(), self.judging.vote).lazy()
        return rows


def verdict_of(label: pl.Expr, judging: Judging) -> pl.Expr:
    """Return the verdict that a label stands for."""
    return (
        pl.when(label.is_in([*judging.correct]))
        .then(pl.lit("correct"))
        .when(label.is_in([*judging.partial]))
        .then(pl.lit("partial"))
        .otherwise(pl.lit("wrong"))
    )


def judge(
    task: str,
    tables: dict[str, list[Path]],
    output: Path,
    memo: Path | None = None,
    code: str = "",
    **options: Any,
) -> None:
    """Judge responses, or take the verdicts of graded ones, and write the verdict store.

    `tables` has responses, judgments and questions, or graded_responses and questions. The options
    are those of Judging. `memo` is a file that may hold what an earlier call judged, by the same
    `code`.
    """
    record, graded = tasks.get(task), "graded_responses" in tables
    if not options.get("missing"):
        options["missing"] = tasks.MISSING_BY_SOURCE["graded" if graded else "runs"]
    sources = Sources(tables, Judging(**options))
    module = import_module(f"nonresponse.judging.{record.judge}")
    files = tables["graded_responses" if graded else "responses"]
    runs = [read_runs(file) for file in files]
    cells = module.prepare(sources, record, list_runs(runs))
    patch = None
    if memo and not graded and record.judge == "answers":
        names = [frame["run"].unique().sort().to_list() for frame in runs]
        patch = restore(cells, Memo(memo, code), files, names, *tables["questions"])
    for number, file in enumerate(files):
        rows = sources.responses([file])
        changed_rows = patch.rows(number, rows) if patch else rows
        if changed_rows is not None:
            module.judge(sources, cells, changed_rows)
    if patch:
        patch.keep()
    write_verdicts(output, module.finish(cells))


def read_runs(file: Path) -> pl.DataFrame:
    """Return run, epoch and rank of responses, without most of those equal to the previous row."""
    key = ("run", "epoch", "rank")
    differs = pl.any_horizontal(pl.col(name).ne_missing(pl.col(name).shift(1)) for name in key)
    is_first = pl.int_range(pl.len()) == 0
    return spell(scan_parquet(file).select(key).filter(differs | is_first).collect())


def list_runs(frames: list[pl.DataFrame]) -> list[Run]:
    """Return the runs that have responses, by name, from what `read_runs` read of each file."""
    epochs = pl.col("epoch").filter(pl.col("rank") == 1).unique().sort()
    runs = pl.concat(frames).group_by("run").agg(epochs, (pl.col("rank") > 1).any()).sort("run")
    return [Run(*row) for row in runs.iter_rows()]
