"""`make bench`, files: what their shape costs. Many small files, and very many questions, beside a plain file.

All on one thread, as the jobs that read have; each pair has a process of its own.
"""

import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import measured

import commands

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


def pair(pair: str, share: float, rounds: int) -> None:
    """Time the reading of one pair; prints JSON."""
    from nonresponse import tables
    from nonresponse.ingest import reading

    options = {"format": "tabular"}
    _, *sizes = PAIRS[pair]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)

        def read(kind: str, runs: int, questions: int) -> Callable[[], None]:
            runs, questions = max(int(runs * share), 1), questions if runs > 1 else int(questions * share)
            paths = written(folder / kind, runs, questions, apart=kind == "ours")

            def call() -> None:
                table, _, faults = reading.responses(paths, options, "qa")
                tables.write(table, folder / "responses.parquet")
                assert table.height and not faults

            return call

        calls = {kind: read(kind, *size) for kind, size in zip(("ours", "theirs"), sizes, strict=True)}
        print(json.dumps(measured.in_turns(calls, rounds)))


def main(share: float = 1, rounds: int = 3, full: bool = False, into: Path | None = None) -> None:
    """Time every pair."""
    rounds, rows = 5 if full else rounds, []
    for name, (reference, *_) in PAIRS.items():
        options = ["--pair", name, "--share", str(share), "--rounds", str(rounds)]
        rows.append(measured.row(name, reference, **measured.apart(__file__, "pair", *options, threads=1)))
        measured.write(into, "files", share == 1, {"rounds": rounds, "rows": rows})


HELP = {
    "share": {"type": float, "help": "of the lines, %(default)s if left out"},
    "rounds": {"type": int, "help": "rounds that each ratio is the median of, %(default)s if left out"},
    "full": {"action": "store_true", "help": "five rounds"},
    "into": {"type": Path, "help": "the folder for what was measured"},
    "pair": {"help": "what is measured"},
}

if __name__ == "__main__":
    arguments = sys.argv[1:] if sys.argv[1:2] == ["pair"] else ["main", *sys.argv[1:]]
    commands.run(__doc__, [main, pair], HELP, arguments)
