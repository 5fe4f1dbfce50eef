"""Bad input in the whole DAG: one report of all faults, exit 1, old results stay."""

import os
import time
from pathlib import Path

import pytest
from conftest import JUDGMENTS, RUNS, SMALL, TINY, tiny_campaign

pytestmark = pytest.mark.slow


def read_report(project, printed: str, campaign: str) -> list[str]:
    """The lines of a campaign's one report, which is on the terminal and in a file."""
    text = (project.folder / f"results/{campaign}/faults.txt").read_text()
    assert text in printed
    assert not (project.folder / f"results/{campaign}/check.txt").exists()
    return [line.strip() for line in text.splitlines()]


def test_one_run_reports_all_faults_of_all_campaigns_and_the_old_results_stay(evaluated_tiny):
    """No --keep-going; the last line names the reports; sound campaigns are evaluated."""
    tiny = evaluated_tiny
    tiny.write("raw/runs/alpha.tsv", RUNS["alpha"] + "q9\tParis\t0.5\nq1\tParis\t1.5\n")
    tiny.write("raw/runs/beta.tsv", RUNS["beta"].replace("0.7", "high") + "q4\n")
    tiny.write("raw/runs/delta.tsv", "")
    (tiny.folder / "raw/runs/epsilon.tsv").write_bytes(b"question\tanswer\nq1\tM\xfcnchen\n")
    tiny.write("raw/judgments.tsv", JUDGMENTS + "q1\tParis\tW\nq2\tTurin\tQ\n")
    counts = {"task": "qa", "measures": ["c@1"]}
    for name, n in (("sum", 7), ("sound", 6)):
        tiny.write(f"{name}.csv", f"run,n_ac,n_aw,n_u,n\na,1,2,3,{n}\n")
    results = tiny.results()
    tiny.configure(tiny=TINY, **{n: counts | {"counts": f"{n}.csv"} for n in ("sum", "sound")})
    run = tiny.snakemake(check=False)
    assert run.returncode == 1 and not list((tiny.folder / "results").rglob(".*.part"))
    report = read_report(tiny, run.stderr, "tiny")
    assert report[0] == "tiny: 8 faults in 5 files"
    assert [line.partition(": found")[0] for line in report[1:-1]] == [
        *(f"raw/judgments.tsv:{line}" for line in (9, 10)),
        *("raw/runs/alpha.tsv:7", "raw/runs/alpha.tsv:7", "raw/runs/beta.tsv:4"),
        *("raw/runs/beta.tsv:5", "raw/runs/delta.tsv", "raw/runs/epsilon.tsv:2"),
    ]
    assert read_report(tiny, run.stderr, "sum")[0] == "sum: 1 fault in 1 file"
    reports = "results/tiny/faults.txt, results/sum/faults.txt"
    summary = f"Faults in the files of 2 of 3 campaigns: {reports}\n"
    assert run.stderr.count(summary) == 1
    assert (tiny.folder / "results/sound/leaderboard.md").exists()
    for part in ("verdicts", "counts", "scores", "leaderboard", "categories"):
        for name in (name for name in results if name.startswith(f"tiny/{part}")):
            assert (tiny.folder / "results" / name).read_bytes() == results[name], name
    tiny_campaign(tiny)
    for run in ("delta", "epsilon"):
        (tiny.folder / f"raw/runs/{run}.tsv").unlink()
    tiny.snakemake("results/tiny/check.txt")
    assert not (tiny.folder / "results/tiny/faults.txt").exists()


def test_what_matches_and_is_no_file_is_a_fault_of_its_campaign_alone(tiny):
    runs = tiny.folder / "raw/runs"
    (runs / "dangling.tsv").symlink_to("gone")
    os.mkfifo(runs / "pipe.tsv")
    Path(os.fsdecode(os.fsencode(runs) + b"/\xff.tsv")).write_text(RUNS["beta"])
    tiny.write("raw/runs/alpha.tsv", RUNS["alpha"] + "q9\t\t\n")
    (tiny.folder / "raw/gold").mkdir()
    (tiny.folder / "raw/gold/only.tsv").symlink_to("gone")
    tiny.write("raw/graded.csv", "question,run,verdict\n1,a,correct\n")
    gold = {"format": "tabular", "files": "raw/gold/*.tsv"}
    graded = {"task": "qa", "graded": {"format": "tabular", "files": "raw/graded.csv"}}
    tiny.configure(
        tiny=TINY | SMALL | {"shards": 40},  # some shards hold nothing but one of these
        gold=TINY | SMALL | {"judgments": gold},
        other=graded | {"measures": ["c@1"]},
    )
    run = tiny.snakemake(check=False)
    report = read_report(tiny, run.stderr, "tiny")
    assert [line.partition("; ")[0] for line in report if " found " in line] == [
        "raw/runs/\\xff.tsv: found a name that is not UTF-8",
        "raw/runs/alpha.tsv:6: found the question 'q9'",
        "raw/runs/dangling.tsv: found a link that leads nowhere",
        "raw/runs/pipe.tsv: found a named pipe",
    ]
    faults = (tiny.folder / "results/gold/faults.txt").read_text()
    assert "raw/gold/only.tsv: found a link that leads nowhere" in faults
    assert (tiny.folder / "results/other/leaderboard.md").exists()


def test_a_file_whose_time_lies_ahead(tiny):
    """Snakemake would take the results for older than the file, and remove them."""
    path = tiny.folder / "raw/judgments.tsv"
    ahead = time.time() + 3600
    os.utime(path, (ahead, ahead))
    run = tiny.snakemake(check=False)
    assert run.returncode and f"  touch {path.relative_to(tiny.folder)}" in run.stderr.splitlines()
    os.utime(path)
    tiny.snakemake("results/tiny/check.txt")
