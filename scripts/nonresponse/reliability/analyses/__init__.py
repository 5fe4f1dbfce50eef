"""One record per analysis: what it reads, counts, writes and costs. The rules and the jobs follow from it.

A new analysis is a module here, its name in NAMES, and a module of the same name in pages/sections; its name and
settings of its own stand in the configuration's schema. This package imports neither Polars nor numpy: Snakemake reads
it each time it starts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache, reduce
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    import polars as pl

    from nonresponse.reliability.outcomes import Outcomes

NAMES = (
    "comparison",
    "swap",
    "sample_size",
    "stability",
    "agreement",
    "judges",
    "generalizability",
    "rankings",
    "pooling",
    "withheld",
)  # in the order of the page


@dataclass(frozen=True)
class Trials:
    """Tables of one measure under the official judgments, counted over trials that several jobs may share."""

    tables: tuple[str, ...]  # folders in reliability/, with a Parquet file per measure
    settings: tuple[str, ...]  # those under `reliability:` that a job reads, and the seed
    numbers: tuple[str, ...]  # which of them are numbers of trials
    work: Callable[[dict], float]  # of the settings: how many times the work of the default ones they are
    count: Callable  # (outcomes, campaign, settings, a range of trials for each of the numbers) -> arrays by name
    make: Callable  # (outcomes, assessor, campaign, settings, what was counted) -> tables
    joined: dict[str, str] = field(default_factory=dict)  # how arrays of two jobs become one, if not as sums: see JOINS
    stream: int = 1  # trials that share a stream of random numbers, and so a job
    memory: tuple[float, float] = (1500, 40)  # MB of a job, and for each MB of verdicts
    minutes: tuple[float, float] = (10, 0.2)  # of a job, and for each MB of verdicts at the default settings

    def blocks(self, settings: dict) -> int:
        """The largest number of jobs that the trials can be spread over."""
        return max(-(-settings[name] // self.stream) for name in self.numbers)

    def counted(self, outcomes: Outcomes, campaign: str, settings: dict, block: int = 0, blocks: int = 1) -> dict:
        """What one block of the trials counts; SizeError when there are too few questions for `size`."""
        from nonresponse.reliability.subsets import share

        ranges = [share(settings[name], block, blocks, self.stream) for name in self.numbers]
        return self.count(outcomes, campaign, settings, *ranges)

    def added(self, blocks: Iterable[dict]) -> dict:
        """What all trials counted, from what the blocks counted, in the order of the blocks."""
        import numpy as np

        joins: dict[str, Callable] = {
            "sum": np.add,
            "largest": np.fmax,
            "columns": lambda one, other: np.concatenate([one, other], axis=1),
        }

        def both(one: dict, other: dict) -> dict:
            """What two blocks counted."""
            return {name: joins[self.joined.get(name, "sum")](one[name], other[name]) for name in one}

        return reduce(both, blocks)


@dataclass(frozen=True)
class Summary:
    """Tables of the whole campaign, which one job makes."""

    rule: str  # its name
    tables: dict[str, str]  # CSV files in reliability/, and which constant of which module here names the columns
    # Words of dag.files.READS, or folders of Trials.tables, of all measures that have trials.
    reads: tuple[str, ...]
    settings: tuple[str, ...]  # of the campaign, its judgments and `reliability:`
    make: Callable  # (files, task, settings, published files) -> tables
    published: dict[str, str] = field(default_factory=dict)  # files in resources/published: the campaign of each
    local: bool = False  # too small for a cluster's queue


@dataclass(frozen=True)
class Analysis:
    """One analysis; it has trials, a summary, or both."""

    id: str
    trials: Trials | None = None
    summary: Summary | None = None
    counts: tuple[str, ...] = ()  # that the task must have

    @property
    def needs_questions(self) -> bool:
        """Whether it needs what runs did on single questions, which a table of counts does not tell."""
        return self.trials is not None or (self.summary is not None and self.summary.reads != ("scores",))

    @property
    def plain(self) -> bool:
        """Whether its trials are one table by measure, which has its name."""
        return self.trials is not None and self.trials.tables == (self.id,)


@cache
def get(id: str) -> Analysis:
    """The analysis with this id."""
    return import_module(f"nonresponse.reliability.analyses.{id}").ANALYSIS


def work_of_trials(settings: dict) -> float:
    """The work of subsets that all pairs of runs share."""
    return settings["trials"] / 100


def read(file: Path) -> pl.DataFrame:
    """A CSV file in reliability/, as it was written: text is text, whatever it looks like."""
    import polars as pl

    named = {table: where for name in NAMES if (one := get(name).summary) for table, where in one.tables.items()}
    module, constant = named[file.stem].split(".")
    columns = getattr(import_module(f"nonresponse.reliability.{module}"), constant)
    return pl.read_csv(file, schema_overrides={"measure": pl.String, **columns}, infer_schema=False)


def by_measure(files: list[Path], folder: str) -> dict[str, pl.DataFrame]:
    """The files in a folder of this name, each of which has the name of a measure, as tables by measure."""
    import polars as pl

    return {file.stem: pl.read_parquet(file) for file in files if file.parent.name == folder}
