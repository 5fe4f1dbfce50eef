"""Parquet files in pieces. What a file takes in memory is known before it is read, from its pages and dictionaries.

A file may state wrong sizes, and a few bytes may stand for gigabytes. A dictionary has a text once that rows repeat. A
run length stands for millions of nulls. So the headers of all pages are read first. Polars then holds a text of a
dictionary once, and the size of the table with all texts written out is checked before anything is made of it.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

import polars as pl

from nonresponse.faults import shown
from nonresponse.formats.text import MOST_COLUMNS, Unreadable, most_of

if TYPE_CHECKING:
    import pyarrow
    from pyarrow.parquet import ColumnChunkMetaData, FileMetaData

# Some damage makes Polars panic, which is not one of its errors.
POLARS_ERRORS = (pl.exceptions.PolarsError, pl.exceptions.PanicException)
PIECE = 2**26  # bytes that the rows of a piece take, unless a single group of rows takes more
ROWS = 2**16  # the most rows that are decoded at a time, if texts may grow
CELL = 16  # bytes that a value takes in memory beside its text
HEADER = 2**16  # bytes that are read to find the header of a page; longer ones are read again
LONGEST_HEADER = 2**24
DEEPEST = 8  # structures within each other in the header of a page
DATA, DICTIONARY, DATA_V2 = 0, 2, 3  # types of pages
SHARED_PREFIXES = 7  # the encoding DELTA_BYTE_ARRAY, in which a text repeats the beginning of the one before
WHOLE = "a whole Parquet file"


class Group(NamedTuple):
    """A group of rows, and what it takes at least."""

    rows: int
    size: int


@dataclass
class Chunk:
    """What the pages of a column take, as their headers say."""

    size: int = 0  # bytes of all pages, decompressed
    values: int = 0
    largest: int = 0  # bytes of the largest page
    grows: bool = False  # whether texts may be longer than their page


def pieces(source: Any, packed: int, bounds: dict, columns: Collection[str] | None = None) -> Iterator[pl.DataFrame]:
    """The rows of a file of `packed` bytes in pieces, or these of its columns; first a piece without rows.

    `source` is a path, or the bytes. Unreadable as soon as it is clear that all rows take more than the bounds allow.
    """
    import pyarrow
    from pyarrow import parquet

    most, expected = most_of(packed, bounds)

    def check(size: int) -> None:
        if size > most:
            raise Unreadable(f"a table of {size:,} bytes when it is read", expected)

    with damage_told(), pyarrow.BufferReader(source) if isinstance(source, bytes) else pyarrow.OSFile(source) as data:
        about = parquet.read_metadata(data)
        schema = about.schema.to_arrow_schema()
        names = [name for name in schema.names if columns is None or name in columns]
        if len(names) > MOST_COLUMNS:
            raise Unreadable(f"{len(names):,} columns", f"at most {MOST_COLUMNS:,}")
        if twice := [name for name, count in Counter(names).items() if count > 1]:
            raise Unreadable(f"the column {shown(twice[0])} twice", "a name for each column")
        groups, longest = check_pages(data, about, {*names}, check)
        if longest is None and not any("dictionary<" in str(schema.field(name).type) for name in names):
            read = frames(source, names, groups)
        else:
            read = frames_by_arrow(data, about, names, longest)
        size = 0
        for frame in read:
            check(size := size + sum(map(written_size, frame)))
            yield frame


def frames(source: Any, names: list[str], groups: list[Group]) -> Iterator[pl.DataFrame]:
    """The rows of groups, as many groups at a time as fill a piece; first no rows. Equal texts are held once."""
    table = pl.scan_parquet(BytesIO(source) if isinstance(source, bytes) else source, glob=False).select(names)
    yield table.clear().collect()
    begin = rows = size = 0
    for group in groups:
        rows, size = rows + group.rows, size + group.size
        if size >= PIECE:
            yield table.slice(begin, rows).collect()
            begin, rows, size = begin + rows, 0, 0
    if rows:
        yield table.slice(begin, rows).collect()


def frames_by_arrow(
    data: BinaryIO, about: "FileMetaData", names: list[str], longest: int | None
) -> Iterator[pl.DataFrame]:
    """The rows of a file that takes Polars long: of categories, which it compares row by row, or if texts may grow.

    Texts are read as categories, unless they may grow, up to `longest` bytes. First no rows.
    """
    from pyarrow import Table, parquet

    leaves = [about.schema.column(place) for place in range(about.num_columns)]
    texts = [leaf.path for leaf in leaves if leaf.physical_type == "BYTE_ARRAY" and longest is None]
    data.seek(0)
    file = parquet.ParquetFile(data, metadata=about, read_dictionary=texts)
    yield framed(file.schema_arrow.empty_table().select(names))
    for batch in file.iter_batches(max(1, min(ROWS, PIECE // (longest or 1))), columns=names):
        yield framed(Table.from_batches([batch]).select(names))


def columns_of(source: Any) -> list[str]:
    """The names of the columns of a file, which is a path or the bytes. Raises Unreadable."""
    import pyarrow
    from pyarrow import parquet

    with damage_told():
        return parquet.read_schema(pyarrow.BufferReader(source) if isinstance(source, bytes) else source).names


@contextmanager
def damage_told() -> Iterator[None]:
    """What keeps a file from being read as Parquet becomes Unreadable."""
    import pyarrow

    try:
        yield
    except (*POLARS_ERRORS, pyarrow.ArrowException, OSError, ValueError, KeyError) as error:
        raise Unreadable(f"content that is not Parquet ({shown(error, 80)})", WHOLE) from None


def check_pages(
    data: BinaryIO, about: "FileMetaData", names: set[str], check: Callable[[int], None]
) -> tuple[list[Group], int | None]:
    """The groups of rows; and how many bytes a text may have, if it may be longer than it is in the file, else null.

    Unreadable if the pages of these columns contradict the metadata, or take too much.
    """
    groups, longest, grows = [], 1, False
    known, before = [about.row_group(number) for number in range(about.num_row_groups)], 0
    leaves = [(place, about.schema.column(place)) for place in range(about.num_columns)]
    leaves = [(place, leaf) for place, leaf in leaves if of_column(leaf.path, names)]
    nested = 0  # bytes of texts in lists, if each is as long as may be
    for group in known:
        size = 0
        for place, leaf in leaves:
            chunk = group.column(place)
            found = pages_of(data, chunk, before + size, check)
            flat = leaf.max_repetition_level == 0
            if (
                found.values != chunk.num_values
                or found.values < group.num_rows
                or flat > (found.values == group.num_rows)
            ):
                raise Unreadable(f"{found.values:,} values in the column {shown(leaf.path)}, not those it says", WHOLE)
            width = leaf.length if leaf.physical_type == "FIXED_LEN_BYTE_ARRAY" else 0
            size += found.size + (CELL + width) * found.values
            check(before + size)
            longest, grows = max(longest, found.largest), grows or found.grows
            nested += 0 if flat else found.largest * found.values
        before += size
        groups.append(Group(group.num_rows, size))
    check(nested if grows else 0)
    return groups, longest if grows else None


def of_column(path: str, names: set[str]) -> bool:
    """Whether a leaf of the schema lies in one of these columns, whose names may contain dots."""
    parts = path.split(".")
    return any(".".join(parts[:number]) in names for number in range(1, len(parts) + 1))


def written_size(column: pl.Series) -> int:
    """The bytes of a column with all its texts written out, where memory holds equal ones only once."""
    if isinstance(column.dtype, pl.Struct):
        return sum(map(written_size, column.struct.unnest()))
    if isinstance(column.dtype, pl.List | pl.Array):
        return CELL * len(column) + written_size(column.explode())
    if isinstance(column.dtype, pl.Categorical | pl.Enum):
        lengths = column.cat.len_bytes()
    elif isinstance(column.dtype, pl.String | pl.Binary):
        lengths = column.str.len_bytes() if isinstance(column.dtype, pl.String) else column.bin.size()
    else:
        return max(CELL * len(column), int(column.estimated_size()))
    return CELL * len(column) + int(lengths.cast(pl.Int64).sum())


def framed(table: "pyarrow.Table") -> pl.DataFrame:
    """An Arrow table as a table of Polars."""
    frame = pl.from_arrow(table)
    assert isinstance(frame, pl.DataFrame)
    return frame


def pages_of(data: BinaryIO, chunk: "ColumnChunkMetaData", before: int, check: Callable[[int], None]) -> Chunk:
    """What the pages of a column take; `check` gets this so far, and what was `before`."""
    begin, found = chunk.data_page_offset, Chunk()
    if chunk.has_dictionary_page and 0 < chunk.dictionary_page_offset < begin:
        begin = chunk.dictionary_page_offset
    end = begin + chunk.total_compressed_size
    while found.values < chunk.num_values and begin < end:
        header, length = page_header(data, begin)
        size, packed, kind = header.get(2, -1), header.get(3, -1), header.get(1, -1)
        if size < 0 or packed < 0:
            raise ValueError("a page of negative size")
        begin += length + packed
        found.size += size
        found.largest = max(found.largest, size)
        if kind in (DATA, DATA_V2):
            of_data = header.get(5 if kind == DATA else 8) or {}
            values = of_data.get(1, -1)
            if values < 0:
                raise ValueError("a page without a number of values")
            found.values += values
            found.grows |= of_data.get(2 if kind == DATA else 4) == SHARED_PREFIXES
        check(before + found.size + CELL * found.values)
    return found


def page_header(data: BinaryIO, begin: int) -> tuple[dict, int]:
    """The header of the page that begins here, its fields by number, and its length. ValueError where there is none."""
    length = HEADER
    while True:
        data.seek(begin)
        read = data.read(length)
        try:
            return Thrift(read).header()
        except IndexError:
            if len(read) < length or length >= LONGEST_HEADER:
                raise ValueError("a page without a header") from None
            length *= 16


class Thrift:
    """The compact protocol of Thrift, for headers of pages: numbers and structures; others are skipped."""

    def __init__(self, data: bytes):
        self.data, self.at = data, 0

    def header(self) -> tuple[dict, int]:
        fields = self.structure(0)
        return fields, self.at

    def byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def number(self) -> int:
        """An unsigned number, 7 bits a byte."""
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value
            if shift > 63:
                raise ValueError("a number of too many bytes")

    def signed(self) -> int:
        value = self.number()
        return (value >> 1) ^ -(value & 1)

    def structure(self, depth: int) -> dict:
        """A structure's fields by number: numbers and structures; others are null."""
        fields: dict[int, Any] = {}
        id = 0
        while byte := self.byte():
            id = id + (byte >> 4) if byte >> 4 else self.signed()
            fields[id] = self.value(byte & 15, depth)
        return fields

    def value(self, kind: int, depth: int) -> Any:
        if depth > DEEPEST:
            raise ValueError("a header of a page that is too deep")
        if kind in (1, 2):  # true and false
            return None
        if kind == 3:
            return self.byte()
        if kind in (4, 5, 6):
            return self.signed()
        if kind in (7, 8):  # a double, and bytes
            self.skip(8 if kind == 7 else self.number())
            return None
        if kind in (9, 10):  # a list and a set
            byte = self.byte()
            number = byte >> 4 if byte >> 4 < 15 else self.number()
            for _ in range(number):
                self.byte() if byte & 15 in (1, 2) else self.value(byte & 15, depth + 1)
            return None
        if kind == 12:
            return self.structure(depth + 1)
        raise ValueError("an unknown type in the header of a page")

    def skip(self, number: int) -> None:
        self.at += number
        if self.at > len(self.data):
            raise IndexError
