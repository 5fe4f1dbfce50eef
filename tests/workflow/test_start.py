"""What a start of Snakemake does before and after its jobs; of one that finds nothing to do that is all."""

import subprocess
import sys
from pathlib import Path

import pytest
from conftest import SNAKEMAKE, TINY, tiny_campaign
from nonresponse import verify


def test_each_result_is_compared_once_before_a_run(monkeypatch, tmp_path):
    """Not once for each other result, of which there are thousands."""
    files = {str(tmp_path / str(number)): [number, "checksum"] for number in range(100)}
    for path in files:
        Path(path).touch()
    result_of, asked = verify.result_of, []
    monkeypatch.setattr(verify, "result_of", lambda *that: asked.append(that) or result_of(*that))
    found = verify.Results(list(files), files, files | {path: [99, "another"]})
    assert f"{path} has changed" in verify.stop(found, "verify.py") and len(verify.faults(found)) == 1
    assert 100 <= len(asked) <= 200, "once for what changed, once for what is former"


@pytest.mark.slow
def test_the_verdicts_of_all_evaluations_are_asked_for_at_once(project):
    """Snakemake goes through its whole graph once more for each scenario that is asked for after another."""
    ruled = TINY["runs"] | {"refusals": {"contains": ["I do not know"]}}
    scenarios = {"lenient": {"correct": ["R", "X"]}, "closed": {"closed": True}, "silent": {"unscored": "unanswered"}}
    tiny_campaign(project, runs=ruled, scenarios=scenarios)
    planned = [step.removeprefix("known ") for step in project.steps("--dry-run") if step.startswith("known")]
    assert planned == ["tiny", "tiny/scenarios/closed", "tiny/scenarios/lenient", "tiny/without-rules"]


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["default", "subprocess"])
def test_a_start_ends_without_a_search_for_cycles(tiny, mode):
    """Objects end with the process anyway; the search is a fifth of a start with nothing to do, or of a single job."""
    code = f"""
import atexit, gc
atexit.register(lambda: print("searched:", len(gc.get_objects()) > 1000))
from snakemake.cli import main
main({[*SNAKEMAKE[3:], "--cores", "1", "--dry-run", "--mode", mode]})
"""
    run = subprocess.run([sys.executable, "-c", code], cwd=tiny.folder, check=True, capture_output=True, text=True)
    assert run.stdout.endswith("searched: False\n")
