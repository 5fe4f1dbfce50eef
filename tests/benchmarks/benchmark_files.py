"""`make bench`, files: what their shape costs. Many small files, and very many questions, beside a plain file.

All on one thread, as the jobs that read have; each pair has a process of its own.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import measured
from nonresponse import commands

AIM = 2  # times the plain file
COLUMNS = "question\tanswer\tconfidence\n"
# The pair: runs and questions of what is measured and of what it is set beside. The latter is always one file.
PAIRS = {
    "5,000 files of 100 lines": ("one file of the same lines", (5000, 100), (5000, 100)),
    "a million questions of one run": ("a thousand runs of a thousand in one file", (1, 1_000_000), (1000, 1000)),
}


def lines(run: int, questions: int) -> list[str]:
    """What one run answered, a line each, without its name."""
    return [f"q{place:06}\tanswer {place * run % 97}\t0.{place % 90 + 10}\n" for place in range(questions)]


def written(folder: Path, runs: int, questions: int, apart: bool) -> list[str]:
    """The files of a campaign: one for each run, or one for all that has their names."""
    folder.mkdir()
    if apart:
        for run in range(runs):
            (folder / f"run{run:04}.tsv").write_text(COLUMNS + "".join(lines(run, questions)))
    else:
        named = (f"run{run:04}\t{line}" for run in range(runs) for line in lines(run, questions))
        (folder / "all.tsv").write_text(f"run\t{COLUMNS}" + "".join(named))
    return sorted(map(str, folder.iterdir()))


def pair(pair: str, share: float, repeat: int) -> None:
    """Time the reading of one pair; prints JSON."""
    from nonresponse import tables
    from nonresponse.ingest import reading
    from nonresponse.ingest.raw_files import run_reader

    options = {"format": "tabular"}
    _, *sizes = PAIRS[pair]
    times: dict[str, list[float]] = {"ours": [], "bare": []}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = {}
        for kind, (runs, questions) in zip(times, sizes, strict=True):
            runs, questions = max(int(runs * share), 1), questions if runs > 1 else int(questions * share)
            files[kind] = written(folder / kind, runs, questions, apart=kind == "ours")
        for _ in range(repeat + 1):
            for kind, paths in files.items():
                start = time.perf_counter()
                table, _, faults = reading.responses(paths, run_reader(options), "qa", together=options)
                tables.write(table, folder / "responses.parquet")
                times[kind].append(time.perf_counter() - start)
                assert table.height and not faults
    warm = {kind: found[1:] for kind, found in times.items()}
    print(json.dumps({"times": warm, "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20}))


def main(share: float = 1, repeat: int = 5, into: Path | None = None) -> None:
    """Time every pair."""
    for name, (reference, *_) in PAIRS.items():
        command = [sys.executable, __file__, "pair", "--pair", name, "--share", str(share), "--repeat", str(repeat)]
        env = os.environ | {"OMP_NUM_THREADS": "1"}
        found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True, env=env).stdout)
        ratio = measured.compared(name, reference, found, AIM, memory=1)
        measured.add_ratios(into, {f"{name}, beside {reference}": ratio})


HELP = {
    "share": {"type": float, "help": "of the lines, %(default)s if left out"},
    "repeat": {"type": int, "help": "how many pairs are timed, %(default)s if left out"},
    "into": {"type": Path, "help": "the folder for what was measured"},
    "pair": {"help": "what is measured"},
}

if __name__ == "__main__":
    arguments = sys.argv[1:] if sys.argv[1:2] == ["pair"] else ["main", *sys.argv[1:]]
    commands.run(__doc__, [main, pair], HELP, arguments)
