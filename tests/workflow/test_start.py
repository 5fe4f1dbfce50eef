"""What a start of Snakemake does before and after its jobs; of one that finds nothing to do that is
all."""

import subprocess
import sys

import pytest
from conftest import SNAKEMAKE, TINY, tiny_campaign

pytestmark = pytest.mark.slow


def test_the_verdicts_of_all_evaluations_are_asked_for_at_once(project):
    """Snakemake goes through its whole graph once more for each scenario that is asked for after
    another."""
    ruled = TINY["runs"] | {"refusals": {"contains": ["I do not know"]}}
    scenarios = {
        "lenient": {"correct": ["R", "X"]},
        "closed": {"closed": True},
        "silent": {"unscored": "unanswered"},
    }
    tiny_campaign(project, runs=ruled, scenarios=scenarios)
    planned = [
        step.removeprefix("judge ")
        for step in project.steps("--dry-run")
        if step.startswith("judge ")
    ]
    assert planned == [
        "tiny",
        "tiny/scenarios/closed",
        "tiny/scenarios/lenient",
        "tiny/without-rules",
    ]


def test_a_start_ends_without_a_search_for_cycles(tiny):
    """Objects end with the process anyway; the search is a fifth of a start with nothing to do, or
    of a single job."""
    code = f"""
import atexit, gc
atexit.register(lambda: print("searched:", len(gc.get_objects()) > 1000))
from snakemake.cli import main
main({[*SNAKEMAKE[3:], "--cores", "1", "--dry-run"]})
"""
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=tiny.folder, check=True, capture_output=True, text=True
    )
    assert run.stdout.endswith("searched: False\n")
