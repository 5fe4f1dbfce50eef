"""The picture at the head of README.md: it is current, and says what the published counts say."""

import readme_picture
from conftest import HOME

COUNTS = HOME / "resources/penas-2011-table-3/counts.csv"
PICTURE = HOME / "docs/images/unanswered.svg"


def test_the_picture_is_current():
    assert PICTURE.read_text(encoding="utf-8") == readme_picture.svg(COUNTS), "run make pictures"
