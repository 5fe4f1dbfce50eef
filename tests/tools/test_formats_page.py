"""The tables of the pages on formats are those of the records."""

import formats_page
import pytest
from conftest import HOME
from nonresponse import formats


@pytest.mark.parametrize("name", ["formats.md", "logs.md"])
def test_the_page_is_current(name):
    text = (HOME / "docs" / name).read_text()
    assert text == formats_page.page(text), "run python tools/formats_page.py"


def test_every_log_has_a_section_with_its_table():
    text = (HOME / "docs/logs.md").read_text()
    assert all(f"\n## {id}\n\n{formats_page.BEGIN.format(id)}" in text for id in formats.LOGS)
