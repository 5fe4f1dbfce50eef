"""Door two: responses that are graded already, by words or by the right answer."""

import re
from decimal import Decimal

from fuzz.naive import Refused, Unsure, tabular
from fuzz.naive.values import NUMBER, SHORT_NUMBER, word

VERDICTS = ("correct", "wrong", "partial", "unanswered", "unscored", "error")
OUTCOMES = {"tp": ("correct", True), "fp": ("wrong", False), "fn": ("wrong", True), "tn": ("correct", False)}
OUTCOMES |= {"u_p": ("unanswered", True), "u_n": ("unanswered", False)}


def graded(name: str, data: bytes, options: dict, task: str) -> list[dict]:
    """A row per response and assessor; what is said of a question or pair is the same for all runs."""
    known = ("unscored", *OUTCOMES) if task == "validation" else VERDICTS
    words = {own: own for own in known} | {"": "unscored"} | options.get("verdicts", {})
    rows, categories, keys, truths = tabular.graded(name, data, options, task), {}, {}, {}
    for row in rows:
        line, value, question = row["line"], row["value"], row["question"]
        row |= {"rank": row.get("rank") or 1, "candidate": row.get("candidate") or ""}
        row["missing"] = value in options.get("missing", [])
        if row["missing"]:
            row["verdict"] = "unanswered"
        elif "gold" in options:
            row["verdict"] = by_gold(value, row["gold"], options)
        else:
            verdict = words[word(value or "", words, line, "verdict")]
            row["verdict"], row["positive"] = OUTCOMES.get(verdict, (verdict, None))
        agree(categories, question, row.get("category"), line)
        agree(keys, question, row.get("gold"), line)
        unknown = task == "validation" and row["verdict"] == "unscored"
        agree(
            truths, (row["assessor"], question, row["candidate"]), "unknown" if unknown else row.get("positive"), line
        )
    return rows


def agree(said: dict, of, value, line: int) -> None:
    if value is not None and said.setdefault(of, value) != value:
        if "unknown" in (value, said[of]):
            raise Unsure("whether a pair is right that some run has as unscored")
        raise Refused(line, "another category, truth or key for the same question")


def by_gold(value: str | None, gold: str, options: dict) -> str:
    if value in options.get("failed", []):
        return "error"
    if value is None or value in options.get("unanswered", []):
        return "unanswered"
    return "correct" if value == gold or equal_numbers(value, gold) else "wrong"


def equal_numbers(*texts: str) -> bool:
    """Whether all are plain decimals, and equal as numbers."""
    bare = [text.strip() for text in texts]
    unusual = any(SHORT_NUMBER.fullmatch(text) or re.fullmatch("[0-9.+-]+[eE].*", text) for text in bare)
    if unusual or len(set(bare)) == 1:
        raise Unsure("equal but for blanks, or a number written in an unusual way")
    return all(NUMBER.fullmatch(text) for text in texts) and len({Decimal(text) for text in texts}) == 1
