"""What the sources conclude: each verdict follows from figures, and moves with them."""

import csv
import io
import shutil

import pytest
from conftest import HOME
from nonresponse.pages import claims, fidelity
from nonresponse.pages.claims import (
    AS_CORRECTED,
    AS_PRINTED,
    FAILS,
    HOLDS,
    TOLD,
    UNTESTED,
    Checked,
    Data,
    Found,
    Simulated,
)

PUBLISHED, SIMULATION = HOME / "resources/published", HOME / "resources/simulation"
SHIPPED = Data(PUBLISHED, SIMULATION)
TREC, RESPUBLIQA = "trec-2002-simulated", "respubliqa-2009-simulated"


def row_of(data: Data, start: str) -> Checked:
    """The claim whose sentence begins so, checked without the others."""
    own = [claim for claim in claims.all_claims() if claim.sentence.startswith(start)]
    with pytest.MonkeyPatch.context() as alone:
        alone.setattr(claims, "all_claims", lambda: own)
        [row] = claims.checked(data)
    return row


@pytest.mark.parametrize(
    ("printed", "computed", "expected"),
    [
        (True, True, HOLDS),
        (False, True, AS_CORRECTED),
        (None, True, HOLDS),
        (True, False, AS_PRINTED),
        (False, False, FAILS),
        (None, False, FAILS),
        (True, None, HOLDS),
        (False, None, FAILS),
    ],
)
def test_the_verdict_follows_from_what_was_found(printed, computed, expected):
    assert str(claims.verdict(Found("", printed, computed))) == expected
    tried = Simulated(8, 19, "nineteen")
    assert str(claims.verdict(Found("", printed, computed, tried))) == f"{expected}; in simulation: 8 of 19"


def test_what_only_simulated_campaigns_tell_neither_holds_nor_fails():
    for true in (0, 8, 19):
        assert str(claims.verdict(Found("", simulated=Simulated(true, 19, "")))) == f"in simulation: {true} of 19"


# Claims that are not tested on simulated campaigns: the verdict, and figures that the evidence has to contain.
ALONE = {
    "Measure (2), n_ac/n": (HOLDS, "all 231 systems"),
    "With P(C/¬A) constantly": (AS_CORRECTED, "with P(C/A) for 200, with P(¬C/¬A), as in section 3.3, for 0"),
    "A system that answers all questions": (HOLDS, ""),
    "A system that returns no answer": (HOLDS, ": 0"),
    "With P(C/¬A) = 1": (HOLDS, ": 1"),
    "With P(C/¬A) = 0.5": (HOLDS, "adds 0.1"),
    "With P(C/¬A) = P(C/A)": (HOLDS, "1; c@1: 0.0040"),
    "With P(C/¬A) = P(¬C/A)": (HOLDS, "0.998; almost: above 0.99"),
    "In formula (6)": (AS_CORRECTED, "229 differ with the product as printed, 0 with +"),
    "c@1 tells systems apart": (HOLDS, "0.103 and 0.002, 0.058 and -0.004 by the counts; apart in the one"),
    "Together with MRR": (HOLDS, "lowers accuracy of 0, mrr of 0, c@1 of 190; one right answer more raises"),
    "CWS is given almost completely": (
        FAILS,
        "first tenth carries 33%, the first half 85%; almost all is read as 90% by the first tenth, and the first 295",
    ),
    "Questions at the bottom": (HOLDS, "0.5%; hardly: less than 1%"),
    "A system whose confidences": (HOLDS, ": 0"),
    "A positive K1": (HOLDS, "0.23"),
    "Most systems of TREC and CLEF": (UNTESTED, "no results"),
    "exactanswer answered": (HOLDS, "are 19"),
    "exactanswer has": (HOLDS, "0.691 and 0.610"),
    "1,886 of": (HOLDS, "11.83 %"),
    "There was some": (HOLDS, "1886 of 3725 are 50.6%; half: less than 5% away"),
    "Rankings agree less": (HOLDS, "0.930 and 0.945, earlier 0.956 and 0.967"),
    "“The confidence-weighted score is much": (HOLDS, "by 0.0136 at rank 1, 0.0014 at rank 250, 0.000004 at rank 500"),
    "By that, “the pris2002": (HOLDS, "up to 0.022 and 0.016, the runs of table 1 next to them by 0.076 or more; 0.07"),
    "But for the best run": (UNTESTED, "NIL accuracy are lost"),
    "A system that gives a wrong": (HOLDS, "of 186 questions, one from 1 to 0.995, 93 to 0.5"),
    "A system that gives no": (HOLDS, "beside 186 right ones, one from 1 to 0.995, all 60 to 0.76"),
    "ROMIP's official": (HOLDS, "0 in all five"),
    "Validation lowered": (HOLDS, "a is 5 of 60, wrong decisions are 144 to 146 of 246; with it a is 3 of 60, wrong"),
    "F0.5 and E2.0 agree": (HOLDS, "of all 15 pairs of runs the two order 4 otherwise"),
    "Tree edit distance": (HOLDS, "by the counts: word-overlap, relation-overlap, tree-node-alignment"),
    "Relation overlap": (AS_PRINTED, "as printed 14.75 and 15.19; by the counts 16.10 and 15.67"),
    "E2.0 makes rejecting": (HOLDS, "place 4 of 8 as printed, 3 of 8 by the counts"),
    "With ever more true negatives": (HOLDS, "F 0.5437"),
    "The integral": (HOLDS, "10.0000000000"),
    "The values from -15": (HOLDS, "10.000"),
    "AUC is between": (AS_CORRECTED, "as printed, 1.1; up to E - 1, as auc@10, 1"),
    "AUC is the mean": (AS_CORRECTED, "11 differ"),
    "For an integral": (HOLDS, "E = 10"),
    "With one response": (HOLDS, "not so of 150"),
}


def test_claims_on_what_is_printed_and_on_formulas():
    rows = [row for row in claims.checked(SHIPPED) if not row.verdict.simulated]
    assert len(rows) == len(ALONE)
    for row in rows:
        [(verdict, evidence)] = [found for start, found in ALONE.items() if row.claim.startswith(start)]
        assert str(row.verdict) == verdict and evidence in row.evidence, row
        assert row.place and row.source
        parts = {"the source as printed", "the formulas"} & {*row.tested_on.split(" and ")}
        assert bool(parts) == (row.verdict.told != UNTESTED), row
    silence = row_of(SHIPPED, "Validation lowered").evidence
    assert "silence on every question has E 24.4 %" in silence


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
        ("E2.0 makes rejecting", "solovyev-table-3.csv", "65,0,15.19", "65,0,99.99", AS_CORRECTED),
        ("Validation lowered", "solovyev-romip-facts.csv", "in percent,8", "in percent,9", FAILS),  # of 60, 8.3 or 10
        (
            "exactanswer answered",
            "voorhees-2003-facts.csv",
            "pris2002 in percent,58.0",
            "pris2002 in percent,58.2",
            FAILS,
        ),
        ("c@1 tells systems", "penas-2011-table-3.csv", "237,156,107", "237,263,0", AS_PRINTED),
        ("exactanswer has", "voorhees-2003-table-1.csv", "pris2002,0.610", "pris2002,0.700", FAILS),
        ("By that, “the pris2002", "voorhees-2003-table-1.csv", "exactanswer,0.691", "exactanswer,0.679", FAILS),
        ("By that, “the pris2002", "voorhees-2003-table-1.csv", "ali2002b,0.496", "ali2002b,0.442", FAILS),
        ("1,886 of", "voorhees-2003-facts.csv", "disagreement,1886", "disagreement,1896", FAILS),
        ("There was some", "voorhees-2003-facts.csv", "call wrong,3725", "call wrong,4725", FAILS),
        ("Rankings agree less", "voorhees-2003-facts.csv", "correct),0.945", "correct),0.965", FAILS),
        ("The values from -15", "deft-2011-table-1.csv", "9,0.078", "9,0.079", FAILS),
    ],
)
def test_a_verdict_moves_with_the_published_figures(tmp_path, start, name, old, new, verdict):
    published = changed(tmp_path / "published", name, old, new)
    assert row_of(Data(published, SIMULATION), start).verdict.told == verdict


# Claims that are tested on simulated campaigns: figures of one for which they are true, and of one for which they are
# not.
OF = {"c@1": 0.1, "accuracy": 0.1, "uf": 0.18}


def by_measure(figure: str, values: dict[str, float]) -> dict[str, float]:
    return {f"{id} {figure}": value for id, value in values.items()}


RELATIVE = by_measure("required_difference", OF) | by_measure("relative_difference", OF | {"uf": 0.15})
SWAPPED = {"swaps": 180, "swaps_005": 4, "swaps_007": 0}
TRIED = {
    "P(C/¬A) is estimated": (
        RESPUBLIQA,
        by_measure("distance", {"c@1": 0.17, "uf_half": 0.34, "accuracy": 0.16}),
        by_measure("distance", {"c@1": 0.34, "uf_half": 0.34, "accuracy": 0.16}),
    ),
    "Systems do not choose": (
        RESPUBLIQA,
        {"right of withheld": 0.1, "right of answers": 0.4},
        {"right of withheld": 0.5, "right of answers": 0.4},
    ),
    "“There is a consistent": (RESPUBLIQA, {"falling curves": 3}, {"falling curves": 2}),
    "The curves of accuracy": (
        RESPUBLIQA,
        by_measure("mean error rate", {"c@1": 0.02, "accuracy": 0.03}),
        by_measure("mean error rate", {"c@1": 0.03, "accuracy": 0.03}),
    ),
    "“The three measures": (RESPUBLIQA, {"largest error rate": 0.05}, {"largest error rate": 0.051}),
    "c@1 and accuracy have": (
        RESPUBLIQA,
        {"ties": 0.04} | by_measure("error rate", {"c@1": 0.02, "accuracy": 0.03, "uf": 0.04}),
        {"ties": 0.04} | by_measure("error rate", {"c@1": 0.02, "accuracy": 0.03, "uf": 0.03}),
    ),
    "UF takes a higher": (
        RESPUBLIQA,
        by_measure("required_difference", OF),
        by_measure("required_difference", OF | {"accuracy": 0.18}),
    ),
    "The relative difference": (RESPUBLIQA, RELATIVE, RELATIVE | {"uf relative_difference": 0.45}),
    "UF and c@1 are about": (
        RESPUBLIQA,
        by_measure("sensitivity", {"uf": 0.6, "c@1": 0.6, "accuracy": 0.5}),
        by_measure("sensitivity", {"uf": 0.6, "c@1": 0.5, "accuracy": 0.5}),
    ),
    "RRX and RXX": (TREC, {"patterns": "RXX RRX", "RRX and RXX": 0.36}, {"patterns": "RXX RRX", "RRX and RXX": 0.4}),
    "Rankings by the number": (TREC, {"cws tau": 0.93, "accuracy tau": 0.95}, {"cws tau": 0.95, "accuracy tau": 0.95}),
    "Correlations are": (
        TREC,
        {"cws tau": 0.93, "cws tau of assessors": 0.9},
        {"cws tau": 0.93, "cws tau of assessors": 0.94},
    ),
    "Both ways": (TREC, {"cws tau": 0.91, "accuracy tau": 0.95}, {"cws tau": 0.93, "accuracy tau": 0.9}),
    "“The vast majority": (TREC, SWAPPED, SWAPPED | {"swaps_007": 1}),
    "At 500 questions the error": (TREC, {"error rate": 0.083}, {"error rate": 0.157}),
    "At 500 questions a diff": (TREC, {"required difference": 0.07}, {"required difference": 0.09}),
}
PRINTED = {  # claims for which the printed figures decide, too
    "UF takes a higher": HOLDS,
    "The relative difference": FAILS,
    "UF and c@1 are about": HOLDS,
    "Rankings by the number": HOLDS,
    "Both ways": HOLDS,
    "“The vast majority": HOLDS,
}
NO_EVIDENCE = {*PRINTED, "RRX and RXX", "Systems do not choose", "Correlations are"}  # the model was made to give it


def drawn(folder, name: str, rows: list[dict]) -> Data:
    """The shipped parameters, and simulated campaigns with these figures."""
    shutil.copytree(SIMULATION, folder, copy_function=shutil.copyfile)
    with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, ["seed", *rows[0]])
        writer.writeheader()
        writer.writerows({"seed": 2011 + place} | row for place, row in enumerate(rows))
    return Data(PUBLISHED, folder)


@pytest.mark.parametrize("start", TRIED)
def test_simulated_campaigns_are_counted(tmp_path, start):
    name, true, false = TRIED[start]
    undefined = dict.fromkeys(true, "") | {key: value for key, value in true.items() if key in claims.TEXTS}
    row = row_of(drawn(tmp_path / "drawn", name, [true, false, true, undefined, false]), start)
    told = [PRINTED[start]] if start in PRINTED else []
    assert str(row.verdict) == "; ".join([*told, "in simulation: 2 of 5"])
    runs = {RESPUBLIQA: 44, TREC: 60}[name]
    assert f"5 simulated campaigns of {runs} runs and 500 questions, seeds 2011 to 2015" in row.tested_on
    assert ("no evidence, since" in row.evidence) == (start in NO_EVIDENCE)


def test_every_claim_on_lost_data_is_tried_on_a_hundred_campaigns():
    rows = [row for row in claims.checked(SHIPPED) if row.verdict.simulated]
    assert len(rows) == len(TRIED)
    for row in rows:
        assert str(row.verdict).endswith(" of 100") and "100 simulated campaigns" in row.tested_on, row
        assert "in the one that is shipped" in row.evidence
    assert len(SHIPPED.drawn(RESPUBLIQA)) == len(SHIPPED.drawn(TREC)) == 100


def test_the_table_and_the_page_have_every_claim():
    rows = claims.checked(SHIPPED)
    read = list(csv.DictReader(io.StringIO(fidelity.as_csv(Checked._fields, rows))))
    assert [tuple(row.values()) for row in read] == [tuple(map(str, row)) for row in rows]
    topics = claims.topics(rows)
    assert [topic.heading for topic in topics] == [
        f"What {name} concludes" for name in dict.fromkeys(row.source for row in rows)
    ]
    assert sum(len(topic.tables[0].cells) for topic in topics) == len(rows) == len(claims.all_claims())
    for topic in topics:
        counted = topic.sentences[-1]
        verdicts = [cells[3].replace(":", ";").split(";")[0] for cells in topic.tables[0].cells]
        assert {*verdicts} <= {*TOLD}
        for word in TOLD:
            assert (f"{verdicts.count(word)} “{word}”" in counted) == (word in verdicts)
