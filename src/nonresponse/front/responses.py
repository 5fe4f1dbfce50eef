"""From files to verdicts: the one path of all commands and of the functions for a notebook."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import polars as pl

from nonresponse import tables, tasks
from nonresponse.faults import escape_controls
from nonresponse.front import RefusedError, local
from nonresponse.front.campaign import NO_VERDICTS, CampaignBlock, complete_campaign
from nonresponse.ingest import imports
from nonresponse.judging.store import KEY, Verdicts, make_store, read_verdicts
from nonresponse.statistics.outcomes import read_clusters
from nonresponse.wording import join_names, plural, summarise_names
from nonresponse.workflow import paths
from nonresponse.workflow.campaigns import Campaign

WORKFLOW_KEYS = ("gates", "scenarios", "systems")  # keys with results in the workflow only
WORDS = (*tasks.VERDICTS, tasks.NOT_ASKED)
NEEDED = ("run", "question", "verdict")  # the columns that a frame of verdicts has to have
CONFIDENCE = pl.col("confidence")
# Of columns of a frame: which values they may have, as a condition and in words
FIT = {
    "run": (pl.col("run").is_not_null(), "a name"),
    "question": (pl.col("question").is_not_null(), "a name"),
    "verdict": (
        pl.col("verdict").cast(pl.String).is_in(WORDS),
        f"one of {join_names([*WORDS], 'or')}",
    ),
    "confidence": (
        CONFIDENCE.is_null() | CONFIDENCE.cast(pl.Float64, strict=False).is_between(0, 1),
        "a number from 0 to 1",
    ),
}
DEFAULTS = {
    "assessor": pl.lit(tables.OFFICIAL),
    "candidate": pl.lit(None, pl.String),
    "category": pl.lit(None, pl.String),
    "missing": pl.lit(False),
    # What all runs were asked
    "compared": (pl.col("verdict") != tasks.NOT_ASKED).all().over("question"),
    "epoch": pl.lit(0, pl.Int32),
    "rightful": pl.lit(False),
}


@dataclass(frozen=True, eq=False, repr=False)
class Responses:
    """The responses of runs with their verdicts, as `read` returns them, and how the files say they
    are scored.

    frame: a row per assessor, run and question. notes: what to know of the files.
    """

    campaign: Campaign
    store: Verdicts
    clusters: dict[str, str]
    notes: Sequence[str] = ()
    accounts: pl.DataFrame = field(default_factory=lambda: tables.make_empty(tables.IMPORTS))

    @property
    def task(self) -> str:
        """The task: qa, validation, dating or matching."""
        return self.campaign.task

    @cached_property
    def frame(self) -> pl.DataFrame:
        """The responses as a Polars frame, sorted by assessor, run, question and epoch.

        verdict: correct, wrong, partial, unanswered, unscored, error, or "not asked". compared:
        whether runs are compared on it. category: null = none. confidence: null = not read.
        """
        return self.store.scan().collect()

    def __repr__(self) -> str:
        runs, questions = len(self.store.runs), self.store.items["question"].n_unique()
        counts = self.frame["verdict"].value_counts(sort=True).rows()
        verdicts = ", ".join(f"{count:,} {verdict}" for verdict, count in counts)
        return f"{self.campaign.name}: {runs:,} runs, {questions:,} questions; {verdicts}"


def judge_files(
    block: CampaignBlock, folder: Path, measures: Sequence[str] | None = None
) -> Responses:
    """Read and judge the files of a campaign; what stages write goes into a folder."""
    if unread := [key for key in WORKFLOW_KEYS if key in block.block]:
        raise RefusedError(
            f"Nothing reads {join_names(unread)} here: put that into config.yaml, which "
            "nonresponse run evaluates"
        )
    return judge(complete_campaign(block, measures), folder, [*block.left_out, *block.notes])


def judge(campaign: Campaign, folder: Path, notes: Sequence[str] = ()) -> Responses:
    """Read and judge the files of a configured campaign. RefusedError if it has only counts."""
    if not campaign.single:
        raise RefusedError(f"{campaign.name} {NO_VERDICTS}: put it into config.yaml")
    campaign = local.place(campaign, folder)
    local.ingest(campaign, data=None)
    return judge_tables(campaign, notes)


def judge_tables(campaign: Campaign, notes: Sequence[str]) -> Responses:
    """Judge a campaign whose tables are in its folder."""
    store = read_verdicts(local.judge(campaign))
    clusters = read_clusters(local.to_paths(paths.clusters(campaign)))
    accounts = [Path(file) for file in paths.accounts(campaign) if Path(file).is_file()]
    return Responses(campaign, store, clusters, notes, imports.read_accounts(accounts))


def read_frame(frame: Any, task: str, runs: Sequence[str] | None) -> Responses:
    """Return the verdicts of a frame, with the default policies.

    RefusedError where some of these runs, or of all, have no row for what others have one for.
    """
    store = make_frame_store(frame, task)
    check_complete(store, [run for run in runs if run in store.runs] if runs else store.runs)
    with TemporaryDirectory() as folder:
        file = Path(folder, "none")
        file.touch()
        part: dict[str, Any] = {"format": "tabular", "files": str(file)}
        official = {"official": store.assessors[0]} if len(store.assessors) > 1 else {}
        block: dict[str, Any] = {"task": task}
        if "graded" in tasks.get(task).sources:
            assessors = {"assessors": {name: name for name in store.assessors}} if official else {}
            block["graded"] = part | official | assessors
        else:
            block |= {"runs": part, "judgments": part | official}
        campaign = complete_campaign(CampaignBlock("verdicts", block), find_measures(store) or None)
    return Responses(campaign, store, {})


def find_measures(store: Verdicts) -> tuple[str, ...]:
    """Return the first measures of data that say which questions have no answer; none for other
    data."""
    is_known = "unanswerable" in store.cases.columns and bool(store.cases["unanswerable"].any())
    return tasks.get(store.task).unanswerable_measures if is_known else ()


def make_frame_store(frame: Any, task: str) -> Verdicts:
    """Return the verdicts of a frame, whose rows may be in any order.

    RefusedError where it is no frame of Polars, lacks NEEDED, has other words, no rows, or several
    rows for one response.
    """
    if not isinstance(frame, pl.DataFrame):
        advice = "give a pl.DataFrame, such as frame.collect() or pl.from_pandas(frame)"
        raise RefusedError(f"The verdicts are of type {type(frame).__name__}: {advice}")
    if task not in tasks.NAMES:
        raise RefusedError(f"There is no task {task!r}; there are {join_names([*tasks.NAMES])}")
    if lacking := [name for name in NEEDED if name not in frame.columns]:
        ending = "s" * (len(lacking) > 1)
        raise RefusedError(f"The verdicts lack the column{ending} {summarise_names(lacking)}")
    if frame.is_empty():
        raise RefusedError("There are no verdicts: give a frame with rows")
    # Categories may have an order of their own.
    frame = frame.with_columns((pl.selectors.categorical() | pl.selectors.enum()).cast(pl.String))
    for name, (is_fit, expected) in FIT.items():
        if (
            name in frame.columns
            and not (unfit := frame.filter(~is_fit.fill_null(False))).is_empty()
        ):
            text = f"The {name} {describe_first(unfit)} is {unfit[name][0]!r}: give {expected}"
            raise RefusedError(escape_controls(text))
    columns = {*tasks.get(task).columns} - {*frame.columns}
    defaults = {name: value for name, value in DEFAULTS.items() if name in columns}
    if "has_answer" in columns and "unanswerable" in frame.columns:
        defaults["has_answer"] = ~pl.col("unanswerable")
    try:
        store = make_store(frame.with_columns(**defaults), task)
    except pl.exceptions.PolarsError as error:
        reason = str(error).splitlines()[0]
        raise RefusedError(f"The verdicts have a column of another type: {reason}") from None
    if int(np.count_nonzero(store.codes)) < frame.height:
        key = [name for name in KEY if name in frame.columns]
        repeated = frame.filter(pl.struct(key).is_duplicated()).sort(key)
        keep = f"keep one for each {join_names(key)}"
        text = f"There are several rows {describe_first(repeated)}: {keep}"
        raise RefusedError(escape_controls(text))
    return store


def check_complete(store: Verdicts, runs: Sequence[str]) -> None:
    """Refuse a store in which a run has no row for what another run has one for: was it not asked,
    or left out?"""
    for codes in store.codes[:, [store.runs.index(run) for run in runs]]:
        present = codes != 0
        gaps = present.any(axis=0) & ~present & present.any(axis=1, keepdims=True)
        if gaps.any():
            run, item = np.argwhere(gaps)[0]
            question = store.items["question"][int(item)]
            number = plural(int(gaps.sum()), "such gap")
            text = (
                f"There is no row of run {runs[run]!r} on question {question!r}, as other runs "
                f"have one ({number}): read all files together; leave questions out of all "
                f"runs; or keep such rows, with the verdict {tasks.NOT_ASKED!r}"
            )
            raise RefusedError(escape_controls(text))


def describe_first(rows: pl.DataFrame) -> str:
    """Return which response the first of some rows is about."""
    run, question = rows.select("run", "question").row(0)
    return f"of run {run!r} on question {question!r}"
