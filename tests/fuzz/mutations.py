"""Damage to a file: at the level of bytes, of lines, of cells and values, of the whole file, and of its packing.

Every function takes a source of chance, the bytes and their shape, and returns other bytes.
"""

import gzip
import io
import json
import random
import re
from collections.abc import Iterable
from pathlib import Path

import pyarrow
import pyarrow.parquet

MARK = b"\xef\xbb\xbf"
BREAKS = [b"\r", b"\x00", MARK, b"\xff", b"\xc3", b"\xed\xa0\x80", b"\n", b"\r\n", b"\r\r\n", b"\x0b", b"\x0c", b"\x1c"]
BREAKS += [character.encode() for character in "\u2028\u0085\u00a0\u3000\u202e\u0301\U0001f600"]
MARKS = [b"\t", b" ", b"  ", b'""', *(bytes([code]) for code in b"\"',;|\\<>&{}[]:#")]
BLANKS = [b"", b"", b" ", b"\t", b" \t ", b"\r", "\u00a0".encode(), b",,", b"\t\t", b'""', b"#", MARK]
ENCODINGS = ["latin-1", "utf-16", "utf-32", "cp1252", "ascii", "utf-8", "UTF8", "koi8-r", "cp037", "none", "rot13"]
ENDS = [b"\r\n", b"\r\n", b"\r", b"\n\n", b"\r\r\n", b"\n \n", b"\r\n\r\n"]
LONG = [b"x" * 101, b"x" * 300, "é".encode() * 40_000, b"9" * 400, b"1." + b"3" * 400, b"-" * 5_000, b"x " * 70_000]


def listed(name: str) -> list[bytes]:
    return (Path(__file__).parent / name).read_bytes().split(b"\n")[:-1]


VALUES = [*listed("values.txt") * 2, *LONG, b"", b""]
JSON = [*listed("json.txt"), b"1" * 5_000, b"[" * 100_000]
JSON += [b"[1, " * depth + b"1" + b"]" * depth for depth in (400, *range(975, 1000))]  # Python takes some 990
MARKUP = [*listed("markup.txt"), b"<x>" * 3_000]


def mutate(draw: random.Random, data: bytes, shape: str) -> bytes:
    """The data with one to four damages, most often one."""
    for _ in range(draw.choices([1, 2, 3, 4], [6, 3, 1, 1])[0]):
        kinds = [bytewise, bytewise, linewise, linewise, linewise, cellwise, cellwise, cellwise, cellwise, whole]
        kinds += {"jsonl": [jsonwise] * 3, "xml": [xmlwise] * 4}.get(shape, [])
        data = draw.choice(kinds)(draw, data, shape)
    return data


def span(draw: random.Random, data: bytes) -> tuple[int, int]:
    begin = draw.randint(0, len(data))
    return begin, min(len(data), begin + draw.choice([0, 1, 1, 2, 5, 12, 40]))


def bytewise(draw: random.Random, data: bytes, shape: str) -> bytes:
    """A few bytes: gone, doubled, or others in their place or before them; now and then the file ends there."""
    begin, end = span(draw, data)
    if draw.random() < 0.05:
        return data[:begin]
    new = [b"", draw.choice(BREAKS), draw.choice(BREAKS), draw.choice(MARKS), draw.choice(VALUES)]
    new += [data[begin:end] * 2, bytes([draw.randrange(256)])]
    return data[:begin] + draw.choice(new) + data[draw.choice([begin, end]) :]


def linewise(draw: random.Random, data: bytes, shape: str) -> bytes:
    """A line or two: gone, doubled, swapped, joined, parted, a blank one before, something at an end, or none after."""
    lines = data.split(b"\n")
    here, there = draw.randrange(len(lines)), draw.randrange(len(lines))
    match draw.randrange(9):
        case 0:
            del lines[here]
        case 1:
            lines.insert(there, lines[here])
        case 2:
            lines[here], lines[there] = lines[there], lines[here]
        case 3:
            lines.insert(draw.choice([0, here, len(lines)]), draw.choice(BLANKS))
        case 4:
            lines[here : here + 2] = [b"".join(lines[here : here + 2])]
        case 5:
            cut = draw.randint(0, len(lines[here]))
            lines[here : here + 1] = [lines[here][:cut], lines[here][cut:]]
        case 6:
            lines[here] += draw.choice([b"\r", b"\r", b" ", b"\t", *BREAKS, *MARKS])
        case 7:
            lines[here] = draw.choice([b" ", b"\t", *BREAKS, *MARKS]) + lines[here]
        case 8:
            lines = lines[: here + 1]
    return b"\n".join(lines)


SPLIT = {"tsv": rb"[^\t]*", "csv": rb'"(?:[^"]|"")*"|[^,]*', "fields": rb"\S+", "xml": rb'"[^"]*"|\'[^\']*\'|[\w:-]+'}
SPLIT |= {"jsonl": rb'"(?:[^"\\]|\\.)*"|[-+.\w]+|\[[^]]*\]'}


def cellwise(draw: random.Random, data: bytes, shape: str) -> bytes:
    """One cell of one line: replaced, emptied, doubled, dropped, swapped, or taken from another line."""
    lines = data.split(b"\n")
    here, there = draw.randrange(len(lines)), draw.randrange(len(lines))
    cells = [match.span() for match in re.finditer(SPLIT[shape], lines[here])]
    others = [match[0] for match in re.finditer(SPLIT[shape], lines[there])]
    if not cells or not others:
        return data
    line, place = lines[here], draw.randrange(len(cells))
    begin, end = cells[place]
    cell = line[begin:end]
    match draw.randrange(8):
        case 0 | 1 | 2:
            new = value(draw, shape)
        case 3:
            new = b""
        case 4:
            new = others[min(place, len(others) - 1)]
        case 5:
            new = draw.choice(others)
        case 6:
            new = draw.choice([b" ", b"\t", b'"', *BREAKS]) + cell + draw.choice([b"", b" ", b'"'])
        case _:
            new, begin = b"", max(0, begin - 1)  # with the separator before it
    lines[here] = line[:begin] + new + line[end:]
    return b"\n".join(lines)


def value(draw: random.Random, shape: str) -> bytes:
    """A value that looks odd in its place."""
    plain = draw.choice(VALUES)
    if shape == "jsonl":
        return draw.choice([plain, b'"%s"' % plain, b'"%s"' % plain, draw.choice(JSON), draw.choice(JSON)])
    in_quotes = {"xml": 0.9, "csv": 0.2}.get(shape, 0)
    return b'"%s"' % plain if draw.random() < in_quotes else plain


def whole(draw: random.Random, data: bytes, shape: str) -> bytes:
    """What is done to the whole file: other line ends, another order, another separator, another encoding."""
    header, *lines = data.split(b"\n")
    match draw.randrange(12):
        case 0 | 1 | 2:
            return data.replace(b"\n", draw.choice(ENDS))
        case 3:
            return data.rstrip(b"\n")
        case 4:
            return MARK * draw.choice([1, 1, 2]) + data
        case 5:
            return b"\n".join([header, *draw.sample(lines, len(lines))])
        case 6:
            return b"\n".join(draw.sample([header, *lines], len(lines) + 1))
        case 7:
            return data.replace(b"\t", draw.choice([b",", b";", b"    ", b"\t\t"]))
        case 8:
            return data.replace(b",", draw.choice([b"\t", b";", b", ", b",,"]))
        case 9:
            encoding = draw.choice(["utf-16", "latin-1", "utf-16-le", "cp037"])
            return data.decode("utf-8", "replace").encode(encoding, "replace")
        case 10:
            return data + data
        case _:
            return data[: draw.randint(0, len(data))]


def jsonwise(draw: random.Random, data: bytes, shape: str) -> bytes:
    """A member of one object: said twice, removed, or of another kind."""
    lines = data.split(b"\n")
    here = draw.randrange(len(lines))
    members = re.findall(rb'("(?:[^"\\]|\\.)*": *)("(?:[^"\\]|\\.)*"|\[[^]]*\]|[^,}]*)', lines[here])
    if not members:
        return data
    name, old = draw.choice(members)
    new = draw.choice([value(draw, shape), old, b"[" + old + b"]", b'"' + old.strip(b'"') + b'"'])
    change = draw.randrange(3)
    if change == 0:
        lines[here] = lines[here].replace(name + old, name + new, 1)
    elif change == 1:
        lines[here] = lines[here].replace(b"{", b"{" + name + new + b", ", 1)
    else:
        members.remove((name, old))
        lines[here] = b"{" + b", ".join(one + other for one, other in members) + b"}"
    return b"\n".join(lines)


def xmlwise(draw: random.Random, data: bytes, shape: str) -> bytes:
    """A piece of markup more, an element less, doubled or moved, another declaration."""
    tags = [match.span() for match in re.finditer(rb"<[^>]*>", data)]
    if not tags:
        return data
    (begin, end), (there, _) = draw.choice(tags), draw.choice(tags)
    match draw.randrange(6):
        case 0 | 1:
            return data[:there] + draw.choice(MARKUP) + data[there:]
        case 2:
            return data[:begin] + data[end:]
        case 3:
            return data[:there] + data[begin:end] + data[there:]
        case 4:
            encoding = draw.choice(ENCODINGS)
            return f'<?xml version="1.{draw.choice([0, 0, 1])}" encoding="{encoding}"?>\n'.encode() + data
        case _:
            elements = re.findall(rb"<(\w+)[^<>/]*/>|<(\w+)[^<>]*>[^<]*</\2>", data)
            name = draw.choice(elements or [(b"a", b"")])
            return re.sub(rb"(?s)(<%s\b.*?>)" % (name[0] or name[1]), rb"\1\1", data, count=1)


def packed(draw: random.Random, data: bytes, name: str) -> tuple[str, bytes, bool]:
    """The file's name and content, now and then compressed, and damaged after that; and whether nobody can read it.

    What a damaged Parquet file holds is anybody's guess.
    """
    damaged = draw.random() < 0.3
    if name.endswith(".parquet"):
        data = to_parquet(data)
        return name, bytewise(draw, data, "") if damaged else data, damaged
    ending = draw.choices(["", ".gz", ".zst"], [8, 1, 1])[0]
    if ending:
        data = gzip.compress(data, mtime=0) if ending == ".gz" else pyarrow.compress(data, codec="zstd", asbytes=True)
        data = draw.choice([bytewise(draw, data, ""), data + b"x", data * 2]) if damaged else data
    return name + ending, data, False


def to_parquet(lines: bytes) -> bytes:
    """The objects among these lines of JSON as Parquet, of whatever types they suggest; text where these are mixed."""
    records = [record for line in lines.split(b"\n") if isinstance(record := parsed(line), dict)]
    columns = {name: column(record.get(name) for record in records) for record in records for name in record}
    file = io.BytesIO()
    try:
        pyarrow.parquet.write_table(pyarrow.table(columns), file)
    except (pyarrow.ArrowException, ValueError):  # a lone surrogate, or a structure of no members
        return lines
    return file.getvalue()


def parsed(line: bytes):
    """The value of a line of JSON; None where it is none, or so deep that it depends on who calls."""
    try:
        return json.loads(line) if line.count(b"[") + line.count(b"{") < 500 else None
    except ValueError:
        return None


def column(values: Iterable) -> pyarrow.Array:
    values = list(values)
    try:
        return pyarrow.array(values)
    except (pyarrow.ArrowException, ValueError, OverflowError, TypeError):
        texts = [None if value is None else str(value).encode("utf-8", "replace").decode() for value in values]
        return pyarrow.array(texts, pyarrow.string())


STEMS = ["a b", "run.v1", ".hidden", "Läufe", "e\u0301", "x" * 99, "x" * 101, "=1", "a'b", 'a"b', "a*b", "a[1]", "a:b"]
STEMS += [
    " a",
    "a ",
    "-",
    "accept-all",
    "answers",
    "R\u2028",
    "\u202ea",
    "NUL",
    "a\rb",
    "a\nb",
    "%s",
    "a&b",
    "{x}",
    "~",
]
ENDINGS = {".tsv": [".TSV", ".txt", ".tab", ".csv"], ".jsonl": [".ndjson", ".json"], ".csv": [".tsv", ".CSV"]}


def renamed(draw: random.Random, name: str) -> str:
    """Now and then another name, of the same ending or of one that is read alike or is not."""
    stem, dot, ending = name.rpartition(".")
    if draw.random() < 0.08:
        stem = draw.choice(STEMS)
    if draw.random() < 0.04:
        return stem + draw.choice(ENDINGS.get(dot + ending, [dot + ending]))
    return stem + dot + ending
