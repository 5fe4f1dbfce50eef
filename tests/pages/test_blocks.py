"""Blocks: the same values in Markdown, in LaTeX and in HTML, through JSON, and text that stays text."""

import html
import re

import polars as pl
import pytest
import report_files
from nonresponse import legible, tables
from nonresponse.pages import blocks, document
from nonresponse.pages.blocks import Topic, of_table
from nonresponse.pages.report import TRUST, Topics, cells, part
from nonresponse.pages.report import Section as Place
from nonresponse.pages.sections import Campaign, pooling
from nonresponse.statistics import pooling as analysis

RUNS = ["007", "null", "1e3", "NaN", "-1", "1,000", "=1+1", "<b>x</b>", "a|b", "true", "", " "]


def topic(**options) -> Topic:
    """A table of runs whose names look like something else, and of all kinds of values."""
    number = len(RUNS)
    frame = pl.DataFrame(
        {
            "run": RUNS,
            "whole": [12345 * place for place in range(number)],
            "real": [None, 0.5, float("nan"), *[place / 7 for place in range(number - 3)]],
            "share": [place / (number - 1) for place in range(number)],
            "truth": [place % 2 == 0 for place in range(number)],
        }
    )
    digits = {"share": "percent"}
    shown = blocks.shown("A caption.", frame, digits=digits, about={"real": "a number"}, notes=["A note."], **options)
    return Topic("A heading", ["A sentence.", "Another one."], ["figures/a.svg"], [shown])


def through_json(found: Topic, folder) -> Topic:
    """As the report reads it."""
    blocks.write({"one": found}, folder / "blocks.json")
    return blocks.read_topics(folder / "blocks.json")["one"]


def of_html(table: blocks.Table) -> list[list[str]]:
    """The texts in its cells, as a person sees them."""
    block = {**of_table(table), "campaign": "camp"}
    return [[html.unescape(re.sub("<a [^>]*>|</a>", "", str(cell))) for cell in row] for row in cells.cells(block)]


def test_several_runs_in_a_cell_are_a_list_for_programs_and_a_text_for_people(tmp_path):
    frame = pl.DataFrame({"best": [["a", "b + c"], None]}, {"best": pl.List(pl.String)})
    found = Topic("A heading", [], tables=[blocks.shown("A caption.", frame)])
    [table] = through_json(found, tmp_path).tables
    assert table.rows == [[["a", "b + c"]], [None]]
    assert table.cells == of_html(table) == [['a + "b + c"'], ["–"]]
    assert of_table(table)["rows"] == [['a + "b + c"'], [None]]  # which the page sorts, filters and exports


def test_what_is_read_is_what_was_written(tmp_path):
    found, read = topic(csv="runs", paper=3), through_json(topic(csv="runs", paper=3), tmp_path)
    assert [row[0] for row in read.tables[0].rows] == RUNS
    assert read.tables[0].cells == found.tables[0].cells and read.tables[0].header == found.tables[0].header
    assert (read.heading, read.sentences, read.figures) == (found.heading, found.sentences, found.figures)
    again = tmp_path / "again.json"
    blocks.write({"one": read}, again)
    assert again.read_text() == (tmp_path / "blocks.json").read_text()


def test_all_pages_say_the_same_cells(tmp_path):
    """And names of runs are what they are, whatever they look like."""
    (shown,) = through_json(topic(), tmp_path).tables
    said = of_html(shown)
    assert said == shown.cells and [row[0] for row in said] == [legible.short(run) for run in RUNS]
    assert said[1] == ["null", "12,345", "0.5000", "9.1 %", "no"] and said[0][2] == said[2][2] == "–"
    for render, page in (
        (legible.markdown, document.markdown_table(shown)),
        (legible.latex, document.latex("Title", shown, "label")),
    ):
        lines = [" ".join(line.split()) for line in page.splitlines()]
        separator = " | " if render is legible.markdown else " & "
        for row in said:
            wanted = " ".join(separator.join(map(render, row)).split()).strip("|& ")
            assert any(wanted in line for line in lines), row


def test_a_table_does_not_depend_on_whether_wcwidth_is_installed():
    """It is installed here; with it, tabulate would allow for characters that are two columns wide."""
    pytest.importorskip("wcwidth")
    shown = blocks.shown("", pl.DataFrame({"run": ["模型", "a-model"], "n": [1, 2]}), ["run", "n"])
    assert len({len(line) for line in document.markdown_table(shown).splitlines()}) == 1


@pytest.mark.parametrize(("paper", "names"), [(None, RUNS), (3, RUNS[:3])])
def test_paper_shows_so_many_rows_and_says_so(tmp_path, paper, names):
    (shown,) = through_json(topic(csv="runs", paper=paper), tmp_path).tables
    assert [row[0] for row in shown.cells] == [legible.short(name) for name in names]
    assert [row[0] for row in of_html(shown)] == [legible.short(run) for run in RUNS]
    assert shown.below() == ["A note."]
    assert shown.below(paper=True) == [
        "A note.",
        *([f"The first 3 of {len(RUNS)} rows; runs.csv has all."] if paper else []),
    ]


def test_what_only_the_report_shows_is_on_no_paper():
    assert topic(paper=0).printed == []


def test_of_many_rows_the_report_has_the_first_and_says_so():
    (shown,) = [blocks.shown("Many.", pl.DataFrame({"n": range(blocks.ROWS + 1)}), csv="many", paper=2)]
    assert len(shown.rows) == blocks.ROWS and of_table(shown)["cut"] == "The first 500 of 501 rows; many.csv has all."
    assert shown.below(paper=True) == ["The first 2 of 501 rows; many.csv has all."]


def test_a_topic_stands_in_its_section(tmp_path):
    """Its heading is shown only if the section has another one; a table without rows is not shown."""
    (tmp_path / "figures").mkdir()
    (tmp_path / "figures/a.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>')
    empty = blocks.shown("Nothing.", pl.DataFrame({"run": []}, {"run": pl.String}), ["run"])
    found = topic()
    found.tables.append(empty)
    blocks.write({"one": found, "two": found}, tmp_path / "systems/blocks.json")
    campaign = Campaign("camp", "qa", tmp_path, report_files.SETTINGS | {"measures": ["c@1"], "topics": ["systems"]})
    shown = part.blocks_of(Place("differ", "A heading", (Topics("systems", "systems/blocks.json"),)), campaign)
    assert [block["kind"] for block in shown] == ["sentences", "figure", "table"] * 2
    assert (shown[0]["title"], shown[0]["sentences"]) == ("", found.sentences)
    assert shown[2]["folded"] == "The numbers"
    for only, kinds in {"tables": ["sentences", "table"]}.items():
        other = part.blocks_of(
            Place("differ", "Another", (Topics("systems", "systems/blocks.json", ("one",), only=only),)), campaign
        )
        assert [block["kind"] for block in other] == kinds
        assert only != "tables" or other[0]["title"] == "A heading"


@pytest.mark.parametrize(
    ("led_by", "expected"),
    [(None, "own one table two table"), ("one", "one own table two table"), ("two", "one table two own table")],
)
def test_what_a_section_makes_tears_no_other_topic_apart(tmp_path, led_by, expected):
    """It comes first, or below the sentences of the topic that leads; here it is what provenance says of the files."""
    table = blocks.shown("Runs.", pl.DataFrame({"run": ["a"]}), ["run"])
    blocks.write({name: Topic(name, ["Said."], tables=[table]) for name in ("one", "two")}, tmp_path / "changes.json")
    report_files.sound(tmp_path)
    campaign = Campaign("camp", "qa", tmp_path, report_files.SETTINGS | {"measures": ["c@1"]})
    section = Place("provenance", "Files", (Topics("changes", "changes.json"),), own=True, led_by=led_by)
    shown = [block.get("title") or block["caption"] for block in part.blocks_of(section, campaign)]
    own = "What the check of the files found The configuration The files"
    assert " ".join(shown) == expected.replace("own", own).replace("table", "Runs.")


def test_what_no_section_names_stands_where_none_are_named(tmp_path):
    """It stands under the other questions; rankings by measures alone are in the section on how runs differ."""
    found = Topic("Heading", ["Said."])
    of_several = {"graded": {"official": "ann"}}
    names = ["swap", "rankings", "pooling", "withheld"]
    blocks.write(dict.fromkeys(names, found), tmp_path / "reliability/blocks.json")
    by_source = {
        "graded": {"others": ["swap"], "judged": ["pooling", "withheld", "rankings"]},
        "counts": {"others": ["swap", "pooling", "withheld"], "differ": ["rankings"]},
    }
    by_source["runs"] = {"others": ["swap"], "judged": ["pooling", "withheld"], "differ": ["rankings"]}  # one assessor
    for source, expected in by_source.items():
        settings = (
            report_files.SETTINGS
            | {"source": source, "analyses": names, "topics": ["reliability"]}
            | of_several.get(source, {})
        )
        campaign = Campaign("camp", "qa", tmp_path, settings)
        known = part.read_topics(tmp_path / "reliability/blocks.json")
        shown = {
            place.id: [
                name
                for topics in part.topics_of(place, campaign.settings)
                if topics.file == TRUST
                for name in part.chosen(topics, known, campaign)
            ]
            for place in part.sections_of(campaign.settings)
        }
        assert {name: chosen for name, chosen in shown.items() if chosen} == expected


def test_runs_are_text_from_an_analysis_to_the_pages(tmp_path):
    """007 loses no zeros, and null is a name."""
    row = dict.fromkeys(analysis.POOLING, None) | {"measure": "c@1", "right_answers": 1, "questions": 1, "tau": 1.0}
    rows = [{**row, "run": run, "value": 0.5, "without": 0.25, "change": -0.25} for run in ("007", "null")]
    table = pl.DataFrame(rows, analysis.POOLING)
    tables.write(table, tmp_path / "reliability/judging/pooling.parquet")
    campaign = Campaign("camp", "qa", tmp_path, {"measures": ["c@1"], "official": "x"})
    found = through_json(pooling.topic(campaign), tmp_path)
    (shown,) = found.tables
    assert [row[1] for row in of_html(shown)] == [row[1] for row in shown.cells] == ["007", "null"]
    page = document.markdown("Title", [found])
    assert re.search(r"^\| c@1 +\| 007 ", page, re.MULTILINE) and re.search(r"^\| c@1 +\| null ", page, re.MULTILINE)
    assert "its c@1 would fall by at most 0.250 (007)" in page


def test_an_attribute_of_any_name_is_text_and_marks_no_run():
    """Such as school marks, in a column of that name."""
    frame = pl.DataFrame({"run": ["a"], "trivial": [True], "marks": ["<img src=x>"]})
    table = blocks.of_frame(frame, [blocks.Column("run", run=True), blocks.Column("marks")], "A caption.")
    [[run, marks]] = cells.cells({**of_table(table), "campaign": "camp"})
    assert str(run) == '<a href="#camp/a">a</a> †' and str(marks) == "&lt;img src=x&gt;"
