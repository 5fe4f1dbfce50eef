"""Test the page without a browser: hostile names stay text, and only our script runs."""

import json
import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

import pytest
import report_files
from nonresponse import legible
from nonresponse.report import page, part
from report_files import NAMES, Elements


@pytest.fixture(scope="module")
def hostile(tmp_path_factory) -> Path:
    """The results of a campaign with hostile names."""
    return report_files.evaluate_hostile(tmp_path_factory.mktemp("hostile"))


def content_of(hostile) -> dict:
    return json.loads((hostile / "report.json").read_text(encoding="utf-8"))


def test_nothing_runs_but_our_own_script(hostile):
    text = (hostile / "report.html").read_text(encoding="utf-8")
    policy = re.search('Content-Security-Policy" content="([^"]*)"', text)[1].replace("&#39;", "'")
    assert policy.startswith("default-src 'none';") and "unsafe" not in policy
    for tag in ("style", "script"):
        content = re.findall(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)[-1]
        digest = b64encode(sha256(content.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy


def test_the_overview_states_the_level_of_the_intervals_and_rounds_means(hostile):
    content = content_of(hostile)
    card = content["card"] | {"name": "other", "confidence": "90 %", "interval": [0.25, 0.5]}
    card |= {"percent": True, "unscored": 16 / 3}  # a mean over epochs
    texts = Elements(page.render_all([content, content | {"card": card}])).texts
    assert {"5.33", "CI", "25.0 to 50.0 (90 %)"} <= {*texts} and "95 % CI" not in texts
    assert "95 % CI" in Elements(page.render_all([content, content])).texts


def test_without_javascript_the_first_runs_stand_there(hostile, monkeypatch):
    monkeypatch.setattr(part, "ROWS", 5)
    content, ranking = content_of(hostile), report_files.read_part(hostile)["ranking"]
    text = page.render_campaign(content | part.collect_first_rows(ranking))
    texts = Elements(re.sub("<script.*?</script>", "", text, flags=re.DOTALL)).texts
    for finding in content["findings"]:
        sentence = f"{finding['answer']}. {legible.visible(finding['text'])}"
        assert sentence.removeprefix(". ") in texts
    assert f"{len(NAMES) - 5} more runs: leaderboard.csv." in texts
    assert text.count('<th scope="row">') == 5


def test_the_summary_has_the_findings_notes_and_first_runs_of_each_campaign(hostile):
    content = content_of(hostile)
    text = page.render_summary([content | {"notes": ["a _note_"]}])
    assert "<" not in text and text.count("\n| ") == page.TOP + 1 and r"- a \_note\_" in text
    assert legible.markdown(content["findings"][0]["text"]) in text
    assert "results/camp/report.html" in text
