"""What a job opens below the working folder is declared by its rule: strace follows every job of
three campaigns.

A job may read its inputs, and list the folders among them. It may write its outputs, its log, and a
temporary beside one of these that it moves into place or removes. It may read what it has written,
and do both with memos. What its rule declares, its command line names. Only where there are faults,
the check reads raw files again. Libraries, shipped resources, devices and temporary folders lie
elsewhere.
"""

import os
import re
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from conftest import PROFILE, SNAKEMAKE, Project
from edits import Edited
from nonresponse.statistics.analyses import ANALYSES
from nonresponse.workflow import server

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not shutil.which("strace"), reason="strace is not installed"),
]

CALLS = "openat,open,creat,rename,renameat,renameat2,unlink,unlinkat,link,linkat,symlink,symlinkat,truncate,getdents64"
# Bash runs this first: `python` is followed by strace, which leaves its command and its trace under
# the pid of bash.
TRACED = f"""
python() {{
    local traced="$OPENS/$BASHPID-$RANDOM"
    printf %s "$BASH_EXECUTION_STRING" > "$traced.command"
    printf '%s\\0' "$@" > "$traced.words"
    strace --follow-forks --output-separately --seccomp-bpf --decode-fds=path --string-limit=65536 \\
        --quiet=all --signal=none --trace={CALLS} --output="$traced.trace" "$(type -P python)" "$@"
}}
"""
BLOCK = re.compile(
    r"^(?:local)?(?:rule|checkpoint) (\w+):\n((?: {4}.*\n)+)(?:Shell command: "
    r"([\s\S]*?)\n(?=\[|\n|\Z))?",
    re.MULTILINE,
)
CALL = re.compile(r"^(\w+)\((.*)\) += \d+", re.MULTILINE)
PATHS = re.compile(r'(?:(?:AT_FDCWD|\d+)<([^<>]*)>, )?"((?:[^"\\]|\\.)*)"')
WRITES = ("O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC")


@dataclass
class Job:
    """A job that Snakemake printed, and the paths it opened within the working folder."""

    rule: str
    command: str
    inputs: set[str]
    outputs: set[str]
    logs: set[str]  # and benchmarks
    words: set[str] = field(default_factory=set)  # of the command line
    reads: set[str] = field(default_factory=set)
    listings: set[str] = field(default_factory=set)
    writes: set[str] = field(default_factory=set)
    removals: set[str] = field(default_factory=set)  # from here, or removed

    def undeclared(self) -> Iterator[str]:
        """Yield what the job read and wrote beside what its rule declares."""
        declared_outputs = self.outputs | self.logs
        folders = {str(Path(path).parent) for path in declared_outputs}
        own_writes = {
            path for path in self.writes if is_within(path, declared_outputs) or is_memo(path)
        }
        temporary = {
            path for path in self.removals if str(Path(path).parent) in folders or is_memo(path)
        }
        for path in sorted(self.writes | self.removals - temporary):
            if path not in own_writes and path not in temporary:
                yield f"{self.rule} writes {path}"
        # It may look for temporaries that a killed job has left beside its outputs.
        for path in sorted((self.reads | self.listings - folders) - own_writes - temporary):
            if not is_within(path, self.inputs | declared_outputs) and not is_memo(path):
                yield f"{self.rule} reads {path}"
        for path in sorted(self.inputs | self.outputs):
            if path not in self.words:
                yield f"{self.rule} is not told of {path}"


def is_within(path: str, declared: set[str]) -> bool:
    """Return whether a path is declared, or lies in a folder that is."""
    return path in declared or any(str(parent) in declared for parent in Path(path).parents)


def is_memo(path: str) -> bool:
    """Return whether a path is kept between runs: a memo, or the previous results."""
    return any(
        Path(path).is_relative_to(folder) for folder in ("results/.memo", "results/previous")
    )


def parse_jobs(printed: str) -> list[Job]:
    """Return the jobs with a command that Snakemake printed."""
    jobs = []
    for rule, block, command in BLOCK.findall(printed):
        paths: dict[str, set[str]] = defaultdict(set)
        for key, text in re.findall(
            r"^ {4}(input|output|log|benchmark): (.*)$", block, re.MULTILINE
        ):
            paths[key] = set(re.sub(r" \([^()]*\)(?=,|$)", "", text).split(", "))
        if command not in ("", "None"):
            logs = paths["log"] | paths["benchmark"]
            jobs.append(Job(rule, command, paths["input"], paths["output"], logs))
    return jobs


def is_command_of(job: Job, executed: str) -> bool:
    """Return whether bash executed the job's command; other printed lines may follow it."""
    lines = job.command.splitlines()
    printed = (" ".join("\n".join(lines[:number]).split()) for number in range(1, len(lines) + 1))
    return any(" ".join(executed.split()).endswith(f" {command}") for command in printed)


def trace(job: Job, text: str, folder: Path) -> None:
    """Add to a job what a trace says that it opened below a folder."""

    def local(path: str, folder_of: str = "") -> str | None:
        resolved = Path(os.path.normpath(folder / folder_of / path))
        return str(resolved.relative_to(folder)) if resolved.is_relative_to(folder) else None

    for name, arguments in CALL.findall(text):
        if name == "getdents64":
            listed = re.match(r"\d+<([^<>]*)>", arguments)
            actual = [local(listed[1])] if listed else [None]
        else:
            paths = PATHS.finditer(arguments)
            actual = [local(re.sub(r"\\(.)", r"\1", match[2]), match[1] or "") for match in paths]
        main = actual[0] if actual else None
        local_paths = {path for path in actual if path is not None}
        if name in ("open", "openat", "creat"):
            writes = name == "creat" or any(flag in arguments for flag in WRITES)
            # A folder is read where it is listed: it is also opened to have what was written in it
            # on the disk.
            if main is not None and (writes or not (folder / main).is_dir()):
                (job.writes if writes else job.reads).add(main)
        elif name == "getdents64":
            job.listings |= local_paths
        elif name.startswith(("rename", "link")):
            (job.removals if name.startswith("rename") else job.reads).update(local_paths & {main})
            job.writes |= {path for path in actual[1:] if path is not None}
        else:
            (job.removals if name.startswith("unlink") else job.writes).update(local_paths)


def run_traced(project: Project) -> list[Job]:
    """Run Snakemake, and return its jobs with what they opened."""
    opens = project.folder.with_name(f"{project.folder.name}-opens")
    shutil.rmtree(opens, ignore_errors=True)
    opens.mkdir()
    main = opens / "first.sh"
    main.write_text(TRACED)
    # So that each job is a process of its own
    no_server = {server.ADDRESS: f"{server.SOURCE}{os.pathsep}"}
    env = os.environ | {"BASH_ENV": str(main), "OPENS": str(opens)} | no_server
    options = ["--workflow-profile", str(PROFILE), "--cores", "2", "--printshellcmds"]
    command = [*SNAKEMAKE, *options, "--quiet", "host"]
    run = subprocess.run(command, cwd=project.folder, env=env, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    jobs = parse_jobs(run.stdout + run.stderr)
    unmatched = list(jobs)
    for path in sorted(opens.glob("*.command")):
        job = next(
            candidate for candidate in unmatched if is_command_of(candidate, path.read_text())
        )
        words = path.with_suffix(".words").read_text().split("\0")
        job.words = {part for word in words for part in (word, word.partition("=")[2])}
        for thread in opens.glob(f"{path.stem}.trace.*"):
            trace(job, thread.read_text(), project.folder)
        unmatched.remove(job)
    assert not unmatched, f"jobs that ran no python of their own: {[job.rule for job in unmatched]}"
    return jobs


def make_study(folder: Path) -> Edited:
    """A campaign through each door, one of them with a scenario, rules and all analyses."""
    study = Edited(folder, ["judged", "inspect", "counts"])
    study.write_all()
    study.campaigns["judged"]["reliability"] = {"analyses": sorted(ANALYSES)}
    study.write_config()
    return study


def test_a_job_opens_what_its_rule_declares(tmp_path):
    (tmp_path / "folder").mkdir()
    jobs = run_traced(make_study(tmp_path / "folder"))
    assert sum(len(job.reads) for job in jobs) > len(jobs)  # strace did follow them
    actual = {re.sub(r"\d{4,}", "N", path) for job in jobs for path in job.undeclared()}
    assert not actual, "\n".join(sorted(actual))
