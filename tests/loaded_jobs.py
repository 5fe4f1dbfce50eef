"""One server of jobs (nonresponse.workflow.server) for all tests; its figures are drawn by loaded_figures."""

import os
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from threading import Lock

import loaded_figures
from nonresponse.workflow import server

LIBRARY = Path(__file__).resolve().parents[1] / "src"
DRAWING = f"""
import runpy, sys
from types import SimpleNamespace
sys.modules["vl_convert"] = SimpleNamespace(**runpy.run_path({loaded_figures.__file__!r}))
"""
keep = tempfile.TemporaryDirectory(prefix="loaded")  # goes when the tests end, as the servers do
drawing: list[subprocess.Popen] = []
starting = Lock()  # tests may run two Snakemakes at once


def environment() -> dict[str, str]:
    """What the environment of Snakemake needs, so that its jobs are forked from the server of the tests."""
    with starting:
        return started()


@cache
def started() -> dict[str, str]:
    """The same; starts the servers."""
    drawer = [sys.executable, loaded_figures.__file__, f"{keep.name}/figures"]
    drawing.append(subprocess.Popen(drawer, stdin=subprocess.PIPE, stdout=subprocess.PIPE))
    drawing[0].stdout.readline()
    server.start(DRAWING + server.SERVE)
    return {"LOADED_JOBS": keep.name, server.ADDRESS: os.environ.pop(server.ADDRESS)}
