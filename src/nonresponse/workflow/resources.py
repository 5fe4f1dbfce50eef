"""Memory and time of jobs, by the size of what they read; a job that was killed comes again and gets more."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

OfJob = Callable[..., int]  # a function that Snakemake calls with wildcards, input and attempt


def megabytes(paths: Iterable[str]) -> float:
    """Return the size of those of these files that are there: a dry run asks before they are made."""
    return sum(path.stat().st_size for path in map(Path, paths) if path.is_file()) / 1e6


def memory(base: float, per_megabyte: float) -> OfJob:
    """Return MB by the megabytes of a job's inputs."""
    return by_input(base, per_megabyte)


def minutes(base: float, per_megabyte: float) -> OfJob:
    """Return minutes by the megabytes of a job's inputs."""
    return by_input(base, per_megabyte)


def by_input(base: float, per_megabyte: float) -> OfJob:
    """Return a resource that grows with the inputs of a job, and with each attempt."""

    def asked(wildcards: Any, input: Any, attempt: int) -> int:
        return attempt * round(base + per_megabyte * megabytes(map(str, input)))

    return asked
