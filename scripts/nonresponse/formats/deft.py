"""`format: deft`: years or labels with confidences, the tasks of DEFT 2011, as files of our own (docs/formats.md).

The files of DEFT 2011 itself could not be found. Several rows with the same question are its hypotheses, in the
order of the file; whether their confidences add up, and which of them comes first, is for ingest to say.
"""

import polars as pl

from nonresponse import tables
from nonresponse.faults import Fault, shown
from nonresponse.formats import numbers, tabular, xml
from nonresponse.formats.text import ending, stem

ANSWER = ("year", "label")  # what the answer is called, in dating and in matching
COLUMNS = {"line": pl.Int64, **{name: tables.RESPONSES[name] for name in ("question", "answer", "confidence")}}


def read_runs(file: str, options: dict) -> tuple[pl.DataFrame, list[Fault]]:
    """A row per hypothesis, and one without an answer per question that is mentioned and has none."""
    frame, faults = read_hypotheses(file, options)
    if not frame.columns:
        return frame, faults
    lost = ~pl.col("faulty") & pl.col("answer").is_null() & pl.col("confidence").is_not_null()
    expected = "a year or label with it, or no confidence"
    faults += [
        Fault(str(file), line, "a confidence without an answer", expected) for line in frame.filter(lost)["line"]
    ]
    # Of a question with a fault, ingest would add that its confidences do not sum to 1.
    incomplete = (pl.col("faulty") | lost).any().over("question")
    answered = pl.col("answer").is_not_null()
    return frame.filter(~incomplete).drop("faulty").with_columns(run=pl.lit(stem(file)), answered=answered), faults


def read_judgments(file: str, options: dict) -> tuple[pl.DataFrame, list[Fault]]:
    """The references; a confidence plays no part in them."""
    frame, faults = read_hypotheses(file, options)
    if not frame.columns:
        return frame, faults
    absent = frame.filter(~pl.col("faulty") & pl.col("answer").is_null())["line"]
    faults += [Fault(str(file), line, "no year or label", "the right one for every question") for line in absent]
    frame = frame.drop_nulls("answer").select("line", "question", "answer")
    return frame.with_columns(assessor=pl.lit(stem(file)), label=pl.lit("R")), faults


def read_hypotheses(file: str, options: dict) -> tuple[pl.DataFrame, list[Fault]]:
    """COLUMNS of each hypothesis, and `faulty`: whether there is a fault in it. No columns if the table lacks one."""
    return from_xml(file, options) if ending(file) == ".xml" else from_table(file, options)


def from_table(file: str, options: dict) -> tuple[pl.DataFrame, list[Fault]]:
    """The hypotheses of a table, whose answers are in a column year or label."""
    names = ["answer"] if "answer" in options.get("columns", {}) else ANSWER
    frame, faults = tabular.mapped(file, options, ["question", *names, "confidence"], ["question"])
    present = [name for name in names if name in frame.columns]
    if frame.columns and names == ANSWER and len(present) != 1:
        found = f"{'both' if present else 'neither'} a column year {'and' if present else 'nor'} a column label"
        faults.append(Fault(str(file), 1, found, "one of them, or `columns: {answer: …}` in config.yaml"))
    if "question" not in frame.columns or len(present) != 1:
        return pl.DataFrame(), faults
    return frame.select(
        "line",
        "question",
        answer=pl.col(present[0]).str.strip_chars().replace("", None),
        confidence=pl.col("confidence") if "confidence" in frame.columns else pl.lit(None, pl.Float64),
        faulty=pl.col("line").is_in([fault.line for fault in faults]),
    ), faults


def from_xml(file: str, options: dict) -> tuple[pl.DataFrame, list[Fault]]:
    """The hypotheses of an XML file: a <doc> per question, a <hypothesis> per answer."""
    elements, faults = xml.read_elements(file, options)
    documents = [element for element in elements if element.name == "doc"]
    if faults:  # the last one may lack some of its hypotheses
        documents = documents[:-1]
    elif not documents:
        faults.append(Fault(str(file), 0, "no <doc>", "<doc>s with <hypothesis>s"))
    faults += xml.misplaced(file, elements, "hypothesis", "doc")
    expected = "all right under one element: a file is one run, or one reference"
    faults += [
        Fault(str(file), document.line, "a <doc> elsewhere than the first one", expected)
        for document in documents
        if document.parent is not documents[0].parent
    ]
    rows, seen = [], set()
    for document in documents:
        problems: list[Fault] = []
        question = xml.attribute(file, document, "id", problems)
        if question in seen:
            found = f"a second <doc> with the id {shown(question)}"
            problems.append(Fault(str(file), document.line, found, "one, with all the hypotheses"))
        given = [hypothesis(file, element, problems) for element in document.under("hypothesis")]
        if question:
            seen.add(question)
            rows += [(line, question, *rest, bool(problems)) for line, *rest in given or [(document.line, None, None)]]
        faults += problems
    return pl.DataFrame(rows, schema=COLUMNS | {"faulty": pl.Boolean}, orient="row"), faults


def hypothesis(file: str, element: xml.Element, faults: list[Fault]) -> tuple[int, str | None, float | None]:
    """Line, answer and confidence; null where they are empty, or at fault."""
    names = [name for name in ANSWER if name in element.attributes]
    if len(names) != 1:
        found = f"<hypothesis> with {'both' if names else 'neither'} year {'and' if names else 'nor'} label"
        faults.append(Fault(str(file), element.line, found, 'year="…" (dating) or label="…" (matching)'))
    confidence = element.attributes.get("confidence", "").strip()
    if confidence and numbers.real(confidence) is None:
        faults.append(Fault(str(file), element.line, f"the confidence {shown(confidence)}", "a number"))
    answer = element.attributes[names[0]].strip() if names else None
    return element.line, answer or None, numbers.real(confidence)
