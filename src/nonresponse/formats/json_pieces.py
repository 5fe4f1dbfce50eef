"""JSON in pieces, each with its line: whole files may be too long to be held as objects.

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

DEEPEST_ARRAY = 4  # names on the way to an array that is looked for
DEEPEST = "brackets within brackets too deep to be read"
JSON = "JSON; objects on lines of their own are .jsonl"
MANY_PARTS = "more than {:,.0f} parts of a value"
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


def get_first_letter(file: str | Path) -> str:
    """Return the first letter of the value in a file; empty where there is none."""
    with suppress(NotJsonError):
        return Text(stream_bytes(file, Faults(file)), None).peek()
    return ""


def read_value(file: str, options: Files, faults: list[Fault]) -> object:
    """Return the value in a file, as a whole; null, and a fault, where there is none."""
    fault_count = len(faults)
    pieces = [*read_pieces(file, (), options, faults)]
    return pieces[0].value if len(faults) == fault_count else None


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
    make_object: MakeObject = None,
) -> Iterator[Piece]:
    """Yield the pieces of the value in a file; what is wrong with it becomes a fault."""
    file_faults = Faults(file)
    data, limit = stream_bytes(file, file_faults), bound_fields(file, options)
    try:
        yield from split_value(data, *arrays, make_object=make_object, limit=limit)
    except NotJsonError as error:
        if not file_faults:
            file_faults.add(error.line, error.found, JSON)
    faults += file_faults


def read_json_lines(
    file: str | Path,
    expected: str,
    options: Files,
    faults: list[Fault],
    make_object: MakeObject = None,
) -> Iterator[tuple[int, dict]]:
    """Yield the object on each line that is not blank, with its number, or a fault."""
    file_faults, limit = Faults(file), bound_fields(file, options)
    for line, content in read_lines(file, file_faults):
        if line > limit:
            file_faults.add(line, MANY_PARTS.format(limit), "fewer lines")
            break
        if not content.strip():
            continue
        try:
            check_parts(content, 0, limit)
            value = json.loads(content, object_pairs_hook=make_object)
        except RepeatedKeyError as error:
            file_faults.add(line, str(error), "each key once in an object")
        except (ValueError, RecursionError) as error:
            file_faults.add(line, f"text that is not JSON ({str(error)[:60]})", expected)
        else:
            if isinstance(value, dict):
                yield line, value
            else:
                file_faults.add(line, quote(value), expected)
    faults += file_faults


def check_parts(text: str, start: int, limit: float) -> None:
    """Raise ValueError if a text has more than `limit` parts of a value, which take memory."""
    if len(text) - start > limit and sum(text.count(mark, start) for mark in PARTS) > limit:
        raise ValueError(MANY_PARTS.format(limit))


def split_value(
    data: Iterable[bytes], *arrays: Way, make_object: MakeObject = None, limit: float = math.inf
) -> Iterator[Piece]:
    """Yield the elements of the arrays at these paths one by one, and all other values whole.

    Elements have the path of their array. A value at such a path that is no array is one piece.
    `make_object` makes an object of its names and values. Raises NotJsonError, also if a name on
    the way to an array occurs twice (with `make_object`: any name in an object on the way), or if a
    piece has more than `limit` parts, or there are more pieces.
    """
    text = Text(data, make_object, limit)
    yield from split_part(text, (), {*arrays})
    text.check_end()


def find_arrays(file: str | Path, options: Files) -> dict[tuple[str, ...], bool]:
    """Return the paths of arrays in a file, and whether each begins with an object. Raises
    NotJsonError."""
    text = Text(stream_bytes(file, Faults(file)), None, bound_fields(file, options))
    arrays = dict[tuple[str, ...], bool]()

    def visit(path: tuple[str, ...]) -> None:
        letter = text.peek()
        if letter == "[":
            elements = [isinstance(text.read_value(), dict) for _ in text.iterate("]")]
            arrays[path] = elements[:1] == [True]
        elif letter == "{" and len(path) < DEEPEST_ARRAY:
            for _ in text.iterate("}"):
                visit((*path, text.read_name()))
        else:
            text.read_value()

    visit(())
    text.check_end()
    return arrays


def split_part(text: "Text", path: tuple[str, ...], arrays: set[Way]) -> Iterator[Piece]:
    """Yield the pieces of the value here; `arrays` are the ways from here to what is in pieces."""
    letter = text.peek()
    if letter == "[" and () in arrays:
        for line in text.iterate("]"):
            yield Piece(path, text.read_value(), line, element=True)
    elif letter == "{" and any(arrays):
        names: set[str] = set()
        for _ in text.iterate("}"):
            name = text.read_name()
            ways_inside = {way[1:] for way in arrays if way[:1] in ((name,), (None,))}
            if name in names and (text.strict or ways_inside):
                raise NotJsonError(text.line, f"the key {quote(name)} twice")
            names.add(name)
            yield from split_part(text, (*path, name), ways_inside)
    else:
        line = text.line
        yield Piece(path, text.read_value(), line)


class Text:
    """Bytes that are decoded to text as they are needed, and the position of the reader."""

    def __init__(self, data: Iterable[bytes], make_object: MakeObject, limit: float = math.inf):
        self.data, self.limit = iter(data), limit
        self.decoder = codecs.getincrementaldecoder("utf-8")()
        self.text, self.position, self.line = "", 0, 1
        self.checked = ""  # the text whose parts were last counted
        self.elements = 0  # that were read one by one
        self.lines = 1  # lines begun in the decoded text
        self.strict = make_object is not None
        self.scan = json.JSONDecoder(object_pairs_hook=make_object).raw_decode

    def decode_more(self, byte_count: int = WINDOW) -> bool:
        """Decode `byte_count` more bytes, and forget the text already read; false at the end."""
        decoded, size, piece = [], 0, b""
        while size < byte_count and (piece := next(self.data, b"")):
            size += len(piece)
            decoded.append(self.decode(piece))
        if not piece:
            decoded.append(self.decode(b"", is_last=True))
        self.text, self.position = "".join([self.text[self.position :], *decoded]), 0
        return size > 0

    def decode(self, piece: bytes, is_last: bool = False) -> str:
        try:
            text = self.decoder.decode(piece, is_last)
        except UnicodeDecodeError as error:
            line = self.lines + piece[: error.start].count(b"\n")
            raise NotJsonError(line, f"a byte that is not UTF-8 ({error.reason})") from None
        self.lines += piece.count(b"\n")
        return text

    def peek(self) -> str:
        """Move to the next character that is not blank, and return it; empty at the end."""
        while True:
            start, letter = self.position, LETTER.search(self.text, self.position)
            self.position = letter.start() if letter else len(self.text)
            self.line += self.text.count("\n", start, self.position)
            if letter or not self.decode_more():
                return letter[0] if letter else ""

    def take(self, letter: str) -> None:
        """Go beyond this letter, which has to be next."""
        if self.peek() != letter:
            found = self.quote_rest() if self.peek() else "the end"
            raise NotJsonError(self.line, f"{found} where {letter} is due")
        self.position += 1

    def iterate(self, closing: str) -> Iterator[int]:
        """Yield the line of each element from here on; the caller reads it before the next."""
        self.position += 1
        letter = self.peek()
        while letter != closing:
            self.elements += 1
            if self.elements > self.limit:
                raise NotJsonError(self.line, MANY_PARTS.format(self.limit))
            yield self.line
            letter = self.peek()
            if letter != closing:
                self.take(",")
                letter = self.peek()
                if letter == closing:
                    raise NotJsonError(self.line, f"a comma before {closing}")
        self.position += 1

    def check_end(self) -> None:
        if self.peek():
            raise NotJsonError(self.line, f"{self.quote_rest()} after the end of the JSON value")

    def quote_rest(self) -> str:
        return quote(self.text[self.position : self.position + 20])

    def read_name(self) -> str:
        """Return the name that begins here, and go beyond its colon."""
        name = self.read_value()
        if not isinstance(name, str):
            raise NotJsonError(self.line, f"{quote(name)} where a name is due")
        self.take(":")
        return name

    def read_value(self) -> object:
        """Return the value that begins here, whose end may not be decoded yet."""
        if not self.peek():
            raise NotJsonError(self.line, "the end of the file within a value")
        byte_count = WINDOW
        while True:
            try:
                if self.text is not self.checked:  # else each value would count the whole text
                    check_parts(self.text, self.position, self.limit)
                    self.checked = self.text
                value, end = self.scan(self.text, self.position)
                # A number at the end of the text may go on
                if end < len(self.text) or not self.decode_more(byte_count):
                    break
            except RecursionError:
                raise NotJsonError(self.line, DEEPEST) from None
            except json.JSONDecodeError as error:
                line = self.line + self.text.count("\n", self.position, error.pos)
                if not self.decode_more(byte_count):
                    raise NotJsonError(line, f"text that is not JSON ({error.msg})") from None
            except NotJsonError:
                raise
            except ValueError as error:  # too many parts, a repeated key, or thousands of digits
                raise NotJsonError(self.line, str(error)[:60]) from None
            byte_count *= 2
        self.line += self.text.count("\n", self.position, end)
        self.position = end
        return value
