"""Test the formats of shared tasks (TREC, PAN, ROMIP, CLEF): rows and faults of each file."""

import gzip
import socket
from collections import Counter
from pathlib import Path

import polars as pl
import pytest
import yaml
from hostile_xml import BOMB, ELSEWHERE, FORBIDDEN, UNKNOWN
from nonresponse.ingest import reading
from reading import DATA, judgments, locate_faults, needs, runs, values, write

TOPIC = '<topic t_id="1"><reading-test r_id="2">\n{}\n</reading-test></topic>'
RUN, GOLD = f'<output run_id="r">\n{TOPIC}</output>', f"<test-set>\n{TOPIC}</test-set>"
READERS = [(runs, "clef-qa4mre"), (judgments, "clef-qa4mre")]
ENDINGS = {"trec-qa": "txt", "pan": "jsonl", "clef-qa4mre": "xml"}  # others are tables
TASK = {"pan": "validation", "deft": "dating"}
FILES = yaml.safe_load((Path(__file__).parent / "shared_tasks.yaml").read_text())


@pytest.mark.parametrize("name", FILES)
def test_what_a_file_says_and_what_is_wrong_with_it(tmp_path, name):
    file = FILES[name]
    part, read, template = ("run", runs, RUN) if "run" in file else ("gold", judgments, GOLD)
    format = file[part]
    text = template.format("\n".join(file.get("inside", [])))
    text = "".join(f"{line}\n" for line in file["lines"]) if "lines" in file else text
    path = write(tmp_path, f"{part}.{ENDINGS.get(format, 'tsv')}", text)
    frame, faults = read(format, path, TASK.get(format, "qa"), **file.get("options", {}))
    assert locate_faults(faults) == sorted(map(tuple, file.get("faults", [])))
    if "columns" in file:
        assert values(frame, *file["columns"].split()) == [*map(tuple, file["rows"])]


@pytest.mark.parametrize("name", ["team7/answers.jsonl", "team7/answers.jsonl.gz", "team7.jsonl"])
def test_a_file_of_pan_called_answers_is_named_by_its_folder(tmp_path, name):
    text = b'{"id": "a", "value": 1}'
    file = write(tmp_path, name, gzip.compress(text) if name.endswith("gz") else text)
    assert runs("pan", file, "validation")[0]["run"].to_list() == ["team7"]


XML = {
    "bomb": (BOMB, (3, FORBIDDEN)),
    "external": (ELSEWHERE, (3, FORBIDDEN)),
    "truncated": ("<output>\n<topic>\n", (3, "broken XML (no element found)")),
    "crossed": ("<output>\n<topic>\n</output>\n", (3, "broken XML (mismatched tag)")),
    "no XML": ("hello\n", (1, "broken XML (syntax error)")),
    "entity": ("<output>\n&name;</output>\n", (2, "broken XML (undefined entity)")),
    "encoding": (UNKNOWN, (1, "XML that cannot be read ('unknown encoding: klingon')")),
    "no question": ("<output>\n</output>", (0, "")),
}


@pytest.mark.parametrize(("read", "format"), READERS)
@pytest.mark.parametrize("name", XML)
def test_xml_that_cannot_be_read(tmp_path, read, format, name):
    content, (line, found) = XML[name]
    frame, faults = read(format, write(tmp_path, "x.xml", content))
    assert not frame.height
    assert [(line, part if found else "") for line, part in locate_faults(faults)] == [
        (line, found)
    ]


@pytest.mark.parametrize("encoding", ["iso-8859-1", "utf-16", "windows-1251"])
def test_declared_encodings_are_heeded(tmp_path, encoding):
    name = "é" if encoding == "iso-8859-1" else "ж"
    run = RUN.format('<question q_id="1" answered="NO"/>').replace('"r"', f'"{name}"')
    text = f'<?xml version="1.0" encoding="{encoding}"?>\n{run}'.encode(encoding)
    frame, faults = runs("clef-qa4mre", write(tmp_path, "x.xml", text))
    assert locate_faults(faults) == [] and frame["run"].to_list() == [name]


def test_what_the_gold_standard_says_of_the_questions(tmp_path):
    """Topic and reading test; not where a file of questions says otherwise."""
    right, wrong = ('<answer a_id="{}" correct="Yes"/>', '<answer a_id="{}" correct="No"/>')
    five = right.format(1) + "".join(map(wrong.format, range(2, 6)))
    text = GOLD.format(f'<q q_id="1">{five}</q><q q_id="2">{right.format(1)}</q>')
    frame, _ = judgments("clef-qa4mre", write(tmp_path, "gold.xml", text))
    judged = reading.list_judged_questions(frame)
    questions = reading.add_format_columns(judged, "clef-qa4mre")
    expected = [("1/2/1", "1", "1/2"), ("1/2/2", "1", "1/2")]
    assert values(questions, "question", "category", "cluster") == expected
    changed = questions.with_columns(category=pl.lit("biology"), cluster=pl.lit("x"))
    assert reading.add_format_columns(changed, "clef-qa4mre").equals(changed)


@pytest.mark.parametrize(("name", "questions"), [("2013-EN_GS", 100), ("2012_BIOMEDICAL_GS", 40)])
@needs("clef")
def test_real_gold_standards_have_one_right_option_of_five(name, questions):
    frame, faults = judgments("clef-qa4mre", str(DATA / f"clef/QA4MRE-{name}.xml"))
    assert locate_faults(faults) == []
    labels = frame.group_by("question").agg(pl.col("label").sort())["label"].to_list()
    assert labels == [["R", "W", "W", "W", "W"]] * questions


@needs("clef")
def test_real_files_that_are_no_gold_standard_and_no_sound_run():
    """All reading tests of the run have the id 1: each colliding question is one fault."""
    _, faults = judgments("clef-qa4mre", str(DATA / "clef/QA4MRE-2013-EN_alzheimer_test.xml"))
    assert locate_faults(faults) == [(0, "no correct answer to any question")]
    frame, faults = runs("clef-qa4mre", str(DATA / "clef/oaqa_2013_run_101301enen_output.xml"))
    assert {*frame["run"]} == {"101301enen"} and Counter(frame["answered"]) == {True: 92, False: 8}
    assert frame["question"].n_unique() == 17 and len(faults) == 100 - 17
    assert {found.split(" for ")[0] for _, found in locate_faults(faults)} == {"a second response"}


@pytest.mark.parametrize("address", ["input.dtd", "file://{}/input.dtd", "http://127.0.0.1:9/a"])
def test_a_doctype_is_passed_over_and_nothing_is_fetched(tmp_path, monkeypatch, address):
    """A DTD may be a file, as of Entrance Exams, or an address; its content may be an attack."""
    monkeypatch.setattr(socket, "socket", None)
    (tmp_path / "input.dtd").write_text("<!ENTITY a 'YES'> this is no DTD")
    head = f'<?xml version="1.0"?>\n<!DOCTYPE output SYSTEM "{address.format(tmp_path)}">\n'
    text = head + RUN.format('<question q_id="1" answered="YES"><answer a_id="2"/></question>')
    frame, faults = runs("clef-qa4mre", write(tmp_path, "x.xml", text))
    assert locate_faults(faults) == [] and frame["answer"].to_list() == ["2"]
    undefined = write(tmp_path, "y.xml", text.replace('"YES"', '"&a;"'))
    assert locate_faults(runs("clef-qa4mre", undefined)[1])[0][0] == 5
