"""`make bench`, the workflow: what it costs beside its work, and what a change costs beside evaluating anew.

All in seconds of CPU, of Snakemake and all its jobs together. The reference of the demo is the same library calls, one
after the other in one process; that of a change is the whole evaluation before it.
"""

import json
import os
import re
import shlex
import shutil
import sys
import tempfile
import time
from pathlib import Path

import measured
import metering
import yaml
from measured import HOME
from nonresponse import commands

MEASURES = ["c@1", "accuracy"]
SIZE, SHARDS = (1000, 10000), 4
CAMPAIGNS, OF_MANY = 20, (100, 1000)
HUGE = (5000, 20000)


def campaign(folder: str, shards: int) -> dict:
    return {
        "task": "qa",
        "runs": {"format": "tabular", "files": f"{folder}/runs/*.tsv"},
        "judgments": {"format": "tabular", "files": f"{folder}/judgments/*.tsv"},
        "measures": MEASURES,
        "shards": shards,
    }


def configure(folder: Path, names: list[str], shards: int = 1, **reliability) -> None:
    """Campaigns, with the default analyses unless others are given."""
    config = {"campaigns": {name: campaign(name, shards) for name in names}, "reliability": reliability}
    (folder / "config.yaml").write_text(yaml.safe_dump(config))


def turn_one_judgment(folder: Path) -> None:
    """The first answer that is judged becomes wrong where it was right, or the other way round."""
    file = min((folder / "judgments").glob("*.tsv"))
    head, first, *rest = file.read_text().splitlines(keepends=True)
    turned = re.sub(r"[RW]$", lambda label: "W" if label[0] == "R" else "R", first.rstrip("\n"))
    file.write_text("".join([head, turned + "\n", *rest]))


def add_a_run(folder: Path) -> None:
    """One that answered as the first did, but for its first question, which it left open."""
    file = min((folder / "runs").glob("*.tsv"))
    head, first, *rest = file.read_text().splitlines(keepends=True)
    question, _, *others = first.split("\t")
    file.with_stem("added").write_text("".join([head, "\t".join([question, "", *others]), *rest]))


def words(command: str) -> list[str]:
    """The words of a command; what bash would hand on as a file, <(printf %s …), is in a file."""
    found = []
    parts = iter(shlex.split(command))
    for word in parts:
        if word == "<(printf":
            next(parts)  # %s
            with tempfile.NamedTemporaryFile("w", dir=".", suffix=".json", delete=False) as file:
                file.write(next(parts).removesuffix(")"))
            word = file.name
        found.append(word)
    return found


def calls(folder: Path) -> None:
    """The commands of a workflow, one after the other in this process; prints the CPU seconds after imports."""
    import runpy

    import duckdb  # noqa: F401
    import polars  # noqa: F401

    os.chdir(folder)
    os._exit = lambda code: None  # with which each of them ends
    start = time.process_time()
    for command in json.loads(Path("commands.json").read_text()):
        sys.argv = words(command.split(" 2> ")[0])[1:]
        runpy.run_path(sys.argv[0], run_name="__main__")
    print(time.process_time() - start)


def demo(folder: Path) -> list[dict]:
    for part in ("config.yaml", "resources"):
        (folder / part).symlink_to(HOME / part)
    found = metering.evaluated(folder)
    (folder / "commands.json").write_text(json.dumps(found["commands"]))
    alone = measured.apart(__file__, "calls", "--folder", str(folder))
    again = metering.evaluated(folder)
    jobs = len(found["commands"])
    rows = [measured.row(f"the demo, {jobs} jobs", "the same calls in one process", [found["seconds"]], [alone])]
    what = f"the demo, a start with {len(again['commands'])} jobs to do"
    return [*rows, measured.row(what, "evaluating it", [again["seconds"]], [found["seconds"]])]


def changed(folder: Path, campaigns: int, runs: int, questions: int, shards: int) -> tuple[list[dict], dict]:
    """Rows of a judgment turned and a run added in the last of equal campaigns; and what every stage costs for them."""
    names = [f"c{number}" for number in range(campaigns)]
    metering.simulate(folder / names[0], runs, questions)
    for other in names[1:]:
        shutil.copytree(folder / names[0], folder / other)
    configure(folder, names, shards)
    all_of_it, rows = metering.evaluated(folder), []
    costs = {"campaigns": campaigns, "runs": runs, "questions": questions, "shards": shards, "measures": MEASURES}
    costs |= {"disk": metering.disk(folder / "results" / names[0])} | all_of_it
    size = f"{campaigns} campaigns of " * (campaigns > 1) + f"{runs:,} × {questions:,}"
    for what, change in {"one judgment turned": turn_one_judgment, "one run added": add_a_run}.items():
        change(folder / names[-1])
        again = metering.evaluated(folder)
        seconds = [[each["seconds"]] for each in (again, all_of_it)]
        gb = max(used["bytes"] for used in again["stages"].values()) / 1e9
        row = measured.row(f"{size}, {what}", "evaluating it anew", *seconds, gb)
        rows.append(row | {"jobs": [len(each["commands"]) for each in (again, all_of_it)]})
        for stage, used in costs["stages"].items():
            used[what] = again["stages"].get(stage, {"seconds": 0.0})["seconds"]
    del costs["commands"]
    return rows, costs | {"jobs": len(all_of_it["commands"])}


def huge(folder: Path) -> dict:
    """From raw files to the leaderboard, without analyses."""
    metering.simulate(folder / "huge", *HUGE)
    configure(folder, ["huge"], 16, analyses=[])
    found = metering.evaluated(folder, "results/huge/leaderboard.md")
    size = {"runs": HUGE[0], "questions": HUGE[1], "shards": 16, "measures": MEASURES}
    return size | {"seconds": found["seconds"], "stages": found["stages"]}


OPTIONS = {
    "only": {"action": "append", "help": "demo, large, many or huge, may be repeated; all but huge if left out"},
    "runs": {"type": int, "help": "runs of the large campaign, %(default)s if left out"},
    "questions": {"type": int, "help": "its questions, %(default)s if left out"},
    "full": {"action": "store_true", "help": "huge, too"},
    "folder": {"type": Path, "help": "where the workflow ran"},
    "into": {"type": Path, "help": "the folder for what was measured"},
}


def main(
    only: list[str] | None = None,
    runs: int = SIZE[0],
    questions: int = SIZE[1],
    full: bool = False,
    into: Path | None = None,
) -> None:
    """What the workflow costs beside its work, and what re-scoring costs."""
    found: dict = {"measures": MEASURES, "rows": []}
    for name in only or ["demo", "large", "many", *["huge"] * full]:
        with tempfile.TemporaryDirectory() as made:
            folder = Path(made)
            if name == "demo":
                found["rows"] += demo(folder)
            elif name == "huge":
                found["huge"] = huge(folder)
            else:
                size = (1, runs, questions, SHARDS) if name == "large" else (CAMPAIGNS, *OF_MANY, 1)
                rows, found[name] = changed(folder, *size)
                found["rows"] += rows
        measured.write(into, "workflow", not only and (runs, questions) == SIZE, found)


if __name__ == "__main__":
    arguments = sys.argv[1:] if sys.argv[1:2] == ["calls"] else ["main", *sys.argv[1:]]
    commands.run(__doc__, [main, calls], OPTIONS, arguments)
