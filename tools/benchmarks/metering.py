"""Snakemake with all its jobs, metered: what each stage costs, in processor seconds and memory.

What Snakemake itself needs is a stage, too.
"""

import os
import re
import sys
import time
from dataclasses import asdict
from pathlib import Path

import costs
from costs import HOME

SNAKEMAKE = "snakemake itself"
# In each job's log
USAGE = re.compile(r"^(\w+): ([\d.]+) CPU seconds, at most ([\d,]+) MB of memory$", re.MULTILINE)


def evaluate(folder: Path, *targets: str) -> dict:
    """Run Snakemake in a folder; return seconds, wall, gb, jobs, and by `stages` what each took.

    bytes are the most that a process of the stage had.
    """
    began = time.time()
    # Where SLURM is installed without a controller, every start of Snakemake would wait for it.
    env = os.environ | {"PATH": f"{HOME / 'tests/cluster/without-slurm'}:{os.environ['PATH']}"}
    command = [sys.executable, *f"-m snakemake -s {HOME}/Snakefile --cores 2".split(), *targets]
    command += ["--workflow-profile", str(HOME / "tests/profile")]  # which prints what is read here
    cost, printed = costs.cost_of(*command, "--quiet", "host", cwd=folder, env=env)
    stages: dict[str, dict] = {}
    for log in (folder / "results/logs").rglob("*.log"):
        if log.stat().st_mtime >= began and (usage := USAGE.search(log.read_text())):
            totals = stages.setdefault(usage[1], {"jobs": 0, "seconds": 0, "bytes": 0})
            totals["jobs"] += 1
            totals["seconds"] += float(usage[2])
            totals["bytes"] = max(totals["bytes"], int(usage[3].replace(",", "")) * 2**20)
    own_seconds = cost.seconds - sum(totals["seconds"] for totals in stages.values())
    stages[SNAKEMAKE] = {"jobs": 1, "seconds": own_seconds, "bytes": 0}
    rules = re.findall(r"^Finished jobid: \d+ \(Rule: (\w+)\)", printed, re.MULTILINE)
    jobs = sum(rule != "all" for rule in rules)
    return asdict(cost) | {"jobs": jobs, "stages": stages}


def simulate(into: Path, runs: int, questions: int) -> None:
    """A campaign of this size; the same seed, so that a smaller one has the same first runs."""
    script = str(HOME / "tools/simulate.py")
    size = ["--runs", str(runs), "--questions", str(questions)]
    costs.cpu_of(sys.executable, script, "campaign", *size, "--into", into)
