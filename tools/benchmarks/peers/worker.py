"""One side of a comparison with peers, in a process of its own: `worker.py SIDE FUNCTION FOLDER`.

SIDE is a module beside this file, for either Python. FUNCTION(folder) imports what it needs and
returns what reads its share of the data, and what computes the answers from that: a list of
numbers. It computes twice, since some compile the first time; the process prints the CPU seconds of
all, {"reading", "first", "again"}, and keeps the answers in FOLDER/answers-SIDE-FUNCTION.json.
"""

import json
import sys
import time
from importlib import import_module
from pathlib import Path


def timed(call, *arguments):
    """What a call returns, and its CPU seconds."""
    start = time.process_time()
    result = call(*arguments)
    return result, time.process_time() - start


side, function, folder = sys.argv[1:]
load, compute = getattr(import_module(side), function)(Path(folder))
data, reading = timed(load)
answers, first = timed(compute, data)
_, repeat = timed(compute, data)
(Path(folder) / f"answers-{side}-{function}.json").write_text(
    json.dumps([float(answer) for answer in answers])
)
print(json.dumps({"reading": reading, "first": first, "again": repeat}), flush=True)
