"""The demo as a person runs it: a copy of the project, and Snakemake and each of its jobs started from a shell.

It has a campaign of every task, with the analyses that are shipped; but few trials, where README quotes nothing of
them.
"""

import re
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest
import yaml
from conftest import HOME, QUICK, clone
from nonresponse import tasks

QUOTED = "respubliqa-2009-simulated"  # by README
FEW = QUICK | {"sizes": 25, "flips": 500}


def run(folder: Path, *command: str) -> str:
    """What a command says, which ends well."""
    output = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    done = subprocess.run([sys.executable, *command], cwd=folder, **output)
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.mark.slow
def test_the_demo_from_a_shell(tmp_path):
    folder = clone(tmp_path)
    config = yaml.safe_load((folder / "config.yaml").read_text())
    campaigns, shipped = config["campaigns"], config["reliability"]
    assert {campaign["task"] for campaign in campaigns.values()} == {*tasks.NAMES}
    campaigns[QUOTED]["reliability"] = {name: shipped[name] for name in FEW}
    (folder / "config.yaml").write_text(yaml.safe_dump(config | {"reliability": shipped | FEW}))
    said = run(folder, "-m", "snakemake", "--cores", "2")
    assert "All of it on one page, for a browser: results/report.html" in said
    assert "Nothing to be done" in run(folder, "-m", "snakemake", "--cores", "2")
    subprocess.run(["sha256sum", "--check", "--quiet", "results/manifest.sha256"], cwd=folder, check=True)
    found = pl.read_csv(folder / "results" / QUOTED / "reliability/findings.csv")["finding"]
    quotes = re.findall(r"^> .*(?:\n> .*)*", (HOME / "README.md").read_text(), re.MULTILINE)
    assert quotes and {" ".join(one.replace("> ", "").split()) for one in quotes} <= {*found}
