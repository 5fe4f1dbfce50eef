"""Logs of harnesses, and runs and texts of any name and length, through the whole workflow."""

import json
from pathlib import Path

import polars as pl
import pytest
import yaml
from conftest import RUNS, SMALL, TINY, Project, tiny_campaign
from log_samples import INSPECT, LM_RESULTS, inspect_sample, put

pytestmark = pytest.mark.slow

NAMES = ["org/model:7b", 'a "quoted" <b>&\\ | name?', "n" * 300, "../../etc/passwd", "ORG/model:7b"]
ATTRIBUTES = "run,name,size,family\nalpha,Llama 3.1 70B,70,=llama\nelse,x,1,<b>|Qwen\n"
# A job is given these in a file, since Linux lets an argument have 131,072 bytes.
PHRASES = [f'{number}: i\'d "rather" not $say ü' for number in range(900)]
OTHERS = "".join(f"other-{number},,{'ü' * 100},\n" for number in range(2000))


def campaigns(project: Project) -> Project:
    """`names` has logs of runs whose names could be no file names; `long` has long texts."""
    tiny_campaign(project)
    for number, name in enumerate(NAMES):
        samples = [inspect_sample(f"q{id}", "CIN"[(id * (number + 2)) % 3]) for id in range(12)]
        judge = {"name": "qa", "options": {"model": "org/judge" if number else "org/other-judge"}}
        about = INSPECT["eval"] | {"model": name, "scorers": [judge]}
        log = {**INSPECT, "eval": about, "samples": samples, "status": "cancelled"}
        project.write(f"raw/names/{number}.json", json.dumps(log))
    path, lm_eval = put(project.folder / "raw/lm-eval", "lm-eval")
    lm_eval["files"] = str(Path(path).relative_to(project.folder))
    project.write("phrases.yaml", yaml.safe_dump({"prefixes": PHRASES}, allow_unicode=True))
    project.write("names.csv", ATTRIBUTES + OTHERS)
    refused = RUNS["alpha"].replace("q4\tBonn", f"q4\t{PHRASES[-1]}, if I may")
    project.write("raw/long/alpha.tsv", refused)
    refusing = {"files": "raw/long/*.tsv", "refusals": {"lists": ["phrases.yaml"]}}
    texts = {"title": "An 'ü' " * 12_000, "names": "names.csv"}
    logs = {"format": "inspect", "files": "raw/names/*.json"}
    project.configure(
        **{"lm-eval": {"task": "qa", "graded": lm_eval, "measures": ["c@1"]}},
        names={"task": "qa", "graded": logs, "measures": ["c@1"], "baseline": NAMES[1]},
        long=TINY | SMALL | texts | {"runs": TINY["runs"] | refusing},
    )
    return project


def imports_of(project: Project, campaign: str) -> pl.DataFrame:
    return pl.read_csv(project.folder / f"results/{campaign}/imports.csv")


def test_logs_names_and_what_a_change_of_a_file_repeats(project):
    campaigns(project).snakemake()
    results = project.folder / "results"
    folder = results / "names"
    assert not (project.folder / "etc").exists() and not (project.folder.parent / "etc").exists()
    assert sorted(pl.read_parquet(folder / "leaderboard.parquet")["run"]) == sorted(NAMES)
    found = imports_of(project, "names")
    assert sorted(found["run"]) == sorted(NAMES) and (found["outcome"] == "differs").any()
    assert found["remarks"].str.contains("status 'cancelled'").all()
    page = (folder / "report.html").read_text()
    assert "&lt;b&gt;" in page and "<b>&" not in page
    # Runs of different judges are not ranked together without a word.
    differ = "The runs are ranked together, but not measured alike: they differ in judge"
    for path in (folder / "leaderboard.md", folder / "report.html", results / "summary.md"):
        assert differ in path.read_text(), path
    board = pl.read_csv(results / "long/leaderboard.csv", infer_schema_length=None)
    assert board.select("run", "size", "family").row(0) == ("Llama 3.1 70B", 70, "=llama")
    assert pl.read_csv(results / "long/audit.csv")["phrase"].to_list() == PHRASES[-1:]
    # The results of lm-eval stand beside its log, and no pattern names them.
    config = yaml.safe_load((project.folder / "config.yaml").read_text())
    project.configure(**{"lm-eval": config["campaigns"]["lm-eval"]})
    stated = LM_RESULTS["results"]["toy"] | {"acc,none": 0.75}
    project.write(
        "raw/lm-eval/out/results_2026-01-01T00-00-00.0.json",
        json.dumps(LM_RESULTS | {"results": {"toy": stated}}),
    )
    jobs = project.jobs()
    assert {"ingest_graded", "check", "imports"} <= {*jobs} and "score_counts" not in jobs
    [account] = imports_of(project, "lm-eval").rows(named=True)
    assert account["outcome"] == "differs"
    assert (account["stated"], account["recomputed"]) == (0.75, 0.375)
