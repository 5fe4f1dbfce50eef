"""The jobs of an analysis of one measure: what a block of its trials counts, and its tables."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from nonresponse import tables
from nonresponse.reliability import analyses, outcome_files
from nonresponse.reliability.clusters import clusters_in
from nonresponse.reliability.outcomes import Outcomes


def read(file: Path, clusters: list[Path], task: str, measure: str) -> tuple[Outcomes, str]:
    """The outcomes of all but the trivial runs for one measure, under the official judgments; and whose these are.

    clusters: the table of the questions, where these come in clusters; else nothing.
    """
    return outcome_files.read(file, task, measure, clusters_in(clusters))


def trials_of(analysis: str) -> analyses.Trials:
    """The trials of an analysis that has some."""
    trials = analyses.get(analysis).trials
    assert trials, f"{analysis} has no trials"
    return trials


def count_block(
    analysis: str, campaign: str, settings: dict, seen: Outcomes, block: int, blocks: int, output: Path
) -> None:
    """Writes what a block of the trials counts, as an .npz file; SizeError as Trials.counted."""
    counted = trials_of(analysis).counted(seen, campaign, settings, block, blocks)
    with tables.replacing(output) as part, part.open("wb") as opened:
        np.savez(opened, allow_pickle=False, **counted)


def make_tables(
    analysis: str,
    campaign: str,
    settings: dict,
    seen: Outcomes,
    assessor: str,
    counted: Sequence[Path],
    output: list[Path],
) -> None:
    """Writes the tables of an analysis from what its blocks counted; without any blocks, all is counted here."""
    trials = trials_of(analysis)
    # One after the other: the counters of a block may be large.
    found = trials.added(map(counters_in, counted)) if counted else trials.counted(seen, campaign, settings)
    for table, path in zip(trials.make(seen, assessor, campaign, settings, found), output, strict=True):
        tables.write(table, path)


def counters_in(path: Path) -> dict[str, np.ndarray]:
    """The arrays of an .npz file."""
    with np.load(path, allow_pickle=False) as counters:
        return dict(counters)
