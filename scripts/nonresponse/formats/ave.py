"""`format: ave`: decisions on question-answer pairs, as in CLEF's Answer Validation Exercise (docs/formats.md)."""

import polars as pl

from nonresponse import tables
from nonresponse.faults import Fault, shown
from nonresponse.formats import fields, numbers, xml
from nonresponse.formats.text import ending, stem

SELECTED = "SELECTED"
RUN_COLUMNS = ["run", "question", "candidate", "answer", "score"]
JUDGMENT_COLUMNS = ["assessor", "question", "candidate", "label"]


def read_runs(file: str, options: dict) -> tuple[pl.DataFrame, list[Fault]]:
    """A decision per line: question, candidate, VALIDATED, SELECTED or REJECTED, and perhaps a score."""
    lines, faults = fields.read_fields(file, options)
    if faults:
        return pl.DataFrame(), faults
    run, rows = stem(file), []
    for number, line in lines:
        if len(line) not in (3, 4):
            found = f"{len(line)} field{'s' * (len(line) != 1)}"
            faults.append(Fault(str(file), number, found, "q_id a_id VALIDATED|SELECTED|REJECTED [score]"))
            continue
        question, candidate, decision = line[:3]
        score = numbers.real(line[3]) if len(line) == 4 else None
        if len(line) == 4 and score is None:
            faults.append(Fault(str(file), number, f"the score {shown(line[3])}", "a number"))
        rows.append((number, run, question, candidate, decision.upper(), score))
    return fields.with_confidence(fields.frame(rows, RUN_COLUMNS, tables.RESPONSES)), faults


def read_judgments(file: str, options: dict) -> tuple[pl.DataFrame, list[Fault]]:
    """The gold standard: XML if the file's name ends so, else lines of three fields."""
    rows, faults = from_xml(file, options) if ending(file) == ".xml" else from_lines(file, options)
    if faults and not rows:
        return pl.DataFrame(), faults
    rows = [(line, stem(file), question, candidate, label.upper()) for line, question, candidate, label in rows]
    return fields.frame(rows, JUDGMENT_COLUMNS, tables.JUDGMENTS), faults


def from_xml(file: str, options: dict) -> tuple[list[tuple], list[Fault]]:
    """Line, question, candidate and label of each <a>; what lacks one of them is a fault and left out."""
    elements, faults = xml.read_elements(file, options)
    pairs = [element for element in elements if element.name == "a"]
    if not pairs and not faults:
        faults.append(Fault(str(file), 0, "no <a>", "<q>s with <a>s"))
    faults += xml.misplaced(file, elements, "a", "q")
    ids = [(element.line, element.attributes.get("id", "").strip()) for element in elements if element.name == "q"]
    faults += xml.repeated(file, "q", ids, "one, with all its <a>s")
    rows = []
    for pair in pairs:
        if pair.parent and pair.parent.name == "q":
            question = xml.attribute(file, pair.parent, "id", faults)
            candidate = xml.attribute(file, pair, "id", faults)
            label = xml.attribute(file, pair, "value", faults, "YES, NO or UNKNOWN")
            if question and candidate and label:
                rows.append((pair.line, question, candidate, label))
    return rows, list(dict.fromkeys(faults))


def from_lines(file: str, options: dict) -> tuple[list[tuple], list[Fault]]:
    """Line, question, candidate and label of each line; a line with more or fewer fields is a fault and left out."""
    lines, faults = fields.read_fields(file, options)
    for number, line in lines:
        if len(line) != 3:
            found = f"{len(line)} field{'s' * (len(line) != 1)}"
            faults.append(Fault(str(file), number, found, "q_id a_id YES|NO|UNKNOWN"))
    return [(number, *line) for number, line in lines if len(line) == 3], faults
