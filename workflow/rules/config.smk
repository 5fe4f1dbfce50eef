"""The files of the configuration, before Snakemake loads them: keys that occur twice, and what is not YAML."""

import os
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError

# Relative to the working folder, so that results stay valid wherever the project is moved or linked to.
BASE = Path(workflow.basedir).resolve()
HOME = Path(os.path.relpath(BASE, Path.cwd().resolve()))
sys.path.insert(0, str(BASE / "scripts"))

from nonresponse.config import file as configfile

# Snakemake has loaded those of --configfile by now.
if workflow.is_main_process:
    files = dict.fromkeys(["config.yaml", *map(os.path.relpath, workflow.overwrite_configfiles)])
    if problems := configfile.problems(files):
        raise WorkflowError("\n".join(problems))
