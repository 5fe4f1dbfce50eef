"""Runs that belong together, as config.yaml names them: a system's configurations, a participant's runs."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from nonresponse.faults import Fault, shown


@dataclass(frozen=True)
class Group:
    """Some runs under one name; the first is their baseline unless another one is named."""

    name: str
    runs: list[str]
    baseline: str

    @property
    def others(self) -> list[str]:
        return [run for run in self.runs if run != self.baseline]


def members(named: str | dict, runs: Iterable[str]) -> list[Group]:
    """The groups with their runs; a pattern groups the runs that it matches as a whole, sorted by name."""
    if isinstance(named, str):
        by_name: dict[str, list[str]] = {}
        for run in sorted(runs):
            if match := re.fullmatch(named, run):
                by_name.setdefault(match[1] or "", []).append(run)
        return [Group(name, own, own[0]) for name, own in sorted(by_name.items())]
    written: dict[str, dict] = {name: {"runs": own} if isinstance(own, list) else own for name, own in named.items()}
    return [Group(name, own["runs"], own.get("baseline", own["runs"][0])) for name, own in written.items()]


def problems(key: str, named: str | dict) -> Iterator[str]:
    """What is wrong with how config.yaml names groups, whatever runs there are."""
    if isinstance(named, str):
        try:
            number = re.compile(named).groups
        except re.error as error:
            yield f"{key}: {shown(named)} is not a regular expression ({error})"
            return
        if number != 1:
            yield f"{key}: {shown(named)} has {number} groups in brackets; it needs one, which is the name"
        return
    for group in members(named, []):
        if group.baseline not in group.runs:
            yield f"{key}.{group.name}.baseline: {shown(group.baseline)} is none of its runs"


def faults(key: str, named: str | dict, runs: list[str], least: int) -> list[Fault]:
    """Runs that the campaign does not have, or a pattern that finds no group of at least so many runs."""
    known_groups, known = members(named, runs), ", ".join(shown(run, 30) for run in runs[:20])
    unknown = [(group.name, run) for group in known_groups for run in group.runs if run not in runs]
    if unknown:
        expected = f"a run of the campaign: {known}"
        return [Fault("config.yaml", 0, f"the run {shown(run)} in {key}.{name}", expected) for name, run in unknown]
    if not any(len(group.runs) >= least for group in known_groups):
        what = f"a pattern that matches {least} runs of one group" if least > 1 else "a pattern that matches some run"
        return [Fault("config.yaml", 0, f"{key}: {shown(str(named))}", f"{what}, of {known}")]
    return []
