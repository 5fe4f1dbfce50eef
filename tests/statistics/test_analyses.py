"""One record per analysis: configuration, jobs and page follow from it."""

import importlib
import subprocess
import sys

from conftest import HOME
from nonresponse import campaign as config
from nonresponse.campaign.validation import make_json_schema
from nonresponse.statistics.analyses import ANALYSES

TRIALS = [analysis for analysis in ANALYSES.values() if analysis.trials]
DEFAULTS = {
    name: part["default"]
    for name, part in make_json_schema()["$defs"]["Reliability"]["properties"].items()
}


def test_every_setting_is_read_by_an_analysis_and_every_one_that_is_read_is_known():
    """Of those that a campaign may set, `trials` and `samples` decide others, too."""
    settings = {name for analysis in TRIALS for name in analysis.trials.settings}
    assert settings - {"seed"} == {*config.derive_settings(DEFAULTS)} - {"analyses"}


def test_every_analysis_has_a_module_of_its_name_and_a_section():
    for name, record in ANALYSES.items():
        assert importlib.import_module(
            f"nonresponse.report.sections.{record.section or name}"
        ).make_section
        module = importlib.import_module(f"nonresponse.statistics.{name}")
        assert hasattr(module, "make") == bool(record.trials)
        assert hasattr(module, "summarise") == bool(record.summary)


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
