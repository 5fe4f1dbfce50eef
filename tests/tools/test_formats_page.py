"""What docs/logs.md says of each log is what its record says."""

import formats_page
from conftest import HOME
from nonresponse import formats


def test_the_page_is_current():
    text = (HOME / "docs/logs.md").read_text()
    assert text == formats_page.page(text), "run python tools/formats_page.py"


def test_every_log_has_a_section_with_its_table():
    text = (HOME / "docs/logs.md").read_text()
    marks = [f"## {id}\n\n{formats_page.BEGIN.format(id)}" for id in formats.LOGS]
    lacking = [mark + formats_page.END for mark in marks if f"\n{mark}" not in text]
    assert not lacking, "add to docs/logs.md:\n" + "\n".join(lacking)


def test_a_rule_for_all_other_values_says_so():
    table = formats_page.describe(formats.LOGS["evalscope"])
    assert "`sample_score.score.status` other than success, fallback, degraded → unscored" in table
