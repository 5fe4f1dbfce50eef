"""From bytes on disk to text: packed files, byte-order marks, line ends, and bytes that no text may
hold.

A line ends in a line feed, before which a carriage return may stand; a carriage return anywhere
else is a fault.
"""

import codecs
import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from nonresponse import faults
from nonresponse.faults import listed, shown
from nonresponse.settings import Files

if TYPE_CHECKING:
    import polars as pl

ENDINGS = (".gz", ".zst")
BLANKS = " \t"  # what separates fields where white space does, and what a blank line may hold
UNPACKED = {"gigabytes": 8, "ratio": 500}  # the bounds, and the defaults of the configuration
HARMLESS = 100_000_000  # bytes that any packed file may unpack to, whatever the ratio
MOST_COLUMNS = 50_000  # of a table
CELL = 16  # bytes that a field of a table takes in memory, even an empty one, beside its text
PIECE = 2**24  # bytes that are unpacked at a time
WINDOW = 2**17  # bytes that are decoded at a time
FORBIDDEN = {
    b"\r": ("a carriage return", "one at the end of a line only, before the line feed"),
    b"\0": ("a NUL", "text without one"),
}
EMPTY = ("an empty file", "at least one line")  # what was found, and what was expected
SIGNS = {";": "semicolons", "\t": "tabs", "|": "bars", ",": "commas"}  # between columns


class Faults(faults.Faults):
    """The faults of a file, with those that its text or table may have."""

    def add_forbidden(self, text: bytes, number: int = 1) -> None:
        """Add a fault for each line with a byte that no text may hold, at the first such byte; the
        text begins on the line `number`."""
        for byte, (found, expected) in FORBIDDEN.items():
            for place, line in enumerate(text.split(b"\n")) if byte in text else ():
                if byte in line:
                    found_at = f"{found} at column {line.index(byte) + 1}"
                    self.add(number + place, found_at, expected)

    def add_rows(
        self, rows: "pl.DataFrame", found: str, expected: str, column: str = "line"
    ) -> None:
        """Add a fault for each row; its text in a column replaces the {} in `found`."""
        for line, value in zip(rows["line"], rows[column], strict=True):
            self.add(line, found.format(shown("" if value is None else value)), expected)

    def add_unfit_columns(self, names: list[str], line: int = 1) -> None:
        """Add a fault for each name of a column that occurs twice or is `line`, and for too many
        columns.

        The names stand on this line.
        """
        if len(names) > MOST_COLUMNS:
            self.add(line, f"{len(names):,} columns", f"at most {MOST_COLUMNS:,}")
        for name in sorted(name for name, count in Counter(names).items() if count > 1):
            self.add(line, f"the column {shown(name)} twice", "a name for each column")
        if "line" in names:
            self.add(line, "a column 'line'", "another name: ours for the place in the file")

    def add_excess(self, rows: int, columns: int, most: float) -> bool:
        """Add a fault if a table has more than `most` fields, empty ones included; returns whether
        it does."""
        if rows * columns > most:
            fields = f"{most:,.0f} fields, empty ones included"
            found = f"a table of {rows:,} rows and {columns:,} columns"
            self.add(0, found, f"at most {fields} (`unpacked:` in config.yaml)")
        return rows * columns > most

    def add_missing(self, lacking: list[str], columns: list[str], expected: str) -> None:
        """Add a fault that a table with these columns lacks some; our own `line` is not listed."""
        have = [name for name in columns if name != "line"]
        found = f"no column {listed(lacking)} among {listed(have)}"
        self.add(1, found, f"{expected}{in_one(have)}")


def in_one(names: list[str]) -> str:
    """Return a hint for a fault on a missing column, if the only name contains other separators;
    else empty."""
    sign = next((sign for sign in SIGNS if len(names) == 1 and sign in names[0]), None)
    option = f"`separator: {json.dumps(sign)}` in config.yaml says so of a table"
    return f"; its columns seem to be separated by {SIGNS[sign]}: {option}" if sign else ""


def there(file: str | Path) -> bool:
    """Return whether this is the path of a file; false, too, for a name that no disk allows."""
    with suppress(OSError):
        return Path(file).is_file()
    return False


def stem(file: str | Path) -> str:
    """Return the file's name without its ending, or without both endings where the second is .gz or
    .zst."""
    path = Path(file)
    return Path(path.stem).stem if is_packed(path) else path.stem


def ending(file: str | Path) -> str:
    """Return the ending that says which format a file has: .csv for table.csv.gz."""
    path, own = str(file), last_ending(file)
    return last_ending(path.removesuffix(own)).lower() if own.lower() in ENDINGS else own.lower()


def is_packed(file: str | Path) -> bool:
    """Return whether a file is packed, by its ending."""
    return last_ending(file).lower() in ENDINGS


def last_ending(file: str | Path) -> str:
    """Return what Path.suffix is, in a tenth of the time, which thousands of small files take note
    of."""
    name = str(file).rpartition("/")[2]
    dot = name.rfind(".")
    return name[dot:] if 0 < dot < len(name) - 1 else ""


def occurrences(byte: bytes, data: bytes | memoryview) -> int:
    """How often a byte occurs in the data; for a frequent byte, in a third of the time that
    `data.count` takes."""
    import numpy as np

    return int(np.count_nonzero(np.frombuffer(data, np.uint8) == ord(byte)))


def first_line(text: bytes) -> bytes:
    """Return the first line without its end, and without copying what follows it."""
    end = text.find(b"\n")
    return text if end < 0 else text[:end]


def read_bytes(file: str | Path, options: Files) -> tuple[bytes, Faults]:
    """Return the file's content, unpacked, without a byte-order mark; empty, and a fault, if it
    cannot be read."""
    path, data, faults = Path(file), b"", Faults(file)
    with unreadable_told(faults):
        data = path.read_bytes()
        if is_packed(path):
            packed, bounds = BytesIO(data), options.get("unpacked", UNPACKED)
            data = b"".join(pieces_unpacked(path, packed, len(data), bounds))
        data = data.removeprefix(b"\xef\xbb\xbf")
        if not data or data.isspace():  # strip would copy all of it
            faults.add(0, *EMPTY)
    return b"" if faults else data, faults


def stream(file: str | Path, options: Files, faults: Faults) -> Iterator[bytes]:
    """Yield what `read_bytes` returns, piece by piece, of a file that memory may not hold; a fault
    if it cannot be read."""
    path, blank = Path(file), b""  # the beginning of the file, as long as it is only blanks
    first = seen = False
    with unreadable_told(faults):
        with path.open("rb", buffering=0) as raw:
            whole: Iterator[bytes] = iter(lambda: raw.read(WINDOW), b"")
            if is_packed(path):
                bounds = options.get("unpacked", UNPACKED)
                whole = pieces_unpacked(path, raw, path.stat().st_size, bounds)
            for piece in whole:
                piece = piece if first else piece.removeprefix(b"\xef\xbb\xbf")
                first, blank = True, b"" if seen else blank + piece
                seen = seen or bool(piece.strip())
                if seen:
                    yield blank or piece
                    blank = b""
        if not seen:
            faults.add(0, *EMPTY)


@contextmanager
def unreadable_told(faults: Faults) -> Iterator[None]:
    """Make a fault of what keeps a file from being read."""
    try:
        yield
    except OSError as error:
        faults.add(0, f"a file that cannot be read ({error})", "a whole, readable file")
    except UnreadableError as error:
        faults.add(0, *error.args)


def lines(file: str | Path, options: Files, faults: Faults) -> Iterator[tuple[int, str]]:
    """Yield number and text of each line of a file, without its end; a line that is not valid is a
    fault, and left out."""
    for number, line in enumerate(split(stream(file, options, faults)), start=1):
        forbidden = [byte for byte in FORBIDDEN if byte in line]
        if forbidden:
            faults.add_forbidden(line, number)
        content = decoded(line, number, faults)
        if content is not None and not forbidden:
            yield number, content


def split(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Return the lines that pieces of bytes make up, without their ends."""
    begun: list[bytes] = []  # the pieces of a line whose end is still to come
    for piece in pieces:
        *ended, rest = piece.split(b"\n")
        if ended:
            ended[0] = b"".join([*begun, ended[0]])
            yield from [line.removesuffix(b"\r") for line in ended]
            begun = []
        begun.append(rest)
    if last := b"".join(begun):
        yield last


def decoded(line: bytes, number: int, faults: Faults) -> str | None:
    """Return a line as text; None, and a fault, where it is not UTF-8."""
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        found = f"the byte 0x{line[error.start]:02x} at column {error.start + 1}"
        faults.add(number, found, "UTF-8 text")
        return None


class UnreadableError(Exception):
    """What was found in a packed file or an archive, such as too much, and what was expected."""


def most_of(packed: int, bounds: dict) -> tuple[float, str]:
    """How many bytes a packed file of this size may unpack to, by `unpacked:` in config.yaml; and
    this in words."""
    most = min(bounds["gigabytes"] * 1e9, max(HARMLESS, bounds["ratio"] * packed))
    times = f"{bounds['gigabytes']:g} GB and {bounds['ratio']:g} times the packed size"
    return most, f"at most {times} (`unpacked:` in config.yaml)"


def most_fields(file: str | Path, options: Files) -> float:
    """How many fields the table in a file may have, empty ones included, by the file's size and
    `unpacked:`.

    A file that is not packed may have one for each byte, as many as a full table can have.
    """
    text = file.text if isinstance(file, Loaded) else None
    size = Path(file).stat().st_size if text is None and there(file) else len(text or b"")
    most = most_of(size, options.get("unpacked", UNPACKED))[0] / CELL
    return most if is_packed(file) and text is None else max(size, most)


def pieces_unpacked(path: Path, source: object, size: int, bounds: dict) -> Iterator[bytes]:
    """Return the content of a packed file of this size; UnreadableError as soon as it is clear that
    there is too much of it."""
    import pyarrow

    most, expected = most_of(size, bounds)
    kind, taken = "gzip" if path.suffix.lower() == ".gz" else "zstd", 0
    with pyarrow.input_stream(source, compression=kind) as stream:
        while piece := stream.read(PIECE):
            taken += len(piece)
            if taken > most:
                found = f"{size:,} bytes that unpack to more than {most:,.0f}"
                raise UnreadableError(found, expected)
            yield piece


class Loaded(str):
    """The path of a file whose text, as `read_text` gives it, is at hand."""

    text: bytes

    def __new__(cls, path: str, text: bytes) -> "Loaded":
        loaded = super().__new__(cls, path)
        loaded.text = text
        return loaded


def read_text(file: str | Path, options: Files) -> tuple[bytes, Faults]:
    """Return the file's content as UTF-8 without a NUL, each line ending in a line feed and nothing
    else."""
    if isinstance(file, Loaded):
        return file.text, Faults(file)
    data, faults = read_bytes(file, options)
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n")
    add_undecodable(faults, data)
    faults.add_forbidden(data)
    return b"" if faults else data, faults


@contextmanager
def on_disk(file: str | Path, options: Files, faults: Faults) -> Iterator[str]:
    """Return the path of a file that is read in parts, in any order; of a packed file, that of a
    temporary unpacked copy.

    Where there is a fault, nothing is to be read from it.
    """
    import tempfile

    if not is_packed(file):
        with unreadable_told(faults), Path(file).open("rb"):
            pass
        yield str(file)
        return
    with tempfile.NamedTemporaryFile() as copy:
        copy.writelines(stream(file, options, faults))
        copy.flush()
        yield copy.name


def add_undecodable(faults: Faults, data: bytes) -> None:
    """Add a fault for each line that is not UTF-8; the data are decoded a piece at a time, to save
    memory."""
    decoder, view = codecs.getincrementaldecoder("utf-8")(), memoryview(data)
    try:
        for begin in range(0, 0 if data.isascii() else len(data), WINDOW):
            decoder.decode(view[begin : begin + WINDOW], final=begin + WINDOW >= len(data))
    except UnicodeDecodeError:
        for number, line in enumerate(data.split(b"\n"), start=1):
            decoded(line, number, faults)
