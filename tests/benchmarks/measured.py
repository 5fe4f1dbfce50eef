"""What benchmarks measured: a JSON file per benchmark in `measured/`, from which docs/performance.md is written.

Ratios, by a name that says what was measured and at which size, are our time by that of a reference in the same run:
twice as large is twice as slow, whatever the machine.
"""

import json
import os
import platform
import re
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from importlib.metadata import version
from pathlib import Path

HOME = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(HOME / "scripts"))
FOLDER = HOME / "tests/benchmarks/measured"
OURS = ("duckdb", "numpy", "polars", "scipy", "snakemake")


def machine() -> str:
    """The processor, how many of it, and the memory."""
    described, memory = (Path(f"/proc/{name}").read_text() for name in ("cpuinfo", "meminfo"))
    model = re.search(r"^model name\s*: (.*)$", described, re.MULTILINE)
    kilobytes = int(re.search(r"^MemTotal:\s*(\d+)", memory)[1])
    name = model[1] if model else platform.machine()
    return f"{len(os.sched_getaffinity(0))} cores ({name}), {kilobytes / 2**20:.0f} GiB, {platform.system()}"


def versions(packages: Iterable[str]) -> dict[str, str]:
    """The versions of packages in this environment, and of Python."""
    return {"Python": platform.python_version(), **{name: version(name) for name in packages}}


def write(into: Path, name: str, complete: bool, found: dict, others: dict[str, str] | None = None) -> None:
    """Keeps what was found. `complete` is False of a trial with other sizes; `others` are versions of peers."""
    about = {"date": time.strftime("%Y-%m-%d"), "machine": machine(), "versions": versions(OURS), "complete": complete}
    about |= {"peers": others} if others else {}
    into.mkdir(parents=True, exist_ok=True)
    (into / f"{name}.json").write_text(json.dumps(about | found, indent=1, ensure_ascii=False) + "\n")


def add_ratios(into: Path | None, ratios: dict[str, float]) -> None:
    """Adds to the ratios of the stages, which several benchmarks measure; nothing without a folder."""
    if into:
        file = into / "stages.json"
        before = json.loads(file.read_text())["ratios"] if file.exists() else {}
        write(into, "stages", True, {"ratios": before | ratios})


def apart(script: str, *arguments: str, threads: int | None = None) -> str:
    """What a script prints in a process of its own, so that its peak memory is its own too."""
    env = os.environ | ({"OMP_NUM_THREADS": str(threads)} if threads else {})
    return subprocess.run(
        [sys.executable, script, *arguments], check=True, capture_output=True, text=True, env=env
    ).stdout


def in_turns(calls: dict[str, Callable[[], object]], repeat: int) -> dict[str, list[float]]:
    """The seconds that each call takes, `repeat` times one after the other."""
    times: dict[str, list[float]] = {kind: [] for kind in calls}
    for _ in range(repeat):
        for kind, call in calls.items():
            start = time.perf_counter()
            call()
            times[kind].append(time.perf_counter() - start)
    return times


def peak() -> float:
    """The most memory that this process had, in GB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def compared(what: str, reference: str, found: dict, aim: float, memory: int) -> float:
    """The median ratio of our times to those of a reference, pair by pair; prints it with both, and the peak memory."""
    ours, bare = found["times"]["ours"], found["times"]["bare"]
    ratio = statistics.median(one / other for one, other in zip(ours, bare, strict=True))
    print(
        f"{what}: {ratio:.2f} times {reference} (aim {aim:g});"
        f" {statistics.median(ours):.2f} s against {statistics.median(bare):.2f} s;"
        f" peak memory {found['peak']:.2f} GB (aim {memory})",
        flush=True,
    )
    return ratio
