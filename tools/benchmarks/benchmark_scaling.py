"""`make bench`, growth: what every job of the workflow costs as a campaign grows in runs or in
questions.

Snakemake evaluates simulated campaigns, three sizes along each axis, and one of hardly any size.
Every process is metered, as metering.py has it.
"""

import tempfile
from functools import cache
from pathlib import Path

import costs
import growth
import metering
import yaml

import commands

BASE = {"runs": 100, "questions": 1000, "samples": 1000}
LARGEST = {"runs": 400, "questions": 8000}
TINY = {"runs": 4, "questions": 20, "samples": 100}
DIVISORS = (4, 2, 1)  # of the largest size
CONFIG = {
    "task": "qa",
    "runs": {"format": "tabular", "files": "data/runs/*.tsv"},
    "judgments": {"format": "tabular", "files": "data/judgments/*.tsv"},
    "measures": ["c@1", "cws"],
}


@cache
def cost(runs: int, questions: int, samples: int) -> dict[str, dict]:
    """jobs, seconds and bytes by stage, of a campaign of this size; the axes meet in one."""
    trust = {"samples": samples, "trials": max(10, samples // 10)}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        metering.simulate(folder / "data", runs, questions)
        config = {"campaigns": {"grown": CONFIG}, "reliability": trust}
        (folder / "config.yaml").write_text(yaml.safe_dump(config))
        return metering.evaluate(folder)["stages"]


OPTIONS = {
    "into": {"type": Path, "help": "the folder for what was measured, %(default)s if left out"}
}


def main(into: Path = costs.FOLDER) -> None:
    """Grow campaigns along both axes."""
    rows = []
    for axis, largest in LARGEST.items():
        sizes = [largest // divisor for divisor in DIVISORS]
        axis_rows = growth.fit(
            [cost(**BASE | {axis: size}) for size in sizes], cost(**TINY), sizes, axis
        )
        total = sum(row["seconds"][-1] for row in axis_rows)
        shares = ", ".join(
            f"{row['stage']} {row['seconds'][-1] / total:.0%}" for row in axis_rows[:3]
        )
        print(f"{axis} {sizes}: {total:.0f} s of CPU at the largest; most: {shares}", flush=True)
        rows += axis_rows
        complete = axis == [*LARGEST][-1]
        costs.write(into, "scaling", complete, {"base": BASE, "rows": rows})
    print(growth.sentence(rows))


if __name__ == "__main__":
    commands.run(__doc__, [main], OPTIONS)
