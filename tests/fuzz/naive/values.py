"""What a value may be: text, an id, a number, one of some words, a name."""

import math
import re

from fuzz.naive import Refused, Unsure
from fuzz.naive.records import Odd, Plain

NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")
SHORT_NUMBER = re.compile(r"[+-]?([0-9]+\.|\.[0-9]+)([eE][+-]?[0-9]+)?")  # .5 and 5.


def as_text(value, line: int, what: str) -> str | None:
    """The value of a column that holds text."""
    if isinstance(value, Odd):
        raise Unsure(f"a {what} that is no text")
    if isinstance(value, Plain) and not value.isdecimal():
        raise Unsure(f"a {what} that is a number with a fraction: as what text?")
    if value is not None and not value.strip():
        raise Unsure(f"a {what} of blanks")
    return None if value is None else str(value)


def as_id(value, line: int, what: str, required: bool = True) -> str | None:
    """The value of a column that tells which question, pair or assessor."""
    if value is None and required:
        raise Refused(line, f"no {what}")
    return as_text(value, line, what)


def as_number(value, line: int, what: str) -> float | None:
    """A plain decimal; blanks around it do no harm."""
    if value is None:
        return None
    if isinstance(value, Odd):
        raise Unsure(f"a {what} that is no text")
    text, bare = value.strip(" \t"), value.strip()
    if not bare or SHORT_NUMBER.fullmatch(bare) or (text != bare and NUMBER.fullmatch(bare)):
        raise Unsure(f"is {text!r} a plain decimal?")
    if not NUMBER.fullmatch(text):
        raise Refused(line, f"the {what} is no number")
    if not math.isfinite(float(text)):
        raise Refused(line, f"the {what} is not finite")
    return float(text)


def as_whole(value, line: int, what: str) -> int | None:
    number = as_number(value, line, what)
    if number is None:
        return None
    if not number.is_integer() or abs(number) >= 2**31:
        raise Refused(line, f"the {what} is no whole number")
    if not re.fullmatch(r"[+-]?[0-9]{1,9}(\.0+)?", value.strip(" \t")):
        raise Unsure(f"the {what} is a whole number, written unlike one")
    if number < 1:
        raise Refused(line, f"the {what} is less than 1")
    return int(number)


def word(value, words, line: int, what: str) -> str:
    """One of these words; in other letters, or with blanks around it, the documentation leaves it open."""
    if value in words:
        return str(value)
    if isinstance(value, Odd) or (value and value.strip().casefold() in [known.casefold() for known in words]):
        raise Unsure(f"is {value!r} a {what}?")
    raise Refused(line, f"unknown {what}")


def name_of(value, line: int, what: str) -> str:
    """The name of a run or assessor, that can be shown."""
    name = as_id(value, line, what)
    if any(ord(character) < 32 or ord(character) == 127 for character in name) or len(name) > 300:
        raise Refused(line, f"a {what} that cannot be shown")
    return name
