"""Snakemake loaded once: a process that has its modules, and forks for each run of it.

Loading them, and taking them down at the end, is four fifths of the 2 s of CPU that a start of Snakemake costs, and
the tests start it some three hundred times. What runs is the same `main`, in a process of its own, with folder,
arguments and environment of its own. Of our modules none is loaded before the fork. Its jobs run as loaded_jobs says.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import loaded_jobs

CODE = """
import ast, functools, gc, io, json, os, re, runpy, sys
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from types import SimpleNamespace
for name in ["docutils.core", "jsonschema", "requests", "smart_open", "snakemake.report.html_reporter"]:
    import_module(name)
from snakemake.cli import get_argument_parser, main
from snakemake import workflow
from snakemake.sourcecache import LocalSourceFile
get_argument_parser()  # loads all plugins

# The imports of our modules, by their text: they tell which of them a job needs.
ast.parse = functools.cache(ast.parse)
scripts = Path(sys.argv[1])
sources = runpy.run_path(str(scripts / "nonresponse/sources.py"))
for path in scripts.rglob("*.py"):
    sources["loaded"](path)
for path in scripts.glob("*.py"):
    sources["parsed"](path)

# The Snakefiles, by path and text, and by the number of rules before them, which may name a rule.
parse, workflow.compile = workflow.parse, functools.cache(compile)

@functools.cache
def parsed(path, text, rules):
    lines, files = {}, SimpleNamespace(open=lambda _: io.StringIO(text))
    code, rules = parse(path, SimpleNamespace(sourcecache=files), lines, rulecount=rules)
    return code, rules, lines

def parsed_once(path, workflow, linemap, rulecount=0):
    with workflow.sourcecache.open(path) as file:
        code, rules, lines = parsed(path, file.read(), rulecount)
    linemap |= lines
    return code, rules

workflow.parse, rules = parsed_once, 0
main_file = scripts.with_name("Snakefile")
included = re.findall('^include: "(.*)"$', main_file.read_text(), re.MULTILINE)
for path in (main_file, *map(main_file.parent.joinpath, included)):
    code, rules, _ = parsed(LocalSourceFile(str(path)), path.read_text(), rules)
    workflow.compile(code, str(path), "exec")

gc.freeze()  # what is there is not looked through again in each run

def run(asked):
    os.chdir(asked["folder"])
    os.environ.clear()
    os.environ.update(asked["environment"])
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for stream, name in ((1, "out"), (2, "err")):
        os.dup2(os.open(asked[name], os.O_WRONLY | os.O_CREAT), stream)
    sys.argv = ["snakemake", *asked["arguments"]]
    main()

for line in sys.stdin:
    process = get_context("fork").Process(target=run, args=[json.loads(line)])
    process.start()
    process.join()
    print(process.exitcode, flush=True)
"""
idle: list[subprocess.Popen] = []  # one for each run at the same time


def snakemake(arguments: list[str], folder: Path, environment: dict[str, str]) -> subprocess.CompletedProcess:
    """As subprocess.run of `python -m snakemake` with these arguments, its output captured as text."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "bufsize": 1}
    try:
        loaded = idle.pop()
    except IndexError:
        loaded = subprocess.Popen([sys.executable, "-c", CODE, str(loaded_jobs.SCRIPTS)], **pipes)
    with tempfile.TemporaryDirectory() as said:
        out, err = Path(said, "out"), Path(said, "err")
        asked = {"arguments": arguments, "folder": str(folder), "environment": environment | loaded_jobs.environment()}
        loaded.stdin.write(json.dumps(asked | {"out": str(out), "err": str(err)}) + "\n")
        code = int(loaded.stdout.readline())
        idle.append(loaded)
        return subprocess.CompletedProcess(arguments, code, out.read_text(), err.read_text())
