"""`make bench`, fourth part: what every job of the workflow costs as a campaign grows, along five axes.

Snakemake evaluates simulated campaigns, four sizes along each axis, and one of hardly any size. Every process is
metered: processor seconds and the largest memory, by stage. A stage is a command with its subcommand and its analysis;
what Snakemake itself needs is a stage, too.
"""

import json
import os
import subprocess
import sys
import tempfile
from functools import cache
from itertools import takewhile
from pathlib import Path

import growth
import measured
import yaml
from measured import HOME
from nonresponse import commands

BENCHMARKS = HOME / "tests/benchmarks"
COUNTED = ["accuracy", "uf", "uf_half", "optimistic", "precision_answered", "wrong_rate", "candidate_accuracy", "c@1"]
BASE = {"runs": 100, "questions": 1000, "measures": 0, "assessors": 1, "samples": 1000}
LARGEST = {"runs": 400, "questions": 8000, "measures": 8, "assessors": 8, "samples": 8000}
TINY = {"runs": 4, "questions": 20, "measures": 0, "assessors": 1, "samples": 100}
STEPS = (8, 4, 2, 1)  # what the largest size is divided by


def campaign(folder: Path, size: dict) -> None:
    """A campaign of this size, with its configuration. With 0 measures, one of counts and one of an order."""
    command = [sys.executable, str(HOME / "tools/simulate.py"), "campaign", "--into", str(folder / "data")]
    subprocess.run([*command, "--runs", str(size["runs"]), "--questions", str(size["questions"])], check=True)
    judged = (folder / "data/judgments/official.tsv").read_text().splitlines(keepends=True)
    turned = str.maketrans("RW", "WR")
    for other in range(1, size["assessors"]):  # who judges every twentieth answer otherwise
        lines = [
            line[:-2] + line[-2:].translate(turned) if number % 20 == other else line
            for number, line in enumerate(judged)
            if number
        ]
        (folder / f"data/judgments/assessor{other}.tsv").write_text("".join([judged[0], *lines]))
    samples = size["samples"]
    config = {
        "task": "qa",
        "runs": {"format": "tabular", "files": "data/runs/*.tsv"},
        "judgments": {"format": "tabular", "files": "data/judgments/*.tsv", "official": "official"},
        "measures": COUNTED[-size["measures"] :] if size["measures"] else ["c@1", "cws"],
    }
    trust = {"samples": samples, "flips": samples, "exchanges": samples, "trials": max(10, samples // 10)}
    trust |= {"sizes": 25, "size_trials": max(2, samples // 200)}
    (folder / "config.yaml").write_text(yaml.safe_dump({"campaigns": {"grown": config}, "reliability": trust}))


def evaluated(folder: Path) -> dict[str, list[tuple[float, float]]]:
    """Seconds and bytes of each process, by stage."""
    meter = folder / "meter"
    path = f"{HOME / 'tests/cluster/without-slurm'}:{os.environ['PATH']}"
    env = os.environ | {"PATH": path, "PYTHONPATH": str(BENCHMARKS / "metered"), "METER": str(meter)}
    command = [sys.executable, "-m", "snakemake", "-s", str(HOME / "Snakefile"), "--cores", "2", "--quiet", "host"]
    done = subprocess.run(command, cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise SystemExit(done.stdout)
    found: dict[str, list] = {}
    for line in meter.read_text().splitlines():
        seconds, memory, arguments = json.loads(line)
        found.setdefault(stage(arguments), []).append((seconds, memory))
    return found


def stage(arguments: list[str]) -> str:
    """What a command is about, such as tally verdicts or topic leaderboard changes; or Snakemake."""
    script, *rest = arguments
    if Path(script).stem == "__main__":
        return "snakemake itself"
    named = rest[: 1 if rest and not rest[0].startswith("-") else 0]
    if "--topics" in rest:
        of_topics = rest[rest.index("--topics") + 1 :]
        named += dict.fromkeys(takewhile(lambda word: not word.startswith("--"), of_topics))
    return " ".join([Path(script).stem, *named])


@cache
def cost(**size: int) -> dict[str, dict]:
    """jobs, seconds and bytes by stage, for a campaign of this size; the axes meet in one campaign."""
    with tempfile.TemporaryDirectory() as name:
        campaign(Path(name), size)
        found = evaluated(Path(name))
    return {
        stage: {"jobs": len(jobs), "seconds": sum(job[0] for job in jobs), "bytes": max(job[1] for job in jobs)}
        for stage, jobs in found.items()
    }


def grown(costs: list[dict], start: dict, sizes: list[int], axis: str) -> list[dict]:
    """For each stage, its exponents of time and memory along an axis, beside the documented one; most time first."""
    rows = []
    for stage in costs[-1]:
        seen = [each[stage] for each in costs if stage in each]
        if len(seen) < len(costs) or stage not in start:
            continue
        first = start[stage]
        beyond = {
            "seconds": [each["seconds"] - each["jobs"] * first["seconds"] / first["jobs"] for each in seen],
            "bytes": [each["bytes"] - first["bytes"] for each in seen],
        }
        row = {"axis": axis, "stage": stage, "documented": growth.documented(stage, axis), "sizes": sizes}
        for kind, values in beyond.items():
            row[kind] = [each[kind] for each in seen]
            row[f"{kind}_exponent"] = growth.exponent(sizes, values, growth.LEAST[kind])
        rows.append(row)
    return sorted(rows, key=lambda row: -row["seconds"][-1])


OPTIONS = {
    "into": {"type": Path, "help": "the folder for what was measured, %(default)s if left out"},
    "axis": {"action": "append", "choices": growth.AXES, "help": "one to grow along, may be repeated; all if left out"},
    "steps": {"type": int, "nargs": "+", "help": "what the largest size is divided by; 8 4 2 1 if left out"},
    "divide": {"type": int, "help": "for a trial: runs, questions and samples are so many times fewer"},
}


def main(
    into: Path = measured.FOLDER, axis: list[str] | None = None, steps: list[int] | None = None, divide: int = 1
) -> None:
    """Grow campaigns along every axis."""
    axes, divisors = axis or list(growth.AXES), steps or STEPS
    base, largest = smaller(BASE, divide), smaller(LARGEST, divide)
    start = {measures: cost(**TINY | {"measures": measures}) for measures in {int(name == "measures") for name in axes}}
    rows = []
    for name in axes:
        sizes = [largest[name] // divisor for divisor in divisors]
        costs = [cost(**base | {name: size}) for size in sizes]
        of_axis = grown(costs, start[int(name == "measures")], sizes, name)
        total = sum(row["seconds"][-1] for row in of_axis)
        most = ", ".join(f"{row['stage']} {row['seconds'][-1] / total:.0%}" for row in of_axis[:3])
        print(f"{name} {sizes}: {total:.0f} s of CPU at the largest; most of it: {most}", flush=True)
        rows += of_axis
    print(growth.sentence(rows))
    complete = divide == 1 and axes == list(growth.AXES) and tuple(divisors) == STEPS
    measured.write(into, "scaling", complete, {"base": base, "rows": rows})


def smaller(size: dict, divide: int) -> dict:
    """A size for a trial: fewer runs, questions and samples."""
    return size | {name: max(size[name] // divide, TINY[name]) for name in ("runs", "questions", "samples")}


if __name__ == "__main__":
    commands.run(__doc__, [main], OPTIONS)
