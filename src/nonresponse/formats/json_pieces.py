"""JSON that is too long to be held as objects all at once: its pieces, one after the other, each
with its line.

Only as much of the bytes is decoded to text as the next piece needs. NaN and Infinity are read, as
Python writes them.
"""

import codecs
import json
import math
import re
import string
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from nonresponse.faults import Fault, shown
from nonresponse.formats.text import BLANKS, WINDOW, Faults, lines, most_fields, read_bytes, stream
from nonresponse.settings import Files

OfPairs = Callable[[list[tuple]], dict]  # makes an object of its names and values
Way = tuple[str | None, ...]  # names of objects within each other; null stands for any name

DEEPEST = "brackets within brackets too deep to be read"
PARTS = ",[{"  # each element or name but the first comes after a comma
LETTER = re.compile(r"[^ \t\n\r]")


class NotJsonError(ValueError):
    """What is wrong, and the line it is on."""

    def __init__(self, line: int, found: str):
        super().__init__(found)
        self.line, self.found = line, found


class RepeatedKeyError(ValueError):
    def __str__(self) -> str:
        return f"the key {shown(self.args[0])} twice"


class Piece(NamedTuple):
    """A value, the path of names that leads to it, and the line that it begins on."""

    path: tuple[str, ...]
    value: object
    line: int
    element: bool = False  # whether it is an element of the array at that path


def begins_with(file: str | Path, options: Files) -> str:
    """Return the first letter of the value in a file; empty where there is none."""
    with suppress(NotJsonError):
        return Text(stream(file, options, Faults(file)), None).next()
    return ""


def value_of(file: str, options: Files, faults: list[Fault]) -> object:
    """Return the value in a file, as a whole; null, and a fault, where there is none."""
    data, unreadable = read_bytes(file, options)
    faults += unreadable
    try:
        return None if unreadable else loaded(data, most_fields(file, options))
    except NotJsonError as error:
        faults.append(Fault(file, error.line, error.found, "JSON"))
        return None


def elements_of(
    file: str, array: tuple[str, ...], options: Files, faults: list[Fault]
) -> Iterator[tuple[int, object]]:
    """Return the elements of the array at this path in a file, each with its line, as far as there
    are any."""
    for piece in pieces_of(file, (array,), options, faults):
        if piece.path == array:
            yield piece.line, piece.value


def pieces_of(
    file: str, arrays: Iterable[tuple[str, ...]], options: Files, faults: list[Fault]
) -> Iterator[Piece]:
    """Return the pieces of the value in a file, as far as they can be read; what is wrong with it
    becomes a fault."""
    unreadable = Faults(file)
    data, most = stream(file, options, unreadable), most_fields(file, options)
    try:
        yield from pieces(data, *arrays, most=most)
    except NotJsonError as error:
        if not unreadable:
            faults.append(Fault(file, error.line, error.found, "JSON"))
    faults += unreadable


def lines_of(
    file: str, expected: str, options: Files, faults: list[Fault]
) -> Iterator[tuple[int, dict]]:
    """Return the object on each line that is not blank, with its number; a line at fault is left
    out."""
    of_file = Faults(file)
    most, numbered = most_fields(file, options), lines(file, options, of_file)
    for line, value in values_on(numbered, expected, of_file, blank=BLANKS, most=most):
        if isinstance(value, dict):
            yield line, value
        else:
            of_file.add(line, shown(value), expected)
    faults += of_file


def values_on(
    numbered: Iterable[tuple[int, str]],
    expected: str,
    faults: Faults,
    of_pairs: OfPairs | None = None,
    blank: str = string.whitespace,
    most: float = math.inf,
) -> Iterator[tuple[int, object]]:
    """Return the value on each line, with its number; a line that is not JSON is a fault, a blank
    one is left out.

    So is a line with a value of more than `most` parts.
    """
    for number, content in numbered:
        if not content.strip(blank):
            continue
        try:
            check_parts(content, 0, most)
            yield number, json.loads(content, object_pairs_hook=of_pairs)
        except RepeatedKeyError as error:
            faults.add(number, str(error), "each key once in an object")
        except (ValueError, RecursionError) as error:
            faults.add(number, f"text that is not JSON ({str(error)[:60]})", expected)


def check_parts(text: str, begin: int, most: float) -> None:
    """ValueError if a text has more than `most` marks of parts of a value, each of which takes
    memory."""
    if len(text) - begin > most and sum(text.count(mark, begin) for mark in PARTS) > most:
        raise ValueError(f"more than {most:,.0f} parts of a value, by `unpacked:`")


def loaded(data: bytes, most: float) -> object:
    """Return the value as a whole, of at most that many parts. Raises NotJsonError."""
    try:
        text = data.decode()
        check_parts(text, 0, most)
        return json.loads(text)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise NotJsonError(line, f"a byte that is not UTF-8 ({error.reason})") from None
    except RecursionError:
        raise NotJsonError(1, DEEPEST) from None
    except ValueError as error:  # of JSON, or of a number of thousands of digits
        found = f"text that is not JSON ({getattr(error, 'msg', str(error)[:60])})"
        raise NotJsonError(getattr(error, "lineno", 1), found) from None


def pieces(
    data: Iterable[bytes], *arrays: Way, of_pairs: OfPairs | None = None, most: float = math.inf
) -> Iterator[Piece]:
    """Return the elements of the arrays at these paths one by one, and every value that is not on
    the way to them as a whole.

    Elements have the path of their array. A value at such a path that is no array is one piece.
    `of_pairs` makes an object of its names and values. Raises NotJsonError, also if a name on the
    way to an array occurs twice (with `of_pairs`: any name in an object on the way), or a piece has
    more than `most` parts.
    """
    text = Text(data, of_pairs, most)
    yield from pieces_within(text, (), {*arrays})
    text.ended()


def arrays_in(data: Iterable[bytes], most: float, depth: int = 4) -> dict[tuple[str, ...], bool]:
    """Return the paths of arrays at most `depth` objects deep, each with whether it begins with an
    object. Raises NotJsonError."""
    text, found = Text(data, None, most), dict[tuple[str, ...], bool]()

    def look(path: tuple[str, ...]) -> None:
        letter = text.next()
        if letter == "[":
            found[path] = [isinstance(text.value(), dict) for _ in text.each("]")][:1] == [True]
        elif letter == "{" and len(path) < depth:
            for _ in text.each("}"):
                name = str(text.value())
                text.take(":")
                look((*path, name))
        else:
            text.value()

    look(())
    text.ended()
    return found


def pieces_within(text: "Text", path: tuple[str, ...], arrays: set[Way]) -> Iterator[Piece]:
    """Return the pieces of the value that begins here; `arrays`: the ways from here to those whose
    elements are pieces."""
    letter = text.next()
    if letter == "[" and () in arrays:
        for line in text.each("]"):
            yield Piece(path, text.value(), line, element=True)
    elif letter == "{" and any(arrays):
        names: set[str] = set()
        for _ in text.each("}"):
            name = text.value()
            if not isinstance(name, str):
                raise NotJsonError(text.line, f"{shown(name)} where a name is due")
            further = {way[1:] for way in arrays if way[:1] in ((name,), (None,))}
            if name in names and (text.strict or further):
                raise NotJsonError(text.line, f"the key {shown(name)} twice")
            names.add(name)
            text.take(":")
            yield from pieces_within(text, (*path, name), further)
    else:
        line = text.line
        yield Piece(path, text.value(), line)


class Text:
    """Bytes that are decoded to text as they are needed, and the place that reading has reached."""

    def __init__(self, data: Iterable[bytes], of_pairs: OfPairs | None, most: float = math.inf):
        self.data, self.most = iter(data), most
        self.decoder = codecs.getincrementaldecoder("utf-8")()
        self.text, self.at, self.line = "", 0, 1
        self.lines = 1  # lines begun in the decoded text
        self.strict = of_pairs is not None
        self.scan = json.JSONDecoder(object_pairs_hook=of_pairs).raw_decode

    def more(self, least: int = WINDOW) -> bool:
        """Decode at least `least` more bytes, and forget the text already read; false if there
        were none left."""
        added, number, piece = [], 0, b""
        while number < least and (piece := next(self.data, b"")):
            number += len(piece)
            added.append(self.decoded(piece))
        if not piece:
            added.append(self.decoded(b"", final=True))
        self.text, self.at = "".join([self.text[self.at :], *added]), 0
        return number > 0

    def decoded(self, piece: bytes, final: bool = False) -> str:
        try:
            text = self.decoder.decode(piece, final)
        except UnicodeDecodeError as error:
            line = self.lines + piece[: error.start].count(b"\n")
            raise NotJsonError(line, f"a byte that is not UTF-8 ({error.reason})") from None
        self.lines += piece.count(b"\n")
        return text

    def next(self) -> str:
        """Move to the next character that is not blank, and return it; empty at the end."""
        while True:
            begin, letter = self.at, LETTER.search(self.text, self.at)
            self.at = letter.start() if letter else len(self.text)
            self.line += self.text.count("\n", begin, self.at)
            if letter or not self.more():
                return letter[0] if letter else ""

    def take(self, letter: str) -> None:
        """Go beyond this letter, which has to be next."""
        if self.next() != letter:
            found = shown(self.rest()) if self.next() else "the end"
            raise NotJsonError(self.line, f"{found} where {letter} is due")
        self.at += 1

    def each(self, end: str) -> Iterator[int]:
        """Yield the line of each element of the array or object that begins here; the caller reads
        it before the next."""
        self.at += 1
        while self.next() != end:
            yield self.line
            if self.next() != end:
                self.take(",")
                if self.next() == end:
                    raise NotJsonError(self.line, f"a comma before {end}")
        self.take(end)

    def ended(self) -> None:
        """Raise NotJsonError where anything follows."""
        if self.next():
            raise NotJsonError(self.line, f"{shown(self.rest())} after the end of the JSON value")

    def rest(self) -> str:
        return self.text[self.at : self.at + 20]

    def value(self) -> object:
        """Return the value that begins here, whose end may not be decoded yet."""
        if not self.next():
            raise NotJsonError(self.line, "the end of the file within a value")
        least = WINDOW
        while True:
            try:
                check_parts(self.text, self.at, self.most)
            except ValueError as error:
                raise NotJsonError(self.line, str(error)) from None
            try:
                value, end = self.scan(self.text, self.at)
                # A number at the end of the text may go on
                if end < len(self.text) or not self.more(least):
                    break
            except RecursionError:
                raise NotJsonError(self.line, DEEPEST) from None
            except NotJsonError:
                raise
            except ValueError as error:
                if not self.more(least):
                    found = f"text that is not JSON ({str(error)[:60]})"
                    raise NotJsonError(self.line, found) from None
            least *= 2
        self.line += self.text.count("\n", self.at, end)
        self.at = end
        return value
