"""What benchmarks measured: a JSON file per benchmark in `measured/`, from which
docs/performance.md is written.

Time is CPU time, user and system, of all threads and processes: what else runs on a machine changes
it little. A ratio is our time by that of a reference in the same run, both in turns: twice as large
is twice as slow, on any machine. A benchmark writes its file again after every part, so that what
is cut short has kept what it measured.
"""

import json
import os
import platform
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path

HOME = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(HOME / "src"), str(HOME / "tools")]
FOLDER = HOME / "tools/benchmarks/measured"
OURS = ("duckdb", "numpy", "polars", "snakemake")
LOAD = os.getloadavg()[0]  # before this benchmark began


def machine() -> str:
    """The processor, how many of it, and the memory."""
    described, memory = (Path(f"/proc/{name}").read_text() for name in ("cpuinfo", "meminfo"))
    model = re.search(r"^model name\s*: (.*)$", described, re.MULTILINE)
    kilobytes = int(re.search(r"^MemTotal:\s*(\d+)", memory)[1])
    name = model[1] if model else platform.machine()
    return (
        f"{len(os.sched_getaffinity(0))} cores ({name}), {kilobytes / 2**20:.0f} GiB, "
        f"{platform.system()}"
    )


def versions(packages: Iterable[str]) -> dict[str, str]:
    """The versions of packages in this environment, and of Python."""
    return {"Python": platform.python_version(), **{name: version(name) for name in packages}}


def write(
    into: Path | None, name: str, complete: bool, result: dict, peers: dict[str, str] | None = None
) -> None:
    """Write what was measured. `complete` is False of other sizes, `peers` are versions."""
    if into:
        about = {
            "date": time.strftime("%Y-%m-%d"),
            "machine": machine(),
            "load": [LOAD, os.getloadavg()[0]],
        }
        about |= {"versions": versions(OURS), "complete": complete} | (
            {"peers": peers} if peers else {}
        )
        into.mkdir(parents=True, exist_ok=True)
        (into / f"{name}.json").write_text(render_json(about | result))


def render_json(result: dict) -> str:
    """The file, with a line for each row of a table."""
    dump = partial(json.dumps, ensure_ascii=False)
    tables = {
        name
        for name, value in result.items()
        if isinstance(value, list) and value and isinstance(value[0], dict)
    }
    parts = {name: "[\n  " + ",\n  ".join(map(dump, result[name])) + "\n ]" for name in tables}
    return (
        "{\n "
        + ",\n ".join(f"{dump(name)}: {parts.get(name) or dump(result[name])}" for name in result)
        + "\n}\n"
    )


def row(
    title: str,
    reference: str,
    ours: Sequence[float],
    theirs: Sequence[float],
    gb: float | None = None,
) -> dict:
    """Return and print a comparison: CPU seconds of both, by round, and our most memory."""
    ratio = statistics.median(a / b for a, b in zip(ours, theirs, strict=True))
    result = {"what": title, "beside": reference, "ratio": ratio}
    result |= {"ours": statistics.median(ours), "theirs": statistics.median(theirs), "gb": gb}
    memory = "" if gb is None else f"; peak memory {gb:.2f} GB"
    print(
        f"{title}: {ratio:.3g} times {reference}, {result['ours']:.3g} and {result['theirs']:.3g} s "
        f"of CPU{memory}",
        flush=True,
    )
    return result


def run_apart(script: str, *arguments: str) -> dict:
    """Return the JSON that a script prints in a process of its own, with its own peak memory."""
    command = [sys.executable, script, *arguments]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)


@dataclass
class Cost:
    """What a command and all that it starts took; the memory is that of the largest process."""

    seconds: float
    wall: float
    gb: float


def cost_of(
    *command: str | Path, cwd: Path = HOME, env: dict[str, str] | None = None
) -> tuple[Cost, str]:
    """Return the cost of a command, and what it printed, with which we end if it fails."""
    start = time.monotonic()
    with tempfile.TemporaryFile("w+") as file:
        streams = {"stdin": subprocess.DEVNULL, "stdout": file, "stderr": subprocess.STDOUT}
        process = subprocess.Popen(command, cwd=cwd, env=env, **streams)
        _, status, usage = os.wait4(process.pid, 0)  # with what its own children used
        process.returncode = os.waitstatus_to_exitcode(status)
        wall = time.monotonic() - start
        file.seek(0)
        printed = file.read()
    if process.returncode:
        raise SystemExit(printed)
    return Cost(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 2**20), printed


def cpu_of(
    *command: str | Path, cwd: Path = HOME, env: dict[str, str] | None = None
) -> tuple[float, str]:
    """Return the CPU seconds of a command and of all that it starts, and what it printed."""
    cost, printed = cost_of(*command, cwd=cwd, env=env)
    return cost.seconds, printed


def cpu_in(call: Callable[[], object]) -> float:
    """CPU seconds of a call in this process."""
    start = time.process_time()
    call()
    return time.process_time() - start


def peak() -> float:
    """The most memory that this process had, in GB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
