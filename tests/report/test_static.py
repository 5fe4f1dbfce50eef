"""The page without a browser: hostile names are text in it and whole in its data, and nothing runs
but our script."""

import json
import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

import polars as pl
import pytest
import report_files
import reports
from nonresponse import legible, measures
from nonresponse.report import model, page, part
from nonresponse.report.campaign import Campaign
from nonresponse.report.model import Section
from nonresponse.stages.report import report_faults
from report_files import NAMES, QUESTIONS, SCRIPT
from reports import Elements


@pytest.fixture(scope="module")
def hostile(tmp_path_factory) -> Path:
    """The results of a campaign with hostile names."""
    return report_files.hostile(tmp_path_factory.mktemp("hostile"))


def content_of(hostile) -> dict:
    return json.loads((hostile / "report.json").read_text(encoding="utf-8"))


def test_hostile_names_are_text_and_whole_in_the_data(hostile):
    text = (hostile / "report.html").read_text(encoding="utf-8")
    found = Elements(text)
    assert (
        found.tags.count("script") == 4
        and found.attributes.count(("type", "application/gzip+base64")) == 2
    )
    assert not {"img", "iframe", "object", "embed", "link", "form", "base"} & {*found.tags}
    assert not [
        name
        for name, _ in found.attributes
        if name.startswith("on") or name in ("style", "src", "srcset")
    ]
    links = {value for name, value in found.attributes if name == "href"}
    assert links == {"#_main", "../report.html", "leaderboard.md"}
    assert not [hidden for hidden in ("<!--", "\u2028", "\u202e") if hidden in text]
    assert {legible.short(name) for name in [*NAMES, SCRIPT]} <= {*found.said}
    packed = re.findall('<script type="application/gzip\\+base64">(.*)</script>', text)
    assert packed == [content_of(hostile)[name] for name in ("packed", "texts")]
    data = reports.part(hostile)
    runs, questions = sorted(row[1] for row in data["ranking"]["rows"]), data["questions"]
    assert runs == sorted(NAMES) == sorted(questions["runs"])
    assert sorted(questions["questions"]) == sorted(QUESTIONS)
    assert f"{SCRIPT} 1" in questions["texts"]


def test_every_number_of_the_ranking_is_that_of_the_leaderboard(hostile):
    ranking = reports.part(hostile)["ranking"]
    names = [column["id"] for column in ranking["columns"]]
    written = pl.read_csv(hostile / "leaderboard.csv")
    assert [row[names.index("run")] for row in ranking["rows"]] == written["run"].to_list()
    for row, known in zip(ranking["rows"], written.iter_rows(named=True), strict=True):
        own = dict(zip(names, row, strict=True))
        correct, wrong, left, n = (known[name] for name in ("n_ac", "n_aw", "n_u", "n"))
        assert own["bar"] == [correct, left, wrong]
        ends = [known[name] for name in ("c@1", "c@1 lower", "c@1 upper")]
        assert own["interval"] == pytest.approx(ends)
        answers = correct + wrong
        assert own["net %"][0] == pytest.approx(100 * (correct - wrong) / n)
        expected = {"accuracy %": correct / n, "precision_answered %": correct / answers}
        expected |= {"answered %": answers / n, "c@1": known["c@1"]}
        for name, value in expected.items():
            assert own[name] == [pytest.approx(value), f"{100 * value + 1e-9:.1f}"], name


def test_nothing_runs_but_our_own_script(hostile):
    text = (hostile / "report.html").read_text(encoding="utf-8")
    policy = re.search('Content-Security-Policy" content="([^"]*)"', text)[1].replace("&#39;", "'")
    assert policy.startswith("default-src 'none';") and "unsafe" not in policy
    for tag in ("style", "script"):
        content = re.findall(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)[-1]
        digest = b64encode(sha256(content.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy


def test_equal_results_make_equal_bytes_at_any_time(hostile, tmp_path, monkeypatch):
    monkeypatch.setattr("time.time", lambda: 0.0)
    parts = [page.dump_json(reports.part(it)) for it in (report_files.hostile(tmp_path), hostile)]
    ours, others = (re.sub(r"raw/\S+|/tmp/\S+?csv", "", text) for text in parts)
    assert ours == others
    assert page.render_campaign(content_of(hostile)) == (hostile / "report.html").read_text()


def test_a_page_of_all_that_is_too_large_links_to_those_of_the_campaigns(hostile, monkeypatch):
    content = content_of(hostile)
    other = content | {"card": content["card"] | {"name": "other"}}
    text = page.render_all([content, other])
    assert {("href", "#camp"), ("href", "#other")} <= {*Elements(text).attributes} and text.count(
        "<article"
    ) == 2
    monkeypatch.setattr(page, "MAX_BYTES", 2 * (len(content["packed"]) + len(content["texts"])) - 1)
    text = page.render_all([content, other])
    assert ("href", "camp/report.html#camp") in Elements(text).attributes and "<article" not in text


def test_the_overview_states_the_level_of_the_intervals(hostile):
    content = content_of(hostile)
    other = content | {"card": content["card"] | {"name": "other"}}
    assert "95 % CI" in Elements(page.render_all([content, other])).said
    other["card"] |= {"confidence": "90 %", "interval": [0.25, 0.5], "percent": True}
    said = Elements(page.render_all([content, other])).said
    assert "CI" in said and "95 % CI" not in said and "25.0 to 50.0 (90 %)" in said


def test_without_javascript_the_first_runs_stand_there(hostile, monkeypatch):
    monkeypatch.setattr(part, "ROWS", 5)
    content = content_of(hostile)
    text = page.render_campaign(content | part.collect_first_rows(reports.part(hostile)["ranking"]))
    shown = Elements(re.sub("<script.*?</script>", "", text, flags=re.DOTALL)).said
    for finding in content["findings"]:
        assert (
            f"{finding['answer']}. {legible.visible(finding['text'])}".removeprefix(". ") in shown
        )
    assert f"{len(NAMES) - 5} more runs: leaderboard.csv." in shown
    assert text.count('<th scope="row">') == 5


def test_a_campaign_with_faults_has_a_card_that_shows_them(hostile):
    lines = [f"{NAMES[0]}.tsv:{line}: found '\u202e'; expected a number" for line in range(25)]
    faulty = page.make_faulty_part(
        "camp: 25 faults in 1 file", lines, "Nothing was scored.", "bad", NAMES[0], False
    )
    text = page.render_all([faulty, content_of(hostile)])
    assert (
        "<b>camp: 25 faults in 1 file</b>" in text and "\u202e" not in text and "<img" not in text
    )
    assert text.count("found &#39;[U+202E]&#39;; expected a number") == page.FAULTS
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


def test_every_section_stands_in_its_tab(tmp_path):
    table = model.tabulate_frame(pl.DataFrame({"a": [1]}), [model.Column("a", "number")], "A table")
    found = {tab: Section(tab, ["Said."], tab, tables=[table]) for tab in part.TABS}
    bare = {f"bare {tab}": Section(f"bare {tab}", ["Said."], tab) for tab in part.TABS}
    model.write_sections(
        found | bare | {"": Section("Nowhere", ["Said."])}, tmp_path / "reliability/sections.json"
    )
    model.write_sections(
        {"gates": Section("Gates", ["Passed."], "ranking")}, tmp_path / "gates/sections.json"
    )
    report_files.sound(tmp_path, "`duplicates: last` dropped 4 rows: 'a' (4).")
    campaign = Campaign(
        "camp",
        "qa",
        tmp_path,
        report_files.SETTINGS | {"pages": ["reliability", "gates"], "measures": ["c@1"]},
    )
    shown = {
        tab: [one.heading for one in own] for tab, own in part.collect_sections(campaign).items()
    }
    assert shown["ranking"] == ["Gates", "ranking", "bare ranking"]
    assert shown["assessors"] == ["assessors", "bare assessors"]
    defined, first, *own = part.collect_sections(campaign)["data"]
    assert defined.tables[0].cells[0][:2] == ["c@1", measures.get("qa", "c@1").description]
    assert [one.heading for one in own] == ["data", "bare data", "Provenance"]
    assert first.sentences == ["No faults; 2 runs.", "`duplicates: last` dropped 4 rows: 'a' (4)."]


def test_the_summary_has_the_findings_notes_and_first_runs_of_each_campaign(hostile):
    content = content_of(hostile)
    text = page.render_summary([content | {"notes": ["a _note_"]}])
    assert "<" not in text and text.count("\n| ") == page.TOP + 2 and r"- a \_note\_" in text
    assert (
        legible.markdown(content["findings"][0]["text"]) in text
        and "results/camp/report.html" in text
    )
