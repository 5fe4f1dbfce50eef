"""The formats in XML."""

import re
import xml.etree.ElementTree as ET

from fuzz.naive import Refused, Unsure
from fuzz.naive.text import content, stem
from fuzz.naive.values import as_id, as_number, word


def elements(name: str, data: bytes, wanted: str, parents: dict[str, str]) -> list[tuple[ET.Element, ...]]:
    """Elements of this name, each with those around it; one that stands elsewhere than it should is a fault."""
    data = content(name, data)
    if re.search(rb"<!DOCTYPE|<!ENTITY|xmlns", data):
        own = re.match(rb"\s*(<\?xml[^>]*\?>\s*)?<!DOCTYPE \w+ \[<!ENTITY", data)
        raise Refused(0, "an entity of its own") if own else Unsure("a document type or a name space")
    if re.search(rb"\r(?!\n)", data):
        raise Unsure("a carriage return in XML, where it ends a line by itself")
    try:
        root = ET.fromstring(data)
    except (ET.ParseError, LookupError, ValueError) as error:
        raise Unsure("a name space") if "prefix" in str(error) else Refused(0, f"no XML ({error})") from None
    found, open_ones = [], [(root,)]
    while open_ones:
        path = open_ones.pop(0)
        open_ones += [(child, *path) for child in path[0]]
        tag = path[0].tag
        if tag in parents and (len(path) < 2 or path[1].tag != parents[tag]):
            raise Refused(0, f"<{tag}> out of place")
        found += [path] if tag == wanted else []
    if not found:
        raise Refused(0, f"no <{wanted}>")
    return found


def attribute(element: ET.Element, name: str) -> str:
    given = element.get(name, "")
    if given != given.strip():
        raise Unsure("blanks around the value of an attribute")
    return as_id(given or None, 0, f"{element.tag} {name}")


def qa4mre_questions(name: str, data: bytes, wanted: str) -> list[tuple[str, ET.Element]]:
    parents = {wanted: "reading-test", "reading-test": "topic", "answer": wanted}
    found = []
    for question, test, topic, *around in elements(name, data, wanted, parents):
        if around and around[0].tag not in ("output", "test-set"):
            raise Unsure("a <topic> out of place")
        ids = [attribute(topic, "t_id"), attribute(test, "r_id"), attribute(question, "q_id")]
        if any("/" in one for one in ids):
            raise Refused(0, "an id with a slash")
        found.append(("/".join(ids), question))
    if wanted == "q" and len({id for id, _ in found}) < len(found):
        raise Unsure("a question in two places")
    return found


def qa4mre_runs(name: str, data: bytes, options: dict, task: str) -> list[dict]:
    rows = []
    questions = qa4mre_questions(name, data, "question")
    outputs = ET.fromstring(content(name, data)).iter("output")
    names = [output.get("run_id", "") for output in outputs]
    if len(names) > 1:
        raise Refused(0, "several runs in a file")
    if any(one != one.strip() for one in names):
        raise Unsure("blanks around the name of a run")
    for question, element in questions:
        answered = word(attribute(element, "answered"), ("YES", "NO"), 0, "answered") == "YES"
        answers = [attribute(answer, "a_id") for answer in element if answer.tag == "answer"]
        if len(answers) > 1 or (answered and not answers):
            raise Refused(0, "not one answer")
        row = {"run": (names or [""])[0] or stem(name), "question": question, "answered": answered}
        rows.append(row | {"answer" if answered else "candidate": (answers or [None])[0]})
    return rows


def qa4mre_judgments(name: str, data: bytes, options: dict, task: str) -> list[dict]:
    rows = []
    for question, element in qa4mre_questions(name, data, "q"):
        labels = []
        for option in element:
            if option.tag == "answer":
                labels.append({"Yes": "R", "No": "W"}[word(option.get("correct", "No"), ("Yes", "No"), 0, "correct")])
                rows.append({"question": question, "answer": attribute(option, "a_id"), "label": labels[-1]})
        if "R" not in labels:
            raise Refused(0, "a question without a right option")
    return rows


def ave_judgments(name: str, data: bytes, options: dict, task: str) -> list[dict]:
    rows, known = [], {}
    for pair, question, *_ in elements(name, data, "a", {"a": "q"}):
        if known.setdefault(question.get("id"), question) is not question:
            raise Unsure("a question in two places")
        ids = {"question": attribute(question, "id"), "candidate": attribute(pair, "id")}
        rows.append(ids | {"label": word(attribute(pair, "value"), ("YES", "NO", "UNKNOWN"), 0, "value")})
    return rows


def deft(name: str, data: bytes, options: dict, task: str) -> list[dict]:
    rows, seen, parents = [], set(), set()
    for document, *around in elements(name, data, "doc", {"hypothesis": "doc"}):
        parents.add(id(around[0]) if around else None)
        if len(parents) > 1:
            raise Unsure("<doc>s in several places")
        question = attribute(document, "id")
        if question in seen:
            raise Refused(0, "a second <doc>")
        seen.add(question)
        given = [child for child in document if child.tag == "hypothesis"]
        rows += [{"question": question, "answer": None}] if not given else []
        for hypothesis in given:
            if ("year" in hypothesis.attrib) == ("label" in hypothesis.attrib):
                raise Refused(0, "not one of year and label")
            answer = hypothesis.get("year", hypothesis.get("label"))
            confidence = as_number(hypothesis.get("confidence") or None, 0, "confidence")
            rows.append({"question": question, "answer": answer or None, "confidence": confidence})
    return rows
