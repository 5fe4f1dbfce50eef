"""Where the project is, and the files of its configuration before Snakemake loads them: keys that occur twice, no YAML."""

import atexit
import gc
import os
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError

# Relative to the working folder, so that results stay valid wherever the project is moved or linked to.
BASE = Path(workflow.current_basedir.get_path_or_uri(secret_free=False)).resolve().parents[1]
HOME = Path(os.path.relpath(BASE, Path.cwd().resolve()))
sys.path.insert(0, str(BASE / "scripts"))

from nonresponse.config import file as configfile
from nonresponse.config.paths import unfit_path

if why := unfit_path(str(HOME)):
    raise WorkflowError(f"The folder of nonresponse: {why}, or run snakemake in it")

# As a module, this is a part of somebody's workflow: files of configuration, messages and what is noted between runs are
# that workflow's own affair.
IS_MODULE = not workflow.modifier.is_main_snakefile()
IN_CHARGE = workflow.is_main_process and not IS_MODULE

if not IS_MODULE:
    gc.set_threshold(100_000)  # objects between two searches for cycles: of a start that does nothing, a tenth at 700
    atexit.register(gc.freeze)  # what ends with the process is not searched for them: a fifth of it

if IS_MODULE and workflow.modifier.modify_path("results/summary.md") != "results/summary.md":
    raise WorkflowError("nonresponse takes neither prefix: nor replace_prefix: of `module`; docs/modules.md tells why")

# Snakemake has loaded those of --configfile by now.
CONFIGURED = [*map(os.path.relpath, workflow.overwrite_configfiles)] or ["config.yaml"]
if IN_CHARGE and (problems := configfile.problems(CONFIGURED)):
    raise WorkflowError("\n".join(problems))
