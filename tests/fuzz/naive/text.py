"""From bytes to text and lines."""

import gzip
import io
import re
import string
import zlib
from pathlib import Path

import pyarrow

from fuzz.naive import Refused, Unsure

BARE_CR = "fault"  # a carriage return without a line feed: "fault" or "line end"
MARK = b"\xef\xbb\xbf"


def without_packing(name: str) -> Path:
    path = Path(name)
    return Path(path.stem) if path.suffix in (".gz", ".zst") else path


def stem(name: str) -> str:
    return without_packing(name).stem


def content(name: str, data: bytes) -> bytes:
    """Unpacked, without a byte-order mark, and not empty."""
    try:
        if name.endswith(".gz"):
            data = gzip.decompress(data)
        elif name.endswith(".zst"):
            data = pyarrow.input_stream(io.BytesIO(data), compression="zstd").read()
    except (OSError, EOFError, zlib.error):
        raise Refused(0, "compression damaged") from None
    data = data.removeprefix(MARK)
    if not data.strip():
        raise Refused(0, "empty")
    return data


def text_of(name: str, data: bytes) -> str:
    data = content(name, data)
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise Refused(data.count(b"\n", 0, error.start) + 1, "not UTF-8") from None
    if re.search(r"^\ufeff", text, re.MULTILINE):
        raise Unsure("a byte-order mark elsewhere than at the beginning")
    if "\0" in text:
        raise Refused(text[: text.index("\0")].count("\n") + 1, "NUL")
    return text


def said(text: str, blanks: str = " \t") -> bool:
    """Whether there is anything but blanks."""
    if text.strip(blanks) and not text.strip(string.whitespace + blanks).strip():
        raise Unsure("nothing but blanks that are not those of ASCII")
    return bool(text.strip(blanks))


def lines_of(text: str) -> list[tuple[int, str]]:
    """Numbered lines, blank ones left out; only \\n and \\r\\n end a line."""
    lines = []
    for number, line in enumerate(with_line_ends(text).split("\n"), start=1):
        line = line.removesuffix("\r")
        if said(line):
            lines.append((number, line))
    if not lines:
        raise Refused(0, "empty")
    return lines


def with_line_ends(text: str) -> str:
    bare = re.search(r"\r(?!\n)", text)
    if bare and BARE_CR == "fault":
        raise Refused(text.count("\n", 0, bare.start()) + 1, "bare carriage return")
    return re.sub(r"\r(?!\n)", "\n", text)
