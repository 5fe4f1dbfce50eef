"""Snakemake with all its jobs, metered: what each stage costs, in processor seconds and memory.

What Snakemake itself needs is a stage, too.
"""

import json
import os
import re
import sys
from dataclasses import asdict
from pathlib import Path

import measured
from measured import HOME

BENCHMARKS = HOME / "tests/benchmarks"
SNAKEMAKE = "snakemake itself"
ASKED = re.compile(r"mem_mb=(\d+).*\nShell command: python (.*)")


def evaluated(folder: Path, *targets: str) -> dict:
    """Run Snakemake in a folder; return seconds, wall, gb and number of jobs, and by `stages` what each of them took.

    bytes are the most that a process of the stage had, asked the most that a job of it asks for, in MB.
    """
    meter = folder / "meter"
    meter.unlink(missing_ok=True)
    # Where SLURM is installed without a controller, every start of Snakemake would wait for it.
    path = f"{HOME / 'tests/cluster/without-slurm'}:{os.environ['PATH']}"
    env = os.environ | {"PATH": path, "PYTHONPATH": str(BENCHMARKS / "metered"), "METER": str(meter)}
    command = [sys.executable, "-m", "snakemake", *targets, "-s", str(HOME / "Snakefile"), "--cores", "2", "-p"]
    command += ["--workflow-profile", str(HOME / "tests/profile")]  # which prints what is read here
    cost, said = measured.cost_of(*command, "--quiet", "host", cwd=folder, env=env)
    stages: dict[str, dict] = {}
    for line in meter.read_text().splitlines():
        used, memory, arguments = json.loads(line)
        found = stages.setdefault(stage(arguments), {"jobs": 0, "seconds": 0, "bytes": 0, "asked": 0})
        found["jobs"] += 1
        found["seconds"] += used
        found["bytes"] = max(found["bytes"], memory)
    for megabytes, of_job in ASKED.findall(said):
        its = stage(of_job.split())
        if its in stages:  # unless the job ran in a process that has no meter
            stages[its]["asked"] = max(stages[its]["asked"], int(megabytes))
    jobs = sum(rule != "all" for rule in re.findall(r"^Finished jobid: \d+ \(Rule: (\w+)\)", said, re.MULTILINE))
    return asdict(cost) | {"jobs": jobs, "stages": stages}


def stage(arguments: list[str]) -> str:
    """Return the stage that a command is about, such as score_counts; or Snakemake."""
    script, *rest = arguments
    if Path(script).stem == "__main__":
        return SNAKEMAKE
    return rest[0] if Path(script).name == "stage.py" else Path(script).stem


def disk(results: Path) -> dict[str, int]:
    """Bytes of the folders and files of a campaign's results."""
    return {
        path.name: sum(part.stat().st_size for part in [path, *path.rglob("*")] if part.is_file())
        for path in sorted(results.iterdir())
    }


def simulate(into: Path, runs: int, questions: int) -> None:
    """A campaign of this size; the same seed, so that a smaller one has the same first runs."""
    script = str(HOME / "tools/simulate.py")
    size = ["--runs", str(runs), "--questions", str(questions)]
    measured.cpu_of(sys.executable, script, "campaign", *size, "--into", into)
