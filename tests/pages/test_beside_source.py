"""Leaderboards of published counts say how many figures differ from the source, and mark runs where that matters."""

import shutil
from decimal import Decimal
from pathlib import Path

import polars as pl
import pytest
import reports
from conftest import HOME, Project
from nonresponse import legible, measures
from nonresponse.formats.counts import read_counts
from nonresponse.pages import beside_source
from nonresponse.pages.fidelity import rows_of
from nonresponse.pages.published import PENAS, SOLOVYEV, TABLES, PublishedTable
from nonresponse.scoring import score
from nonresponse.scoring.leaderboard import leaderboard

PUBLISHED = HOME / "resources/published"
COUNTS = [*TABLES]
REMARK = "the source prints e@2 14.75, ahead of the 15.19 of reject-all"
SAID = "15 of 24 figures differ from the source, 10 of them by more than rounded counts explain (results/fidelity.md)."

LINK = 'by more than rounded counts explain (<a href="#_fidelity">published tables</a>).'


def board_of(table: PublishedTable, factor: float = 1) -> pl.DataFrame:
    """The leaderboard of the shipped counts; the first of them times the factor."""
    counts, faults = read_counts(HOME / "resources" / table.name / "counts.csv", table.task)
    assert not faults
    name = table.counts[0]
    counts = counts.with_columns(pl.col(name).cast(pl.Float64) * factor, assessor=pl.lit("official"))
    scores = {}
    for id in table.measures:
        values = score.from_counts(measures.get(table.task, id), counts)
        scores[id] = score.with_bounds(measures.get(table.task, id), values, values.clear())
    chosen = [measures.get(table.task, id) for id in table.measures]
    return leaderboard(scores, counts, chosen, "official", [], "reject-all")


@pytest.mark.parametrize("table", COUNTS, ids=lambda table: table.name)
def test_the_figures_that_differ_are_counted(table):
    """By decimal arithmetic on what is printed and what stands in the leaderboard."""
    board, differing, number = board_of(table), 0, 0
    for row in rows_of(table.name, PUBLISHED):
        for id in table.measures:
            [ours] = board.filter(run=row["run"])[id]
            printed = Decimal(row[id])
            half = Decimal("0.5").scaleb(printed.as_tuple().exponent)  # may be rounded to either side
            number += 1
            differing += abs(Decimal(f"{table.unit * ours:.9f}") - printed) > half
    [said, *_] = beside_source.notes(beside_source.cells(table.name, board, PUBLISHED), {})
    begins = f"{differing} of {number} figures differ from the source"
    assert said.about == "source" and said.text.startswith(begins) and "results/fidelity.md" in said.text
    assert table is not SOLOVYEV or said.text == SAID


def changed(folder: Path, old: str, new: str) -> Path:
    """The published tables with one row of Solovyev's changed."""
    shutil.copytree(PUBLISHED, folder)
    path = folder / "solovyev-table-3.csv"
    assert path.read_text().count(old) == 1
    path.write_text(path.read_text().replace(old, new))
    return folder


@pytest.mark.parametrize(
    ("old", "new", "remarks"),
    [
        ("43,14.75", "43,14.75", {"relation-overlap": REMARK}),
        ("43,14.75", "43,16.10", {}),
        ("57,12.80", "57,15.80", {"parallel-graph-traversal": "15.80, behind the 15.19 of reject-all"}),
        ("65,0,15.19", "65,0,99.00", {"tree-edit-distance": "17.44, ahead of the 99.00 of reject-all"}),
    ],
)
def test_runs_that_the_source_puts_on_the_other_side_of_rejecting_everything(tmp_path, old, new, remarks):
    board = board_of(SOLOVYEV)
    found = beside_source.cells("solovyev-table-3", board, changed(tmp_path / "published", old, new))
    said = beside_source.remarks(found, board, "reject-all")
    assert not remarks or all(said[run].endswith(text) for run, text in remarks.items())
    assert bool(said) == bool(remarks)
    assert ("relation-overlap" in said) == ("16.10" not in new)
    assert beside_source.remarks(found, board, None) == {}


def test_other_counts_and_other_campaigns_are_beside_no_source():
    """With other counts under its name the comparison fails, and says so; the leaderboard says nothing."""
    assert beside_source.cells("solovyev-table-3", board_of(SOLOVYEV, factor=1.01), PUBLISHED) == []
    board = board_of(PENAS)
    assert beside_source.cells("penas-2011-table-3", board.filter(pl.col("run") != "base092de"), PUBLISHED) == []
    assert beside_source.cells("penas-2011-table-2", board, PUBLISHED) == []
    assert beside_source.cells("mine", board, PUBLISHED) == []
    assert beside_source.notes([], {}) == []


@pytest.mark.slow
def test_leaderboards_of_published_counts_and_the_summary_say_it(project: Project):
    counts = {"counts": str(HOME / "resources/solovyev-table-3/counts.csv"), "task": "validation"}
    known = counts | {"measures": ["e@2", "accuracy", "f@0.5"], "reject_all": "reject-all", "accept_all": "accept-all"}
    project.configure({"analyses": []}, **{"solovyev-table-3": known, "another": known})
    project.snakemake()
    for campaign, says in (("solovyev-table-3", True), ("another", False)):
        folder = project.folder / "results" / campaign
        for name in ("leaderboard.md", "leaderboard.tex", "report.html"):
            text = reports.whole(folder / name) if name == "report.html" else (folder / name).read_text()
            assert ("15 of 24 figures differ from the source" in text) == says, (campaign, name)
            assert ("the source prints e@2 14.75" in text) == says
            assert ("§" in text) == says
        board = pl.read_csv(folder / "leaderboard.csv")
        assert ("source_remark" in board.columns) == says
        assert (legible.markdown(SAID) in (folder / "leaderboard.md").read_text()) == says
        assert (LINK in reports.whole(folder / "report.html")) == says
    whole = reports.whole(project.folder / "results/report.html")
    assert LINK in whole and whole.count('id="_fidelity"') == 1
    assert board.height == 8
    assert (project.folder / "results/summary.md").read_text().count(legible.markdown(SAID)) == 1
    [remark] = pl.read_csv(project.folder / "results/solovyev-table-3/leaderboard.csv")["source_remark"].drop_nulls()
    assert remark == REMARK
