"""The tables that a file has to become, from the rows of the naive readers: checked and completed in plain loops."""

import re
from collections import defaultdict
from decimal import Decimal

from reading import YEARS

from fuzz.naive import Refused, Unsure, lines, markup, tabular
from fuzz.naive.records import records
from fuzz.naive.text import stem, without_packing
from fuzz.naive.values import NUMBER, SHORT_NUMBER, as_number, name_of, word
from fuzz.samples import Sample

PAIRS, REFERENCES = ("validation",), ("dating", "matching")
DECISIONS = ("VALIDATED", "SELECTED", "REJECTED")
LABELS = {"qa": ("R", "W", "U", "X"), "validation": ("YES", "NO", "UNKNOWN"), "dating": ("R",), "matching": ("R",)}
ROMIP = ("good", "long", "partial", "bad")
VERDICTS = ("correct", "wrong", "partial", "unanswered", "unscored", "error")
OUTCOMES = {"tp": ("correct", True), "fp": ("wrong", False), "fn": ("wrong", True), "tn": ("correct", False)}
OUTCOMES |= {"u_p": ("unanswered", True), "u_n": ("unanswered", False)}
COUNTS = {
    "qa": "n n_ac n_aw n_u n_ur n_uw n_ue n_ux n_partial n_unscored n_error n_missing nil_returned nil_right nil_gold"
    " a b c d e q_answered q_good q_good_any q_long_good q_long_good_partial",
    "validation": "n tp fp fn tn u_p u_n n_unscored n_error n_missing n_questions q_selected_right q_rejected_right",
}
PARTS = {"qa": ["n_ac", "n_aw", "n_u"], "validation": ["tp", "fp", "fn", "tn", "u_p", "u_n"]}
NO_MORE = {
    "qa": "n_ur n_u, n_uw n_u, n_ue n_u, n_ux n_u, nil_right nil_returned, nil_right nil_gold, nil_right n_ac,"
    " q_good q_good_any, q_good_any q_answered, q_long_good q_good, q_long_good q_long_good_partial",
    "validation": "q_selected_right n_questions, q_rejected_right n_questions, q_selected_right tp",
}
ROUNDING = 0.51
COLUMNS = {
    "runs": [
        "run",
        "question",
        "rank",
        "candidate",
        "answer",
        "document",
        "confidence",
        "score",
        "position",
        "answered",
        "nil",
        "failed",
        "fragment",
    ],
    "judgments": ["assessor", "question", "candidate", "run", "document", "answer", "label"],
    "graded": [
        "assessor",
        "run",
        "question",
        "rank",
        "candidate",
        "verdict",
        "confidence",
        "score",
        "position",
        "missing",
        "positive",
        "category",
    ],
    "questions": ["question", "has_answer", "category"],
}


def by_ending(xml, other):
    """A reader of XML where the file's name ends so, of something else where it does not."""

    def read(name: str, *rest) -> list[dict]:
        return (xml if without_packing(name).suffix.lower() == ".xml" else other)(name, *rest)

    return read


DEFT = by_ending(markup.deft, tabular.deft)
RUNS = {"tabular": tabular.runs, "trec-qa": lines.trec_runs, "pan": tabular.pan_runs, "deft": DEFT}
RUNS |= {"romip": tabular.romip_runs, "ave": lines.ave_runs, "clef-qa4mre": markup.qa4mre_runs}
RUNS |= {"clef-respubliqa": tabular.respubliqa_runs}
JUDGMENTS = {"tabular": tabular.judgments, "trec-qa": lines.trec_judgments, "pan": tabular.pan_judgments}
JUDGMENTS |= {
    "romip": tabular.romip_judgments,
    "ave": by_ending(markup.ave_judgments, lines.ave_judgments),
    "deft": DEFT,
}
JUDGMENTS |= {"clef-respubliqa": tabular.respubliqa_judgments, "clef-qa4mre": markup.qa4mre_judgments}


def columns_of(sample: Sample) -> list[str]:
    return COLUMNS.get(sample.door) or ["run", *COUNTS[sample.task].split()]


def tables_of(sample: Sample, name: str, data: bytes) -> list[tuple]:
    """The rows of the table, in no order. Raises Refused or Unsure."""
    own = {"graded": graded, "questions": questions, "counts": counts, "runs": responses, "judgments": judgments}
    return own[sample.door](sample, name, data)


def responses(sample: Sample, name: str, data: bytes) -> list[tuple]:
    rows = RUNS[sample.format](name, data, sample.options, sample.task)
    rows = [{"line": 0, "nil": False, "failed": False} | row for row in rows]
    for row in rows:
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
        inside(row)
        if sample.task in PAIRS and row["answered"] and row["answer"] is not None:
            word(row["answer"], DECISIONS, row["line"], "decision")
        given = row["answered"] and not row["nil"]
        row["answer"] = row.get("answer") if given else None
        row["document"] = row.get("document") if given or not row["answered"] else None
    if sample.task in PAIRS:
        unique([row for row in rows if row["answer"] == "SELECTED"], "run", "question")
    return rows_of(rows, COLUMNS["runs"])


def run_name(row: dict, sample: Sample, name: str) -> str:
    run = name_of(row["run"], row["line"], "run") if "run" in row else name_of(stem(name), 0, "run")
    if run in ("accept-all", "reject-all") and sample.task in PAIRS:
        raise Unsure("a name that we give to runs of our own")
    return run


def rows_of(rows: list[dict], columns) -> list[tuple]:
    return [tuple(row.get(name) for name in columns) for row in rows]


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
            raise Refused(own[0]["line"], "ranks that do not start at 1")


def hypotheses(rows: list[dict], sample: Sample) -> list[dict]:
    """Answers stripped and dated, ranked by falling confidence; of equals the first in the file comes first."""
    questions = defaultdict(list)
    for row in rows:
        lone = row["answer"] is None and row.get("confidence") is not None
        if sample.format == "deft" and lone:
            raise Refused(row["line"], "a confidence without an answer")
        row["answered"] = row.get("answered", True) and row["answer"] is not None
        row["answer"] = reference(row["answer"], row["line"], sample.task) if row["answered"] else None
        inside(row)
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
    if answer.strip() != answer.strip(" \t"):
        raise Unsure("blanks that are not those of ASCII")
    answer = answer.strip()
    if task != "dating":
        return answer
    if answer.isdecimal() and answer.isascii() and not answer.startswith("0"):
        if not YEARS[0] <= int(answer) <= YEARS[1]:
            raise Refused(line, "a year out of bounds")
        return answer
    raise Unsure("is it a year?") if any(character.isdecimal() for character in answer) else Refused(line, "no year")


def judgments(sample: Sample, name: str, data: bytes) -> list[tuple]:
    rows = JUDGMENTS[sample.format](name, data, sample.options, sample.task)
    pairs, references = sample.task in PAIRS, sample.task in REFERENCES
    absent = ["run", "document", "answer"] if pairs else ["run", "document"] if references else []
    labels, said = (*LABELS[sample.task], *(ROMIP if sample.format in ("romip", "tabular") and not pairs else ())), {}
    for named in () if pairs else ("answer",) if references else ("run", "document", "answer"):
        given = [row.get(named) is not None for row in rows]
        if any(given) and not all(given):
            raise Refused(0, f"some judgments name a {named}, others do not")
    for row in rows:
        line = row.setdefault("line", 0)
        row["assessor"] = name_of(row.get("assessor", stem(name)), line * ("assessor" in row), "assessor")
        row["candidate"] = (row.get("candidate") or "") if pairs else ""
        row |= dict.fromkeys(absent)
        if references:
            if not row["answer"]:
                raise Refused(line, "no reference")
            row |= {"answer": reference(row["answer"], line, sample.task), "label": row.get("label", "R")}
        word(row["label"], labels, line, "label")
        key = tuple(row.get(name) for name in COLUMNS["judgments"] if name != "label")
        if said.setdefault(key, row["label"]) != row["label"]:
            raise Refused(line, "judgments that contradict each other")
        if references and said.setdefault((row["assessor"], row["question"]), row["answer"]) != row["answer"]:
            raise Refused(line, "a second reference")
    return list(dict.fromkeys(rows_of(rows, COLUMNS["judgments"])))


def questions(sample: Sample, name: str, data: bytes) -> list[tuple]:
    rows = tabular.questions(name, data, sample.options, sample.task)
    unique(rows, "question")
    return rows_of(rows, COLUMNS["questions"])


def graded(sample: Sample, name: str, data: bytes) -> list[tuple]:
    options = sample.options
    rows = tabular.graded(name, data, options, sample.task)
    words = {"": "unscored"} | dict(zip(VERDICTS, VERDICTS, strict=True))
    words = {"": "unscored", "unscored": "unscored"} | {o: o for o in OUTCOMES} if sample.task in PAIRS else words
    words |= options.get("verdicts", {})
    category, truth = {}, {}
    for row in rows:
        line, value = row["line"], row["value"]
        row["run"] = run_name(row, sample, name)
        row |= {"rank": row.get("rank") or 1, "candidate": row.get("candidate") or ""}
        row["missing"] = value in options.get("missing", [])
        if row["missing"]:
            row["verdict"] = "unanswered"
        elif "gold" in options:
            row["verdict"] = by_gold(value, row["gold"], options)
        else:
            verdict = words[word(value or "", words, line, "verdict")]
            row["verdict"], row["positive"] = OUTCOMES.get(verdict, (verdict, None))
        inside(row)
        agree(category, row["question"], row.get("category"), line)
        right = "unknown" if sample.task in PAIRS and row["verdict"] == "unscored" else row.get("positive")
        agree(truth, (row["assessor"], row["question"], row["candidate"]), right, line)
    check_ranks(rows)
    unique(rows, "assessor", "run", "question", "rank", "candidate")
    if "gold" in options:
        keys = {}
        for row in rows:
            agree(keys, row["question"], row["gold"], row["line"])
    return rows_of(rows, COLUMNS["graded"])


def agree(said: dict, of, value, line: int) -> None:
    """What must be the same for all runs."""
    if value is not None and said.setdefault(of, value) != value:
        if "unknown" in (value, said[of]):
            raise Unsure("whether a pair is right that some run has as unscored")
        raise Refused(line, "another category, truth or key for the same question")


def by_gold(value: str | None, gold: str, options: dict) -> str:
    if value in options.get("failed", []):
        return "error"
    if value is None or value in options.get("unanswered", []):
        return "unanswered"
    return "correct" if value == gold or as_numbers(value, gold) else "wrong"


def as_numbers(value: str, gold: str) -> bool:
    """Whether both are plain decimals, and equal as numbers."""
    one, other = value.strip(), gold.strip()
    if one == other or any(
        SHORT_NUMBER.fullmatch(text) or re.fullmatch("[0-9.+-]+[eE].*", text) for text in (one, other)
    ):
        raise Unsure("equal but for blanks, or a number written in an unusual way")
    return bool(NUMBER.fullmatch(value) and NUMBER.fullmatch(gold)) and Decimal(value) == Decimal(gold)


def counts(sample: Sample, name: str, data: bytes) -> list[tuple]:
    known = COUNTS[sample.task].split()
    columns, found = records(name, data)
    if "run" not in columns or set(columns) - {"run", *known}:
        raise Refused(0, "no column run, or one that is no count")
    parts = PARTS[sample.task]
    required = [part for part in parts if not part.startswith("u_")]
    by_category = sample.task == "qa" and {*"abcde"} <= set(columns)
    if not by_category and not set(required) <= set(columns):
        raise Refused(0, "a required count is missing")
    runs, rows = set(), []
    for line, record in found:
        run = name_of(record["run"], line, "run")
        if run.casefold() in runs:
            raise Refused(line, "a second row for a run")
        runs.add(run.casefold())
        row = {own: as_number(record[own], line, own) for own in columns if own != "run"}
        for own, number in row.items():
            if (number is None and own in required) or (number is not None and number < 0):
                raise Refused(line, "a count missing or negative")
        if None in row.values():
            raise Unsure("a count left out in some rows")
        rows.append({"run": run} | completed(row, sample.task, parts, line))
    return rows_of(rows, ["run", *known])


def completed(row: dict, task: str, parts: list[str], line: int) -> dict:
    row = {"u_p": 0.0, "u_n": 0.0} | row if task == "validation" else row
    if set(row) >= {*"abcde", *parts}:
        close(sum(row[own] for own in parts), sum(row[own] for own in "abcde"), line)
    parts = parts if set(parts) <= set(row) else list("abcde")
    total = sum(row[own] for own in parts)
    row.setdefault("n", total)
    close(row["n"], total, line)
    for bound in NO_MORE[task].split(","):
        less, more = bound.split()
        if less in row and more in row and row[less] > row[more]:
            raise Refused(line, f"more {less} than {more}")
    if any(number > row["n"] for number in row.values()):
        raise Unsure("more than n")
    return row


def close(one: float, other: float, line: int) -> None:
    missed = abs(one - other)
    if missed > 1e-9 * max(one, 1):
        raise Refused(line, "an n that is not the sum") if missed > ROUNDING else Unsure("rounded?")
