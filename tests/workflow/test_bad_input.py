"""Bad input through the whole DAG: one report of all faults, exit 1, and what was there before stays."""

import os
import time
from pathlib import Path

import pytest
from configured import reported
from conftest import JUDGMENTS, RUNS, SMALL, TINY, Project


def report(project, said: str, campaign: str) -> list[str]:
    """The lines of a campaign's one report, which is on the terminal and in a file."""
    text = (project.folder / f"results/{campaign}/faults.txt").read_text()
    assert text in said
    assert not (project.folder / f"results/{campaign}/check.txt").exists()
    return [line.strip() for line in text.splitlines()]


def refused(project) -> list[str]:
    """The report on `tiny`; nothing from verdicts down is touched."""
    before = project.results()
    run = project.snakemake(check=False)
    assert run.returncode == 1
    kept = ("verdicts", "counts", "scores", "leaderboard", "categories")
    for name, content in before.items():
        if name.startswith(tuple(f"tiny/{part}" for part in kept)):
            assert (project.folder / "results" / name).read_bytes() == content, name
    assert not list((project.folder / "results").rglob(".*.part"))
    return report(project, run.stderr, "tiny")


# Campaigns that differ from the tiny one in some files and keys; {} stands for the folder of a campaign's files.
WITH_DOCUMENTS = JUDGMENTS.replace("label", "label\tdocument")
for word, document in (("R", "D1"), ("W", "D2"), ("X", "D3")):
    WITH_DOCUMENTS = WITH_DOCUMENTS.replace(f"{word}\n", f"{word}\t{document}\n")
TWO = {"format": "tabular", "files": "{}/*.tsv"}
QA = {"task": "qa", "graded": {"format": "tabular", "files": "{}/graded.csv"}}
PAIRS = {"task": "validation", "graded": {"format": "tabular", "files": "{}/*.csv"}}
COUNTS = {"task": "qa", "counts": "{}/counts.csv"}
TRUTHS = {
    f"{run}.csv": f"question,candidate,verdict\n0,x,tn\n1,x,{verdict}\n"
    for run, verdict in (("one", "tp"), ("three", "tp"), ("two", "fp"))
}
CAMPAIGNS = {
    "same-name": ({"runs/other.tsv": "question\tanswer\trun\nq1\tParis\talpha\nq1\tParis\tAlpha\n"}, {}),
    "two-assessors": ({"more.tsv": JUDGMENTS}, {"judgments": TWO}),
    "another-official": ({"more.tsv": JUDGMENTS}, {"judgments": TWO | {"official": "adjudicated"}}),
    "official": ({"more.tsv": JUDGMENTS}, {"judgments": TWO | {"official": "more"}}),
    "documents": ({"judgments.tsv": WITH_DOCUMENTS}, {}),
    "outside": ({"questions.csv": "question\nq1\nq2\nq3\n"}, {"questions": "{}/questions.csv"}),
    "uneven": ({"runs/alpha.tsv": RUNS["alpha"] + "q9\tParis\nq2\tRome\t1.9\nq8\t\t\n\n"}, {}),
    "graded": ({"graded.csv": "question,run,verdict\n1,a,correct\n1,a,correct\n2,a,rihgt\n,a,wrong\n"}, QA),
    "gold": (
        {"graded.csv": "question,m1,answer\n1,A,A\n"},
        QA | {"graded": QA["graded"] | {"layout": "wide", "gold": "answr"}},
    ),
    "pairs": (
        {"graded.csv": "question,run,candidate,verdict,category\n1,a,x,tp,who\n1,b,x,fp,when\n2,a,x,correct,who\n"},
        PAIRS,
    ),
    "truth-1": (TRUTHS, PAIRS | {"shards": 1}),
    "truth-8": (TRUTHS, PAIRS | {"shards": 8}),
    "counts": ({"counts.csv": "run,n_ac,n_aw,n_u,n\na,1,2,3,6\na,1,2,3,6\nb,-1,2,x,6\n../c,1,2,3,6\n"}, COUNTS),
    "sum": ({"counts.csv": "run,n_ac,n_aw,n_u,n\na,1,2,3,7\n"}, COUNTS),
    "named-runs": ({}, {"baseline": "psi", "systems": {"s": ["alpha", "omega"]}}),
    "no-fault": ({"graded.csv": "question,run,verdict\n1,a,correct\n"}, QA),
}
OF_RUNS = {"runs": {"format": "tabular", "files": "{}/runs/*.tsv"}, "judgments": {**TWO, "files": "{}/judgments.tsv"}}


def placed(value, folder: str):
    """The configuration with its files in a folder."""
    if isinstance(value, dict):
        return {key: placed(part, folder) for key, part in value.items()}
    return value.replace("{}", folder) if isinstance(value, str) else value


def written(project: Project, name: str) -> dict:
    """The configuration of one of them, whose files are written."""
    files, keys = CAMPAIGNS[name]
    if "task" not in keys:
        files = {f"runs/{run}.tsv": text for run, text in RUNS.items()} | {"judgments.tsv": JUDGMENTS} | files
        keys = {"task": "qa"} | SMALL | OF_RUNS | keys
    for file, text in files.items():
        project.write(f"raw/{name}/{file}", text)
    return {"measures": ["c@1"]} | placed(keys, f"raw/{name}")


@pytest.mark.slow
def test_one_run_reports_all_faulty_campaigns(project):
    """Without --keep-going; the last line names the reports, and campaigns without faults are evaluated."""
    sound, faulty = ["official", "no-fault"], ["uneven", "sum"]
    project.configure(**{name: written(project, name) for name in [*sound, *faulty]})
    run = project.snakemake(check=False)
    assert run.returncode == 1 and not list((project.folder / "results").rglob(".*.part"))
    assert report(project, run.stderr, "uneven")[0] == "uneven: 4 faults in 1 file"
    assert report(project, run.stderr, "sum")[0] == "sum: 1 fault in 1 file"
    reports = ", ".join(f"results/{name}/faults.txt" for name in faulty)
    last = f"Faults in the files of 2 of 4 campaigns: {reports}; on one page: results/faults.html\n"
    assert run.stderr.count(last) == 1
    assert {path.parent.name for path in (project.folder / "results").glob("*/leaderboard.md")} == {*sound}
    shown = (project.folder / "results/faults.html").read_text()
    assert shown.count('<section class="faulty">') == 2 and 'href="#no-fault"' in shown


@pytest.fixture
def lines_of(project, monkeypatch):
    """A function from the name of one of them to the lines of its report; in this process."""
    monkeypatch.chdir(project.folder)
    return lambda name: reported(name, written(project, name), project.folder)


def found(lines: list[str]) -> list[str]:
    return [line.partition(" found ")[2].partition(";")[0] for line in lines if " found " in line]


def test_a_run_named_like_another(lines_of):
    first, second, *_ = lines_of("same-name")
    assert first == "same-name: 1 fault in 1 file"
    expected = "raw/same-name/runs/other.tsv:2: found the run 'alpha', named like one in raw/same-name/runs/alpha.tsv"
    assert expected in second


def test_two_assessors_and_no_word_which_is_official(lines_of):
    said = "found judgments of judgments, more; expected a key `official`"
    assert said in lines_of("two-assessors")[1]
    said = "found no judgments of 'adjudicated'; expected one of judgments, more as `official`"
    assert said in lines_of("another-official")[1]
    assert lines_of("official") == []


def test_documents_in_the_judgments_only(lines_of):
    assert "found judgments that name documents, runs that name none" in lines_of("documents")[1]


def test_a_judgment_of_a_question_outside_the_question_set(lines_of):
    lines = lines_of("outside")
    assert lines[0] == "outside: 4 faults in 3 files"
    assert any(line.startswith("raw/outside/judgments.tsv:7 (and line 8): found the question 'q4'") for line in lines)


def test_graded_responses(lines_of):
    lines = lines_of("graded")
    assert lines[0] == "graded: 3 faults in 1 file"
    places = [line.partition(" found ")[0] for line in lines[1:4]]
    assert places == [f"raw/graded/graded.csv:{line}:" for line in (3, 4, 5)]


def test_runs_that_the_configuration_names_and_that_there_are_not(lines_of):
    lines = [line for line in lines_of("named-runs") if " found " in line]
    assert {line.partition(":")[0] for line in lines} == {"config.yaml"}
    assert sorted(found(lines)) == ["the baseline 'psi'", "the run 'omega' in systems.s"]


def test_a_table_of_counts(lines_of):
    assert lines_of("counts")[0] == "counts: 3 faults in 1 file"
    assert "found n = 7 beside n_ac + n_aw + n_u = 6" in lines_of("sum")[1]


def test_one_uneven_line_hides_no_other_fault(lines_of):
    assert found(lines_of("uneven")) == [
        "2 fields",
        "a second response for question 'q2'",
        "the confidence 1.9",
        "the question 'q8'",
    ]


def test_graded_pairs_whose_truth_depends_on_the_run(lines_of):
    assert found(lines_of("pairs")) == [
        "another category of question '1' than on an earlier line",
        "another truth of question '1' than on an earlier line",
        "the verdict 'correct'",
    ]


@pytest.mark.parametrize("shards", [1, 8])
def test_a_truth_that_depends_on_the_file_however_the_files_are_spread(lines_of, shards):
    said = "found another truth of question '1' than on an earlier line; expected the same for all runs"
    said += f"; the first is on line 3 of raw/truth-{shards}/one.csv"
    assert f"raw/truth-{shards}/two.csv:3: {said}" in lines_of(f"truth-{shards}")


def test_a_gold_column_that_is_not_there(lines_of):
    assert "no column 'answr' among 'question', 'm1', 'answer'" in lines_of("gold")[1]


@pytest.mark.slow
def test_all_faults_of_all_files_in_one_report_and_the_old_results_stay(evaluated_tiny):
    tiny = evaluated_tiny
    tiny.write("raw/runs/alpha.tsv", RUNS["alpha"] + "q9\tParis\t0.5\nq1\tParis\t1.5\n")
    tiny.write("raw/runs/beta.tsv", RUNS["beta"].replace("0.7", "high") + "q4\n")
    tiny.write("raw/runs/delta.tsv", "")
    (tiny.folder / "raw/runs/epsilon.tsv").write_bytes(b"question\tanswer\nq1\tM\xfcnchen\n")
    tiny.write("raw/judgments.tsv", JUDGMENTS + "q1\tParis\tW\nq2\tTurin\tQ\n")
    report = refused(tiny)
    assert report[0] == "tiny: 9 faults in 5 files"
    kept = "(`duplicates: same` in config.yaml drops those that say the same; first and last keep one)"
    assert report[1:-1] == [
        "raw/judgments.tsv:9: found the label 'W' for an answer that has another on an earlier line; "
        f"expected one judgment for an answer and assessor; the first is on line 2 {kept}",
        "raw/judgments.tsv:10: found the label 'Q'; expected one of R, W, U, X, good, long, partial, bad",
        "raw/runs/alpha.tsv:6: found the question 'q9'; expected a question of the question set "
        "(`questions:` in config.yaml, else what the judgments mention)",
        "raw/runs/alpha.tsv:7: found a second response for question 'q1'; expected one only; "
        f"the first of 'alpha' is on line 2 {kept}",
        "raw/runs/alpha.tsv:7: found the confidence 1.5; expected a number from 0 to 1",
        "raw/runs/beta.tsv:4: found the confidence 'high'; expected a number",
        "raw/runs/beta.tsv:5: found 1 fields; expected 3 fields, as in the first line",
        "raw/runs/delta.tsv: found an empty file; expected at least one line",
        "raw/runs/epsilon.tsv:2: found the byte 0xfc at column 5; expected UTF-8 text",
    ]
    tiny.write("raw/runs/alpha.tsv", RUNS["alpha"])
    tiny.write("raw/runs/beta.tsv", RUNS["beta"])
    tiny.write("raw/judgments.tsv", JUDGMENTS)
    for run in ("delta", "epsilon"):
        (tiny.folder / f"raw/runs/{run}.tsv").unlink()
    tiny.snakemake("results/tiny/check.txt")
    assert not (tiny.folder / "results/tiny/faults.txt").exists()


@pytest.mark.slow
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
        tiny=TINY | SMALL | {"shards": 40},  # some shards hold nothing but one of these
        gold=TINY | SMALL | {"judgments": {"format": "tabular", "files": "raw/gold/*.tsv"}},
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


@pytest.mark.slow
def test_a_file_whose_time_lies_ahead(tiny):
    """Snakemake would take the results for older than the file, and remove them."""
    path = tiny.folder / "raw/judgments.tsv"
    ahead = time.time() + 3600
    os.utime(path, (ahead, ahead))
    run = tiny.snakemake(check=False)
    assert run.returncode and f"  touch {path.relative_to(tiny.folder)}" in run.stderr.splitlines()
    os.utime(path)
    tiny.snakemake("results/tiny/check.txt")
