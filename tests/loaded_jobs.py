"""The libraries of the jobs loaded once: a process that has them, and forks for each job.

Loading Polars, NumPy, SciPy and DuckDB is three quarters of what a job of a small campaign costs, and the tests run
thousands of them. What runs is the shell command of the rule as it stands there, in a process of its own, with folder,
arguments, environment and open files of its own: in its bash, `python` is a function that hands all this over and waits
for the exit code. Of our modules none is loaded before the fork; their bytecode is there. Figures are drawn by another
process, as loaded_figures says. There is such a process for each number of threads, which Polars fixes as it is loaded.
Where PYTHONPATH is set, jobs start as they do elsewhere: a module there may change how Python starts. A file that
RUN_FIRST names is run by each job before its script. All forks share one order of sets; test_robust and test_slurm,
whose jobs start as they do from a shell, compare with other orders.
"""

import compileall
import shlex
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from threading import Lock

import loaded_figures

SCRIPTS = Path(__file__).resolve().parent.parent / "scripts"

SERVER = """
import gc, marshal, multiprocessing, os, runpy, select, socket, sys
from contextlib import suppress
from functools import partialmethod
from importlib import import_module
from types import SimpleNamespace
os.environ["OMP_NUM_THREADS"] = "1"
sys.dont_write_bytecode = True
for name in ["argparse", "duckdb", "jinja2", "jsonschema", "numpy", "scipy.optimize", "scipy.special", "statistics"]:
    import_module(name)
import duckdb, jinja2
duckdb.connect(config={"threads": 1}).sql("SELECT 1").fetchall()  # the first database takes twice as long
# A template is compiled once: half of the work of a job that writes a page.
compiled = jinja2.FileSystemBytecodeCache(sys.argv[1])
jinja2.Environment.__init__ = partialmethod(jinja2.Environment.__init__, bytecode_cache=compiled)
sys.modules["vl_convert"] = SimpleNamespace(**runpy.run_path(sys.argv[2]))
for threads in sys.argv[3:]:
    if not os.fork():
        break
else:
    threads = "1"
os.environ["POLARS_MAX_THREADS"] = threads
for name in ["polars", "pyarrow.parquet", "tabulate", "xml.etree.ElementTree"]:
    import_module(name)
gc.freeze()  # what is there is not looked through again in each job

def job(asking):
    _, files, _, _ = socket.recv_fds(asking, 1, 3)
    folder, environment, arguments = marshal.load(asking.makefile("rb"))
    for number, file in enumerate(files):
        os.dup2(file, number)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = arguments
    sys.path[0] = os.path.dirname(os.path.realpath(arguments[0]))
    if "RUN_FIRST" in environment:
        runpy.run_path(environment["RUN_FIRST"])
    runpy.run_path(arguments[0], run_name="__main__")

with socket.socket(socket.AF_UNIX) as server:
    server.bind(os.path.join(sys.argv[1], threads))
    server.listen()
    print(flush=True)
    running = {}
    while True:
        ready = select.select([0, server, *running], [], [])[0]
        if 0 in ready:
            os._exit(0)  # the tests have ended
        for ended in running.keys() & ready:
            process, asking = running.pop(ended)
            process.join()
            with asking, suppress(BrokenPipeError):  # who asked may have been killed
                asking.sendall(str(process.exitcode).encode())
        if server in ready:
            asking, _ = server.accept()
            process = multiprocessing.get_context("fork").Process(target=job, args=[asking])
            process.start()
            running[process.sentinel] = process, asking
"""
# The module `socket` would be half of what a start of this takes.
CLIENT = """
import marshal, os, sys
from _socket import AF_UNIX, SCM_RIGHTS, SHUT_WR, SOL_SOCKET, socket
server = socket(AF_UNIX)
server.connect(os.path.join(os.environ["LOADED_JOBS"], os.environ["OMP_NUM_THREADS"]))
files = b"".join(file.to_bytes(4, sys.byteorder) for file in (0, 1, 2))
server.sendmsg([b" "], [(SOL_SOCKET, SCM_RIGHTS, files)])
server.sendall(marshal.dumps((os.getcwd(), dict(os.environ), sys.argv[1:])))
server.shutdown(SHUT_WR)
code = int(server.recv(100))
os._exit(code if code >= 0 else 128 - code)
"""
MORE_THREADS = ["2", "4"]
BASH = """
python() {{
    if [ -S "$LOADED_JOBS/$OMP_NUM_THREADS" ] && [ -z "${{PYTHONPATH+set}}" ]
    then {python} -I -S -c {client} "$@"
    else command python "$@"
    fi
}}
"""


keep = tempfile.TemporaryDirectory(prefix="loaded")  # goes when the tests end, as the servers do
servers: list[subprocess.Popen] = []
starting = Lock()  # tests may run two Snakemakes at once


def environment() -> dict[str, str]:
    """What a bash needs in its environment to run `python` in a process that has the libraries."""
    with starting:
        return started()


@cache
def started() -> dict[str, str]:
    """The same; starts the servers."""
    compileall.compile_dir(SCRIPTS, quiet=2)
    folder = Path(keep.name)
    bash = folder / "bash"
    bash.write_text(BASH.format(python=shlex.quote(sys.executable), client=shlex.quote(CLIENT)))
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    figures = loaded_figures.__file__
    jobs = [sys.executable, "-c", SERVER, keep.name, figures, *MORE_THREADS]
    drawer = [sys.executable, figures, str(folder / "figures")]
    servers.extend(subprocess.Popen(command, **pipes) for command in (jobs, drawer))
    for _ in ["1", *MORE_THREADS]:
        servers[0].stdout.readline()
    servers[1].stdout.readline()
    return {"BASH_ENV": str(bash), "LOADED_JOBS": keep.name}
