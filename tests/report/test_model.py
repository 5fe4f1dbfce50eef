"""Sections have the same values in Markdown, LaTeX, page and JSON; text stays text."""

from dataclasses import replace

import polars as pl
from nonresponse import legible
from nonresponse.report import cells, document, model
from nonresponse.report.model import Curve, Figure, Section
from nonresponse.report.page import dump_json

RUNS = ["007", "null", "1e3", "NaN", "-1", "1,000", "=1+1", "<b>x</b>", "a|b", "true", "", " "]


def section(**options) -> Section:
    """A table of runs whose names look like something else, and of all kinds of values."""
    last = len(RUNS) - 1
    columns = {
        "run": RUNS,
        "whole": [12345 * place for place in range(last + 1)],
        "real": [None, 0.5, float("nan"), *[place / 7 for place in range(last - 2)]],
        "share": [place / last for place in range(last + 1)],
        "truth": [place % 2 == 0 for place in range(last + 1)],
        "best": [["a", "b + c"], *[None] * last],
    }
    frame, digits = pl.DataFrame(columns), {"share": "percent"}
    table = model.tabulate("A caption.", frame, digits=digits, notes=["A note."], **options)
    figure = Figure("a-figure", "A figure", ("x", "y"), [Curve("a", [[0, 1]])])
    return Section("A heading", ["A sentence.", "Another one."], "compare", [figure], [table])


def read_cells(table: model.Table) -> list[list[str]]:
    """The texts in its cells, as the report has them; its script shortens names."""
    texts = [
        ["–" if cell is None else cell if isinstance(cell, str) else cell[-1] for cell in row]
        for row in cells.encode_table(table)["rows"]
    ]
    return [[legible.short(text) for text in row] for row in texts]


def test_all_pages_say_the_same_cells(tmp_path):
    """And names of runs are what they are, whatever they look like."""
    original = section(csv="runs")
    model.write_sections({"one": original}, tmp_path / "sections.json")
    read_section = model.read_sections(tmp_path / "sections.json")["one"]
    assert dump_json(read_section) == dump_json(original)
    (table,) = read_section.tables
    texts = read_cells(table)
    assert texts == table.cells
    assert [row[0] for row in texts] == [legible.short(run) for run in RUNS]
    assert texts[1] == ["null", "12,345", "0.5000", "9.1 %", "no", "–"]
    assert texts[0][2] == texts[2][2] == "–"
    assert table.rows[0][-1] == ["a", "b + c"] and texts[0][-1] == 'a + "b + c"'
    for render, separator, page in (
        (legible.markdown, " | ", document.render_markdown_table(table)),
        (legible.latex, " & ", document.render_latex("Title", table, "label")),
    ):
        lines = [" ".join(line.split()) for line in page.splitlines()]
        for row in texts:
            line_of_row = " ".join(separator.join(map(render, row)).split()).strip("|& ")
            assert any(line_of_row in line for line in lines), row


def test_a_page_says_how_many_rows_it_shows():
    table = section(csv="runs").tables[0]
    for paper, names in ((None, RUNS), (3, RUNS[:3])):
        shown = replace(table, paper=paper)
        assert [row[0] for row in shown.cells] == [legible.short(name) for name in names]
        assert [row[0] for row in cells.encode_table(shown)["rows"]] == RUNS
        note = [f"The first 3 of {len(RUNS)} rows; runs.csv has all."] * bool(paper)
        assert shown.list_notes() == ["A note."] == shown.list_notes(paper=True)[:1]
        assert shown.list_notes(paper=True)[1:] == note
    table = model.tabulate("Many.", pl.DataFrame({"n": range(model.ROWS + 1)}), csv="many")
    assert len(table.rows) == model.ROWS
    assert cells.encode_table(table)["notes"] == ["The first 500 of 501 rows; many.csv has all."]
    assert table.list_notes(paper=True) == ["The first 40 of 501 rows; many.csv has all."]


def test_a_column_means_what_its_own_table_says():
    frame = pl.DataFrame({"wrong": [0.5]})
    about = [
        model.tabulate("", frame, csv=csv).columns[0].about for csv in ("cost", "risk_control")
    ]
    assert about == ["share of wrong answers", "how many of them are wrong"]
