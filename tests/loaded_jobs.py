"""The libraries of the jobs loaded once: a process that has them, and forks for each job.

Loading Polars, NumPy, SciPy and DuckDB is three quarters of what a job of a small campaign costs, and the tests run
thousands of them. Jobs run the rule's own shell command in their own process, with their own folder, arguments,
environment and open files: in its bash, `python` is a function that tells the server where all this is and waits for
the exit code. Our modules are loaded, too, as they are right after an import; a job with scripts from elsewhere
unloads them and loads its own. Figures are drawn by another process (loaded_figures).
There is such a process for each number of threads, since Polars fixes it when it is loaded. If PYTHONPATH is set, jobs
start as usual: a module there may change how Python starts. All forks share one order of sets; test_wheel and
test_slurm, whose jobs start as from a shell, compare with other orders.
"""

import compileall
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from threading import Lock

import loaded_figures

HOME = Path(__file__).resolve().parent.parent
SCRIPTS, LIBRARY = HOME / "scripts", HOME / "src"

SERVER = """
import gc, io, multiprocessing, os, runpy, secrets, select, socket, sys
from contextlib import suppress
from functools import partialmethod
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
os.environ["OMP_NUM_THREADS"] = "1"
sys.dont_write_bytecode = True
for name in ["argparse", "duckdb", "jinja2", "jsonschema", "numpy", "scipy.optimize", "scipy.special", "statistics"]:
    import_module(name)
import duckdb, jinja2
# A new database is a fifth of what a job with DuckDB costs: two are there, as the stages with one thread set them up. A
# fork has no threads but its own, so that these databases have none to read files ahead: the query itself reads them.
new, databases = duckdb.connect, [duckdb.connect(config={"threads": 1, "async_threads": 0}) for _ in range(2)]
def connect(config):
    if config["threads"] > 1 or not databases:
        return new(config=config)
    database = databases.pop()
    for name, value in config.items():
        database.execute("SET {} = '{}'".format(name, str(value).replace("'", "''")))
    return database
for database in databases:
    database.sql("SELECT 1").fetchall()
duckdb.connect = connect
# A template is compiled once, wherever it lies: half of the work of a job that writes a page.
jinja2.FileSystemBytecodeCache.get_cache_key = lambda self, name, filename=None: name.replace("/", "-")
compiled = jinja2.FileSystemBytecodeCache(sys.argv[1])
jinja2.Environment.__init__ = partialmethod(jinja2.Environment.__init__, bytecode_cache=compiled)
sys.modules["vl_convert"] = SimpleNamespace(**runpy.run_path(sys.argv[2]))
scripts, library = sys.argv[3:5]
for threads in sys.argv[5:]:
    if not os.fork():
        break
else:
    threads = "1"
os.environ["POLARS_MAX_THREADS"] = threads
for name in ["polars", "pyarrow.parquet", "tabulate", "xml.etree.ElementTree"]:
    import_module(name)
sys.path[0] = library
for path in Path(library, "nonresponse").rglob("[!_]*.py"):
    import_module(".".join(path.relative_to(library).with_suffix("").parts))
own = [name for name in sys.modules if name.split(".")[0] == "nonresponse"]
gc.freeze()  # what is there is not looked through again in each job

def job(asking):
    received = b""
    while (words := received.count(b"\\0")) == 0 or words <= int(received.split(b"\\0")[0]):
        if not (more := asking.recv(1 << 16)):
            sys.exit(1)  # its bash was killed
        received += more
    _, asked, bash, stdout, told, *arguments, _ = map(os.fsdecode, received.split(b"\\0"))
    if not secrets.compare_digest(asked, password):
        sys.exit(1)
    os.setpgid(0, os.getpgid(int(bash)))  # who kills the group of its bash kills the job
    for ours, its in ((1, stdout), (2, 2)):
        os.dup2(os.open(f"/proc/{bash}/fd/{its}", os.O_WRONLY | os.O_APPEND), ours)
    sys.stdin = io.StringIO(told)
    os.chdir(f"/proc/{bash}/cwd")
    with open(f"/proc/{bash}/environ", "rb") as file:
        environment = dict(variable.split(b"=", 1) for variable in file.read().split(b"\\0")[:-1])
    os.environ.clear()
    os.environb.update(environment)
    sys.argv = list(arguments)
    sys.path[0] = os.path.dirname(os.path.realpath(arguments[0]))
    if sys.path[0] != scripts:
        for name in own:
            del sys.modules[name]
    runpy.run_path(arguments[0], run_name="__main__")

password = secrets.token_hex()  # others on this machine could connect, too, but not read our folder
with socket.create_server(("127.0.0.1", 0)) as server:
    with open(os.path.join(sys.argv[1], threads), "w") as file:
        print(server.getsockname()[1], password, file=file)
    print(flush=True)
    running = {}
    while True:
        ready = select.select([0, server, *running], [], [])[0]
        if 0 in ready:
            os._exit(0)  # the tests have ended
        for ended in running.keys() & ready:
            process, asking = running.pop(ended)
            process.join()
            code = process.exitcode
            with asking, suppress(ConnectionError):  # who asked may have been killed
                asking.sendall(f"{code if code >= 0 else 128 - code}\\n".encode())
        if server in ready:
            asking, _ = server.accept()
            process = multiprocessing.get_context("fork").Process(target=job, args=[asking])
            process.start()
            running[process.sentinel] = process, asking
"""
MORE_THREADS = ["2", "4"]
# In plain bash: a Python that only sends the request would be a tenth of the cost of a job.
BASH = r"""
python() {
    local port password server stdout code told=
    if [ -e "$LOADED_JOBS/$OMP_NUM_THREADS" ] && [ -z "${PYTHONPATH+set}" ]
    then
        [[ " $* " != *" --params - "* ]] || IFS= read -r -d '' told || true
        read -r port password < "$LOADED_JOBS/$OMP_NUM_THREADS"
        exec {server}<> "/dev/tcp/127.0.0.1/$port" {stdout}>&1  # 1 is the server's while printf runs
        printf '%s\0' "$(($# + 4))" "$password" "$BASHPID" "$stdout" "$told" "$@" >&"$server"
        read -r code <&"$server"
        exec {server}>&- {stdout}>&-
        return "$code"
    else command python "$@"
    fi
}
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
    compileall.compile_dir(LIBRARY, quiet=2)
    folder = Path(keep.name)
    bash = folder / "bash"
    bash.write_text(BASH)
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    figures = loaded_figures.__file__
    jobs = [sys.executable, "-c", SERVER, keep.name, figures, str(SCRIPTS), str(LIBRARY), *MORE_THREADS]
    drawer = [sys.executable, figures, str(folder / "figures")]
    servers.extend(subprocess.Popen(command, **pipes) for command in (jobs, drawer))
    for _ in ["1", *MORE_THREADS]:
        servers[0].stdout.readline()
    servers[1].stdout.readline()
    return {"BASH_ENV": str(bash), "LOADED_JOBS": keep.name}
