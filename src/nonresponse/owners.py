"""Assigns runs to their owners, the systems of config.yaml, of which they are configurations."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from nonresponse.faults import Fault, quote, quote_names


@dataclass(frozen=True)
class Owner:
    """A system; the first of its runs is the baseline unless another one is named."""

    name: str
    runs: list[str]
    baseline: str

    @property
    def others(self) -> list[str]:
        return [run for run in self.runs if run != self.baseline]


def owners(named: str | dict, runs: Iterable[str]) -> list[Owner]:
    """All owners. A pattern must match the whole name of a run; owners, and their runs, are then
    sorted by name."""
    if isinstance(named, str):
        by_name: dict[str, list[str]] = {}
        for run in sorted(runs):
            if match := re.fullmatch(named, run):
                by_name.setdefault(match[1] or "", []).append(run)
        return [Owner(name, own, own[0]) for name, own in sorted(by_name.items())]
    written: dict[str, dict] = {
        name: {"runs": own} if isinstance(own, list) else own for name, own in named.items()
    }
    return [
        Owner(name, own["runs"], own.get("baseline", own["runs"][0]))
        for name, own in written.items()
    ]


def find_problems(named: str | dict) -> Iterator[tuple[str, str]]:
    """Yield problems with the systems that can be found without knowing the runs, each with its
    key."""
    key = "systems"
    if isinstance(named, str):
        try:
            number = re.compile(named).groups
        except re.error as error:
            yield key, f"{quote(named)} is not a regular expression ({error})"
            return
        if number != 1:
            needed = "it needs one, (…), for the name"
            yield key, f"{quote(named)} has {number} capturing groups; {needed}"
        return
    for owner in owners(named, []):
        if owner.baseline not in owner.runs:
            of_owner = f"{key}.{owner.name}.baseline"
            yield of_owner, f"{quote(owner.baseline)} is none of its runs"


def faults(named: str | dict, runs: list[str]) -> list[Fault]:
    """Return faults of runs that the campaign lacks, or of a pattern that gives no system two
    runs."""
    known_owners, known = owners(named, runs), quote_names(runs)
    unknown = [(owner.name, run) for owner in known_owners for run in owner.runs if run not in runs]
    if unknown:
        expected = f"a run of the campaign: {known}"
        return [
            Fault("config.yaml", 0, f"the run {quote(run)} in systems.{name}", expected)
            for name, run in unknown
        ]
    if any(owner.others for owner in known_owners):
        return []
    expected = f"a pattern that gives 2 runs the same name, of {known}"
    return [Fault("config.yaml", 0, f"systems: {quote(str(named))}", expected)]
