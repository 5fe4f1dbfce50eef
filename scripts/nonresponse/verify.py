"""Whether the results are as the jobs made them, by what is noted of them; and what is left of former ones."""

import shlex
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from nonresponse import checksums


@dataclass
class Results:
    """What is known of the results of a working folder, and what is there.

    asked: the results that the configuration of the last run asks for. known and now: the states of the files of each
    result, as a job made it and as it is.
    """

    asked: list[str]
    known: dict[str, dict]
    now: dict[str, dict]

    @cached_property
    def changed(self) -> dict[str, list[str]]:
        """Sentences on each result that is not as it was made; a result without a note is passed over."""
        found = {path: differences(self.known[path], files) for path, files in self.now.items() if path in self.known}
        return {path: sentences for path, sentences in found.items() if sentences}

    @property
    def lasting(self) -> dict[str, dict]:
        """The note for the runs to come: files as they are now, but what has changed as a job made it."""
        states = self.now | {path: self.known[path] for path in self.changed}
        return {path: states[path] for path in self.known if path in self.now}

    @cached_property
    def former(self) -> list[str]:
        """What is there and was a result once, but is not asked for any more."""
        asked = set(self.asked)
        return [path for path in self.known if path in self.now and path not in asked]

    @cached_property
    def unknown(self) -> list[str]:
        """What is there and is asked for, but has no note: it is unfinished, or was made elsewhere."""
        return [path for path in self.asked if path in self.now and path not in self.known]


def results(asked: list[str] | None = None) -> Results:
    """Of the working folder; asked by the configuration of the last run unless they are named.

    What a note names beside these counts only below results/, wherever links lead: the note may be of another folder.
    """
    asked = list(checksums.noted(checksums.ASKED)) if asked is None else asked
    named, noted = set(asked), checksums.noted(checksums.RESULTS)
    known = {path: files for path, files in noted.items() if path in named or inside(path)}
    return Results(asked, known, checksums.of_results(list(dict.fromkeys([*asked, *known])), known))


def inside(path: str | Path) -> bool:
    """Whether it is below results/, wherever links lead."""
    return Path("results").resolve() in Path(path).resolve().parents


def differences(before: dict[str, list], now: dict[str, list]) -> list[str]:
    """A sentence for each file of a result whose content is another, or which is missing."""
    both = [file for file in before if file in now]
    sentences = [f"{file} has changed since it was made." for file in both if before[file][-1] != now[file][-1]]
    return sentences + [f"{file} is missing." for file in before if file not in now]


def faults(found: Results) -> list[str]:
    """A sentence for each result that is not as it was made, or not there."""
    changed = found.changed
    return [
        *[sentence for path in found.asked for sentence in changed.get(path, [])],
        *[f"{path} is missing." for path in found.asked if path not in found.now],
        *[f"{path} is unfinished, or was not made here." for path in found.unknown],
    ]


def stop(found: Results, script: str) -> str:
    """Why a run does not begin, and what to do; empty where it may. The script is the path of scripts/verify.py."""
    changed = {path: found.changed[path] for path in found.asked if path in found.changed}
    if not changed:
        return ""
    names = " ".join(shlex.quote(path) for path in changed)
    lines = [
        "Nothing is run, since some results are not as they were made:",
        *[f"    {sentence}" for sentences in changed.values() for sentence in sentences],
        "To have them made again, remove them, then run snakemake:",
        f"    rm -r {names}",
        "To go on with them as they are, say so, then run snakemake:",
        f"    python {shlex.quote(script)} --keep {names}",
    ]
    return "\n".join(lines)


def keep(paths: list[str]) -> None:
    """Accepts results as they are now."""
    checksums.add(checksums.of_results(paths, {}), checksums.RESULTS)


def remove(path: str, files: Iterable[str]) -> None:
    """Removes the noted files of a former result, and the folders that are empty without them."""
    for file in files:
        Path(file).unlink(missing_ok=True)  # it may be in two results
    checksums.add({path: None}, checksums.RESULTS)
    with suppress(OSError):
        Path(path, ".snakemake_timestamp").unlink()
    folders = {Path(path), *(folder for file in [path, *files] for folder in Path(file).parents if inside(folder))}
    for folder in sorted(folders, key=lambda folder: len(folder.parts), reverse=True):
        with suppress(OSError):  # something is in it, or it is a file
            folder.rmdir()
