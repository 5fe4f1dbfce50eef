"""What the documentation for colleagues names is there."""

import re

import pytest
from conftest import HOME

PAGES = ["CONTRIBUTING.md", "docs/architecture.md", "README.md"]


@pytest.mark.parametrize("page", PAGES)
def test_every_file_that_a_page_names_is_there(page):
    text = (HOME / page).read_text()
    named = re.findall(r"`((?:scripts|tests|tools|docs|workflow|profiles)/[^`\s{]+)`", text)
    linked = [(HOME / page).parent / target for target in re.findall(r"\]\(([^):#]+)\)", text)]
    assert named or linked
    assert [name for name in named if not list(HOME.glob(name))] == []
    assert [target for target in linked if not target.exists()] == []
