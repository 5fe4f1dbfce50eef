"""`make bench`, the stages: from raw files to counts by Snakemake, beside bare references for each stage and for all.

The references are what nobody could avoid: reading and writing the same files with nothing in between, a join, a
group-by; of all together, one streaming query of Polars from the same raw files to the same counts, the floor. Ours are
the workflow's own jobs, with the starts of their processes; the references have a process each, without its start.
All take turns.
"""

import json
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import measured
import metering
import polars as pl
import yaml
from nonresponse import commands

SIZE = (1000, 10000)
CONFIG = {
    "task": "qa",
    "runs": {"format": "tabular", "files": "raw/runs/*.tsv"},
    "judgments": {"format": "tabular", "files": "raw/judgments/*.tsv"},
    "measures": ["c@1"],
    "shards": 4,
}
# Of each row: the stages of ours, what they do, and the reference.
ROWS = {
    "ingest": ("raw TSV to responses and judgments", "read", "Polars read_csv and write_parquet"),
    "judge": ("responses and judgments to verdicts", "join", "a DuckDB join copied to Parquet"),
    "tally": ("verdicts to counts and outcomes", "group", "a Polars group-by of as many verdicts"),
    "": ("raw files to counts, Snakemake and all its jobs", "floor", "one streaming query of Polars"),
}


def read(folder: Path) -> None:
    files = sorted((folder / "raw/runs").glob("*.tsv"))
    runs = [table(pl.read_csv, file).with_columns(run=pl.lit(file.stem)) for file in files]
    pl.concat(runs, how="vertical_relaxed").write_parquet(folder / "runs.parquet")
    table(pl.read_csv, folder / "raw/judgments/*.tsv").write_parquet(folder / "judgments.parquet")


def table(reader: Callable, path: Path, **options) -> pl.DataFrame | pl.LazyFrame:
    return reader(path, separator="\t", quote_char=None, schema_overrides={"answer": pl.String}, **options)


def join(folder: Path) -> None:
    from nonresponse.database import connect

    query = f"SELECT r.*, label FROM '{folder}/runs.parquet' AS r LEFT JOIN '{folder}/judgments.parquet'"
    connect().execute(f"COPY ({query} USING (question, answer)) TO '{folder}/joined.parquet' (COMPRESSION zstd)")


def group(folder: Path) -> None:
    pl.scan_parquet(folder / "joined.parquet").group_by("run", "label", pl.col("answer").is_null()).len().collect()


def floor(folder: Path) -> None:
    """Right, wrong and unanswered by run; what was not judged is wrong."""
    judged = table(pl.scan_csv, folder / "raw/judgments/*.tsv")
    runs = table(pl.scan_csv, folder / "raw/runs/*.tsv", include_file_paths="run")
    right, given = (pl.col("label") == "R").fill_null(False), pl.col("answer").is_not_null()
    joined = runs.join(judged, on=["question", "answer"], how="left")
    counts = joined.group_by("run").agg(n_ac=(given & right).sum(), n_aw=(given & ~right).sum())
    counts.collect(engine="streaming").write_parquet(folder / "floor.parquet")


REFERENCES = {call.__name__: call for call in (read, join, group, floor)}


def reference(reference: str, folder: Path) -> None:
    """One call of a reference; prints its CPU seconds and its memory as JSON."""
    seconds = measured.cpu_in(lambda: REFERENCES[reference](folder))
    print(json.dumps({"seconds": seconds, "gb": measured.peak()}))


def same_counts(folder: Path) -> None:
    """Ends the benchmark where the floor does not have our counts."""
    ours = pl.read_parquet(folder / "results/large/counts.parquet").select("run", "n_ac", "n_aw").sort("run")
    name = pl.col("run").str.split("/").list.last().str.strip_suffix(".tsv")
    theirs = pl.read_parquet(folder / "floor.parquet").with_columns(run=name).sort("run")
    if not ours.equals(theirs.cast(ours.schema)):
        raise SystemExit(f"the floor's counts differ:\n{ours}\n{theirs}")


def main(
    runs: int = SIZE[0], questions: int = SIZE[1], rounds: int = 3, full: bool = False, into: Path | None = None
) -> None:
    """Time every stage on a simulated campaign."""
    rounds, ours, theirs = 5 if full else rounds, [], []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        metering.simulate(folder / "raw", runs, questions)
        alone = {"campaigns": {"large": CONFIG}, "reliability": {"analyses": []}}
        (folder / "config.yaml").write_text(yaml.safe_dump(alone))
        for _ in range(rounds):
            shutil.rmtree(folder / "results", ignore_errors=True)
            ours.append(metering.evaluated(folder, "results/large/counts.parquet"))
            which = [name for _, name, _ in ROWS.values()]
            options = ["--folder", str(folder), "--reference"]
            theirs.append({name: measured.apart(__file__, "reference", *options, name) for name in which})
            same_counts(folder)
    rows = []
    for command, (what, its, beside) in ROWS.items():
        stages = [[used for stage, used in each["stages"].items() if stage.startswith(command)] for each in ours]
        seconds = [sum(used["seconds"] for used in each) for each in stages]
        gb = max(used["bytes"] for each in stages for used in each) / 1e9
        bare = [each[its]["seconds"] for each in theirs]
        size = f"{runs:,} × {questions:,}"
        rows.append(measured.row(f"{size}, {what}", beside, seconds, bare, gb))
        rows[-1]["gb_theirs"] = max(each[its]["gb"] for each in theirs)
    complete = (runs, questions) == SIZE
    measured.write(into, "stages", complete, {"rounds": rounds, "rows": rows})


OPTIONS = {
    "runs": {"type": int, "help": "runs of the campaign, %(default)s if left out"},
    "questions": {"type": int, "help": "its questions, %(default)s if left out"},
    "rounds": {"type": int, "help": "rounds that each ratio is the median of, %(default)s if left out"},
    "full": {"action": "store_true", "help": "five rounds"},
    "reference": {"choices": REFERENCES, "help": "what is called"},
    "folder": {"type": Path, "help": "the campaign's files"},
    "into": {"type": Path, "help": "the folder for what was measured"},
}

if __name__ == "__main__":
    arguments = sys.argv[1:] if sys.argv[1:2] == ["reference"] else ["main", *sys.argv[1:]]
    commands.run(__doc__, [main, reference], OPTIONS, arguments)
