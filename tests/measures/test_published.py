"""The tables of the papers, cell by cell. Where a figure contradicts its counts, both stand."""

from fractions import Fraction

import pytest
from conftest import HOME
from nonresponse import measures
from nonresponse.formats.counts import read_counts
from nonresponse.scoring import score
from reproduction import figures
from reproduction.figures import AGREES as A
from reproduction.figures import CONTRADICTS as X
from reproduction.figures import CZECH, PENAS, QUOTIENTS, SOLOVYEV
from reproduction.figures import WITHIN as W


def f_simpleqa(right: int, wrong: int, unanswered: int) -> Fraction:
    return Fraction(200 * right, 2 * right + 2 * wrong + unanswered)


# By table and row, each measure's figure as printed, what the printed counts give, and the verdict.
CELLS = {
    PENAS: {
        "icia091ro": [("0.58", Fraction(237 * 607, 500**2), A), ("0.47", Fraction(237, 500), A)],
        "uaic092ro": [("0.47", Fraction(236, 500), A), ("0.47", Fraction(236, 500), A)],
        "loga092de": [("0.44", Fraction(187 * 583, 500**2), A), ("0.37", Fraction(187, 500), A)],
        "base092de": [("0.38", Fraction(189, 500), A), ("0.38", Fraction(189, 500), A)],
    },
    CZECH: {
        "gpt-4o-mini-2024-07-18": [("8.1", f_simpleqa(347, 3913, 66), A)],
        "gpt-4o-2024-11-20": [("31.4", f_simpleqa(1345, 2904, 77), A)],
        "claude-3-5-sonnet-20240620": [("25.8", f_simpleqa(828, 1277, 2221), A)],
        "claude-3-5-sonnet-20241022": [("31.1", f_simpleqa(1225, 2329, 772), A)],
        "claude-3-5-haiku-20241022": [("9.3", f_simpleqa(338, 2575, 1413), A)],
    },
    SOLOVYEV: {
        "reject-all": [("65", 64.2, X), ("0", 0, A), ("15.19", 15.674256, X)],
        "accept-all": [("35", 35.8, X), ("40", 41.073887, X), ("55.37", 54.452926, X)],
        "word-overlap": [("62", 62, A), ("48", 49.834802, X), ("23.87", 23.045097, X)],
        "relation-overlap": [("68", 65.3, X), ("43", 41.271989, X), ("14.75", 16.102784, X)],
        "tree-node-alignment": [("66", 65.9, A), ("51", 50.604710, A), ("19.70", 19.732034, W)],
        "tree-edit-distance": [("64", 63.7, A), ("26", 25.462963, W), ("17.44", 17.415730, W)],
        "parallel-graph-traversal": [
            ("71", 71.5, A),
            ("57", 57.339450, A),
            ("12.80", 12.769418, W),
        ],
        "predicate-matching": [("70", 70.4, A), ("54", 54.372197, A), ("13.64", 13.619632, W)],
    },
}


@pytest.mark.parametrize("table", CELLS, ids=lambda table: table.name)
def test_every_cell(table):
    """The shipped campaign has the printed counts, and its scores are the computed figures."""
    counts, faults = read_counts(HOME / "resources" / table.name / "counts.csv", table.task)
    assert not faults
    rows = {row["run"]: row for row in figures.read_rows(table.name)}
    printed = [(run, *(float(row[name]) for name in table.counts)) for run, row in rows.items()]
    assert sorted(counts.select("run", *table.counts).rows()) == sorted(printed)
    cells = {(cell.row, cell.measure): cell for cell in figures.compare_table(table)}
    assert len(cells) == len(rows) * len(table.measures)
    for place, id in enumerate(table.measures):
        values = score.evaluate_counts(measures.get(table.task, id), counts)
        scores = dict(values.select("run", "value").iter_rows())
        for run, figure in CELLS[table].items():
            published, computed, verdict = figure[place]
            cell = cells[run, id]
            assert (cell.published, cell.verdict) == (published, verdict), cell
            assert float(cell.computed) == pytest.approx(float(computed), abs=5e-7)
            assert table.unit * scores[run] == pytest.approx(float(cell.computed), abs=1e-9)


def test_relative_differences_of_table_2():
    """(iii) = (i)/(ii), for UF only before both were rounded: 0.17/0.48 is printed as 0.3512."""
    cells = figures.compare_table(QUOTIENTS)
    expected = [("uf", "0.3512", "0.3542", W), ("c@1", "0.1169", "0.1169", A)]
    expected.append(("accuracy", "0.1324", "0.1324", A))
    for cell, row in zip(cells, expected, strict=True):
        computed = figures.round_decimal(cell.computed, 4)
        assert (cell.row, cell.published, computed, cell.verdict) == row
    assert cells[0].why.endswith("give 0.340206 to 0.368421")  # 0.165 / 0.485 and 0.175 / 0.475


def test_the_trivial_runs_of_solovyev_follow_from_another_share():
    """34.95 % right pairs give all six figures."""
    right, nothing = Fraction("34.95"), Fraction(0)
    rows = {
        "reject-all": (right, 100 - right, nothing, nothing),
        "accept-all": (nothing, nothing, right, 100 - right),
    }
    decimals = {"accuracy": 0, "f@0.5": 0, "e@2": 2}
    for run, row in rows.items():
        counts = dict(zip(SOLOVYEV.counts, row, strict=True))
        values = {id: figures.compute_cell(SOLOVYEV, id, counts) for id in decimals}
        rows[run] = [figures.round_decimal(values[id], places) for id, places in decimals.items()]
    assert rows == {"reject-all": ["65", "0", "15.19"], "accept-all": ["35", "40", "55.37"]}
