"""One record per analysis: configuration, jobs and page follow from it."""

import subprocess
import sys

from conftest import HOME


def test_what_snakemake_reads_loads_nothing_heavy():
    code = """
import sys
from nonresponse import measures, tasks
from nonresponse.workflow import campaigns, digests, paths, resources
[measures.load_measures(task) for task in tasks.NAMES]
sys.exit(", ".join({"numpy", "polars", "duckdb", "altair", "typer"} & set(sys.modules)) or 0)
"""
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=HOME / "src", capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
