"""The tables of the sources, cell by cell. Where a figure contradicts the counts beside it, both values are pinned."""

import csv
import io
import random
from fractions import Fraction
from pathlib import Path

import polars as pl
import pytest
from conftest import HOME
from nonresponse import legible, measures, tables
from nonresponse.formats.counts import read_counts
from nonresponse.pages import blocks, claims, fidelity, published
from nonresponse.pages.fidelity import Cell, rows_of
from nonresponse.scoring import score
from nonresponse.stages import report

PUBLISHED = HOME / "resources" / "published"


def score_tables(results: Path) -> None:
    """Door three, from the shipped counts to scores."""
    for table in published.TABLES:
        counts, faults = read_counts(HOME / "resources" / table.name / "counts.csv", table.task)
        assert not faults
        counts = counts.with_columns(assessor=pl.lit("official"))
        for id in table.measures:
            measure = measures.get(table.task, id)
            values = score.from_counts(measure, counts)
            scores = score.with_bounds(measure, values, values.clear())
            tables.write(scores, results / table.name / "scores" / f"{id}.parquet")


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    folder = tmp_path_factory.mktemp("results")
    score_tables(folder)
    return folder


@pytest.fixture(scope="module")
def cells(results):
    return {
        (cell.table, cell.run, cell.measure): cell
        for table in published.TABLES
        for cell in fidelity.cells_of(table, PUBLISHED, results)
    }


# Peñas & Rodrigo 2011, table 3: c@1 and accuracy as printed, and exactly.
PENAS = {
    "icia091ro": ("0.58", Fraction(237 * 607, 500**2), "0.47", Fraction(237, 500)),
    "uaic092ro": ("0.47", Fraction(236, 500), "0.47", Fraction(236, 500)),
    "loga092de": ("0.44", Fraction(187 * 583, 500**2), "0.37", Fraction(187, 500)),
    "base092de": ("0.38", Fraction(189, 500), "0.38", Fraction(189, 500)),
}


@pytest.mark.parametrize("run", PENAS)
def test_penas_and_rodrigo_table_3(cells, run):
    printed, exact = PENAS[run][::2], PENAS[run][1::2]
    for measure, text, value in zip(("c@1", "accuracy"), printed, exact, strict=True):
        cell = cells["penas-2011-table-3", run, measure]
        assert (cell.published, cell.rounded, cell.verdict) == (text, text, "agrees")
        assert float(cell.computed) == pytest.approx(float(value), abs=5e-7)


# Czech SimpleQA: F in percent as printed, and exactly.
CZECH = {
    "gpt-4o-mini-2024-07-18": ("8.1", Fraction(2 * 347, 2 * 347 + 2 * 3913 + 66)),
    "gpt-4o-2024-11-20": ("31.4", Fraction(2 * 1345, 2 * 1345 + 2 * 2904 + 77)),
    "claude-3-5-sonnet-20240620": ("25.8", Fraction(2 * 828, 2 * 828 + 2 * 1277 + 2221)),
    "claude-3-5-sonnet-20241022": ("31.1", Fraction(2 * 1225, 2 * 1225 + 2 * 2329 + 772)),
    "claude-3-5-haiku-20241022": ("9.3", Fraction(2 * 338, 2 * 338 + 2 * 2575 + 1413)),
}


@pytest.mark.parametrize("run", CZECH)
def test_czech_simpleqa(cells, run):
    """Each model was asked 4,326 times."""
    printed, exact = CZECH[run]
    cell = cells["czech-simpleqa", run, "f_simpleqa"]
    assert (cell.published, cell.rounded, cell.verdict) == (printed, printed, "agrees")
    assert float(cell.computed) == pytest.approx(float(100 * exact), abs=5e-7)
    counts, _ = read_counts(HOME / "resources/czech-simpleqa/counts.csv", "qa")
    assert counts.filter(run=run)["n"].item() == 4326


A, W, X = fidelity.AGREES, fidelity.WITHIN, fidelity.CONTRADICTS

# Solovyev, table 3: as printed, what the printed counts give, and which of the three it is.
SOLOVYEV = {
    "reject-all": [("65", "64.200000", X), ("0", "0.000000", A), ("15.19", "15.674256", X)],
    "accept-all": [("35", "35.800000", X), ("40", "41.073887", X), ("55.37", "54.452926", X)],
    "word-overlap": [("62", "62.000000", A), ("48", "49.834802", X), ("23.87", "23.045097", X)],
    "relation-overlap": [("68", "65.300000", X), ("43", "41.271989", X), ("14.75", "16.102784", X)],
    "tree-node-alignment": [("66", "65.900000", A), ("51", "50.604710", A), ("19.70", "19.732034", W)],
    "tree-edit-distance": [("64", "63.700000", A), ("26", "25.462963", W), ("17.44", "17.415730", W)],
    "parallel-graph-traversal": [("71", "71.500000", A), ("57", "57.339450", A), ("12.80", "12.769418", W)],
    "predicate-matching": [("70", "70.400000", A), ("54", "54.372197", A), ("13.64", "13.619632", W)],
}


@pytest.mark.parametrize("run", SOLOVYEV)
def test_solovyev_table_3(cells, run):
    found = [cells["solovyev-table-3", run, measure] for measure in ("accuracy", "f@0.5", "e@2")]
    assert [(cell.published, cell.computed, cell.verdict) for cell in found] == SOLOVYEV[run]


def test_solovyev_table_3_by_verdict(cells):
    verdicts = [cell.verdict for (table, *_), cell in cells.items() if table == "solovyev-table-3"]
    assert [verdicts.count(verdict) for verdict in (A, W, X)] == [9, 5, 10]


def test_solovyev_table_3_says_why(cells):
    why = cells["solovyev-table-3", "word-overlap", "f@0.5"].why
    assert "49.70 to 49.97" in why
    assert "tn 43.9 + fp 17.7 = 61.6, not 64.2" in why and "fn 20.3 + tp 18.1 = 38.4, not 35.8" in why
    assert "71.5 exactly" in cells["solovyev-table-3", "parallel-graph-traversal", "accuracy"].why
    for (table, run, _), cell in cells.items():
        sums = table == "solovyev-table-3" and cell.verdict == X and run not in ("reject-all", "accept-all")
        assert ("not 64.2" in cell.why) == sums


def test_solovyev_table_3_trivial_runs_follow_from_another_share():
    """What the note in fidelity.md says: 34.95 % right pairs give all six figures."""
    right = Fraction("34.95")
    none, all_ = {"tp": right, "fp": 100 - right}, {"tp": Fraction(0), "fp": Fraction(0)}
    rows = {
        "reject-all": all_ | {"fn": right, "tn": 100 - right},
        "accept-all": none | {"fn": Fraction(0), "tn": Fraction(0)},
    }
    assert {
        run: [
            fidelity.rounded(100 * fidelity.value_of(measures.get("validation", id), counts), places)
            for id, places in (("accuracy", 0), ("f@0.5", 0), ("e@2", 2))
        ]
        for run, counts in rows.items()
    } == {"reject-all": ["65", "0", "15.19"], "accept-all": ["35", "40", "55.37"]}


def test_penas_and_rodrigo_table_2_relative_difference():
    """(iii) = (i)/(ii); for UF only before (i) and (ii) were rounded: 0.17/0.48 = 0.3542 is printed as 0.3512."""
    cells = fidelity.cells_of(*published.QUOTIENTS, PUBLISHED, Path())
    assert [(cell.run, cell.published, cell.rounded, cell.verdict) for cell in cells] == [
        ("uf", "0.3512", "0.3542", W),
        ("c@1", "0.1169", "0.1169", A),
        ("accuracy", "0.1324", "0.1324", A),
    ]
    # 0.165 / 0.485 and 0.175 / 0.475
    assert cells[0].why.endswith("give 0.340206 to 0.368421")


@pytest.mark.parametrize("table", published.TABLES, ids=lambda table: table.name)
def test_the_campaigns_have_the_published_counts(table):
    with (HOME / "resources" / table.name / "counts.csv").open() as file:
        rows = list(csv.DictReader(file))
    wanted = ["run", *table.counts]
    assert rows == [{name: row[name] for name in wanted} for row in rows_of(table.name, PUBLISHED)]


@pytest.mark.parametrize(
    ("value", "places", "text"),
    [
        ("0.5", 0, "1"),
        ("0.49", 0, "0"),
        ("2.675", 2, "2.68"),
        ("1.005", 2, "1.01"),
        ("-0.5", 0, "-1"),
        ("-0.1", 0, "0"),
        ("9.996", 2, "10.00"),
    ],
)
def test_rounding_is_of_the_decimals_not_of_the_float(value, places, text):
    """round(2.675, 2) is 2.67 in floats."""
    assert fidelity.rounded(Fraction(value), places) == text


@pytest.mark.parametrize(
    ("published", "value", "low", "high", "verdict"),
    [
        ("71", "71.49", "71.4", "71.6", A),
        ("71", "71.5", "71.4", "71.6", A),  # a half goes to either side
        ("72", "71.5", "71.4", "71.6", A),
        ("71", "71.51", "71.4", "71.6", W),
        ("71", "71.6", "71.5", "71.7", W),
        ("71", "71.6", "71.51", "71.7", X),
        ("73", "72.4", "72.3", "72.5", W),
        ("73", "72.4", "72.3", "72.49", X),
        ("73", "72.4", "72.4", "72.4", X),
    ],
)
def test_verdicts_at_the_edges(published, value, low, high, verdict):
    assert fidelity.judged(Fraction(published), Fraction(value), Fraction(low), Fraction(high), 0)[0] == verdict


def test_extremes_over_the_box_are_in_its_corners():
    """No counts within the box, drawn at random, give a value outside of what the corners span."""
    draw = random.Random(1)
    for row in rows_of(published.SOLOVYEV.name, PUBLISHED):
        counts = {name: Fraction(row[name]) for name in published.SOLOVYEV.counts}
        for id in published.SOLOVYEV.measures:
            measure = measures.get("validation", id)
            low, high = fidelity.attainable(published.SOLOVYEV, id, counts)
            assert low < high
            for _ in range(40):
                inside = {k: max(c + Fraction(draw.randint(-50, 50), 1000), Fraction(0)) for k, c in counts.items()}
                value = fidelity.value_of(measure, inside)
                assert value is None or low <= value <= high


def test_results_of_other_counts_are_refused(results, tmp_path):
    score_tables(tmp_path)
    path = tmp_path / "penas-2011-table-3" / "scores" / "c@1.parquet"
    tables.write(pl.read_parquet(path).with_columns(pl.col("value") + 1e-6), path)
    with pytest.raises(ValueError, match="c@1 of icia091ro"):
        fidelity.cells_of(published.PENAS, PUBLISHED, tmp_path)


def test_the_command_writes_tables_and_pages(results, tmp_path):
    table, conclusions = tmp_path / "fidelity.csv", tmp_path / "claims.csv"
    page, data = tmp_path / "fidelity.md", tmp_path / "fidelity.json"
    names = ",".join(table.name for table in [*published.QUOTIENTS, *published.TABLES])
    given = sorted(PUBLISHED.glob("*.csv")), sorted((HOME / "resources/simulation").glob("*.csv"))
    made = {"csv": table, "claims": conclusions, "markdown": page, "data": data}
    report.fidelity([], *given, results=results, tables=names, **made)
    rows = list(csv.DictReader(io.StringIO(table.read_text(encoding="utf-8"))))
    assert len(rows) == 3 + 8 + 24 + 5 and list(rows[0]) == list(Cell._fields)
    text = page.read_text(encoding="utf-8")
    for sentence in (
        "Of 3 figures 2 agree, 1 are within rounding.",
        "Of 8 figures 8 agree.",
        "Of 5 figures 5 agree.",
        "Of 24 figures 9 agree, 5 are within rounding, 10 contradict their row.",
    ):
        assert sentence in text
    assert all(len(line.split("|")) in (8, 7, 6) for line in text.splitlines() if line.startswith("|"))
    claimed = list(csv.DictReader(io.StringIO(conclusions.read_text(encoding="utf-8"))))
    assert [row["claim"] for row in claimed] == [claim.sentence for claim in claims.all_claims()]
    assert all(legible.markdown(row["evidence"]) in text for row in claimed)
    assert text.count(" ≠ |") == 2 * 6  # the rows of the six algorithms have other sums than that of the first run
    topics = blocks.read_topics(data).values()
    headings = [line.removeprefix("## ") for line in text.splitlines() if line.startswith("## ")]
    assert headings == [legible.markdown(topic.heading) for topic in topics]
    found = [table for topic in topics for table in topic.tables]
    assert sum(len(table.rows) for table in found if table.csv == "fidelity") == len(rows)
    assert sum(len(table.rows) for table in found if table.csv == "claims") == len(claimed)
