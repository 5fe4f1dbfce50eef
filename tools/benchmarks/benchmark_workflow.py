"""`make bench`, the workflow: what it costs beside its floor, and what a change costs beside
evaluating anew.

A row has the CPU seconds of Snakemake and all its jobs with the starts of their processes, wall
seconds, the memory of the largest process, and the number of jobs. The floor of a change is the
evaluation before it. That of the demo is a start of Snakemake with nothing to do, and of a Python
that loads Polars and NumPy for each job.
"""

import shutil
import sys
import tempfile
from pathlib import Path

import benchmark
import costs
import metering
import polars as pl
import yaml
from costs import HOME

import commands

MEASURES = ["c@1", "accuracy"]
SIZE, SHARDS = (1000, 10000), 4
CAMPAIGNS, MANY_SIZE = 20, (100, 1000)
SCALE, SCALE_SHARDS = (10_000, 10_000), 40  # a hundred million answers, by `make bench-scale`
GIVEN_SHARES = (
    0.006,
    0.45,
)  # by which share of the runs an answer was given whose judgment is turned


def campaign(folder: str, shards: int) -> dict:
    parts = {
        part: {"format": "tabular", "files": f"{folder}/{part}/*.tsv"}
        for part in ("runs", "judgments")
    }
    return {"task": "qa", **parts, "measures": MEASURES, "shards": shards}


def configure(folder: Path, names: list[str], shards: int = 1, **reliability) -> None:
    """Campaigns, with the default analyses unless others are given."""
    config = {
        "campaigns": {name: campaign(name, shards) for name in names},
        "reliability": reliability,
    }
    (folder / "config.yaml").write_text(yaml.safe_dump(config))


def turn_one_judgment(folder: Path, number_of_runs: float) -> int:
    """Turn the judgment of an answer that about this many runs gave; return how many did."""
    file = min((folder / "judgments").glob("*.tsv"))
    answers = (
        benchmark.table(pl.scan_csv, folder / "runs/*.tsv")
        .group_by("question", "answer")
        .len("runs")
    )
    judgments = (
        benchmark.table(pl.scan_csv, file)
        .with_row_index()
        .filter(pl.col("label").is_in(["R", "W"]))
    )
    candidates = judgments.join(answers, on=["question", "answer"]).with_columns(
        off=(pl.col("runs") - number_of_runs).abs()
    )
    row = candidates.sort("off", "index").head(1).collect(engine="streaming")
    lines = file.read_text().splitlines(keepends=True)
    line = row["index"].item() + 1
    label = {"R": "W", "W": "R"}[row["label"].item()]
    fields = lines[line].rstrip("\n").split("\t")
    fields[lines[0].rstrip("\n").split("\t").index("label")] = label
    lines[line] = "\t".join(fields) + "\n"
    file.write_text("".join(lines))
    return row["runs"].item()


def add_a_run(folder: Path) -> None:
    """One that answered as the first did, but for its first question, which it leaves unanswered."""
    file = min((folder / "runs").glob("*.tsv"))
    head, first, *lines = file.read_text().splitlines(keepends=True)
    question, _, *fields = first.split("\t")
    file.with_stem("added").write_text("".join([head, "\t".join([question, "", *fields]), *lines]))


def compare_evaluations(title: str, reference: str, ours: dict, theirs: dict) -> dict:
    """Return the row of one evaluation beside another, and print it."""
    row = costs.row(title, reference, [ours["seconds"]], [theirs["seconds"]], ours["gb"])
    print(
        f"    {ours['wall']:.1f} s on the clock, {ours['jobs']} of {theirs['jobs']} jobs",
        flush=True,
    )
    return row | {"wall": ours["wall"], "jobs": [ours["jobs"], theirs["jobs"]]}


def demo(folder: Path) -> list[dict]:
    for part in ("config.yaml", "resources"):
        (folder / part).symlink_to(HOME / part)
    full, repeat = metering.evaluate(folder), metering.evaluate(folder)
    start, _ = costs.cost_of(sys.executable, "-c", "import numpy, polars")
    floor = {"seconds": repeat["seconds"] + full["jobs"] * start.seconds, "jobs": full["jobs"]}
    rows = [
        compare_evaluations("the demo", "Snakemake's start and its jobs' bare starts", full, floor)
    ]
    return [*rows, compare_evaluations("the demo, nothing to do", "evaluating it", repeat, full)]


def measure_changes(
    folder: Path, campaigns: int, runs: int, questions: int, shards: int
) -> list[dict]:
    """Rows of what is changed in the last of equal campaigns.

    Of several campaigns, one judgment is turned and a run is added; of one, a second judgment, too.
    """
    names = [f"c{number}" for number in range(campaigns)]
    metering.simulate(folder / names[0], runs, questions)
    for copy in names[1:]:
        shutil.copytree(folder / names[0], folder / copy)
    configure(folder, names, shards)
    all_of_it = metering.evaluate(folder)
    size = f"{campaigns} campaigns of " * (campaigns > 1) + f"{runs:,} × {questions:,}"

    def repeat(title: str) -> dict:
        evaluation = metering.evaluate(folder)
        title = f"{size}, {title}"
        return compare_evaluations(title, "evaluating it anew", evaluation, all_of_it)

    rows = [repeat("nothing to do")]
    for share in GIVEN_SHARES[: 1 if campaigns > 1 else None]:
        number_of_runs = turn_one_judgment(folder / names[-1], share * runs)
        rows.append(repeat(f"one judgment turned, that {number_of_runs:,} runs gave"))
    add_a_run(folder / names[-1])
    return [*rows, repeat("one run added")]


def scale(folder: Path) -> dict:
    """What every stage costs for a hundred million answers, anew."""
    metering.simulate(folder / "c0", *SCALE)
    configure(folder, ["c0"], SCALE_SHARDS)
    about = dict(zip(("runs", "questions"), SCALE, strict=True))
    return about | {"shards": SCALE_SHARDS, "measures": MEASURES} | metering.evaluate(folder)


OPTIONS = {
    "only": {
        "action": "append",
        "help": "demo, large, many or scale, may be repeated; the first three if left out",
    },
    "runs": {"type": int, "help": "runs of the large campaign, %(default)s if left out"},
    "questions": {"type": int, "help": "its questions, %(default)s if left out"},
    "into": {"type": Path, "help": "the folder for what was measured"},
}


def main(
    only: list[str] | None = None,
    runs: int = SIZE[0],
    questions: int = SIZE[1],
    into: Path | None = None,
) -> None:
    """What the workflow costs beside its work, and what re-scoring costs."""
    result: dict = {"measures": MEASURES, "rows": []}
    for name in only or ["demo", "large", "many"]:
        with tempfile.TemporaryDirectory() as path:
            folder = Path(path)
            if name == "scale":
                costs.write(into, "scale", True, scale(folder))
                continue
            if name == "demo":
                result["rows"] += demo(folder)
            else:
                size = (
                    (1, runs, questions, SHARDS) if name == "large" else (CAMPAIGNS, *MANY_SIZE, 1)
                )
                result["rows"] += measure_changes(folder, *size)
        costs.write(into, "workflow", not only and (runs, questions) == SIZE, result)


if __name__ == "__main__":
    commands.run(__doc__, [main], OPTIONS)
