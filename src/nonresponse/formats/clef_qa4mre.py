"""`format: clef-qa4mre`: multiple-choice reading tests, the XML of CLEF's QA4MRE 2011-2013
(docs/shared-tasks.md).

A question is named by the ids of its topic, its reading test and itself: "1/4/10".
"""

import polars as pl

from nonresponse import tables
from nonresponse.faults import Fault, quote
from nonresponse.formats import fields
from nonresponse.formats.text import Faults, get_stem
from nonresponse.formats.xml import Element, read_elements
from nonresponse.settings import Files

RUN_COLUMNS = ["run", "question", "candidate", "answer", "answered"]
MARK = 'correct="Yes" on the correct answer'


def read_attribute(element: Element, name: str, faults: Faults, expected: str = "") -> str | None:
    """Return an attribute that must be there and not be empty; null, and a fault, if not."""
    value = element.attributes.get(name, "").strip()
    if not value:
        faults.add(element.line, f"<{element.name}> without {name}", expected or f'{name}="…"')
    return value or None


def list_answers(element: Element) -> list[Element]:
    return [child for child in element.children if child.name == "answer"]


def name_question(element: Element, faults: Faults) -> str | None:
    """Return topic/reading test/question; null, and faults, where it lacks one of them."""
    ids: list[str] = []
    ancestor: Element | None = element
    for name, key in ((element.name, "q_id"), ("reading-test", "r_id"), ("topic", "t_id")):
        if ancestor is None or ancestor.name != name:
            return None  # a fault that `read_questions` adds
        id = read_attribute(ancestor, key, faults) or ""
        if "/" in id:
            faults.add(ancestor.line, f"the {key} {quote(id)}", "an id without a slash")
        ids.append(id)
        ancestor = ancestor.parent
    return "/".join(reversed(ids)) if all(ids) else None


def read_questions(
    file: str, options: Files, names: tuple[str, ...], outer_name: str
) -> tuple[list[Element], list[Element], Faults]:
    """Return the outer elements (<test-set> of a gold standard, <output> of a run), and the
    questions, of one of `names`. An element that is not right under its parent is a fault."""
    elements, faults = read_elements(file, options)
    present = {element.name for element in elements}
    name = next((name for name in names if name in present), names[0])
    questions = [element for element in elements if element.name == name]
    if not questions and not faults:
        faults.add(0, f"no <{name}>", f"<topic>s with <reading-test>s with <{name}>s")
    outer = [element for element in elements if element.name == outer_name]
    for element in outer[1:]:
        faults.add(element.line, f"a second <{outer_name}>", "one in a file")
    parents = {name: "reading-test", "reading-test": "topic", "answer": name}
    parents |= {"topic": outer_name} if outer else {}
    for element in elements:
        parent = parents.get(element.name)
        if parent and (element.parent is None or element.parent.name != parent):
            place = f"an <{parent}>" if parent[0] in "aeiou" else f"a <{parent}>"
            expected = f"every <{element.name}> right under {place}"
            faults.add(element.line, f"<{element.name}> outside {place}", expected)
    return outer, questions, faults


def read_runs(file: str, options: Files) -> tuple[pl.DataFrame, list[Fault]]:
    """Return a row per <question>: its answer, or the candidate that was withheld."""
    outputs, questions, faults = read_questions(file, options, ("question",), "output")
    if not questions or len(outputs) > 1:
        return pl.DataFrame(), faults
    run = outputs[0].attributes.get("run_id", "").strip() if outputs else ""
    rows = []
    for element in questions:
        question = name_question(element, faults)
        answered = read_attribute(element, "answered", faults, "YES or NO")
        if answered and answered.upper() not in ("YES", "NO"):
            faults.add(element.line, f"answered {quote(answered)}", "YES or NO")
        answers = [read_attribute(answer, "a_id", faults) for answer in list_answers(element)]
        abstained = (answered or "").upper() == "NO"
        if not answers and not abstained:
            faults.add(element.line, "no <answer>", 'one, unless answered="NO"')
        # A second one makes a second row, which ingest finds to be a duplicate
        for answer in answers or [None]:
            if question:
                withheld, submitted = (answer, None) if abstained else (None, answer)
                row = (element.line, run or get_stem(file), question, withheld, submitted)
                rows.append((*row, not abstained))
    return fields.make_frame(rows, RUN_COLUMNS, tables.RESPONSES), list(dict.fromkeys(faults))


def read_judgments(file: str, options: Files) -> tuple[pl.DataFrame, list[Fault]]:
    """Return a row per <answer> of the gold standard: R where it is marked as correct, else W."""
    # CLEF; Entrance Exams
    _, questions, faults = read_questions(file, options, ("q", "question"), "test-set")
    if not questions:
        return pl.DataFrame(), faults
    rows, unmarked, known_questions = [], Faults(file), set[str]()
    for element in questions:
        question = name_question(element, faults)
        if question in known_questions:
            found = f"a second <{element.name}> with the id {quote(question)}"
            faults.add(element.line, found, "one, with all its answers")
        known_questions |= {question} if question else set()
        labels = []
        for option in list_answers(element):
            answer = read_attribute(option, "a_id", faults)
            correct = option.attributes.get("correct", "No").strip()
            if correct.lower() not in ("yes", "no"):
                faults.add(option.line, f"correct {quote(correct)}", "Yes or No")
            labels.append("R" if correct.lower() == "yes" else "W")
            if question and answer:
                rows.append((option.line, question, answer, labels[-1]))
        if "R" not in labels:
            unmarked.add(element.line, "no correct answer to the question", MARK)
    # Without any mark, this is the test set and not its gold standard: reported once
    if len(unmarked) == len(questions):
        unmarked = Faults(file, [Fault(str(file), 0, "no correct answer to any question", MARK)])
    judgments = fields.make_frame(rows, ["question", "answer", "label"], tables.JUDGMENTS)
    return judgments, list(dict.fromkeys(faults + unmarked))
