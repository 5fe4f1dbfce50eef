"""Sections: the same values in Markdown, in LaTeX and on the page, through JSON, and text that
stays text."""

from dataclasses import replace

import polars as pl
import pytest
from nonresponse import legible
from nonresponse.report import cells, document, model
from nonresponse.report.model import Curve, Figure, Section
from nonresponse.report.page import dump_json

RUNS = ["007", "null", "1e3", "NaN", "-1", "1,000", "=1+1", "<b>x</b>", "a|b", "true", "", " "]


def section(**options) -> Section:
    """A table of runs whose names look like something else, and of all kinds of values."""
    number = len(RUNS)
    frame = pl.DataFrame(
        {
            "run": RUNS,
            "whole": [12345 * place for place in range(number)],
            "real": [None, 0.5, float("nan"), *[place / 7 for place in range(number - 3)]],
            "share": [place / (number - 1) for place in range(number)],
            "truth": [place % 2 == 0 for place in range(number)],
            "best": [["a", "b + c"], *[None] * (number - 1)],
        }
    )
    digits = {"share": "percent"}
    shown = model.tabulate("A caption.", frame, digits=digits, notes=["A note."], **options)
    figure = Figure("A figure", ("x", "y"), [Curve("a", [[0, 1]])])
    return Section("A heading", ["A sentence.", "Another one."], "compare", [figure], [shown])


def through_json(found: Section, folder) -> Section:
    """As the report reads it."""
    model.write_sections({"one": found}, folder / "sections.json")
    return model.read_sections(folder / "sections.json")["one"]


def on_page(table: model.Table) -> list[list[str]]:
    """The texts in its cells, as the report has them; its script shortens names."""
    rows = cells.encode_table(table)["rows"]
    texts = [
        ["–" if it is None else it if isinstance(it, str) else it[-1] for it in row] for row in rows
    ]
    return [[legible.short(text) for text in row] for row in texts]


def test_what_is_read_is_what_was_written(tmp_path):
    found, read = section(csv="runs"), through_json(section(csv="runs"), tmp_path)
    assert dump_json(read) == dump_json(found) and read.tables[0].cells == found.tables[0].cells


def test_all_pages_say_the_same_cells(tmp_path):
    """And names of runs are what they are, whatever they look like."""
    (shown,) = through_json(section(), tmp_path).tables
    said = on_page(shown)
    assert said == shown.cells and [row[0] for row in said] == [legible.short(run) for run in RUNS]
    assert (
        said[1] == ["null", "12,345", "0.5000", "9.1 %", "no", "–"]
        and said[0][2] == said[2][2] == "–"
    )
    assert shown.rows[0][-1] == ["a", "b + c"] and said[0][-1] == 'a + "b + c"'
    for render, separator, page in (
        (legible.markdown, " | ", document.render_markdown_table(shown)),
        (legible.latex, " & ", document.render_latex("Title", shown, "label")),
    ):
        lines = [" ".join(line.split()) for line in page.splitlines()]
        for row in said:
            wanted = " ".join(separator.join(map(render, row)).split()).strip("|& ")
            assert any(wanted in line for line in lines), row


@pytest.mark.parametrize(("paper", "names"), [(None, RUNS), (3, RUNS[:3])])
def test_paper_shows_so_many_rows_and_says_so(paper, names):
    shown = replace(section(csv="runs").tables[0], paper=paper)
    assert [row[0] for row in shown.cells] == [legible.short(name) for name in names]
    assert [row[0] for row in cells.encode_table(shown)["rows"]] == RUNS
    some = [f"The first 3 of {len(RUNS)} rows; runs.csv has all."] * bool(paper)
    assert shown.list_notes() == ["A note."] and shown.list_notes(paper=True) == ["A note.", *some]


def test_of_many_rows_the_page_has_the_first_and_says_so():
    shown = model.tabulate("Many.", pl.DataFrame({"n": range(model.ROWS + 1)}), csv="many")
    assert len(shown.rows) == model.ROWS
    assert cells.encode_table(shown)["notes"] == ["The first 500 of 501 rows; many.csv has all."]
    assert shown.list_notes(paper=True) == ["The first 40 of 501 rows; many.csv has all."]


def test_curves_have_few_points_and_end_where_their_values_do():
    rows = [(run, x / 1000, x / 3000) for run in ("b", "a") for x in range(1000)]
    frame = pl.DataFrame(
        [*rows, ("a", 2.0, None), ("c", None, 1.0)], ["run", "x", "y"], orient="row"
    )
    found = model.make_curves(frame, "x", "y", marks=False)
    assert [(one.name, one.marks, one.points[-1]) for one in found] == [
        ("b", False, [0.999, 0.333]),
        ("a", False, [0.999, 0.333]),
    ]
    assert all(model.POINTS / 2 < len(one.points) <= model.POINTS for one in found)
    many = pl.DataFrame(
        {
            "run": [str(number) for number in range(model.CURVES + 1)],
            "x": 0.0,
            "y": 1 / 3,
            "share": 1.0,
        }
    )
    assert len(model.make_curves(many, "x", "y")) == model.CURVES
    assert model.make_curves(many, "x", "y", weight="share")[0].points == [[0, 0.33333, 1]]


def test_a_column_means_what_its_own_table_says():
    frame = pl.DataFrame({"wrong": [0.5]})
    about = [
        model.tabulate("", frame, csv=csv).columns[0].about for csv in ("cost", "risk_control")
    ]
    assert about == ["share of wrong answers", "how many of them are wrong"]
