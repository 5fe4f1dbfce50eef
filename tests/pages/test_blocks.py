"""Blocks: the same values in Markdown, in LaTeX and on the page, through JSON, and text that stays text."""

import re

import polars as pl
import pytest
from nonresponse import legible, tables
from nonresponse.pages import blocks, document
from nonresponse.pages.blocks import Topic
from nonresponse.pages.sections import Campaign, pooling
from nonresponse.report import cells
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


def on_page(table: blocks.Table) -> list[list[str]]:
    """The texts in its cells, as the report has them; its script shortens names."""
    texts = (
        ["–" if it is None else it if isinstance(it, str) else it[-1] for it in row]
        for row in cells.table(table)["rows"]
    )
    return [[legible.short(text) for text in row] for row in texts]


def test_several_runs_in_a_cell_are_a_list_for_programs_and_a_text_for_people(tmp_path):
    frame = pl.DataFrame({"best": [["a", "b + c"], None]}, {"best": pl.List(pl.String)})
    found = Topic("A heading", [], tables=[blocks.shown("A caption.", frame)])
    [table] = through_json(found, tmp_path).tables
    assert table.rows == [[["a", "b + c"]], [None]]
    assert table.cells == on_page(table) == [['a + "b + c"'], ["–"]]


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
    said = on_page(shown)
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
    assert [row[0] for row in cells.table(shown)["rows"]] == RUNS
    assert shown.below() == ["A note."]
    assert shown.below(paper=True) == [
        "A note.",
        *([f"The first 3 of {len(RUNS)} rows; runs.csv has all."] if paper else []),
    ]


def test_what_only_the_report_shows_is_on_no_paper():
    assert topic(paper=0).printed == []


def test_of_many_rows_the_report_has_the_first_and_says_so():
    (shown,) = [blocks.shown("Many.", pl.DataFrame({"n": range(blocks.ROWS + 1)}), csv="many", paper=2)]
    assert len(shown.rows) == blocks.ROWS and cells.table(shown)["notes"] == [
        "The first 500 of 501 rows; many.csv has all."
    ]
    assert shown.below(paper=True) == ["The first 2 of 501 rows; many.csv has all."]


def test_runs_are_text_from_an_analysis_to_the_pages(tmp_path):
    """007 loses no zeros, and null is a name."""
    row = dict.fromkeys(analysis.POOLING, None) | {"measure": "c@1", "right_answers": 1, "questions": 1, "tau": 1.0}
    rows = [{**row, "run": run, "value": 0.5, "without": 0.25, "change": -0.25} for run in ("007", "null")]
    table = pl.DataFrame(rows, analysis.POOLING)
    tables.write(table, tmp_path / "reliability/judging/pooling.parquet")
    campaign = Campaign("camp", "qa", tmp_path, {"measures": ["c@1"], "official": "x"})
    found = through_json(pooling.topic(campaign), tmp_path)
    (shown,) = found.tables
    assert [row[1] for row in on_page(shown)] == [row[1] for row in shown.cells] == ["007", "null"]
    page = document.markdown("Title", [found])
    assert re.search(r"^\| c@1 +\| 007 ", page, re.MULTILINE) and re.search(r"^\| c@1 +\| null ", page, re.MULTILINE)
    assert "its c@1 would fall by at most 0.250 (007)" in page
