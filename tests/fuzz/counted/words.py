"""What the text of an answer says (docs/logs.md): refusals, spelling, equality of answers."""

import re
import string
from decimal import Decimal

from fuzz.counted import drawing, split_words
from fuzz.counted.drawing import Draw

ANSWERS = split_words('Paris|paris|The Paris|Rome|Rome |São Paulo|1|1.0|a b|the "Rome"|x,y|NULL')
REFUSALS = split_words("I cannot say|i CANNOT tell|It’s not known|Sorry, Rome|no, it was Paris")
REFUSALS += ["well, not known here"]
PHRASES = ["i cannot", "It's not", "sorry", "NO,"]
KINDS = ("prefixes", "contains")
PARTS = ["not known", "CANNOT T", "was paris"]


def rules(draw: Draw) -> dict:
    """Some rules on the text of answers; none in most campaigns."""
    if not draw.chance(0.25):
        return {}
    selection = {"prefixes": draw.choose(PHRASES, 0, 2)}
    selection["contains"] = draw.choose(PARTS, 0, 2)
    selection["lists"] = draw.choose([drawing.LIST], 0, 1)
    selection = {name: phrases for name, phrases in selection.items() if phrases}
    if draw.chance(0.3):
        selection["empty"] = draw.choice(["unanswered", "wrong", "error"])
    return selection or {"prefixes": ["sorry"]}


def fold(text: str) -> str:
    """Capitals, blanks around it and the form of apostrophes do not count."""
    return re.sub("[’‘ʼ`´]", "'", text).strip().lower()


def apply_refusals(text: str | None, rules: dict) -> str | None:
    """What the rules make of an answer that was given; None = no rule is about it."""
    if text is None or not text.strip():
        return rules.get("empty")
    spelt, lists = fold(text), [drawing.PHRASES] if "lists" in rules else []
    phrases = {
        name: [*rules.get(name, []), *(word for words in lists for word in words[name])]
        for name in KINDS
    }
    begins = any(spelt.startswith(fold(phrase)) for phrase in phrases["prefixes"])
    holds = any(fold(phrase) in spelt for phrase in phrases["contains"])
    return "unanswered" if begins or holds else None


def squad(text: str) -> str:
    """As evaluate-v2.0.py spells answers; one of which nothing would be left stays as it is."""
    bare = "".join(letter for letter in text.lower() if letter not in string.punctuation)
    spelt = " ".join(re.sub(r"\b(a|an|the)\b", " ", bare).split())
    return spelt or text


def are_equal(a: str, b: str) -> bool:
    """Whether two fields are the same text, or plain decimals and the same number."""
    if a == b:
        return True
    plain = [re.fullmatch(r" *[+-]?([0-9]+\.?[0-9]*|\.[0-9]+) *", text) for text in (a, b)]
    return all(plain) and Decimal(a.strip()) == Decimal(b.strip())


def among(text: str, words: list[str]) -> bool:
    return any(are_equal(text, word) for word in words)
