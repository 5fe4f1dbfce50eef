"""Files of TREC, CLEF, AVE, ROMIP and DEFT: what they are taken for, and that the block runs as it is."""

import json
import shutil
from pathlib import Path

import looked
import pytest
from conftest import HOME
from format_samples import SAMPLES
from nonresponse import formats
from quick import first_of_each
from reading import write

SHIPPED = {
    "trec-2002-simulated": "trec-qa",
    "respubliqa-2009-simulated": "clef-respubliqa",
    "deft-2011-dating-simulated": "deft",
    "deft-2011-matching-simulated": "deft",
}
RANKED = "1 Q0 d1 1 0.9 tag Paris\n1 Q0 d2 2 0.4 tag Rome\n2 Q0 d3 1 0.7 tag Oslo\n"
LINES = "1 1 YES\n1 2 NO\n2 1 UNKNOWN\n"
XML = '<references><doc id="a"><hypothesis label="x"/></doc><doc id="b"><hypothesis label="y"/></doc></references>'
CONFIDENT = XML.replace('"/>', '" confidence="1"/>')
# Further forms of formats: a run, and judgments.
FORMS = {
    "trec-qa": (("run.txt", RANKED), ("final.txt", "1 d1 1 Paris\n1 d2 -1 Rome\n2 d3 R Oslo\n")),
    "ave": (("run", "1 1 SELECTED\n1 2 REJECTED\n2 1 VALIDATED\n"), ("gold.txt", LINES)),
    "deft": (("run.xml", CONFIDENT), ("reference.xml", XML)),
}
# What is judged beside the samples, of which some leave a question out.
MORE = {
    "trec-qa": lambda gold: f"{gold}1395 APW3 -1 nowhere\n",
    "clef-qa4mre": lambda gold: gold.replace(
        "</reading-test>", '<q q_id="2"><answer a_id="1" correct="Yes"/></q></reading-test>'
    ),
    "romip": lambda gold: f"{gold}q2\t1962\tbad\n",
}
CASES = [
    (format, run, (gold[0], MORE.get(format, str)(gold[1])))
    for format, (_, run, gold) in SAMPLES.items()
    if format not in ("tabular", "pan")
]
CASES += [(format, run, gold) for format, (run, gold) in FORMS.items()]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path


@pytest.mark.parametrize(("format", "run", "gold"), CASES, ids=[f"{case[0]}-{case[1][0]}" for case in CASES])
def test_the_block_runs_as_it_is(folder, format, run, gold):
    for part, (name, text) in (("runs", run), ("judged", gold)):
        write("raw", f"{part}/{name}", text)
    made, found, text = looked.looked_at("raw")
    assert found == [] and len(made) == 1, text
    [campaign] = made
    assert (campaign.written["runs"]["format"], campaign.written["judgments"]["format"]) == (format, format)
    [result] = looked.run(made, folder).values()
    rows = json.loads(result)
    assert {row["run"] for row in rows} - {"accept-all", "reject-all"} and {row["raw"] for row in rows} - {"unscored"}


@pytest.mark.parametrize("name", first_of_each(lambda name: "one of them", sorted(SHIPPED)))
def test_the_block_for_shipped_campaigns_runs_as_it_is(folder, name):
    """Of three runs each; the table of questions, which judges nothing, is left out and named."""
    source = HOME / "resources" / name
    for run in sorted((source / "runs").iterdir())[:3]:
        (folder / "here/raw/runs").mkdir(parents=True, exist_ok=True)
        shutil.copy(run, folder / "here/raw/runs")
    [judged] = [part for part in source.iterdir() if part.name in ("judgments", "references")]
    shutil.copytree(judged, folder / "here/raw" / judged.name)
    made, found, text = looked.looked_at("raw")
    assert found == [] and len(made) == 1, text
    assert made[0].written["runs"]["format"] == SHIPPED[name]
    [result] = looked.run(made, folder).values()
    assert len({row["run"] for row in json.loads(result)}) == 3


def test_every_format_is_told_by_some_sample():
    assert {case[0] for case in CASES} | {"tabular", "pan"} == set(formats.FORMATS)


def test_runs_without_judgments_are_refused_with_a_reason():
    write("raw", "run.txt", SAMPLES["trec-qa"][1][1])
    made, [fault], _ = looked.looked_at("raw")
    assert made == [] and "the tag runA" in fault.found and "beside them" in fault.expected


def test_text_is_none_of_them():
    write("raw", "notes.txt", "Dear all,\nthe runs of this year are here.\nThe judgments will follow soon.\n")
    made, [fault], _ = looked.looked_at("raw")
    assert made == [] and "the tag" not in fault.found


def test_which_of_two_deft_files_is_the_reference_is_said():
    write("raw", "runs/a.tsv", "question\tyear\nf1\t1850\n")
    write("raw", "references/b.tsv", "question\tyear\nf1\t1850\n")
    made, found, text = looked.looked_at("raw")
    assert found == [] and made[0].written["judgments"]["files"] == "raw/references/b.tsv"
    assert "whether it holds answers of a run or the right ones" in text
