"""`make bench`, growth: what every job of the workflow costs as a campaign grows, along up to five
axes.

Snakemake evaluates simulated campaigns, some sizes along each axis, and one of hardly any size.
Every process is metered, as metering.py tells; the size of what is written is measured, too, by
folder.
"""

import tempfile
from functools import cache
from pathlib import Path

import growth
import measured
import metering
import yaml

import commands

COUNTED = [
    "accuracy",
    "uf",
    "uf_half",
    "optimistic",
    "precision_answered",
    "wrong_rate",
    "candidate_accuracy",
    "c@1",
]
BASE = {"runs": 100, "questions": 1000, "measures": 0, "assessors": 1, "samples": 1000}
LARGEST = {"runs": 400, "questions": 8000, "measures": 8, "assessors": 8, "samples": 8000}
TINY = {"runs": 4, "questions": 20, "measures": 0, "assessors": 1, "samples": 100}
SHORT, STEPS = (4, 2, 1), (8, 4, 2, 1)  # what the largest size is divided by; the latter in full
GROWING = ("runs", "questions")  # the axes of a short benchmark


def campaign(folder: Path, size: dict) -> None:
    """A campaign of this size, with its configuration. With 0 measures, one of counts and one of an
    order."""
    metering.simulate(folder / "data", size["runs"], size["questions"])
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
    trust = {"samples": samples, "trials": max(10, samples // 10)}
    (folder / "config.yaml").write_text(
        yaml.safe_dump({"campaigns": {"grown": config}, "reliability": trust})
    )


@cache
def cost(**size: int) -> tuple[dict[str, dict], dict[str, int]]:
    """jobs, seconds and bytes by stage, and bytes by folder, of a campaign of this size; the axes
    meet in one."""
    with tempfile.TemporaryDirectory() as name:
        campaign(Path(name), size)
        return metering.evaluated(Path(name))["stages"], metering.disk(Path(name, "results/grown"))


def grown(costs: list[dict], start: dict, sizes: list[int], axis: str) -> list[dict]:
    """For each stage, its exponents of time and memory along an axis, beside the documented one;
    most time first.

    `start` of a row is what a job of the stage costs before it does anything: seconds and bytes.
    """
    rows = []
    for stage in costs[-1]:
        seen = [each[stage] for each in costs if stage in each]
        if len(seen) < len(costs) or stage not in start:
            continue
        first = {
            "seconds": start[stage]["seconds"] / start[stage]["jobs"],
            "bytes": start[stage]["bytes"],
        }
        beyond = {
            "seconds": [each["seconds"] - each["jobs"] * first["seconds"] for each in seen],
            "bytes": [each["bytes"] - first["bytes"] for each in seen],
        }
        row = {
            "axis": axis,
            "stage": stage,
            "documented": growth.documented(stage, axis),
            "sizes": sizes,
        }
        for kind, values in beyond.items():
            row[kind] = [each[kind] for each in seen]
            row[f"{kind}_exponent"] = growth.exponent(sizes, values, growth.LEAST[kind])
        rows.append(row | {"start": first})
    return sorted(rows, key=lambda row: -row["seconds"][-1])


def written(disks: list[dict], sizes: list[int], axis: str) -> list[dict]:
    """The same of the bytes of each folder, or file, of the results; they begin at nothing."""
    folders = [name for name in disks[-1] if all(name in each for each in disks)]
    seen = {name: [each[name] for each in disks] for name in folders}
    return [
        {
            "axis": axis,
            "folder": name,
            "exponent": growth.exponent(sizes, bytes, growth.LEAST["disk"]),
        }
        for name, bytes in seen.items()
    ]


OPTIONS = {
    "into": {"type": Path, "help": "the folder for what was measured, %(default)s if left out"},
    "axis": {
        "action": "append",
        "choices": growth.AXES,
        "help": "one to grow along, may be repeated",
    },
    "steps": {"type": int, "nargs": "+", "help": "what the largest size is divided by"},
    "full": {
        "action": "store_true",
        "help": "along all five axes, at four sizes; otherwise along two, at three",
    },
    "divide": {
        "type": int,
        "help": "for a trial: runs, questions and samples are so many times fewer",
    },
}


def main(
    into: Path = measured.FOLDER,
    axis: list[str] | None = None,
    steps: list[int] | None = None,
    full: bool = False,
    divide: int = 1,
) -> None:
    """Grow campaigns along the axes."""
    axes, divisors = axis or (growth.AXES if full else GROWING), steps or (STEPS if full else SHORT)
    base, largest = smaller(BASE, divide), smaller(LARGEST, divide)
    rows, disk = [], []
    for name in axes:
        start, _ = cost(**TINY | {"measures": int(name == "measures")})
        sizes = [largest[name] // divisor for divisor in divisors]
        costs, disks = zip(*(cost(**base | {name: size}) for size in sizes), strict=True)
        of_axis = grown(costs, start, sizes, name)
        disk += written(disks, sizes, name)
        total = sum(row["seconds"][-1] for row in of_axis)
        most = ", ".join(f"{row['stage']} {row['seconds'][-1] / total:.0%}" for row in of_axis[:3])
        print(
            f"{name} {sizes}: {total:.0f} s of CPU at the largest; most of it: {most}", flush=True
        )
        rows += of_axis
        complete = divide == 1 and not axis and not steps
        measured.write(into, "scaling", complete, {"base": base, "rows": rows, "disk": disk})
    print(growth.sentence(rows))


def smaller(size: dict, divide: int) -> dict:
    """A size for a trial: fewer runs, questions and samples."""
    return size | {
        name: max(size[name] // divide, TINY[name]) for name in ("runs", "questions", "samples")
    }


if __name__ == "__main__":
    commands.run(__doc__, [main], OPTIONS)
