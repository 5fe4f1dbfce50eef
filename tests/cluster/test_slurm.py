"""profiles/slurm on a real cluster gives the same results, also after failures."""

import re
import shutil
import subprocess
import sys
from contextlib import contextmanager

import psutil
import pytest
import yaml
from conftest import HOME, QUICK, SMALL, SNAKEMAKE, Project, tiny_campaign
from slurm_cluster import Cluster, explain_absence, wait_for

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("slurm")]

# Snakemake that looks at the queue every second; as shipped, it looks after 10 s, and then ever
# less often.
IMPATIENT = """
import asyncio
from snakemake.cli import main
from snakemake_interface_executor_plugins.executors.remote import RemoteExecutor
RemoteExecutor.sleep = lambda executor: asyncio.sleep(1)
main()
"""
FIRST_LOOK = ["--slurm-init-seconds-before-status-checks", "1"]
# Up to this point the tests of failures run on the cluster, and the rest on this machine; `count`
# has its own job.
COUNTS = ["results/tiny/counts.parquet", "--groups", "count=apart"]
# Which rules of a group wait for which; those of one line do not wait for each other.
RAW = [["ingest_judgments", "ingest_runs"], ["check"], ["judge"]]
SCORED = [
    ["count", "trials"],
    ["score_counts"],
    ["leaderboard", "summaries"],
    ["reliability"],
    ["report_part"],
]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    if reason := explain_absence():
        pytest.skip(reason)
    with Cluster(tmp_path_factory.mktemp("slurm")) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def checked_campaign(tmp_path_factory):
    """The tiny campaign with one measure, run here up to its check."""
    project = tiny_campaign(Project(tmp_path_factory.mktemp("checked")), **SMALL)
    project.snakemake("results/tiny/check.txt")
    return project


@pytest.fixture(scope="module")
def undisturbed(checked_campaign, tmp_path_factory):
    """The results of the same campaign, all made here."""
    project = copy_project(checked_campaign, tmp_path_factory.mktemp("undisturbed"))
    project.snakemake()
    return project.results()


def copy_project(project, folder):
    """Copy the project to a folder of the same depth: paths to workflow files are relative."""
    shutil.copytree(project.folder, folder, dirs_exist_ok=True)
    return Project(folder)


@pytest.fixture
def start(cluster):
    """Return a function that starts Snakemake on the cluster, with its output in said.txt."""
    started = []

    def process(project, *arguments) -> subprocess.Popen:
        shipped = (HOME / "profiles/slurm/config.yaml").read_text()
        plain = shipped.replace("logger: rich\n", "")  # to read what it prints
        profile = project.write("profile/config.yaml", plain).parent
        profiled = ["--workflow-profile", str(profile), *FIRST_LOOK]
        command = [sys.executable, "-c", IMPATIENT, *SNAKEMAKE[3:], *profiled, *arguments]
        with (project.folder / "said.txt").open("wb") as output:
            streams = {"stdout": output, "stderr": output}
            started.append(
                subprocess.Popen(command, cwd=project.folder, env=cluster.env, **streams)
            )
        return started[-1]

    yield process
    for process in started:
        process.kill()
        process.wait()


def finish(process, project, cluster) -> str:
    """Return Snakemake's output; AssertionError if it fails, or does not end in ten minutes."""
    try:
        ended = process.wait(timeout=600)
    except subprocess.TimeoutExpired:
        ended = None
    output = (project.folder / "said.txt").read_text()
    assert ended == 0, output + cluster.describe()
    return output


def list_jobs(project, cluster) -> dict[str, list[dict[str, str]]]:
    """Return the project's SLURM jobs by the rules of their group, in order of submission."""
    jobs = {}
    for job in cluster.jobs():
        if job["WorkDir"] == str(project.folder):
            jobs.setdefault(re.match(r"rule_[^_]+_(.*)", job["Comment"])[1], []).append(job)
    return jobs


def is_at_work(project, cluster, rule):
    """Return whether the rule's last job can do without the controller, which srun waits for."""

    def has_begun() -> bool:
        *_, job = list_jobs(project, cluster).get(rule, [{"JobState": None}])
        return job["JobState"] == "RUNNING" and cluster.has_step(job["JobId"])

    return has_begun


@contextmanager
def suspend(job: str):
    """Suspend a job's Python; a job that ends unnoticed would run until its time limit."""
    processes = [
        process
        for process in psutil.process_iter(["name", "environ"])
        if process.info["name"].startswith("python")
        and (process.info["environ"] or {}).get("SLURM_JOB_ID") == job
    ]
    assert processes
    for process in processes:
        process.suspend()
    try:
        yield
    finally:
        for process in processes:
            process.resume()


def request(output: str, levels: list[list[str]]) -> tuple[float, int, int]:
    """What a group should ask for: megabytes, minutes and processors, from what Snakemake announced
    of its jobs.

    All jobs of a level are at work at once, on no more cores than there are in the profile, and all
    levels in turn.
    """
    announced = re.findall(
        r"^ +(?:rule|checkpoint) (\w+):\n(?: {8}.*\n)*? {8}resources: (.*)", output, re.MULTILINE
    )
    resources_of_rule = {
        rule: dict(part.split("=") for part in resources.split(", "))
        for rule, resources in announced
    }
    memory, minutes = (
        [[float(resources_of_rule[rule][resource]) for rule in rules] for rules in levels]
        for resource in ("mem_mb", "runtime")
    )
    return max(map(sum, memory)), sum(map(max, minutes)), max(map(len, levels))


def granted(job: dict[str, str]) -> tuple[float, int, int]:
    hours, minutes, _ = map(int, job["TimeLimit"].split(":"))
    return megabytes(job["MinMemoryNode"]), 60 * hours + minutes, int(job["NumCPUs"])


def megabytes(text: str) -> float:
    """1000M and 1.5G, as SLURM writes memory."""
    return float(text[:-1]) * {"M": 1, "G": 1024}[text[-1]]


def test_the_profile_has_all_of_the_default_one():
    default, slurm = (
        yaml.safe_load((HOME / f"profiles/{name}/config.yaml").read_text())
        for name in ("default", "slurm")
    )
    assert default.items() <= slurm.items()


def test_the_whole_workflow_gives_the_same_bytes(start, cluster, project, tmp_path_factory):
    keys = SMALL | {"reliability": QUICK | {"analyses": ["comparison"]}}
    local = tiny_campaign(Project(tmp_path_factory.mktemp("here")), **keys)
    local.snakemake()
    tiny_campaign(project, **keys)
    output = finish(start(project, "--quiet", "host"), project, cluster)
    assert project.results() == local.results()
    [raw], [scored] = list_jobs(project, cluster).values()
    assert raw["JobState"] == scored["JobState"] == "COMPLETED"
    assert (granted(raw), granted(scored)) == (request(output, RAW), request(output, SCORED))
    assert project.steps() == []


def test_a_job_killed_for_its_memory_comes_again_with_more(
    start, cluster, checked_campaign, undisturbed, tmp_path
):
    project = copy_project(checked_campaign, tmp_path)
    larger = ["--set-resources", "judge:mem_mb=100 * attempt ** 3"]
    output = finish(start(project, "results/tiny/verdicts.npz", *larger), project, cluster)
    jobs = list_jobs(project, cluster)["judge"]
    states = [(job["JobState"], job["MinMemoryNode"]) for job in jobs]
    assert states == [("FAILED", "100M"), ("COMPLETED", "800M")], output
    log = project.folder / f".snakemake/slurm_logs/group_raw-tiny_judge/{jobs[0]['JobId']}.log"
    assert "exceeded memory limit" in log.read_text()
    project.snakemake()
    assert project.results() == undisturbed


def test_a_controller_killed_while_a_job_runs(
    start, cluster, checked_campaign, undisturbed, tmp_path
):
    project = copy_project(checked_campaign, tmp_path)
    process = start(project, *COUNTS)
    wait_for("count to run", is_at_work(project, cluster, "count"))
    job = list_jobs(project, cluster)["count"][-1]["JobId"]
    with suspend(job):
        cluster.kill_controller(job)
        cluster.restart_controller()
    finish(process, project, cluster)
    project.snakemake()
    assert project.results() == undisturbed
