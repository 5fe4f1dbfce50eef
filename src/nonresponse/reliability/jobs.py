"""The jobs of an analysis of one measure: what a block of its trials counts, and its tables."""

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from nonresponse import tables
from nonresponse.reliability.analyses import ANALYSES, Trials
from nonresponse.reliability.outcomes import Outcomes
from nonresponse.reliability.subsets import share
from nonresponse.settings import Settings

# How arrays that two blocks counted become one.
JOINS: dict[str, Callable] = {
    "sum": np.add,
    "largest": np.fmax,
    "columns": lambda one, other: np.concatenate([one, other], axis=1),
}


def functions(analysis: str) -> Any:
    """The module of an analysis, with the functions that `analyses` describes."""
    return import_module(f"nonresponse.reliability.{analysis}")


def trials_of(analysis: str) -> Trials:
    """The trials of an analysis that has some."""
    trials = ANALYSES[analysis].trials
    assert trials, f"{analysis} has no trials"
    return trials


def counted(analysis: str, seen: Outcomes, campaign: str, settings: Settings, block: int = 0, blocks: int = 1) -> dict:
    """What one block of the trials counts; SizeError when there are too few questions for `size`."""
    trials = trials_of(analysis)
    ranges = [share(number, block, blocks, trials.stream) for number in trials.numbers_in(settings)]
    return functions(analysis).count(seen, campaign, settings, *ranges)


def added(analysis: str, blocks: Iterable[dict]) -> dict:
    """What all trials counted, from what the blocks counted, in the order of the blocks."""
    joined = trials_of(analysis).joined
    return reduce(
        lambda one, other: {name: JOINS[joined.get(name, "sum")](one[name], other[name]) for name in one}, blocks
    )


def write_arrays(arrays: dict[str, np.ndarray], path: Path) -> None:
    """Writes what a block counted, an .npz archive."""
    with tables.replacing(path) as part, part.open("wb") as opened:
        np.savez(opened, allow_pickle=False, **arrays)


def read_arrays(path: Path) -> dict[str, np.ndarray]:
    """The arrays of an .npz archive."""
    with np.load(path, allow_pickle=False) as archive:
        return dict(archive)


def make_tables(
    analysis: str, seen: Outcomes, assessor: str, campaign: str, settings: Settings, blocks: Sequence[Path] = ()
) -> list[pl.DataFrame]:
    """The tables of the trials, from the files of what the blocks counted; without any, all is counted here."""
    # Files are read one at a time: the counters of a block may be large.
    of_all = added(analysis, map(read_arrays, blocks)) if blocks else counted(analysis, seen, campaign, settings)
    return functions(analysis).make(seen, assessor, campaign, settings, of_all)
