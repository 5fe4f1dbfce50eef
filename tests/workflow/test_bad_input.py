"""Bad input through the whole DAG: one report of all faults, exit 1, and what was there before stays."""

import copy
import os
import shutil
import threading
import time
from pathlib import Path

import pytest
from conftest import JUDGMENTS, RUNS, TINY, Project


def refused(project) -> list[str]:
    """The lines of the one report; it is on the terminal and in a file, and nothing from verdicts down is touched."""
    before = project.results()
    run = project.snakemake("--keep-going", check=False)
    assert run.returncode == 1
    kept = ("verdicts", "counts", "scores", "leaderboard", "categories")
    for name, content in before.items():
        if name.startswith(tuple(f"tiny/{part}" for part in kept)):
            assert (project.folder / "results" / name).read_bytes() == content, name
    report = (project.folder / "results/tiny/faults.txt").read_text()
    assert report in run.stderr
    assert not (project.folder / "results/tiny/check.txt").exists()
    assert not list((project.folder / "results").rglob(".*.part"))
    return [line.strip() for line in report.splitlines()]


def test_all_faults_of_all_files_in_one_report_and_the_old_results_stay(tiny):
    tiny.snakemake()
    tiny.write("raw/runs/alpha.tsv", RUNS["alpha"] + "q9\tParis\t0.5\nq1\tParis\t1.5\n")
    tiny.write("raw/runs/beta.tsv", RUNS["beta"].replace("0.7", "high") + "q4\n")
    tiny.write("raw/runs/delta.tsv", "")
    (tiny.folder / "raw/runs/epsilon.tsv").write_bytes(b"question\tanswer\nq1\tM\xfcnchen\n")
    tiny.write("raw/judgments.tsv", JUDGMENTS + "q1\tParis\tW\nq2\tTurin\tQ\n")
    report = refused(tiny)
    assert report[0] == "tiny: 9 faults in 5 files"
    assert (
        report[1:-1]
        == [
            "raw/judgments.tsv:9: found the label 'W' for an answer that has another on an earlier line; "
            "expected one judgment for an answer and assessor",
            "raw/judgments.tsv:10: found the label 'Q'; expected one of R, W, U, X",
            "raw/runs/alpha.tsv:6: found the question 'q9'; expected a question of the question set "
            "(`questions:` in config.yaml, else what the judgments mention)",
            "raw/runs/alpha.tsv:7: found a second response for question 'q1'; expected one only",
            "raw/runs/alpha.tsv:7: found the confidence 1.5; expected a number from 0 to 1",
            "raw/runs/beta.tsv:4: found the confidence 'high'; expected a number",
            "raw/runs/beta.tsv:5: found 1 fields; expected 3 fields, as in the first line",
            "raw/runs/delta.tsv: found an empty file; expected at least one line",
            "raw/runs/epsilon.tsv:2: found the byte 0xfc at column 5; expected UTF-8 text",
        ]
        or len(report) == 11
    )
    tiny.write("raw/runs/alpha.tsv", RUNS["alpha"])
    tiny.write("raw/runs/beta.tsv", RUNS["beta"])
    tiny.write("raw/judgments.tsv", JUDGMENTS)
    for run in ("delta", "epsilon"):
        (tiny.folder / f"raw/runs/{run}.tsv").unlink()
    tiny.snakemake()
    assert not (tiny.folder / "results/tiny/faults.txt").exists()


def test_a_run_named_like_another(tiny):
    tiny.write("raw/runs/other.tsv", "question\tanswer\trun\nq1\tParis\talpha\nq1\tParis\tAlpha\n")
    report = refused(tiny)
    assert report[0] == "tiny: 1 fault in 1 file"
    assert "raw/runs/other.tsv:2: found the run 'alpha', named like one in raw/runs/alpha.tsv" in report[1]


def test_two_assessors_and_no_word_which_is_official(tiny):
    tiny.write("raw/more.tsv", JUDGMENTS)
    config = copy.deepcopy(TINY)
    config["judgments"]["files"] = "raw/*.tsv"
    tiny.configure(tiny=config)
    assert "found judgments of judgments, more; expected a key `official`" in refused(tiny)[1]
    config["judgments"]["official"] = "adjudicated"
    tiny.configure(tiny=config)
    assert "found no judgments of 'adjudicated'; expected one of judgments, more as `official`" in refused(tiny)[1]
    config["judgments"]["official"] = "more"
    tiny.configure(tiny=config)
    tiny.snakemake()


def test_documents_in_the_judgments_only(tiny):
    tiny.write(
        "raw/judgments.tsv",
        JUDGMENTS.replace("label", "label\tdocument")
        .replace("R\n", "R\tD1\n")
        .replace("W\n", "W\tD2\n")
        .replace("X\n", "X\tD3\n"),
    )
    assert "found judgments that name documents, runs that name none" in refused(tiny)[1]


def test_a_judgment_of_a_question_outside_the_question_set(tiny):
    tiny.write("raw/questions.csv", "question\nq1\nq2\nq3\n")
    tiny.configure(tiny=TINY | {"questions": "raw/questions.csv"})
    report = refused(tiny)
    assert report[0] == "tiny: 4 faults in 3 files"
    assert any(line.startswith("raw/judgments.tsv:7: found the question 'q4'") for line in report)


def test_graded_responses(tiny):
    tiny.write("raw/graded.csv", "question,run,verdict\n1,a,correct\n1,a,correct\n2,a,rihgt\n,a,wrong\n")
    tiny.configure(tiny={"task": "qa", "graded": {"format": "tabular", "files": "raw/graded.csv"}, "measures": ["c@1"]})
    report = refused(tiny)
    assert report[0] == "tiny: 3 faults in 1 file"
    assert [line.partition(" found ")[0] for line in report[1:4]] == [f"raw/graded.csv:{line}:" for line in (3, 4, 5)]


def test_a_table_of_counts(tiny):
    tiny.write("raw/counts.csv", "run,n_ac,n_aw,n_u,n\na,1,2,3,6\na,1,2,3,6\nb,-1,2,x,6\n../c,1,2,3,6\n")
    tiny.configure(tiny={"task": "qa", "counts": "raw/counts.csv", "measures": ["c@1"]})
    report = refused(tiny)
    assert report[0] == "tiny: 4 faults in 1 file"
    tiny.write("raw/counts.csv", "run,n_ac,n_aw,n_u,n\na,1,2,3,7\n")
    assert "found n = 7 beside n_ac + n_aw + n_u = 6" in refused(tiny)[1]


def test_a_baseline_that_is_no_run_leaves_the_old_leaderboard(tiny):
    tiny.snakemake()
    tiny.configure(tiny=TINY | {"baseline": "omega"})
    assert refused(tiny)[1] == (
        "config.yaml: found the baseline 'omega'; expected a run of the campaign: 'alpha', 'beta', 'gamma'"
    )
    assert (tiny.folder / "results/tiny/leaderboard.md").exists()


def test_a_fault_in_one_campaign_keeps_no_other_from_its_leaderboard(tiny):
    tiny.write("raw/runs/alpha.tsv", RUNS["alpha"] + "q9\t\t\n")
    other = {"task": "qa", "graded": {"format": "tabular", "files": "raw/graded.csv"}, "measures": ["c@1"]}
    tiny.write("raw/graded.csv", "question,run,verdict\n1,a,correct\n")
    tiny.write("raw/counts.csv", "run,n_ac,n_aw,n_u\na,1,2,x\n")
    tiny.configure(tiny=TINY, third={"task": "qa", "counts": "raw/counts.csv", "measures": ["c@1"]}, other=other)
    run = tiny.snakemake("--keep-going", check=False)
    assert run.returncode == 1
    assert "tiny: 1 fault in 1 file" in run.stderr and "third: 1 fault in 1 file" in run.stderr
    assert (tiny.folder / "results/other/leaderboard.md").exists()


def test_what_matches_and_is_no_file_is_a_fault_of_its_campaign_alone(tiny):
    runs = tiny.folder / "raw/runs"
    (runs / "dangling.tsv").symlink_to("gone")
    (runs / "folder.tsv").mkdir()
    os.mkfifo(runs / "pipe.tsv")
    Path(os.fsdecode(os.fsencode(runs) + b"/\xff.tsv")).write_text(RUNS["beta"])
    tiny.write("raw/runs/alpha.tsv", RUNS["alpha"] + "q9\t\t\n")
    (tiny.folder / "raw/gold").mkdir()
    (tiny.folder / "raw/gold/only.tsv").symlink_to("gone")
    tiny.write("raw/graded.csv", "question,run,verdict\n1,a,correct\n")
    tiny.configure(
        tiny=TINY | {"shards": 40},  # some shards hold nothing but one of these
        gold=TINY | {"judgments": {"format": "tabular", "files": "raw/gold/*.tsv"}},
        other={"task": "qa", "graded": {"format": "tabular", "files": "raw/graded.csv"}, "measures": ["c@1"]},
    )
    report = [line for line in refused(tiny) if " found " in line]
    assert [line.partition("; ")[0] for line in report] == [
        "raw/runs/\\xff.tsv: found a name that is not UTF-8",
        "raw/runs/alpha.tsv:6: found the question 'q9'",
        "raw/runs/dangling.tsv: found a link that leads nowhere",
        "raw/runs/folder.tsv: found a folder",
        "raw/runs/pipe.tsv: found a named pipe",
    ]
    assert "raw/gold/only.tsv: found a link that leads nowhere" in (tiny.folder / "results/gold/faults.txt").read_text()
    assert (tiny.folder / "results/other/leaderboard.md").exists()
    for name in ("dangling.tsv", "pipe.tsv", os.fsdecode(b"\xff.tsv")):
        (runs / name).unlink()
    (runs / "folder.tsv").rmdir()
    tiny.write("raw/runs/alpha.tsv", RUNS["alpha"])
    tiny.configure(tiny=TINY)
    tiny.snakemake()


def test_one_uneven_line_hides_no_other_fault(tiny):
    tiny.write("raw/runs/alpha.tsv", RUNS["alpha"] + "q9\tParis\nq2\tRome\t1.9\nq8\t\t\n\n")
    assert [line.partition(": found ")[2].partition(";")[0] for line in refused(tiny)[1:-1]] == [
        "2 fields",
        "a second response for question 'q2'",
        "the confidence 1.9",
        "the question 'q8'",
    ]


def test_graded_pairs_whose_truth_depends_on_the_run(tiny):
    text = "question,run,candidate,verdict,category\n1,a,x,tp,who\n1,b,x,fp,when\n2,a,x,correct,who\n"
    tiny.write("raw/graded.csv", text)
    graded = {"format": "tabular", "files": "raw/graded.csv"}
    tiny.configure(tiny={"task": "validation", "graded": graded, "measures": ["c@1"]})
    assert [line.partition(" found ")[2].partition(";")[0] for line in refused(tiny)[1:-1]] == [
        "another category of question '1' than on an earlier line",
        "another truth of question '1' than on an earlier line",
        "the verdict 'correct'",
    ]


@pytest.mark.parametrize("shards", [1, 8])
def test_a_truth_that_depends_on_the_file_however_the_files_are_spread(tiny, shards):
    for run, verdict in (("one", "tp"), ("three", "tp"), ("two", "fp")):
        tiny.write(f"raw/{run}.csv", f"question,candidate,verdict\n0,x,tn\n1,x,{verdict}\n")
    graded = {"format": "tabular", "files": "raw/*.csv"}
    tiny.configure(tiny={"task": "validation", "graded": graded, "measures": ["c@1"], "shards": shards})
    found = "raw/two.csv:3: found another truth of question '1' than on an earlier line; expected the same for all runs"
    assert refused(tiny)[1:-1] == [found]


def test_a_gold_column_that_is_not_there(tiny):
    tiny.write("raw/graded.csv", "question,m1,answer\n1,A,A\n")
    graded = {"format": "tabular", "files": "raw/graded.csv", "layout": "wide", "gold": "answr"}
    tiny.configure(tiny={"task": "qa", "graded": graded, "measures": ["c@1"]})
    assert "no column 'answr' among 'question', 'm1', 'answer'" in refused(tiny)[1]


def test_files_that_change_while_the_workflow_runs_and_are_put_back(tiny, tmp_path_factory):
    """Nothing is scored from what Snakemake did not see; once the files rest, the scores are theirs."""
    paths = list((tiny.folder / "raw").rglob("*.tsv"))
    right = {path: path.read_bytes() for path in paths}
    first = tiny.folder / "results/tiny/read"

    def exchange():
        while not first.is_dir():  # the first of four jobs that read has ended
            time.sleep(0.01)
        for path in paths:
            path.write_bytes(right[path].replace(b"Paris", b"Turin"))

    changing = threading.Thread(target=exchange)
    changing.start()
    run = tiny.snakemake("--keep-going", cores=1, check=False)
    changing.join()
    assert run.returncode == 1 and "changed while it was read" in run.stderr
    assert not (tiny.folder / "results/tiny/verdicts.parquet").exists()
    for path, content in right.items():
        path.write_bytes(content)
    tiny.snakemake()
    again = Project(tmp_path_factory.mktemp("again"))
    shutil.copytree(tiny.folder / "raw", again.folder / "raw")
    again.write("config.yaml", (tiny.folder / "config.yaml").read_text())
    again.snakemake()
    assert tiny.results() == again.results()
