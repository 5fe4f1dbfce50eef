"""Random edits to campaigns, Snakemake after each few, and the results beside those of a clean folder."""

import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from conftest import Project
from edited_campaigns import DOORS
from edits import Edited


def followed(seed: int, steps: int, edits: int, folder: Path) -> tuple[int, list[str]]:
    """A sequence of steps of so many edits each, to a campaign through each door; how many there were, and problems.

    Every second step makes a file faulty, and the next one mends it. It ends with the first step that has problems.
    """
    study, made = Edited(folder / f"edited-{seed}", seed, DOORS), 0
    study.snakemake()
    known = study.results()
    for step in range(1, steps + 1):
        study.step(edits, faulty=step % 2 == 1)
        made += len(study.made)
        scratch = folder / f"scratch-{seed}"
        if problems := unlike_from_scratch(study, known, scratch, faulty=step % 2 == 1):
            return made, [f"sequence {seed}, step {step}", *problems, *study.made]
        shutil.rmtree(scratch)
    shutil.rmtree(study.folder)
    return made, []


def from_scratch(study: Edited, folder: Path, cores: int) -> tuple[int, dict[str, bytes]]:
    """What one run makes of the same input in an empty folder, and its exit code."""
    fresh = Project(folder)
    shutil.copytree(study.folder, folder, ignore=shutil.ignore_patterns("results", ".snakemake"))
    code = fresh.snakemake(cores=cores, check=False).returncode
    return code, fresh.results()


def unlike_from_scratch(
    study: Edited, known: dict[str, bytes], folder: Path, faulty: bool, cores: int = 4
) -> list[str]:
    """Runs Snakemake on the edited project, and on the same input in this empty folder; the differences, in words.

    `known` has every result as it last was, including results that are gone, and is brought up to date.
    """
    with ThreadPoolExecutor() as pool:
        scratch = pool.submit(from_scratch, study, folder, cores=1 if faulty else 4)
        run = study.snakemake(cores=4 if faulty else 1, check=False)
        code, expected = scratch.result()
    if not run.returncode == code == faulty:
        return [f"exit {run.returncode}, from scratch {code}, where a fault is {faulty}", run.stderr]
    results = study.results()
    problems = [f"{name} is not as from scratch" for name in expected if results.get(name) != expected[name]]
    left = results.keys() - expected.keys()
    problems += [f"{name}, which was left, has changed" for name in left if results[name] != known.get(name)]
    if not faulty and "Nothing to be done" not in study.snakemake().stderr:
        problems.append("there is something left to be done")
    known |= expected
    return problems
