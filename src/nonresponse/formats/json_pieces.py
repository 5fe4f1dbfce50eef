"""JSON that is too long to be held as objects all at once: its pieces, one after the other, each
with its line.

Only as much of the bytes is decoded to text as the next piece needs. NaN and Infinity are read, as
Python writes them.
"""

import codecs
import json
import math
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from nonresponse.faults import Fault, quote
from nonresponse.formats.text import WINDOW, Faults, bound_fields, read_lines, stream_bytes
from nonresponse.settings import Files

MakeObject = Callable[[list[tuple]], dict] | None  # makes an object of its names and values
Way = tuple[str | None, ...]  # names of objects within each other; null stands for any name

DEEPEST = "brackets within brackets too deep to be read"
JSON = "JSON; objects on lines of their own are .jsonl"
MANY_PARTS = "more than {:,.0f} parts of a value, by `unpacked:`"
PARTS = ",[{"  # each element or name but the first comes after a comma
LETTER = re.compile(r"[^ \t\n\r]")


class NotJsonError(ValueError):
    """What is wrong, and the line it is on."""

    def __init__(self, line: int, found: str):
        super().__init__(found)
        self.line, self.found = line, found


class RepeatedKeyError(ValueError):
    def __str__(self) -> str:
        return f"the key {quote(self.args[0])} twice"


class Piece(NamedTuple):
    """A value, the path of names that leads to it, and the line that it begins on."""

    path: tuple[str, ...]
    value: object
    line: int
    element: bool = False  # whether it is an element of the array at that path


def get_first_letter(file: str | Path, options: Files) -> str:
    """Return the first letter of the value in a file; empty where there is none."""
    with suppress(NotJsonError):
        return Text(stream_bytes(file, options, Faults(file)), None).next()
    return ""


def read_value(file: str, options: Files, faults: list[Fault]) -> object:
    """Return the value in a file, as a whole; null, and a fault, where there is none."""
    before, values = len(faults), [one.value for one in read_pieces(file, (), options, faults)]
    return values[0] if len(faults) == before else None


def read_array(
    file: str, array: tuple[str, ...], options: Files, faults: list[Fault]
) -> Iterator[tuple[int, object]]:
    """Yield the elements of the array at this path in a file, each with its line."""
    for piece in read_pieces(file, (array,), options, faults):
        if piece.path == array:
            yield piece.line, piece.value


def read_pieces(
    file: str | Path,
    arrays: Iterable[Way],
    options: Files,
    faults: list[Fault],
    of_pairs: MakeObject = None,
) -> Iterator[Piece]:
    """Yield the pieces of the value in a file; what is wrong with it becomes a fault."""
    unreadable = Faults(file)
    data, most = stream_bytes(file, options, unreadable), bound_fields(file, options)
    try:
        yield from split_value(data, *arrays, of_pairs=of_pairs, most=most)
    except NotJsonError as error:
        if not unreadable:
            unreadable.add(error.line, error.found, JSON)
    faults += unreadable


def read_json_lines(
    file: str | Path,
    expected: str,
    options: Files,
    faults: list[Fault],
    of_pairs: MakeObject = None,
) -> Iterator[tuple[int, dict]]:
    """Yield the object on each line that is not blank, with its number, or a fault."""
    of_file, most = Faults(file), bound_fields(file, options)
    for line, content in read_lines(file, options, of_file):
        if line > most:
            of_file.add(line, MANY_PARTS.format(most), "fewer lines")
            break
        if not content.strip():
            continue
        try:
            check_parts(content, 0, most)
            value = json.loads(content, object_pairs_hook=of_pairs)
        except RepeatedKeyError as error:
            of_file.add(line, str(error), "each key once in an object")
        except (ValueError, RecursionError) as error:
            of_file.add(line, f"text that is not JSON ({str(error)[:60]})", expected)
        else:
            if isinstance(value, dict):
                yield line, value
            else:
                of_file.add(line, quote(value), expected)
    faults += of_file


def check_parts(text: str, begin: int, most: float) -> None:
    """Raise ValueError if a text has more than `most` parts of a value, which take memory."""
    if len(text) - begin > most and sum(text.count(mark, begin) for mark in PARTS) > most:
        raise ValueError(MANY_PARTS.format(most))


def split_value(
    data: Iterable[bytes], *arrays: Way, of_pairs: MakeObject = None, most: float = math.inf
) -> Iterator[Piece]:
    """Return the elements of the arrays at these paths one by one, and every value that is not on
    the way to them as a whole.

    Elements have the path of their array. A value at such a path that is no array is one piece.
    `of_pairs` makes an object of its names and values. Raises NotJsonError, also if a name on the
    way to an array occurs twice (with `of_pairs`: any name in an object on the way), or if a piece
    has more than `most` parts, or there are more pieces.
    """
    text = Text(data, of_pairs, most)
    yield from split_part(text, (), {*arrays})
    text.ended()


def find_arrays(data: Iterable[bytes], most: float, depth: int = 4) -> dict[tuple[str, ...], bool]:
    """Return the paths of arrays at most `depth` objects deep, each with whether it begins with an
    object. Raises NotJsonError."""
    text, found = Text(data, None, most), dict[tuple[str, ...], bool]()

    def look(path: tuple[str, ...]) -> None:
        letter = text.next()
        if letter == "[":
            found[path] = [isinstance(text.value(), dict) for _ in text.each("]")][:1] == [True]
        elif letter == "{" and len(path) < depth:
            for _ in text.each("}"):
                look((*path, text.name()))
        else:
            text.value()

    look(())
    text.ended()
    return found


def split_part(text: "Text", path: tuple[str, ...], arrays: set[Way]) -> Iterator[Piece]:
    """Yield the pieces of the value here; `arrays`: the ways from here to those in pieces."""
    letter = text.next()
    if letter == "[" and () in arrays:
        for line in text.each("]"):
            yield Piece(path, text.value(), line, element=True)
    elif letter == "{" and any(arrays):
        names: set[str] = set()
        for _ in text.each("}"):
            name = text.name()
            ways_inside = {way[1:] for way in arrays if way[:1] in ((name,), (None,))}
            if name in names and (text.strict or ways_inside):
                raise NotJsonError(text.line, f"the key {quote(name)} twice")
            names.add(name)
            yield from split_part(text, (*path, name), ways_inside)
    else:
        line = text.line
        yield Piece(path, text.value(), line)


class Text:
    """Bytes that are decoded to text as they are needed, and the place that reading has reached."""

    def __init__(self, data: Iterable[bytes], of_pairs: MakeObject, most: float = math.inf):
        self.data, self.most = iter(data), most
        self.decoder = codecs.getincrementaldecoder("utf-8")()
        self.text, self.at, self.line = "", 0, 1
        self.checked = ""  # the text whose parts were last counted
        self.elements = 0  # that were read one by one
        self.lines = 1  # lines begun in the decoded text
        self.strict = of_pairs is not None
        self.scan = json.JSONDecoder(object_pairs_hook=of_pairs).raw_decode

    def more(self, least: int = WINDOW) -> bool:
        """Decode `least` more bytes, and forget the text already read; false at the end."""
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
            found = quote(self.rest()) if self.next() else "the end"
            raise NotJsonError(self.line, f"{found} where {letter} is due")
        self.at += 1

    def each(self, end: str) -> Iterator[int]:
        """Yield the line of each element from here on; the caller reads it before the next."""
        self.at += 1
        letter = self.next()
        while letter != end:
            self.elements += 1
            if self.elements > self.most:
                raise NotJsonError(self.line, MANY_PARTS.format(self.most))
            yield self.line
            letter = self.next()
            if letter != end:
                self.take(",")
                letter = self.next()
                if letter == end:
                    raise NotJsonError(self.line, f"a comma before {end}")
        self.at += 1

    def ended(self) -> None:
        """Raise NotJsonError where anything follows."""
        if self.next():
            raise NotJsonError(self.line, f"{quote(self.rest())} after the end of the JSON value")

    def rest(self) -> str:
        return self.text[self.at : self.at + 20]

    def name(self) -> str:
        """Return the name that begins here, and go beyond its colon."""
        name = self.value()
        if not isinstance(name, str):
            raise NotJsonError(self.line, f"{quote(name)} where a name is due")
        self.take(":")
        return name

    def value(self) -> object:
        """Return the value that begins here, whose end may not be decoded yet."""
        if not self.next():
            raise NotJsonError(self.line, "the end of the file within a value")
        least = WINDOW
        while True:
            try:
                if self.text is not self.checked:  # else each value would count the whole text
                    check_parts(self.text, self.at, self.most)
                    self.checked = self.text
                value, end = self.scan(self.text, self.at)
                # A number at the end of the text may go on
                if end < len(self.text) or not self.more(least):
                    break
            except RecursionError:
                raise NotJsonError(self.line, DEEPEST) from None
            except json.JSONDecodeError as error:
                line = self.line + self.text.count("\n", self.at, error.pos)
                if not self.more(least):
                    raise NotJsonError(line, f"text that is not JSON ({error.msg})") from None
            except NotJsonError:
                raise
            except ValueError as error:  # too many parts, a repeated key, or thousands of digits
                raise NotJsonError(self.line, str(error)[:60]) from None
            least *= 2
        self.line += self.text.count("\n", self.at, end)
        self.at = end
        return value
