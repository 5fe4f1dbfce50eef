"""Whether the results are as the jobs made them, by what is noted of them; and what is left of former ones."""

import shlex
import shutil
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

    @cached_property
    def former(self) -> list[str]:
        """What is there and was a result once, but is not asked for any more."""
        asked = set(self.asked)
        return [path for path in self.known if path in self.now and path not in asked]


def results(asked: list[str] | None = None) -> Results:
    """Of the working folder; asked by the configuration of the last run unless they are named."""
    known = checksums.noted(checksums.RESULTS)
    asked = list(checksums.noted(checksums.ASKED)) if asked is None else asked
    return Results(asked, known, checksums.of_results(list(dict.fromkeys([*asked, *known])), known))


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
        *[f"{path} is unfinished." for path in found.asked if path in found.now and path not in found.known],
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


def keep_unknown(asked: list[str]) -> None:
    """The same for results of which nothing is noted, since the note was lost or another version made them."""
    known = checksums.noted(checksums.RESULTS)
    if unknown := [path for path in asked if path not in known]:
        keep(unknown)


def remove(path: str) -> None:
    """Removes a former result, and the folders that are empty without it."""
    shutil.rmtree(path) if Path(path).is_dir() else Path(path).unlink()
    checksums.add({path: None}, checksums.RESULTS)
    for folder in Path(path).parents:
        if folder == Path("results") or any(folder.iterdir()):
            break
        folder.rmdir()
