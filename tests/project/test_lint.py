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


def test_every_target_of_make_says_what_it_does():
    """In its first line, and in the list at the head of the Makefile."""
    makefile = (HOME / "Makefile").read_text()
    targets = re.search(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)[1].split()
    for target in targets:
        assert re.search(rf"^{target}:.*\n\t@echo \"== ", makefile, re.MULTILINE), target
        assert target == "demo" or re.search(rf"^# make {target} +\S", makefile, re.MULTILINE), (
            target
        )
