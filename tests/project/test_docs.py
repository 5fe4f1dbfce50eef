"""What the documentation for colleagues names is there."""

import re
import shlex
import subprocess
import sys

import pytest
from conftest import HOME
from every_record import assert_a_line_each
from nonresponse.statistics.analyses import ANALYSES

PAGES = ["CONTRIBUTING.md", "docs/architecture.md", "README.md"]
ALL = {*PAGES, "config/README.md", *(f"docs/{path.name}" for path in (HOME / "docs").glob("*.md"))}
NAMED = re.compile(r"`((?:scripts|tests|tools|docs|workflow|profiles)/[^`\s{]+)`")


@pytest.mark.parametrize("page", PAGES)
def test_every_file_and_target_of_make_that_a_page_names_is_there(page):
    text = (HOME / page).read_text()
    assert [name for name in NAMED.findall(text) if not list(HOME.glob(name))] == []
    targets = re.findall(r"^([a-z-]+):", (HOME / "Makefile").read_text(), re.MULTILINE)
    assert {*re.findall(r"`make\s([a-z-]+)", text)} <= {*targets}


@pytest.mark.parametrize("page", sorted(ALL))
def test_every_link_leads_to_a_heading_that_is_there(page):
    text = (HOME / page).read_text()
    for target, heading in re.findall(r"\]\(([^):#\s]*)#?([^)\s:]*)\)", text):
        path = (HOME / page).parent / target if target else HOME / page
        assert path.exists(), target
        assert not heading or heading in headings(path.read_text()), f"{target}#{heading}"


def headings(text: str) -> set[str]:
    """The names by which links know the headings of a page."""
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
    named = re.findall(r"^#+ (.*)$", prose, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in named}


@pytest.mark.slow
def test_the_command_that_runs_one_test_runs_one():
    """pytest refuses some of what may stand after -k, and ends with 5 where it selects nothing."""
    [command] = re.findall(
        r"^\.venv/bin/pytest (.+)$", (HOME / "CONTRIBUTING.md").read_text(), re.MULTILINE
    )
    ran = [sys.executable, "-m", "pytest", *shlex.split(command), "--collect-only"]
    assert subprocess.run(ran, cwd=HOME, capture_output=True).returncode == 0


def test_nothing_in_tests_imports_from_a_test_file():
    """What several test files share is a module in `tests` itself, as CONTRIBUTING.md has it."""
    for path in (HOME / "tests").rglob("*.py"):
        assert not re.search(r"^ *(?:from|import) test_", path.read_text(), re.MULTILINE), path


def test_the_table_at_the_head_of_reliability_has_every_analysis():
    head = (HOME / "docs/reliability.md").read_text(encoding="utf-8").partition("\n## ")[0]
    rows = "\n".join(re.findall(r"^\|.*", head, re.MULTILINE))
    named = {*re.findall(r"\[(\w+)\]\((?:judges\.md)?#", rows)} & {*ANALYSES}
    place = "the table at the head of docs/reliability.md: what it finds out"
    assert_a_line_each(ANALYSES, named, place)
