"""From bytes on disk to text: packed files, byte-order marks, line ends, and forbidden bytes.

A line ends in a line feed, before which a carriage return may stand; a carriage return anywhere
else is a fault.
"""

import codecs
import gzip
import re
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from nonresponse import faults
from nonresponse.faults import quote, quote_names
from nonresponse.settings import Files

if TYPE_CHECKING:
    import polars as pl

PACKED_ENDINGS = (".gz", ".zst")
BLANKS = " \t"  # what separates fields where white space does, and what a blank line may hold
# What a packed file may unpack to: bytes, times its size, and bytes whatever its size
MOST_BYTES, MOST_TIMES, HARMLESS_SIZE = 8 * 10**9, 500, 10**8
MOST_COLUMNS = 50_000  # of a table
CELL = 16  # bytes that a field of a table takes in memory, even an empty one, beside its text
LONGEST_LINE = 2**25  # bytes of a line of a table, and letters of a field in quotes
PIECE = 2**24  # bytes that are unpacked at a time
WINDOW = 2**17  # bytes that are decoded at a time
Forbidden = dict[bytes, tuple[str, str]]  # bytes, what was found, and what was expected
FORBIDDEN: Forbidden = {
    b"\r": ("a carriage return", "one at the end of a line only, before the line feed"),
    b"\0": ("a NUL", "text without one"),
}
# Of tables that are no UTF-8, as spreadsheets save them: Western, Central European, Cyrillic, Mac
ENCODINGS = ("cp1252", "cp1250", "cp1251", "mac_roman")
SEPARATOR_HINT = re.compile(rb"sep=[^\n](?=\n)")  # to Excel, in the first line of a table
BYTE_ORDER_MARK = codecs.BOM_UTF8
GIT_LFS = b"version https://git-lfs.github.com/spec/"  # what stands for a file not fetched
UTF_16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)  # "Unicode text" of spreadsheets

TITLES = " (the names of the columns: delete titles above them)"  # if the first line is none


class Faults(faults.Faults):
    """The faults of a file, with those that its text or table may have."""

    def add_rows(
        self, rows: "pl.DataFrame", found: str, expected: str, column: str = "line"
    ) -> None:
        """Add a fault for each row; its text in a column replaces the {} in `found`."""
        for line, value in zip(rows["line"], rows[column], strict=True):
            self.add(line, found.format(quote("" if value is None else value)), expected)

    def add_unfit_columns(self, names: list[str], line: int = 1) -> None:
        """Add a fault for each name that is twice there or is `line`, and for too many columns."""
        self.add_excess_columns(len(names), line)
        for name in sorted(name for name, count in Counter(names).items() if count > 1):
            expected = "a name for each column" + TITLES * (not name)
            self.add(line, f"the column {quote(name)} twice", expected)
        if "line" in names:
            self.add(line, "a column 'line'", "another name: ours for the place in the file")

    def add_uneven(self, line: int, fields: int, width: int) -> None:
        expected = f"{width} fields, as in the first line" + TITLES * (fields > width)
        self.add(line, f"{fields} fields", expected)

    def add_long_line(self, line: int) -> None:
        self.add(line, f"a line of more than {LONGEST_LINE:,} bytes", "shorter ones")

    def add_excess_columns(self, number: int, line: int) -> bool:
        """Add a fault if a table has too many columns; return whether it does."""
        if number > MOST_COLUMNS:
            self.add(line, f"{number:,} columns", f"at most {MOST_COLUMNS:,}")
        return number > MOST_COLUMNS

    def add_excess(self, rows: int, columns: int, limit: float) -> bool:
        """Add a fault if a table has more than `limit` fields; return whether it does."""
        if rows * columns > limit:
            fields = f"{limit:,.0f} fields, empty ones included"
            found = f"a table of {rows:,} rows and {columns:,} columns"
            self.add(0, found, f"at most {fields}")
        return rows * columns > limit

    def add_missing(self, missing: list[str], columns: list[str], expected: str) -> None:
        """Add a fault that a table with these columns lacks some; our own `line` is not listed."""
        present = [name for name in columns if name != "line"]
        self.add(1, f"no column {quote_names(missing)} among {quote_names(present)}", expected)


def is_file(file: str | Path) -> bool:
    """Return whether this is the path of a file; false, too, for a name that no disk allows."""
    with suppress(OSError):
        return Path(file).is_file()
    return False


def get_stem(file: str | Path) -> str:
    """Return the file's name without its ending, and without .gz or .zst behind it."""
    path = Path(file)
    return Path(path.stem).stem if is_packed(path) else path.stem


def get_ending(file: str | Path) -> str:
    """Return the ending that says which format a file has: .csv for table.csv.gz."""
    path, last = str(file), get_last_ending(file)
    return get_last_ending(path.removesuffix(last) if is_packed(file) else path).lower()


def is_packed(file: str | Path) -> bool:
    """Return whether a file is packed, by its ending."""
    return get_last_ending(file).lower() in PACKED_ENDINGS


def get_last_ending(file: str | Path) -> str:
    """Return Path.suffix, in a tenth of its time: small files come by the thousand."""
    name = str(file).rpartition("/")[2]
    dot = name.rfind(".")
    return name[dot:] if 0 < dot < len(name) - 1 else ""


def count_byte(byte: bytes, data: bytes | memoryview) -> int:
    """Return how often a byte occurs, in a third of the time of `count` if it is frequent."""
    import numpy as np

    return int(np.count_nonzero(np.frombuffer(data, np.uint8) == ord(byte)))


def get_first_line(text: bytes) -> bytes:
    """Return the first line without its end, and without copying what follows it."""
    end = text.find(b"\n")
    return text if end < 0 else text[:end]


class UnreadableError(Exception):
    """What was found in a file, such as too much, and what was expected."""


@contextmanager
def report_unreadable(faults: Faults) -> Iterator[None]:
    """Make a fault of what keeps a file from being read."""
    try:
        yield
    except (OSError, EOFError, zlib.error, ValueError) as error:  # ValueError: a path with a NUL
        faults.add(0, f"a file that cannot be read ({error})", "a whole, readable file")
    except UnreadableError as error:
        faults.add(0, *error.args)
    except MemoryError:
        faults.add(0, "more than the memory holds", "a smaller file, or more memory")


def stream_bytes(file: str | Path, faults: Faults, window: int = WINDOW) -> Iterator[bytes]:
    """Yield a file's content in pieces, unpacked and without a byte-order mark; UTF-16 as UTF-8.

    With the window -1, the content of a file that is not packed is one piece. A file that cannot be
    read, or that is blank, is a fault.
    """
    path, has_begun, is_blank = Path(file), False, True
    with report_unreadable(faults):
        if path.exists() and not path.is_file():  # opening a pipe would never end
            raise UnreadableError("no file, but a folder, a pipe or a device", "a file")
        with path.open("rb", buffering=0) as raw:
            pieces: Iterator[bytes] = iter(lambda: raw.read(window), b"")
            if is_packed(path):
                pieces = read_packed(path, raw, window)
            for piece in decode_utf_16(pieces):
                if not has_begun and piece.startswith(GIT_LFS):
                    raise UnreadableError(
                        "a pointer of Git LFS", "the file, as git lfs pull gets it"
                    )
                piece = piece if has_begun else piece.removeprefix(BYTE_ORDER_MARK)
                has_begun, is_blank = True, is_blank and (not piece or piece.isspace())
                yield piece
        if is_blank:
            faults.add(0, "an empty file", "at least one line")


def decode_utf_16(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Yield pieces of bytes as they are; as UTF-8 if they begin with a mark of UTF-16."""
    first = next(pieces, b"")
    if not first.startswith(UTF_16_MARKS) or first.startswith(codecs.BOM_UTF32_LE):
        yield from chain([first] if first else [], pieces)
        return
    decoder = codecs.getincrementaldecoder("utf-16")()
    try:
        for piece in chain([first], pieces):
            yield decoder.decode(piece).encode()
        decoder.decode(b"", final=True)
    except UnicodeError as error:
        raise UnreadableError(f"no UTF-16, as its mark says ({error})", "UTF-8 text") from None


def open_packed(path: Path, source: BinaryIO) -> AbstractContextManager[Any]:
    """Return what unpacks a file. Only zstd needs PyArrow."""
    if path.suffix.lower() == ".gz":
        return gzip.GzipFile(fileobj=source)
    import pyarrow

    return pyarrow.input_stream(source, compression="zstd")


def read_packed(path: Path, source: BinaryIO, window: int) -> Iterator[bytes]:
    """Yield the content of a packed file. UnreadableError once there is too much of it."""
    size, total = path.stat().st_size, 0
    limit, expected = bound_size(size)
    with open_packed(path, source) as content:
        while piece := content.read(window if window > 0 else PIECE):
            total += len(piece)
            if total > limit:
                found = f"{size:,} bytes that unpack to more than {limit:,.0f}"
                raise UnreadableError(found, expected)
            yield piece


def bound_size(size: float) -> tuple[float, str]:
    """Return how many bytes a file of this size may unpack to; and this in words."""
    limit = min(MOST_BYTES, max(HARMLESS_SIZE, MOST_TIMES * size))
    words = f"at most {MOST_BYTES / 1e9:g} GB and {MOST_TIMES} times the packed size"
    return limit, f"{words}, or the file unpacked"


def bound_fields(file: str | Path, options: Files) -> float:
    """Return how many fields the table in a file may have, empty ones included.

    A file that is not packed may have one for each byte.
    """
    text = options.get("text")
    size = len(text) if text else Path(file).stat().st_size if is_file(file) else 0
    limit = bound_size(size)[0] / CELL
    return limit if is_packed(file) and not text else max(size, limit)


def read_bytes(file: str | Path) -> tuple[bytes, Faults]:
    """Return a file's content, unpacked; empty, and a fault, if it cannot be read."""
    faults, data = Faults(file), b""
    with report_unreadable(faults):
        pieces = [*stream_bytes(file, faults, window=-1)]
        data = b"" if faults else b"".join(pieces)
    return data, faults


def read_text(file: str | Path, options: Files) -> tuple[bytes, Faults]:
    """Return a file's content as UTF-8 with plain line ends, or the option `text` instead. A file
    that is not UTF-8 is decoded by the option `encoding`."""
    if "text" in options:
        return options["text"], Faults(file)
    data, faults = read_bytes(file)
    if "encoding" in options and not is_utf8(data):
        data = data.decode(options["encoding"], errors="replace").encode()
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n")
    if hint := SEPARATOR_HINT.match(data):
        data = data[hint.end() :]  # from the end of the line on, which keeps the numbers of lines
    check_lengths(data, faults)
    if not faults:
        check_text(data, faults)
    start = 0 if data.startswith(BYTE_ORDER_MARK) else data.find(b"\n" + BYTE_ORDER_MARK) + 1
    if data.startswith(BYTE_ORDER_MARK, start):
        number = 1 + data.count(b"\n", 0, start)
        faults.add(number, "a byte-order mark", "one at the beginning of the file only")
    return b"" if faults else data, faults


def check_lengths(data: bytes, faults: Faults) -> None:
    """Add a fault for the first line that is too long: its fields take many times its size."""
    start = 0
    while len(data) - start > LONGEST_LINE:
        end = data.rfind(b"\n", start, start + LONGEST_LINE + 1)
        if end < 0:
            faults.add_long_line(1 + data.count(b"\n", 0, start))
            return
        start = end + 1


def check_text(data: bytes, faults: Faults, forbidden: Forbidden = FORBIDDEN) -> None:
    """Add a fault for each line that is not UTF-8, or has a byte that no text may hold."""
    if any(byte in data for byte in forbidden) or not is_utf8(data):
        for number, line in enumerate(BytesIO(data), start=1):
            decode_line(line, number, faults, forbidden)


def is_utf8(data: bytes) -> bool:
    """Return whether bytes are UTF-8; they are decoded a piece at a time, to save memory."""
    decoder, view = codecs.getincrementaldecoder("utf-8")(), memoryview(data)
    try:
        for start in range(0, 0 if data.isascii() else len(data), WINDOW):
            decoder.decode(view[start : start + WINDOW], final=start + WINDOW >= len(data))
    except UnicodeDecodeError:
        return False
    return True


def read_lines(file: str | Path, faults: Faults) -> Iterator[tuple[int, str]]:
    """Yield number and text of each line of a file; an invalid line is a fault."""
    for number, line in enumerate(split_lines(stream_bytes(file, faults)), start=1):
        if len(line) > LONGEST_LINE:
            faults.add_long_line(number)
            return
        content = decode_line(line, number, faults)
        if content is not None:
            yield number, content


def split_lines(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the lines that pieces of bytes make up, without their ends, up to one too long."""
    unfinished: list[bytes] = []  # the pieces of a line whose end is still to come
    for piece in pieces:
        *complete, remainder = piece.split(b"\n")
        if complete:
            complete[0] = b"".join([*unfinished, complete[0]])
            yield from [line.removesuffix(b"\r") for line in complete]
            unfinished = []
        unfinished.append(remainder)
        if sum(map(len, unfinished)) > LONGEST_LINE:
            break
    if last := b"".join(unfinished):
        yield last


def decode_line(
    line: bytes, number: int, faults: Faults, forbidden: Forbidden = FORBIDDEN
) -> str | None:
    """Return a line as text; null, and faults, where it has bytes that no text may hold."""
    forbidden_bytes = [byte for byte in forbidden if byte in line]
    for byte in forbidden_bytes:
        found, expected = forbidden[byte]
        faults.add(number, f"{found} at column {line.index(byte) + 1}", expected)
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        found = f"the byte 0x{line[error.start]:02x} at column {error.start + 1}"
        faults.add(number, found, "UTF-8 text")
        return None
    return None if forbidden_bytes else text


@contextmanager
def open_on_disk(file: str | Path, faults: Faults) -> Iterator[str]:
    """Return the path of a file, or of an unpacked copy; not to be read if there is a fault."""
    import tempfile

    if not is_packed(file):
        next(stream_bytes(file, faults), b"")  # finds out whether it can be read
        yield str(file)
        return
    with tempfile.NamedTemporaryFile() as copy_file:
        copy_file.writelines(stream_bytes(file, faults))
        copy_file.flush()
        yield copy_file.name
