"""Whether the results are as the jobs made them, according to the notes of jobs; and what is left of former results."""

import os.path
import shlex
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from nonresponse import checksums

EVALUATED = (
    "/check.txt",
    "/leaderboard.json",
)  # without either a campaign was never made, though files of it were read


@dataclass
class Results:
    """What is known of the results of a working folder, and what is there.

    asked: the results that the configuration of the last run asks for, files and folders. known and now: the state of
    each of their files, and of former results, as a job wrote it (known) and as it is (now).
    """

    asked: list[str]
    known: dict[str, list]
    now: dict[str, list]

    @cached_property
    def changed(self) -> dict[str, list[str]]:
        """Sentences on each result that is not as it was made; results without a note are skipped."""
        asked, unknown = set(self.asked), set(self.unknown)
        sentences: dict[str, list[str]] = {}
        for file in self.known:
            result = result_of(file, asked)
            if file in self.now and self.now[file][-1] != self.known[file][-1]:
                said = f"{file} has changed since it was made."
            else:  # or it may be missing from its folder
                said = f"{file} is missing." * (file not in self.now and file != result and Path(result).exists())
            if said and result not in unknown:
                sentences.setdefault(result, []).append(said)
        return sentences

    @property
    def lasting(self) -> dict[str, list]:
        """The note for later runs: the state of each file that exists; of a changed one, the state as a job made it."""
        return {file: now if now[-1] == self.known[file][-1] else self.known[file] for file, now in self.now.items()}

    @cached_property
    def former(self) -> list[str]:
        """Files that are there and were results once, but are not asked for any more."""
        asked = set(self.asked)
        return [file for file in self.now if result_of(file, asked) not in asked]

    @cached_property
    def unknown(self) -> list[str]:
        """Results that exist and are asked for, but have no note: unfinished, or made elsewhere."""
        return unknown(self.asked, self.known)


def unknown(asked: list[str], known: dict[str, list]) -> list[str]:
    """The results that are asked for and exist, but have no note."""
    folders = {file.rpartition("/")[0] for file in known}
    return [path for path in asked if path not in known and without_note(path, known, folders)]


def without_note(path: str, known: dict[str, list], folders: set[str]) -> bool:
    """Whether a file exists, or a folder none of whose files has a note; an empty folder only if it once had files."""
    if not Path(path).is_dir():
        return Path(path).exists()
    files = checksums.files_in(path)
    return not any(file in known for file in files) if files else path in folders


def results(asked: list[str] | None = None) -> Results:
    """The results in the working folder: those that are asked for (if left out, by the last run), and former ones."""
    asked = list(checksums.noted(checksums.ASKED)) if asked is None else asked
    named, noted = set(asked), checksums.noted(checksums.RESULTS)
    known = {file: state for file, state in noted.items() if result_of(file, named) in named or former(file)}
    return Results(asked, known, checksums.states(list(known), known))


def result_of(file: str, asked: set[str]) -> str:
    """The requested result that this file is, or lies in; else the file itself."""
    return next((path for path in (file, *map(str, Path(file).parents)) if path in asked), file)


def former(file: str) -> bool:
    """Whether a file that is not asked for may be removed as a former result; reports of faults never were any."""
    return inside(file) and Path(file).stem != "faults"


def inside(path: str | Path) -> bool:
    """Whether a path is below results/ once links are resolved."""
    return Path("results").resolve() in Path(path).resolve().parents


def faults(state: Results) -> list[str]:
    """A sentence for each changed or missing result; a single one for a campaign that was never evaluated."""
    changed, missing = state.changed, [path for path in state.asked if not Path(path).exists()]
    once = [*state.known, *filter(os.path.exists, state.asked)]
    made = {campaign_of(path) for path in once if path.endswith(EVALUATED)}
    never = {folder: "run snakemake" for folder in map(campaign_of, missing) if folder and folder not in made}
    for folder in never:
        if Path(report := f"{folder}/faults.txt").exists():
            never[folder] = f"{report} says why"
    return [
        *[sentence for path in state.asked for sentence in changed.get(path, [])],
        *[f"{folder} was never made: {why}." for folder, why in never.items()],
        *[f"{path} is missing." for path in missing if campaign_of(path) not in never],
        *[f"{path} is unfinished, or was not made here." for path in state.unknown],
    ]


def campaign_of(path: str) -> str:
    """The folder of the campaign that a result belongs to; "" for a result of all campaigns."""
    _, name, *rest = Path(path).parts
    return f"results/{name}" if rest else ""


def stop(state: Results, script: str) -> str:
    """Why a run does not begin, and what to do; empty where it may. The script is the path of scripts/verify.py."""
    changed = {path: state.changed[path] for path in state.asked if path in state.changed}
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
    named, noted = set(paths), checksums.noted(checksums.RESULTS)
    before = [file for file in noted if result_of(file, named) in named]
    files = [file for path in paths for file in checksums.files_in(path)]
    checksums.add(dict.fromkeys(before) | checksums.states(files, {}), checksums.of_a_run() / "0")


def remove(file: str) -> None:
    """Removes a former result, Snakemake's mark in its folder, and the folders that are empty without them."""
    Path(file).unlink()
    checksums.add({file: None}, checksums.of_a_run() / "0")
    with suppress(OSError):
        Path(file).with_name(".snakemake_timestamp").unlink()
    for folder in filter(inside, Path(file).parents):
        with suppress(OSError):  # something is in it
            folder.rmdir()
