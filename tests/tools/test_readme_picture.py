"""The picture at the head of README.md: it is current, and says what the published counts say."""

import csv
from xml.etree import ElementTree

import readme_picture
from conftest import HOME

COUNTS = HOME / "resources/penas-2011-table-3/counts.csv"
PICTURE = HOME / "docs/images/unanswered.svg"


def test_the_picture_is_current():
    assert PICTURE.read_text(encoding="utf-8") == readme_picture.svg(COUNTS), "run make pictures"


def test_it_has_every_count_and_every_score(tmp_path):
    text = readme_picture.svg(COUNTS)
    texts = [
        element.text
        for element in ElementTree.fromstring(text).iter()
        if element.text and element.text.strip()
    ]
    with COUNTS.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        right, silent, wrong = (int(row[name]) for name in ("n_ac", "n_u", "n_aw"))
        assert {row["run"], str(right), str(wrong)} <= set(texts)
        assert (str(silent) in texts) == bool(silent)
        assert f"{(right + silent * right / 500) / 500:.3f}" in texts
    assert texts[0] == "One correct answer apart in accuracy, 0.10 apart in c@1"
    other = tmp_path / "counts.csv"
    other.write_text("run,n_ac,n_aw,n_u\na,60,20,20\nb,50,50,0\n", encoding="utf-8")
    assert "10 correct answers apart in accuracy, 0.22 apart in c@1" in readme_picture.svg(other)
