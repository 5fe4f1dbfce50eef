"""Killed jobs and a killed Snakemake: what a restart makes is what an undisturbed run makes.

A stage is stopped in its middle by what its job runs first: it pauses when it is about to move its first finished file
into place, so that what is killed there has none of its outputs or some. What comes before the stage has been made by
an undisturbed Snakemake.
"""

import contextlib
import itertools
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import loaded_jobs
import pytest
from conftest import HOME, SNAKEMAKE, Project, evaluate_once, tiny_campaign

pytestmark = pytest.mark.slow
FEW = {"measures": ["c@1", "cws"], "shards": 1}  # a measure of counts and an ordering

STAGES = {
    "ingest_runs": "ingest.py runs",
    "ingest_judgments": "ingest.py judgments",
    "check": "check.py",
    "verdicts": "judge.py",
    "tally": "tally.py verdicts",
    "score_counts": "score.py counts",
    "score_verdicts": "score.py verdicts",
    "leaderboard": "topic.py --topics leaderboard",
    "summary": "summary.py",
    "report_part": "report.py part",
    "report": "report.py page",
}
PAUSE = """
import os, sys, time
replace, (stage, marker, over) = os.replace, [os.environ[f"PAUSE_{name}"] for name in ("STAGE", "MARKER", "OVER")]
def paused(old, new, *more, **options):
    if str(old).endswith(".part") and stage in " ".join(sys.argv) and not os.path.exists(marker):
        with open(marker, "w") as file:
            file.write(str(os.getpid()))
        for _ in range(6000):  # or ten minutes, if the test has failed
            if os.path.exists(over):
                break
            time.sleep(0.1)
    return replace(old, new, *more, **options)
os.replace = paused
"""


def pausing(project: Project, stage: str) -> dict[str, str]:
    """The environment in which the stage writes its pid into the file `paused`, and waits for the file `over`."""
    first = project.write("pause.py", PAUSE)
    marker = project.folder / "paused"
    marker.unlink(missing_ok=True)
    pause = {"STAGE": STAGES[stage], "MARKER": str(marker), "OVER": str(project.folder / "over")}
    return {"RUN_FIRST": str(first)} | {f"PAUSE_{key}": value for key, value in pause.items()}


def wait_for(what: str, true: Callable[[], object]) -> None:
    """Two minutes at most."""
    for _ in range(2400):
        if true():
            return
        time.sleep(0.05)
    raise AssertionError(f"waited in vain: {what}")


def paused(project: Project, ended: Callable[[], bool]) -> int:
    """The pid of the job, once it pauses."""
    marker = project.folder / "paused"
    wait_for("the stage", lambda: ended() or (marker.exists() and marker.read_text()))
    assert marker.exists(), "Snakemake ended before the stage"
    return int(marker.read_text())


def gone(pid: int) -> bool:
    """Whether a process has ended, though nobody may have asked for its exit code."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].startswith("Z")
    except OSError:
        return True


@contextlib.contextmanager
def stopped(project: Project, stage: str, *options: str) -> Iterator[tuple[int, int]]:
    """The pids of a Snakemake that is stopped in the stage, and of the job; whoever asks kills the former.

    On one core, so that no other job is orphaned: Snakemake 9.27 forgets which jobs below a checkpoint were not
    finished, and would not wait for one that is still filling a folder.
    """
    pid = project.folder / "pid"
    env = pausing(project, stage) | {"SNAKEMAKE_PID": str(pid)}
    with ThreadPoolExecutor() as pool:
        run = pool.submit(project.snakemake, *options, cores=1, check=False, env=env)
        job = paused(project, run.done)
        yield int(pid.read_text()), job
        assert run.result(60).returncode == -signal.SIGKILL


def few_jobs(project: Project) -> Project:
    return tiny_campaign(project, **FEW)


@pytest.fixture
def tiny(project):
    return few_jobs(project)


@pytest.fixture
def undisturbed(tmp_path_factory):
    return Project(evaluate_once("few-jobs", few_jobs, tmp_path_factory)).results()


# Stages of which one comes after the other; what may run beside a stage is in another list.
IN_A_ROW = [
    ["ingest_runs", "check", "verdicts", "tally", "score_counts", "leaderboard"],
    ["ingest_judgments", "score_verdicts", "summary"],
    ["report_part", "report"],
]


def test_every_stage_is_killed():
    assert sorted(itertools.chain(*IN_A_ROW)) == sorted(STAGES)


@pytest.mark.parametrize("stages", IN_A_ROW, ids=" ".join)
def test_killed_jobs(tiny, undisturbed, stages):
    """In each run one job is killed; the next is killed in the run that repeats the first."""
    for stage in stages:
        tiny.snakemake("--omit-from", stage)
        with ThreadPoolExecutor() as pool:
            run = pool.submit(tiny.snakemake, check=False, env=pausing(tiny, stage))
            os.kill(paused(tiny, run.done), signal.SIGKILL)
        assert run.result().returncode == 1
    tiny.snakemake()
    assert tiny.results() == undisturbed


@pytest.mark.parametrize("stages", IN_A_ROW, ids=" ".join)
def test_a_killed_snakemake_and_its_orphan(tiny, undisturbed, stages):
    """The orphaned job goes on writing while a new run repeats its work on the way to the next stage."""
    job, over = None, tiny.folder / "over"
    for stage in stages:
        tiny.snakemake("--rerun-incomplete", "--omit-from", stage)
        if job:
            wait_for("the orphan's end", lambda job=job: gone(job))
            over.unlink()
        with stopped(tiny, stage, "--rerun-incomplete") as (snakemake, job):
            os.kill(snakemake, signal.SIGKILL)
        os.kill(job, 0)  # it is alive
        refused = tiny.snakemake(check=False)
        assert refused.returncode == 1
        assert "--unlock" in refused.stderr or "--rerun-incomplete" in refused.stderr
        tiny.snakemake("--unlock")
        over.touch()
    tiny.snakemake("--rerun-incomplete")
    wait_for("the orphan's end", lambda: gone(job))
    assert tiny.results() == undisturbed
    assert tiny.jobs() == []


@pytest.mark.parametrize(
    ("stage", "finished"),
    [("verdicts", "judgments.parquet"), ("score_counts", "counts.parquet"), ("report_part", "leaderboard.csv")],
)
def test_a_result_that_was_edited_after_the_kill(tiny, undisturbed, stage, finished):
    """Edits of results that the killed run had finished are reported; others are made again without complaint."""
    tiny.snakemake("--omit-from", stage)
    with stopped(tiny, stage) as pids:
        for pid in pids:
            os.kill(pid, signal.SIGKILL)
    path = tiny.folder / "results/tiny" / finished
    whole = path.read_bytes()
    path.write_bytes(whole[:50] + bytes([whole[50] ^ 1]) + whole[51:])
    tiny.snakemake("--unlock")
    run = tiny.snakemake(check=False)
    assert run.returncode == 1
    assert re.findall("    (.*) has changed since it was made", run.stderr) == [f"results/tiny/{finished}"]
    path.write_bytes(whole)
    tiny.snakemake()
    assert tiny.results() == undisturbed


# Snakemake that kills itself and its jobs when it is about to write into .snakemake for the nth time, a note of its own
# or of ours.
KILLED = """
import builtins, io, itertools, os, signal, sys
from snakemake.cli import main
count, opened, place = itertools.count(1), io.open, int(sys.argv.pop(1))
def open(path, mode="r", *arguments, **options):
    noted = ".snakemake/" in str(path) and not any(name in str(path) for name in ("/log/", "/locks/", "/iocache/"))
    if noted and mode[0] in "aw" and next(count) == place:
        os.killpg(0, signal.SIGKILL)
    return opened(path, mode, *arguments, **options)
builtins.open = io.open = open
main()
"""


@pytest.mark.parametrize("place", range(4, 70, 15))
def test_killed_between_two_notes(tiny, undisturbed, place):
    command = [sys.executable, "-c", KILLED, str(place), *SNAKEMAKE[3:], "--cores", "2"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    env = os.environ | loaded_jobs.environment()
    killed = subprocess.run(command, cwd=tiny.folder, env=env, start_new_session=True, **quiet)
    assert killed.returncode == -signal.SIGKILL
    tiny.snakemake("--unlock")
    tiny.snakemake()
    assert tiny.results() == undisturbed
    verify = [sys.executable, str(HOME / "scripts/verify.py")]
    assert subprocess.run(verify, cwd=tiny.folder, capture_output=True).returncode == 0
