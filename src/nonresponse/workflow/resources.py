"""Memory and time of jobs, by the size of their inputs. A job that was killed gets more."""

from collections.abc import Callable, Iterable
from pathlib import Path


def megabytes(paths: Iterable[str]) -> float:
    """Return the size of these files. A dry run asks before they exist."""
    return sum(path.stat().st_size for path in map(Path, paths) if path.is_file()) / 1e6


def scale(
    memory: float = 2000,
    per_megabyte: float = 20,
    minutes: float = 2,
    minutes_per_megabyte: float = 0.02,
) -> dict[str, Callable[..., int]]:
    """Return the resources of a rule, which grow with its inputs and with each attempt."""

    def grow(base: float, slope: float) -> Callable[..., int]:
        return lambda wildcards, input, attempt: (
            attempt * round(base + slope * megabytes(map(str, input)))
        )

    return {"mem_mb": grow(memory, per_megabyte), "runtime": grow(minutes, minutes_per_megabyte)}
