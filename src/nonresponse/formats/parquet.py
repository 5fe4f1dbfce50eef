"""Parquet files in pieces. What a file takes in memory is known before it is read, from its pages and dictionaries.

A file may state wrong sizes, and a few bytes may stand for gigabytes. A dictionary has a text once that rows repeat. A
run length stands for millions of nulls. So the headers of all pages are read first. Texts are decoded as dictionaries,
and rows are written out only after their size was checked.
"""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO

import polars as pl

from nonresponse.faults import shown
from nonresponse.formats.text import MOST_COLUMNS, Unreadable, most_of

if TYPE_CHECKING:
    import pyarrow
    from pyarrow.parquet import ColumnChunkMetaData, FileMetaData

# Some damage makes Polars panic, which is not one of its errors.
POLARS_ERRORS = (pl.exceptions.PolarsError, pl.exceptions.PanicException)
PIECE = 2**26  # bytes that the rows of a piece take, unless a single row takes more
ROWS = (2**10, 2**16)  # the fewest and the most rows that are decoded at a time, if no text may grow
CELL = 16  # bytes that a value takes in memory beside its text
HEADER = 2**16  # bytes that are read to find the header of a page; longer ones are read again
LONGEST_HEADER = 2**24
DEEPEST = 8  # structures within each other in the header of a page
DATA, DICTIONARY, DATA_V2 = 0, 2, 3  # types of pages
SHARED_PREFIXES = 7  # the encoding DELTA_BYTE_ARRAY, in which a text repeats the beginning of the one before
WHOLE = "a whole Parquet file"


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

    with damage_told(), pyarrow.BufferReader(source) if isinstance(source, bytes) else pyarrow.OSFile(source) as data:
        about = parquet.read_metadata(data)
        schema = about.schema.to_arrow_schema()
        names = [name for name in schema.names if columns is None or name in columns]
        if len(names) > MOST_COLUMNS:
            raise Unreadable(f"{len(names):,} columns", f"at most {MOST_COLUMNS:,}")
        within = {*names}
        chosen = [place for place in range(about.num_columns) if of_column(about.schema.column(place).path, within)]
        most, expected = most_of(packed, bounds)

        def check(size: int) -> None:
            if size > most:
                raise Unreadable(f"a table of {size:,} bytes when it is read", expected)

        rows = check_pages(data, about, chosen, check)
        data.seek(0)
        texts = [
            about.schema.column(place).path
            for place in chosen
            if about.schema.column(place).physical_type == "BYTE_ARRAY" and not rows.growing[place]
        ]
        file = parquet.ParquetFile(data, metadata=about, read_dictionary=texts)
        target = pyarrow.schema([(name, written_type(schema.field(name).type)) for name in dict.fromkeys(names)])
        if len(target) < len(names):
            twice = sorted({name for name in names if names.count(name) > 1})
            raise Unreadable(f"the column {twice[0]!r} twice", "a name for each column")
        yield framed(target.empty_table())
        size = 0
        for batch in file.iter_batches(rows.each, columns=names) if names else ():
            sizes = sum(map(written_size, batch.columns))
            check(size := size + sizes)
            step = max(1, batch.num_rows * PIECE // max(PIECE, sizes))
            for begin in range(0, batch.num_rows, step):
                table = pyarrow.Table.from_batches([batch.slice(begin, step)])
                yield framed(table.select(target.names).cast(target))


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


@dataclass
class Rows:
    """How many rows may be decoded at a time, and which columns have texts that may grow."""

    each: int
    growing: dict[int, bool]


def check_pages(data: BinaryIO, about: "FileMetaData", chosen: list[int], check: Any) -> Rows:
    """Checks the size of these columns by the headers of their pages. Unreadable if they contradict the metadata."""
    size, growing, largest = 0, dict.fromkeys(chosen, False), 0
    for number in range(about.num_row_groups):
        group = about.row_group(number)
        for place in chosen:
            leaf, chunk = about.schema.column(place), group.column(place)
            found = pages_of(data, chunk, lambda more, before=size: check(before + more))
            if found.values != chunk.num_values or (leaf.max_repetition_level == 0 and found.values != group.num_rows):
                raise Unreadable(f"{found.values:,} values in the column {leaf.path!r}, not those it says", WHOLE)
            width = leaf.length if leaf.physical_type == "FIXED_LEN_BYTE_ARRAY" else 0
            each = CELL + width + (found.largest if found.grows and leaf.max_repetition_level else 0)
            size += found.size + each * found.values
            growing[place] |= found.grows
            largest = max(largest, found.largest if found.grows else 0)
            check(size)
    few, many = ROWS
    rows = max(few, min(many, PIECE // (CELL * max(1, len(chosen)))))
    return Rows(max(1, min(rows, PIECE // largest)) if largest else rows, growing)


def of_column(path: str, names: set[str]) -> bool:
    """Whether a leaf of the schema lies in one of these columns, whose names may contain dots."""
    parts = path.split(".")
    return any(".".join(parts[:number]) in names for number in range(1, len(parts) + 1))


def written_type(kind: "pyarrow.DataType") -> "pyarrow.DataType":
    """The data type with plain values in the place of dictionaries, wherever in it they are."""
    import pyarrow
    from pyarrow import types

    if types.is_dictionary(kind):
        return written_type(kind.value_type)
    if types.is_struct(kind):
        return pyarrow.struct([field.with_type(written_type(field.type)) for field in kind.fields])
    if types.is_map(kind):
        return pyarrow.map_(written_type(kind.key_type), written_type(kind.item_type))
    if types.is_fixed_size_list(kind):
        return pyarrow.list_(written_type(kind.value_type), kind.list_size)
    if types.is_list(kind) or types.is_large_list(kind):
        return pyarrow.large_list(written_type(kind.value_type))
    large = {pyarrow.string(): pyarrow.large_string(), pyarrow.binary(): pyarrow.large_binary()}
    return large.get(kind, kind)


def written_size(column: "pyarrow.Array") -> int:
    """The bytes of a column with all its texts written out, where a dictionary holds each text only once."""
    import pyarrow
    from pyarrow import compute, types

    kind = column.type
    if types.is_dictionary(kind):
        texts = column.dictionary
        if types.is_string(texts.type) or types.is_binary(texts.type) or types.is_large_string(texts.type):
            lengths = compute.binary_length(texts).cast(pyarrow.int64()).take(column.indices)
            return CELL * len(column) + (compute.sum(lengths).as_py() or 0)
        return CELL * len(column)
    if types.is_struct(kind):
        return sum(map(written_size, column.flatten()))
    if types.is_map(kind):
        return written_size(column.keys) + written_size(column.items)
    if types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind):
        return CELL * len(column) + written_size(column.flatten())
    return CELL * len(column) + column.nbytes


def framed(table: "pyarrow.Table") -> pl.DataFrame:
    """An Arrow table as a table of Polars."""
    frame = pl.from_arrow(table)
    assert isinstance(frame, pl.DataFrame)
    return frame


def pages_of(data: BinaryIO, chunk: "ColumnChunkMetaData", check: Any) -> Chunk:
    """What the pages of a column take; `check` is called with the size so far."""
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
        check(found.size + CELL * found.values)
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
