"""`make bench`, third part: what the workflow costs beside its work, and what re-scoring costs beside a full run.

All in seconds of CPU, of Snakemake and all its jobs together. The reference of the first two is the same library
calls, one after the other in one process; that of the third is the full run before it.
"""

import json
import os
import re
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import yaml

HOME = Path(__file__).resolve().parents[2]
SCRIPTS = HOME / "scripts"
sys.path.insert(0, str(SCRIPTS))
import measured  # noqa: E402
from nonresponse import commands  # noqa: E402

MEASURES = ["c@1", "accuracy", "uf", "answered", "cws"]
ANALYSES = ["stability", "swap", "rankings"]
SHARDS = 4


def cpu_of(*command: str, cwd: Path) -> tuple[float, str]:
    """CPU seconds of a command and of all it starts, and what it printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    # Where SLURM is installed without a controller, every start of Snakemake would wait for it.
    env = os.environ | {"PATH": f"{HOME / 'tests/cluster/without-slurm'}:{os.environ['PATH']}"}
    done = subprocess.run(command, cwd=cwd, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        sys.exit(done.stdout.decode())
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout.decode()


def snakemake(folder: Path) -> tuple[float, list[str]]:
    """CPU seconds of one run of Snakemake, and the commands that it ran, in their order."""
    command = [
        sys.executable,
        "-m",
        "snakemake",
        "-s",
        str(HOME / "Snakefile"),
        "--cores",
        "2",
        "-p",
        "--quiet",
        "host",
    ]
    seconds, log = cpu_of(*command, cwd=folder)
    return seconds, re.findall(r"^Shell command: (python .*)$", log, re.MULTILINE)


def simulate(runs: int, questions: int, seed: int, into: Path) -> None:
    command = [sys.executable, str(HOME / "tools/simulate.py"), "campaign", "--runs", str(runs)]
    cpu_of(*command, "--questions", str(questions), "--seed", str(seed), "--into", str(into), cwd=HOME)


def campaign(folder: str) -> dict:
    return {
        "task": "qa",
        "runs": {"format": "tabular", "files": f"{folder}/runs/*.tsv"},
        "judgments": {"format": "tabular", "files": f"{folder}/judgments/*.tsv"},
        "measures": MEASURES,
        "shards": SHARDS,
    }


def configure(folder: Path, names: list[str]) -> None:
    config = {"campaigns": {name: campaign(name) for name in names}, "reliability": {"analyses": ANALYSES}}
    (folder / "config.yaml").write_text(yaml.safe_dump(config))


def turn_one_judgment(folder: Path) -> None:
    """The first answer that is judged wrong becomes right, or the other way round."""
    file = min((folder / "judgments").glob("*.tsv"))
    head, first, *rest = file.read_text().splitlines(keepends=True)
    turned = re.sub(r"[RW]$", lambda label: "W" if label[0] == "R" else "R", first.rstrip("\n"))
    file.write_text("".join([head, turned + "\n", *rest]))


def beside_calls(folder: Path) -> dict:
    """A full run, and the same calls in one process."""
    workflow, commands = snakemake(folder)
    (folder / "commands.json").write_text(json.dumps(commands))
    done = subprocess.run(
        [sys.executable, __file__, "calls", "--folder", str(folder)], check=True, stdout=subprocess.PIPE, text=True
    )
    return {"workflow": workflow, "calls": float(done.stdout), "jobs": len(commands)}


def words(command: str) -> list[str]:
    """The words of a command; what bash would hand on as a file, <(printf %s …), is in a file."""
    found = []
    parts = iter(shlex.split(command))
    for word in parts:
        if word == "<(printf":
            next(parts)  # %s
            with tempfile.NamedTemporaryFile("w", dir=".", suffix=".json", delete=False) as file:
                file.write(next(parts).removesuffix(")"))
            word = file.name
        found.append(word)
    return found


def calls(folder: Path) -> None:
    """The commands of a workflow, one after the other in this process; prints the CPU seconds after imports."""
    import runpy

    import duckdb  # noqa: F401
    import polars  # noqa: F401

    os.chdir(folder)
    os._exit = lambda code: None  # with which each of them ends
    start = time.process_time()
    for command in json.loads(Path("commands.json").read_text()):
        sys.argv = words(command.split(" 2> ")[0])[1:]
        runpy.run_path(sys.argv[0], run_name="__main__")
    print(time.process_time() - start)


def demo(into: Path | None) -> str:
    with tempfile.TemporaryDirectory() as name:
        for part in ("config.yaml", "resources"):
            (Path(name) / part).symlink_to(HOME / part)
        cost = beside_calls(Path(name))
    measured.add_ratios(into, {"the demo, beside the same calls in one process": cost["workflow"] / cost["calls"]})
    return (
        f"the demo by Snakemake: {cost['workflow']:.1f} s of CPU for {cost['jobs']} jobs, the same calls in one process"
        f" {cost['calls']:.1f} s; {cost['workflow'] - cost['calls']:.1f} s more (aim {3 + 0.4 * cost['jobs']:.1f})"
    )


def large(runs: int, questions: int, into: Path | None) -> str:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        simulate(runs, questions, 1, folder / "large")
        configure(folder, ["large"])
        cost = beside_calls(folder)
        turn_one_judgment(folder / "large")
        again, commands = snakemake(folder)
        ingested = sum("ingest.py runs" in command for command in commands)
        assert not ingested, commands
    size, full = f"a campaign of {runs} x {questions}", cost["workflow"]
    measured.add_ratios(into, {f"{size}, beside the same calls in one process": full / cost["calls"]})
    measured.add_ratios(into, {f"{size}, one judgment turned, beside all of it": again / full})
    return (
        f"{runs} runs x {questions:,} questions by Snakemake: {cost['workflow']:.1f} s of CPU for {cost['jobs']} jobs,"
        f" {cost['workflow'] / cost['calls']:.2f} times the same calls in one process (aim 1.2); one judgment turned:"
        f" {again:.1f} s for {len(commands)} jobs, none of which reads runs"
    )


def many(campaigns: int, runs: int, questions: int, into: Path | None) -> str:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        names = [f"c{number}" for number in range(campaigns)]
        simulate(runs, questions, 1, folder / names[0])
        for other in names[1:]:
            shutil.copytree(folder / names[0], folder / other)
        configure(folder, names)
        full, all_jobs = snakemake(folder)
        turn_one_judgment(folder / names[3])
        again, jobs = snakemake(folder)
    size = f"{campaigns} campaigns of {runs} x {questions}"
    measured.add_ratios(into, {f"{size}, one judgment turned, beside all of it": again / full})
    return (
        f"{campaigns} campaigns of {runs} runs x {questions:,} questions: {full:.1f} s of CPU for {len(all_jobs)} jobs;"
        f" one judgment of one of them turned: {again:.1f} s for {len(jobs)} jobs, {again / full:.1%} (aim 8 %)"
    )


OPTIONS = {
    "only": {"action": "append", "help": "demo, large or many, may be repeated; all if left out"},
    "runs": {"type": int, "help": "runs of the large campaign, %(default)s if left out"},
    "questions": {"type": int, "help": "its questions, %(default)s if left out"},
    "folder": {"type": Path, "help": "where the workflow ran"},
    "into": {"type": Path, "help": "a folder to keep the ratios in"},
}


def main(only: list[str] | None = None, runs: int = 1000, questions: int = 10000, into: Path | None = None) -> None:
    """What the workflow costs beside its work, and what re-scoring costs."""
    parts = {
        "demo": lambda: demo(into),
        "large": lambda: large(runs, questions, into),
        "many": lambda: many(20, max(20, runs // 5), max(100, questions // 5), into),
    }
    for name in only or parts:
        print(parts[name](), flush=True)


if __name__ == "__main__":
    arguments = sys.argv[1:] if sys.argv[1:2] == ["calls"] else ["main", *sys.argv[1:]]
    commands.run(__doc__, [main, calls], OPTIONS, arguments)
