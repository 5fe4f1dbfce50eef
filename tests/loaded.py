"""Snakemake loaded once: a process that has its modules, and forks for each run of it.

Loading them, and freeing them at the end, is four fifths of the 2 s of CPU that a start of
Snakemake costs, and the tests start it some three hundred times. The same `main` runs in its own
process, with its own folder, arguments and environment. A Snakefile in another place loads its own
modules. Its jobs run as described in loaded_jobs. It hands them over itself, without a bash and a
Python for each, unless a test may kill one of them or the command needs bash.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import loaded_jobs

CODE = """
import atexit, functools, gc, io, json, os, re, shlex, socket, subprocess, sys, tempfile
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from types import SimpleNamespace
for name in ["docutils.core", "jsonschema", "requests", "smart_open", "snakemake.report.html_reporter"]:
    import_module(name)
from snakemake import cli, workflow
from snakemake.sourcecache import LocalSourceFile
parser_of, parser = cli.get_argument_parser, cli.get_argument_parser()  # which loads all plugins
cli.get_argument_parser = lambda profiles=None: parser_of(profiles) if profiles else parser

library = Path(sys.argv[1])
main_file = library.with_name("Snakefile")
included = re.findall('^include: "(.*)"$', main_file.read_text(), re.MULTILINE)
snakefiles = [main_file, *map(main_file.parent.joinpath, included)]

# Our modules: what the Snakefiles import, and the records. The text of all tells what a job needs.
sys.path.insert(0, str(library))
for path in snakefiles:
    for line in re.findall("^from nonresponse.*", path.read_text(), re.MULTILINE):
        exec(line, {})
from nonresponse import tasks
from nonresponse.campaign import models
for path in library.joinpath("nonresponse", "tasks").glob("*.py"):
    import_module(f"nonresponse.tasks.{path.stem}")
for module in {name for task in tasks.NAMES for name in tasks.get(task).measures}:
    import_module(f"nonresponse.measures.{module}")
from nonresponse.workflow import client, digests
for layer in digests.LAYERS:
    digests.digest_layer(layer)
models.Config.model_rebuild()
sys.path.remove(str(library))
own = [name for name in sys.modules if name.split(".")[0] == "nonresponse"]

# The Snakefiles, by text, and by the number of rules before them, which may name a rule.
parse, workflow.compile = workflow.parse, functools.cache(compile)

@functools.cache
def parsed(text, rules):
    lines, files = {}, SimpleNamespace(open=lambda _: io.StringIO(text))
    code, rules = parse(LocalSourceFile("its path"), SimpleNamespace(sourcecache=files), lines, rulecount=rules)
    return code, rules, lines

def parsed_once(source, workflow, linemap, rulecount=0):
    path = source.get_path_or_uri(secret_free=True)
    if path not in texts:
        with workflow.sourcecache.open(source) as file:
            texts[path] = file.read()
        while own:  # it has modules of its own
            del sys.modules[own.pop()]
    code, rules, lines = parsed(texts[path], rulecount)
    linemap |= lines
    return code.replace("snakefile='its path'", f"snakefile={path!r}"), rules

workflow.parse, rules, texts = parsed_once, 0, {str(path): path.read_text() for path in snakefiles}
for path, text in texts.items():
    code, rules, _ = parsed(text, rules)
    workflow.compile(code.replace("snakefile='its path'", f"snakefile={path!r}"), path, "exec")

class Job:
    "A job that is handed over; the connection then takes another one."

    def __init__(self, address, words, environment):
        *words, _, record, _, log = words
        self.server = connections.pop() if connections else connect(address)
        with tempfile.TemporaryFile() as given, open(log, "wb") as errors:
            given.write(f"{record}\\n".encode())
            given.seek(0)
            client.send_job(self.server, words, environment, [given.fileno(), 1, errors.fileno()])

    def wait(self):
        code = self.server.recv(1)
        if not code:
            return client.ENDED
        connections.append(self.server)
        return code[0]

    def kill(self):
        self.server.shutdown(socket.SHUT_RDWR)

    terminate = kill

connections = []  # to processes that wait for another job

def connect(address):
    server = socket.socket(socket.AF_UNIX)
    server.connect(address)
    return server

def start_job(command, env, **options):
    served, _, address = env.get("NONRESPONSE_SERVER", "").partition(os.pathsep)
    stage = re.match(r"set -euo pipefail;\\s+python -S (\\S+/scripts/stage.py) (?!.*\\$')", command)
    is_served = stage and served == os.path.realpath(f"{stage[1]}/../../src") == str(library)
    if not is_served or env["OMP_NUM_THREADS"] != "1" or "SNAKEMAKE_PID" in env:
        return popen(command, env=env, **options)
    return Job(address, shlex.split(command[stage.end():]), env)

popen = subprocess.Popen
sys.modules["snakemake.shell"].sp = SimpleNamespace(**vars(subprocess) | {"Popen": start_job})

gc.freeze()  # what is there is not looked through again in each run

def run(asked):
    os.chdir(asked["folder"])
    os.environ.clear()
    os.environ.update(asked["environment"])
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for stream, name in ((1, "out"), (2, "err")):
        os.dup2(os.open(asked[name], os.O_WRONLY | os.O_CREAT), stream)
    sys.argv = ["snakemake", *asked["arguments"]]
    if "SNAKEMAKE_PID" in os.environ:
        os.setpgid(0, 0)  # a group of its own, which its jobs join, so that a test may kill them all
        Path(os.environ["SNAKEMAKE_PID"]).write_text(str(os.getpid()))
    atexit._clear()  # what this process registered before it forked
    try:
        cli.main()
    finally:
        atexit._run_exitfuncs()

for line in sys.stdin:
    process = get_context("fork").Process(target=run, args=[json.loads(line)])
    process.start()
    process.join()
    print(process.exitcode, flush=True)
"""
idle: list[subprocess.Popen] = []  # one for each run at the same time


def snakemake(
    arguments: list[str], folder: Path, environment: dict[str, str]
) -> subprocess.CompletedProcess:
    """As subprocess.run of `python -m snakemake` with these arguments, its output captured as text.

    It writes its pid into the file that SNAKEMAKE_PID names in the environment, if any: a test may
    kill it, or its process group.
    """
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "bufsize": 1}
    try:
        loaded = idle.pop()
    except IndexError:
        loaded = subprocess.Popen([sys.executable, "-c", CODE, str(loaded_jobs.LIBRARY)], **pipes)
    with tempfile.TemporaryDirectory() as temporary:
        out, err = Path(temporary, "out"), Path(temporary, "err")
        order = {
            "arguments": arguments,
            "folder": str(folder),
            "environment": environment | loaded_jobs.environment(),
        }
        loaded.stdin.write(json.dumps(order | {"out": str(out), "err": str(err)}) + "\n")
        code = int(loaded.stdout.readline())
        idle.append(loaded)
        return subprocess.CompletedProcess(arguments, code, out.read_text(), err.read_text())
