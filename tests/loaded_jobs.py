"""One server of jobs (nonresponse.workflow.server) for all tests.

The process that it forks for a client does one job after the other, until the client ends: most of a
small job is the fork, and the first use of Polars after it.
"""

import os
from functools import cache
from pathlib import Path
from threading import Lock

from nonresponse.workflow import server

SERVE = """
import fcntl, os, socket, sys
from nonresponse.workflow import server

def run_jobs(client):
    while client.recv(1, socket.MSG_PEEK):
        arguments = server.receive_job(client)
        sys.stdin = open(0, closefd=False)
        code = server.do_job(arguments)
        flags = fcntl.fcntl(client, fcntl.F_GETFL) & ~(os.O_ASYNC | os.O_NONBLOCK)
        fcntl.fcntl(client, fcntl.F_SETFL, flags)
        client.send(bytes([code]))
    os._exit(0)

server.run_job = run_jobs
server.serve(*sys.argv[1:])
"""
LIBRARY = Path(__file__).resolve().parents[1] / "src"
starting = Lock()  # tests may run two Snakemakes at once


def environment() -> dict[str, str]:
    """Return the variables by which Snakemake's jobs are forked from the tests' server."""
    with starting:
        return started()


@cache
def started() -> dict[str, str]:
    """The same; starts the server."""
    server.start(SERVE)
    return {server.ADDRESS: os.environ.pop(server.ADDRESS)}
