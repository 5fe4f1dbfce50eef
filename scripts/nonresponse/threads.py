"""How many threads a job may use."""

import os


def threads() -> int:
    """What Snakemake gives the job, else all processors."""
    return int(os.environ.get("OMP_NUM_THREADS", os.cpu_count() or 1))
