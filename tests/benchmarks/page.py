"""docs/performance.md, written from what the benchmarks measured: `python tests/benchmarks/page.py`."""

import json
from collections.abc import Callable
from pathlib import Path

import measured
import scaling_page
from nonresponse import commands
from nonresponse.figures.page import write_svg

PAGE = measured.HOME / "docs/performance.md"
FIGURE = measured.HOME / "docs/performance.svg"
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
STAGES = """
## Beside what nobody could avoid

Our time as a multiple of that of a reference, in the same run: reading and writing the same files with nothing in
between, a bare join, a plain file of as many lines, the calls of all jobs in one process. Below 1 we are faster.

| what | times |
|---|---|
{rows}
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
    return INTRODUCTION + "".join(part(found) for part, found in measured_by(folder, [peers, stages, scaling]))


def measured_by(folder: Path, parts: list[Callable]) -> list[tuple[Callable, dict]]:
    """The parts of the page of which there is a file, named as the function is, with what is in it."""
    files = {part: folder / f"{part.__name__}.json" for part in parts}
    return [(part, json.loads(file.read_text())) for part, file in files.items() if file.exists()]


def stages(found: dict) -> str:
    """The ratios of our own stages."""
    rows = "\n".join(f"| {name} | **{short(ratio)}** |" for name, ratio in found["ratios"].items())
    return STAGES.format(rows=rows) + about(found, "make bench")


def scaling(found: dict) -> str:
    """How stages grow."""
    return scaling_page.text(found, trial(found, "make bench"), FIGURE.name) + about(found, "make bench")


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


def main(folder: Path = measured.FOLDER, output: Path = PAGE) -> None:
    """Write the page, and its figure beside it."""
    output.write_text(page(folder), encoding="utf-8")
    for _, found in measured_by(folder, [scaling]):
        write_svg(scaling_page.figure(found["rows"]), output.with_name(FIGURE.name))


if __name__ == "__main__":
    commands.run(__doc__, [main], OPTIONS)
