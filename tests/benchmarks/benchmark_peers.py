"""`make bench-peers`: our times beside those of other programs that compute the same, on the same
data.

The answers are compared first. Then both sides take turns, ours and each peer's, some rounds; a
ratio is the median of those of the rounds, of CPU seconds. `calls` are calls in a running process
that has read the data and has called once before; `process` is all of a process, from its start to
its end, with imports and with reading files. What a peer does run by run, or pair by pair, is timed
on some of them and multiplied: what a later call takes, not the first one, which may compile.
"""

import json
import math
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import measured
import numpy as np
import peer_data
from measured import HOME
from rendered import short

import commands

WORKER = HOME / "tests/benchmarks/peers/worker.py"
SIZES = [(44, 500)]
SAMPLES = 10000
PACKAGES = {  # that peers are in
    "ir_measures": "ir_measures",
    "pytrec_eval (terrier)": "pytrec-eval-terrier",
    "ranx": "ranx",
    "trectools": "trectools",
    "PyEvALL": "PyEvALL",
    "SciPy": "scipy",
    "evalstats": "evalstats",
}


def equal(ours: np.ndarray, theirs: np.ndarray, n: int, samples: int) -> tuple[bool, str]:
    """Whether answers are the same to 1e-9."""
    distance = np.abs(ours - theirs).max()
    return bool(distance <= 1e-9), "equal" if distance <= 1e-9 else f"{distance:g} apart"


def same_ends(ours: np.ndarray, theirs: np.ndarray, n: int, samples: int) -> tuple[bool, str]:
    """Whether ends of 95 % intervals, a lower and an upper one each, differ by no more than chance
    lets them.

    A quantile of normal samples at 2.5 % has a standard error of 2.67 / sqrt(samples) of theirs;
    scores have steps.
    """
    spread = np.repeat(np.diff(ours.reshape(-1, 2)).ravel(), 2) / 3.92
    allowed = 5 * math.sqrt(2) * 2.67 / math.sqrt(samples) * spread + 2 / n
    return bool((np.abs(ours - theirs) <= allowed).all()), far_apart(ours, theirs)


def far_apart(ours: np.ndarray, theirs: np.ndarray) -> str:
    return f"other random draws: at most {np.abs(ours - theirs).max():.4f} apart"


@dataclass(frozen=True)
class Comparison:
    """What is computed by our function and by those of peers, module.function in the folder
    `peers`."""

    what: str
    ours: str
    peers: dict[str, str]
    same: Callable = equal
    all_sizes: bool = False


COMPARISONS = [
    Comparison(
        "accuracy and c@1",
        "scores",
        {
            "ir_measures": "scores.ir_measures",
            "pytrec_eval (terrier)": "scores.pytrec_eval",
            "ranx": "scores.ranx",
            "trectools": "scores.trectools",
            "PyEvALL": "scores.pyevall",
        },
        all_sizes=True,
    ),
    Comparison(
        "bootstrap of differences, c@1",
        "bootstrap_c_at_1",
        {"SciPy": "samples.scipy_bootstrap"},
        same_ends,
    ),
    Comparison(
        "bootstrap of differences, accuracy",
        "bootstrap_accuracy",
        {"evalstats": "samples.evalstats_bootstrap"},
        same_ends,
    ),
]


def command_of(python: Path, function: str, folder: Path) -> list[str]:
    return [str(python), "-W", "ignore", str(WORKER), *function.split("."), str(folder)]


def whole(command: list[str], share: float) -> float:
    """CPU seconds of a process, as if it had all of the data of which it has a share; its second
    call is left out."""
    seconds, printed = measured.cpu_of(*command)
    took = json.loads(next(line for line in printed.splitlines() if line.startswith("{")))
    return seconds - took["again"] + (took["reading"] + took["again"]) * (1 / share - 1)


def server(command: list[str]) -> subprocess.Popen:
    """A process that computes once for each line it is given."""
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    )
    while not process.stdout.readline().startswith("{"):  # some peers print
        pass
    return process


def call(process: subprocess.Popen) -> float:
    """CPU seconds of one computation."""
    process.stdin.write("\n")
    while True:
        line = process.stdout.readline().strip()
        if line.replace(".", "", 1).replace("e-", "", 1).isdigit():
            return float(line)


def sizes_of(folder: Path) -> dict:
    return json.loads((folder / "sizes.json").read_text())


def answers(folder: Path, function: str) -> np.ndarray:
    return np.array(json.loads((folder / f"answers-{function.replace('.', '-')}.json").read_text()))


def compare(
    comparison: Comparison,
    chosen: list[str],
    folder: Path,
    python: Path,
    size: tuple[int, int],
    rounds: int,
) -> list[dict]:
    """A row for each chosen peer. An answer that differs for no known reason ends the benchmark."""
    peers = {name: function for name, function in comparison.peers.items() if name in chosen}
    if not peers:
        return []
    functions = {"ours": f"ours.{comparison.ours}", **peers}
    lines = {
        name: command_of(Path(sys.executable) if name == "ours" else python, function, folder)
        for name, function in functions.items()
    }
    shares, agreement = {"ours": 1.0}, {}
    # Also a first process, which does not count
    servers = {name: server(line) for name, line in lines.items()}
    for name, function in functions.items():
        found, own = answers(folder, function), answers(folder, functions["ours"])
        same, agreement[name] = comparison.same(
            own[: len(found)], found, size[1], sizes_of(folder)["samples"]
        )
        if not same:
            raise SystemExit(f"{comparison.what}, {name}: the answers differ: {agreement[name]}")
        shares[name] = len(found) / len(own)
    calls = {name: [] for name in lines}
    for _ in range(rounds):
        for name, process in servers.items():
            calls[name].append(call(process) / shares[name])
    for process in servers.values():
        process.communicate()
    processes = {name: [] for name in lines}
    for _ in range(rounds):
        for name, line in lines.items():
            processes[name].append(whole(line, shares[name]))
    rows = []
    for name in peers:
        row = {
            "what": comparison.what,
            "runs": size[0],
            "questions": size[1],
            "peer": name,
            "answers": agreement[name],
        }
        for kind, seconds in (("calls", calls), ("process", processes)):
            ratios = [
                theirs / own for theirs, own in zip(seconds[name], seconds["ours"], strict=True)
            ]
            times = {
                "theirs": statistics.median(seconds[name]),
                "ours": statistics.median(seconds["ours"]),
            }
            row[kind] = {"ratio": statistics.median(ratios), **times}
        rows.append(row | {"share": shares[name]})
        ratios = [f"{short(row[kind]['ratio'])} times our time" for kind in ("calls", "process")]
        print(
            f"{row['what']}, {size[0]} x {size[1]:,}, {name} ({agreement[name]}): "
            f"{' in calls, '.join(ratios)} as a process",
            flush=True,
        )
    return rows


OPTIONS = {
    "python": {"type": Path, "help": "of the environment with the peers, %(default)s if left out"},
    "into": {"type": Path, "help": "the folder for what was measured, %(default)s if left out"},
    "runs": {"type": int, "nargs": "+", "help": "runs of the campaigns"},
    "questions": {"type": int, "nargs": "+", "help": "their questions"},
    "peer": {
        "action": "append",
        "help": "a peer to compare with, may be repeated; all if left out",
    },
    "samples": {"type": int, "help": "of bootstrap, %(default)s if left out"},
    "rounds": {"type": int, "help": "that each ratio is the median of, %(default)s if left out"},
}


def main(
    python: Path = HOME / ".venv-peers/bin/python",
    into: Path = measured.FOLDER,
    runs: list[int] | None = None,
    questions: list[int] | None = None,
    peer: list[str] | None = None,
    samples: int = SAMPLES,
    rounds: int = 3,
) -> None:
    """Compare with all peers."""
    sizes = list(zip(runs, questions, strict=True)) if runs and questions else SIZES
    chosen = peer or [*PACKAGES]
    python = python.absolute()  # no link is followed: it tells which environment this is
    packages = [PACKAGES[name] for name in chosen if name in PACKAGES]
    listed = f"from importlib.metadata import version; print(*map(version, {packages!r}))"
    _, versions = measured.cpu_of(python, "-c", listed)
    others = dict(zip(packages, versions.split(), strict=True))
    complete = sizes == SIZES and samples == SAMPLES and not peer
    rows = []
    for number, size in enumerate(sizes):
        with tempfile.TemporaryDirectory() as name:
            peer_data.prepare(Path(name) / "campaign", *size, samples)
            for comparison in COMPARISONS:
                if number == 0 or comparison.all_sizes:
                    rows += compare(
                        comparison, chosen, Path(name) / "campaign", python, size, rounds
                    )
                    measured.write(
                        into, "peers", complete, {"rounds": rounds, "peer_rows": rows}, others
                    )


if __name__ == "__main__":
    commands.run(__doc__, [main], OPTIONS)
