"""Sequences of random edits to a working folder: after each, the results are those of a clean
evaluation, and nothing is left to do.

A batch is a working folder with a campaign of each kind. In each of its steps every campaign is
edited once. Some steps change the seed of all, or kill Snakemake or its jobs. A sequence is the
edits to a campaign until it is compared, in six of eight steps. The next one starts from there.

`EDIT_SEQUENCES=1000 pytest tests/workflow/test_random_edits.py` follows more sequences, and
EDIT_SEED=100 others.
"""

import hashlib
import os
import pickle
import random
import re
import shlex
import shutil
import signal
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import CompletedProcess
from types import SimpleNamespace

import pytest
from conftest import Project, evaluate_once
from edits import KINDS, Edited

pytestmark = pytest.mark.slow

STEPS, COMPARED = 8, 6
PER_BATCH = len(KINDS) * COMPARED
SEQUENCES = int(os.environ.get("EDIT_SEQUENCES", 300))
FIRST_SEED = int(os.environ.get("EDIT_SEED", 1))
SEEDS = range(FIRST_SEED, FIRST_SEED - (-SEQUENCES // PER_BATCH))
KILLS = {None: 13, "group": 3, "snakemake": 3, "job": 1}  # how often each of 20 steps kills what


@dataclass
class Batch:
    """A batch that is followed: its log, and the last digest that each result should have."""

    study: Edited
    cache: Path
    expected: dict[str, str] = field(default_factory=dict)
    log: list[str] = field(default_factory=list)
    seconds: float = 3.0  # of the last run of Snakemake


def set_up(project: Project) -> Project:
    Edited(project.folder).write_all()
    return project


def digests(project: Project) -> dict[str, str]:
    return {
        path: hashlib.sha256(content).hexdigest() for path, content in project.results().items()
    }


def digest_campaign(study: Edited, name: str) -> str:
    """Return the digest of all that a campaign is evaluated from."""
    digest = hashlib.sha256(study.configuration([name]).encode())
    for path in study.raw(name):
        digest.update(f"\0{path.relative_to(study.folder)}\0".encode() + path.read_bytes())
    return digest.hexdigest()


def evaluate_clean(batch: Batch, compared: list[str], folder: Path) -> dict[str, str]:
    """Return digests of the results of these campaigns, evaluated in an empty folder unless that
    was done before; of all campaigns, also those of the pages on all.
    """
    study, keys = batch.study, {}
    for name in compared:
        keys[name] = batch.cache / digest_campaign(study, name)
    is_complete = compared == [*study.campaigns]
    missing = [name for name in compared if is_complete or not keys[name].exists()]
    overviews = {}
    if missing:
        clean = Project(folder)
        for name in missing:
            shutil.copytree(study.folder / name, folder / name)
        clean.write("config.yaml", study.configuration(missing))
        faulty = [name for name in missing if name in study.mended]
        run = clean.snakemake(check=False)
        assert run.returncode == bool(faulty), (
            f"A clean evaluation: exit {run.returncode}, faulty {faulty}\n{run.stderr}"
        )
        results = digests(clean)
        if is_complete and not faulty:
            overviews = {path: digest for path, digest in results.items() if "/" not in path}
        for name in missing:
            part = folder / f"{name}.part"
            part.write_bytes(pickle.dumps(select_results(results, [name])))
            shutil.move(part, keys[name])
        shutil.rmtree(folder)
    return overviews | {
        path: digest
        for key in keys.values()
        for path, digest in pickle.loads(key.read_bytes()).items()
    }


def select_results(results: dict[str, str], names: Iterable[str]) -> dict[str, str]:
    """Return the results that are of these campaigns."""
    return {path: digest for path, digest in results.items() if path.split("/")[0] in names}


def evaluate(study: Edited) -> CompletedProcess:
    """Run Snakemake, and again as it asks: unlock, finish what is incomplete, remove results."""
    options: list[str] = []
    for _ in range(4):
        run = study.snakemake(*options, check=False)
        printed = run.stdout + run.stderr
        if run.returncode == 0:
            return run
        if "--unlock" in printed:
            study.snakemake("--unlock")
        elif "--rerun-incomplete" in printed and not options:
            options = ["--rerun-incomplete"]
        elif removals := re.findall(r"^\s*rm (?:-\w+ )?(results/.*)$", printed, re.MULTILINE):
            for path in (study.folder / name for line in removals for name in shlex.split(line)):
                shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
        else:
            return run
    return run


def list_processes(group: int) -> list[int]:
    """Return the pids of a process group that have not ended."""
    actual = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, _, pgid = path.read_text().rpartition(") ")[2].split()[:3]
            if int(pgid) == group and state not in "ZX":
                actual.append(int(path.parent.name))
    return actual


def wait_for(true: Callable[[], object], seconds: float = 120) -> bool:
    """Return whether it became true in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if true():
            return True
        time.sleep(0.01)
    return False


def kill(study: Edited, target: str, delay: float) -> int:
    """Run Snakemake and kill it and its jobs, it alone, or a job, after a delay; return the process
    group.

    Jobs of a Snakemake that is killed alone go on.
    """
    noted = study.folder / "pid"
    noted.unlink(missing_ok=True)
    with ThreadPoolExecutor() as pool:
        run = pool.submit(study.snakemake, check=False, env={"SNAKEMAKE_PID": str(noted)})
        assert wait_for(lambda: noted.exists() and noted.read_text())
        pid = int(noted.read_text())
        wait_for(run.done, delay)
        with suppress(ProcessLookupError):
            if target == "group":
                os.killpg(pid, signal.SIGKILL)
            elif target == "snakemake":
                os.kill(pid, signal.SIGKILL)
            elif jobs := [job for job in list_processes(pid) if job != pid]:
                os.kill(jobs[-1], signal.SIGKILL)
    return pid


def compare(batch: Batch, compared: list[str], clean: dict[str, str]) -> list[str]:
    """Return what is not as it should be, in words; bring up to date what should be there."""
    study, results = batch.study, digests(batch.study)
    problems = [
        f"{path} {'is not as from scratch' if path in results else 'is missing'}"
        for path, digest in clean.items()
        if results.get(path) != digest
    ]
    for path, digest in select_results(batch.expected, compared).items():
        is_left = path not in clean and path in results and path not in study.damaged
        if is_left and results[path] != digest:
            problems.append(f"{path}, which was left, has changed")
    batch.expected |= results | clean
    study.damaged = {path for path in study.damaged if path.split("/")[0] in study.mended}
    return problems


def follow_step(
    batch: Batch, seed: int, step: int, compared: list[str], scratch: Path
) -> list[str]:
    """Edit every campaign, run Snakemake, and compare some campaigns; return the problems."""
    study, common = batch.study, random.Random(f"{seed} {step}")
    killed = common.choices(list(KILLS), [*KILLS.values()])[0]
    place = common.random()
    other_seed = common.random() < 0.05
    note = [study.edit(name, random.Random(f"{seed} {step} {name}")) for name in KINDS]
    if other_seed:
        study.seed = 3 - study.seed  # 1 or 2
        note.append(f"seed: {study.seed}")
    study.write_config()
    group = None
    if killed:
        note.append(f"kill: {killed} after {place * batch.seconds:.2f} s")
        group = kill(study, killed, place * batch.seconds)
    batch.log += [f"step {step}: {problem}" for problem in note]
    start = time.monotonic()
    run = evaluate(study)
    batch.seconds = time.monotonic() - start
    if group and not wait_for(lambda: not list_processes(group)):
        return ["jobs of the killed Snakemake do not end"]
    faulty = [*study.mended]
    if run.returncode != bool(faulty):
        return [f"exit {run.returncode}, faulty {faulty}\n{run.stderr}"]
    problems = compare(batch, compared, evaluate_clean(batch, compared, scratch))
    if not faulty and not problems:
        repeat = study.snakemake(check=False)
        if "Nothing to be done" not in repeat.stderr + repeat.stdout:
            problems.append(f"something is left to be done:\n{repeat.stdout}{repeat.stderr}")
    return problems


def follow(seed: int, folder: Path, base: Path) -> tuple[list[str], list[str]]:
    """Follow a batch until something is wrong; return what was done, and the problems."""
    start = evaluate_once("random-edits", set_up, SimpleNamespace(getbasetemp=lambda: base))
    shutil.copytree(start, folder, dirs_exist_ok=True)
    cache = start.parent / "clean"
    cache.mkdir(exist_ok=True)
    study = Edited(folder)
    study.write_config()
    batch = Batch(study, cache)
    batch.expected = digests(study)
    steps = {
        name: random.Random(f"{seed} {name}").sample(range(1, STEPS), COMPARED - 1)
        for name in KINDS
    }
    scratch = folder.with_name(f"{folder.name}-clean")
    for step in range(1, STEPS + 1):
        compared = [name for name in KINDS if step in (*steps[name], STEPS)]
        try:
            problems = follow_step(batch, seed, step, compared, scratch)
        except AssertionError as error:  # a run that was to succeed
            problems = [str(error)]
        if problems:
            return batch.log, [f"step {step}: {problem}" for problem in problems]
    return batch.log, []


@pytest.mark.parametrize("seed", SEEDS)
def test_results_after_random_edits_are_those_of_a_clean_evaluation(
    tmp_path, tmp_path_factory, seed
):
    process, problems = follow(seed, tmp_path, tmp_path_factory.getbasetemp())
    if problems:
        pytest.fail("\n".join([f"seed {seed}", *process, *problems]), pytrace=False)
