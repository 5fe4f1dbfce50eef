"""Which format of an evaluation campaign a file has: TREC, CLEF, AVE, ROMIP or DEFT, by what stands in it."""

from collections.abc import Callable
from pathlib import Path

from nonresponse.faults import listed
from nonresponse.formats import fields, numbers, records, xml
from nonresponse.formats.roles import plain
from nonresponse.formats.text import ending, stem
from nonresponse.formats.trec_qa import LABELS, looks_ranked
from nonresponse.look.found import Found
from nonresponse.look.words import KEYS
from nonresponse.tasks.qa import ROMIP_LABELS

HALF = 0.5  # of the lines of a text, the share that has to look like a format
TRUTHS = ("YES", "NO", "UNKNOWN")
DECISIONS = ("VALIDATED", "SELECTED", "REJECTED")
GRADES = (*LABELS, *LABELS.values())  # of NIST's judgments
WHICH = "whether it holds answers of a run or the right ones: here {}, as its name has it"


def of_file(path: str) -> Found | None:
    """A run, or judgments, in one of these formats; null where it is none of them, and may be a table."""
    kind = ending(path)
    if kind == ".xml":
        return of_xml(path)
    found = of_columns(path) if kind in (".csv", ".tsv", ".txt", ".tab") else None
    return found or (of_lines(path) if kind not in (".csv", ".tsv", ".jsonl", ".ndjson", ".parquet", ".html") else None)


def of_xml(path: str) -> Found | None:
    """By the elements that there are."""
    elements, _ = xml.read(path, {})
    names = {element.name for element in elements}
    attributes = {name for element in elements for name in element.attributes}
    if {"output", "question"} <= names:
        return Found(path, "runs", {"format": "clef-qa4mre"}, "it has <question>s in an <output>")
    if {"test-set", "q", "answer"} <= names:
        return Found(path, "judgments", {"format": "clef-qa4mre"}, "it has <q>s with <answer>s in a <test-set>")
    if {"q", "a"} <= names and "value" in attributes:
        return Found(path, "judgments", {"format": "ave"}, "it has <q>s with <a>s and their values", (), "validation")
    if {"doc", "hypothesis"} <= names:
        why = "it has <doc>s with a <hypothesis> each, or several"
        return of_deft(path, "dating" if "year" in attributes else "matching", "confidence" in attributes, why)
    return None


def of_columns(path: str) -> Found | None:
    """By the names of the columns of a table."""
    frame, _ = records.read(path)
    names = {*frame.columns} - {"line"}
    why = f"it has the columns {listed(name for name in frame.columns if name != 'line')}"
    if {"question", "status", "paragraph"} <= names:
        return Found(path, "runs", {"format": "clef-respubliqa"}, why)
    if {"run", "question", "paragraph", "judgment"} <= names:
        return Found(path, "judgments", {"format": "clef-respubliqa"}, why)
    if {"question", "rank", "kind", "answer"} <= names:
        return Found(path, "runs", {"format": "romip"}, why)
    if {"question", "answer", "label"} <= names:
        labels = frame["label"].drop_nulls().str.strip_chars().str.to_lowercase()
        fits = len(labels) and labels.is_in(ROMIP_LABELS).all()
        return Found(path, "judgments", {"format": "romip"}, f"{why}, and labels of ROMIP") if fits else None
    answers = names - {"question", "confidence"}
    if "question" in names and answers in ({"year"}, {"label"}):
        return of_deft(path, "dating" if "year" in answers else "matching", "confidence" in names, why)
    return None


def of_deft(path: str, task: str, confident: bool, why: str) -> Found:
    """A run has confidences; without them, the names of file and folder decide."""
    if confident:
        return Found(path, "runs", {"format": "deft"}, why, (), task)
    words = [*plain(stem(path)).split("_"), *plain(Path(path).absolute().parent.name).split("_")]
    right = any(word in KEYS for word in words)
    said = WHICH.format("the right ones" if right else "a run")
    return Found(path, "judgments" if right else "runs", {"format": "deft"}, why, (said,), task)


def of_lines(path: str) -> Found | None:
    """By what most lines look like."""
    lines, faults = fields.read(path, {})
    if faults or not lines:
        return None
    first = lines[0][1]

    def most(looks: Callable[[list[str]], bool]) -> bool:
        """Whether at least half of the lines look so."""
        return sum(looks(line) for _, line in lines) >= HALF * len(lines)

    def word(line: list[str], place: int, known: tuple[str, ...]) -> bool:
        """Whether one of these words stands there."""
        return len(line) > place and line[place].upper() in known

    if most(lambda line: len(line) in (3, 4) and word(line, 2, DECISIONS)):
        why = f"its lines have {', '.join(DECISIONS)} behind a question and an answer"
        return Found(path, "runs", {"format": "ave"}, why, (), "validation")
    if most(lambda line: len(line) == 3 and word(line, 2, TRUTHS)):
        why = f"its lines have {', '.join(TRUTHS)} behind a question and an answer"
        return Found(path, "judgments", {"format": "ave"}, why, (), "validation")
    if most(looks_ranked):
        return Found(path, "runs", {"format": "trec-qa"}, "its lines have a document, a rank and a score")
    if most(lambda line: word(line, 2, GRADES)):
        why = "its lines have a document and a judgment, such as 1 or -1"
        return Found(path, "judgments", {"format": "trec-qa"}, why)
    if len(first) > 2 and numbers.whole(first[0]) is not None and most(lambda line: line[1:2] == first[1:2]):
        why = f"its lines have a question, the tag {first[1]}, and a document"
        return Found(path, "runs", {"format": "trec-qa"}, why)
    return None
