"""The command lines of scripts/*.py: what they take and say, and that they start without loading anything heavy.

Those of tools/*.py may load what they like.
"""

import os
import runpy
import subprocess
import sys

import pytest
from conftest import HOME
from nonresponse import commands
from nonresponse.front import command

SCRIPTS = sorted((HOME / "scripts").glob("*.py"))
FOR_PEOPLE = ("look", "verify")  # which are commands of nonresponse
TOOLS = sorted(path for path in (HOME / "tools").glob("*.py") if "commands.run(" in path.read_text())
OPTIONS = {
    "runs": {"type": int, "help": "how many runs"},
    "by_category": {"action": "store_true", "help": "in groups"},
    "title": {"help": "a line, %(default)r if left out"},
}


def count_up(runs: int, by_category: bool = False, title: str = "none") -> None:
    """Counts the runs."""
    print(runs, by_category, title)


def count_down(runs: int) -> None:
    """Counts the runs, the last one first."""
    print(-runs)


def test_parameters_are_options(capsys):
    commands.run("", [count_up], OPTIONS, ["--runs", "3", "--title=-x", "--by-category"])
    commands.run("", [count_up], OPTIONS, ["--runs", "3"])
    commands.run("", [count_up, count_down], OPTIONS, ["count-down", "--runs", "3"])
    assert capsys.readouterr().out.splitlines() == ["3 True -x", "3 False none", "-3"]


def test_help(capsys):
    for arguments in (["--help"], ["count-up", "--help"]):
        with pytest.raises(SystemExit, match="0"):
            commands.run("What the script does.", [count_up, count_down], OPTIONS, arguments)
    text = " ".join(capsys.readouterr().out.split())
    assert "What the script does." in text and "count-down Counts the runs, the last one first." in text
    assert "--runs RUNS how many runs --by-category in groups --title TITLE a line, 'none' if left out" in text


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["count-up"], "the following arguments are required: --runs"),
        (["count-up", "--runs", "many"], "argument --runs: invalid int value: 'many'"),
        (["count-up", "--runs", "1", "--by"], "unrecognized arguments: --by"),
        (["count-down", "--runs", "1", "--title", "x"], "unrecognized arguments: --title x"),
        ([], "the following arguments are required: COMMAND"),
    ],
)
def test_a_wrong_command_line_is_told_and_nothing_is_done(arguments, told, capsys):
    with pytest.raises(SystemExit, match="2"):
        commands.run("", [count_up, count_down], OPTIONS, arguments)
    printed = capsys.readouterr()
    assert told in printed.err and not printed.out


@pytest.mark.parametrize("name", FOR_PEOPLE)
def test_a_script_for_people_is_the_command_of_its_name(name, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", [f"{name}.py", "--help"])
    with pytest.raises(SystemExit, match="0"):
        runpy.run_path(str(HOME / f"scripts/{name}.py"), run_name="__main__")
    printed = capsys.readouterr().out
    with pytest.raises(SystemExit, match="0"):
        command.main([name, "--help"])
    assert printed == capsys.readouterr().out and printed.startswith(f"usage: nonresponse {name} ")


JOBS = [path for path in SCRIPTS if path.stem not in FOR_PEOPLE]


@pytest.mark.parametrize("path", JOBS + TOOLS, ids=lambda path: path.stem)
def test_every_script_says_what_it_does_and_what_each_option_is(path, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", [str(path), "--help"])
    with pytest.raises(SystemExit, match="0"):  # nor is there a parameter that its options do not tell of
        runpy.run_path(str(path), run_name="__main__")
    script = runpy.run_path(str(path))
    assert " ".join(script["__doc__"].split()) in " ".join(capsys.readouterr().out.split())
    assert all(option["help"] for option in script.get("OPTIONS", {}).values())


def test_a_script_loads_nothing_but_the_standard_library_before_it_has_parsed_its_command_line():
    code = f"""
import os
import runpy, sys
sys.path.insert(0, {str(HOME / "scripts")!r})
before = set(sys.modules)
for path in {[str(path) for path in SCRIPTS]}:
    runpy.run_path(path)
print(*{{name.split(".")[0] for name in set(sys.modules) - before}} - sys.stdlib_module_names - {{"nonresponse"}})
"""
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert run.stdout.split() == []


def test_polars_keeps_to_the_threads_of_the_job(monkeypatch):
    """Which asks for as many as there are processors otherwise; Snakemake tells a job its number."""
    monkeypatch.setenv("POLARS_MAX_THREADS", "1")
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    commands.run("", [lambda: None], {}, [])
    assert os.environ["POLARS_MAX_THREADS"] == "3"


def test_a_job_seldom_searches_what_it_loads_for_cycles_and_says_nothing_when_it_ends():
    """These searches are a third of loading Polars; objects kept from the last one are leaks to DuckDB's bindings.

    Nor does it load PyArrow, a tenth of a second, to have a table from DuckDB.
    """
    code = f"""
import gc, sys
sys.path.insert(0, {str(HOME / "scripts")!r})
from nonresponse import commands, database
before = sum(generation["collections"] for generation in gc.get_stats())
def load():
    import polars
    assert database.fetched(database.connect().sql("SELECT 1 AS a")).rows() == [(1,)]
    assert "pyarrow" not in sys.modules
commands.run("", [load], {{}}, [])
print(sum(generation["collections"] for generation in gc.get_stats()) - before, gc.isenabled())
"""
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    searches, enabled = run.stdout.split()
    assert int(searches) <= 5 and enabled == "True" and not run.stderr


def test_a_command_that_ends_well_leaves_at_once_and_one_that_does_not_says_so():
    """Taking down Polars and DuckDB is a third of a small job; what was printed is not lost."""
    code = f"""
import atexit, sys
sys.path.insert(0, {str(HOME / "scripts")!r})
from nonresponse import commands
atexit.register(print, "taken down")
def load(error: str = "") -> None:
    print("printed")
    if error:
        raise SystemExit(error)
commands.run("", [load], {{"error": {{"help": ""}}}})
"""
    well, badly = (
        subprocess.run([sys.executable, "-c", code, *more], capture_output=True, text=True)
        for more in ([], ["--error", "wrong"])
    )
    assert (well.returncode, well.stdout, well.stderr) == (0, "printed\n", "")
    assert (badly.returncode, badly.stdout, badly.stderr) == (1, "printed\ntaken down\n", "wrong\n")
