"""`format: ave`: decisions on question-answer pairs, as in CLEF's Answer Validation Exercise
(docs/shared-tasks.md)."""

import polars as pl

from nonresponse import tables
from nonresponse.faults import Fault, shown
from nonresponse.formats import fields, numbers, xml
from nonresponse.formats.text import Faults, ending
from nonresponse.settings import Files

RUN_COLUMNS = ["question", "candidate", "answer", "score"]


def read_runs(file: str, options: Files) -> tuple[pl.DataFrame, list[Fault]]:
    """Return a decision per line: question, candidate, VALIDATED, SELECTED or REJECTED, and perhaps
    a score."""
    lines, faults = fields.read_fields(file, options)
    if faults:
        return pl.DataFrame(), faults
    rows = []
    for number, line in lines:
        if len(line) not in (3, 4):
            expected = "q_id a_id VALIDATED|SELECTED|REJECTED [score]"
            faults.add(number, fields.number_of(line), expected)
            continue
        question, candidate, decision = line[:3]
        score = numbers.real(line[3]) if len(line) == 4 else None
        if len(line) == 4 and score is None:
            faults.add(number, f"the score {shown(line[3])}", "a number")
        rows.append((number, question, candidate, decision.upper(), score))
    return fields.with_confidence(fields.frame(rows, RUN_COLUMNS, tables.RESPONSES)), faults


def read_judgments(file: str, options: Files) -> tuple[pl.DataFrame, list[Fault]]:
    """Return the gold standard: XML if the file's name ends so, else lines of three fields."""
    if ending(file) == ".xml":
        rows, faults = from_xml(file, options)
    else:
        lines, faults = fields.read_fields(file, options)
        for number, line in lines:
            if len(line) != 3:
                faults.add(number, fields.number_of(line), "q_id a_id YES|NO|UNKNOWN")
        rows = [(number, *line) for number, line in lines if len(line) == 3]
    if faults and not rows:
        return pl.DataFrame(), faults
    rows = [(line, question, candidate, label.upper()) for line, question, candidate, label in rows]
    return fields.frame(rows, ["question", "candidate", "label"], tables.JUDGMENTS), list(
        dict.fromkeys(faults)
    )


def from_xml(file: str, options: Files) -> tuple[list[tuple], Faults]:
    """Line, question, candidate and label of each <a>; an <a> that lacks one of them is a fault,
    and left out."""
    elements, faults = xml.read_elements(file, options)
    pairs = [element for element in elements if element.name == "a"]
    if not pairs and not faults:
        faults.add(0, "no <a>", "<q>s with <a>s")
    xml.add_misplaced(elements, "a", "q", faults)
    questions = [element for element in elements if element.name == "q"]
    ids = [(one.line, one.attributes.get("id", "").strip()) for one in questions]
    xml.add_repeated("q", ids, "one, with all its <a>s", faults)
    rows = []
    for pair in pairs:
        if pair.parent and pair.parent.name == "q":
            question = xml.attribute(pair.parent, "id", faults)
            candidate = xml.attribute(pair, "id", faults)
            label = xml.attribute(pair, "value", faults, "YES, NO or UNKNOWN")
            if question and candidate and label:
                rows.append((pair.line, question, candidate, label))
    return rows, faults
