"""JSON that is too long to be held as objects all at once: its pieces, one after the other, each with its line.

Only as much of the bytes is decoded to text as the next piece needs. NaN and Infinity are read, as Python writes them.
"""

import codecs
import io
import json
from collections.abc import Callable, Iterator
from typing import NamedTuple

from nonresponse.faults import Fault, shown
from nonresponse.formats.text import BLANKS, WINDOW, read_bytes, read_text

DEEPEST = "brackets within brackets too deep to be read"
BLANK = " \t\n\r"


class NotJson(ValueError):
    """What is wrong, and the line it is on."""

    def __init__(self, line: int, found: str):
        super().__init__(found)
        self.line, self.found = line, found


class Piece(NamedTuple):
    """A value, the names of the objects that it is in and its own, and the line that it begins on."""

    path: tuple[str, ...]
    value: object
    line: int


def value_of(file: str, options: dict, faults: list[Fault]) -> object:
    """The value in a file, as a whole; null, and a fault, where there is none."""
    data, found = read_bytes(file, options)
    faults += found
    try:
        return None if found else loaded(data)
    except NotJson as error:
        faults.append(Fault(file, error.line, error.found, "JSON"))
        return None


def elements_of(file: str, array: tuple[str, ...], options: dict, faults: list[Fault]) -> Iterator[tuple[int, object]]:
    """The elements of the array at this path in a file, each with its line, as far as there are any."""
    data, found = read_bytes(file, options)
    faults += found
    try:
        for piece in pieces(data, array) if not found else ():
            if piece.path == array:
                yield piece.line, piece.value
    except NotJson as error:
        faults.append(Fault(file, error.line, error.found, "JSON"))


def lines_of(file: str, expected: str, options: dict, faults: list[Fault]) -> Iterator[tuple[int, dict]]:
    """The object on each line that is not blank, with its number; a line at fault is left out."""
    data, found = read_text(file, options)
    faults += found
    for line, ended in enumerate(io.BytesIO(data), start=1):
        content = ended.removesuffix(b"\n")
        if not content.strip(BLANKS.encode()):
            continue
        try:
            value = json.loads(content)
        except (ValueError, RecursionError) as error:
            faults.append(Fault(file, line, f"text that is not JSON ({str(error)[:60]})", expected))
            continue
        if isinstance(value, dict):
            yield line, value
        else:
            faults.append(Fault(file, line, shown(value), expected))


def loaded(data: bytes) -> object:
    """The value as a whole. Raises NotJson."""
    try:
        return json.loads(data.decode())
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise NotJson(line, f"a byte that is not UTF-8 ({error.reason})") from None
    except json.JSONDecodeError as error:
        raise NotJson(error.lineno, f"text that is not JSON ({error.msg})") from None
    except RecursionError:
        raise NotJson(1, DEEPEST) from None
    except ValueError as error:  # a number of thousands of digits
        raise NotJson(1, f"text that is not JSON ({str(error)[:60]})") from None


def pieces(data: bytes, array: tuple[str, ...], of_pairs: Callable[[list[tuple]], dict] = dict) -> Iterator[Piece]:
    """The elements of the array at this path one by one, and every other value beside its path as a whole.

    The elements have the path of the array. Where there is something else at the path, that is a piece. `of_pairs`
    makes an object of its names and values. Raises NotJson, also where a name on the way to the array stands twice
    (with `of_pairs`: any name beside the way).
    """
    text = Text(data, of_pairs)
    yield from within(text, (), array)
    if text.next():
        raise NotJson(text.line, f"{shown(text.rest())} after the end of the JSON value")


def within(text: "Text", path: tuple[str, ...], array: tuple[str, ...]) -> Iterator[Piece]:
    """The pieces of the value that begins here."""
    letter = text.next()
    if letter == "[" and path == array:
        yield from elements(text, path)
    elif letter == "{" and path == array[: len(path)] and path != array:
        yield from members(text, path, array)
    else:
        line = text.line
        yield Piece(path, text.value(), line)


def elements(text: "Text", path: tuple[str, ...]) -> Iterator[Piece]:
    """Each element of an array."""
    text.take("[")
    while text.next() != "]":
        line = text.line
        yield Piece(path, text.value(), line)
        if text.next() != "]":
            text.take(",")
            if text.next() == "]":
                raise NotJson(text.line, "a comma before ]")
    text.take("]")


def members(text: "Text", path: tuple[str, ...], array: tuple[str, ...]) -> Iterator[Piece]:
    """The pieces of each value of an object."""
    text.take("{")
    names: set[str] = set()
    while text.next() != "}":
        name = text.value()
        if not isinstance(name, str):
            raise NotJson(text.line, f"{shown(name)} where a name is due")
        if name in names and (text.strict or name == array[len(path)]):
            raise NotJson(text.line, f"the key {shown(name)} twice")
        names.add(name)
        text.take(":")
        yield from within(text, (*path, name), array)
        if text.next() != "}":
            text.take(",")
            if text.next() == "}":
                raise NotJson(text.line, "a comma before }")
    text.take("}")


class Text:
    """Bytes as text, as far as they are needed, and the place that reading has come to."""

    def __init__(self, data: bytes, of_pairs: Callable[[list[tuple]], dict] = dict):
        self.data, self.taken = memoryview(data), 0
        self.decoder = codecs.getincrementaldecoder("utf-8")()
        self.text, self.at, self.line = "", 0, 1
        self.strict = of_pairs is not dict
        self.scan = json.JSONDecoder(object_pairs_hook=None if of_pairs is dict else of_pairs).raw_decode

    def more(self, least: int = WINDOW) -> bool:
        """Decodes more of the bytes, and forgets the text that is read; whether there was more."""
        if self.taken >= len(self.data):
            return False
        end = self.taken + least
        try:
            added = self.decoder.decode(self.data[self.taken : end], final=end >= len(self.data))
        except UnicodeDecodeError as error:
            line = bytes(self.data[: self.taken + error.start]).count(b"\n") + 1
            raise NotJson(line, f"a byte that is not UTF-8 ({error.reason})") from None
        self.text, self.at, self.taken = self.text[self.at :] + added, 0, end
        return True

    def next(self) -> str:
        """The next letter that is not blank, where reading then is; empty at the end."""
        while True:
            begin = self.at
            while self.at < len(self.text) and self.text[self.at] in BLANK:
                self.at += 1
            self.line += self.text.count("\n", begin, self.at)
            if self.at < len(self.text):
                return self.text[self.at]
            if not self.more():
                return ""

    def take(self, letter: str) -> None:
        """Goes beyond this letter, which has to be next."""
        if self.next() != letter:
            found = shown(self.rest()) if self.next() else "the end"
            raise NotJson(self.line, f"{found} where {letter} is due")
        self.at += 1

    def rest(self) -> str:
        """What comes next, as much as a fault shows."""
        return self.text[self.at : self.at + 20]

    def value(self) -> object:
        """The value that begins here, whose end may not be decoded yet."""
        if not self.next():
            raise NotJson(self.line, "the end of the file within a value")
        least = WINDOW
        while True:
            problem: str | None = None
            try:
                value, end = self.scan(self.text, self.at)
            except RecursionError:
                raise NotJson(self.line, DEEPEST) from None
            except ValueError as error:
                problem = str(error)[:60]
            if problem is None and end < len(self.text):
                break
            if not self.more(least):  # a number at the very end may be whole
                if problem is None:
                    break
                raise NotJson(self.line, f"text that is not JSON ({problem})")
            least *= 2
        self.line += self.text.count("\n", self.at, end)
        self.at = end
        return value
