"""Parquet files in pieces, which are bounded: a few bytes may stand for gigabytes.

A dictionary has a text once that rows repeat, and a run length stands for millions of nulls. Polars
holds such a text once, too, and the size of a piece with all texts written out is checked before
anything is made of it.
"""

from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any

import polars as pl

from nonresponse.faults import quote
from nonresponse.formats.text import (
    CELL,
    MOST_COLUMNS,
    Faults,
    UnreadableError,
    bound_size,
    open_on_disk,
    report_unreadable,
)
from nonresponse.tables import scan_parquet

# Some damage makes Polars panic, which is not one of its errors.
POLARS_ERRORS = (pl.exceptions.PolarsError, pl.exceptions.PanicException)
ROWS = 2**16  # the most rows that are decoded at a time
PIECE = 2**26  # bytes that they may take, where a text may be longer than it is in the file
# The encoding in which a text repeats the beginning of the one before
SHARED_PREFIXES = "DELTA_BYTE_ARRAY"
EXPECTED_FILE = "a whole Parquet file"


def read_frames(
    file: str | Path, faults: Faults, columns: Collection[str] | None = None
) -> Iterator[pl.DataFrame]:
    """Yield no rows, then those of a file in pieces, of all columns or some. Damage is a fault."""
    file_faults = Faults(file)
    with report_unreadable(file_faults), open_on_disk(file, file_faults) as path:
        if not file_faults:
            limit, expected = bound_size(Path(file).stat().st_size)
            yield from read_pieces(path, limit, expected, columns)
    faults += file_faults


def read_pieces(
    path: str, limit: float, expected: str, columns: Collection[str] | None
) -> Iterator[pl.DataFrame]:
    """Yield the pieces. UnreadableError once all rows take more than `limit` bytes."""
    import pyarrow
    from pyarrow import parquet

    def check(total: int) -> None:
        if total > limit:
            raise UnreadableError(f"a table of {total:,} bytes when it is read", expected)

    with report_damage(), pyarrow.OSFile(path) as data:
        metadata = parquet.read_metadata(data)
        schema = metadata.schema.to_arrow_schema()
        names = [name for name in schema.names if columns is None or name in columns]
        if len(names) > MOST_COLUMNS:
            raise UnreadableError(f"{len(names):,} columns", f"at most {MOST_COLUMNS:,}")
        if duplicates := [name for name, count in Counter(names).items() if count > 1]:
            found = f"the column {quote(duplicates[0])} twice"
            raise UnreadableError(found, "a name for each column")
        groups = [metadata.row_group(number) for number in range(metadata.num_row_groups)]
        leaves = [metadata.schema.column(index) for index in range(metadata.num_columns)]
        indices = [index for index, leaf in enumerate(leaves) if lies_in(leaf.path, names)]
        chunks = [group.column(index) for group in groups for index in indices]
        fixed = [leaf for leaf in leaves if leaf.physical_type == "FIXED_LEN_BYTE_ARRAY"]
        widths = {leaf.path: leaf.length for leaf in fixed}
        cells = ((CELL + widths.get(cell.path_in_schema, 0)) * cell.num_values for cell in chunks)
        check(sum(cells) + sum(chunk.total_uncompressed_size for chunk in chunks))
        shared_prefixes = [chunk for chunk in chunks if SHARED_PREFIXES in chunk.encodings]
        categories = any("dictionary<" in str(schema.field(name).type) for name in names)
        if shared_prefixes or categories:
            data.seek(0)
            longest = max((chunk.total_uncompressed_size for chunk in shared_prefixes), default=1)
            rows_at_once = max(1, min(ROWS, PIECE // max(1, longest)))
            file = parquet.ParquetFile(data, metadata=metadata)
            frames = read_by_arrow(file, names, rows_at_once)
        else:
            sizes = [(group.num_rows, group.total_byte_size) for group in groups]
            frames = read_by_polars(path, names, sizes)
        size = rows = 0
        for frame in frames:
            check(size := size + sum(map(measure_text, frame)))
            rows += frame.height
            yield frame
        if rows != metadata.num_rows:
            found = f"{rows:,} rows, not the {metadata.num_rows:,} that it says"
            raise UnreadableError(found, EXPECTED_FILE)


def read_by_polars(
    path: str, names: list[str], groups: list[tuple[int, int]]
) -> Iterator[pl.DataFrame]:
    """Yield no rows, then those of as many groups as fill a piece; equal texts are held once."""
    table = scan_parquet(path).select(names)
    yield table.clear().collect()
    start = rows = size = 0
    for number, (group_rows, group_size) in enumerate(groups, start=1):
        rows, size = rows + group_rows, size + group_size
        if size >= PIECE or number == len(groups):
            yield table.slice(start, rows).collect()
            start, rows, size = start + rows, 0, 0


def read_by_arrow(file: Any, names: list[str], rows: int) -> Iterator[pl.DataFrame]:
    """Yield no rows, then `rows` at a time, of categories or of texts that may grow."""
    import pyarrow

    batches = file.iter_batches(rows, columns=names)
    tables = (pyarrow.Table.from_batches([batch]) for batch in batches)
    for table in chain([file.schema_arrow.empty_table()], tables):
        frame = pl.from_arrow(table.select(names))
        assert isinstance(frame, pl.DataFrame)
        yield frame


def read_schema(file: str | Path) -> pl.Schema:
    """Return the columns of a file with their types; none if it cannot be read."""
    return next(read_frames(file, Faults(file)), pl.DataFrame()).schema


@contextmanager
def report_damage() -> Iterator[None]:
    """Raise UnreadableError for whatever keeps a file from being read as Parquet."""
    import pyarrow

    try:
        yield
    except (*POLARS_ERRORS, pyarrow.ArrowException, OSError, ValueError, KeyError) as error:
        found = f"content that is not Parquet ({quote(error, 80)})"
        raise UnreadableError(found, EXPECTED_FILE) from None


def lies_in(path: str, names: Collection[str]) -> bool:
    """Whether a leaf of the schema lies in one of these columns, whose names may contain dots."""
    parts = path.split(".")
    return any(".".join(parts[:number]) in names for number in range(1, len(parts) + 1))


def measure_text(column: pl.Series) -> int:
    """Return the bytes of a column with all its texts written out, equal ones each time."""
    if isinstance(column.dtype, pl.Struct):
        return sum(map(measure_text, column.struct.unnest()))
    if isinstance(column.dtype, pl.List | pl.Array):
        return CELL * len(column) + measure_text(column.explode())
    if isinstance(column.dtype, pl.Categorical | pl.Enum):
        lengths = column.cat.len_bytes()
    elif isinstance(column.dtype, pl.String):
        lengths = column.str.len_bytes()
    elif isinstance(column.dtype, pl.Binary):
        lengths = column.bin.size()
    else:
        return max(CELL * len(column), int(column.estimated_size()))
    return CELL * len(column) + int(lengths.cast(pl.Int64).sum())
