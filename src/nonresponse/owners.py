"""Assign runs to their owners, the systems of config.yaml, of which they are configurations."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from nonresponse.faults import Fault, quote, quote_names


@dataclass(frozen=True)
class Owner:
    """A system; the first of its runs is the baseline unless another one is named."""

    name: str
    runs: list[str]
    baseline: str

    @property
    def other_runs(self) -> list[str]:
        return [run for run in self.runs if run != self.baseline]


def list_owners(systems: str | dict, runs: Iterable[str]) -> list[Owner]:
    """Return all owners, those of a pattern and their runs sorted by name.

    A pattern must match the whole name of a run.
    """
    groups: dict[str, Any] = systems if isinstance(systems, dict) else {}
    if isinstance(systems, str):
        matches = [match for run in sorted(runs) if (match := re.fullmatch(systems, run))]
        names = sorted({match[1] or "" for match in matches})
        groups = {
            name: [match[0] for match in matches if (match[1] or "") == name] for name in names
        }
    owners = []
    for name, group in groups.items():
        options = group if isinstance(group, dict) else {"runs": group}
        baseline = options.get("baseline", options["runs"][0])
        owners.append(Owner(name, options["runs"], baseline))
    return owners


def find_problems(systems: str | dict) -> Iterator[tuple[str, str]]:
    """Yield problems with the systems that show without the runs, each with its key."""
    if isinstance(systems, str):
        try:
            number = re.compile(systems).groups
        except re.error as error:
            yield "systems", f"{quote(systems)} is not a regular expression ({error})"
            return
        if number != 1:
            problem = f"has {number} capturing groups; it needs one, (…), for the name"
            yield "systems", f"{quote(systems)} {problem}"
        return
    for owner in list_owners(systems, []):
        if owner.baseline not in owner.runs:
            key = f"systems.{owner.name}.baseline"
            yield key, f"{quote(owner.baseline)} is none of its runs"


def find_faults(systems: str | dict, runs: list[str]) -> list[Fault]:
    """Return faults of runs that the campaign lacks, or of a pattern that gives no pairs."""
    owners, known_runs = list_owners(systems, runs), quote_names(runs)
    expected = f"a run of the campaign: {known_runs}"
    unknown = [(owner.name, run) for owner in owners for run in owner.runs if run not in runs]
    if unknown or any(owner.other_runs for owner in owners):
        return [
            Fault("config.yaml", 0, f"the run {quote(run)} in systems.{name}", expected)
            for name, run in unknown
        ]
    expected = f"a pattern that gives 2 runs the same name, of {known_runs}"
    return [Fault("config.yaml", 0, f"systems: {quote(str(systems))}", expected)]
