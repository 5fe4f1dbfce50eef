"""The formats of lines, with white space between their fields."""

import re

from fuzz.naive import Refused, Unsure
from fuzz.naive.text import lines_of, text_of
from fuzz.naive.values import NUMBER, SHORT_NUMBER, as_number, as_whole, word

LABELS = {"-1": "W", "1": "R", "2": "U", "3": "X"}


def fields_of(name: str, data: bytes) -> list[tuple[int, list[str]]]:
    return [(number, re.findall(r"[^ \t]+", line)) for number, line in lines_of(text_of(name, data))]


def trec_runs(name: str, data: bytes, options: dict, task: str) -> list[dict]:
    lines = fields_of(name, data)
    ranked = 2 * sum(looks_ranked(fields) for _, fields in lines) >= len(lines)
    ranked = options["layout"] == "ranked" if "layout" in options else ranked
    rows, tags = [], set()
    for place, (line, fields) in enumerate(lines, start=1):
        if ranked:
            question, *fields = fields[:1] + fields[1:][fields[1:2] == ["Q0"] :]
            if len(fields) < 4:
                raise Refused(line, "too few fields")
            document, rank, score, tag, *answer = fields
            row = {"rank": as_whole(rank, line, "rank"), "score": as_number(score, line, "score")}
        else:
            if len(fields) < 3:
                raise Refused(line, "too few fields")
            (question, tag, document, *answer), row = fields, {"position": place}
        tags.add(tag)
        if len(tags) > 1:
            raise Refused(line, "a second tag")
        nil = document == "NIL"
        if not answer and not nil:
            raise Refused(line, "no answer")
        row |= {"line": line, "run": tag, "question": question, "nil": nil, "answered": True}
        rows.append(row | {"document": document, "answer": " ".join(answer)})
    return with_confidence(rows)


def looks_ranked(fields: list[str]) -> bool:
    if len(fields) < 5 or fields[1] == "Q0":
        return fields[1:2] == ["Q0"]
    if SHORT_NUMBER.fullmatch(fields[3]) or re.fullmatch(r"[+-]?[0-9]{10,}", fields[2]):
        raise Unsure("a number?")
    return bool(re.fullmatch(r"[+-]?[0-9]+", fields[2]) and NUMBER.fullmatch(fields[3]))


def with_confidence(rows: list[dict]) -> list[dict]:
    """Scores are confidences too, if all of the file lie between 0 and 1."""
    inside = all(0 <= row["score"] <= 1 for row in rows if row.get("score") is not None)
    return [row | {"confidence": row.get("score") if inside else None} for row in rows]


def trec_judgments(name: str, data: bytes, options: dict, task: str) -> list[dict]:
    rows = []
    for line, fields in fields_of(name, data):
        if len(fields) < 3 and fields[1:] == ["NIL"]:
            raise Unsure("a line for NIL without a judgment")
        if len(fields) < 3 or (len(fields) < 4 and fields[1] != "NIL"):
            raise Refused(line, "too few fields")
        question, document, judgment, *answer = fields
        if document == "NIL":
            rows.append({"line": line, "question": question, "document": "NIL", "answer": "NIL", "label": "W"})
            continue
        label = LABELS.get(judgment) or word(judgment, LABELS.values(), line, "judgment")
        row = {"line": line, "question": question, "document": document}
        rows.append(row | {"answer": " ".join(answer), "label": label})
    return rows


def ave_runs(name: str, data: bytes, options: dict, task: str) -> list[dict]:
    rows = []
    for line, fields in fields_of(name, data):
        if len(fields) not in (3, 4):
            raise Refused(line, "neither 3 nor 4 fields")
        question, candidate, decision = fields[:3]
        row = {"line": line, "question": question, "candidate": candidate, "answered": True}
        row["answer"] = word(decision, ("VALIDATED", "SELECTED", "REJECTED"), line, "decision")
        rows.append(row | {"score": as_number(fields[3], line, "score") if fields[3:] else None})
    return with_confidence(rows)


def ave_judgments(name: str, data: bytes, options: dict, task: str) -> list[dict]:
    rows = []
    for line, fields in fields_of(name, data):
        if len(fields) != 3:
            raise Refused(line, "not 3 fields")
        ids = {"line": line, "question": fields[0], "candidate": fields[1]}
        rows.append(ids | {"label": word(fields[2], ("YES", "NO", "UNKNOWN"), line, "label")})
    return rows
