"""Jobs forked from a process with loaded libraries behave like any other process."""

import os
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import pytest
from conftest import HOME
from nonresponse.workflow import server

STAGE = [sys.executable, str(HOME / "scripts/stage.py")]


def wait_until(condition) -> None:
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.fixture(scope="module")
def started() -> dict[str, str]:
    """The environment that names a server, which is not that of other tests."""
    server.start()
    return os.environ | {server.ADDRESS: os.environ.pop(server.ADDRESS)}


def test_a_job_ends_with_the_process_that_handed_it_over(started):
    """The job waits for its parameters, which never come."""
    command = [*STAGE, "leaderboard", "--params", "-"]
    with subprocess.Popen(command, env=started, stdin=subprocess.PIPE) as client:
        pipe = Path(f"/proc/{client.pid}/fd/0").readlink()
        wait_until(lambda: holders(pipe) - {client.pid})
        client.kill()
        wait_until(lambda: not holders(pipe))


def holders(opened: Path) -> set[int]:
    """Return the other processes that have a file open."""
    actual = set()
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if any(file.readlink() == opened for file in (process / "fd").iterdir()):
                actual.add(int(process.name))
    return actual - {os.getpid()}


def test_no_server_starts_where_the_path_of_its_socket_would_be_too_long(tmp_path, monkeypatch):
    folder = tmp_path / ("a" * 100)
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    monkeypatch.delenv(server.ADDRESS, raising=False)
    server.start()
    assert server.ADDRESS not in os.environ and [*folder.iterdir()] == []


@pytest.mark.parametrize(
    "address", ["", f"/elsewhere{os.pathsep}/socket", f"{server.SOURCE}{os.pathsep}/no/socket"]
)
def test_a_job_has_the_same_exit_code_and_messages_with_and_without_a_server(
    tmp_path, started, address
):
    command = [*STAGE, "count_table", "--table", "none.parquet"]
    runs = [
        subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
        for environment in (started, started | {server.ADDRESS: address})
    ]
    assert runs[0].returncode == runs[1].returncode == 2
    assert runs[0].stderr == runs[1].stderr and "--counts" in runs[0].stderr
