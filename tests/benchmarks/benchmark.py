"""`make bench`: what the stages cost, as ratios to a bare reference timed in the same run, pair by pair.

A ratio is the median over several pairs (ours, reference), each pair timed one right after the other. The
reference is what nobody could avoid: reading and writing the same files with nothing in between. Every
stage has a process of its own, so that its peak memory is its own too.
"""

import json
import sys
import tempfile
from pathlib import Path

HOME = Path(__file__).resolve().parents[2]
SCRIPTS = HOME / "scripts"
sys.path.insert(0, str(SCRIPTS))
import measured  # noqa: E402
from nonresponse import commands  # noqa: E402

SHARDS = 4
THREADS = {"ingest": 1}  # as in workflow/rules, where its jobs run side by side; the others have all processors
AIMS = {"ingest": 1.4, "judge": 1.6, "score": 3.0}
WHAT = {
    "ingest": ("raw TSV to responses, one thread", "Polars read_csv + write_parquet"),
    "judge": ("responses and judgments to verdicts", "DuckDB join copied to Parquet"),
    "score": ("verdicts to counts and all scores of counts", "Polars group-by of the verdicts"),
}


def ingest(folder: Path) -> dict:
    import polars as pl
    from nonresponse import tables
    from nonresponse.ingest import reading
    from nonresponse.ingest.files import files_of, in_shard

    options = {"format": "tabular"}
    pattern = str(folder / "runs/*.tsv")
    shards = [in_shard(pattern, shard, SHARDS).files for shard in range(SHARDS)]

    def ours():
        for shard, files in enumerate(shards):
            table, _, faults = reading.responses(files, options, "qa")
            assert not faults
            tables.write(table, folder / f"responses/{shard}.parquet")

    def bare():
        files = files_of(pattern)
        frames = [pl.read_csv(file, separator="\t", quote_char=None) for file in files]
        pl.concat(frames, how="vertical_relaxed").write_parquet(folder / "bare.parquet")

    return {"ours": ours, "bare": bare}


def judge(folder: Path) -> dict:
    from nonresponse.database import connect
    from nonresponse.judge import write_verdicts

    sources = {name: [folder / f"{name}.parquet"] for name in ("judgments", "questions")}
    sources["responses"] = sorted((folder / "responses").glob("*.parquet"))

    def ours():
        write_verdicts("qa", sources, folder / "verdicts.parquet")

    def bare():
        connection = connect()
        query = (
            f"SELECT r.*, j.assessor, j.label FROM '{folder}/responses/*.parquet' AS r"
            f" LEFT JOIN '{folder}/judgments.parquet' AS j ON r.question = j.question AND r.answer = j.answer"
        )
        connection.execute(f"COPY ({query}) TO '{folder}/bare.parquet' (FORMAT parquet, COMPRESSION zstd)")

    return {"ours": ours, "bare": bare}


def score(folder: Path) -> dict:
    import polars as pl
    from nonresponse import measures, tasks
    from nonresponse.scoring.score import from_counts
    from nonresponse.scoring.tally import tally

    chosen = [measure for measure in measures.of_task("qa").values() if measure.kind == "counts"]

    def ours():
        total, _, _ = tally(folder / "verdicts.parquet", "qa", tasks.POLICIES)
        return [from_counts(measure, total) for measure in chosen]

    def bare():
        rows = pl.scan_parquet(folder / "verdicts.parquet")
        return rows.group_by("assessor", "run", "verdict").len().collect()

    return {"ours": ours, "bare": bare}


OPTIONS = {
    "runs": {"type": int, "help": "runs of the campaign, %(default)s if left out"},
    "questions": {"type": int, "help": "its questions, %(default)s if left out"},
    "repeat": {"type": int, "help": "pairs that each ratio is the median of, %(default)s if left out"},
    "stage": {"help": "ingest, judge or score"},
    "folder": {"type": Path, "help": "the campaign's files"},
    "into": {"type": Path, "help": "a folder to keep the ratios in"},
}
STAGES = {"ingest": ingest, "judge": judge, "score": score}


def prepare(folder: Path) -> None:
    """The organisers' side of the campaign, as its ingest makes it."""
    from nonresponse import tables
    from nonresponse.ingest import reading

    files = sorted(map(str, folder.glob("judgments/*.tsv")))
    table, _ = reading.judgments(files, {"format": "tabular"}, ["R", "W"], "qa")
    tables.write(table, folder / "judgments.parquet")
    tables.write(reading.questions_judged(table), folder / "questions.parquet")


def stage(stage: str, folder: Path, repeat: int) -> None:
    """Time one stage against its reference; prints JSON."""
    calls = STAGES[stage](folder)
    calls["ours"]()
    peak = measured.peak()
    calls["bare"]()
    print(json.dumps({"times": measured.in_turns(calls, repeat), "peak": peak}))


def main(runs: int = 1000, questions: int = 10000, repeat: int = 5, into: Path | None = None) -> None:
    """Time every stage on a simulated campaign."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        print(f"{runs} runs x {questions} questions = {runs * questions:,} responses; medians of {repeat} pairs")
        measured.apart(
            *[str(HOME / "tools/simulate.py"), "campaign", "--runs", str(runs), "--questions", str(questions)],
            *["--seed", "1", "--into", str(folder)],
        )
        prepare(folder)
        for stage_name in STAGES:
            options = ["--stage", stage_name, "--folder", str(folder), "--repeat", str(repeat)]
            found = json.loads(measured.apart(__file__, "stage", *options, threads=THREADS.get(stage_name)))
            what, reference = WHAT[stage_name]
            ratio = measured.compared(what, reference, found, AIMS[stage_name], memory=4)
            measured.add_ratios(into, {f"{what}, {runs} x {questions}, beside {reference}": ratio})


if __name__ == "__main__":
    arguments = sys.argv[1:] if sys.argv[1:2] == ["stage"] else ["main", *sys.argv[1:]]
    commands.run(__doc__, [main, stage], OPTIONS, arguments)
