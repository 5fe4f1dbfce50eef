"""The picture at the head of README.md: it is current, and says what the published counts say."""

import readme_picture
from conftest import HOME

COUNTS = HOME / "resources/penas-2011-table-3/counts.csv"
PICTURE = HOME / "docs/images/unanswered.svg"


def test_the_picture_is_current(tmp_path):
    readme_picture.main(COUNTS, tmp_path / "earlier.svg")  # of this process
    readme_picture.main(COUNTS, tmp_path / "new.svg")
    assert PICTURE.read_bytes() == (tmp_path / "new.svg").read_bytes(), "run make pictures"
