"""Test the Dockerfile: its steps in a folder here, platforms' commands by its entry point."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from conftest import HOME, Project
from offline import OFFLINE

pytest.importorskip("hatchling", reason="hatchling builds the wheel")

pytestmark = pytest.mark.xdist_group("image")
STEPS = [
    line.partition(" ")[::2]
    for line in (HOME / "Dockerfile").read_text().splitlines()
    if line and line[0] != "#"
]


def inside(folder: Path, text: str) -> str:
    """Return a text with the paths of the image as those below a folder."""
    return re.sub(r"(?<![\w/])/(opt|src|data|app)\b", rf"{folder}/\1", text)


def execute(command: list[str], folder: Path, **variables: str) -> str:
    environment = OFFLINE | variables
    process = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True)
    assert process.returncode == 0, process.stdout + process.stderr
    return process.stdout


@pytest.fixture(scope="module")
def entry(tmp_path_factory) -> list[str]:
    """The command line of the entry point, after all steps."""
    folder = tmp_path_factory.mktemp("image")
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    for step, text in STEPS:
        if step == "COPY" and "--from" not in text:
            source, target = text.split()
            target = Path(inside(folder, target))
            target.mkdir(exist_ok=True)
            if source == ".":
                ignored = shutil.ignore_patterns(*(HOME / ".dockerignore").read_text().split())
                shutil.copytree(HOME, target, dirs_exist_ok=True, ignore=ignored)
            else:
                shutil.copy2(HOME / source, target)
        elif step == "RUN":
            execute(["sh", "-c", inside(folder, text)], folder, PATH=path, HOME=str(folder))
        elif step == "ENTRYPOINT":
            program, *words = json.loads(text)
    return [str(folder / "opt/nonresponse/bin" / program), *words]


@pytest.mark.slow
def test_the_image_has_the_workflow(entry, tmp_path):
    (tmp_path / "config.yaml").touch()
    for command in ("--version", "run -- --version"):
        assert execute([*entry, *command.split()], tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("platform", ["Codabench", "TIRA"])
def test_a_platform_scores_a_run(entry, tmp_path, platform):
    for name, row in {
        "res/run.jsonl": '{"id": "a", "label": 0.9}',
        "ref/a-truth.jsonl": '{"id": "a", "label": 1}',
    }.items():
        Project(tmp_path).write(f"app/input/{name}", row)
    if platform == "Codabench":  # hands the command to the entry point
        metadata = yaml.safe_load((HOME / "docs/organisers/metadata.yaml").read_text())
        execute([*entry, *shlex.split(inside(tmp_path, metadata["command"]))], tmp_path)
    else:  # replaces the entry point by a shell
        page = (HOME / "docs/organisers.md").read_text()
        command = ["sh", "-c", re.search(r"^  command: (.*)$", page, re.MULTILINE)[1]]
        names = {"inputRun": "input/res", "inputDataset": "input/ref", "outputDir": "output"}
        variables = {key: str(tmp_path / "app" / name) for key, name in names.items()}
        path = f"{Path(entry[0]).parent}:{os.environ['PATH']}"
        execute(command, tmp_path, PATH=path, **variables)
    assert json.loads((tmp_path / "app/output/scores.json").read_text())["c@1"] == 1
