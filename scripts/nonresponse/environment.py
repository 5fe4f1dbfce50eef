"""The environment that jobs inherit from Snakemake."""

import os
import shutil
import sys
from pathlib import Path


def for_jobs() -> None:
    """Has commands find the Python that runs Snakemake.

    Not by a prefix of the shell: that would be one for all rules, also of a workflow that has this one as a module.
    """
    ours, found = Path(sys.executable).parent, shutil.which("python")
    if not found or Path(found).parent != ours:
        os.environ["PATH"] = f"{ours}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
