"""One server of jobs (nonresponse.workflow.server) for all tests."""

import os
from functools import cache
from pathlib import Path
from threading import Lock

from nonresponse.workflow import server

LIBRARY = Path(__file__).resolve().parents[1] / "src"
starting = Lock()  # tests may run two Snakemakes at once


def environment() -> dict[str, str]:
    """Return the variables by which Snakemake's jobs are forked from the tests' server."""
    with starting:
        return started()


@cache
def started() -> dict[str, str]:
    """The same; starts the server."""
    server.start()
    return {server.ADDRESS: os.environ.pop(server.ADDRESS)}
