"""Python with this folder in PYTHONPATH adds a line to the file that METER names when it ends: what it has cost.

The processor seconds and the largest memory, in bytes, of the process itself; then its arguments. All as JSON.
"""

import atexit
import json
import os
import resource
import sys


def note() -> None:
    used = resource.getrusage(resource.RUSAGE_SELF)
    line = json.dumps([used.ru_utime + used.ru_stime, used.ru_maxrss * 1024, sys.argv])
    with open(os.environ["METER"], "a") as file:  # noqa: PTH123 (pathlib may be what a process does not load)
        file.write(line + "\n")


def end(code: int) -> None:
    note()
    leave(code)


atexit.register(note)
leave, os._exit = os._exit, end  # with which our commands end
