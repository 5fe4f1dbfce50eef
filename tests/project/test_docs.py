"""What the documentation for colleagues names is there."""

import re

import pytest
from conftest import HOME
from every_record import assert_a_line_each
from nonresponse import formats, measures, tasks
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


def test_the_readme_counts_what_is_there():
    text = (HOME / "README.md").read_text()
    ids = {id for task in tasks.NAMES for id in measures.load_measures(task)}
    assert f"c@1 and {len(ids) - 1} other measures" in text
    assert f"Inspect, lm-eval, HELM and {len(formats.LOGS) - 3} other harnesses" in text


def test_the_table_at_the_head_of_reliability_has_every_analysis():
    head = (HOME / "docs/reliability.md").read_text(encoding="utf-8").partition("\n## ")[0]
    rows = "\n".join(re.findall(r"^\|.*", head, re.MULTILINE))
    named = {*re.findall(r"\[(\w+)\]\((?:judges\.md)?#", rows)} & {*ANALYSES}
    place = "the table at the head of docs/reliability.md: what it finds out"
    assert_a_line_each(ANALYSES, named, place)
