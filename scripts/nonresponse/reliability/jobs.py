"""The jobs of an analysis of one measure: what a block of its trials counts, and its tables."""

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from nonresponse import tables
from nonresponse.reliability import outcome_files
from nonresponse.reliability.analyses import ANALYSES, Trials
from nonresponse.reliability.clusters import clusters_in
from nonresponse.reliability.outcomes import Outcomes
from nonresponse.reliability.subsets import share

# How arrays that two blocks counted become one.
JOINS: dict[str, Callable] = {
    "sum": np.add,
    "largest": np.fmax,
    "columns": lambda one, other: np.concatenate([one, other], axis=1),
}


def read(file: Path, clusters: list[Path], task: str, measure: str) -> tuple[Outcomes, str]:
    """The outcomes of all but the trivial runs for one measure, under the official judgments; and whose these are.

    clusters: the table of the questions, where these come in clusters; else nothing.
    """
    return outcome_files.read(file, task, measure, clusters_in(clusters))


def functions(analysis: str) -> Any:
    """The module of an analysis: `count` and `make` of its trials, `summarise` of its summary.

    count(outcomes, campaign, settings, a range of trials for each of the numbers) -> arrays by name
    make(outcomes, assessor, campaign, settings, what was counted) -> tables
    summarise(files, task, settings, published files) -> tables
    """
    return import_module(f"nonresponse.reliability.analyses.{analysis}")


def counted(analysis: str, seen: Outcomes, campaign: str, settings: dict, block: int = 0, blocks: int = 1) -> dict:
    """What one block of the trials counts; SizeError when there are too few questions for `size`."""
    trials = trials_of(analysis)
    ranges = [share(settings[name], block, blocks, trials.stream) for name in trials.numbers]
    return functions(analysis).count(seen, campaign, settings, *ranges)


def added(analysis: str, blocks: Iterable[dict]) -> dict:
    """What all trials counted, from what the blocks counted, in the order of the blocks."""
    joined = trials_of(analysis).joined

    def both(one: dict, other: dict) -> dict:
        """What two blocks counted."""
        return {name: JOINS[joined.get(name, "sum")](one[name], other[name]) for name in one}

    return reduce(both, blocks)


def made(analysis: str, seen: Outcomes, assessor: str, campaign: str, settings: dict) -> list[pl.DataFrame]:
    """The tables of the trials, all of which are counted here."""
    found = counted(analysis, seen, campaign, settings)
    return functions(analysis).make(seen, assessor, campaign, settings, found)


def trials_of(analysis: str) -> Trials:
    """The trials of an analysis that has some."""
    trials = ANALYSES[analysis].trials
    assert trials, f"{analysis} has no trials"
    return trials


def count_block(
    analysis: str, campaign: str, settings: dict, seen: Outcomes, block: int, blocks: int, output: Path
) -> None:
    """Writes what a block of the trials counts, as an .npz file; SizeError as `counted`."""
    found = counted(analysis, seen, campaign, settings, block, blocks)
    with tables.replacing(output) as part, part.open("wb") as opened:
        np.savez(opened, allow_pickle=False, **found)


def make_tables(
    analysis: str,
    campaign: str,
    settings: dict,
    seen: Outcomes,
    assessor: str,
    blocks: Sequence[Path],
    output: list[Path],
) -> None:
    """Writes the tables of an analysis from what its blocks counted; without any blocks, all is counted here."""
    if blocks:  # one after the other: the counters of a block may be large
        found = added(analysis, map(counters_in, blocks))
        written = functions(analysis).make(seen, assessor, campaign, settings, found)
    else:
        written = made(analysis, seen, assessor, campaign, settings)
    for table, path in zip(written, output, strict=True):
        tables.write(table, path)


def counters_in(path: Path) -> dict[str, np.ndarray]:
    """The arrays of an .npz file."""
    with np.load(path, allow_pickle=False) as counters:
        return dict(counters)
