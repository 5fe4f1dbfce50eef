"""The demo as a person runs it: a copy of the project, Snakemake from a shell, and no server of the tests beside it.

It has a campaign of every task, with the analyses and settings that are shipped.
"""

import re
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest
import yaml
from conftest import HOME, clone
from nonresponse import tasks


def run(folder: Path, *command: str) -> str:
    """What a command says, which ends well."""
    words = [sys.executable, *command]
    done = subprocess.run(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.mark.slow
def test_the_demo_from_a_shell(tmp_path):
    folder = clone(tmp_path)
    campaigns = yaml.safe_load((folder / "config.yaml").read_text())["campaigns"]
    assert {campaign["task"] for campaign in campaigns.values()} == {*tasks.NAMES}
    said = run(folder, "-m", "snakemake", "--cores", "2")
    assert "All of it on one page, for a browser: results/report.html" in said
    assert "Nothing to be done" in run(folder, "-m", "snakemake", "--cores", "2")
    assert re.search(r"All \d+ results are as they were made", run(folder, "scripts/verify.py"))
    found = pl.concat([pl.read_csv(path)["finding"] for path in folder.glob("results/*/reliability/findings.csv")])
    quoted = re.findall(r"^> .*(?:\n> .*)*", (HOME / "README.md").read_text(), re.MULTILINE)
    assert quoted and {" ".join(one.replace("> ", "").split()) for one in quoted} <= {*found}
