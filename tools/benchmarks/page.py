"""docs/performance.md from what the benchmarks measured, written by `python
tools/benchmarks/page.py`. A section is there as soon as its benchmark has written its file.
"""

import json
from collections.abc import Callable
from pathlib import Path

import costs
import growth
from formatting import short, table

import commands

DOCS = costs.HOME / "docs"
INTRODUCTION = """\
# Performance

*Written by `make bench` from what it measured.*

Seconds are CPU seconds of all processes together. *Times* is ours by theirs: below 1 we are faster. An asterisk: timed on
a part and multiplied.
"""
TRIAL = "\n**A trial: it ran with other sizes than `make bench` has.**\n"
STAGES = """
## From raw files to counts

Snakemake and its jobs beside one streaming query, which finds the same answers and checks nothing. Medians of {rounds}
rounds.
"""
CHANGES = """
## What a change costs

Whole campaigns with {measures} and the default analyses.
"""
KERNELS = """
## The statistics

Each kernel in one thread, beside the plainest NumPy program for the same question, with as many draws. Medians of
{rounds} rounds.
"""
PEERS = """
## Beside other programs

A call in a process that has read the data, and a process from start to end, on {runs:,} runs × {questions:,} questions.
All find the same answers, bootstraps within five standard errors. None of the others has c@1: it is accuracy ·
(1 + unanswered / n). Medians over {rounds} rounds.
"""
MACHINE = """
## What it was measured on

"""


def page(folder: Path) -> str:
    """The page of what is measured so far."""
    parts = read_results(folder, SECTIONS)
    measured = [result for _, results in parts for result in results]
    trial = "" if all(result["complete"] for result in measured) else TRIAL
    sections = "".join(part(results) for part, results in parts)
    return INTRODUCTION + trial + sections + MACHINE + describe_machines(measured)


def read_results(
    folder: Path, parts: dict[Callable, list[str]]
) -> list[tuple[Callable, list[dict]]]:
    """The parts of which there are all files, with what is in these."""
    files = {part: [folder / f"{name}.json" for name in names] for part, names in parts.items()}
    complete = {
        part: paths for part, paths in files.items() if all(file.exists() for file in paths)
    }
    return [
        (part, [json.loads(file.read_text()) for file in paths]) for part, paths in complete.items()
    ]


def stages(results: list[dict]) -> str:
    """From raw files to counts."""
    return STAGES.format(rounds=results[0]["rounds"]) + ratios(results, memory=True)


def workflow(results: list[dict]) -> str:
    """The workflow, and changes."""
    measures = " and ".join(results[0]["measures"])
    return CHANGES.format(measures=measures) + ratios(results)


def kernels(results: list[dict]) -> str:
    """The kernels of the statistics."""
    return KERNELS.format(rounds=results[0]["rounds"]) + ratios(results)


def ratios(results: list[dict], memory: bool = False) -> str:
    """The rows of some files."""
    rows = [row for result in results for row in result["rows"]]
    lines = [
        {
            "what": row["what"]
            + (f" ({row['jobs'][0]:,} of {row['jobs'][1]:,} jobs)" if "jobs" in row else ""),
            "beside": row["beside"],
            "times": f"**{short(row['ratio'])}**",
            "seconds: ours, theirs": f"{short(row['ours'])}, {short(row['theirs'])}",
            "memory, GB: ours, theirs": ", ".join(
                short(row[name]) for name in ("gb", "gb_theirs") if memory and row.get(name)
            ),
        }
        for row in rows
    ]
    return "\n" + table(lines)


def peers(results: list[dict]) -> str:
    """The table beside other programs."""
    rows = [
        {
            "what": row["what"],
            "beside": row["peer"] + " *" * (row["share"] < 1),
            **{
                f"{kind}: times": f"**{short(1 / row[part]['ratio'])}**"
                for kind, part in KINDS.items()
            },
            **{
                f"{kind}, s: ours, theirs": f"{short(row[part]['ours'])}, "
                f"{short(row[part]['theirs'])}"
                for kind, part in KINDS.items()
            },
        }
        for row in results[0]["peer_rows"]
    ]
    [size] = {(row["runs"], row["questions"]) for row in results[0]["peer_rows"]}
    text = PEERS.format(rounds=results[0]["rounds"], runs=size[0], questions=size[1])
    return text + "\n" + table(rows)


KINDS = {"call": "calls", "process": "process"}


def scaling(results: list[dict]) -> str:
    """How stages grow."""
    return growth.section(results[0])


def scale(results: list[dict]) -> str:
    """What a hundred million answers cost, and a billion would."""
    return growth.render_largest(*results)


def describe_machines(results: list[dict]) -> str:
    """Which machine, which day, which versions, how busy: a line for each, if they differ."""
    loads: dict[str, float] = {}
    for result in results:
        line = f"{result['date']}, {result['machine']}; {join_versions(result['versions'])}"
        loads[line] = max(loads.get(line, 0), *result["load"])
    lines = [f"{line}; load average up to {load:.1f}.\n" for line, load in loads.items()]
    peers = [join_versions(result["peers"]) for result in results if "peers" in result]
    return "\n".join([*lines, *(f"Other programs: {names}.\n" for names in peers)])


def join_versions(versions: dict[str, str]) -> str:
    """Programs, each with its version."""
    return ", ".join(f"{name} {version}" for name, version in versions.items())


SECTIONS = {section: [section.__name__] for section in (stages, workflow, kernels, peers, scaling)}
SECTIONS[scale] = ["scale", "scaling"]


OPTIONS = {
    "folder": {"type": Path, "help": "with what was measured, %(default)s if left out"},
    "docs": {"type": Path, "help": "the folder of the page, %(default)s if left out"},
}


def main(folder: Path = costs.FOLDER, docs: Path = DOCS) -> None:
    """Write the page."""
    (docs / "performance.md").write_text(page(folder), encoding="utf-8")


if __name__ == "__main__":
    commands.run(__doc__, [main], OPTIONS)
