"""The formats that are tables: a file's rows as dictionaries, before they are checked."""

from pathlib import Path

from fuzz.naive import Refused, Unsure
from fuzz.naive.records import NotANumber, records
from fuzz.naive.text import stem
from fuzz.naive.values import as_id, as_number, as_text, as_whole, word

IDS = ("question", "candidate", "document", "run", "assessor")
ROLES = {"question", "run", "rank", "candidate", "answer", "document", "confidence", "score", "position", "verdict"}
ROLES |= {"category", "has_answer", "label", "assessor", "key", "gold", "qid", "id"}  # and others: no names of systems
WHOLE, REAL = ("rank", "position"), ("confidence", "score")
EMPTY = {"may_be_empty": True}  # judgments: column names without records
TRUTH = {"1": True, "0": False, "true": True, "false": False, "yes": True, "no": False}


def mapped(name: str, data: bytes, options: dict, ours: list[str], required: list[str], kept=()) -> list[dict]:
    """The records under our column names. `kept`: columns of theirs to be had beside them."""
    columns, found = records(name, data, options.get("quoted"), options.get("may_be_empty", False))
    theirs = {own: options.get("columns", {}).get(own, own) for own in ours}
    for own in ours:
        if theirs[own] not in columns:
            if theirs[own] in [column.strip() for column in columns]:
                raise Unsure("blanks around the name of a column")
            if own in required or own in options.get("columns", {}):
                raise Refused(0, f"no column {own}")
    rows = []
    for line, record in found:
        row = {own: value(record[column], own, line) for own, column in theirs.items() if column in columns}
        for own in required:
            if row[own] is None:
                raise Refused(line, f"no {own}")
        row["line"] = line
        rows.append(row | {f"kept {column}": value(record[column], "answer", line) for column in kept})
    return rows


def value(given, own: str, line: int):
    if isinstance(given, NotANumber):
        if own in (*WHOLE, *REAL):
            raise Refused(line, f"the {own} NaN")
        return None
    if own in WHOLE:
        return as_whole(given, line, own)
    if own in REAL:
        return as_number(given, line, own)
    return as_id(given, line, own, False) if own in IDS else as_text(given, line, own)


def runs(name: str, data: bytes, options: dict, task: str) -> list[dict]:
    ours = ["question", "answer", "run", "candidate", "document", *WHOLE, *REAL]
    rows = mapped(name, data, options, ours, ["question"])
    if "answer" not in rows[0] and not ("threshold" in options and "score" in rows[0]):
        raise Unsure("no answers") if "score" in rows[0] else Refused(0, "no column answer")
    if "threshold" in options and "score" not in rows[0]:
        raise Refused(0, "no column score")
    for row in rows:
        answer = row.get("answer")
        if "threshold" in options:
            answer = decided(row["score"], options["threshold"])
        row["answer"] = answer = options.get("answers", {}).get(answer, answer)
        row["failed"] = answer in options.get("failed", [])
        row["answered"] = answer is not None and not row["failed"] and answer not in options.get("unanswered", [])
        said = answer if row["answered"] else row.get("candidate")
        row["nil"] = said in options.get("nil", []) and not row["failed"]
    return rows


def decided(score: float | None, threshold: float) -> str | None:
    if score is None or score == threshold:
        return None
    return "VALIDATED" if score > threshold else "REJECTED"


def judgments(name: str, data: bytes, options: dict, task: str) -> list[dict]:
    ours = ["question", "answer", "label", "run", "candidate", "document", "assessor"]
    closed = options.get("closed", False)
    rows = mapped(name, data, options | EMPTY, ours, ["question", "answer" if closed else "label"])
    for row in rows:
        label = row.get("label") if "label" in row else "R"
        if label is None:
            raise Refused(row["line"], "no label")
        row["label"] = options.get("labels", {}).get(label, label)
    return rows


def questions(name: str, data: bytes, options: dict, task: str) -> list[dict]:
    rows = mapped(name, data, options, ["question", "has_answer", "category"], ["question"])
    for row in rows:
        if row.get("has_answer") is not None:
            row["has_answer"] = TRUTH[word(row["has_answer"], TRUTH, row["line"], "has_answer")]
    return rows


def graded(name: str, data: bytes, options: dict, task: str) -> list[dict]:
    """Rows with the value that tells the verdict, the gold standard, and who says so."""
    gold = {"gold": options["gold"]} if "gold" in options else {}
    judged = "answer" if gold else "verdict"
    columns = options.get("columns", {}) | gold
    if options.get("layout") == "wide":
        ours = ["question", *gold, *[own for own in ("category", "candidate") if own in columns]]
        header, _ = records(name, data, options.get("quoted"))
        taken = {columns.get(own, own) for own in ours} | set(options.get("ignore", []))
        if set(options.get("ignore", [])) - set(header):
            raise Unsure("a column to be ignored that is not there")
        systems = [column for column in header if column not in taken]
        if not systems:
            raise Refused(0, "no system")
        if {column.strip(" \t").lower() for column in systems} & ROLES:
            raise Unsure("a name of something else")
        rows = mapped(name, data, options | {"columns": columns}, ours, ["question", *gold], systems)
        said = [(row, {"run": run, "value": row[f"kept {run}"]}) for row in rows for run in systems]
        return [row | one | {"assessor": "official"} for row, one in said]
    assessors = options.get("assessors") or {"official": columns.get(judged, judged)}
    said = {f"assessor {assessor}": column for assessor, column in assessors.items()}
    ours, columns = ["question", "run", "category", "candidate", *WHOLE, *REAL, *gold, *said], columns | said
    rows = mapped(name, data, options | {"columns": columns}, ours, ["question", *gold])
    return [row | {"assessor": own, "value": row[f"assessor {own}"]} for row in rows for own in assessors]


def first_of(fields: tuple, name: str, data: bytes) -> str:
    columns, _ = records(name, data)
    return next((field for field in fields if field in columns), fields[0])


def pan_runs(name: str, data: bytes, options: dict, task: str) -> list[dict]:
    field = first_of(("value", "label", "is_human"), name, data)
    rows = mapped(name, data, {"columns": {"question": "id", "score": field}}, ["question", "score"], ["question"])
    run = Path(name).parent.name if stem(name) == "answers" else stem(name)
    for row in rows:
        score = row["score"]
        if score is not None and not 0 <= score <= 1:
            raise Refused(row["line"], "value outside 0 to 1")
        answer = decided(score, 0.5)
        row |= {"run": run, "answer": answer, "answered": answer is not None}
        row["confidence"] = None if score is None else 2 * abs(score - 0.5)
    return rows


def pan_judgments(name: str, data: bytes, options: dict, task: str) -> list[dict]:
    ours = {"question": "id", "label": first_of(("same", "label", "is_human"), name, data)}
    rows = mapped(name, data, {"columns": ours}, list(ours), list(ours))
    words = {"true": "YES", "false": "NO"}
    if ours["label"] != "same":
        words |= {"1": "YES", "1.0": "YES", "0": "NO", "0.0": "NO"}
        words |= {"[false, true]": "YES", "[0, 1]": "YES", "[true, false]": "NO", "[1, 0]": "NO"}  # of two texts
    return [row | {"label": words[word(row["label"], words, row["line"], "same")]} for row in rows]


def respubliqa_runs(name: str, data: bytes, options: dict, task: str) -> list[dict]:
    columns = {"paragraph": "paragraph"} | options.get("columns", {})
    ours, required = ["question", "status", "paragraph", "text"], ["question", "status"]
    rows = mapped(name, data, options | {"columns": columns}, ours, required)
    for row in rows:
        row["answered"] = word(row["status"], ("ANSWERED", "NOA"), row["line"], "status") == "ANSWERED"
        if row["answered"] and row["paragraph"] is None:
            raise Refused(row["line"], "no paragraph")
        row |= {"document": row["paragraph"], "answer": row.get("text")}
        row["candidate"] = None if row["answered"] else row["answer"] or row["paragraph"]
    return rows


def respubliqa_judgments(name: str, data: bytes, options: dict, task: str) -> list[dict]:
    columns = ["run", "question", "paragraph", "judgment"]
    rows = mapped(name, data, options | EMPTY, columns, columns)
    labels = ("R", "W", "U", "X")
    rows = [row | {"document": row["paragraph"]} for row in rows]
    return [row | {"label": word(row["judgment"], labels, row["line"], "judgment")} for row in rows]


def romip_runs(name: str, data: bytes, options: dict, task: str) -> list[dict]:
    columns = {"rank": "rank", "answer": "answer"} | options.get("columns", {})
    ours = ["question", "rank", "kind", "answer", "document"]
    rows = mapped(name, data, options | {"columns": columns}, ours, ["question", "kind"])
    for row in rows:
        kind = word(row["kind"], ("short", "long", "none"), row["line"], "kind")
        if kind == "none" and row["answer"] is not None:
            raise Refused(row["line"], "an answer of the kind none")
        if kind != "none" and (row["rank"] is None or row["answer"] is None):
            raise Refused(row["line"], "no rank or no answer")
        row |= {"answered": kind != "none", "fragment": {"short": False, "long": True, "none": None}[kind]}
        row["rank"] = 1 if kind == "none" else row["rank"]
    return rows


def romip_judgments(name: str, data: bytes, options: dict, task: str) -> list[dict]:
    required = ["question", "answer", "label"]
    rows = mapped(name, data, options | EMPTY, [*required, "document"], required)
    labels = ("good", "long", "partial", "bad")
    return [row | {"label": word(row["label"], labels, row["line"], "label")} for row in rows]


def deft(name: str, data: bytes, options: dict, task: str) -> list[dict]:
    """Hypotheses, of runs and of references."""
    columns, _ = records(name, data, options.get("quoted"))
    answers = [column for column in ("year", "label") if column in columns]
    if len(answers) != 1:
        raise Refused(0, "not one of the columns year and label")
    ours = ["question", answers[0], "confidence"]
    return [row | {"answer": row[answers[0]]} for row in mapped(name, data, options, ours, ["question"])]
