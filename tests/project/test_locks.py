"""The environments that are put together from several locks."""

import re

from conftest import HOME


def packages(lock: str) -> set[tuple[str, str]]:
    """Each package with its version, and with the Pythons that it is for."""
    return set(re.findall(r"^([\w.-]+)==(.*\S) ", (HOME / lock).read_text(), re.MULTILINE))


def test_what_slurm_needs_changes_no_other_version():
    added, others = packages("requirements-slurm.lock"), packages("requirements.lock")
    new = {name for name, _ in added - others}
    assert "snakemake-executor-plugin-slurm" in new
    assert not new & {name for name, _ in others}
