"""The page without a browser: hostile names are text in it and whole in its data, and nothing runs but our script."""

import gzip
import json
import re
from base64 import b64decode, b64encode
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

import polars as pl
import pytest
import report_files
from nonresponse import legible
from nonresponse.pages import blocks
from nonresponse.pages.blocks import Topic
from nonresponse.pages.sections import Campaign
from nonresponse.report import drawing, page, part
from nonresponse.stages.report import report_faults
from report_files import NAMES, QUESTIONS, SCRIPT


class Elements(HTMLParser):
    """The elements of a page and its texts."""

    def __init__(self, text: str):
        super().__init__()
        self.tags, self.attributes, self.said = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += attributes

    def handle_data(self, data):
        self.said.append(data.strip())


@pytest.fixture(scope="module")
def hostile(tmp_path_factory) -> Path:
    """The results of a campaign with hostile names."""
    return report_files.hostile(tmp_path_factory.mktemp("hostile"))


def content_of(hostile) -> dict:
    return json.loads((hostile / "report.json").read_text(encoding="utf-8"))


def test_hostile_names_are_text_and_whole_in_the_data(hostile):
    text = (hostile / "report.html").read_text(encoding="utf-8")
    found = Elements(text)
    assert found.tags.count("script") == 3 and found.attributes.count(("type", "application/gzip+base64")) == 1
    assert not {"img", "iframe", "object", "embed", "link", "form", "base"} & {*found.tags}
    assert not [name for name, _ in found.attributes if name.startswith("on") or name in ("style", "src", "srcset")]
    links = {value for name, value in found.attributes if name == "href"}
    assert links == {"#_main", "../report.html", "leaderboard.md"}
    assert not [hidden for hidden in ("<!--", "\u2028", "\u202e") if hidden in text]
    assert {legible.short(name) for name in [*NAMES, SCRIPT]} <= {*found.said}
    [packed] = re.findall('<script type="application/gzip\\+base64">(.*)</script>', text)
    data = json.loads(gzip.decompress(b64decode(packed)))
    assert data == content_of(hostile)
    assert sorted(row[1] for row in data["ranking"]["rows"]) == sorted(NAMES) == sorted(data["questions"]["runs"])
    assert sorted(data["questions"]["questions"]) == sorted(QUESTIONS) and f"{SCRIPT} 1" in data["questions"]["texts"]


def test_every_number_of_the_ranking_is_that_of_the_leaderboard(hostile):
    ranking = content_of(hostile)["ranking"]
    names = [column["id"] for column in ranking["columns"]]
    written = pl.read_csv(hostile / "leaderboard.csv")
    assert [row[names.index("run")] for row in ranking["rows"]] == written["run"].to_list()
    for row, known in zip(ranking["rows"], written.iter_rows(named=True), strict=True):
        own = dict(zip(names, row, strict=True))
        correct, wrong, left, n = (known[name] for name in ("n_ac", "n_aw", "n_u", "n"))
        assert own["bar"] == [correct, left, wrong]
        assert own["interval"] == [pytest.approx(known[name]) for name in ("c@1", "c@1 lower", "c@1 upper")]
        expected = {"c@1": known["c@1"], "accuracy": correct / n, "precision": correct / (correct + wrong)}
        expected |= {"coverage": (correct + wrong) / n, "net": (correct - wrong) / n, "answered": known["answered"]}
        for name, value in expected.items():
            shown = f"{100 * value + 1e-9:.1f}".replace("-", "−")
            assert own[name] == [pytest.approx(value), own[name][1]] and own[name][1] == shown, name


def test_nothing_runs_but_our_own_script(hostile):
    text = (hostile / "report.html").read_text(encoding="utf-8")
    policy = re.search('Content-Security-Policy" content="([^"]*)"', text)[1].replace("&#39;", "'")
    assert policy.startswith("default-src 'none';") and "unsafe" not in policy
    for tag in ("style", "script"):
        content = re.findall(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)[-1]
        assert f"{tag}-src 'sha256-{b64encode(sha256(content.encode()).digest()).decode()}'" in policy


def test_equal_results_make_equal_bytes_at_any_time(hostile, tmp_path, monkeypatch):
    monkeypatch.setattr("time.time", lambda: 0.0)
    again = report_files.hostile(tmp_path)
    ours, others = (re.sub(r"raw/\S+|/tmp/\S+?csv", "", part.as_json(content_of(it))) for it in (again, hostile))
    assert ours == others and page.of_campaign(content_of(hostile)).encode() == (hostile / "report.html").read_bytes()


def test_a_page_of_all_that_is_too_large_links_to_those_of_the_campaigns(hostile, monkeypatch):
    content = content_of(hostile)
    other = content | {"card": content["card"] | {"name": "other"}}
    text = page.of_all([content, other])
    assert {("href", "#camp"), ("href", "#other")} <= {*Elements(text).attributes} and text.count("<article") == 2
    monkeypatch.setattr(page, "LARGEST", len(text.encode()) - 1)
    text = page.of_all([content, other])
    assert ("href", "camp/report.html#camp") in Elements(text).attributes and "<article" not in text


def test_without_javascript_the_first_runs_stand_there(hostile, monkeypatch):
    monkeypatch.setattr(page, "ROWS", 5)
    content = content_of(hostile)
    text = page.of_campaign(content)
    shown = Elements(re.sub("<script.*?</script>", "", text, flags=re.DOTALL)).said
    for finding in content["findings"]:
        assert f"{finding['answer']}. {legible.visible(finding['text'])}".removeprefix(". ") in shown
    assert f"{len(NAMES) - 5} more runs: leaderboard.csv." in shown
    assert text.count('<th scope="row">') == 5


def test_a_campaign_with_faults_has_a_card_that_shows_them(hostile):
    lines = [f"{NAMES[0]}.tsv:{line}: found '\u202e'; expected a number" for line in range(25)]
    faulty = part.faulty("camp: 25 faults in 1 file", lines, "Nothing was scored.", "bad", NAMES[0], False)
    text = page.of_all([faulty, content_of(hostile)])
    assert "<b>camp: 25 faults in 1 file</b>" in text and "\u202e" not in text and "<img" not in text
    assert text.count("found &#39;[U+202E]&#39;; expected a number") == part.FAULTS
    assert "And 5 more lines: bad/faults.txt has all." in text and "Nothing was scored." in text
    assert 'href="#camp"' in text and 'href="#bad"' not in text and 'id="bad"' not in text


def test_a_campaign_that_is_neither_faulty_nor_done_has_a_card_too(tmp_path):
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad/faults.txt").write_text(
        "bad: 1 fault in 1 file\n  a.csv: found x; expected y\nNothing was scored.\n"
    )
    known = [{"name": name, "title": "", "simulated": False} for name in ("bad", "stopped")]
    report_faults(known, page=tmp_path / "faults.html", results=tmp_path)
    text = (tmp_path / "faults.html").read_text()
    assert "<b>bad: 1 fault in 1 file</b>" in text and "<b>stopped: not evaluated yet</b>" in text
    assert "results/logs/stopped/ say which" in text


def test_every_topic_stands_in_one_tab(tmp_path):
    """Those of the reliability page that no tab names stand under reliability; rankings by several assessors do not."""
    table = blocks.of_frame(pl.DataFrame({"a": [1]}), [blocks.Column("a", "number")], "A table")
    found, empty = Topic("Heading", ["Said."], tables=[table]), Topic("Assessor agreement", ["One assessor judged."])
    names = ["swap", "rankings", "pooling", "candidates", "comparison"]
    blocks.write(dict.fromkeys(names, found) | {"agreement": empty}, tmp_path / "reliability/blocks.json")
    report_files.sound(tmp_path, "`duplicates: last` dropped 4 rows: 'a' (4).")
    of_several = {"graded": {"official": "ann"}}
    for source, judged in (
        ("graded", ["pooling", "candidates", "rankings"]),
        ("runs", ["pooling", "candidates"]),
        ("counts", []),
    ):
        settings = report_files.SETTINGS | {"source": source, "topics": ["reliability"]} | of_several.get(source, {})
        campaign = Campaign("camp", "qa", tmp_path, settings)
        shown = {tab: part.sections_of(campaign, tab) for tab in part.TABS}
        assert len(shown["compare"]) == 1 and len(shown["assessors"]) == len(judged)
        assert sum(map(len, shown.values())) == len(names)
    first, *_ = part.provenance(campaign)
    assert first["sentences"] == ["no faults; 2 runs", "`duplicates: last` dropped 4 rows: 'a' (4)."]


def test_a_figure_within_the_page_is_a_drawing_with_names_of_its_own():
    drawn = (
        '<svg xmlns="http://www.w3.org/2000/svg" onload="x()" class="marks" role="graphics-document"'
        ' aria-label="x"><script>x()</script><defs><clipPath id="a">'
        '<path d="M1.23456,2"/></clipPath></defs><g clip-path="url(#a)" style="x:y"><text>id="a" &lt;b&gt;</text></g>'
        '<path aria-label="y" d="M1,2"><title onclick="x()">&lt;b&gt;: 1</title></path>'
        '<foreignObject><p>x</p></foreignObject><a href="javascript:x()"><text>y</text></a></svg>'
    )
    assert drawing.inlined(drawn, "c:1_") == (
        '<svg xmlns="http://www.w3.org/2000/svg"><defs><clipPath id="c:1_0"><path d="M1.23,2" /></clipPath></defs>'
        '<g clip-path="url(#c:1_0)"><text>id="a" &lt;b&gt;</text></g>'
        '<path d="M1,2"><title>&lt;b&gt;: 1</title></path></svg>'
    )
