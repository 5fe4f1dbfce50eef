"""What a person sees while jobs run: a bar on a terminal, elsewhere a line per finished job; why a job failed.

Snakemake's own messages give way to these only where its profile asks for quiet about rules.
"""

from __future__ import annotations

import atexit
import logging
import shlex
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nonresponse import legible

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

Record = Any  # a log record with what Snakemake adds for its event
LINES = 20  # of a failed job's log
REPORTS = ["check"]  # rules whose logs are reports for people, and shown as they are


class Progress(logging.Handler):
    """Follows a Snakemake logger; `made(job)` tells how many of the `total` results there are when a job has ended."""

    def __init__(self, terminal: bool, made: Callable[[int], int], total: int):
        super().__init__()
        self.made, self.total = made, total
        self.names: dict[int, str] = {}  # of jobs, by number
        self.running: list[int] = []
        self.bar = bar(total) if terminal else None

    def emit(self, record: logging.LogRecord) -> None:
        """Call the method that has the name of the record's event, if there is one."""
        follow = getattr(self, str(getattr(record, "event", None)), None)
        if follow:
            follow(record)

    def job_info(self, record: Record) -> None:
        self.names[record.jobid] = " ".join([record.rule_name, *map(str, (record.wildcards or {}).values())])
        self.show()

    def job_started(self, record: Record) -> None:
        self.running += record.jobs
        if self.bar and not self.bar.live.is_started:
            atexit.register(self.stop)  # gives the cursor back, whatever happens
            self.bar.start()

    def job_finished(self, record: Record) -> None:
        self.running = [job for job in self.running if job != record.job_id]
        made = self.made(record.job_id)
        self.show(completed=made)
        if not self.bar:
            name = self.names.get(record.job_id, "")
            self.say(f"{time.strftime('%H:%M:%S')}  {made:,} of {self.total:,} results: {name}")

    def job_error(self, record: Record) -> None:
        self.running = [job for job in self.running if job != record.jobid]
        if record.indent and not any(last_lines(Path(log)) for log in record.log):
            return  # a member of a group with an empty log: another member failed
        if record.rule_name in REPORTS and (report := last_lines(Path(record.log[0]), None)):
            self.say("\n".join(report))
        else:
            self.say(failure(self.names.get(record.jobid, record.rule_name), record.log, record.shellcmd))

    def group_error(self, record: Record) -> None:
        members = [self.names.get(job["jobid"], job["rule_name"]) for job in record.job_error_info]
        self.say(failure(f"one of {', '.join(members)}", record.aux_logs, None))

    def show(self, **numbers: Any) -> None:
        """Updates the bar with the names of the jobs that run now."""
        if self.bar:
            names = [self.names.get(job, "") for job in self.running]
            self.bar.update(self.bar.task_ids[0], running=", ".join(filter(None, names)), **numbers)

    def say(self, text: str) -> None:
        """Print something longer than the bar; from then on, there are lines instead of a bar."""
        self.stop()
        print(text, file=sys.stderr, flush=True)

    def stop(self) -> None:
        """Takes the bar away, for good."""
        if self.bar:
            self.bar.stop()
        self.bar = None


def bar(total: int) -> Bar:
    """A line for standard error: a bar, the results that are up to date, the time, and the jobs that run."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, ProgressColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar
    from rich.table import Column

    running = TextColumn("{task.fields[running]}", markup=False, table_column=Column(no_wrap=True, overflow="ellipsis"))
    console = Console(stderr=True)
    columns: list[ProgressColumn] = [BarColumn(30)] if console.width >= 60 else []
    columns += [MofNCompleteColumn(" of "), TextColumn("results"), TimeElapsedColumn(), running]
    progress = Bar(*columns, console=console, transient=True)
    progress.add_task("", total=total, running="")
    return progress


def failure(name: str, logs: list[str], command: str | None) -> str:
    """Which job failed, how its logs end, and the command that repeats it, with its output on the terminal."""
    parts = [f"\nFailed: {name}"]
    for log in logs:
        ending = last_lines(Path(log))
        parts.append(f"  {log} {'ends' if ending else 'is empty: the job was killed, or never began'}")
        parts += [f"    {line}" for line in ending]
    if command:
        python, *rest = command.strip().rsplit(" 2> ", 1)[0].split(" ", 1)
        python = shlex.quote(sys.executable) if python == "python" else python
        parts.append(f"  To repeat it in {Path.cwd()}:\n    " + legible.uncovered(" ".join([python, *rest])))
    return "\n".join(parts) + "\n"


def last_lines(log: Path, number: int | None = LINES) -> list[str]:
    """The end of a text, or all of it, without what could move a terminal's cursor."""
    if not log.is_file():
        return []
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()[-number if number else None :]
    return [legible.uncovered(line, kept="\t") for line in lines]


def shown_by_progress(record: logging.LogRecord, dryrun: bool) -> bool:
    """Whether a log record of Snakemake's is about what the progress shows in its own words.

    So is the table of jobs (run_info), which at first has only those up to the counts; a dry run shows nothing else.
    """
    remarks = (
        "Select jobs",
        "DAG of jobs will be updated",
        "Updating checkpoint",
        "RuleException:\nCalledProcessError",
        "Exiting because a job execution failed",
        "WorkflowError:\nAt least one job did not complete",
        *("Assuming unrestricted shared", "Building DAG", "Using shell", "Provided cores", "Rules claiming more"),
    )
    events = ("job_started", "job_finished", "progress", *["run_info"] * (not dryrun))
    return str(getattr(record, "event", None)) in events or str(record.msg).startswith(remarks)
