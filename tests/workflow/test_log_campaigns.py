"""Logs of harnesses through the whole workflow: counts, imports.csv, and what a change of a file
repeats."""

import json
from pathlib import Path

import polars as pl
import pytest
import reports
import yaml
from conftest import Project, evaluate_once
from log_samples import INSPECT, LM_RESULTS, SAMPLES, inspect_sample, put

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("logs")]
COUNTS = {
    "correct": "n_ac",
    "unanswered": "n_u",
    "unscored": "n_unscored",
    "error": "n_error",
    "partial": "n_partial",
}


NAMES = ["org/model:7b", 'a "quoted" <b>&\\ | name?', "n" * 300]
LOGS = ["inspect", "lm-eval"]


def of_logs(project: Project) -> Project:
    """The campaigns, configured without analyses. One has runs whose names could be no file
    names."""
    config: dict[str, dict] = {}
    for format in LOGS:
        path, options = put(project.folder / "raw" / format, format)
        options["files"] = str(Path(path).relative_to(project.folder))
        config[format] = {"task": "qa", "graded": options, "measures": ["c@1"]}
    ruled = {
        "format": "inspect",
        "files": "raw/inspect/log.json",
        "refusals": {"contains": ["answer q1", "Answer Q6"]},
    }
    config["ruled"] = {"task": "qa", "graded": ruled, "measures": ["c@1", "mrr"]}
    for number, name in enumerate(NAMES):
        samples = [inspect_sample(f"q{id}", "CIN"[(id * (number + 2)) % 3]) for id in range(12)]
        judge = {"name": "qa", "options": {"model": "org/judge" if number else "org/other-judge"}}
        told = INSPECT["eval"] | {"model": name, "scorers": [judge]}
        log = {**INSPECT, "eval": told, "samples": samples, "status": "cancelled"}
        project.write(f"raw/names/{number}.json", json.dumps(log))
    graded = {"format": "inspect", "files": "raw/names/*.json"}
    config["names"] = {
        "task": "qa",
        "graded": graded,
        "measures": ["c@1", "accuracy"],
        "baseline": NAMES[1],
    }
    project.configure(**config)
    return project


@pytest.fixture(scope="module")
def project(tmp_path_factory) -> Project:
    return Project(evaluate_once("logs", of_logs, tmp_path_factory))


def imports_of(project: Project, campaign: str) -> dict:
    [row] = pl.read_csv(project.folder / f"results/{campaign}/imports.csv").rows(named=True)
    return row


@pytest.mark.parametrize("format", LOGS)
def test_each_log_is_counted_and_reconciled(project, format):
    sample = SAMPLES[format]
    [row] = pl.read_parquet(project.folder / f"results/{format}/leaderboard.parquet").rows(
        named=True
    )
    states = list(sample.verdicts.values())
    assert row["n"] == len(states) and row["run"] == next(run for run, _ in sample.verdicts)
    for state, count in COUNTS.items():
        assert row[count] == states.count(state), state
    account = imports_of(project, format)
    assert account["accuracy"] == states.count("correct") / len(states)
    here = account["stated"] is not None and abs(account["stated"] - account["accuracy"]) < 1e-6
    outcome = sample.outcome if sample.outcome != "agrees" or here else "reconciled"
    assert (account["run"], account["files"], account["outcome"]) == (row["run"], 1, outcome)
    assert f"In {format} logs, " in (project.folder / f"results/{format}/check.txt").read_text()


def test_rules_on_the_text_of_answers(project):
    """q1 is right without them, and q6 unscored; the audit has both, and the report too."""
    folder = project.folder / "results/ruled"
    found = pl.read_csv(folder / "audit.csv")
    assert found.select("question", "before", "after", "called_right").rows() == [
        ("q1", "correct", "unanswered", True),
        ("q6", "unscored", "unanswered", False),
    ]
    [row] = pl.read_parquet(folder / "leaderboard.parquet").rows(named=True)
    [plain] = pl.read_parquet(project.folder / "results/inspect/leaderboard.parquet").rows(
        named=True
    )
    assert (
        row["n_by_rule"] == 2
        and row["n_ac"] == plain["n_ac"] - 1
        and row["n_u"] == plain["n_u"] + 2
    )
    assert row["c@1 best"] >= plain["c@1 best"] > row["c@1"] and row["mrr best"] > row["mrr"]
    note = "failed responses, with the rules on the text of answers and without them."
    assert note in (folder / "leaderboard.md").read_text()
    page = reports.whole(folder / "report.html")
    assert "1 of them would be correct without the rules" in page and note in page
    assert not (project.folder / "results/inspect/audit.csv").exists()


def test_names_that_are_no_file_names_and_logs_that_stopped(project):
    folder = project.folder / "results/names"
    assert sorted(pl.read_parquet(folder / "leaderboard.parquet")["run"]) == sorted(NAMES)
    found = pl.read_csv(folder / "imports.csv")
    assert (
        sorted(found["run"]) == sorted(NAMES)
        and found["remarks"].str.contains("status 'cancelled'").all()
    )
    assert (found["outcome"] == "differs").any()
    lines = (folder / "check.txt").read_text().splitlines()
    [line] = [
        line
        for line in lines
        if line.startswith("Warning: the log of 'org/model:7b': it states accuracy of qa 0.25")
    ]
    assert "status 'cancelled'" in line
    assert "it states accuracy of qa" in (project.folder / "results/summary.md").read_text()
    page = (folder / "report.html").read_text()
    assert "&lt;b&gt;" in page and "<b>&" not in page


def test_runs_of_different_judges_are_not_ranked_together_without_a_word(project):
    """The check has who was judged by whom; leaderboard, page and summary, that the runs were not
    measured alike."""
    folder = project.folder / "results/names"
    rulers = pl.read_csv(folder / "imports.csv").select("judge", "ruler").unique().sort("judge")
    assert (
        rulers["judge"].to_list() == ["org/judge", "org/other-judge"]
        and rulers["ruler"].n_unique() == 2
    )
    assert (
        "Warning: runs are measured by different rulers, judge: org/judge of "
        in (folder / "check.txt").read_text()
    )
    said = "The runs are ranked together, but not measured alike: they differ in judge"
    pages = [
        folder / "leaderboard.md",
        folder / "report.html",
        project.folder / "results/summary.md",
    ]
    assert [page.name for page in pages if said not in page.read_text()] == []
    assert (
        "not measured alike" not in (project.folder / "results/inspect/leaderboard.md").read_text()
    )


def test_results_that_change_repeat_the_import(evaluated):
    """They stand beside the log, and no pattern names them."""
    project = evaluated("logs", of_logs)
    config = yaml.safe_load((project.folder / "config.yaml").read_text())
    project.configure(**{"lm-eval": config["campaigns"]["lm-eval"]})
    results = project.folder / "raw/lm-eval/out/results_2026-01-01T00-00-00.0.json"
    stated = LM_RESULTS["results"]["toy"] | {"acc,none": 0.75}
    results.write_text(json.dumps(LM_RESULTS | {"results": {"toy": stated}}))
    jobs = project.jobs()
    assert {"ingest_graded", "check", "imports"} <= set(jobs) and "score_counts" not in jobs
    account = imports_of(project, "lm-eval")
    assert (account["outcome"], account["stated"], account["recomputed"]) == (
        "differs",
        0.75,
        0.375,
    )
