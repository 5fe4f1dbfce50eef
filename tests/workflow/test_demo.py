"""The demo as a person runs it: a copy of the project, Snakemake from a shell, and no server of the tests beside it.

It has a campaign of every task, with the analyses and settings that are shipped.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest
import yaml
from conftest import HOME
from nonresponse import tasks


def run(folder: Path, *command: str) -> str:
    """What a command says, which ends well."""
    words = [sys.executable, *command]
    done = subprocess.run(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.fixture(scope="module")
def clone(tmp_path_factory) -> Path:
    """The files of the project, as they are here."""
    folder = tmp_path_factory.mktemp("clone")
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=HOME, capture_output=True, check=True).stdout.decode().split("\0")
    for path in (HOME / name for name in names if name and (HOME / name).is_file()):
        copy = folder / path.relative_to(HOME)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, copy)
    return folder


@pytest.mark.slow
def test_the_demo_from_a_shell(clone):
    campaigns = yaml.safe_load((clone / "config.yaml").read_text())["campaigns"]
    assert {campaign["task"] for campaign in campaigns.values()} == {*tasks.NAMES}
    said = run(clone, "-m", "snakemake", "--cores", "2")
    assert "All of it on one page, for a browser: results/report.html" in said
    assert "Nothing to be done" in run(clone, "-m", "snakemake", "--cores", "2")
    assert re.search(r"All \d+ results are as they were made", run(clone, "scripts/verify.py"))
    found = pl.concat([pl.read_csv(path)["finding"] for path in clone.glob("results/*/reliability/findings.csv")])
    quoted = re.findall(r"^> .*(?:\n> .*)*", (HOME / "README.md").read_text(), re.MULTILINE)
    assert quoted and {" ".join(one.replace("> ", "").split()) for one in quoted} <= {*found}
