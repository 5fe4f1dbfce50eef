"""docs/performance.md, written from what the benchmarks measured: `python tests/benchmarks/page.py`."""

import json
from pathlib import Path

from measured import FOLDER, HOME
from nonresponse import commands

PAGE = HOME / "docs/performance.md"
INTRODUCTION = """\
# How fast it is

*Written by `make bench` and `make bench-peers` from what they measured; do not edit it here.*

Times differ from machine to machine; ratios to something else that was timed in the same run differ less. So ratios
come first. `make bench-check` measures those of our own stages again and names what has become more than 1.3 times
slower than when they were last committed.
"""
TRIAL = """
**A trial, not the benchmark: it ran with other sizes than {command} has, on a machine with other work to do.**
"""
PEERS = """
## Beside other programs
{trial}
How many times our time another program takes for the same answers from the same data: above 1 we are faster. *Call*: in
a running process that has the data in memory (our scores still read the verdicts from a file). *Process*: from start to
end, with imports and with reading files, raw ones for the scores. Medians over rounds in which all took turns:
{rounds}.

| what | runs × questions | beside | call | process | call, s: ours, theirs | process, s: ours, theirs | answers |
|---|---|---|---|---|---|---|---|
{rows}

- **Accuracy and c@1** of every run. None of the others has c@1. It was computed from what they have, accuracy (to an
  evaluator of retrieval: the precision at 1) and the number of answers: c@1 = accuracy · (1 + unanswered / n).
- **Bootstrap**: the ends of the 95 % percentile intervals of the differences of all pairs of runs. We draw samples of
  the questions once for all pairs. **Randomisation tests**: the p-values of all pairs. Both draw at random; answers
  count as the same within five standard errors of the draws.
- **Stability, swap method**: Peñas & Rodrigo 2011, figures 1 and 3, beside the loops of the tool
  RankingEvaluation (Dunaiski and others 2018; Python 2.7), written anew in `tests/benchmarks/peers/loops.py`.
- An asterisk: what runs one after the other, by run or by pair, was timed on some of them and multiplied.
"""


def page(folder: Path) -> str:
    """The page of what is measured so far."""
    parts = [INTRODUCTION]
    for name, part in {"peers": peers}.items():
        file = folder / f"{name}.json"
        if file.exists():
            parts.append(part(json.loads(file.read_text())))
    return "".join(parts)


def peers(found: dict) -> str:
    """The table beside other programs."""
    rows = "\n".join(f"| {' | '.join(cells(row))} |" for row in found["rows"])
    command = "make bench-peers"
    return PEERS.format(rounds=found["rounds"], rows=rows, trial=trial(found, command)) + about(found, command)


def cells(row: dict) -> list[str]:
    """Of a comparison with one peer."""
    calls, process = row["calls"], row["process"]
    size = f"{row['runs']:,} × {row['questions']:,}"
    ratios = [f"**{short(part['ratio'])}**" for part in (calls, process)]
    seconds = [f"{short(part['ours'])}, {short(part['theirs'])}" for part in (calls, process)]
    return [row["what"], size, row["peer"] + " *" * (row["share"] < 1), *ratios, *seconds, row["answers"]]


def short(value: float) -> str:
    """Two significant digits."""
    power = int(f"{value:.1e}".partition("e")[2])
    return f"{round(value, 1 - power):,.{max(0, 1 - power)}f}"


def about(found: dict, command: str) -> str:
    """Which machine, which day, which versions."""
    listed = ", ".join(f"{name} {version}" for name, version in found["versions"].items())
    lines = [f"\nMeasured by `{command}` on {found['date']}, {found['machine']}; {listed}."]
    if "peers" in found:
        lines.append("Peers: " + ", ".join(f"{name} {version}" for name, version in found["peers"].items()) + ".")
    return " ".join(lines) + "\n"


def trial(found: dict, command: str) -> str:
    """A warning, where sizes were not those of the benchmark."""
    return "" if found["complete"] else TRIAL.format(command=f"`{command}`")


OPTIONS = {
    "folder": {"type": Path, "help": "with what was measured, %(default)s if left out"},
    "output": {"type": Path, "help": "the page to write, %(default)s if left out"},
}


def main(folder: Path = FOLDER, output: Path = PAGE) -> None:
    """Write the page."""
    output.write_text(page(folder), encoding="utf-8")


if __name__ == "__main__":
    commands.run(__doc__, [main], OPTIONS)
