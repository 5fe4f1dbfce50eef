"""One record per analysis: what the configuration allows, what the jobs do and what the page shows follow from it."""

import importlib
import subprocess
import sys

import polars as pl
import pytest
from conftest import HOME, TINY
from nonresponse import campaign as config
from nonresponse.campaign.validation import json_schema
from nonresponse.reliability.analyses import ANALYSES

TRIALS = [analysis for analysis in ANALYSES.values() if analysis.trials]
DEFAULTS = {name: part["default"] for name, part in json_schema()["$defs"]["Reliability"]["properties"].items()}


def test_what_a_table_of_counts_can_have():
    """Rankings need scores only; all others look at questions or labels."""
    assert [analysis.id for analysis in ANALYSES.values() if not analysis.needs_questions] == ["rankings"]


def test_every_setting_is_read_by_an_analysis_and_every_one_that_is_read_can_be_set():
    settings = {name for analysis in TRIALS for name in analysis.trials.settings}
    assert settings - {"seed"} <= set(DEFAULTS)
    assert set(DEFAULTS) - settings == {"analyses"}


def test_every_analysis_has_a_module_of_its_name_and_a_section():
    for name, record in ANALYSES.items():
        assert importlib.import_module(f"nonresponse.pages.sections.{record.section or name}").topic
        module = importlib.import_module(f"nonresponse.reliability.{name}")
        assert hasattr(module, "make") == bool(record.trials)
        assert hasattr(module, "summarise") == bool(record.summary)


def test_what_snakemake_reads_loads_nothing_heavy():
    code = """
import sys
from nonresponse import measures, tasks
from nonresponse.workflow import campaigns, digests, paths, resources
[measures.of_task(task) for task in tasks.NAMES]
sys.exit(", ".join({"numpy", "polars", "duckdb", "altair", "typer"} & set(sys.modules)) or 0)
"""
    run = subprocess.run([sys.executable, "-c", code], cwd=HOME / "src", capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


RECORD = """
        Analysis(
            "spread",
            Trials(("spread_trials", "spread_runs"), ("trials",)),
            Summary(("spread",)),
        ),"""
FUNCTIONS = """
import polars as pl

from nonresponse.reliability.table_files import by_measure


def make(outcomes, assessor, campaign, settings, cache):
    return [pl.DataFrame({"counted": [it], "by": [assessor]}) for it in (settings["trials"], len(outcomes.runs))]


def summarise(files, task, settings):
    return [pl.concat(by_measure(files, "spread_trials").values())]
"""
LINE = '        "spread": [path for path in trials if path.parent.name == "spread_trials"],\n'
SECTION = """
from nonresponse.pages.blocks import Topic


def topic(campaign):
    return Topic("Spread", [f"{campaign.summary('spread')['counted'].sum():.0f} trials."])
"""


@pytest.mark.slow
def test_a_new_analysis_is_a_record_a_module_and_a_section(tiny, tmp_path):
    """Rules, tables and page follow."""
    house = tmp_path / "house"
    for name in ("Snakefile", "scripts", "src", "workflow", "profiles", "resources/published"):
        (house / name).parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["cp", "-r", str(HOME / name), str(house / name)], check=True)
    library = house / "src/nonresponse"
    (library / "reliability/spread.py").write_text(FUNCTIONS)
    (library / "pages/sections/spread.py").write_text(SECTION)
    records = library / "reliability/analyses.py"
    text, first = records.read_text(), "    for one in ("
    assert first in text
    records.write_text(text.replace(first, first + RECORD, 1))
    stage = library / "stages/statistics.py"
    text, first = stage.read_text(), '        "swap": [*(path'
    assert first in text
    stage.write_text(text.replace(first, LINE + first, 1))
    campaign = TINY | {"measures": ["accuracy", "cws"], "shards": 1}
    tiny.configure({"analyses": ["spread"], "trials": 7}, tiny=campaign)
    tiny.snakemake("-s", str(house / "Snakefile"), "results/tiny/reliability.md")
    results = tiny.folder / "results/tiny/reliability"
    assert pl.read_parquet(results / "spread_trials/cws.parquet").rows() == [(7, "judgments")]
    assert pl.read_parquet(results / "spread_runs/cws.parquet")["counted"].item() == 3
    assert pl.read_csv(results / "summaries/spread.csv")["counted"].to_list() == [7, 7]
    assert "## Spread\n\n14 trials." in (results.parent / "reliability.md").read_text()


def test_an_analysis_that_there_is_not_is_refused(tmp_path):
    with pytest.raises(config.ConfigError, match=r"found 'swaps' \(did you mean swap\?\)"):
        config.checked({"campaigns": {}, "reliability": {"analyses": ["swaps"]}})
