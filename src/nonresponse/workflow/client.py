"""Hand a job over to the server of nonresponse.workflow.server.

Each job on a workstation starts with this. `socket` and `json` would take as long to load as Python
takes to start.
"""

import _socket
import os
from array import array

ADDRESS = "NONRESPONSE_SERVER"  # environment variable: the library of the server, and its socket
SOURCE = os.path.realpath(f"{__file__}/../../..")  # the folder of this library
LENGTH = 8  # bytes: what precedes a job is how long its record is
ENDED = 137  # exit code of a process that was killed


def hand_over(arguments: list[str]) -> None:
    """Have the server do the job, and exit with its exit code. Return if there is no server."""
    source, _, address = os.environ.get(ADDRESS, "").partition(os.pathsep)
    if source != SOURCE or os.environ.get("OMP_NUM_THREADS", "1") != "1":
        return
    try:
        server = _socket.socket(_socket.AF_UNIX)
        server.connect(address)
    except OSError:  # it has ended
        return
    send_job(server, arguments, dict(os.environ), [0, 1, 2])
    code = server.recv(1)
    os._exit(code[0] if code else ENDED)


def send_job(
    server: _socket.socket, arguments: list[str], environment: dict[str, str], files: list[int]
) -> None:
    """Send a job of this folder, whose standard input, output and errors are these open files."""
    job = repr((arguments, os.path.realpath("."), environment)).encode()
    rights = _socket.SOL_SOCKET, _socket.SCM_RIGHTS, array("i", files)
    server.sendmsg([len(job).to_bytes(LENGTH)], [rights])
    server.sendall(job)
