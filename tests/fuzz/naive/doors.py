"""The tables that a file has to become, by the door that it comes through: all rows checked and completed."""

from collections import defaultdict

from reading import YEARS

from fuzz.naive import Refused, Unsure, counts, formats, graded, logs, tabular
from fuzz.naive.text import stem
from fuzz.naive.values import name_of, word
from fuzz.samples import Sample

PAIRS, REFERENCES = ("validation",), ("dating", "matching")
DECISIONS = ("VALIDATED", "SELECTED", "REJECTED")
LABELS = {"qa": ("R", "W", "U", "X"), "validation": ("YES", "NO", "UNKNOWN"), "dating": ("R",), "matching": ("R",)}
ROMIP = ("good", "long", "partial", "bad")
COLUMNS = {
    "runs": "run question rank candidate answer document confidence score position answered nil failed fragment",
    "judgments": "assessor question candidate run document answer label",
    "graded": "assessor run question rank candidate verdict confidence score position missing positive category",
    "questions": "question has_answer category",
}


def columns_of(sample: Sample) -> list[str]:
    """The columns of the table in which it is compared."""
    return (COLUMNS.get(sample.door) or "run " + counts.COUNTS[sample.task]).split()


def tables_of(sample: Sample, name: str, data: bytes) -> list[tuple]:
    """The rows of the table, in no order. Raises Refused or Unsure."""
    if sample.door == "counts":
        rows = counts.counts(name, data, sample.task)
    else:
        doors = {"runs": responses, "judgments": judgments, "graded": graded_responses, "questions": questions}
        rows = doors[sample.door](sample, name, data)
    tuples = [tuple(row.get(column) for column in columns_of(sample)) for row in rows]
    return list(dict.fromkeys(tuples)) if sample.door == "judgments" else tuples  # one said twice is said once


def responses(sample: Sample, name: str, data: bytes) -> list[dict]:
    rows = formats.RUNS[sample.format](name, data, sample.options, sample.task)
    rows = [{"line": 0, "nil": False, "failed": False} | row for row in rows]
    for row in rows:
        inside(row)
        row["run"] = run_name(row, sample, name)
        row["rank"] = row.get("rank") or 1
        if sample.task in PAIRS:
            row["candidate"] = row.get("candidate") or ""
    if sample.task in REFERENCES:
        rows = hypotheses(rows, sample)
    else:
        check_ranks(rows)
        unique(rows, "run", "question", "candidate" if sample.task in PAIRS else "rank")
    for row in rows:
        if sample.task in PAIRS and row["answered"] and row["answer"] is not None:
            word(row["answer"], DECISIONS, row["line"], "decision")
        given = row["answered"] and not row["nil"]
        row["answer"] = row.get("answer") if given else None
        row["document"] = row.get("document") if given or not row["answered"] else None
    if sample.task in PAIRS:
        unique([row for row in rows if row["answer"] == "SELECTED"], "run", "question")
    return rows


def run_name(row: dict, sample: Sample, name: str) -> str:
    """The run's name, from its column or from the file's."""
    run = name_of(row["run"], row["line"], "run") if "run" in row else name_of(stem(name), 0, "run")
    if run in ("accept-all", "reject-all") and sample.task in PAIRS:
        raise Unsure("a name that we give to runs of our own")
    return run


def inside(row: dict) -> None:
    if row.get("confidence") is not None and not 0 <= row["confidence"] <= 1:
        raise Refused(row["line"], "a confidence outside 0 to 1")


def unique(rows: list[dict], *key: str) -> None:
    seen = set()
    for row in rows:
        value = tuple(row[name] for name in key)
        if value in seen:
            raise Refused(row["line"], f"a second {', '.join(key)}")
        seen.add(value)


def check_ranks(rows: list[dict]) -> None:
    ranks = defaultdict(list)
    for row in rows:
        ranks[row["run"], row["question"]].append(row)
    for own in ranks.values():
        if min(row["rank"] for row in own) > 1:
            raise Refused(min(own, key=lambda row: row["rank"])["line"], "ranks that do not start at 1")


def hypotheses(rows: list[dict], sample: Sample) -> list[dict]:
    """Answers stripped and dated, ranked by falling confidence; of equals the first in the file comes first."""
    questions = defaultdict(list)
    for row in rows:
        if sample.format == "deft" and row["answer"] is None and row.get("confidence") is not None:
            raise Refused(row["line"], "a confidence without an answer")
        row["answered"] = row.get("answered", True) and row["answer"] is not None
        row["answer"] = reference(row["answer"], row["line"], sample.task) if row["answered"] else None
        row["confidence"] = row.get("confidence") if row["answered"] else None
        questions[row["run"], row["question"]].append(row)
    for own in questions.values():
        if len(own) == 1 and own[0]["answered"] and own[0]["confidence"] is None:
            own[0]["confidence"] = 1.0
        for row in own:
            if len(own) > 1 and row["confidence"] is None:
                raise Refused(row["line"], "one of several hypotheses without answer or confidence")
        unique([row for row in own if row["answered"]], "answer")
        missed = abs(sum(row["confidence"] for row in own if row["answered"]) - 1)
        if own[0]["answered"] and missed > 0.99e-6:
            raise Refused(own[0]["line"], "confidences that do not sum to 1") if missed > 1.01e-6 else Unsure("just so")
        for rank, row in enumerate(sorted(own, key=lambda row: -(row["confidence"] or 0)), start=1):
            row["rank"] = rank
    return rows


def reference(answer: str, line: int, task: str) -> str:
    """A year or label, without blanks around it."""
    if answer.strip() != answer.strip(" \t"):
        raise Unsure("blanks that are not those of ASCII")
    answer = answer.strip()
    if task != "dating":
        return answer
    if not answer.isdecimal() or not answer.isascii() or answer.startswith("0"):
        digits = any(character.isdecimal() for character in answer)
        raise Unsure("is it a year?") if digits else Refused(line, "no year")
    if not YEARS[0] <= int(answer[:9]) <= YEARS[1]:
        raise Refused(line, "a year out of bounds")
    return answer


def judgments(sample: Sample, name: str, data: bytes) -> list[dict]:
    rows = formats.JUDGMENTS[sample.format](name, data, sample.options, sample.task)
    pairs, references = sample.task in PAIRS, sample.task in REFERENCES
    named = [] if pairs else ["answer"] if references else ["run", "document", "answer"]
    romip, said = sample.format in ("romip", "tabular") and sample.task == "qa", {}
    for own in named:
        if len({row.get(own) is None for row in rows}) > 1:
            raise Refused(0, f"a judgment that leaves out the {own}, which others name")
    if named == ["run", "document", "answer"] and rows and all(rows[0].get(own) is None for own in named):
        raise Refused(0, "judgments that name nothing")
    for row in rows:
        line = row.setdefault("line", 0)
        row["assessor"] = name_of(row.get("assessor", stem(name)), line * ("assessor" in row), "assessor")
        row["candidate"] = (row.get("candidate") or "") if pairs else ""
        row |= dict.fromkeys({"run", "document", "answer"} - set(named))
        if references:
            if not row["answer"]:
                raise Refused(line, "no reference")
            row |= {"answer": reference(row["answer"], line, sample.task), "label": row.get("label", "R")}
        word(row["label"], (*LABELS[sample.task], *(ROMIP if romip else ())), line, "label")
        key = tuple(row.get(own) for own in ("assessor", "question", "candidate", *named))
        if said.setdefault(key, row["label"]) != row["label"]:
            raise Refused(line, "judgments that contradict each other")
        if references and said.setdefault(("reference", *key[:2]), row["answer"]) != row["answer"]:
            raise Refused(line, "a second reference")
    return rows


def questions(sample: Sample, name: str, data: bytes) -> list[dict]:
    rows = tabular.questions(name, data, sample.options, sample.task)
    unique(rows, "question")
    return rows


def graded_responses(sample: Sample, name: str, data: bytes) -> list[dict]:
    reader = logs.GRADED.get(sample.format, graded.graded)
    rows = reader(name, data, sample.options, sample.task)
    for row in rows:
        inside(row)
        row["run"] = run_name(row, sample, name)
    check_ranks(rows)
    unique(rows, "assessor", "run", "question", "rank", "candidate")
    return rows
