"""What a person sees while jobs run, and of a job that failed."""

import logging
import os
import pty
import re
import shlex
import subprocess

import loaded_jobs
import pytest
from conftest import SNAKEMAKE
from nonresponse.progress import failure, last_lines, shown_by_progress

# Run by each job before its script; and by every Python at its start, where it is its sitecustomize.
BROKEN = """
import os, sys
if "--measures cws" in " ".join([*sys.orig_argv, *getattr(sys, "argv", [])]):
    for number in range(30):
        print("line", number, file=sys.stderr)
    print("nothing works today", file=sys.stderr, flush=True)
    os._exit(1)
"""


@pytest.mark.slow
def test_a_line_for_each_job_where_there_is_no_terminal(tiny):
    lines = re.findall(r"^[\d:]{8}  (\d+) of (\d+) results: (.*)$", tiny.snakemake().stderr, re.MULTILINE)
    made = [int(number) for number, _, _ in lines]
    assert made == sorted(made) and 0 < made[0] < made[-1] == int(lines[-1][1]) and lines[-1][2] == "all"
    assert len({total for _, total, _ in lines}) == 1  # also as jobs come that follow from the counts
    assert {"ingest_judgments tiny", "known tiny", "score_counts tiny"} <= {name for _, _, name in lines}


@pytest.mark.slow
def test_a_failed_job_shows_the_end_of_its_log_and_a_command_that_repeats_it(tiny):
    broken = tiny.write("broken/sitecustomize.py", BROKEN)
    run = tiny.snakemake(check=False, env={"RUN_FIRST": str(broken)})
    assert run.returncode == 1
    ending = [f"    line {number}\n" for number in range(11, 30)] + ["    nothing works today\n"]
    head = "Failed: score_verdicts tiny cws\n  results/logs/tiny/score-cws.log ends\n"
    assert run.stderr.count(head + "".join(ending)) == 1
    command = re.search(r"To repeat it in (.*):\n    (.*--measures cws .*)\n", run.stderr)
    env = os.environ | {"PYTHONPATH": str(broken.parent)}
    again = subprocess.run(shlex.split(command[2]), cwd=command[1], env=env, capture_output=True, text=True)
    assert again.returncode == 1 and again.stderr.endswith("nothing works today\n")
    assert "CalledProcessError" not in run.stderr
    assert "score_verdicts" in tiny.jobs()


@pytest.mark.slow
def test_on_a_terminal_a_bar_that_goes_away(tiny):
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*SNAKEMAKE, "--cores", "2"],
        cwd=tiny.folder,
        env=os.environ | loaded_jobs.environment(),
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    shown = b"".join(iter(lambda: read(ours), b"")).decode()
    assert process.wait() == 0
    plain = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", shown)
    assert re.search(r"\d of \d+ results 0:0\d:\d\d", plain) and "verdicts tiny" in plain
    assert shown.count("\x1b[?25l") == shown.count("\x1b[?25h") == 1  # the cursor is back
    assert "gamma" in plain[plain.rindex("results 0:0") :]  # the summary follows it


def read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # the other end is closed
        return b""


def test_a_log_cannot_move_the_cursor(tmp_path):
    log = tmp_path / "job.log"
    log.write_bytes(b"first\n" * 30 + b"a\x1b[2Jb\tc\xff\n")
    assert len(last_lines(log)) == 20
    assert last_lines(log)[-1] == "a[U+001B][2Jb\tc\ufffd"
    assert "'[U+001B][2J*.tsv'" in failure("a job", [], "python x.py --files '\x1b[2J*.tsv' 2> log")
    assert last_lines(tmp_path / "none.log") == []


def test_warnings_of_snakemake_are_left_alone():
    record = logging.LogRecord("snakemake", logging.WARNING, "", 1, "Missing file", None, None)
    assert not shown_by_progress(record, False)
