"""What the sources conclude: each verdict follows from figures, and moves with them."""

import csv
import io
import shutil

import polars as pl
import pytest
from conftest import HOME
from nonresponse import tables
from nonresponse.pages import claims
from nonresponse.pages.claims import AS_PRINTED, FAILS, HOLDS, UNTESTED, Checked, Data, Found

PUBLISHED = HOME / "resources/published"
READ = sorted({file for claim in claims.known() for file in claim.reads})
TREC, RESPUBLIQA = "trec-2002-simulated", "respubliqa-2009-simulated"


def written(folder, results: dict[str, pl.DataFrame], published=PUBLISHED) -> Data:
    """Data with these results."""
    for file, table in results.items():
        path = folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".csv":
            path.write_text(table.write_csv())
        else:
            tables.write(table, path)
    return Data(published, folder, frozenset(results))


def row_of(data: Data, start: str, simulated=(TREC, RESPUBLIQA)) -> Checked:
    """The claim whose sentence begins so, checked without the others."""
    own = [claim for claim in claims.known() if claim.sentence.startswith(start)]
    with pytest.MonkeyPatch.context() as alone:
        alone.setattr(claims, "known", lambda: own)
        [row] = claims.checked(data, list(simulated))
    return row


@pytest.mark.parametrize(
    ("printed", "computed", "expected"),
    [
        (True, True, HOLDS),
        (False, True, HOLDS),
        (None, True, HOLDS),
        (True, False, AS_PRINTED),
        (False, False, FAILS),
        (None, False, FAILS),
        (True, None, HOLDS),
        (False, None, FAILS),
    ],
)
def test_the_verdict_follows_from_what_was_found(printed, computed, expected):
    assert claims.verdict(Found("", printed, computed)) == expected


# Claims that need no results: the verdict, and the figures that have to be among the evidence.
ALONE = {
    "A system that answers all questions": (HOLDS, ""),
    "A system that returns no answer": (HOLDS, ": 0"),
    "With P(C/¬A) = 1": (HOLDS, ": 1"),
    "With P(C/¬A) = 0.5": (HOLDS, "adds 0.1"),
    "With P(C/¬A) = P(C/A)": (HOLDS, "1; c@1: 0.0040"),
    "With P(C/¬A) = P(¬C/A)": (HOLDS, "0.998"),
    "c@1 tells systems apart": (HOLDS, "0.103 and 0.002, 0.058 and -0.004 by the counts"),
    "CWS is given almost completely": (FAILS, "first tenth carries 33%, the first half 85%"),
    "Questions at the bottom": (HOLDS, "0.5%"),
    "A system whose self-scores": (HOLDS, ": 0"),
    "A positive K1": (HOLDS, "0.23"),
    "Most systems of TREC and CLEF": (UNTESTED, "no results"),
    "exactanswer": (HOLDS, "are 19"),
    "177 pairs": (FAILS, "58 runs give 0.9286, 59 give 0.9310"),
    "The pris2002": (UNTESTED, "table 1 is lost"),
    "But for the best run": (UNTESTED, "table 1 is lost"),
    "ROMIP's official": (HOLDS, "0 in all five"),
    "Validation lowered": (HOLDS, "a is 5 of 60, wrong decisions are 144 to 146 of 246; with it a is 3 of 60, wrong"),
    "Tree edit distance": (HOLDS, "by the counts: word-overlap, relation-overlap, tree-node-alignment"),
    "Relation overlap": (AS_PRINTED, "as printed 14.75 and 15.19; by the counts 16.10 and 15.67"),
    "E2.0 makes rejecting": (HOLDS, "place 4 of 8 as printed, 3 of 8 by the counts"),
    "With ever more true negatives": (HOLDS, "F 0.5437"),
    "The integral": (HOLDS, "10.0000000000"),
    "The values from -15": (HOLDS, "10.000"),
    "AUC is between": (HOLDS, "as printed, 1.1; up to E - 1, as auc@10, 1"),
    "AUC is the mean": (HOLDS, "11 differ"),
    "For an integral": (HOLDS, "E = 10"),
    "With one response": (HOLDS, "not so of 150"),
}


def test_claims_on_what_is_printed_and_on_formulas(tmp_path):
    rows = claims.checked(Data(PUBLISHED, tmp_path), [])
    alone = [(claim, row) for claim, row in zip(claims.known(), rows, strict=True) if not claim.reads]
    assert len(alone) == len(ALONE)
    for _, row in alone:
        [(verdict, evidence)] = [found for start, found in ALONE.items() if row.claim.startswith(start)]
        assert row.verdict == verdict and evidence in row.evidence, row
    silence = row_of(Data(PUBLISHED, tmp_path), "Validation lowered").evidence
    assert "silence on every question has E 24.4 %" in silence


def test_what_is_not_evaluated_here_cannot_be_tested_and_says_so(tmp_path):
    rows = claims.checked(Data(PUBLISHED, tmp_path), [])
    for claim, row in zip(claims.known(), rows, strict=True):
        if claim.reads:
            assert row.verdict == UNTESTED
            assert any(row.evidence == f"campaign {f.replace('/', ' has no ', 1)} here" for f in claim.reads), row
        assert row.evidence and row.place and row.source
        assert "source as printed" in row.tested_on or row.verdict == UNTESTED or claim.reads or row.tested_on


COLUMNS = {
    "counts.parquet": ["n_ac", "n_aw", "n_u", "n_ur", "n_uw"],
    "sensitivity.csv": ["measure", "required_difference", "relative_difference", "sensitivity"],
    "rankings.csv": ["compared", "measure", "a", "b", "tau", "swaps", "swaps_005", "swaps_007"],
    "estimates.csv": ["estimate", "distance"],
    "agreement.csv": ["scale", "statistic", "value"],
    "agreement_patterns.csv": ["pattern", "items", "share_of_disagreements"],
    "sample_size.csv": ["measure", "voorhees_required_difference"],
    "sample_size/cws.parquet": ["lower", "size", "fitted"],
    **{f"stability/{id}.parquet": ["ties", "error_rate"] for id in ("c@1", "accuracy", "uf")},
}


@pytest.mark.parametrize("rows", [0, 1])
def test_results_without_rows_or_values_are_no_evidence(tmp_path, rows):
    """Analyses of a campaign of one run leave such tables."""
    results = {}
    for file in READ:
        [columns] = [columns for ending, columns in COLUMNS.items() if file.endswith(f"/{ending}")]
        words = dict.fromkeys(set(columns) & set(claims.TEXTS), pl.String)
        schema = {name: words.get(name, pl.Float64) for name in columns}
        results[file] = pl.DataFrame([dict.fromkeys(columns)] * rows, schema)
    data = written(tmp_path, results)
    for claim, row in zip(claims.known(), claims.checked(data, []), strict=True):
        if claim.reads:
            assert row.verdict == UNTESTED, row


def changed(folder, name: str, old: str, new: str):
    """The published tables with one figure changed."""
    shutil.copytree(PUBLISHED, folder, copy_function=shutil.copyfile)
    text = (folder / name).read_text(encoding="utf-8")
    assert text.count(old) == 1
    (folder / name).write_text(text.replace(old, new), encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("start", "name", "old", "new", "verdict"),
    [
        ("Relation overlap", "solovyev-table-3.csv", "43,14.75", "43,15.75", FAILS),
        ("Relation overlap", "solovyev-table-3.csv", "31.8,59.2,6.1,2.9,", "30.0,59.2,7.9,2.9,", HOLDS),
        ("Tree edit distance", "solovyev-table-3.csv", "32.3,60.4,3.3,4.0,", "22.3,60.4,13.3,4.0,", AS_PRINTED),
        ("E2.0 makes rejecting", "solovyev-table-3.csv", "65,0,15.19", "65,0,99.99", HOLDS),
        ("Validation lowered", "solovyev-romip-facts.csv", "in percent,8", "in percent,9", FAILS),  # of 60, 8.3 or 10
        ("177 pairs", "voorhees-2003-facts.csv", "score),177", "score),174", HOLDS),  # 58 runs
        ("exactanswer", "voorhees-2003-facts.csv", "pris2002 in percent,58.0", "pris2002 in percent,58.2", FAILS),
        ("c@1 tells systems", "penas-2011-table-3.csv", "237,156,107", "237,263,0", AS_PRINTED),
        ("The values from -15", "deft-2011-table-1.csv", "9,0.078", "9,0.079", FAILS),
    ],
)
def test_a_verdict_moves_with_the_published_figures(tmp_path, start, name, old, new, verdict):
    published = changed(tmp_path / "published", name, old, new)
    assert row_of(Data(published, tmp_path), start).verdict == verdict


SENSITIVITY = {
    "measure": ["c@1", "accuracy", "uf"],
    "required_difference": [0.1, 0.1, 0.18],
    "relative_difference": [0.14, 0.143, 0.45],
    "sensitivity": [0.592, 0.601, 0.598],
    "warning": ["", "the swap rate exceeds 0.05 again at 0.03", ""],  # a column of words that no claim asks for
}
RANKING = {"compared": "assessors", "swaps": 60, "swaps_005": 0, "swaps_007": 0}
PAIRS = [("adjudicated", "1"), ("adjudicated", "2"), ("1", "2")]


def rankings(cws: list[float], accuracy: list[float], **more) -> pl.DataFrame:
    rows = [
        RANKING | {"measure": measure, "a": a, "b": b, "tau": tau} | more
        for measure, taus in (("cws", cws), ("accuracy", accuracy))
        for (a, b), tau in zip(PAIRS, taus, strict=True)
    ]
    return pl.DataFrame(rows)


COUNTED = {"n_ac": [4], "n_aw": [6], "n_u": [10]}
PATTERNS = {"pattern": ["RRX", "RXX", "RRU"], "items": [9, 8, 7], "share_of_disagreements": [0.2, 0.14, 0.1]}
CURVES = {"lower": [0.05, 0.05], "size": [250, 500]}
ESTIMATES = {"estimate": ["accuracy", "uf_half", "c@1"], "distance": [0.16, 0.34, 0.17]}
SIMULATED = [
    ("P(C/¬A) is estimated", "estimates.csv", ESTIMATES, HOLDS),
    ("P(C/¬A) is estimated", "estimates.csv", ESTIMATES | {"distance": [0.16, 0.14, 0.17]}, FAILS),
    ("UF takes a higher", "sensitivity.csv", SENSITIVITY, HOLDS),
    ("UF takes a higher", "sensitivity.csv", SENSITIVITY | {"required_difference": [0.1, 0.2, 0.18]}, AS_PRINTED),
    ("The relative difference", "sensitivity.csv", SENSITIVITY, FAILS),
    ("The relative difference", "sensitivity.csv", SENSITIVITY | {"relative_difference": [0.3, 0.3, 0.3]}, HOLDS),
    ("UF and c@1 are about", "sensitivity.csv", SENSITIVITY, AS_PRINTED),
    ("UF and c@1 are about", "sensitivity.csv", SENSITIVITY | {"sensitivity": [0.6, 0.5, 0.6]}, HOLDS),
    ("UF and c@1 are about", "sensitivity.csv", {k: v[:2] for k, v in SENSITIVITY.items()}, UNTESTED),  # without uf
    ("Systems do not choose", "counts.parquet", COUNTED | {"n_ur": [1], "n_uw": [9]}, HOLDS),
    ("Systems do not choose", "counts.parquet", COUNTED | {"n_ur": [5], "n_uw": [5]}, FAILS),
    ("Systems do not choose", "counts.parquet", COUNTED | {"n_ur": [0], "n_uw": [0]}, UNTESTED),
    ("Rankings agree less", "rankings.csv", rankings([0.93, 0.94, 0.9], [0.95, 0.95, 0.95]), HOLDS),
    ("Rankings agree less", "rankings.csv", rankings([0.97, 0.98, 0.9], [0.95, 0.95, 0.95]), AS_PRINTED),
    ("Rankings by the number", "rankings.csv", rankings([0.93, 0.94, 0.9], [0.95, 0.95, 0.1]), HOLDS),
    ("Rankings by the number", "rankings.csv", rankings([0.93, 0.96, 0.9], [0.94, 0.94, 1.0]), AS_PRINTED),
    ("Correlations are", "rankings.csv", rankings([0.93, 0.93, 0.9], [0, 0, 0]), HOLDS),
    ("Correlations are", "rankings.csv", rankings([0.93, 0.93, 0.94], [0, 0, 0]), FAILS),
    ("Both ways", "rankings.csv", rankings([0.91, 0.93, 0.1], [0.95, 0.95, 0.1]), HOLDS),
    ("Both ways", "rankings.csv", rankings([0.88, 0.9, 0.99], [0.95, 0.95, 0.99]), AS_PRINTED),
    ("Swapped runs", "rankings.csv", rankings([1, 1, 1], [1, 1, 1], swaps_005=2), HOLDS),
    ("Swapped runs", "rankings.csv", rankings([1, 1, 1], [1, 1, 1], swaps_007=1), FAILS),
    ("Swapped runs", "rankings.csv", rankings([1, 1, 1], [1, 1, 1], swaps=0), UNTESTED),
    ("RRX and RXX", "agreement_patterns.csv", PATTERNS, HOLDS),
    ("RRX and RXX", "agreement_patterns.csv", PATTERNS | {"items": [9, 3, 7]}, FAILS),
    ("At 500 questions the error", "sample_size/cws.parquet", CURVES | {"fitted": [0.3, 0.157]}, FAILS),
    ("At 500 questions the error", "sample_size/cws.parquet", CURVES | {"fitted": [0.3, 0.083]}, HOLDS),
    ("At 500 questions a diff", "sample_size.csv", {"measure": ["cws"], "voorhees_required_difference": [0.07]}, HOLDS),
    ("At 500 questions a diff", "sample_size.csv", {"measure": ["cws"], "voorhees_required_difference": [0.09]}, FAILS),
]


@pytest.mark.parametrize(("start", "ending", "table", "verdict"), SIMULATED)
def test_a_verdict_moves_with_the_results(tmp_path, start, ending, table, verdict):
    [claim] = [claim for claim in claims.known() if claim.sentence.startswith(start)]
    [file] = [file for file in claim.reads if file.endswith(f"/{ending}")]
    row = row_of(written(tmp_path, {file: pl.DataFrame(table)}), start)
    assert row.verdict == verdict, row
    campaign = file.partition("/")[0]
    assert f"{campaign} (simulated data)" in row.tested_on
    assert (
        f"{campaign} (simulated data)"
        not in row_of(written(tmp_path, {file: pl.DataFrame(table)}), start, ()).tested_on
    )


def test_curves_of_stability(tmp_path):
    files = dict(zip(("c@1", "accuracy", "uf"), [file for file in READ if "/stability/" in file], strict=False))
    assert len([file for file in READ if "/stability/" in file]) == 3
    of = {id: next(file for file in READ if file.endswith(f"/stability/{id}.parquet")) for id in files}
    falling = {"ties": [0.01, 0.02, 0.04], "error_rate": [0.05, 0.04, 0.03]}
    higher = {"ties": [0.01, 0.02, 0.05], "error_rate": [0.06, 0.05, 0.04]}
    results = {of["c@1"]: falling, of["accuracy"]: falling, of["uf"]: higher}
    data = written(tmp_path, {file: pl.DataFrame(table) for file, table in results.items()})
    assert row_of(data, "The error rate of each").verdict == HOLDS
    assert row_of(data, "c@1 and accuracy have").verdict == HOLDS
    results[of["c@1"]] = {"ties": [0.01, 0.02, 0.05], "error_rate": [0.05, 0.06, 0.07]}
    data = written(tmp_path, {file: pl.DataFrame(table) for file, table in results.items()})
    assert row_of(data, "The error rate of each").verdict == FAILS
    assert row_of(data, "c@1 and accuracy have").verdict == FAILS


def test_the_table_and_the_page_have_every_claim(tmp_path):
    rows = claims.checked(Data(PUBLISHED, tmp_path), [])
    read = list(csv.DictReader(io.StringIO(claims.as_csv(rows))))
    assert [tuple(row.values()) for row in read] == rows
    sections = claims.sections(rows)
    assert [section.heading for section in sections] == [f"What {name} concludes" for name in claims.CLAIMS]
    assert sum(len(section.tables[0].cells) for section in sections) == len(rows) == len(claims.known())
    for section in sections:
        counted = section.sentences[-1]
        for word in (HOLDS, AS_PRINTED, FAILS, UNTESTED):
            number = sum(word == cells[3] for cells in section.tables[0].cells)
            assert (f"{number} “{word}”" in counted) == (number > 0)
