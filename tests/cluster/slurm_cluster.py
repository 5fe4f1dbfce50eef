"""A SLURM cluster of one node in a folder of this machine: slurmctld and slurmd, both killed."""

import os
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Callable
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path

from conftest import NO_SLURM

DAEMONS = ("slurmctld", "slurmd")
# In the state of the node while it does not answer, as sinfo prints it
AWAY = re.compile(r"\*$|down|unk")
# Linux' own accounting (jobacct_gather/linux) checks a job's memory every second and kills what
# exceeds its request. The node claims to be larger than this machine, so that a job of four threads
# fits. The controller looks whether it answers every 20 s, a third of SlurmdTimeout.
CONFIG = """
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmUser=root
AuthType=auth/none
CredType=cred/none
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/%n.log
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=1
JobAcctGatherParams=OverMemoryKill
MpiDefault=none
SchedulerParameters=batch_sched_delay=0,bf_interval=1,sched_interval=1
MinJobAge=300
SlurmdTimeout=60
KillWait=2
ReturnToService=2
NodeName=one NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[1]} CPUs=4 RealMemory=16000
PartitionName=main Nodes=one Default=YES MaxTime=60 State=UP
"""


def explain_absence() -> str | None:
    """Why there can be no cluster here; None when there can."""
    if os.geteuid() != 0:
        return "SLURM's daemons are started as root, and this is not root"
    if not find_spec("snakemake_executor_plugin_slurm"):
        return "SLURM's executor is not in this environment: make slurm"
    absent = [name for name in DAEMONS if not shutil.which(name)]
    return f"not installed: {', '.join(absent)} (Debian: slurm-wlm)" if absent else None


def find_free_ports(number: int) -> list[int]:
    """Ports that nobody listens on; all are held until the last is found, so that they differ."""
    with ExitStack() as stack:
        servers = [socket.create_server(("127.0.0.1", 0)) for _ in range(number)]
        return [stack.enter_context(server).getsockname()[1] for server in servers]


def wait_for(aim: str, true: Callable[[], object], seconds: float = 120) -> object:
    """What `true` returns as soon as that counts as true; AssertionError when it never does."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if result := true():
            return result
        time.sleep(0.1)
    raise AssertionError(f"waited {seconds} s in vain: {aim}")


class Cluster:
    """A context manager that starts the daemons, waits for an idle node, and kills them."""

    def __init__(self, folder: Path):
        self.folder = folder
        path = os.environ["PATH"].replace(f"{NO_SLURM}:", "")
        self.env = os.environ | {
            "SLURM_CONF": str(folder / "slurm.conf"),
            "PATH": f"{folder}/bin:{path}",
        }
        self.daemons: dict[str, subprocess.Popen] = {}

    def __enter__(self) -> "Cluster":
        for name in ("state", "bin"):
            (self.folder / name).mkdir()
        host, ports = socket.gethostname().split(".")[0], find_free_ports(2)
        config = self.folder / "slurm.conf"
        config.write_text(CONFIG.format(host=host, folder=self.folder, ports=ports))
        for name, line in {
            # The plugin takes SLURM_CONF out of the environment in which a job calls srun.
            "srun": f'SLURM_CONF={config} exec {shutil.which("srun")} "$@"',
            # While the controller is away, the plugin (2.8.0) asks sacct if there is one; here are
            # no accounts, so that sacct fails at once, and the plugin forgets the job.
            "which": f'[ "$1" != sacct ] && exec {shutil.which("which")} "$@"',
        }.items():
            (self.folder / "bin" / name).write_text(f"#!/bin/sh\n{line}\n")
            (self.folder / "bin" / name).chmod(0o755)
        try:
            self.start_controller()
            self.start("slurmd", "-D", "-N", "one")
            wait_for("an idle node", lambda: self.state() == "idle")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_) -> None:
        if "slurmd" in self.daemons:
            self.run("scancel", "--signal=KILL", "--user=root", check=False)
            time.sleep(1)
        for process in reversed(self.daemons.values()):
            process.kill()
            process.wait()

    def start(self, daemon: str, *arguments: str) -> None:
        """A daemon in the foreground, which ends with this process at the latest."""
        with (self.folder / f"{daemon}.out").open("wb") as out:
            command = ["setpriv", "--pdeathsig", "KILL", daemon, *arguments]
            self.daemons[daemon] = subprocess.Popen(command, env=self.env, stdout=out, stderr=out)

    def start_controller(self) -> None:
        self.start("slurmctld", "-D")
        wait_for("slurmctld", lambda: "UP" in self.run("scontrol", "ping", check=False))

    def restart_controller(self) -> None:
        """Restart it as after an outage: it accepts jobs as soon as the node has answered it."""
        self.start_controller()
        answers = "a node that answers"
        wait_for(answers, lambda: (state := self.state()) and not AWAY.search(state), 600)

    def kill_controller(self, job: str) -> None:
        """Kill it once it has saved that this job runs, which it does within seconds.

        Otherwise a new controller would reuse the job's number, which the node rejects. It saves
        only after a change, such as that of a comment.
        """
        file, since = self.folder / "state/job_state", time.time()
        self.run("scontrol", "update", f"jobid={job}", "admincomment=runs")
        saved = "the controller to write down its state"
        wait_for(saved, lambda: file.exists() and file.stat().st_mtime > since)
        self.daemons["slurmctld"].kill()
        self.daemons.pop("slurmctld").wait()

    def run(self, *command: str, check: bool = True) -> str:
        process = subprocess.run(command, env=self.env, capture_output=True, text=True, timeout=60)
        assert not check or process.returncode == 0, process.stderr
        return process.stdout

    def state(self) -> str:
        return self.run("sinfo", "--noheader", "--Node", "--format=%T", check=False).strip()

    def jobs(self) -> list[dict[str, str]]:
        """All jobs of the last five minutes, as `scontrol show jobs` has them."""
        lines = self.run("scontrol", "--oneliner", "show", "jobs").splitlines()
        return [
            dict(word.split("=", 1) for word in line.split() if "=" in word)
            for line in lines
            if "JobId=" in line
        ]

    def has_step(self, job: str) -> bool:
        """Whether the command of this job's script, which srun starts in it, has begun."""
        steps = self.run(
            "squeue", "--noheader", "--steps", f"--jobs={job}", "--format=%i", check=False
        )
        return f"{job}.0" in steps.split()

    def describe(self) -> str:
        """Its jobs and nodes, and the end of what its daemons wrote down; for people."""
        logs = [
            f"{path.name}:\n{path.read_text(errors='replace')[-3000:]}"
            for path in sorted(self.folder.glob("*.log"))
        ]
        return "\n".join(
            [self.run("squeue", "--states=all", check=False), self.run("sinfo", check=False), *logs]
        )
