"""profiles/cluster, with a submit command that runs each job on this machine."""

import re
import subprocess
from importlib.util import find_spec

import pytest
import yaml
from conftest import HOME, SNAKEMAKE, Project, small_campaign

SUBMIT = '#!/bin/sh\nsetsid sh "$1" > "$1.out" 2>&1 &\necho $!\necho "$1" >> submitted\n'
PROFILE = HOME / "profiles/cluster"


@pytest.mark.slow
@pytest.mark.skipif(
    not find_spec("snakemake_executor_plugin_cluster_generic"),
    reason="the executor cluster-generic is not in this environment",
)
def test_jobs_of_any_scheduler_make_the_same_results(tmp_path, evaluated_small):
    project = small_campaign(Project(tmp_path / "new"))
    submit = project.write("submit", SUBMIT)
    submit.chmod(0o755)
    options = ["--workflow-profile", PROFILE, "--cluster-generic-submit-cmd", submit]
    process = subprocess.run(
        [*SNAKEMAKE, *options, "--seconds-between-status-checks", "1"],
        cwd=project.folder,
        capture_output=True,
        text=True,
    )
    assert process.returncode == 0, process.stdout + process.stderr
    assert project.results() == evaluated_small.results()
    # The raw files to counts, and all that follows
    assert len((project.folder / "submitted").read_text().splitlines()) == 2


def test_the_settings_are_those_of_slurm():
    slurm, generic = (
        yaml.safe_load((HOME / f"profiles/{name}/config.yaml").read_text())
        for name in ("slurm", "cluster")
    )
    ignored = re.compile("executor|slurm-|cluster-generic-|__")
    assert {key: value for key, value in slurm.items() if not ignored.match(key)} == {
        key: value for key, value in generic.items() if not ignored.match(key)
    }
