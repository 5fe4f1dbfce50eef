"""`make bench-peers`: our times beside those of other programs that compute the same, on the same
data.

The answers are compared first. Then ours and each peer's take turns, some rounds; a ratio is the
median of those of the rounds, of CPU seconds. `calls` is a second call in a process that has read
the data, since the first may compile; `process` is all of a process, with imports and with reading
files. What a peer does run by run, or pair by pair, is timed on some of them and multiplied.
"""

import json
import math
import statistics
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import costs
import numpy as np
import peer_data
from costs import HOME
from formatting import short

import commands

WORKER = HOME / "tools/benchmarks/peers/worker.py"
SIZE, SAMPLES = (44, 500), 10_000
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


def equal_ends(ours: np.ndarray, theirs: np.ndarray, n: int, samples: int) -> tuple[bool, str]:
    """Whether ends of 95 % intervals, a lower and an upper one each, differ by no more than chance
    lets them.

    A quantile of normal samples at 2.5 % has a standard error of 2.67 / sqrt(samples) of theirs;
    scores have steps.
    """
    spread = np.repeat(np.diff(ours.reshape(-1, 2)).ravel(), 2) / 3.92
    allowed = 5 * math.sqrt(2) * 2.67 / math.sqrt(samples) * spread + 2 / n
    distance = np.abs(ours - theirs)
    text = f"other random draws: at most {distance.max():.4f} apart"
    return bool((distance <= allowed).all()), text


class Comparison(NamedTuple):
    """What our function and those of peers compute, each module.function of `peers`."""

    title: str
    ours: str
    peers: dict[str, str]
    test: Callable = equal


SCORE_PEERS = {
    "ir_measures": "scores.ir_measures",
    "pytrec_eval (terrier)": "scores.pytrec_eval",
    "ranx": "scores.ranx",
    "trectools": "scores.trectools",
    "PyEvALL": "scores.pyevall",
}
C_AT_1_PEERS, ACCURACY_PEERS = (
    {"SciPy": "samples.scipy_bootstrap"},
    {"evalstats": "samples.evalstats_bootstrap"},
)
BOOTSTRAP = "bootstrap of differences"
COMPARISONS = [
    Comparison("accuracy and c@1", "scores", SCORE_PEERS),
    Comparison(f"{BOOTSTRAP}, c@1", "bootstrap_c_at_1", C_AT_1_PEERS, equal_ends),
    Comparison(f"{BOOTSTRAP}, accuracy", "bootstrap_accuracy", ACCURACY_PEERS, equal_ends),
]


class Side(NamedTuple):
    """One side of a comparison: the command of its process, and its answers."""

    command: list[str]
    answers: np.ndarray

    def seconds(self, share: float) -> dict[str, float]:
        """Return CPU seconds of a call and of a process, scaled to all of the data."""
        seconds, printed = costs.cpu_of(*self.command)
        took = json.loads(next(line for line in printed.splitlines() if line.startswith("{")))
        remaining = (took["reading"] + took["again"]) * (1 / share - 1)
        return {"calls": took["again"] / share, "process": seconds - took["again"] + remaining}


def run_side(python: Path, function: str, folder: Path) -> Side:
    """Run a process of a side for its answers; its time does not count."""
    command = [str(python), "-W", "ignore", str(WORKER), *function.split("."), str(folder)]
    costs.cpu_of(*command)
    answers = folder / f"answers-{function.replace('.', '-')}.json"
    return Side(command, np.array(json.loads(answers.read_text())))


def compare(
    comparison: Comparison, names: list[str], folder: Path, python: Path, sizes: dict, rounds: int
) -> list[dict]:
    """A row for each chosen peer. An answer that differs for no known reason ends the benchmark."""
    peers = {name: function for name, function in comparison.peers.items() if name in names}
    if not peers:
        return []
    ours = run_side(Path(sys.executable), f"ours.{comparison.ours}", folder)
    sides, shares, agreement = {"ours": ours}, {"ours": 1.0}, {}
    for name, function in peers.items():
        sides[name] = run_side(python, function, folder)
        answers = sides[name].answers
        is_same, agreement[name] = comparison.test(
            ours.answers[: len(answers)], answers, sizes["questions"], sizes["samples"]
        )
        if not is_same:
            raise SystemExit(f"{comparison.title}, {name}: the answers differ: {agreement[name]}")
        shares[name] = len(answers) / len(ours.answers)
    turns = [
        {name: peer_side.seconds(shares[name]) for name, peer_side in sides.items()}
        for _ in range(rounds)
    ]
    return [
        make_row(comparison.title, name, agreement[name], shares[name], sizes, turns)
        for name in peers
    ]


def make_row(
    title: str, peer: str, agreement: str, share: float, sizes: dict, turns: list[dict]
) -> dict:
    """The row of a peer, which is printed too."""
    row = {"what": title, "runs": sizes["runs"], "questions": sizes["questions"], "peer": peer}
    row |= {"answers": agreement}
    for kind in ("calls", "process"):
        seconds = [(turn[peer][kind], turn["ours"][kind]) for turn in turns]
        row[kind] = {"ratio": statistics.median(theirs / ours for theirs, ours in seconds)}
        for place, name in enumerate(("theirs", "ours")):
            row[kind][name] = statistics.median(pair[place] for pair in seconds)
    ratios = [f"{short(row[kind]['ratio'])} times our time" for kind in ("calls", "process")]
    print(
        f"{title}, {row['runs']} x {row['questions']:,}, {peer} ({agreement}): "
        f"{' in calls, '.join(ratios)} as a process",
        flush=True,
    )
    return row | {"share": share}


OPTIONS = {
    "python": {"type": Path, "help": "of the environment with the peers, %(default)s if left out"},
    "into": {"type": Path, "help": "the folder for what was measured, %(default)s if left out"},
    "runs": {"type": int, "help": "runs of the campaign, %(default)s if left out"},
    "questions": {"type": int, "help": "its questions, %(default)s if left out"},
    "peer": {
        "action": "append",
        "help": "a peer to compare with, may be repeated; all if left out",
    },
    "samples": {"type": int, "help": "of bootstrap, %(default)s if left out"},
    "rounds": {"type": int, "help": "that each ratio is the median of, %(default)s if left out"},
}


def main(
    python: Path = HOME / ".venv-peers/bin/python",
    into: Path = costs.FOLDER,
    runs: int = SIZE[0],
    questions: int = SIZE[1],
    peer: list[str] | None = None,
    samples: int = SAMPLES,
    rounds: int = 3,
) -> None:
    """Compare with all peers."""
    names = peer or [*PACKAGES]
    python = python.absolute()  # no link is followed: it tells which environment this is
    packages = [PACKAGES[name] for name in names]
    listed = f"from importlib.metadata import version; print(*map(version, {packages!r}))"
    _, versions = costs.cpu_of(python, "-c", listed)
    peer_versions = dict(zip(packages, versions.split(), strict=True))
    complete = (runs, questions) == SIZE and samples == SAMPLES and not peer
    sizes, rows = {"runs": runs, "questions": questions, "samples": samples}, []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "campaign"
        peer_data.prepare(folder, runs, questions, samples)
        for comparison in COMPARISONS:
            rows += compare(comparison, names, folder, python, sizes, rounds)
            result = {"rounds": rounds, "peer_rows": rows}
            costs.write(into, "peers", complete, result, peer_versions)


if __name__ == "__main__":
    commands.run(__doc__, [main], OPTIONS)
