"""What the documentation for colleagues names is there."""

import re

import pytest
import yaml
from conftest import HOME
from every_record import assert_a_line_each
from nonresponse.statistics.analyses import ANALYSES

PAGES = ["CONTRIBUTING.md", "docs/architecture.md", "README.md"]
SITE = {*PAGES, "config/README.md", *(f"docs/{path.name}" for path in (HOME / "docs").glob("*.md"))}
PATHS = re.compile(r"`((?:scripts|tests|tools|docs|workflow|profiles)/[^`\s{]+)`")


@pytest.mark.parametrize("page", PAGES)
def test_every_file_and_target_of_make_that_a_page_names_is_there(page):
    text = (HOME / page).read_text()
    assert [name for name in PATHS.findall(text) if not list(HOME.glob(name))] == []
    targets = re.findall(r"^([a-z-]+):", (HOME / "Makefile").read_text(), re.MULTILINE)
    assert {*re.findall(r"`make\s([a-z-]+)", text)} <= {*targets}


@pytest.mark.parametrize("page", sorted(SITE))
def test_every_link_leads_to_a_heading_that_is_there(page):
    text = (HOME / page).read_text()
    for target, heading in re.findall(r"\]\(([^):#\s]*)#?([^)\s:]*)\)", text):
        path = (HOME / page).parent / target if target else HOME / page
        assert path.exists(), target
        assert not heading or heading in list_headings(path.read_text()), f"{target}#{heading}"


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "docs/architecture.md"])
def test_every_name_that_a_page_for_colleagues_has_is_one_of_the_code(page):
    text = re.sub(
        r"^ *```.*?^ *```$", "", (HOME / page).read_text(), flags=re.DOTALL | re.MULTILINE
    )
    assert {*re.findall(r"`([A-Za-z_]\w{2,})`", text)} - collect_code_names() == set()


def test_docstrings_and_comments_name_what_is_there():
    code_names, lost = collect_code_names() | {"fail_on_refusal"}, []  # of another program
    for file in HOME.glob("src/nonresponse/**/*.py"):
        text = file.read_text(encoding="utf-8")
        prose = [*re.findall(r'""".*?"""', text, re.DOTALL), *re.findall("#.*", text)]
        names = {name for part in prose for name in re.findall(r"`(\w+_\w+)(?:\(\))?`", part)}
        lost += [f"{file.relative_to(HOME)}: {name}" for name in sorted(names - code_names)]
    assert lost == []


def collect_code_names() -> set[str]:
    """All words of the code, without docstrings and comments."""
    names = set[str]()
    for folder in ("src", "tests", "tools", "workflow", "scripts"):
        for file in HOME.glob(f"{folder}/**/*"):
            if file.suffix in (".py", ".smk"):
                text = re.sub(r'(?s:""".*?""")|#.*', "", file.read_text(encoding="utf-8"))
                names |= {*re.findall(r"[A-Za-z_]\w+", text)}
    return names


def list_headings(text: str) -> set[str]:
    """The names by which links know the headings of a page."""
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
    headings = re.findall(r"^#+ (.*)$", prose, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_the_table_at_the_head_of_reliability_has_every_analysis():
    head = (HOME / "docs/reliability.md").read_text(encoding="utf-8").partition("\n## ")[0]
    rows = "\n".join(re.findall(r"^\|.*", head, re.MULTILINE))
    names = {*re.findall(r"\[(\w+)\]\((?:judges\.md)?#", rows)} & {*ANALYSES}
    place = "the table at the head of docs/reliability.md: what it finds out"
    assert_a_line_each(ANALYSES, names, place)


def test_what_snakemakes_catalogue_and_snakedeploy_ask_for_is_there():
    assert [*(HOME / "workflow/rules").glob("*.smk")] and (HOME / "config/README.md").is_file()
    usage = yaml.safe_load((HOME / ".snakemake-workflow-catalog.yml").read_text())["usage"]
    assert {*usage} == {"mandatory-flags", "software-stack-deployment", "report"}
    assert {*usage["mandatory-flags"]} == {"desc", "flags"}
