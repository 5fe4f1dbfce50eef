"""A shared task as its runs come in: the check of a run, and the steps of the workflow."""

import json
import os
import subprocess
import sys
from pathlib import Path

import loaded_jobs
import pytest
import yaml
from command_line import run
from conftest import HOME, QUICK, Project
from nonresponse.front import command

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("submissions")]

TRUTH = [True, True, False, True, False, False]
RUNS = {  # the values of a run: on which side of 0.5 they are is its answer, 0.5 is none
    "sure": [0.9, 0.8, 0.1, 0.9, 0.2, 0.3],
    "silent": [0.9, 0.5, 0.1, 0.5, 0.5, 0.3],
    "wrong": [0.1, 0.8, 0.9, 0.9, 0.8, 0.3],
}
SHARED_TASK = HOME / "docs/organisers"


def render_answers(values: list[float]) -> str:
    rows = [{"id": f"q{place}", "value": value} for place, value in enumerate(values)]
    return "".join(f"{json.dumps(row)}\n" for row in rows)


@pytest.fixture
def task(project, monkeypatch, forked_snakemake) -> Project:
    """The repository of an organiser, without a run so far; the comparison has few samples."""
    monkeypatch.chdir(project.folder)
    config = yaml.safe_load((SHARED_TASK / "config.yaml").read_text())
    project.configure(config["reliability"] | QUICK, **config["campaigns"])
    truth = [json.dumps({"id": f"q{place}", "same": label}) for place, label in enumerate(TRUTH)]
    project.write("truth.jsonl", "\n".join([*truth, ""]))
    return project


def hand_in(project: Project, name: str) -> None:
    project.write(f"submissions/{name}.jsonl", render_answers(RUNS[name]))


def test_a_check_is_a_comment_and_a_hook(task, capsys):
    """docs/organisers.md, which test_pages carries out, has the comment with faults."""
    hand_in(task, "sure")
    assert run("check", "shared-task", "--markdown") == 0
    assert capsys.readouterr().out.startswith("**shared-task: no faults; 1 run,")
    faulty = task.write("submissions/mine.jsonl", '{"id": "q1", "value": 3}\n')
    [hook] = yaml.safe_load((HOME / ".pre-commit-hooks.yaml").read_text())
    assert run(*hook["entry"].split()[1:]) == 1
    assert "submissions/mine.jsonl" in capsys.readouterr().out
    assert run("check", "another") == command.REFUSED
    faulty.unlink()
    assert run("check", "shared-task") == 0


def test_the_steps_of_the_workflow(task, tmp_path):
    """Steps that need no GitHub run as on its runner, in a clone of the organiser's repository."""
    jobs = yaml.safe_load((SHARED_TASK / "evaluate.yml").read_text())["jobs"]
    steps = {
        step["name"]: step["run"] for job in jobs.values() for step in job["steps"] if "run" in step
    }
    program = tmp_path / "bin/nonresponse"
    program.parent.mkdir()
    code = f"import sys; sys.path[0] = '{HOME / 'src'}'; from nonresponse.front.command import main; main()"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -c "{code}" "$@"\n')
    program.chmod(0o755)
    env = os.environ | {"NUMBER": "7", "GITHUB_SHA": "4f9dd166aa", "GIT_CONFIG_GLOBAL": "/dev/null"}
    env |= {"PATH": f"{program.parent}:{os.environ['PATH']}"} | loaded_jobs.environment()

    def sh(script: str, folder: Path, check: bool = True) -> int:
        command = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script]
        return subprocess.run(command, cwd=folder, env=env, check=check).returncode

    hand_in(task, "silent")
    (task.folder / ".gitignore").write_text("results\n.snakemake\n")
    author = "git -c user.name=a -c user.email=a@localhost"
    sh(f"git init -q -b main; git add .; {author} commit -qm first", task.folder)
    task.write("submissions/mine.jsonl", render_answers(RUNS["wrong"]) + "}\n")
    (task.folder / "submissions/link.jsonl").symlink_to("../.git/config")
    task.write("config.yaml", "not the organiser's")
    mine = f"git checkout -q -b mine; git add .; {author} commit -qm mine; git checkout -q main"
    pushed = "git update-ref refs/pull/7/head mine"
    sh(f"{mine}; {pushed}; git config receive.denyCurrentBranch updateInstead", task.folder)
    clone = tmp_path / "clone"
    sh(f"git clone -q {task.folder} {clone}", tmp_path)
    sh(steps["Take the submitted files"], clone)
    check = "nonresponse check shared-task --markdown > comment.md"  # as action.yml does
    assert sh(check, clone, check=False) == 1
    output = (clone / "comment.md").read_text()
    assert "mine" in output and ":7: found" in output and "repositoryformatversion" not in output
    assert not (clone / "submissions/link.jsonl").is_symlink()
    sh("git reset -q --hard; git clean -qfd submissions comment.md", clone)
    sh(steps["Evaluate"], clone)
    assert (clone / "results/shared-task/report.html").is_file()
