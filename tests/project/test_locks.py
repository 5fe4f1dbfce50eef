"""The environments that are put together from several locks."""

import re

import pytest
from conftest import HOME


def packages(lock: str) -> set[tuple[str, str]]:
    """Each package with its version, or its versions."""
    return set(re.findall(r"^([\w.-]+)==(\S+)", (HOME / lock).read_text(), re.MULTILINE))


@pytest.mark.parametrize("lock", ["requirements-slurm.lock", "requirements-test.lock"])
def test_what_is_added_changes_no_other_version(lock):
    additions, base = packages(lock), packages("requirements.lock")
    new = {name for name, _ in additions - base}
    assert "snakemake-executor-plugin-slurm" in new
    assert not new & {name for name, _ in base}


def test_what_slows_every_start_of_snakemake_is_not_in_the_environment_of_users():
    names = {name for name, _ in packages("requirements.lock")}
    assert "snakemake" in names
    assert not names & {"pandas", "snakemake-executor-plugin-slurm"}
