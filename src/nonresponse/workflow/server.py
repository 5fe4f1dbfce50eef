"""A process that has the libraries loaded, from which the jobs of a workstation are forked.

Loading Polars and NumPy takes longer than most jobs of a small campaign. The workflow starts a
server before its first job, and names its socket in the environment. `scripts/stage.py` hands its
job over to it. The forked job has the arguments, folder, environment and open files of the process
that handed it over, and ends with that process. The server ends with the process that started it.
Where there is no server, as on a cluster, stages run as usual.
"""

import atexit
import fcntl
import gc
import os
import select
import socket
import subprocess
import sys
import tempfile
import traceback
from ast import literal_eval
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

from nonresponse import stages
from nonresponse.workflow.client import ADDRESS, ENDED, LENGTH, SOURCE

SERVE = "import sys; from nonresponse.workflow import server; server.serve(*sys.argv[1:])"
LIBRARIES = ("numpy.ma", "numpy.random", "polars")
ROOMS = ("ingest", "judging", "measures", "report", "scoring", "statistics")  # of this library


def start(code: str = SERVE) -> None:
    """Start a server for the jobs of this process, unless there is one, and name it.

    There is none where the path of its socket would be too long.
    """
    if os.environ.get(ADDRESS, "").partition(os.pathsep)[0] == SOURCE:
        return
    folder = tempfile.mkdtemp(prefix="nonresponse-")
    with socket.socket(socket.AF_UNIX) as listener:
        try:
            listener.bind(f"{folder}/socket")
        except OSError:
            return Path(folder).rmdir()
        listener.listen(128)
        command = [sys.executable, "-P", "-c", code, str(listener.fileno()), folder]
        threads = {"POLARS_MAX_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        environment = os.environ | threads | {"PYTHONPATH": SOURCE}
        # In a session of its own, so that Ctrl-C reaches a job only by the process that handed it
        # over.
        server = subprocess.Popen(
            command,
            env=environment,
            stdin=subprocess.PIPE,
            pass_fds=[listener.fileno()],
            start_new_session=True,
        )
    # Which closes its input and waits, so that its time counts as ours
    atexit.register(server.communicate)
    os.environ[ADDRESS] = f"{SOURCE}{os.pathsep}{folder}/socket"


def serve(listener: str, folder: str) -> None:
    """Fork a job for each connection to a socket until standard input is closed."""
    gc.set_threshold(100_000)  # as where stages run without a server
    for name in LIBRARIES:
        import_module(name)
    for stage in stages.STAGES:
        stages.load_stage(stage)
    for room in ROOMS:
        for module in walk_packages([f"{SOURCE}/nonresponse/{room}"], f"nonresponse.{room}."):
            import_module(module.name)
    gc.freeze()  # what is loaded is not looked through again in each job
    running: set[int] = set()
    with socket.socket(fileno=int(listener)) as waiting:
        while sys.stdin not in select.select([waiting, sys.stdin], [], [])[0]:
            client, _ = waiting.accept()
            if not (job := os.fork()):
                waiting.close()
                run_job(client)
            client.close()
            running = {
                process for process in {*running, job} if os.waitpid(process, os.WNOHANG) == (0, 0)
            }
    for job in running:
        os.waitpid(job, 0)
    Path(folder, "socket").unlink(missing_ok=True)
    Path(folder).rmdir()
    os._exit(0)


def run_job(client: socket.socket) -> None:
    """Do the job of a client in this process, and send it the exit code."""
    code = do_job(receive_job(client))
    client.send(bytes([code]))
    os._exit(code)


def receive_job(client: socket.socket) -> list[str]:
    """Take folder, environment and open files from a client; return the arguments of its job."""
    length, files, _, _ = socket.recv_fds(client, LENGTH, 3)
    with client.makefile("rb") as stream:
        job = stream.read(int.from_bytes(length)).decode()
    arguments, folder, environment = literal_eval(job)
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    # When the client ends, the system sends SIGIO, which ends this process wherever it is.
    fcntl.fcntl(client, fcntl.F_SETOWN, os.getpid())
    flags = fcntl.fcntl(client, fcntl.F_GETFL) | os.O_ASYNC | os.O_NONBLOCK
    fcntl.fcntl(client, fcntl.F_SETFL, flags)
    with suppress(BlockingIOError):
        client.recv(1)
        os._exit(ENDED)  # it had ended before
    return arguments


def do_job(arguments: list[str]) -> int:
    """Run a stage, and return the exit code of its job."""
    code = 1
    try:
        stages.run(arguments)
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
    sys.stdout.flush()
    sys.stderr.flush()
    return code
