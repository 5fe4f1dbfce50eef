"""Without SLURM's executor, Snakemake alone would call slurm an invalid choice."""

import subprocess
import sys

import pytest
from conftest import HOME

# Snakemake's command, in a Python that finds no such package.
HIDDEN = """
import importlib.util, sys
find = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if "plugin_slurm" in name else find(name, *rest)
from snakemake.cli import main
main()
"""


@pytest.mark.slow
def test_what_is_missing_is_said_with_how_to_get_it(tmp_path):
    (tmp_path / "config.yaml").write_text("campaigns: {}")
    options = ["-s", str(HOME / "Snakefile"), "--workflow-profile", str(HOME / "profiles/slurm")]
    process = subprocess.run(
        [sys.executable, "-c", HIDDEN, *options], cwd=tmp_path, capture_output=True, text=True
    )
    assert process.returncode == 1
    assert process.stderr.splitlines()[-1].startswith(
        "SLURM's executor is not there: make slurm adds it"
    )
    assert "invalid choice" not in process.stderr and "Traceback" not in process.stderr
