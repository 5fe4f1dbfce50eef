"""The hooks of pre-commit are the checks of `make lint`, by the same tools."""

import re
from pathlib import Path

import yaml
from conftest import HOME


def test_pre_commit_checks_what_make_checks():
    makefile = (HOME / "Makefile").read_text()
    recipe = re.search(r"^lint:.*\n((?:\t.*\n)+)", makefile, re.MULTILINE)[1]
    checks = {
        " ".join(line.split()[:2]) for line in recipe.splitlines() if not line.startswith("\t@")
    }
    (repo,) = yaml.safe_load((HOME / ".pre-commit-config.yaml").read_text())["repos"]
    entries = [hook["entry"].split() for hook in repo["hooks"]]
    tools = {" ".join([Path(tool).name, *words[:1]]) for tool, *words in entries}
    assert tools == {check.replace("snakefmt --check", "snakefmt") for check in checks}
    assert all(Path(tool).parent == Path(".venv/bin") for tool, *_ in entries)
