"""What tests of the workflow share: a small project in a temporary folder, and Snakemake."""

import fcntl
import gc
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import loaded
import pytest
import yaml
from browser import chromium
from hypothesis import HealthCheck, settings
from nonresponse.front import actions

HOME = Path(__file__).resolve().parent.parent

# The default profile, with messages of Snakemake's own that tests read
PROFILE = HOME / "tests/profile"
SNAKEMAKE = [sys.executable, "-m", "snakemake", "-s", str(HOME / "Snakefile")]  # as from a shell

# Slow drawing or running of examples depends on the machine, and is no failure.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("quick", settings.get_profile("patient"), max_examples=25)
settings.load_profile("patient")

# Jobs find the bytecode of our modules, as they do wherever Python may write it.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# pytest has a path of its own. Where the shell exports one, jobs would start as from a shell.
os.environ.pop("PYTHONPATH", None)

# Where SLURM is installed without a controller, every start of Snakemake would wait 10 s for it.
NO_SLURM = HOME / "tests/cluster/without-slurm"
os.environ["PATH"] = f"{NO_SLURM}:{os.environ['PATH']}"

# As in a job with one core: as many threads as the machine has would be a fifth of the cost of
# small tables. Tests of threads set their own number, and so does Snakemake for each job.
os.environ["OMP_NUM_THREADS"] = os.environ["POLARS_MAX_THREADS"] = "1"

# What depends on the results before.
PREVIOUS = ["changes.md", "changes.json", "report.json", "report.html"]
PREVIOUS += ["manifest.sha256"]


class Project:
    """A working folder with a config.yaml, and the workflow run on it."""

    def __init__(self, folder: Path):
        self.folder = folder

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
        return path

    def configure(self, reliability: dict | None = None, **campaigns) -> None:
        """Writes config.yaml; without `reliability`, none of its analyses."""
        trust = {"analyses": []} if reliability is None else reliability
        self.write(
            "config.yaml",
            yaml.safe_dump({"campaigns": campaigns, "reliability": trust}, sort_keys=False),
        )

    def snakemake(
        self, *arguments: str, cores: int = 2, check: bool = True, env: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess:
        """Run it with more environment variables; AssertionError if it fails unexpectedly."""
        options = ["--workflow-profile", str(PROFILE), "--cores", str(cores)]
        command = [*SNAKEMAKE[3:], *options, *arguments]
        run = loaded.snakemake(command, self.folder, os.environ | (env or {}))
        assert not check or run.returncode == 0, run.stdout + run.stderr
        return run

    def steps(self, *arguments: str, **options) -> list[str]:
        """Return the jobs that a run executes, sorted: rule and values of its wildcards."""
        run = self.snakemake("--quiet", "host", *arguments, **options)
        # A dry run prints the jobs of a group further to the right.
        jobs = r"^( *)(?:local)?(?:rule|checkpoint) (\w+):\n(?:\1 {4}(?!wildcards:).*\n)*"
        jobs += r"(?:\1 {4}wildcards: (.*))?"
        matches = re.findall(jobs, run.stderr + run.stdout, re.MULTILINE)
        return sorted(
            " ".join([rule, *re.findall("=([^,]+)", wildcards)]) for _, rule, wildcards in matches
        )

    def results(self, *excluded: str) -> dict[str, bytes]:
        """Return results by path, without logs, memos, history and Snakemake's own marks."""
        folder = self.folder / "results"
        skipped = ("logs", "benchmarks", "previous", ".memo", *excluded)
        paths = (path for path in sorted(folder.rglob("*")) if path.is_file())
        return {
            str(path.relative_to(folder)): path.read_bytes()
            for path in paths
            if path.relative_to(folder).parts[0] not in skipped
            and path.name not in (*PREVIOUS, ".snakemake_timestamp")
        }


def pytest_configure(config: pytest.Config) -> None:
    """A quick run draws a quarter of the examples, where a test does not say how many."""
    if config.option.markexpr == "not slow":
        settings.load_profile("quick")


@pytest.fixture(scope="session")
def browser() -> Iterator:
    """One for all tests that use it, which are a group."""
    with chromium() as opened_browser:
        yield opened_browser


@pytest.fixture
def forked_snakemake(monkeypatch) -> None:
    """The command forks Snakemake as Project does; test_wheel lets it start one."""

    def run(command: list[str], stdout: int | None = None) -> subprocess.CompletedProcess:
        return loaded.snakemake(
            command[command.index("--snakefile") :], Path.cwd(), dict(os.environ)
        )

    monkeypatch.setattr(actions, "subprocess", SimpleNamespace(run=run, DEVNULL=subprocess.DEVNULL))


@pytest.fixture
def project(tmp_path) -> Project:
    return Project(tmp_path)


RUNS = {
    "alpha": "question\tanswer\tconfidence\nq1\tParis\t0.9\nq2\tRome\t0.5\nq3\t\t0.1\nq4\tBonn\t0.4\n",
    "beta": "question\tanswer\tconfidence\nq1\tLyon\t0.9\nq2\tRome\t0.5\nq3\tOslo\t0.7\n",
    "gamma": "question\tanswer\tconfidence\nq1\tParis\t0.2\nq2\tMilan\t0.3\nq3\tOslo\t0.8\nq4\tBerlin\t0.6\n",
}
JUDGMENTS = (
    "question\tanswer\tlabel\nq1\tParis\tR\nq1\tLyon\tW\nq2\tRome\tX\nq2\tMilan\tW\nq3\tOslo\tR\n"
    "q4\tBonn\tW\nq4\tBerlin\tR\n"
)
TINY = {
    "task": "qa",
    "runs": {"format": "tabular", "files": "raw/runs/*.tsv"},
    "judgments": {"format": "tabular", "files": "raw/judgments.tsv"},
    "measures": ["c@1", "accuracy", "cws"],
    "shards": 3,
}

SMALL = {"measures": ["c@1"], "shards": 1}

# Trials and samples for all analyses, as few as give tables with something in them.
QUICK = {"trials": 5, "samples": 100}


def edit(project: Project, name: str, old: str, new: str) -> None:
    """Replaces what stands in a file of the project."""
    path = project.folder / name
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def clone(folder: Path) -> Path:
    """The files of the project, as they are here, whether they are committed or not."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    output = subprocess.run(listed, cwd=HOME, capture_output=True, check=True).stdout.decode()
    for path in (HOME / name for name in output.split("\0") if name and (HOME / name).is_file()):
        copy = folder / path.relative_to(HOME)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, copy)
    return folder


def copy_workflow(folder: Path) -> Path:
    """Copy what Snakemake and its jobs read, with the bytecode, which tests do not write."""
    for name in ("workflow", "scripts", "src", "profiles"):
        shutil.copytree(HOME / name, folder / name)
    shutil.copy2(HOME / "Snakefile", folder)
    return folder


def tiny_campaign(project: Project, **keys) -> Project:
    """Configure three runs and four questions as `tiny`: TINY with other keys."""
    for run, text in RUNS.items():
        project.write(f"raw/runs/{run}.tsv", text)
    project.write("raw/judgments.tsv", JUDGMENTS)
    project.configure(tiny=TINY | keys)
    return project


@pytest.fixture
def tiny(project) -> Project:
    return tiny_campaign(project)


def evaluate_once(
    name: str, set_up: Callable[[Project], Project], factory: pytest.TempPathFactory
) -> Path:
    """A folder that was set up and evaluated once for all tests and workers; only to be copied.

    It lies as deep as tmp_path does: the paths from there to the project are inputs that Snakemake
    compares.
    """
    base = factory.getbasetemp()
    common = base.parent / "evaluated" if "PYTEST_XDIST_WORKER" in os.environ else base
    common.mkdir(exist_ok=True)
    with (common / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (common / name).exists():
            half = common / f"{name}.half"
            shutil.rmtree(half, ignore_errors=True)
            set_up(Project(half)).snakemake(cores=4)
            half.rename(common / name)
    return common / name


@pytest.fixture
def evaluated(tmp_path, tmp_path_factory) -> Callable[..., Project]:
    """Return a function from a campaign's name and set-up to an evaluated project."""

    def copied(name: str, set_up: Callable[[Project], Project]) -> Project:
        shutil.copytree(evaluate_once(name, set_up, tmp_path_factory), tmp_path, dirs_exist_ok=True)
        return Project(tmp_path)

    return copied


@pytest.fixture
def evaluated_tiny(evaluated) -> Project:
    return evaluated("tiny", tiny_campaign)


def small_campaign(project: Project) -> Project:
    """The tiny campaign with one shard and one measure."""
    return tiny_campaign(project, **SMALL)


@pytest.fixture
def evaluated_small(evaluated) -> Project:
    return evaluated("small", small_campaign)


@pytest.hookimpl(wrapper=True, optionalhook=True)
def pytest_xdist_auto_num_workers() -> Generator[None, int, int]:
    """Add a worker, as tests wait for Snakemake or a browser; another waits for SLURM."""
    cluster = find_spec("snakemake_executor_plugin_slurm") and shutil.which("slurmctld")
    return (yield) + (2 if cluster else 1)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect no garbage while tests are collected: that took a third of the CPU."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(100_000, 10, 10)  # and rarely of later objects: otherwise 2 % of the CPU
        gc.enable()


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest tests first, so that no worker is left with one when the others have finished.

    First slow tests that share a fixture (of these, the cluster's come first, since they mostly
    wait), then the other slow tests, then the files of the rest, the one with most tests first.
    Each such file goes to one worker, which makes what its tests share only once.
    """
    quick = Counter(item.path for item in items if not item.get_closest_marker("slow"))

    def turn(item: pytest.Item) -> tuple:
        slow, is_grouped = (
            item.get_closest_marker(name) is not None for name in ("slow", "xdist_group")
        )
        return (0, not is_grouped) if slow else (1, -quick[item.path])

    items.sort(key=turn)
    for item in items:
        if not item.get_closest_marker("slow") and not item.get_closest_marker("xdist_group"):
            item.add_marker(pytest.mark.xdist_group(item.path.stem))
