"""`make bench`, from raw files to counts: Snakemake and all its jobs, beside one streaming query of
Polars.

The query reads the same files, has the same counts and checks nothing: the floor. Ours is with the
starts of its processes, the floor without. Both take turns.
"""

import json
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import costs
import metering
import polars as pl
import yaml

import commands

SIZE = (1000, 10000)
CONFIG = {
    "task": "qa",
    "runs": {"format": "tabular", "files": "raw/runs/*.tsv"},
    "judgments": {"format": "tabular", "files": "raw/judgments/*.tsv"},
    "measures": ["c@1"],
    "shards": 4,
}
COUNTS = "results/large/counts.parquet"  # what Snakemake is asked for: run, n_ac, n_aw and more


def table(reader: Callable, path: Path, **options) -> pl.DataFrame | pl.LazyFrame:
    return reader(
        path, separator="\t", quote_char=None, schema_overrides={"answer": pl.String}, **options
    )


def floor(folder: Path) -> None:
    """Right, wrong and unanswered by run; what was not judged is wrong."""
    labels = table(pl.scan_csv, folder / "raw/judgments/*.tsv")
    runs = table(pl.scan_csv, folder / "raw/runs/*.tsv", include_file_paths="run")
    right, has_answer = (pl.col("label") == "R").fill_null(False), pl.col("answer").is_not_null()
    responses = runs.join(labels, on=["question", "answer"], how="left")
    counts = responses.group_by("run").agg(
        n_ac=(has_answer & right).sum(), n_aw=(has_answer & ~right).sum()
    )
    counts.collect(engine="streaming").write_parquet(folder / "floor.parquet")


def reference(folder: Path) -> None:
    """Print the CPU seconds and the memory of the floor as JSON."""
    start = time.monotonic()
    seconds = costs.cpu_in(lambda: floor(folder))
    print(json.dumps({"seconds": seconds, "gb": costs.peak(), "wall": time.monotonic() - start}))


def same_counts(folder: Path) -> None:
    """Ends the benchmark where the floor does not have our counts."""
    ours = pl.read_parquet(folder / COUNTS).select("run", "n_ac", "n_aw").sort("run")
    name = pl.col("run").str.split("/").list.last().str.strip_suffix(".tsv")
    theirs = pl.read_parquet(folder / "floor.parquet").with_columns(run=name).sort("run")
    if not ours.equals(theirs.cast(ours.schema)):
        raise SystemExit(f"the floor's counts differ:\n{ours}\n{theirs}")


def raw_to_counts(runs: int, questions: int, rounds: int) -> dict:
    """Return the row of a simulated campaign of this size."""
    ours, theirs = [], []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        metering.simulate(folder / "raw", runs, questions)
        alone = {"campaigns": {"large": CONFIG}, "reliability": {"analyses": []}}
        (folder / "config.yaml").write_text(yaml.safe_dump(alone))
        for _ in range(rounds):
            shutil.rmtree(folder / "results", ignore_errors=True)
            ours.append(metering.evaluate(folder, COUNTS))
            theirs.append(costs.run_apart(__file__, "reference", "--folder", str(folder)))
            same_counts(folder)
    seconds = [[cost["seconds"] for cost in kind] for kind in (ours, theirs)]
    gb = max(cost["gb"] for cost in ours)
    title = f"{runs:,} × {questions:,}, raw files to counts"
    row = costs.row(title, "one streaming query of Polars", *seconds, gb)
    row |= {"wall": statistics.median(cost["wall"] for cost in ours), "jobs": [ours[0]["jobs"]] * 2}
    return row | {"gb_theirs": max(cost["gb"] for cost in theirs)}


def main(
    runs: int = SIZE[0], questions: int = SIZE[1], rounds: int = 3, into: Path | None = None
) -> None:
    """Time a simulated campaign from raw files to counts."""
    row = raw_to_counts(runs, questions, rounds)
    costs.write(into, "stages", (runs, questions) == SIZE, {"rounds": rounds, "rows": [row]})


OPTIONS = {
    "runs": {"type": int, "help": "runs of the campaign, %(default)s if left out"},
    "questions": {"type": int, "help": "its questions, %(default)s if left out"},
    "rounds": {
        "type": int,
        "help": "rounds that each ratio is the median of, %(default)s if left out",
    },
    "folder": {"type": Path, "help": "the campaign's files"},
    "into": {"type": Path, "help": "the folder for what was measured"},
}

if __name__ == "__main__":
    arguments = sys.argv[1:] if sys.argv[1:2] == ["reference"] else ["main", *sys.argv[1:]]
    commands.run(__doc__, [main, reference], OPTIONS, arguments)
