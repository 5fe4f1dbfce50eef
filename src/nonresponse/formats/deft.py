"""`format: deft`: years or labels with confidences, the tasks of DEFT 2011, as files of our own
(docs/shared-tasks.md).

The files of DEFT 2011 itself could not be found. Several rows with the same question are its
hypotheses, in the order of the file; ingest checks that their confidences add up, and ranks them.
"""

import polars as pl

from nonresponse import tables
from nonresponse.faults import Fault, shown
from nonresponse.formats import numbers, tabular, xml
from nonresponse.formats.text import Faults, ending
from nonresponse.settings import Files

ANSWER = ("year", "label")  # what the answer is called, in dating and in matching
COLUMNS = {
    "line": pl.Int64,
    **{name: tables.RESPONSES[name] for name in ("question", "answer", "confidence")},
}
NO_ANSWER = ~pl.col("faulty") & pl.col("answer").is_null()


def read_runs(file: str, options: Files) -> tuple[pl.DataFrame, list[Fault]]:
    """A row per hypothesis, and a row without an answer for each question that has no
    hypothesis."""
    frame, faults = read_hypotheses(file, options)
    if not frame.columns:
        return frame, faults
    lost = NO_ANSWER & pl.col("confidence").is_not_null()
    faults.add_rows(
        frame.filter(lost),
        "a confidence without an answer",
        "a year or label with it, or no confidence",
    )
    # A question with a fault is left out, or ingest would add that its confidences do not sum to 1.
    incomplete = (pl.col("faulty") | lost).any().over("question")
    return frame.filter(~incomplete).drop("faulty").with_columns(
        answered=pl.col("answer").is_not_null()
    ), faults


def read_judgments(file: str, options: Files) -> tuple[pl.DataFrame, list[Fault]]:
    """The references; their confidences, if any, are ignored."""
    frame, faults = read_hypotheses(file, options)
    if not frame.columns:
        return frame, faults
    faults.add_rows(frame.filter(NO_ANSWER), "no year or label", "the right one for every question")
    return frame.drop_nulls("answer").select(
        "line", "question", "answer", label=pl.lit("R")
    ), faults


def read_hypotheses(file: str, options: Files) -> tuple[pl.DataFrame, Faults]:
    """COLUMNS of each hypothesis, and `faulty`: whether it has a fault. No columns if the table
    lacks a needed one."""
    return from_xml(file, options) if ending(file) == ".xml" else from_table(file, options)


def from_table(file: str, options: Files) -> tuple[pl.DataFrame, Faults]:
    """The hypotheses of a table, whose answers are in a column year or label."""
    names = ["answer"] if "answer" in options.get("columns", {}) else ANSWER
    frame, faults = tabular.mapped(file, options, ["question", *names, "confidence"], ["question"])
    present = [name for name in names if name in frame.columns]
    if frame.columns and names == ANSWER and len(present) != 1:
        found = (
            f"{'both' if present else 'neither'} a column year "
            f"{'and' if present else 'nor'} a column label"
        )
        faults.add(1, found, "one of them, or `columns: {answer: …}` in config.yaml")
    if "question" not in frame.columns or len(present) != 1:
        return pl.DataFrame(), faults
    return frame.select(
        *("line", "question"),
        answer=pl.col(present[0]).str.strip_chars().replace("", None),
        confidence=pl.col("confidence")
        if "confidence" in frame.columns
        else pl.lit(None, pl.Float64),
        faulty=pl.col("line").is_in([fault.line for fault in faults]),
    ), faults


def from_xml(file: str, options: Files) -> tuple[pl.DataFrame, Faults]:
    """The hypotheses of an XML file: a <doc> per question, a <hypothesis> per answer."""
    elements, faults = xml.read_elements(file, options)
    documents = [element for element in elements if element.name == "doc"]
    if faults:  # the last one may lack some of its hypotheses
        documents = documents[:-1]
    elif not documents:
        faults.add(0, "no <doc>", "<doc>s with <hypothesis>s")
    xml.add_misplaced(elements, "hypothesis", "doc", faults)
    rows, seen = [], set()
    for document in documents:
        if document.parent is not documents[0].parent:
            expected = "all right under one element: a file is one run, or one reference"
            faults.add(document.line, "a <doc> elsewhere than the first one", expected)
        before = len(faults)
        question = xml.attribute(document, "id", faults)
        if question in seen:
            faults.add(
                document.line,
                f"a second <doc> with the id {shown(question)}",
                "one, with all the hypotheses",
            )
        given = [hypothesis(one, faults) for one in document.under("hypothesis")] or [
            (document.line, None, None)
        ]
        if question:
            seen.add(question)
            rows += [(line, question, *rest, len(faults) > before) for line, *rest in given]
    return pl.DataFrame(rows, schema=COLUMNS | {"faulty": pl.Boolean}, orient="row"), faults


def hypothesis(element: xml.Element, faults: Faults) -> tuple[int, str | None, float | None]:
    """Line, answer and confidence; null where they are empty, or at fault."""
    names = [name for name in ANSWER if name in element.attributes]
    if len(names) != 1:
        found = (
            f"<hypothesis> with {'both' if names else 'neither'} year "
            f"{'and' if names else 'nor'} label"
        )
        faults.add(element.line, found, 'year="…" (dating) or label="…" (matching)')
    confidence = element.attributes.get("confidence", "").strip()
    if confidence and numbers.real(confidence) is None:
        faults.add(element.line, f"the confidence {shown(confidence)}", "a number")
    answer = element.attributes[names[0]].strip() if names else None
    return element.line, answer or None, numbers.real(confidence)
