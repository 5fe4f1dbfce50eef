"""Campaigns of two logs, and of what else logs may be like; test_log_campaigns.py evaluates them once."""

import json
from pathlib import Path

from conftest import Project
from log_samples import INSPECT, SIMPLE_EVALS, inspect_sample, put

NAMES = ["org/model:7b", 'a "quoted" <b>&\\ | name?', "n" * 300]
LOGS = ["inspect", "lm-eval"]


def of_logs(project: Project) -> Project:
    """The campaigns, configured without analyses. One has runs whose names could be no file names."""
    config: dict[str, dict] = {}
    for format in LOGS:
        path, options = put(project.folder / "raw" / format, format)
        options["files"] = str(Path(path).relative_to(project.folder))
        config[format] = {"task": "qa", "graded": options, "measures": ["c@1"]}
    project.write("raw/simpleqa_org_m_20260101_000000_allresults.json", SIMPLE_EVALS)
    ruled = {"format": "inspect", "files": "raw/inspect/log.json", "refusals": {"contains": ["answer q1", "Answer Q6"]}}
    config["ruled"] = {"task": "qa", "graded": ruled, "measures": ["c@1", "mrr"]}
    config["simple-evals"] = {"task": "qa", "counts": {"format": "simple-evals", "files": "raw/simpleqa_*.json"}}
    for number, name in enumerate(NAMES):
        samples = [inspect_sample(f"q{id}", "CIN"[(id * (number + 2)) % 3]) for id in range(12)]
        judge = {"name": "qa", "options": {"model": "org/judge" if number else "org/other-judge"}}
        told = INSPECT["eval"] | {"model": name, "scorers": [judge]}
        log = {**INSPECT, "eval": told, "samples": samples, "status": "cancelled"}
        project.write(f"raw/names/{number}.json", json.dumps(log))
    graded = {"format": "inspect", "files": "raw/names/*.json"}
    config["names"] = {"task": "qa", "graded": graded, "measures": ["c@1", "accuracy"], "baseline": NAMES[1]}
    twice = INSPECT | {"samples": [one | {"epoch": n} for one in INSPECT["samples"] for n in (1, 2)]}
    twice["samples"][1] = inspect_sample("q1", "I", epoch=2)
    project.write("raw/twice.json", json.dumps(twice))
    config["twice"] = {"task": "qa", "graded": {"format": "inspect", "files": "raw/twice.json", "epochs": "all"}}
    config["twice"] |= {"measures": ["c@1"]}
    project.configure(**config)
    return project
